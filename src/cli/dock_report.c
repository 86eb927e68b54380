/* The results of `berth dock`: poses, scores.csv, and the table on the terminal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/dock.h"

enum berth_status dock_report_create(const struct dock_values *values, struct dock_report *report,
                                     struct berth_error *error)
{
    memset(report, 0, sizeof *report);
    report->values = values;
    report->table = !(values->scores && strcmp(values->scores, "-") == 0);
    enum berth_status status = berth_pose_format_of(values->out, &report->format, error);
    if (!status) {
        status = berth_output_create(values->out, &report->poses, error);
    }
    if (!status && values->scores) {
        status = berth_output_create(values->scores, &report->scores, error);
        if (!status) {
            berth_output_print(report->scores,
                               "ligand,conformer,mode,energy,steric,electrostatic,desolvation,rmsd,"
                               "conformer_strain,efficiency,strain\n");
        }
    }
    return status;
}

/* kJ/mol for each heavy atom. */
static double efficiency_of(const struct berth_ligand *ligand, const struct berth_mode *mode)
{
    return mode->energy / (double)berth_heavy_count(&ligand->conformers[mode->conformer]);
}

static void print_score(struct berth_output *scores, const struct berth_ligand *ligand,
                        const struct berth_mode *mode, size_t number)
{
    berth_output_csv(scores, ligand->name, ',');
    berth_output_print(scores, "%zu,%zu,%.4f,%.4f,%.4f,%.4f,", mode->conformer + 1, number,
                       mode->energy, mode->terms.steric, mode->terms.electrostatic,
                       mode->terms.desolvation);
    if (mode->rmsd >= 0) {
        berth_output_print(scores, "%.3f", mode->rmsd);
    }
    berth_output_print(scores, ",");
    if (isfinite(mode->conformer_strain)) {
        berth_output_print(scores, "%.2f", mode->conformer_strain);
    }
    berth_output_print(scores, ",%.4f,", efficiency_of(ligand, mode));
    if (mode->turned) {
        berth_output_print(scores, "%.4f", mode->strain);
    }
    berth_output_print(scores, "\n");
}

static void print_mode(const struct berth_mode *mode, size_t number)
{
    printf("%5zu %10.2f %9.2f %13.2f %11.2f", number, mode->energy, mode->terms.steric,
           mode->terms.electrostatic, mode->terms.desolvation);
    if (mode->turned) {
        printf(" %8.2f", mode->strain);
    }
    printf(" %9zu", mode->conformer + 1);
    if (mode->rmsd >= 0) {
        printf(" %7.2f", mode->rmsd);
    }
    printf("\n");
}

static void print_table(const char *name, const struct berth_modes *modes, const char *unit)
{
    const bool rmsd = modes->count && modes->modes[0].rmsd >= 0;
    const bool turned = modes->count && modes->modes[0].turned;
    printf("\n");
    cli_print("%s", name);
    printf(" mode     energy    steric electrostatic desolvation%s conformer%s\n",
           turned ? "   strain" : "", rmsd ? "    rmsd" : "");
    printf("          %6s    %6s        %6s      %6s", unit, unit, unit, unit);
    if (turned) {
        printf("   %6s", unit);
    }
    printf("%s\n", rmsd ? "                 \xc3\x85" : "");
    printf("-----------------------------------------------------------------%s%s\n",
           turned ? "---------" : "", rmsd ? "--------" : "");
    for (size_t i = 0; i < modes->count; i++) {
        print_mode(&modes->modes[i], i + 1);
    }
    printf("\n");
}

static void print_line(const char *name, const struct berth_modes *modes, const char *unit,
                       bool first)
{
    if (first) {
        printf("\n    energy  ligand\n    %6s\n", unit);
    }
    char rmsd[32] = "";
    if (modes->modes[0].rmsd >= 0) {
        snprintf(rmsd, sizeof rmsd, "  (rmsd %.2f)", modes->modes[0].rmsd);
    }
    cli_print("%10.2f  %s%s", modes->modes[0].energy, name, rmsd);
}

/* Prints a ligand's line; the first one's waits until there is another, since the only ligand of a
 * run gets a table.  The modes are moved from. */
static enum berth_status print_ligand(struct dock_report *report, const char *name,
                                      struct berth_modes *modes, struct berth_error *error)
{
    const char *unit = berth_scoring_unit(&report->values->forcefield);
    if (!report->ligands) {
        report->first_name = berth_copy_text(name);
        report->first = *modes;
        memset(modes, 0, sizeof *modes);
        return report->first_name ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (report->ligands == 1) {
        print_line(report->first_name, &report->first, unit, true);
        berth_modes_clear(&report->first);
    }
    print_line(name, modes, unit, false);
    fflush(stdout);
    return BERTH_OK;
}

static enum berth_status write_modes(struct dock_report *report, const struct berth_ligand *ligand,
                                     const struct berth_modes *modes, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < modes->count; i++) {
        const struct berth_mode *mode = &modes->modes[i];
        const struct berth_pose_record record = {.conformer = &ligand->conformers[mode->conformer],
                                                 .positions = (const double(*)[3])mode->positions,
                                                 .ligand = ligand->name,
                                                 .conformer_number = mode->conformer + 1,
                                                 .mode = (int)i + 1,
                                                 .energy = mode->energy,
                                                 .terms = mode->terms,
                                                 .rmsd = mode->rmsd,
                                                 .conformer_strain = mode->conformer_strain,
                                                 .strain = mode->turned ? mode->strain : NAN,
                                                 .seed = report->values->seed};
        status = berth_pose_write(report->poses, report->format, &record, error);
        if (!status && report->scores) {
            print_score(report->scores, ligand, mode, i + 1);
        }
    }
    if (!status) {
        status = berth_output_check(report->poses, error);
    }
    return status || !report->scores ? status : berth_output_check(report->scores, error);
}

enum berth_status dock_report_add(struct dock_report *report, const struct berth_ligand *ligand,
                                  struct berth_modes *modes, struct berth_error *error)
{
    enum berth_status status = write_modes(report, ligand, modes, error);
    report->unmatched += report->values->reference && modes->count && modes->modes[0].rmsd < 0;
    if (!status && report->table) {
        status = print_ligand(report, ligand->name, modes, error);
    }
    report->ligands++;
    return status;
}

void dock_report_end_table(struct dock_report *report)
{
    if (report->table && report->ligands == 1) {
        print_table(report->first_name, &report->first,
                    berth_scoring_unit(&report->values->forcefield));
    }
}

enum berth_status dock_report_commit(struct dock_report *report, struct berth_error *error)
{
    enum berth_status status = berth_output_sync(report->poses, error);
    if (!status && report->scores) {
        status = berth_output_sync(report->scores, error);
    }
    if (!status) {
        status = berth_output_commit(report->poses, error);
        report->poses = NULL;
    }
    if (!status && report->scores) {
        status = berth_output_commit(report->scores, error);
        report->scores = NULL;
    }
    return status;
}

void dock_report_discard(struct dock_report *report)
{
    berth_output_discard(report->poses);
    berth_output_discard(report->scores);
    report->poses = report->scores = NULL;
    berth_modes_clear(&report->first);
    free(report->first_name);
    report->first_name = NULL;
}

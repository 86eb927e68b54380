/* What `berth dock` prints of its results: a table, or a line a ligand. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/dock.h"

struct dock_report dock_report_begin(const struct dock_values *values,
                                     const struct berth_scoring *scoring)
{
    return (struct dock_report){.values = values,
                                .scoring = scoring,
                                .table = !(values->scores && strcmp(values->scores, "-") == 0)};
}

enum { TERM_WIDTH = 9 }; /* characters, at least */

/* Characters of the column of term k. */
static int width_of(const struct berth_term_names *terms, size_t k)
{
    const size_t length = strlen(terms->names[k]);
    return length > TERM_WIDTH ? (int)length : TERM_WIDTH;
}

static void print_mode(const struct berth_mode *mode, size_t number,
                       const struct berth_term_names *terms)
{
    printf("%5zu %10.2f", number, mode->energy);
    for (size_t k = 0; k < terms->count; k++) {
        printf(" %*.2f", width_of(terms, k), mode->terms.values[k]);
    }
    if (mode->has_torsions) {
        printf(" %8.2f", mode->strain);
    }
    printf(" %9zu", mode->conformer + 1);
    if (mode->rmsd >= 0) {
        printf(" %7.2f", mode->rmsd);
    }
    printf("\n");
}

/* The table's head: names, units, a line. */
static void print_head(const struct berth_scoring *scoring, bool flexible, bool rmsd)
{
    const struct berth_term_names *terms = &scoring->terms;
    int width = 5 + 11 + 10 + 3; /* mode, energy, conformer, and a margin */
    printf(" mode     energy");
    for (size_t k = 0; k < terms->count; k++) {
        printf(" %*s", width_of(terms, k), terms->names[k]);
        width += 1 + width_of(terms, k);
    }
    printf("%s conformer%s\n%16s", flexible ? "   strain" : "", rmsd ? "    rmsd" : "",
           scoring->unit);
    for (size_t k = 0; k < terms->count; k++) {
        printf(" %*s", width_of(terms, k), scoring->unit);
    }
    if (flexible) {
        printf(" %8s", scoring->unit);
    }
    printf("%s\n", rmsd ? "                 \xc3\x85" : "");
    for (width += (flexible ? 9 : 0) + (rmsd ? 8 : 0); width > 0; width--) {
        printf("-");
    }
    printf("\n");
}

static void print_table(const char *name, const struct berth_modes *modes,
                        const struct berth_scoring *scoring)
{
    const bool rmsd = modes->count && modes->modes[0].rmsd >= 0;
    const bool flexible = modes->count && modes->modes[0].has_torsions;
    printf("\n");
    cli_print("%s", name);
    print_head(scoring, flexible, rmsd);
    for (size_t i = 0; i < modes->count; i++) {
        print_mode(&modes->modes[i], i + 1, &scoring->terms);
    }
    printf("\n");
}

static void print_line(const char *name, const struct berth_modes *modes, const char *unit,
                       bool first)
{
    if (first) {
        printf("\n    energy  ligand\n%10s\n", unit);
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
    const char *unit = report->scoring->unit;
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

enum berth_status dock_report_add(struct dock_report *report, const char *name,
                                  struct berth_modes *modes, struct berth_error *error)
{
    const enum berth_status status =
        report->table ? print_ligand(report, name, modes, error) : BERTH_OK;
    report->ligands++;
    return status;
}

void dock_report_end_table(struct dock_report *report)
{
    if (report->table && report->ligands == 1) {
        print_table(report->first_name, &report->first, report->scoring);
    }
}

void dock_report_clear(struct dock_report *report)
{
    berth_modes_clear(&report->first);
    free(report->first_name);
    report->first_name = NULL;
}

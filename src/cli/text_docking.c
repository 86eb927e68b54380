#include "cli/text_docking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/common.h"
#include "score/terms.h"

/* --- What a run prints first --- */

void cli_print_surface(const struct berth_surface *surface)
{
    printf("surface: %zu searches in %zu part%s, whose maps take %.0f MiB\n", surface->place_count,
           surface->part_count, surface->part_count == 1 ? "" : "s", surface->bytes / 1048576);
}

/* --- Results --- */

enum { TERM_WIDTH = 9 }; /* characters, at least */

/* Characters of the column of term k. */
static int width_of(const struct berth_term_names *terms, size_t k)
{
    const size_t length = strlen(terms->names[k]);
    return length > TERM_WIDTH ? (int)length : TERM_WIDTH;
}

static void print_mode(const struct cli_results *text, const struct berth_pose *mode, size_t number)
{
    const struct berth_term_names *terms = &text->scoring->terms;
    const char *receptor = berth_receptor_name(text->receptors, mode->receptor);
    printf("%5zu %9.2f %9.2f", number, mode->value, mode->energy);
    for (size_t k = 0; k < terms->count; k++) {
        printf(" %*.2f", width_of(terms, k), mode->terms.values[k]);
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        if (isfinite(mode->parts[k])) {
            printf(" %8.2f", mode->parts[k]);
        }
    }
    printf(" %9zu", mode->conformer + 1);
    if (mode->rmsd >= 0) {
        printf(" %7.2f", mode->rmsd);
    }
    printf("%s%s\n", *receptor ? "  " : "", receptor);
}

/* The table's head: names, units, a line. */
static void print_table_head(const struct cli_results *text, const struct berth_pose *first,
                             bool rmsd)
{
    const struct berth_scoring *scoring = text->scoring;
    const bool several = berth_receptor_names_count(text->receptors) > 0;
    const struct berth_term_names *terms = &scoring->terms;
    int width = 5 + 10 + 10 + 10 + 3; /* mode, score, energy, conformer, and a margin */
    printf(" mode     score    energy");
    for (size_t k = 0; k < terms->count; k++) {
        printf(" %*s", width_of(terms, k), terms->names[k]);
        width += 1 + width_of(terms, k);
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        if (isfinite(first->parts[k])) {
            printf(" %8s", BERTH_COLUMN_NAMES[BERTH_COLUMN_PARTS + k]);
            width += 9;
        }
    }
    printf(" conformer%s%s\n%15s %9s", rmsd ? "    rmsd" : "", several ? "  receptor" : "",
           scoring->unit, scoring->unit);
    for (size_t k = 0; k < terms->count; k++) {
        printf(" %*s", width_of(terms, k), scoring->unit);
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        if (isfinite(first->parts[k])) {
            printf(" %8s", scoring->unit);
        }
    }
    printf("%s\n", rmsd ? "                 \xc3\x85" : "");
    for (width += (rmsd ? 8 : 0) + (several ? 10 : 0); width > 0; width--) {
        printf("-");
    }
    printf("\n");
}

/* The only ligand's. */
static void print_table(const struct cli_results *text)
{
    const struct berth_modes *modes = &text->first;
    const bool rmsd = modes->count && modes->modes[0].rmsd >= 0;
    printf("\n");
    cli_print("%s", text->first_name);
    print_table_head(text, &modes->modes[0], rmsd);
    for (size_t i = 0; i < modes->count; i++) {
        print_mode(text, &modes->modes[i], i + 1);
    }
    printf("\n");
}

static void print_line(const struct cli_results *text, const char *name,
                       const struct berth_modes *modes, bool first)
{
    const char *receptor = berth_receptor_name(text->receptors, modes->modes[0].receptor);
    if (first) {
        const char *unit = text->scoring->unit;
        printf("\n     score    energy  ligand\n%10s %9s\n", unit, unit);
    }
    char rmsd[32] = "";
    if (modes->modes[0].rmsd >= 0) {
        snprintf(rmsd, sizeof rmsd, "  (rmsd %.2f)", modes->modes[0].rmsd);
    }
    cli_print("%10.2f %9.2f  %s%s%s%s", modes->modes[0].value, modes->modes[0].energy, name, rmsd,
              *receptor ? "  in " : "", receptor);
}

/* Prints a ligand's line; the first one's waits until there is another, since the only ligand of a
 * run gets a table.  The modes are moved from. */
static enum berth_status print_ligand(struct cli_results *text, const char *name,
                                      struct berth_modes *modes, struct berth_error *error)
{
    if (!text->ligands) {
        text->first_name = berth_copy_text(name);
        text->first = *modes;
        memset(modes, 0, sizeof *modes);
        return text->first_name ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    if (text->ligands == 1) {
        print_line(text, text->first_name, &text->first, true);
        berth_modes_clear(&text->first);
    }
    print_line(text, name, modes, false);
    fflush(stdout);
    return BERTH_OK;
}

enum berth_status cli_results_add(struct cli_results *text, const char *name,
                                  struct berth_modes *modes, struct berth_error *error)
{
    const enum berth_status status =
        text->quiet ? BERTH_OK : print_ligand(text, name, modes, error);
    text->ligands++;
    return status;
}

void cli_results_end(struct cli_results *text)
{
    if (!text->quiet && text->ligands == 1) {
        print_table(text);
    }
}

void cli_results_clear(struct cli_results *text)
{
    berth_modes_clear(&text->first);
    free(text->first_name);
    text->first_name = NULL;
}

/* --- Pockets of a surface --- */

enum { RESIDUES_SHOWN = 48 }; /* characters */

static void print_place(const struct berth_site *box, const char *residues)
{
    const size_t length = strlen(residues);
    int shown = length > RESIDUES_SHOWN ? RESIDUES_SHOWN : (int)length;
    while (shown < (int)length && shown && residues[shown] != ';') { /* whole names */
        shown--;
    }
    cli_print(" %8.2f %8.2f %8.2f  %.*s%s", box->center[0], box->center[1], box->center[2], shown,
              residues, shown < (int)length ? " ..." : "");
}

static void print_pockets(const struct berth_pocket_files *files)
{
    printf("pocket %9s poses        x        y        z  residues\n", "score");
    for (size_t i = 0; i < files->count; i++) {
        const struct berth_ligand_pocket *pocket = &files->all[i];
        printf("%6zu %9.2f %5zu", pocket->rank, pocket->value, pocket->poses);
        print_place(&pocket->box, files->residue_texts[pocket->note]);
    }
    printf("\n");
}

static void print_agreed(const struct berth_pocket_files *files)
{
    printf("\nwhere the %zu ligands agree\npocket ligands mean rank        x        y        "
           "z  residues\n",
           files->ligand_count);
    for (size_t i = 0; i < files->place_count && i < files->most; i++) {
        printf("%6zu %7zu %9.2f", i + 1, files->places[i].ligands, files->places[i].mean_rank);
        print_place(&files->places[i].box, files->residue_texts[files->places[i].note]);
    }
    printf("\n");
}

void cli_print_pockets(const struct berth_pocket_files *files)
{
    if (files->ligand_count == 1) {
        print_pockets(files);
    } else if (files->ligand_count > 1) {
        print_agreed(files);
    }
}

/* --- Proteins --- */

static void print_protein_modes(const struct berth_protein_run *run)
{
    printf("\n mode     energy  contacts  residues    buried%s\n%16s  < 5 \xc3\x85               "
           "\xc3\x85\xc2\xb2%s\n",
           run->rmsds ? "    rmsd" : "", run->receptor.scoring.unit,
           run->rmsds ? "       \xc3\x85" : "");
    printf("%s\n", run->rmsds ? "----------------------------------------------------------"
                              : "--------------------------------------------------");
    for (size_t i = 0; i < run->result.count; i++) {
        const struct berth_protein_mode *mode = &run->result.modes[i];
        printf("%5zu %10.2f %9zu %5zu %3zu %9.0f", i + 1, mode->energy, mode->interface.contacts,
               mode->interface.receptor_residues, mode->interface.ligand_residues,
               mode->interface.buried);
        if (run->rmsds) {
            printf(" %7.2f", run->rmsds[i]);
        }
        printf("\n");
    }
}

void cli_print_protein(const struct berth_protein_run *run, double seconds)
{
    const struct berth_protein_result *result = &run->result;
    const double pairs = (double)run->receptor.heavy.count * (double)run->ligand.heavy.count;
    printf("receptor %zu heavy atoms, ligand %zu, scoring %s\n", run->receptor.heavy.count,
           run->ligand.heavy.count, run->receptor.scoring.name);
    print_protein_modes(run);
    printf("\n%zu rotations x %zu places on maps; %zu poses refined, %zu energies with gradients "
           "of %.4g pairs of atoms; %.2f s\n",
           result->rotations, result->places, result->refined, result->evaluations, pairs, seconds);
}

/* --- What a run prints last --- */

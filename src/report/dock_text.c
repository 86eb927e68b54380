#include "report/dock_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "score/terms.h"

enum { TERM_WIDTH = 9 }; /* characters, at least */

/* Characters of the column of term k. */
static int width_of(const struct berth_term_names *terms, size_t k)
{
    const size_t length = strlen(terms->names[k]);
    return length > TERM_WIDTH ? (int)length : TERM_WIDTH;
}

static void print_mode(const struct berth_dock_text *text, const struct berth_pose *mode,
                       size_t number)
{
    const struct berth_term_names *terms = &text->scoring->terms;
    const char *receptor = berth_receptor_name(text->receptors, mode->receptor);
    FILE *file = text->file;
    fprintf(file, "%5zu %9.2f %9.2f", number, mode->value, mode->energy);
    for (size_t k = 0; k < terms->count; k++) {
        fprintf(file, " %*.2f", width_of(terms, k), mode->terms.values[k]);
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        if (isfinite(mode->parts[k])) {
            fprintf(file, " %8.2f", mode->parts[k]);
        }
    }
    fprintf(file, " %9zu", mode->conformer + 1);
    if (mode->rmsd >= 0) {
        fprintf(file, " %7.2f", mode->rmsd);
    }
    fprintf(file, "%s%s\n", *receptor ? "  " : "", receptor);
}

/* The table's head: names, units, a line. */
static void print_head(const struct berth_dock_text *text, const struct berth_pose *first,
                       bool rmsd)
{
    FILE *file = text->file;
    const struct berth_scoring *scoring = text->scoring;
    const bool several = berth_receptor_names_count(text->receptors) > 0;
    const struct berth_term_names *terms = &scoring->terms;
    int width = 5 + 10 + 10 + 10 + 3; /* mode, score, energy, conformer, and a margin */
    fprintf(file, " mode     score    energy");
    for (size_t k = 0; k < terms->count; k++) {
        fprintf(file, " %*s", width_of(terms, k), terms->names[k]);
        width += 1 + width_of(terms, k);
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        if (isfinite(first->parts[k])) {
            fprintf(file, " %8s", BERTH_COLUMN_NAMES[BERTH_COLUMN_PARTS + k]);
            width += 9;
        }
    }
    fprintf(file, " conformer%s%s\n%15s %9s", rmsd ? "    rmsd" : "", several ? "  receptor" : "",
            scoring->unit, scoring->unit);
    for (size_t k = 0; k < terms->count; k++) {
        fprintf(file, " %*s", width_of(terms, k), scoring->unit);
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        if (isfinite(first->parts[k])) {
            fprintf(file, " %8s", scoring->unit);
        }
    }
    fprintf(file, "%s\n", rmsd ? "                 \xc3\x85" : "");
    for (width += (rmsd ? 8 : 0) + (several ? 10 : 0); width > 0; width--) {
        fprintf(file, "-");
    }
    fprintf(file, "\n");
}

/* The only ligand's. */
static void print_table(const struct berth_dock_text *text)
{
    const struct berth_modes *modes = &text->first;
    const bool rmsd = modes->count && modes->modes[0].rmsd >= 0;
    fprintf(text->file, "\n");
    berth_text_print(text->file, "%s", text->first_name);
    print_head(text, &modes->modes[0], rmsd);
    for (size_t i = 0; i < modes->count; i++) {
        print_mode(text, &modes->modes[i], i + 1);
    }
    fprintf(text->file, "\n");
}

static void print_line(const struct berth_dock_text *text, const char *name,
                       const struct berth_modes *modes, bool first)
{
    const char *receptor = berth_receptor_name(text->receptors, modes->modes[0].receptor);
    if (first) {
        const char *unit = text->scoring->unit;
        fprintf(text->file, "\n     score    energy  ligand\n%10s %9s\n", unit, unit);
    }
    char rmsd[32] = "";
    if (modes->modes[0].rmsd >= 0) {
        snprintf(rmsd, sizeof rmsd, "  (rmsd %.2f)", modes->modes[0].rmsd);
    }
    berth_text_print(text->file, "%10.2f %9.2f  %s%s%s%s", modes->modes[0].value,
                     modes->modes[0].energy, name, rmsd, *receptor ? "  in " : "", receptor);
}

/* Prints a ligand's line; the first one's waits until there is another, since the only ligand of a
 * run gets a table.  The modes are moved from. */
static enum berth_status print_ligand(struct berth_dock_text *text, const char *name,
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
    fflush(text->file);
    return BERTH_OK;
}

enum berth_status berth_dock_text_add(struct berth_dock_text *text, const char *name,
                                      struct berth_modes *modes, struct berth_error *error)
{
    const enum berth_status status = text->file ? print_ligand(text, name, modes, error) : BERTH_OK;
    text->ligands++;
    return status;
}

void berth_dock_text_end(struct berth_dock_text *text)
{
    if (text->file && text->ligands == 1) {
        print_table(text);
    }
}

void berth_dock_text_clear(struct berth_dock_text *text)
{
    berth_modes_clear(&text->first);
    free(text->first_name);
    text->first_name = NULL;
}

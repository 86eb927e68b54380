/* Rotatable bonds of the ligands that were docked: not in tables of scores, but in the library. */
#ifndef BERTH_REPORT_SHOW_TORSIONS_H
#define BERTH_REPORT_SHOW_TORSIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "format/csv.h"

struct berth_docked_torsions {
    char library[PATH_MAX];
    struct {
        uint32_t name; /* hash of it */
        uint32_t count;
    } * ligands;                   /* owned; [count], by ordinal */
    size_t count, ordinal, ligand; /* how many; columns of the table */
};

/* True where the text has the word "torsions". */
bool berth_torsions_are_in(const char *text);

/* Reads them from the library at path, or, where that is NULL, from the one that the journal in the
 * folder of the results names, and adds the column "torsions" to the table.  The caller
 * clears *torsions.  Errors: BERTH_E_USAGE (no library is known; the table has no ordinals),
 * those of reading the library. */
enum berth_status berth_docked_torsions_read(const char *results, const char *path,
                                             struct berth_csv *csv,
                                             struct berth_docked_torsions *torsions,
                                             struct berth_error *error);

/* Sets the row's field.  Errors: BERTH_E_FORMAT where the library's ligand of this ordinal has
 * another name; BERTH_E_MEMORY. */
enum berth_status berth_docked_torsions_set(const struct berth_docked_torsions *torsions,
                                            struct berth_csv *csv, struct berth_error *error);

void berth_docked_torsions_clear(struct berth_docked_torsions *torsions);

#endif

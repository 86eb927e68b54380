/* The scores of a run's ligands: one each, whatever states and poses they were docked in. */
#ifndef BERTH_EVAL_SCREEN_SCORES_H
#define BERTH_EVAL_SCREEN_SCORES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "format/csv.h"

struct berth_scored_ligand {
    char *name;                /* owned */
    double score, heavy_atoms; /* of its best row; heavy_atoms NAN: not in the table */
};

struct berth_ligand_scores {
    struct berth_scored_ligand *ligands; /* owned; [count], sorted by name */
    size_t count, capacity;
    char path[PATH_MAX]; /* of the table */
};

/* The table that `results` names: itself, or of a folder its scores.csv or scores.csv.gz.  Errors:
 * BERTH_E_IO. */
enum berth_status berth_scores_find(const char *results, char path[PATH_MAX],
                                    struct berth_error *error);

/* The column that ranks a table's rows, the lower the better: score, else total, else energy;
 * SIZE_MAX where it has none of these. */
size_t berth_scores_ranking_column(const struct berth_csv *csv);

/* The column of the ligands' names: ligand, else name; SIZE_MAX where it has neither. */
size_t berth_scores_name_column(const struct berth_csv *csv);

/* Reads `results`; rows without a score are passed over.  column: what ranks; NULL: see above.
 * states: NAME_1, NAME_2 ... are states of NAME.  The caller clears *scores.  Errors: BERTH_E_IO,
 * BERTH_E_FORMAT (no such columns; no ligand with a score), BERTH_E_MEMORY. */
enum berth_status berth_ligand_scores_read(const char *results, const char *column, bool states,
                                           struct berth_ligand_scores *scores,
                                           struct berth_error *error);

/* The ligand of this name, or NULL. */
const struct berth_scored_ligand *berth_ligand_scores_find(const struct berth_ligand_scores *scores,
                                                           const char *name);

void berth_ligand_scores_clear(struct berth_ligand_scores *scores);

/* Cuts "_1" and the like off the end of a name. */
void berth_cut_state(char *name);

#endif

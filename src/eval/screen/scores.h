/* A run's table of scores: where it is, what ranks in it, and its ligands, for what Python computes
 * of them. */
#ifndef BERTH_EVAL_SCREEN_SCORES_H
#define BERTH_EVAL_SCREEN_SCORES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "format/csv.h"

/* Files of a run; "": it is not there. */
struct berth_run_files {
    char scores[PATH_MAX], poses[PATH_MAX], failures[PATH_MAX], json[PATH_MAX];
    char redock[PATH_MAX];                    /* the table of redocking, */
    char pockets[PATH_MAX], agreed[PATH_MAX]; /* of a docking to a whole surface */
};

/* Finds them in a run's folder, or, where results are poses, beside these. */
void berth_run_files_find(const char *results, bool are_poses, struct berth_run_files *files);

/* The table that `results` names: itself, or of a folder its scores.csv or scores.csv.gz, or of
 * poses the table beside them, NAME.csv of NAME.sdf.  Errors: BERTH_E_IO, BERTH_E_USAGE (poses
 * without one). */
enum berth_status berth_scores_find(const char *results, char path[PATH_MAX],
                                    struct berth_error *error);

/* Fails, with BERTH_E_IO, where the folder is of a screen that is not finished, and says how to go
 * on; BERTH_OK for any other. */
enum berth_status berth_scores_await(const char *folder, struct berth_error *error);

/* The library that the screen in this folder has made, or that its run.json, of a merge too, names;
 * *found is false where there is none, or it has moved.  Errors: those of reading. */
enum berth_status berth_screen_library_find(const char *results, char library[PATH_MAX],
                                            bool *found, struct berth_error *error);

/* What is read of a table of scores, whatever else it has. */
enum berth_scores_column {
    BERTH_SCORES_NAME, /* of the ligand: column ligand, else name */
    BERTH_SCORES_RANK, /* what ranks rows, the lower the better: ranking, else score, total or
                        * energy
                        */
    BERTH_SCORES_ORDINAL,
    BERTH_SCORES_MODE,
    BERTH_SCORES_HEAVY_ATOMS,
    BERTH_SCORES_STATE_OF,
    BERTH_SCORES_INPUT_SMILES,
    BERTH_SCORES_SMILES,
    BERTH_SCORES_OPEN_STEREO,
    BERTH_SCORES_COLUMNS
};
enum { BERTH_SCORES_NAMES = 4 };

/* What each is called, the first that is there; NULL behind the last name. */
extern const char *const BERTH_SCORES_NAMED[BERTH_SCORES_COLUMNS][BERTH_SCORES_NAMES];

/* Finds them; SIZE_MAX: it has none; csv NULL: it has none at all. */
void berth_scores_columns_find(const struct berth_csv *csv, size_t columns[BERTH_SCORES_COLUMNS]);

/* A field of the row, "" of a column that is not there, and as a number, or else `otherwise`. */
const char *berth_scores_field(const struct berth_csv *csv, size_t column);
double berth_scores_number(const struct berth_csv *csv, size_t column, double otherwise);

/* The molecule that a row is of, which its state_of names, else its ligand; the caller frees it;
 * NULL: out of memory. */
char *berth_ligand_molecule(const struct berth_csv *csv,
                            const size_t columns[BERTH_SCORES_COLUMNS]);

/* A value of each row; texts have a 0 behind them. */
struct berth_score_table {
    char path[PATH_MAX];
    struct berth_bytes names, scores, heavy_atoms; /* NAN: none */
    struct berth_bytes states; /* what the column state_of has; empty: there is none */
    struct berth_bytes forms;  /* what the column smiles has, and behind a blank how much stereo was
                                  left open: of a racemate the one isomer that was docked is not all
                                  of it; empty: there is no such column */
    struct berth_bytes open;   /* bytes: 1 where some stereoisomers were not docked */
    size_t scored;             /* rows with a score */
};

/* Reads a table that is open, called path, or that of `results`.  by: what ranks, a column or an
 * expression over those of a row (score/ranking.h), the lower the better; NULL: see above.  The
 * caller clears *table.  Errors: BERTH_E_IO, BERTH_E_FORMAT (no such columns; no ligand with a
 * score), BERTH_E_USAGE (an expression that looks at all rows), BERTH_E_MEMORY. */
enum berth_status berth_score_table_take(struct berth_csv *csv, const char *path, const char *by,
                                         struct berth_score_table *table,
                                         struct berth_error *error);
enum berth_status berth_score_table_read(const char *results, const char *by,
                                         struct berth_score_table *table,
                                         struct berth_error *error);

/* Puts it into a request, as a field `result`. */
void berth_score_table_put(const struct berth_score_table *table, struct berth_bytes *request);

void berth_score_table_clear(struct berth_score_table *table);

#endif

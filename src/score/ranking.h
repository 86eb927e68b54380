/* A ranking: what poses or ligands are ordered by, as an expression of the language of scoring
 * functions (docs/scoring.md) over columns of numbers.  Lower is better.
 *
 * Beside the language's functions there are two that look at all rows, those whose argument is a
 * finite number:
 *     z(x)     how many standard deviations x is above the mean: (x - mean) / sqrt(mean of
 *              (x - mean)²); 0 where all are equal, or there is but one;
 *     rank(x)  1 for the lowest, 2 for the next ...; equal ones share the mean of their ranks.
 * What is made of a number that is not there is none, either, and comes last. */
#ifndef BERTH_SCORE_RANKING_H
#define BERTH_SCORE_RANKING_H

#include <stdbool.h>

#include "base/error.h"

struct berth_ranking; /* opaque */

/* Reads an expression over the columns that have these names [count]; NULL: any, of an expression
 * that is looked at and not worked out.  file: names the text in messages.  The caller destroys
 * *ranking.  Errors: BERTH_E_FORMAT (FILE:LINE:COLUMN: what is wrong), BERTH_E_USAGE (there is
 * none), BERTH_E_MEMORY. */
enum berth_status berth_ranking_create(const char *file, const char *text, const char *const *names,
                                       size_t count, struct berth_ranking **ranking,
                                       struct berth_error *error);

/* NULL is accepted. */
void berth_ranking_destroy(struct berth_ranking *ranking);

/* How many of the columns it looks at, and their numbers [that many], rising. */
size_t berth_ranking_columns(const struct berth_ranking *ranking, const size_t **columns);

/* True where the value of a row depends on that row alone. */
bool berth_ranking_is_plain(const struct berth_ranking *ranking);

/* Works out its values [rows], NAN where there is none.  cells: [rows][columns that it looks at],
 * NAN where there is no number.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_ranking_values(const struct berth_ranking *ranking, const double *cells,
                                       size_t rows, double *values, struct berth_error *error);

/* What a user names a ranking by: one that ships with berth (data/ranking), a file of their own, or
 * an expression. */

struct berth_ranking_texts {
    char *scoring;         /* owned; the functions that it needs, with commas between, the first of
                              which reports its energies; NULL: those that its expressions name */
    char *poses, *ligands; /* owned; expressions */
    char *confidence; /* owned; an expression, how probably a first pose is right; NULL: it does
                         not say */
    char *pool;       /* owned; those that search, with commas between; NULL: it does not say */
};

/* Reads what is named so.  A file, whose name ends with .rank, has lines "NAME = VALUE": scoring,
 * pool, poses, ligands and confidence, and comments behind '#'.  The caller clears *texts, also
 * after an error. Errors: BERTH_E_USAGE (no such ranking), BERTH_E_FORMAT, BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_ranking_find(const char *rank, struct berth_ranking_texts *texts,
                                     struct berth_error *error);

/* The names of those that ship, with commas between, as far as they fit. */
void berth_ranking_names(char *text, size_t size);

/* A zeroed one is accepted. */
void berth_ranking_texts_clear(struct berth_ranking_texts *texts);

#endif

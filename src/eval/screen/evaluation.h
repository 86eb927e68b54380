/* Whether a screen finds the actives that are known: `berth eval screen`. */
#ifndef BERTH_EVAL_SCREEN_EVALUATION_H
#define BERTH_EVAL_SCREEN_EVALUATION_H

#include "base/log.h"
#include "eval/screen/enrichment.h"

/* Results that may be compared; resamples by default, and at least. */
enum { BERTH_COMPARED_MAX = 6, BERTH_RESAMPLES = 2000, BERTH_RESAMPLES_LEAST = 200 };

/* How many are drawn of so many ligands where nobody says: fewer where there are very many. */
size_t berth_resamples(size_t ligands);

/* What to evaluate; everything is borrowed. */
struct berth_evaluation_settings {
    const char *results; /* a table of scores, or the folder of a screen */
    const char *compare; /* further ones, with commas between; NULL: none */
    const char *actives; /* names, or molecules (see berth_known_read) */
    const char *decoys;  /* NULL: all that are no actives */
    const char *ligands; /* molecules of all that was docked, for their mass; NULL: the library of
                            the screen or merge whose folder results is, if it is there */
    const char *column; /* what ranks: columns of results, or expressions over those of a row, to be
                           compared, with commas between; NULL: see berth_scores_ranking_column */
    bool states;        /* names say what is a state: see berth_ligand_cut_states */
    size_t resamples;   /* 0: see berth_resamples */
    uint64_t seed;
    const char *out;     /* folder of the tables and plots, made where it is missing; NULL: none */
    const char *summary; /* file of the summary ("-": standard output); NULL: none */
};

/* Reads all, measures, prints the summary, and writes it with tables and plots to settings->out.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_USAGE (no active was docked, or nothing else; one is
 * a decoy, too; too many results), BERTH_E_MEMORY. */
enum berth_status berth_evaluation_run(const struct berth_evaluation_settings *settings,
                                       const struct berth_log *log, struct berth_error *error);

#endif

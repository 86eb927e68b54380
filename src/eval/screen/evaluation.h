/* Whether a screen finds the actives that are known: `berth eval screen`, and what the report says
 * of it.  C reads what Python (tools/eval) measures. */
#ifndef BERTH_EVAL_SCREEN_EVALUATION_H
#define BERTH_EVAL_SCREEN_EVALUATION_H

#include "eval/screen/ligands.h"

/* What to evaluate; everything is borrowed. */
struct berth_evaluation_settings {
    const char *results; /* a table of scores, or the folder of a screen */
    const char *compare; /* further ones, with commas between; NULL: none */
    const char *actives; /* names, or molecules (see berth_known_read) */
    const char *decoys;  /* NULL: all that are no actives */
    const char *ligands; /* molecules of all that was docked, for their mass; NULL: the library of
                            the screen or merge whose folder results is, if it is there */
    const char *column; /* what ranks: columns of results, or expressions over those of a row, to be
                           compared, with commas between; NULL: see BERTH_SCORES_RANK */
    bool states;        /* names say what is a state: NAME_1, NAME_2 ... */
    size_t resamples;   /* 0: 2000, of very many ligands fewer */
    uint64_t seed;
    const char *out; /* folder of the tables and plots, made where it is missing; NULL: none */
};

/* Reads all, measures, prints the summary, and writes it with tables and plots to settings->out.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_USAGE (no active was docked, or nothing else; one is
 * a decoy, too; too many results), BERTH_E_MEMORY. */
enum berth_status berth_evaluation_run(const struct berth_evaluation_settings *settings,
                                       const struct berth_log *log, struct berth_error *error);

/* What a report says of these actives in an open table, called path: makes a JSON object, which
 * data/page/page.js draws and the caller frees; NULL where none, or all, of the ligands are
 * actives, which the log is told of.  Errors: those of reading; BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_evaluation_json(struct berth_csv *csv, const char *path,
                                        const struct berth_known_setup *actives, bool states,
                                        char **json, struct berth_error *error);

#endif

/* Rankings fitted to what is known of a target: `berth eval fit`.  docs/evaluation.md says how.  C
 * reads what is known, and works out terms of each row; Python (tools/eval/fit.py) fits. */
#ifndef BERTH_EVAL_FIT_FIT_H
#define BERTH_EVAL_FIT_FIT_H

#include "base/log.h"

/* What to fit to, and what; everything is borrowed.  Of poses and ligands one may be missing. */
struct berth_fit_settings {
    const char *redock; /* folders of berth_redock_run's results, with commas between; NULL: none */
    const char *results; /* a table of scores, or the folder of a screen; NULL: none */
    const char *actives; /* names, or molecules (see berth_known_read) */
    const char *decoys;  /* NULL: all that are no actives */
    bool states;         /* names say what is a state: NAME_1, NAME_2 ... */
    const char *pose_terms, *ligand_terms; /* expressions with commas between; NULL: see docs */
    const char *against; /* the ranking that is to be bettered; NULL: those of the defaults */
    size_t resamples;    /* 0: 2000, of very many ligands fewer */
    uint64_t seed;
    const char *out; /* folder of the tables and fitted.rank, made where it is missing */
};

/* Fits, prints the summary, and writes it with tables and the ranking to settings->out; *shown:
 * whether something ranks better than before by more than chance; if not there is no fitted.rank.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_USAGE (too few complexes, actives or decoys; terms),
 * BERTH_E_MEMORY. */
enum berth_status berth_fit_run(const struct berth_fit_settings *settings,
                                const struct berth_log *log, bool *shown,
                                struct berth_error *error);

#endif

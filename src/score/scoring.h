/* Choosing a scoring function: a forcefield, and how its types score. */
#ifndef BERTH_SCORE_SCORING_H
#define BERTH_SCORE_SCORING_H

#include "score/forcefield.h"

struct berth_scoring_choice {
    const char *path;    /* borrowed: a BUDE parameter file; NULL: built in */
    const char *scoring; /* borrowed: "bude" or "plp" */
};

/* The built-in forcefield, and its own scoring. */
struct berth_scoring_choice berth_scoring_defaults(void);

/* Reads the forcefield, and has it score as chosen; log receives its remarks, each once.  The
 * caller clears *forcefield.  Errors: those of berth_bhff_read; BERTH_E_USAGE (no such scoring). */
enum berth_status berth_scoring_read(const struct berth_scoring_choice *choice,
                                     const struct berth_log *log,
                                     struct berth_forcefield *forcefield,
                                     struct berth_error *error);

/* The unit of its energies: "kJ/mol" or "PLP". */
const char *berth_scoring_unit(const struct berth_scoring_choice *choice);

#endif

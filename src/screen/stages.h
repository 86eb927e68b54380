/* A screen in stages: each docks the best ligands of the one before, by their ranks, as a screen of
 * its own in a folder inside the whole's; in the end their tables become one. */
#ifndef BERTH_SCREEN_STAGES_H
#define BERTH_SCREEN_STAGES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { BERTH_STAGES_MAX = 8, BERTH_STAGE_WORDS = 64 };

struct berth_stage {
    double amount;                  /* ligands of the stage before, the best; 0: all there are */
    bool percent;                   /* the amount is a share of these */
    const char *level;              /* of the search */
    char *words[BERTH_STAGE_WORDS]; /* "--search", the level, and what else the stage is run with */
    int word_count;
};

/* A plan; zeroed it is empty. */
struct berth_stages {
    const char *plan; /* borrowed; as it was read */
    char *text;       /* owned; what the stages' words point into */
    struct berth_stage stages[BERTH_STAGES_MAX];
    size_t count;
};

/* Reads "fast, 5 % balanced, 1000 thorough --rescore net.model": what is in single quotes may hold
 * blanks and commas.  The caller clears *stages either way.  Errors: BERTH_E_USAGE,
 * BERTH_E_MEMORY. */
enum berth_status berth_stages_parse(const char *text, struct berth_stages *stages,
                                     struct berth_error *error);

void berth_stages_clear(struct berth_stages *stages);

/* OUT/2-balanced, of stage 1 (from 0).  Errors: BERTH_E_USAGE (too long). */
enum berth_status berth_stage_folder(const struct berth_stages *stages, size_t number,
                                     const char *out, char path[PATH_MAX],
                                     struct berth_error *error);

/* Makes the library of a stage from the best of the one before, which is whole, in the stage's
 * folder, where it is not there; library: that one's, becomes the new one.  forcefield: see
 * berth_bhff_read.  Errors: BERTH_E_USAGE (nothing to dock; it is there, of another plan),
 * BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_stage_choose(const struct berth_stages *stages, size_t number,
                                     const char *out, const char *forcefield,
                                     char library[PATH_MAX], struct berth_error *error);

/* Once all are done: writes scores.csv, hits.sdf, failures.csv and run.json of the whole.  A ligand
 * has the row of the last stage that docked it, with its place in the first one's library; those of
 * later stages come first.  Errors: BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_stages_join(const struct berth_stages *stages, const char *out,
                                    struct berth_error *error);

#endif

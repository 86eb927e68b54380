/* The receptors of a command. */
#ifndef BERTH_CLI_RECEPTORS_H
#define BERTH_CLI_RECEPTORS_H

#include "berth.h"

enum { CLI_RECEPTORS_MAX = 32 };

/* Zeroed to begin with. */
struct cli_receptors {
    berth_receptor *handles[CLI_RECEPTORS_MAX]; /* owned; [count] */
    const char *paths[CLI_RECEPTORS_MAX];       /* borrowed of `text`; [path_count] */
    size_t count, path_count;
    char *text, *scoring; /* owned; scoring: the functions that a ranking needs; NULL: as named */
};

/* Splits what --receptor says into paths: one file, or several with commas between.  (One that
 * exists is one, with all commas in its name.)  The caller clears *receptors.  Errors:
 * BERTH_E_USAGE (too many, an empty one), BERTH_E_MEMORY. */
enum berth_status cli_receptors_split(const char *text, struct cli_receptors *receptors,
                                      struct berth_error *error);

/* Loads them all; the box is the first one's.  Errors: those of berth_receptor_load. */
enum berth_status cli_receptors_load(const struct berth_receptor_options *options,
                                     struct cli_receptors *receptors, struct berth_error *error);

/* Those behind the first, as dockings and screens take them. */
const berth_receptor *const *cli_receptors_more(const struct cli_receptors *receptors);

/* The functions that a ranking needs take the place of options->scoring, unless `named` says that
 * the user named some.  rank: NULL, or as --rank has it.  Errors: those of berth_ranking_find. */
enum berth_status cli_receptors_rank(const char *rank, bool named, struct cli_receptors *receptors,
                                     struct berth_receptor_options *options,
                                     struct berth_error *error);

void cli_receptors_clear(struct cli_receptors *receptors);

#endif

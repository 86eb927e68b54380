/* Warnings that are gathered, so that one that comes for each of many molecules is printed once,
 * with how often it came. */
#ifndef BERTH_CLI_WARNINGS_H
#define BERTH_CLI_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/log.h"
#include "score/flexible.h"

struct cli_warning; /* opaque */

/* Zeroed, it has none.  For one thread at a time. */
struct cli_warnings {
    struct cli_warning *rows; /* owned; [count] */
    size_t count, capacity;
};

/* A log that gathers in *warnings, borrowed as long as the log is used. */
struct berth_log cli_warnings_log(struct cli_warnings *warnings);

/* Warns that not all of a ligand's torsions turn. */
void cli_warn_torsions(const struct berth_log *log, const char *ligand,
                       const struct berth_flexible *flexible);

/* Prints what was gathered to stderr, in the order in which each came first, and forgets it. */
void cli_warnings_print(struct cli_warnings *warnings);

#endif

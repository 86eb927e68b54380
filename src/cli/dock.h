/* What the files of `berth dock` share. */
#ifndef BERTH_CLI_DOCK_H
#define BERTH_CLI_DOCK_H

#include "cli/common.h"
#include "options/tables.h"

/* Whether a protein is to be docked, or one of its options is given. */
bool dock_is_protein(const struct berth_dock_request *values, const struct berth_parsed *parsed);

/* `berth dock --protein`; gives the exit code. */
int dock_protein(struct berth_dock_request *values, const struct berth_parsed *parsed);

#endif

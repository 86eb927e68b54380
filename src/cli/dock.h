/* What the files of `berth dock` share. */
#ifndef BERTH_CLI_DOCK_H
#define BERTH_CLI_DOCK_H

#include "cli/common.h"

/* Whether a protein is to be docked, or one of its options is given. */
bool dock_is_protein(const struct berth_options *options);

/* `berth dock --protein`; gives the exit code. */
int dock_protein(struct berth_options *options);

#endif

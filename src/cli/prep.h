/* What the files of `berth prep` share. */
#ifndef BERTH_CLI_PREP_H
#define BERTH_CLI_PREP_H

#include "cli/common.h"

/* The commands behind `berth prep` (see struct cli_command). */
int cmd_prep_ligands(int argc, char **argv);
int cmd_prep_receptor(int argc, char **argv);

#endif

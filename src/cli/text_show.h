/* Rows of `berth show` as a table on standard output. */
#ifndef BERTH_CLI_TEXT_SHOW_H
#define BERTH_CLI_TEXT_SHOW_H

#include "report/show.h"

/* Prints what was read, with a bar for the energy and, where there is room, how the energies of all
 * rows are distributed. */
void cli_print_shown(const struct berth_shown *shown);

#endif

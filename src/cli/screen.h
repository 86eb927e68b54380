/* A screen as a command runs it, for commands that are made of several. */
#ifndef BERTH_CLI_SCREEN_H
#define BERTH_CLI_SCREEN_H

#include "options/options.h"

/* Runs the screen, or a campaign's round, and says how it goes; the exit code. */
int cli_screen(struct berth_options *options);

/* What is made of a folder that several screens have filled: says which ligand is the best, and
 * adds the database and the report, where they are asked for.  command: for the database. */
enum berth_status cli_screens_end(const struct berth_options *asked, const char *command,
                                  struct berth_error *error);

#endif

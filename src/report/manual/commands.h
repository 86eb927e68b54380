/* The tree of a program's commands, and what is printed of all of it. */
#ifndef BERTH_REPORT_MANUAL_COMMANDS_H
#define BERTH_REPORT_MANUAL_COMMANDS_H

#include <stdio.h>

#include "base/options.h"

/* A command: its name, what it is for, and its function (argc and argv behind the command's name;
 * returns an exit code; called with one argument that berth_manual_write knows it prints that to
 * standard output, and does nothing else), or, of a group, its commands. */
struct berth_command {
    const char *name, *purpose;
    int (*run)(int argc, char **argv);
    const struct berth_command *commands; /* ended by a zeroed one; NULL: no group */
};

/* Prints how to use the commands of a group ("lib"; empty: all), and what each is for. */
void berth_commands_print(const char *group, const struct berth_command *commands, FILE *file);

/* Prints the names of a group's commands (empty: all), groups too, a line each. */
void berth_commands_print_names(const char *group, const struct berth_command *commands,
                                FILE *file);

/* Prints the manual page of the command of these words ("prep", "ligands"; none: of the program),
 * for man where troff is true, else as plain text.  file is standard output, where the command's
 * function prints.  Errors: BERTH_E_USAGE. */
enum berth_status berth_commands_print_page(const struct berth_command *commands,
                                            const struct berth_arguments *words, bool troff,
                                            FILE *file, struct berth_error *error);

/* Prints what the shell is to know of all commands; file as above.  Errors: BERTH_E_USAGE: no such
 * shell. */
enum berth_status berth_commands_print_completion(const struct berth_command *commands,
                                                  const char *shell, FILE *file,
                                                  struct berth_error *error);

#endif

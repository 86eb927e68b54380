/* The tree of a program's commands, and what a command's table of options is printed as: help, a
 * manual page, completions of shells.
 *
 * A manual page is its head, the rows of a group or what berth_manual_write prints of a command,
 * and its foot.  Completions are their head, a row for each command of each group, what
 * berth_manual_write prints of each command, and their foot. */
#ifndef BERTH_REPORT_MANUAL_MANUAL_H
#define BERTH_REPORT_MANUAL_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/options.h"

/* A command, all borrowed. */
struct berth_manual_command {
    const char *name;                 /* "prep ligands" */
    const char *synopsis, *text;      /* how it is called, what it does; both may have lines */
    const struct berth_option *table; /* see base/options.h */
    const void *defaults;             /* the struct of values that the table is about */
};

/* Prints the command as asked for: "-h" or "--help": for people, of a command with many options
 * those used most; "--help_all": with all options; "--help=manual": for man (the page's middle);
 * "--help=bash", "--help=zsh", "--help=fish": what the shell is to know of it. False, and nothing
 * printed, for anything else. */
bool berth_manual_write(const char *how, const struct berth_manual_command *command, FILE *file);

/* A command: its name, what it is for, and its function (argc and argv behind the command's name;
 * returns an exit code; called with one argument that berth_manual_write knows it prints that to
 * standard output, and does nothing else), or, of a group, its commands. */
struct berth_command {
    const char *name, *purpose;
    int (*run)(int argc, char **argv);
    const struct berth_command *commands; /* ended by a zeroed one; NULL: no group */
    const char *heading;                  /* printed above it in a list; NULL: none */
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

/* --- Its parts: manpage.c and completion.c --- */

/* The ways to do so beside that for people. */
void berth_manpage_write(const struct berth_manual_command *command, FILE *file);
void berth_bash_write(const struct berth_manual_command *command, FILE *file);
void berth_zsh_write(const struct berth_manual_command *command, FILE *file);
void berth_fish_write(const struct berth_manual_command *command, FILE *file);

/* A page's beginning.  name: "prep ligands", or empty, for the program's own page. */
void berth_manpage_head(FILE *file, const char *name, const char *purpose);

/* One of the commands of a page about several. */
void berth_manpage_row(FILE *file, const char *name, const char *purpose);

/* Prints the first of a command's examples, for people, with a blank line after it; nothing if
 * there is none. */
void berth_manpage_example(FILE *file, const char *name);

/* A page's end: examples, files, exit status, environment, other pages; plain: for people, as "-h"
 * is, not for man. */
void berth_manpage_foot(FILE *file, const char *name, bool plain);

/* True for "bash", "zsh" and "fish", whose completions the functions below print. */
bool berth_completion_knows(const char *shell);
void berth_completion_head(FILE *file, const char *shell);

/* A command of the group ("prep"; empty: of the program). */
void berth_completion_row(FILE *file, const char *shell, const char *group, const char *name,
                          const char *purpose);
void berth_completion_foot(FILE *file, const char *shell);

#endif

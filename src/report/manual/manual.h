/* What a command's table of options is printed as: help, a manual page, completions of shells.
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

/* Prints the command as asked for: "-h" or "--help": for people; "--help=manual": for man (the
 * page's middle); "--help=bash", "--help=zsh", "--help=fish": what the shell is to know of it.
 * False, and nothing printed, for anything else. */
bool berth_manual_write(const char *how, const struct berth_manual_command *command, FILE *file);

/* The ways to do so beside that for people. */
void berth_manpage_write(const struct berth_manual_command *command, FILE *file);
void berth_bash_write(const struct berth_manual_command *command, FILE *file);
void berth_zsh_write(const struct berth_manual_command *command, FILE *file);
void berth_fish_write(const struct berth_manual_command *command, FILE *file);

/* A page's beginning.  name: "prep ligands", or empty, for the program's own page. */
void berth_manpage_head(FILE *file, const char *name, const char *purpose);

/* One of the commands of a page about several. */
void berth_manpage_row(FILE *file, const char *name, const char *purpose);

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

/* Ways to print a command (see berth_manual_write), and what a manual page says beside the table of
 * options. */
#ifndef BERTH_REPORT_MANUAL_WRITERS_H
#define BERTH_REPORT_MANUAL_WRITERS_H

#include "report/manual/manual.h"

void berth_manpage_write(const struct berth_manual_command *command, FILE *file);
void berth_bash_write(const struct berth_manual_command *command, FILE *file);
void berth_zsh_write(const struct berth_manual_command *command, FILE *file);
void berth_fish_write(const struct berth_manual_command *command, FILE *file);

/* Constant texts; rows are lines "NAME\tTEXT". */
struct berth_sections {
    const char *examples;       /* lines as they are typed; NULL: none */
    const char *files;          /* rows, or NULL */
    const char *exit_status;    /* rows */
    const char *environment[2]; /* rows; the first is NULL only where both are */
    const char *related;        /* names of commands, with commas between; "" is berth itself */
};

/* The sections for a command ("prep ligands"), or for berth itself (""). */
struct berth_sections berth_sections_of(const char *name);

#endif

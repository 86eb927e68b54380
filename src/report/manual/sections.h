/* What a manual page says beside the table of options. */
#ifndef BERTH_REPORT_MANUAL_SECTIONS_H
#define BERTH_REPORT_MANUAL_SECTIONS_H

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

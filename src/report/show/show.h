/* The hits of a screen as a table on the terminal, or as a file: `berth show`. */
#ifndef BERTH_REPORT_SHOW_SHOW_H
#define BERTH_REPORT_SHOW_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* What to show; everything is borrowed. */
struct berth_show_settings {
    const char *results; /* a table, or a folder: see berth_scores_find */
    const char *library; /* that was docked: where filter, sort or columns speak of torsions; NULL:
                            the one that the journal of a screen names */
    const char *filter;  /* see report/show/filter.h; NULL: none */
    const char *sort;    /* column to sort by; NULL: the one that ranks, else the first */
    const char
        *columns; /* names with commas between; NULL: those that matter most, of a file all */
    bool descending;
    bool poses;  /* all of a ligand's, and not its best one alone */
    size_t top;  /* rows at most; 0: all */
    bool sorted; /* false: rows in the order of the table, one by one, in constant memory */
};

/* Writes rows to path, as CSV or, where it ends with .json or .json.gz, as JSON; "-": CSV to
 * standard output.  Errors: BERTH_E_USAGE (no such column; an ending that is neither), BERTH_E_IO,
 * BERTH_E_FORMAT (table or filter), BERTH_E_MEMORY. */
enum berth_status berth_show_write(const struct berth_show_settings *settings, const char *path,
                                   struct berth_error *error);

/* A terminal. */
struct berth_screen_shape {
    size_t width; /* characters */
    bool blocks;  /* bars of Unicode's blocks; else of '#' */
};

/* What the file is shown on: COLUMNS says how wide where that is set, as tests do. */
struct berth_screen_shape berth_screen_shape_of(FILE *file);

/* Prints the first rows as a table, with a bar for the energy and, where there is room, how the
 * energies of all rows are distributed.  Errors: as berth_show_write. */
enum berth_status berth_show_print(const struct berth_show_settings *settings, FILE *file,
                                   const struct berth_screen_shape *shape,
                                   struct berth_error *error);

#endif

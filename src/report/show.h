/* The hits of a screen, chosen for a terminal or written to a file: `berth show`. */
#ifndef BERTH_REPORT_SHOW_H
#define BERTH_REPORT_SHOW_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/csv.h"
#include "report/show_rows.h"

/* What to show; everything is borrowed. */
struct berth_show_settings {
    const char *results; /* a table, or a folder: see berth_scores_find */
    const char *library; /* that was docked: where filter, sort or columns speak of torsions; NULL:
                            the one that the journal of a screen names */
    const char *filter;  /* see report/show_rows.h; NULL: none */
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

/* Torsions of the ligands that were docked: not in tables of scores, but in the library. */
struct berth_docked_torsions {
    char library[PATH_MAX];
    struct {
        uint32_t name; /* hash of it */
        uint32_t count;
    } * ligands;                   /* owned; [count], by ordinal */
    size_t count, ordinal, ligand; /* how many; columns of the table */
};

/* A table that is being shown. */
struct berth_shown {
    const struct berth_show_settings *settings; /* borrowed */
    char path[PATH_MAX];
    struct berth_csv *csv;
    bool has_torsions; /* that were asked for, and which the table does not have: */
    struct berth_docked_torsions torsions;
    struct berth_row_filter filter;
    size_t *columns, column_count; /* owned: those to be shown */
    size_t mode;                   /* column; SIZE_MAX: there is none */
    size_t bar;                    /* column of the bars; SIZE_MAX: there is none */
    size_t read, passed;           /* rows */
    struct berth_kept_rows rows;
    struct berth_sample *sample; /* owned; of the bars' column; NULL: not wanted */
};

/* Reads the first rows of a table.  The caller clears *shown either way.  Errors: as
 * berth_show_write. */
enum berth_status berth_shown_read(const struct berth_show_settings *settings,
                                   struct berth_shown *shown, struct berth_error *error);

void berth_shown_clear(struct berth_shown *shown);

#endif

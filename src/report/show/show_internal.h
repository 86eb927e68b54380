/* What the files of `berth show` share: show.c reads the table and writes files, terminal.c prints.
 */
#ifndef BERTH_REPORT_SHOW_SHOW_INTERNAL_H
#define BERTH_REPORT_SHOW_SHOW_INTERNAL_H

#include <limits.h>

#include "report/show/filter.h"
#include "report/show/rows.h"
#include "report/show/sample.h"
#include "report/show/show.h"
#include "report/show/torsions.h"

/* A table that is being shown. */
struct shown {
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

/* Prints what was kept. */
void show_print_table(const struct shown *shown, FILE *file,
                      const struct berth_screen_shape *shape);

#endif

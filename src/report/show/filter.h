/* A condition on the columns of a table, "energy < -9 and heavy_atoms <= 30": an expression of the
 * language of scoring functions (docs/scoring.md), whose names are the columns. */
#ifndef BERTH_REPORT_SHOW_FILTER_H
#define BERTH_REPORT_SHOW_FILTER_H

#include "format/csv.h"
#include "score/language/expression.h"

struct berth_row_filter {
    struct berth_graph graph; /* no nodes: every row passes */
    int node;                 /* the condition */
    size_t *columns, count;   /* owned; [count]: of the graph's symbols */
    double *symbols, *values; /* owned; [count], [node + 1]: room to work in */
};

/* Reads the condition over the columns of csv; text NULL: every row passes.  The caller clears
 * *filter.  Errors: BERTH_E_USAGE (no condition), BERTH_E_FORMAT (with the place in
 * the text), BERTH_E_MEMORY. */
enum berth_status berth_row_filter_create(const char *text, const struct berth_csv *csv,
                                          struct berth_row_filter *filter,
                                          struct berth_error *error);

/* Whether the row that was read last meets it, to *passes.  An empty cell meets no comparison but
 * !=.  Errors: BERTH_E_FORMAT (a cell that is compared holds text), with its line and column. */
enum berth_status berth_row_filter_apply(struct berth_row_filter *filter,
                                         const struct berth_csv *csv, bool *passes,
                                         struct berth_error *error);

void berth_row_filter_clear(struct berth_row_filter *filter);

#endif

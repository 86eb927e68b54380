/* The first rows of a table by a column, however long the table is: memory is that of what is kept.
 */
#ifndef BERTH_REPORT_SHOW_ROWS_H
#define BERTH_REPORT_SHOW_ROWS_H

#include "format/csv.h"

struct berth_kept_row {
    double key;          /* the column's number; NAN: it is none, and goes behind all numbers */
    size_t number;       /* of the row: ties stay in their order */
    char *text, **cells; /* owned: the row's fields, as they stand in the file */
};

/* The caller sets what is to be kept. */
struct berth_kept_rows {
    size_t column;
    bool descending;
    size_t most;                 /* rows; 0: all */
    struct berth_kept_row *rows; /* owned; [count]: a heap, the last one on top, until they are
                                    sorted */
    size_t count, capacity, seen;
};

/* Offers the row that was read last.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_kept_rows_offer(struct berth_kept_rows *rows, const struct berth_csv *csv,
                                        struct berth_error *error);

/* Sorts what was kept, the first one first.  Nothing may be offered any more. */
void berth_kept_rows_sort(struct berth_kept_rows *rows);

void berth_kept_rows_clear(struct berth_kept_rows *rows);

#endif

/* libFuzzer: conditions on rows, and orders of them: a line with the condition, and a table. */
#include <math.h>

#include "report/show.h"
#include "fuzz.h"

static void read_rows(struct berth_csv *csv, struct berth_row_filter *filter)
{
    struct berth_error error;
    struct berth_kept_rows rows = {.column = berth_csv_columns(csv) - 1, .most = 3};
    enum berth_status status;
    bool end = false, passes;
    rows.descending = berth_csv_columns(csv) % 2;
    while (!(status = berth_csv_next(csv, &end, &error)) && !end) {
        status = berth_row_filter_apply(filter, csv, &passes, &error);
        demand(!status || (status == BERTH_E_FORMAT && *error.message));
        if (!status && passes) {
            demand(berth_row_filter_may(filter, csv, 0, 1));
            demand(!berth_kept_rows_offer(&rows, csv, &error));
        }
    }
    demand(!status || status == BERTH_E_FORMAT);
    berth_kept_rows_sort(&rows);
    berth_kept_rows_cut(&rows, rows.most);
    demand(rows.count <= rows.most);
    for (size_t i = 1; i < rows.count; i++) {
        const struct berth_kept_row *a = &rows.rows[i - 1], *b = &rows.rows[i];
        demand(isnan(b->key) || (rows.descending ? a->key >= b->key : a->key <= b->key));
        demand(a->key != b->key || a->number < b->number);
    }
    berth_kept_rows_clear(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t rest;
    char *line = fuzz_line(bytes, size, &rest);
    struct berth_csv *csv;
    struct berth_row_filter filter = {0};
    struct berth_error error;
    if (!berth_csv_open_memory("fuzz", bytes + rest, size - rest, BERTH_CSV_FOUND, &csv, &error)) {
        const enum berth_status status = berth_row_filter_create(line, csv, &filter, &error);
        demand(!status ||
               ((status == BERTH_E_FORMAT || status == BERTH_E_USAGE) && *error.message));
        if (!status) {
            read_rows(csv, &filter);
        }
        berth_row_filter_clear(&filter);
    }
    berth_csv_close(csv);
    free(line);
    return 0;
}

#include "report/show/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Whether a row comes behind another one.  Numbers first, then texts by their letters, then empty
 * cells. */
static bool is_behind(const struct berth_kept_rows *rows, const struct berth_kept_row *a,
                      const struct berth_kept_row *b)
{
    if (isnan(a->key) != isnan(b->key)) {
        return isnan(a->key);
    }
    int order = (a->key > b->key) - (a->key < b->key);
    if (isnan(a->key)) {
        const char *one = a->cells[rows->column], *other = b->cells[rows->column];
        if (!*one != !*other) {
            return !*one;
        }
        order = strcmp(one, other);
    }
    if (order == 0) {
        return a->number > b->number;
    }
    return rows->descending ? order < 0 : order > 0;
}

static void swap(struct berth_kept_row *a, struct berth_kept_row *b)
{
    const struct berth_kept_row kept = *a;
    *a = *b;
    *b = kept;
}

/* Lets the row at the top of the heap's first `count` sink to its place. */
static void sink(struct berth_kept_rows *rows, size_t count)
{
    for (size_t at = 0;;) {
        size_t last = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (is_behind(rows, &rows->rows[child], &rows->rows[last])) {
                last = child;
            }
        }
        if (last == at) {
            return;
        }
        swap(&rows->rows[at], &rows->rows[last]);
        at = last;
    }
}

static void rise(struct berth_kept_rows *rows, size_t at)
{
    while (at && is_behind(rows, &rows->rows[at], &rows->rows[(at - 1) / 2])) {
        swap(&rows->rows[at], &rows->rows[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static void clear_row(struct berth_kept_row *row)
{
    free(row->text);
    free(row->cells);
}

static bool copy_row(const struct berth_csv *csv, struct berth_kept_row *row)
{
    const size_t columns = berth_csv_columns(csv);
    size_t size = 0;
    for (size_t i = 0; i < columns; i++) {
        size += strlen(berth_csv_field(csv, i)) + 1;
    }
    row->text = berth_alloc(size, 1);
    row->cells = berth_alloc(columns, sizeof *row->cells);
    if (!row->text || !row->cells) {
        clear_row(row);
        return false;
    }
    char *at = row->text;
    for (size_t i = 0; i < columns; i++) {
        const size_t length = strlen(berth_csv_field(csv, i)) + 1;
        row->cells[i] = memcpy(at, berth_csv_field(csv, i), length);
        at += length;
    }
    return true;
}

/* Whether a row with this key cannot come in among rows that are full: told without a copy. */
static bool is_too_late(const struct berth_kept_rows *rows, double key)
{
    const double last = rows->count ? rows->rows[0].key : NAN;
    return rows->most && rows->count == rows->most && !isnan(last) &&
           (isnan(key) || (rows->descending ? key <= last : key >= last));
}

enum berth_status berth_kept_rows_offer(struct berth_kept_rows *rows, const struct berth_csv *csv,
                                        struct berth_error *error)
{
    struct berth_kept_row row = {.key = NAN, .number = rows->seen++};
    if (!berth_csv_real(csv, rows->column, &row.key)) {
        row.key = NAN;
    }
    if (is_too_late(rows, row.key)) {
        return BERTH_OK;
    }
    const enum berth_status status =
        berth_reserve(&rows->rows, &rows->capacity, rows->count + 1, sizeof *rows->rows, error);
    if (status || !copy_row(csv, &row)) {
        return status ? status : berth_out_of_memory(error, NULL);
    }
    if (!rows->most || rows->count < rows->most) {
        rows->rows[rows->count] = row;
        rise(rows, rows->count++);
    } else if (is_behind(rows, &rows->rows[0], &row)) {
        clear_row(&rows->rows[0]);
        rows->rows[0] = row;
        sink(rows, rows->count);
    } else {
        clear_row(&row);
    }
    return BERTH_OK;
}

void berth_kept_rows_sort(struct berth_kept_rows *rows)
{
    for (size_t left = rows->count; left > 1; left--) {
        swap(&rows->rows[0], &rows->rows[left - 1]);
        sink(rows, left - 1);
    }
}

void berth_kept_rows_clear(struct berth_kept_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        clear_row(&rows->rows[i]);
    }
    free(rows->rows);
    rows->rows = NULL;
    rows->count = rows->capacity = 0;
}

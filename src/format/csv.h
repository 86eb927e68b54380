/* Reads tables in CSV (RFC 4180), such as those that berth writes, row by row: a line of column
 * names, then rows of as many fields.  Plain or gzip-compressed alike; lines end with LF or CRLF;
 * blank lines are passed over; memory is bounded by one row. */
#ifndef BERTH_FORMAT_CSV_H
#define BERTH_FORMAT_CSV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { BERTH_CSV_ROW_MAX = 1 << 24 /* bytes */ };

/* For a separator: that of the first line, a tab, or else a semicolon or a comma, whichever there
 * are more of. */
enum { BERTH_CSV_FOUND = 0 };

struct berth_csv; /* opaque: one per file */

/* Opens path ("-" is standard input), whose fields have the separator (a comma, a tab) between
 * them, and reads the names of the columns.  The caller closes *csv.  Errors: BERTH_E_IO,
 * BERTH_E_FORMAT (with file and line), BERTH_E_MEMORY. */
enum berth_status berth_csv_open(const char *path, char separator, struct berth_csv **csv,
                                 struct berth_error *error);

/* The same; from the first byte on reading ends, with BERTH_E_IO, soon after *stop (borrowed, or
 * NULL) has become true. */
enum berth_status berth_csv_open_until(const char *path, char separator, const atomic_bool *stop,
                                       struct berth_csv **csv, struct berth_error *error);

/* The same as berth_csv_open over size bytes of memory, borrowed until csv is closed; name stands
 * in for the path in messages. */
enum berth_status berth_csv_open_memory(const char *name, const void *bytes, size_t size,
                                        char separator, struct berth_csv **csv,
                                        struct berth_error *error);

size_t berth_csv_columns(const struct berth_csv *csv);

/* The name of a column, borrowed from csv. */
const char *berth_csv_column(const struct berth_csv *csv, size_t column);

/* The first column of this name; SIZE_MAX where there is none. */
size_t berth_csv_find(const struct berth_csv *csv, const char *name);

/* Reads the next row; *end where there is none.  Errors, after which nothing can be read: as
 * berth_csv_open; BERTH_E_FORMAT for a row of more or fewer fields than there are columns. */
enum berth_status berth_csv_next(struct berth_csv *csv, bool *end, struct berth_error *error);

/* Reads the next row, of however many fields; *fields is 0 where there is none. */
enum berth_status berth_csv_next_row(struct berth_csv *csv, size_t *fields,
                                     struct berth_error *error);

/* A field of the row, as it stands there without its quotes; borrowed until the next row. */
const char *berth_csv_field(const struct berth_csv *csv, size_t column);

/* The field as a finite number; false where it is none. */
bool berth_csv_real(const struct berth_csv *csv, size_t column, double *value);

/* The line that the row begins on, from 1. */
size_t berth_csv_line(const struct berth_csv *csv);

/* A copy of a field that berth_output_csv wrote, as it was given to that: without the apostrophe in
 * front of formulas, escapes undone.  The caller frees it.  NULL when out of memory. */
char *berth_csv_unescape(const char *field);

/* The same of a field of the row. */
char *berth_csv_text(const struct berth_csv *csv, size_t column);

/* Bytes of the file that were made use of so far; 0 over memory. */
uint64_t berth_csv_offset(const struct berth_csv *csv);

/* NULL is accepted. */
void berth_csv_close(struct berth_csv *csv);

#endif

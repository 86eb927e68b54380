/* Tables of scores as SQL has them: a file's, row by row as SQLite asks for them, or those of a
 * run's database.  Both have the columns of scores.csv (docs/results.md). */
#ifndef BERTH_REPORT_STORE_TABLE_H
#define BERTH_REPORT_STORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/store/sqlite.h"

/* A column, and what stands for it in SQL. */
struct berth_table_column {
    char *name;  /* owned; as scores.csv would have it */
    char *value; /* owned; a number where a cell is wholly one, else a text; NULL: it is empty */
    char *cell;  /* owned; the text that scores.csv would have */
};

/* A table; a zeroed one has no columns. */
struct berth_table {
    struct berth_sqlite *sqlite;        /* borrowed */
    const char *name;                   /* borrowed; what statements call it */
    struct berth_table_column *columns; /* owned; [count] */
    size_t count, capacity;
    const char *order; /* SQL, of constants: what its rows are in order of */
    const char *line;  /* likewise: where a row begins in its file; "NULL": it has none */
    char *hidden;      /* owned; what `SELECT *` leaves out, with commas in front; NULL: nothing */
};

/* The first column of this name; SIZE_MAX where there is none. */
size_t berth_table_find(const struct berth_table *table, const char *name);

/* Adds a column.  value and cell become the table's, also after an error; NULL is out of memory.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_table_add(struct berth_table *table, const char *name, char *value,
                                  char *cell, struct berth_error *error);

/* What statements may call a further column of this name, in quotes: SQL knows no capitals, and
 * where it would take it for one that is there the column's number tells them apart.  The caller
 * frees it; NULL: out of memory. */
char *berth_table_value(const struct berth_table *table, const char *name);

void berth_table_clear(struct berth_table *table);

/* The function cell(value, decimals), which statements about tables may call: a value as scores.csv
 * has it. */
enum berth_status berth_table_cell(void *context, const struct berth_sql_call *call,
                                   struct berth_error *error);

/* The name in quotes, as SQL has it, which the caller frees; NULL: out of memory. */
char *berth_sql_name(const char *name);

/* Text (printf style) that the caller frees; NULL: out of memory. */
char *berth_sql_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Makes a table of this name, a constant, of a file (path, "-": standard input, which can be read
 * once).  strict: a text in a column that is known to have numbers ends the statement.  The caller
 * clears *table either way, before sqlite is closed.  Errors: those of reading; BERTH_E_MEMORY. */
enum berth_status berth_table_open_file(struct berth_sqlite *sqlite, const char *path,
                                        const char *name, bool strict, struct berth_table *table,
                                        struct berth_error *error);

#endif

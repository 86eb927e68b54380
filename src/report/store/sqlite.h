/* SQLite, found at run time: a file of tables that others read, too.  Building needs nothing of it,
 * and who does not ask for such a file needs no library. */
#ifndef BERTH_REPORT_STORE_SQLITE_H
#define BERTH_REPORT_STORE_SQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/log.h"

struct berth_sqlite;    /* opaque: an open file */
struct berth_statement; /* opaque: a statement that may run again and again */

/* True where the file is one of SQLite. */
bool berth_sqlite_is_file(const char *path);

/* Others that write are waited for, for ten minutes at most. */
struct berth_sqlite_wait {
    const struct berth_log *log; /* borrowed as long as the file is open, or NULL: told of it */
    bool (*stop)(void *context); /* or NULL: asked meanwhile; true: end with BERTH_E_USAGE */
    void *context;               /* handed to stop */
};

/* Opens the file; writing: it is made where it is missing.  wait NULL: without log and stop.
 * The library is $BERTH_SQLITE (a file) where that is set, else the system's, else Conda's.  The
 * caller closes *sqlite.  Errors: BERTH_E_IO says how to get the library, or what SQLite says;
 * BERTH_E_MEMORY. */
enum berth_status berth_sqlite_open(const char *path, bool writing,
                                    const struct berth_sqlite_wait *wait,
                                    struct berth_sqlite **sqlite, struct berth_error *error);

/* NULL is accepted; a transaction that was not committed is undone. */
void berth_sqlite_close(struct berth_sqlite *sqlite);

/* Runs statements (printf style) that have no values and whose rows nobody reads.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_sqlite_run(struct berth_sqlite *sqlite, struct berth_error *error,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Prepares a statement (printf style), which the caller ends before sqlite is closed.  Errors: the
 * same. */
enum berth_status berth_sqlite_prepare(struct berth_sqlite *sqlite,
                                       struct berth_statement **statement,
                                       struct berth_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The number that a statement gives, whose parameter, if it has one, is this text; 0 where it has
 * no row.  Errors: the same. */
enum berth_status berth_sqlite_ask(struct berth_sqlite *sqlite, const char *text,
                                   const char *parameter, int64_t *number,
                                   struct berth_error *error);

/* Prepares a statement that somebody has written, in whole or in part: a SELECT, which changes
 * nothing and reads no further file.  Errors: BERTH_E_USAGE, with the option that it was given by,
 * BERTH_E_MEMORY. */
enum berth_status berth_sqlite_prepare_query(struct berth_sqlite *sqlite, const char *text,
                                             const char *option, struct berth_statement **statement,
                                             struct berth_error *error);

/* NULL is accepted. */
void berth_statement_end(struct berth_statement *statement);

/* The value of the statement's parameter ?number, from 1; text and bytes are borrowed until the
 * statement was run.  NULL: none. */
void berth_statement_set_integer(struct berth_statement *statement, int number, int64_t value);
void berth_statement_set_real(struct berth_statement *statement, int number, double value);
void berth_statement_set_text(struct berth_statement *statement, int number, const char *text);
void berth_statement_set_bytes(struct berth_statement *statement, int number, const void *bytes,
                               size_t size);

/* The next row; *end: there is none, and the statement may be run anew.  Errors: BERTH_E_IO. */
enum berth_status berth_statement_next(struct berth_statement *statement, bool *end,
                                       struct berth_error *error);

/* Runs a statement to its end. */
enum berth_status berth_statement_run(struct berth_statement *statement, struct berth_error *error);

/* What a column of the row holds, from 0. */
enum berth_cell {
    BERTH_CELL_INTEGER = 1,
    BERTH_CELL_REAL,
    BERTH_CELL_TEXT,
    BERTH_CELL_BYTES,
    BERTH_CELL_NONE
};
enum berth_cell berth_statement_kind(const struct berth_statement *statement, int column);
int64_t berth_statement_integer(const struct berth_statement *statement, int column);

/* "" where there is none; borrowed until the next row, as bytes are, which are *size. */
const char *berth_statement_text(const struct berth_statement *statement, int column);
const void *berth_statement_bytes(const struct berth_statement *statement, int column,
                                  size_t *size);

int berth_statement_columns(const struct berth_statement *statement);

/* The name of a column, borrowed until the statement is run. */
const char *berth_statement_column(const struct berth_statement *statement, int column);

/* --- Functions that statements call --- */

/* A call: what it is called with, and what it gives, which is NULL unless it gives something. */
struct berth_sql_call {
    const struct berth_sqlite *sqlite;
    struct result *result;
    struct value **values; /* [count] */
    int count;
};

/* An error ends the statement, whose step returns it. */
typedef enum berth_status (*berth_sql_function)(void *context, const struct berth_sql_call *call,
                                                struct berth_error *error);

/* Adds a function of however many arguments; context is borrowed until sqlite is closed.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_sqlite_add_function(struct berth_sqlite *sqlite, const char *name,
                                            berth_sql_function call, void *context,
                                            struct berth_error *error);

enum berth_cell berth_call_kind(const struct berth_sql_call *call, int argument);
int64_t berth_call_integer(const struct berth_sql_call *call, int argument);
double berth_call_real(const struct berth_sql_call *call, int argument);
const char *berth_call_text(const struct berth_sql_call *call, int argument); /* NULL is "" */

void berth_call_give_integer(const struct berth_sql_call *call, int64_t value);
void berth_call_give_real(const struct berth_sql_call *call, double value);
void berth_call_give_text(const struct berth_sql_call *call, const char *text);

#endif

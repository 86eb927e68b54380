/* SQLite's C interface (https://sqlite.org/c3ref/intro.html), as far as it is used: sqlite.c has
 * connections, statements and functions, csv_table.c tables whose rows stand in a file. */
#ifndef BERTH_REPORT_STORE_SQLITE_INTERNAL_H
#define BERTH_REPORT_STORE_SQLITE_INTERNAL_H

#include "report/store/sqlite.h"

enum { SQLITE_OK = 0, SQLITE_ERROR = 1, SQLITE_ROW = 100, SQLITE_DONE = 101 };

/* Who copies a text that it is given. */
#define SQLITE_TRANSIENT ((void (*)(void *)) - 1)

struct connection;    /* SQLite's own, as all these are */
struct prepared;      /* a statement */
struct value;         /* an argument of a function */
struct result;        /* where a function or a cell puts what it gives */
struct virtual_table; /* see csv_table.c */
struct cursor;
struct table_module;

/* What is called of it: CALL(result, name, symbol behind "sqlite3_", parameters). */
#define SQLITE_CALLS(CALL)                                                                         \
    CALL(int, open, open_v2,                                                                       \
         (const char *path, struct connection **opened, int flags, const char *system))            \
    CALL(int, close, close, (struct connection * opened))                                          \
    CALL(int, when_busy, busy_handler,                                                             \
         (struct connection * opened, int (*go_on)(void *context, int looks), void *context))      \
    CALL(const char *, message, errmsg, (struct connection * opened))                              \
    CALL(int, exec, exec,                                                                          \
         (struct connection * opened, const char *statements, void *callback, void *context,       \
          char **message))                                                                         \
    CALL(int, prepare, prepare_v2,                                                                 \
         (struct connection * opened, const char *text, int size, struct prepared **statement,     \
          const char **rest))                                                                      \
    CALL(int, finalize, finalize, (struct prepared * statement))                                   \
    CALL(int, step, step, (struct prepared * statement))                                           \
    CALL(int, reset, reset, (struct prepared * statement))                                         \
    CALL(int, bind_integer, bind_int64, (struct prepared * statement, int number, int64_t value))  \
    CALL(int, bind_real, bind_double, (struct prepared * statement, int number, double value))     \
    CALL(int, bind_text, bind_text,                                                                \
         (struct prepared * statement, int number, const char *text, int size,                     \
          void (*destroy)(void *)))                                                                \
    CALL(int, bind_bytes, bind_blob,                                                               \
         (struct prepared * statement, int number, const void *bytes, int size,                    \
          void (*destroy)(void *)))                                                                \
    CALL(int, kind, column_type, (struct prepared * statement, int column))                        \
    CALL(int64_t, integer, column_int64, (struct prepared * statement, int column))                \
    CALL(const unsigned char *, text, column_text, (struct prepared * statement, int column))      \
    CALL(const void *, bytes, column_blob, (struct prepared * statement, int column))              \
    CALL(int, size, column_bytes, (struct prepared * statement, int column))                       \
    CALL(int, columns, column_count, (struct prepared * statement))                                \
    CALL(const char *, column_name, column_name, (struct prepared * statement, int column))        \
    CALL(int, only_reads, stmt_readonly, (struct prepared * statement))                            \
    CALL(int, configure, db_config, (struct connection * opened, int what, ...))                   \
    CALL(int, set_authorizer, set_authorizer,                                                      \
         (struct connection * opened,                                                              \
          int (*may)(void *context, int what, const char *first, const char *second,               \
                     const char *schema, const char *by),                                          \
          void *context))                                                                          \
    CALL(int, create_function, create_function_v2,                                                 \
         (struct connection * opened, const char *name, int arguments, int flags, void *context,   \
          void (*call)(struct result * result, int count, struct value **values), void *step,      \
          void *final, void (*destroy)(void *context)))                                            \
    CALL(void *, context, user_data, (struct result * result))                                     \
    CALL(int, value_kind, value_type, (struct value * value))                                      \
    CALL(int64_t, value_integer, value_int64, (struct value * value))                              \
    CALL(double, value_real, value_double, (struct value * value))                                 \
    CALL(const unsigned char *, value_text, value_text, (struct value * value))                    \
    CALL(void, give_integer, result_int64, (struct result * result, int64_t value))                \
    CALL(void, give_real, result_double, (struct result * result, double value))                   \
    CALL(void, give_text, result_text,                                                             \
         (struct result * result, const char *text, int size, void (*destroy)(void *)))            \
    CALL(void, give_error, result_error, (struct result * result, const char *text, int size))     \
    CALL(int, create_module, create_module_v2,                                                     \
         (struct connection * opened, const char *name, const struct table_module *module,         \
          void *context, void (*destroy)(void *context)))                                          \
    CALL(int, declare, declare_vtab, (struct connection * opened, const char *table))

#define SQLITE_CALL(result, name, symbol, parameters) result(*name) parameters;
struct calls {
    SQLITE_CALLS(SQLITE_CALL)
};

struct berth_sqlite {
    char *path; /* owned */
    struct calls calls;
    struct connection *opened;
    struct berth_sqlite_wait wait;
    double begin; /* s, by berth_now: of the wait */
    bool told, stopped;
    enum berth_status
        failed; /* what a function or a table's file ended a statement with, and why */
    struct berth_error failure;
};

#endif

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

struct calls {
    int (*open)(const char *path, struct connection **opened, int flags, const char *system);
    int (*close)(struct connection *opened);
    int (*when_busy)(struct connection *opened, int (*go_on)(void *context, int looks),
                     void *context);
    const char *(*message)(struct connection *opened);
    int (*exec)(struct connection *opened, const char *statements, void *callback, void *context,
                char **message);
    int (*prepare)(struct connection *opened, const char *text, int size,
                   struct prepared **statement, const char **rest);
    int (*finalize)(struct prepared *statement);
    int (*step)(struct prepared *statement);
    int (*reset)(struct prepared *statement);
    int (*bind_integer)(struct prepared *statement, int number, int64_t value);
    int (*bind_real)(struct prepared *statement, int number, double value);
    int (*bind_text)(struct prepared *statement, int number, const char *text, int size,
                     void (*destroy)(void *));
    int (*bind_bytes)(struct prepared *statement, int number, const void *bytes, int size,
                      void (*destroy)(void *));
    int (*kind)(struct prepared *statement, int column);
    int64_t (*integer)(struct prepared *statement, int column);
    double (*real)(struct prepared *statement, int column);
    const unsigned char *(*text)(struct prepared *statement, int column);
    const void *(*bytes)(struct prepared *statement, int column);
    int (*size)(struct prepared *statement, int column);
    int (*columns)(struct prepared *statement);
    const char *(*column_name)(struct prepared *statement, int column);
    int (*only_reads)(struct prepared *statement);
    int (*configure)(struct connection *opened, int what, ...);
    int (*set_authorizer)(struct connection *opened,
                          int (*may)(void *context, int what, const char *first, const char *second,
                                     const char *schema, const char *by),
                          void *context);
    int (*create_function)(struct connection *opened, const char *name, int arguments, int flags,
                           void *context,
                           void (*call)(struct result *result, int count, struct value **values),
                           void *step, void *final, void (*destroy)(void *context));
    void *(*context)(struct result *result);
    int (*value_kind)(struct value *value);
    int64_t (*value_integer)(struct value *value);
    double (*value_real)(struct value *value);
    const unsigned char *(*value_text)(struct value *value);
    void (*give_integer)(struct result *result, int64_t value);
    void (*give_real)(struct result *result, double value);
    void (*give_text)(struct result *result, const char *text, int size, void (*destroy)(void *));
    void (*give_error)(struct result *result, const char *text, int size);
    int (*create_module)(struct connection *opened, const char *name,
                         const struct table_module *module, void *context,
                         void (*destroy)(void *context));
    int (*declare)(struct connection *opened, const char *table);
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

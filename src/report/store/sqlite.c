#include "report/store/sqlite.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "device/libraries.h"

/* What of its C interface (https://sqlite.org/c3ref/intro.html) is used, and its constants. */
enum { SQLITE_OK = 0, SQLITE_ROW = 100, SQLITE_DONE = 101 };
enum { OPEN_READONLY = 1, OPEN_READWRITE = 2, OPEN_CREATE = 4 };

/* s of waiting for others that write: at most, and without a word; ns between two looks. */
#define PATIENCE 600.0
#define SILENCE  1.0
enum { PAUSE = 50000000 };

struct connection; /* SQLite's own */
struct prepared;   /* likewise */

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
};

static const char *const SYMBOLS[] = {
    "sqlite3_open_v2",     "sqlite3_close",       "sqlite3_busy_handler", "sqlite3_errmsg",
    "sqlite3_exec",        "sqlite3_prepare_v2",  "sqlite3_finalize",     "sqlite3_step",
    "sqlite3_reset",       "sqlite3_bind_int64",  "sqlite3_bind_double",  "sqlite3_bind_text",
    "sqlite3_bind_blob",   "sqlite3_column_type", "sqlite3_column_int64", "sqlite3_column_double",
    "sqlite3_column_text", "sqlite3_column_blob", "sqlite3_column_bytes"};

enum { SYMBOL_COUNT = sizeof SYMBOLS / sizeof *SYMBOLS };

struct berth_sqlite {
    char *path;
    struct calls calls;
    struct connection *opened;
    struct berth_sqlite_wait wait;
    double begin; /* s, by berth_now: of the wait */
    bool told, stopped;
};

struct berth_statement {
    const struct berth_sqlite *sqlite; /* borrowed */
    struct prepared *prepared;
};

bool berth_sqlite_is_file(const char *path)
{
    static const char MAGIC[16] = "SQLite format 3";
    char head[sizeof MAGIC];
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool is = file >= 0 && pread(file, head, sizeof head, 0) == (ssize_t)sizeof head &&
                    memcmp(head, MAGIC, sizeof MAGIC) == 0;
    if (file >= 0) {
        close(file);
    }
    return is;
}

static bool load(const char *path, struct calls *calls)
{
    const char *missing;
    _Static_assert(sizeof *calls == SYMBOL_COUNT * sizeof(void *), "a symbol for each call");
    return berth_symbols_load(path, SYMBOLS, SYMBOL_COUNT, calls, &missing);
}

static enum berth_status find_library(struct calls *calls, struct berth_error *error)
{
    static const char *const NAMES[] = {"libsqlite3.so.0", "libsqlite3.so"};
    const char *named = getenv("BERTH_SQLITE");
    char path[PATH_MAX];
    bool found = named && *named && load(named, calls);
    if (!found && named && *named) {
        return berth_fail(error, BERTH_E_IO,
                          "SQLite: BERTH_SQLITE names %s, which is not its library "
                          "(libsqlite3.so.0), or cannot be loaded",
                          named);
    }
    for (size_t i = 0; !found && i < sizeof NAMES / sizeof *NAMES; i++) {
        found = load(NAMES[i], calls);
    }
    found = found || (berth_library_below("CONDA_PREFIX", "lib", "libsqlite3.so*", path) &&
                      load(path, calls));
    return found ? BERTH_OK
                 : berth_fail(error, BERTH_E_IO,
                              "SQLite was not found, which databases of results are made by: "
                              "install it (Debian's libsqlite3-0), or name the file "
                              "libsqlite3.so.0 by BERTH_SQLITE");
}

static enum berth_status fail(const struct berth_sqlite *sqlite, struct berth_error *error)
{
    if (sqlite->stopped) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "%s: interrupted while another process writes to it; what is not in there "
            "yet is in the run's files",
            sqlite->path);
    }
    return berth_fail(error, BERTH_E_IO, "%s: %s", sqlite->path,
                      sqlite->calls.message(sqlite->opened));
}

/* What SQLite asks while another one has the file: 0 ends the wait. */
static int go_on(void *context, int looks)
{
    struct berth_sqlite *sqlite = context;
    const struct timespec pause = {0, PAUSE};
    sqlite->begin = looks ? sqlite->begin : berth_now();
    const double waited = berth_now() - sqlite->begin;
    sqlite->stopped = sqlite->wait.stop && sqlite->wait.stop(sqlite->wait.context);
    if (!sqlite->told && waited > SILENCE) {
        berth_note(sqlite->wait.log, "%s: another process writes to it; waiting until it is done",
                   sqlite->path);
        sqlite->told = true;
    }
    nanosleep(&pause, NULL);
    return !sqlite->stopped && waited < PATIENCE;
}

enum berth_status berth_sqlite_open(const char *path, bool writing,
                                    const struct berth_sqlite_wait *wait,
                                    struct berth_sqlite **sqlite, struct berth_error *error)
{
    BERTH_TRY(berth_make(sqlite, 1, sizeof **sqlite, path, error));
    struct berth_sqlite *made = *sqlite;
    made->path = berth_copy_text(path);
    enum berth_status status =
        made->path ? find_library(&made->calls, error) : berth_out_of_memory(error, path);
    const int flags = writing ? OPEN_READWRITE | OPEN_CREATE : OPEN_READONLY;
    if (!status && made->calls.open(path, &made->opened, flags, NULL) != SQLITE_OK) {
        status = made->opened ? fail(made, error) : berth_out_of_memory(error, path);
    }
    if (status) {
        berth_sqlite_close(made);
        *sqlite = NULL;
        return status;
    }
    made->wait = wait ? *wait : (struct berth_sqlite_wait){.log = NULL};
    made->calls.when_busy(made->opened, go_on, made);
    return BERTH_OK;
}

void berth_sqlite_close(struct berth_sqlite *sqlite)
{
    if (sqlite) {
        if (sqlite->opened) {
            sqlite->calls.close(sqlite->opened);
        }
        free(sqlite->path);
        free(sqlite);
    }
}

enum berth_status berth_sqlite_run(struct berth_sqlite *sqlite, const char *statements,
                                   struct berth_error *error)
{
    return sqlite->calls.exec(sqlite->opened, statements, NULL, NULL, NULL) == SQLITE_OK
               ? BERTH_OK
               : fail(sqlite, error);
}

enum berth_status berth_sqlite_prepare(struct berth_sqlite *sqlite, const char *text,
                                       struct berth_statement **statement,
                                       struct berth_error *error)
{
    BERTH_TRY(berth_make(statement, 1, sizeof **statement, sqlite->path, error));
    struct berth_statement *made = *statement;
    made->sqlite = sqlite;
    if (sqlite->calls.prepare(sqlite->opened, text, -1, &made->prepared, NULL) != SQLITE_OK) {
        berth_statement_end(made);
        *statement = NULL;
        return fail(sqlite, error);
    }
    return BERTH_OK;
}

void berth_statement_end(struct berth_statement *statement)
{
    if (statement) {
        statement->sqlite->calls.finalize(statement->prepared);
        free(statement);
    }
}

/* A value that cannot be set (memory) is none: the statement then runs into the same. */

void berth_statement_set_integer(struct berth_statement *statement, int number, int64_t value)
{
    statement->sqlite->calls.bind_integer(statement->prepared, number, value);
}

void berth_statement_set_real(struct berth_statement *statement, int number, double value)
{
    statement->sqlite->calls.bind_real(statement->prepared, number, value);
}

void berth_statement_set_text(struct berth_statement *statement, int number, const char *text)
{
    statement->sqlite->calls.bind_text(statement->prepared, number, text, -1, NULL);
}

void berth_statement_set_bytes(struct berth_statement *statement, int number, const void *bytes,
                               size_t size)
{
    statement->sqlite->calls.bind_bytes(statement->prepared, number, bytes, (int)size, NULL);
}

enum berth_status berth_statement_next(struct berth_statement *statement, bool *end,
                                       struct berth_error *error)
{
    const struct calls *calls = &statement->sqlite->calls;
    const int code = calls->step(statement->prepared);
    *end = code != SQLITE_ROW;
    const enum berth_status status =
        code == SQLITE_ROW || code == SQLITE_DONE ? BERTH_OK : fail(statement->sqlite, error);
    if (*end) {
        calls->reset(statement->prepared);
    }
    return status;
}

enum berth_status berth_statement_run(struct berth_statement *statement, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (bool end = false; !status && !end;) {
        status = berth_statement_next(statement, &end, error);
    }
    return status;
}

enum berth_cell berth_statement_kind(const struct berth_statement *statement, int column)
{
    return (enum berth_cell)statement->sqlite->calls.kind(statement->prepared, column);
}

int64_t berth_statement_integer(const struct berth_statement *statement, int column)
{
    return statement->sqlite->calls.integer(statement->prepared, column);
}

double berth_statement_real(const struct berth_statement *statement, int column)
{
    return statement->sqlite->calls.real(statement->prepared, column);
}

const char *berth_statement_text(const struct berth_statement *statement, int column)
{
    const unsigned char *text = statement->sqlite->calls.text(statement->prepared, column);
    return text ? (const char *)text : "";
}

const void *berth_statement_bytes(const struct berth_statement *statement, int column, size_t *size)
{
    const void *bytes = statement->sqlite->calls.bytes(statement->prepared, column);
    *size = (size_t)statement->sqlite->calls.size(statement->prepared, column);
    return bytes;
}

#include "report/store/sqlite_internal.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/libraries.h"

/* s of waiting for others that write: at most, and without a word; ns between two looks. */
#define PATIENCE 600.0
#define SILENCE  1.0
enum { PAUSE = 50000000 };

enum { OPEN_READONLY = 1, OPEN_READWRITE = 2, OPEN_CREATE = 4 };
enum { DQS_DML = 1013, DQS_DDL = 1014, TRUSTED_SCHEMA = 1017 }; /* for sqlite3_db_config */
enum { READ = 20, SELECT = 21, FUNCTION = 31, RECURSIVE = 33, DENY = 1 }; /* for authorizers */
enum { UTF8 = 1 };

#define SYMBOL(result, name, symbol, parameters) "sqlite3_" #symbol,
static const char *const SYMBOLS[] = {SQLITE_CALLS(SYMBOL)};
enum { SYMBOL_COUNT = sizeof SYMBOLS / sizeof *SYMBOLS };

struct berth_statement {
    struct berth_sqlite *sqlite; /* borrowed */
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
                              "SQLite was not found, which answers questions about results and "
                              "makes databases of them: "
                              "install it (Debian's libsqlite3-0), or name the file "
                              "libsqlite3.so.0 by BERTH_SQLITE");
}

static enum berth_status fail(struct berth_sqlite *sqlite, struct berth_error *error)
{
    if (sqlite->failed) {
        const enum berth_status status = sqlite->failed;
        sqlite->failed = BERTH_OK;
        *error = sqlite->failure;
        return status;
    }
    if (sqlite->stopped) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "%s: interrupted while another process writes to it; what is not in there "
            "yet is in the run's files",
            sqlite->path);
    }
    return berth_fail(error, BERTH_E_IO, "%s: %s", *sqlite->path ? sqlite->path : "SQLite",
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
    /* "names" are names, and never texts; what a file's schema says runs nothing of ours */
    made->calls.configure(made->opened, DQS_DML, 0, NULL);
    made->calls.configure(made->opened, DQS_DDL, 0, NULL);
    made->calls.configure(made->opened, TRUSTED_SCHEMA, 0, NULL);
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

enum berth_status berth_sqlite_run(struct berth_sqlite *sqlite, struct berth_error *error,
                                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = berth_text_format(format, arguments);
    va_end(arguments);
    enum berth_status status = text ? BERTH_OK : berth_out_of_memory(error, sqlite->path);
    if (text && sqlite->calls.exec(sqlite->opened, text, NULL, NULL, NULL) != SQLITE_OK) {
        status = fail(sqlite, error);
    }
    free(text);
    return status;
}

static enum berth_status prepare(struct berth_sqlite *sqlite, const char *text,
                                 struct berth_statement **statement, const char **rest,
                                 struct berth_error *error)
{
    BERTH_TRY(berth_make(statement, 1, sizeof **statement, sqlite->path, error));
    struct berth_statement *made = *statement;
    made->sqlite = sqlite;
    if (sqlite->calls.prepare(sqlite->opened, text, -1, &made->prepared, rest) != SQLITE_OK) {
        berth_statement_end(made);
        *statement = NULL;
        return fail(sqlite, error);
    }
    return BERTH_OK;
}

enum berth_status berth_sqlite_prepare(struct berth_sqlite *sqlite,
                                       struct berth_statement **statement,
                                       struct berth_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = berth_text_format(format, arguments);
    va_end(arguments);
    const enum berth_status status = text ? prepare(sqlite, text, statement, NULL, error)
                                          : berth_out_of_memory(error, sqlite->path);
    free(text);
    return status;
}

enum berth_status berth_sqlite_ask(struct berth_sqlite *sqlite, const char *text,
                                   const char *parameter, int64_t *number,
                                   struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    bool end = true;
    *number = 0;
    enum berth_status status = prepare(sqlite, text, &statement, NULL, error);
    if (!status && parameter) {
        berth_statement_set_text(statement, 1, parameter);
    }
    BERTH_THEN(berth_statement_next(statement, &end, error));
    if (!status && !end) {
        *number = berth_statement_integer(statement, 0);
    }
    berth_statement_end(statement);
    return status;
}

/* What SQLite asks of a statement that it prepares. */
static int may_read(void *context, int what, const char *first, const char *second,
                    const char *schema, const char *by)
{
    (void)context;
    (void)first;
    (void)schema;
    (void)by;
    return what == READ || what == SELECT || what == RECURSIVE ||
                   (what == FUNCTION && strcmp(second, "load_extension") != 0)
               ? SQLITE_OK
               : DENY;
}

enum berth_status berth_sqlite_prepare_query(struct berth_sqlite *sqlite, const char *text,
                                             const char *option, struct berth_statement **statement,
                                             struct berth_error *error)
{
    const char *rest;
    struct berth_statement *further = NULL;
    sqlite->calls.set_authorizer(sqlite->opened, may_read, NULL);
    enum berth_status status = prepare(sqlite, text, statement, &rest, error);
    BERTH_THEN(prepare(sqlite, rest, &further, NULL, error));
    if (status == BERTH_E_IO) {
        const char *why = sqlite->calls.message(sqlite->opened);
        status = berth_fail_option(error, BERTH_E_USAGE, option, "%s: %s%s", option, why,
                                   strncmp(why, "not authorized", 14) == 0
                                       ? ": a SELECT may read tables, and do nothing else"
                                       : "");
    }
    if (!status && (further->prepared || !(*statement)->prepared ||
                    !sqlite->calls.only_reads((*statement)->prepared))) {
        status = berth_fail_option(error, BERTH_E_USAGE, option,
                                   "%s: one SELECT is taken, and nothing behind it", option);
    }
    sqlite->calls.set_authorizer(sqlite->opened, NULL, NULL);
    berth_statement_end(further);
    if (status) {
        berth_statement_end(*statement);
        *statement = NULL;
    }
    return status;
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

int berth_statement_columns(const struct berth_statement *statement)
{
    return statement->sqlite->calls.columns(statement->prepared);
}

const char *berth_statement_column(const struct berth_statement *statement, int column)
{
    const char *name = statement->sqlite->calls.column_name(statement->prepared, column);
    return name ? name : "";
}

/* --- Functions --- */

struct function {
    struct berth_sqlite *sqlite; /* borrowed, as context is */
    berth_sql_function call;
    void *context;
};

/* The library's sqlite3_user_data: of a function that SQLite calls it alone says which it is, so
 * that it cannot stand in what is to be found by it. */
static _Atomic(void *(*)(struct result *)) context_of;

static void call_function(struct result *result, int count, struct value **values)
{
    const struct function *function = atomic_load(&context_of)(result);
    struct berth_sqlite *sqlite = function->sqlite;
    const struct berth_sql_call call = {sqlite, result, values, count};
    const enum berth_status status =
        sqlite->failed ? BERTH_OK : function->call(function->context, &call, &sqlite->failure);
    sqlite->failed = sqlite->failed ? sqlite->failed : status;
    if (sqlite->failed) {
        sqlite->calls.give_error(result, sqlite->failure.message, -1);
    }
}

enum berth_status berth_sqlite_add_function(struct berth_sqlite *sqlite, const char *name,
                                            berth_sql_function call, void *context,
                                            struct berth_error *error)
{
    struct function *function;
    BERTH_TRY(berth_make(&function, 1, sizeof *function, sqlite->path, error));
    *function = (struct function){sqlite, call, context};
    atomic_store(&context_of, sqlite->calls.context);
    return sqlite->calls.create_function(sqlite->opened, name, -1, UTF8, function, call_function,
                                         NULL, NULL, free) == SQLITE_OK
               ? BERTH_OK
               : fail(sqlite, error);
}

enum berth_cell berth_call_kind(const struct berth_sql_call *call, int argument)
{
    return (enum berth_cell)call->sqlite->calls.value_kind(call->values[argument]);
}

int64_t berth_call_integer(const struct berth_sql_call *call, int argument)
{
    return call->sqlite->calls.value_integer(call->values[argument]);
}

double berth_call_real(const struct berth_sql_call *call, int argument)
{
    return call->sqlite->calls.value_real(call->values[argument]);
}

const char *berth_call_text(const struct berth_sql_call *call, int argument)
{
    const unsigned char *text = call->sqlite->calls.value_text(call->values[argument]);
    return text ? (const char *)text : "";
}

void berth_call_give_integer(const struct berth_sql_call *call, int64_t value)
{
    call->sqlite->calls.give_integer(call->result, value);
}

void berth_call_give_real(const struct berth_sql_call *call, double value)
{
    call->sqlite->calls.give_real(call->result, value);
}

void berth_call_give_text(const struct berth_sql_call *call, const char *text)
{
    call->sqlite->calls.give_text(call->result, text, -1, SQLITE_TRANSIENT);
}

/* A table in CSV as one of SQLite's: read row by row as a statement goes through it, and of a row
 * those cells alone that the statement looks at (https://sqlite.org/vtab.html). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/csv.h"
#include "format/output.h"
#include "report/store/sqlite_internal.h"
#include "report/store/table.h"
#include "score/fields.h"

/* --- Columns --- */

size_t berth_table_find(const struct berth_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->columns[i].name, name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

char *berth_sql_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = berth_text_format(format, arguments);
    va_end(arguments);
    return text;
}

char *berth_sql_name(const char *name)
{
    char *quoted = berth_alloc(2 * strlen(name) + 3, 1), *to = quoted;
    if (quoted) {
        *to++ = '"';
        for (; *name; name++) {
            *to++ = *name;
            if (*name == '"') {
                *to++ = '"';
            }
        }
        *to = '"';
    }
    return quoted;
}

enum berth_status berth_table_add(struct berth_table *table, const char *name, char *value,
                                  char *cell, struct berth_error *error)
{
    char *copy = berth_copy_text(name);
    if (!copy || !value || !cell ||
        berth_reserve(&table->columns, &table->capacity, table->count + 1, sizeof *table->columns,
                      error)) {
        free(copy);
        free(value);
        free(cell);
        return berth_out_of_memory(error, NULL);
    }
    table->columns[table->count++] = (struct berth_table_column){copy, value, cell};
    return BERTH_OK;
}

char *berth_table_value(const struct berth_table *table, const char *name)
{
    char *value = berth_sql_name(name);
    for (size_t i = 0; value && i < table->count; i++) {
        if (strcasecmp(table->columns[i].value, value) == 0) {
            free(value);
            char *own = berth_sql_text("%s_%zu", name, table->count + 1);
            value = own ? berth_sql_name(own) : NULL;
            free(own);
            break;
        }
    }
    return value;
}

void berth_table_clear(struct berth_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->columns[i].name);
        free(table->columns[i].value);
        free(table->columns[i].cell);
    }
    free(table->columns);
    free(table->hidden);
    *table = (struct berth_table){.name = NULL};
}

enum berth_status berth_table_cell(void *context, const struct berth_sql_call *call,
                                   struct berth_error *error)
{
    char number[400];
    (void)context;
    switch (berth_call_kind(call, 0)) {
    case BERTH_CELL_INTEGER:
    case BERTH_CELL_NONE:
        berth_call_give_text(call, berth_call_text(call, 0));
        return BERTH_OK;
    case BERTH_CELL_REAL:
        snprintf(number, sizeof number, "%.*f", (int)berth_call_integer(call, 1),
                 berth_call_real(call, 0));
        berth_call_give_text(call, number);
        return BERTH_OK;
    default:
        break;
    }
    char *text = berth_output_csv_cell(berth_call_text(call, 0));
    if (!text) {
        return berth_out_of_memory(error, NULL);
    }
    berth_call_give_text(call, text);
    free(text);
    return BERTH_OK;
}

/* --- SQLite's side, whose structs these are --- */

struct table_module {
    int version;
    int (*create)(void); /* NULL: the module's name is that of its one table */
    int (*connect)(struct connection *opened, void *context, int count, const char *const *texts,
                   struct virtual_table **table, char **error);
    int (*plan)(struct virtual_table *table, void *plan);
    int (*disconnect)(struct virtual_table *table);
    int (*destroy)(struct virtual_table *table);
    int (*open)(struct virtual_table *table, struct cursor **cursor);
    int (*close)(struct cursor *cursor);
    int (*begin)(struct cursor *cursor, int plan, const char *text, int count,
                 struct value **values);
    int (*next)(struct cursor *cursor);
    int (*is_at_end)(struct cursor *cursor);
    int (*cell)(struct cursor *cursor, struct result *result, int column);
    int (*number)(struct cursor *cursor, int64_t *number);
    void (*others[8])(void); /* for tables that can be written; none */
};

struct virtual_table {
    const struct table_module *module;
    int references;
    char *error;
    struct csv_file *file; /* ours from here on; owned by the module */
};

struct cursor {
    struct virtual_table *table;
    struct berth_csv *csv; /* ours from here on; owned */
    int64_t row;           /* from 1 */
    bool end;
};

/* --- Ours --- */

enum kind { UNKNOWN, NUMBER, TEXT };

/* A file, whose columns are the table's: `count` with values, as many with the cells as they stand
 * there, the row's number and its line. */
struct csv_file {
    struct berth_sqlite *sqlite; /* borrowed */
    char *path, *declaration;    /* owned */
    struct berth_csv *unread;    /* owned; as it was opened, for its header; NULL: it is read */
    enum kind *kinds;            /* owned; [count] */
    int count;
    bool strict;
};

static void close_file(void *context)
{
    struct csv_file *file = context;
    berth_csv_close(file->unread);
    free(file->path);
    free(file->declaration);
    free(file->kinds);
    free(file);
}

/* Keeps why the statement ends, for who runs it. */
static int give_up(struct berth_sqlite *sqlite, enum berth_status status)
{
    sqlite->failed = status;
    return SQLITE_ERROR;
}

static int connect_table(struct connection *opened, void *context, int count,
                         const char *const *texts, struct virtual_table **table, char **error)
{
    struct csv_file *file = context;
    (void)count;
    (void)texts;
    (void)error;
    const enum berth_status status =
        berth_make(table, 1, sizeof **table, file->path, &file->sqlite->failure);
    if (status) {
        return give_up(file->sqlite, status);
    }
    (*table)->file = file;
    return file->sqlite->calls.declare(opened, file->declaration) == SQLITE_OK
               ? SQLITE_OK
               : give_up(file->sqlite, berth_fail(&file->sqlite->failure, BERTH_E_FORMAT, "%s: %s",
                                                  file->path, file->sqlite->calls.message(opened)));
}

/* Every row is read, whatever is asked for. */
static int plan_reading(struct virtual_table *table, void *plan)
{
    (void)table;
    (void)plan;
    return SQLITE_OK;
}

static int disconnect_table(struct virtual_table *table)
{
    free(table);
    return SQLITE_OK;
}

static int open_cursor(struct virtual_table *table, struct cursor **cursor)
{
    struct berth_sqlite *sqlite = table->file->sqlite;
    const enum berth_status status =
        berth_make(cursor, 1, sizeof **cursor, table->file->path, &sqlite->failure);
    return status ? give_up(sqlite, status) : SQLITE_OK;
}

static int close_cursor(struct cursor *cursor)
{
    berth_csv_close(cursor->csv);
    free(cursor);
    return SQLITE_OK;
}

static int next_row(struct cursor *cursor)
{
    struct berth_sqlite *sqlite = cursor->table->file->sqlite;
    const enum berth_status status = berth_csv_next(cursor->csv, &cursor->end, &sqlite->failure);
    cursor->row++;
    return status ? give_up(sqlite, status) : SQLITE_OK;
}

static int begin_reading(struct cursor *cursor, int plan, const char *text, int count,
                         struct value **values)
{
    struct csv_file *file = cursor->table->file;
    struct berth_error *error = &file->sqlite->failure;
    (void)plan;
    (void)text;
    (void)count;
    (void)values;
    berth_csv_close(cursor->csv);
    cursor->csv = file->unread;
    cursor->row = 0;
    file->unread = NULL;
    enum berth_status status = BERTH_OK;
    if (!cursor->csv && strcmp(file->path, "-") == 0) {
        status = berth_fail(error, BERTH_E_USAGE,
                            "standard input can be read once, which is not enough here; name a "
                            "file");
    } else if (!cursor->csv) {
        status = berth_csv_open(file->path, ',', &cursor->csv, error);
    }
    if (!status && berth_csv_columns(cursor->csv) != (size_t)file->count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: has become another table", file->path);
    }
    return status ? give_up(file->sqlite, status) : next_row(cursor);
}

static int is_at_end(struct cursor *cursor)
{
    return cursor->end;
}

/* A text as it was given to who wrote the table. */
static int give_text(const struct cursor *cursor, struct result *result, const char *cell)
{
    struct berth_sqlite *sqlite = cursor->table->file->sqlite;
    const bool altered = *cell == '\'' || strchr(cell, '\\');
    char *plain = altered ? berth_csv_unescape(cell) : NULL;
    if (altered && !plain) {
        return give_up(sqlite, berth_out_of_memory(&sqlite->failure, NULL));
    }
    sqlite->calls.give_text(result, plain ? plain : cell, -1, SQLITE_TRANSIENT);
    free(plain);
    return SQLITE_OK;
}

static int give_value(const struct cursor *cursor, struct result *result, int column)
{
    const struct csv_file *file = cursor->table->file;
    const struct calls *calls = &file->sqlite->calls;
    const char *cell = berth_csv_field(cursor->csv, (size_t)column);
    double value;
    if (!*cell) {
        return SQLITE_OK; /* NULL */
    }
    if (file->kinds[column] != TEXT && berth_csv_real(cursor->csv, (size_t)column, &value)) {
        const size_t digits = strspn(cell + (*cell == '-'), "0123456789");
        if (digits <= 15 && !cell[digits + (*cell == '-')]) {
            calls->give_integer(result, (int64_t)value);
        } else {
            calls->give_real(result, value);
        }
        return SQLITE_OK;
    }
    if (file->kinds[column] == NUMBER && file->strict) {
        return give_up(file->sqlite, berth_fail(&file->sqlite->failure, BERTH_E_FORMAT,
                                                "%s:%zu: '%.60s' as %s is no number", file->path,
                                                berth_csv_line(cursor->csv), cell,
                                                berth_csv_column(cursor->csv, (size_t)column)));
    }
    return give_text(cursor, result, cell);
}

static int give_cell(struct cursor *cursor, struct result *result, int column)
{
    const struct csv_file *file = cursor->table->file;
    const struct calls *calls = &file->sqlite->calls;
    if (column < file->count) {
        return give_value(cursor, result, column);
    }
    if (column < 2 * file->count) {
        calls->give_text(result, berth_csv_field(cursor->csv, (size_t)(column - file->count)), -1,
                         SQLITE_TRANSIENT);
    } else {
        calls->give_integer(
            result, column == 2 * file->count ? cursor->row : (int64_t)berth_csv_line(cursor->csv));
    }
    return SQLITE_OK;
}

static int give_number(struct cursor *cursor, int64_t *number)
{
    *number = cursor->row;
    return SQLITE_OK;
}

static const struct table_module MODULE = {.connect = connect_table,
                                           .plan = plan_reading,
                                           .disconnect = disconnect_table,
                                           .destroy = disconnect_table,
                                           .open = open_cursor,
                                           .close = close_cursor,
                                           .begin = begin_reading,
                                           .next = next_row,
                                           .is_at_end = is_at_end,
                                           .cell = give_cell,
                                           .number = give_number};

/* --- Opening --- */

#define ROW  "\"\"\"row\""
#define LINE "\"\"\"line\""

/* Adds the columns, and what declares them to SQLite. */
static enum berth_status add_columns(struct csv_file *file, struct berth_table *table,
                                     struct berth_bytes *declaration, struct berth_error *error)
{
    static const char *const TYPES[] = {"", " NUMERIC", " TEXT"};
    struct berth_csv *csv = file->unread;
    enum berth_status status = BERTH_OK;
    for (int i = 0; !status && i < file->count; i++) {
        const char *name = berth_csv_column(csv, (size_t)i);
        const struct berth_pose_field *known = berth_field_named(name);
        file->kinds[i] = !known                                             ? UNKNOWN
                         : known->text || known->of == BERTH_TEXT_OF_LIGAND ? TEXT
                         : known->value || known->member                    ? NUMBER
                                                                            : UNKNOWN;
        char *value = berth_table_value(table, name);
        berth_bytes_print(declaration, "%s%s, ", value ? value : "", TYPES[file->kinds[i]]);
        status = berth_table_add(table, name, value, berth_sql_text("\"\"\"%d\"", i + 1), error);
    }
    return status;
}

/* Puts the statement together that tells SQLite of the columns. */
static enum berth_status declare(struct csv_file *file, struct berth_table *table,
                                 struct berth_error *error)
{
    struct berth_bytes text = {0}, hidden = {0};
    berth_bytes_print(&text, "CREATE TABLE file (");
    enum berth_status status = add_columns(file, table, &text, error);
    berth_bytes_print(&hidden, ", " ROW ", " LINE);
    for (int i = 0; !status && i < file->count; i++) {
        berth_bytes_print(&text, "%s TEXT HIDDEN, ", table->columns[i].cell);
        berth_bytes_print(&hidden, ", %s", table->columns[i].cell);
    }
    berth_bytes_put_text(&text, ROW " HIDDEN, " LINE " HIDDEN)");
    berth_bytes_put8(&hidden, 0);
    const bool failed = text.failed || hidden.failed;
    status = status ? status : failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    file->declaration = (char *)text.data;
    table->hidden = (char *)hidden.data;
    return status;
}

enum berth_status berth_table_open_file(struct berth_sqlite *sqlite, const char *path,
                                        const char *name, bool strict, struct berth_table *table,
                                        struct berth_error *error)
{
    struct csv_file *file;
    *table = (struct berth_table){.sqlite = sqlite, .name = name, .order = ROW, .line = LINE};
    BERTH_TRY(berth_make(&file, 1, sizeof *file, path, error));
    *file = (struct csv_file){.sqlite = sqlite, .path = berth_copy_text(path), .strict = strict};
    enum berth_status status = file->path ? BERTH_OK : berth_out_of_memory(error, path);
    BERTH_THEN(berth_csv_open(path, ',', &file->unread, error));
    if (!status) {
        file->count = (int)berth_csv_columns(file->unread);
        status = berth_make(&file->kinds, (size_t)file->count, sizeof *file->kinds, path, error);
    }
    BERTH_THEN(declare(file, table, error));
    if (status) {
        close_file(file);
        return status;
    }
    if (sqlite->calls.create_module(sqlite->opened, name, &MODULE, file, close_file) != SQLITE_OK) {
        return berth_out_of_memory(error, path);
    }
    BERTH_TRY(berth_sqlite_add_function(sqlite, "cell", berth_table_cell, NULL, error));
    /* declared at once, not within a statement that may not declare anything */
    struct berth_statement *statement = NULL;
    const enum berth_status declared =
        berth_sqlite_prepare(sqlite, &statement, error, "SELECT 1 FROM \"%s\"", name);
    berth_statement_end(statement);
    return declared;
}

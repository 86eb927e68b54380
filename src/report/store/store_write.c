/* Putting a run into a database of results. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "format/csv.h"
#include "format/output.h"
#include "report/run_json.h"
#include "report/store/store_internal.h"

enum { APPLICATION = 1650815604, VERSION = 1 };

/* The tables that a run has rows in. */
static const char *const TABLES[] = {"field",     "ligand",      "pose",
                                     "structure", "interaction", "failure"};

static const char *const PLACES[] = {"ligand", "pose"};

/* Columns that are of the ligand, whatever its pose; those behind "device" are, too. */
static const char *const OF_LIGAND[] = {"ligand", "rank", "heavy_atoms", "conformers", "smiles"};

enum berth_status store_prepare(struct store *store, struct berth_statement **statement,
                                struct berth_error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return berth_sqlite_prepare(store->sqlite, text, statement, error);
}

/* --- The file --- */

/* The number that a statement gives; 0 where it has no row. */
static enum berth_status ask(struct berth_sqlite *sqlite, const char *text, const char *parameter,
                             int64_t *number, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    bool end = true;
    *number = 0;
    enum berth_status status = berth_sqlite_prepare(sqlite, text, &statement, error);
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

/* *empty: it has no tables yet. */
static enum berth_status check_kind(struct berth_sqlite *sqlite, const char *path, bool *empty,
                                    struct berth_error *error)
{
    int64_t tables, application, version;
    BERTH_TRY(ask(sqlite, "SELECT count(*) FROM sqlite_master", NULL, &tables, error));
    BERTH_TRY(ask(sqlite, "PRAGMA application_id", NULL, &application, error));
    BERTH_TRY(ask(sqlite, "PRAGMA user_version", NULL, &version, error));
    *empty = !tables;
    if (tables && application != APPLICATION) {
        return berth_fail_option(error, BERTH_E_USAGE, "db",
                                 "%s: is a database of something else; name another file", path);
    }
    return !tables || version == VERSION
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "db",
                                   "%s: is a database of version %d, this program writes %d; name "
                                   "another file",
                                   path, (int)version, VERSION);
}

enum berth_status berth_store_check(const char *path, struct berth_error *error)
{
    struct berth_sqlite *sqlite = NULL;
    struct stat facts;
    bool empty;
    const bool there = stat(path, &facts) == 0;
    if (there && facts.st_size && !berth_sqlite_is_file(path)) {
        return berth_fail_option(error, BERTH_E_USAGE, "db",
                                 "%s: is no database; name another file", path);
    }
    BERTH_TRY(berth_output_probe(path, error));
    BERTH_TRY(berth_sqlite_open(there ? path : ":memory:", there, &sqlite, error));
    const enum berth_status status = check_kind(sqlite, path, &empty, error);
    berth_sqlite_close(sqlite);
    return status;
}

/* Removes what an earlier run has left under the name. */
static enum berth_status remove_rows(struct store *store, struct berth_error *error)
{
    char text[64 * (sizeof TABLES / sizeof *TABLES) + 64];
    size_t used = 0;
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "DELETE FROM %s WHERE run = %lld;",
                             TABLES[i], (long long)store->number);
    }
    snprintf(text + used, sizeof text - used, "DELETE FROM run WHERE run = %lld",
             (long long)store->number);
    return berth_sqlite_run(store->sqlite, text, error);
}

/* Opens the file, and begins the run in it. */
static enum berth_status begin(struct store *store, const char *name, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    bool empty;
    BERTH_TRY(berth_sqlite_open(store->run->path, true, &store->sqlite, error));
    BERTH_TRY(
        berth_sqlite_run(store->sqlite, "PRAGMA cache_size = -65536; BEGIN IMMEDIATE", error));
    BERTH_TRY(check_kind(store->sqlite, store->run->path, &empty, error));
    if (empty) {
        BERTH_TRY(berth_sqlite_run(store->sqlite, berth_embedded_text("schema.sql"), error));
    }
    BERTH_TRY(
        ask(store->sqlite, "SELECT run FROM run WHERE name = ?1", name, &store->number, error));
    if (store->number) {
        BERTH_TRY(remove_rows(store, error));
    } else {
        BERTH_TRY(ask(store->sqlite, "SELECT coalesce(max(run), 0) + 1 FROM run", NULL,
                      &store->number, error));
    }
    enum berth_status status = store_prepare(
        store, &statement, error,
        "INSERT INTO run (run, name, command, program, json) VALUES (?1, ?2, ?3, ?4, ?5)");
    if (!status) {
        berth_statement_set_integer(statement, 1, store->number);
        berth_statement_set_text(statement, 2, name);
        berth_statement_set_text(statement, 3, store->run->command);
        berth_statement_set_text(statement, 4, "berth " BERTH_VERSION);
        berth_statement_set_text(statement, 5,
                                 store->json.count ? (const char *)store->json.data : NULL);
        status = berth_statement_run(statement, error);
    }
    berth_statement_end(statement);
    return status;
}

/* --- Fields: what the run's table calls its columns, and where they stand --- */

/* Appends a name in quotes, as SQL has it. */
static void print_name(struct berth_output *output, const char *name)
{
    berth_output_print(output, "\"");
    for (; *name; name++) {
        berth_output_bytes(output, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    }
    berth_output_print(output, "\"");
}

static bool is_used(const struct store *store, enum place place, const char *column)
{
    for (size_t i = 0; i < store->count; i++) {
        if (store->fields[i].place == place && strcmp(store->fields[i].column, column) == 0) {
            return true;
        }
    }
    return false;
}

static enum berth_status add_column(struct store *store, enum place place, const char *column,
                                    struct berth_error *error)
{
    struct berth_output *output = NULL;
    char *text = NULL;
    size_t size;
    BERTH_TRY(berth_output_create_memory(&text, &size, &output, error));
    berth_output_print(output, "ALTER TABLE %s ADD COLUMN ", PLACES[place]);
    print_name(output, column);
    enum berth_status status = berth_output_finish(output, BERTH_OK, error);
    BERTH_THEN(berth_sqlite_run(store->sqlite, text, error));
    free(text);
    return status;
}

/* Finds the column of this name, or makes it; SQL knows no capitals, so that a name which differs
 * in these from another's gets a number. */
static enum berth_status find_column(struct store *store, enum place place, const char *name,
                                     char **column, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    const size_t size = strlen(name) + 24;
    BERTH_TRY(berth_make(column, size, 1, name, error));
    enum berth_status status = store_prepare(
        store, &statement, error,
        "SELECT name FROM pragma_table_info('%s') WHERE lower(name) = lower(?1)", PLACES[place]);
    bool found = false;
    for (int i = 1; !status && !found; i++) {
        bool end;
        snprintf(*column, size, i > 1 ? "%s_%d" : "%s", name, i);
        berth_statement_set_text(statement, 1, *column);
        status = berth_statement_next(statement, &end, error);
        if (!status && end) {
            found = true;
            status = add_column(store, place, *column, error);
        } else if (!status) {
            found = strcmp(berth_statement_text(statement, 0), *column) == 0 &&
                    !is_used(store, place, *column);
            status = berth_statement_run(statement, error);
        }
    }
    berth_statement_end(statement);
    return status;
}

/* The number of the field of this name, which is added where it is not there. */
static enum berth_status find_field(struct store *store, const char *name, enum place place,
                                    size_t *number, struct berth_error *error)
{
    for (*number = 0; *number < store->count; (*number)++) {
        if (strcmp(store->fields[*number].name, name) == 0) {
            return BERTH_OK;
        }
    }
    for (size_t i = 0; i < sizeof OF_LIGAND / sizeof *OF_LIGAND; i++) {
        place = strcmp(name, OF_LIGAND[i]) == 0 ? LIGAND : place;
    }
    BERTH_TRY(berth_reserve(&store->fields, &store->capacity, store->count + 1,
                            sizeof *store->fields, error));
    struct field field = {.name = berth_copy_text(name), .place = place};
    enum berth_status status = field.name ? find_column(store, place, name, &field.column, error)
                                          : berth_out_of_memory(error, name);
    store->fields[store->count++] = field;
    return status;
}

static enum berth_status write_fields(struct store *store, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    enum berth_status status =
        store_prepare(store, &statement, error,
                      "INSERT INTO field (run, number, name, place, \"column\", decimals) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    for (size_t i = 0; !status && i < store->count; i++) {
        const struct field *field = &store->fields[i];
        berth_statement_set_integer(statement, 1, store->number);
        berth_statement_set_integer(statement, 2, (int64_t)i + 1);
        berth_statement_set_text(statement, 3, field->name);
        berth_statement_set_text(statement, 4, PLACES[field->place]);
        berth_statement_set_text(statement, 5, field->column);
        berth_statement_set_integer(statement, 6, field->decimals);
        status = berth_statement_run(statement, error);
    }
    berth_statement_end(statement);
    return status;
}

/* --- Rows: columns with names, from a table or from the tags of a pose --- */

void store_rows_end(struct rows *rows)
{
    berth_statement_end(rows->statements[LIGAND]);
    berth_statement_end(rows->statements[POSE]);
    free(rows->fields);
}

/* The statement's parameters are the keys, ?1 to ?3, and behind them column i: ?(4 + i). */
static enum berth_status prepare_insert(struct store *store, struct rows *rows, enum place place,
                                        struct berth_error *error)
{
    struct berth_output *output = NULL;
    char *text = NULL;
    size_t size;
    BERTH_TRY(berth_output_create_memory(&text, &size, &output, error));
    berth_output_print(output, "INSERT OR IGNORE INTO %s (run, ordinal%s", PLACES[place],
                       place == POSE ? ", mode" : "");
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->fields[i] != SIZE_MAX && store->fields[rows->fields[i]].place == place) {
            berth_output_print(output, ", ");
            print_name(output, store->fields[rows->fields[i]].column);
        }
    }
    berth_output_print(output, ") VALUES (?1, ?2%s", place == POSE ? ", ?3" : "");
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->fields[i] != SIZE_MAX && store->fields[rows->fields[i]].place == place) {
            berth_output_print(output, ", ?%zu", i + 4);
        }
    }
    berth_output_print(output, ")");
    enum berth_status status = berth_output_finish(output, BERTH_OK, error);
    BERTH_THEN(berth_sqlite_prepare(store->sqlite, text, &rows->statements[place], error));
    free(text);
    return status;
}

/* names: [count]; file: for messages. */
enum berth_status store_rows_begin(struct store *store, const char *file, const char *const *names,
                                   size_t count, struct rows *rows, struct berth_error *error)
{
    enum place place = POSE;
    *rows = (struct rows){.count = count, .ordinal = SIZE_MAX, .mode = SIZE_MAX};
    BERTH_TRY(berth_make(&rows->fields, count, sizeof *rows->fields, file, error));
    for (size_t i = 0; i < count; i++) {
        rows->fields[i] = SIZE_MAX;
        if (strcmp(names[i], "ordinal") == 0) {
            rows->ordinal = i;
        } else if (strcmp(names[i], "mode") == 0) {
            rows->mode = i;
        } else if (strcmp(names[i], "seed") != 0) { /* a tag of poses, which is the run's */
            BERTH_TRY(find_field(store, names[i], place, &rows->fields[i], error));
        }
        place = strcmp(names[i], "device") == 0 ? LIGAND : place;
    }
    if (rows->ordinal == SIZE_MAX || rows->mode == SIZE_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: no ordinal and mode, which a database needs of each pose", file);
    }
    BERTH_TRY(prepare_insert(store, rows, LIGAND, error));
    return prepare_insert(store, rows, POSE, error);
}

/* A number that its decimals say wholly: "-7.1200" is one of four, "007" and "1e5" are texts. */
static bool read_number(const char *text, double *value, int *decimals)
{
    const char *digits = text + (*text == '-');
    const size_t whole = strspn(digits, "0123456789");
    const char *end = digits + whole;
    *decimals = 0;
    if (*end == '.') {
        *decimals = (int)strspn(end + 1, "0123456789");
        end += 1 + *decimals;
    }
    const bool plain = whole && !*end && (*digits != '0' || whole == 1) &&
                       whole + (size_t)*decimals <= 15 && (digits[whole] != '.' || *decimals);
    *value = plain ? strtod(text, NULL) : NAN;
    return plain && (*value != 0 || *text != '-');
}

static void set_value(struct berth_statement *statement, int number, struct field *field,
                      const char *text)
{
    const bool is_text = strcmp(field->name, "ligand") == 0 || strcmp(field->name, "smiles") == 0;
    double value;
    int decimals;
    if (!text || !*text) {
        berth_statement_set_text(statement, number, NULL);
    } else if (is_text || !read_number(text, &value, &decimals)) {
        berth_statement_set_text(statement, number, text);
    } else if (decimals) {
        field->decimals = decimals > field->decimals ? decimals : field->decimals;
        berth_statement_set_real(statement, number, value);
    } else {
        berth_statement_set_integer(statement, number, (int64_t)value);
    }
}

/* Adds a row where there is none of its keys; *key gets these. */
enum berth_status store_row_add(struct store *store, struct rows *rows, const char *const *texts,
                                struct key *key, struct berth_error *error)
{
    char *end_ordinal, *end_mode;
    key->ordinal = strtoll(texts[rows->ordinal], &end_ordinal, 10);
    key->mode = strtoll(texts[rows->mode], &end_mode, 10);
    if (!*texts[rows->ordinal] || *end_ordinal || !*texts[rows->mode] || *end_mode) {
        return berth_fail(error, BERTH_E_FORMAT, "'%s' and '%s' are no ordinal and mode",
                          texts[rows->ordinal], texts[rows->mode]);
    }
    for (int place = 0; place < 2; place++) {
        struct berth_statement *statement = rows->statements[place];
        berth_statement_set_integer(statement, 1, store->number);
        berth_statement_set_integer(statement, 2, key->ordinal);
        if (place == POSE) {
            berth_statement_set_integer(statement, 3, key->mode);
        }
        for (size_t i = 0; i < rows->count; i++) {
            if (rows->fields[i] != SIZE_MAX && (int)store->fields[rows->fields[i]].place == place) {
                set_value(statement, (int)i + 4, &store->fields[rows->fields[i]], texts[i]);
            }
        }
        BERTH_TRY(berth_statement_run(statement, error));
    }
    return BERTH_OK;
}

/* --- Tables --- */

/* The row's fields as they were given to who wrote the table; owned: [columns], for those of which
 * berth_output_csv has altered something, which is rare. */
static enum berth_status take_texts(struct berth_csv *csv, const char **texts, char **owned,
                                    struct berth_error *error)
{
    for (size_t i = 0; i < berth_csv_columns(csv); i++) {
        free(owned[i]);
        owned[i] = NULL;
        texts[i] = berth_csv_field(csv, i);
        if (strpbrk(texts[i], "\\'")) {
            texts[i] = owned[i] = berth_csv_text(csv, i);
            BERTH_TRY(owned[i] ? BERTH_OK : berth_out_of_memory(error, NULL));
        }
    }
    return BERTH_OK;
}

/* Shows `take` all rows of a table.  Errors: its own, with the file's name; those of reading. */
static enum berth_status read_table(const char *path, void *context,
                                    enum berth_status (*take)(void *context, struct berth_csv *csv,
                                                              const char *const *texts,
                                                              struct berth_error *error),
                                    struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    const char **texts = NULL;
    char **owned = NULL;
    bool end = false;
    BERTH_TRY(berth_csv_open(path, ',', &csv, error));
    const size_t count = berth_csv_columns(csv);
    enum berth_status status = berth_make(&texts, count, sizeof *texts, path, error);
    BERTH_THEN(berth_make(&owned, count, sizeof *owned, path, error));
    BERTH_THEN(berth_csv_next(csv, &end, error));
    while (!status && !end) {
        status = take_texts(csv, texts, owned, error);
        BERTH_THEN(take(context, csv, texts, error));
        BERTH_THEN(berth_csv_next(csv, &end, error));
    }
    for (size_t i = 0; owned && i < count; i++) {
        free(owned[i]);
    }
    free(owned);
    free(texts);
    berth_csv_close(csv);
    return status;
}

struct score_table {
    struct store *store;
    const char *path;
    struct rows rows;
};

static enum berth_status add_score(void *context, struct berth_csv *csv, const char *const *texts,
                                   struct berth_error *error)
{
    struct score_table *table = context;
    struct key ignored;
    if (!table->rows.fields) {
        const size_t count = berth_csv_columns(csv);
        const char **names;
        BERTH_TRY(berth_make(&names, count, sizeof *names, table->path, error));
        for (size_t i = 0; i < count; i++) {
            names[i] = berth_csv_column(csv, i);
        }
        const enum berth_status status =
            store_rows_begin(table->store, table->path, names, count, &table->rows, error);
        free(names);
        BERTH_TRY(status);
    }
    return store_row_add(table->store, &table->rows, texts, &ignored, error);
}

static enum berth_status add_failure(void *context, struct berth_csv *csv, const char *const *texts,
                                     struct berth_error *error)
{
    struct score_table *table = context;
    struct berth_statement *statement = table->rows.statements[LIGAND];
    (void)error;
    char *end;
    const long long ordinal = strtoll(texts[0], &end, 10);
    berth_statement_set_integer(statement, 1, table->store->number);
    berth_statement_set_text(statement, 2, NULL);
    if (*texts[0] && !*end) {
        berth_statement_set_integer(statement, 2, ordinal);
    }
    berth_statement_set_text(statement, 3, texts[1]);
    berth_statement_set_text(statement, 4, texts[2]);
    return berth_csv_columns(csv) == 3
               ? berth_statement_run(statement, error)
               : berth_fail(error, BERTH_E_FORMAT, "%s: no table of failures", table->path);
}

/* --- The run --- */

/* The files of the run; "": there is none. */
struct files {
    char scores[PATH_MAX], poses[PATH_MAX], failures[PATH_MAX], json[PATH_MAX], name[PATH_MAX];
};

static enum berth_status find_files(const struct berth_store_run *run, struct files *files,
                                    struct berth_error *error)
{
    const char *const named = run->folder ? run->folder : run->poses;
    const struct {
        char *path;
        const char *name, *given;
    } all[] = {{files->scores, "scores.csv", run->scores},
               {files->poses, "hits.sdf", run->poses},
               {files->failures, "failures.csv", run->failures},
               {files->json, "run.json", NULL}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (run->folder) {
            BERTH_TRY(berth_path_in(run->folder, all[i].name, all[i].path, PATH_MAX, error));
        } else {
            snprintf(all[i].path, PATH_MAX, "%s", all[i].given ? all[i].given : "");
        }
        if (access(all[i].path, F_OK) != 0) {
            *all[i].path = '\0';
        }
    }
    if (!run->folder) {
        berth_output_beside(run->poses, "run.json", files->json, PATH_MAX);
        *files->json = access(files->json, F_OK) == 0 ? *files->json : '\0';
    }
    if (!realpath(named, files->name)) {
        snprintf(files->name, sizeof files->name, "%s", named);
    }
    return BERTH_OK;
}

static enum berth_status add_tables(struct store *store, const struct files *files,
                                    struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    if (*files->scores) {
        struct score_table table = {.store = store, .path = files->scores};
        status = read_table(files->scores, &table, add_score, error);
        store_rows_end(&table.rows);
    }
    if (!status && *files->failures) {
        struct score_table table = {.store = store, .path = files->failures};
        status = store_prepare(store, &table.rows.statements[LIGAND], error,
                               "INSERT INTO failure (run, ordinal, ligand, reason) "
                               "VALUES (?1, ?2, ?3, ?4)");
        BERTH_THEN(read_table(files->failures, &table, add_failure, error));
        store_rows_end(&table.rows);
    }
    return status;
}

static void close_store(struct store *store)
{
    berth_statement_end(store->structure);
    berth_statement_end(store->interaction);
    berth_sqlite_close(store->sqlite);
    for (size_t i = 0; i < store->count; i++) {
        free(store->fields[i].name);
        free(store->fields[i].column);
    }
    free(store->fields);
    berth_bytes_clear(&store->json);
    berth_interaction_target_clear(&store->target);
}

enum berth_status berth_store_add(const struct berth_store_run *run, struct berth_error *error)
{
    struct store store = {.run = run};
    struct files files;
    enum berth_status status = find_files(run, &files, error);
    if (!status && *files.json) {
        status = berth_run_json_read(files.json, NULL, &store.json, error);
    }
    BERTH_THEN(begin(&store, files.name, error));
    BERTH_THEN(add_tables(&store, &files, error));
    if (!status && *files.poses) {
        status = store_poses_add(&store, files.poses, error);
    }
    BERTH_THEN(write_fields(&store, error));
    BERTH_THEN(berth_sqlite_run(store.sqlite, "COMMIT", error));
    close_store(&store);
    return status;
}

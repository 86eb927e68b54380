/* Putting a run into a database of results. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "eval/screen/scores.h"
#include "format/output.h"
#include "format/run_json.h"
#include "report/store/store_internal.h"

enum { APPLICATION = 1650815604, VERSION = 1 };

/* The tables that a run has rows in. */
static const char *const TABLES[] = {"field",       "ligand",  "pose", "structure",
                                     "interaction", "failure", "run"};

/* --- The file --- */

/* BERTH_E_USAGE where a table's name is that of something else, which may have rows without end. */
static enum berth_status check_tables(struct berth_sqlite *sqlite, const char *path,
                                      struct berth_error *error)
{
    int64_t others;
    BERTH_TRY(
        berth_sqlite_ask(sqlite,
                         "SELECT count(*) FROM sqlite_master WHERE lower(name) IN ('run', 'field', "
                         "'ligand', 'pose', 'structure', 'interaction', 'failure') AND "
                         "(type <> 'table' OR sql NOT LIKE 'CREATE TABLE%')",
                         NULL, &others, error));
    return others ? berth_fail_option(error, BERTH_E_USAGE, "db",
                                      "%s: has views in place of a database's tables; name "
                                      "another file",
                                      path)
                  : BERTH_OK;
}

enum berth_status store_check_kind(struct berth_sqlite *sqlite, const char *path, bool *empty,
                                   struct berth_error *error)
{
    int64_t tables, application, version;
    BERTH_TRY(berth_sqlite_ask(sqlite, "SELECT count(*) FROM sqlite_master", NULL, &tables, error));
    BERTH_TRY(berth_sqlite_ask(sqlite, "PRAGMA application_id", NULL, &application, error));
    BERTH_TRY(berth_sqlite_ask(sqlite, "PRAGMA user_version", NULL, &version, error));
    *empty = !tables;
    if (tables && application != APPLICATION) {
        return berth_fail_option(error, BERTH_E_USAGE, "db",
                                 "%s: is a database of something else; name another file", path);
    }
    return tables && version != VERSION
               ? berth_fail_option(error, BERTH_E_USAGE, "db",
                                   "%s: is a database of version %d, this program writes %d; name "
                                   "another file",
                                   path, (int)version, VERSION)
               : check_tables(sqlite, path, error);
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
    BERTH_TRY(berth_sqlite_open(there ? path : ":memory:", there, NULL, &sqlite, error));
    const enum berth_status status = store_check_kind(sqlite, path, &empty, error);
    berth_sqlite_close(sqlite);
    return status;
}

/* Removes what an earlier run has left under the name. */
static enum berth_status remove_rows(struct store *store, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof TABLES / sizeof *TABLES; i++) {
        status = berth_sqlite_run(store->sqlite, error, "DELETE FROM %s WHERE run = %lld",
                                  TABLES[i], (long long)store->number);
    }
    return status;
}

/* Begins the run in the file. */
static enum berth_status begin(struct store *store, const char *name, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    bool empty;
    BERTH_TRY(
        berth_sqlite_run(store->sqlite, error, "PRAGMA cache_size = -65536; BEGIN IMMEDIATE"));
    BERTH_TRY(store_check_kind(store->sqlite, store->run->path, &empty, error));
    if (empty) {
        BERTH_TRY(berth_sqlite_run(store->sqlite, error, "%s", berth_embedded_text("schema.sql")));
    }
    BERTH_TRY(berth_sqlite_ask(store->sqlite, "SELECT run FROM run WHERE name = ?1", name,
                               &store->number, error));
    if (store->number) {
        BERTH_TRY(remove_rows(store, error));
    } else {
        BERTH_TRY(berth_sqlite_ask(store->sqlite, "SELECT coalesce(max(run), 0) + 1 FROM run", NULL,
                                   &store->number, error));
    }
    enum berth_status status = berth_sqlite_prepare(
        store->sqlite, &statement, error,
        "INSERT INTO run (run, name, command, program, json) VALUES (?1, ?2, ?3, ?4, ?5)");
    if (!status) {
        berth_statement_set_integer(statement, 1, store->number);
        berth_statement_set_text(statement, 2, name);
        berth_statement_set_text(statement, 3, store->run->command);
        berth_statement_set_text(statement, 4, "berth " BERTH_VERSION);
        berth_statement_set_text(
            statement, 5, store->card.json.count ? (const char *)store->card.json.data : NULL);
        status = berth_statement_run(statement, error);
    }
    berth_statement_end(statement);
    return status;
}

/* --- Tables --- */

/* The row's fields as they were given to who wrote the table; owned: [columns], for those of which
 * berth_output_csv has altered something, which is rare. */
static enum berth_status take_texts(struct berth_csv *csv, struct berth_tag *cells, char **owned,
                                    struct berth_error *error)
{
    for (size_t i = 0; i < berth_csv_columns(csv); i++) {
        free(owned[i]);
        owned[i] = NULL;
        cells[i].value = berth_csv_field(csv, i);
        if (strpbrk(cells[i].value, "\\'")) {
            cells[i].value = owned[i] = berth_csv_text(csv, i);
            BERTH_TRY(owned[i] ? BERTH_OK : berth_out_of_memory(error, NULL));
        }
    }
    return BERTH_OK;
}

/* Adds a row of a table whose columns are ordinal, ligand and reason. */
static enum berth_status add_failure(struct berth_statement *insert, const struct berth_tag *cells,
                                     struct berth_error *error)
{
    char *end;
    const long long ordinal = strtoll(cells[0].value, &end, 10);
    berth_statement_set_text(insert, 1, NULL);
    if (*cells[0].value && !*end) {
        berth_statement_set_integer(insert, 1, ordinal);
    }
    berth_statement_set_text(insert, 2, cells[1].value);
    berth_statement_set_text(insert, 3, cells[2].value);
    return berth_statement_run(insert, error);
}

/* Adds all rows of a table: of scores, or, where there is a statement that inserts them, of
 * failures. */
static enum berth_status add_table(struct store *store, const char *path,
                                   struct berth_statement *failure, struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    struct berth_tag *cells = NULL;
    struct rows rows = {0};
    char **owned = NULL;
    bool end = false;
    BERTH_TRY(berth_csv_open(path, ',', &csv, error));
    const size_t count = berth_csv_columns(csv);
    enum berth_status status = berth_make(&cells, count, sizeof *cells, path, error);
    BERTH_THEN(berth_make(&owned, count, sizeof *owned, path, error));
    BERTH_THEN(berth_csv_next(csv, &end, error));
    if (!status && !end && failure && count != 3) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no table of failures", path);
    }
    for (size_t i = 0; !status && i < count; i++) {
        cells[i].name = berth_csv_column(csv, i);
    }
    if (!status && !end && !failure) {
        status = store_rows_begin(store, path, cells, count, &rows, error);
    }
    while (!status && !end) {
        status = take_texts(csv, cells, owned, error);
        BERTH_THEN(failure ? add_failure(failure, cells, error)
                           : store_row_add(store, &rows, cells, error));
        BERTH_THEN(berth_csv_next(csv, &end, error));
    }
    for (size_t i = 0; owned && i < count; i++) {
        free(owned[i]);
    }
    free(owned);
    free(cells);
    store_rows_end(&rows);
    berth_csv_close(csv);
    return status;
}

/* --- The run --- */

/* Finds the files of the run; name: [PATH_MAX], by which the database knows it. */
static void find_files(const struct berth_store_run *run, struct berth_run_files *files, char *name)
{
    const char *const named = run->folder ? run->folder : run->poses;
    berth_run_files_find(named, !run->folder, files);
    if (run->scores || !run->folder) {
        snprintf(files->scores, PATH_MAX, "%s", run->scores ? run->scores : "");
    }
    if (!run->folder) {
        snprintf(files->failures, PATH_MAX, "%s", run->failures ? run->failures : "");
    }
    char *const given[] = {files->scores, files->failures, files->poses};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        *given[i] = access(given[i], F_OK) ? '\0' : *given[i];
    }
    if (!realpath(named, name)) {
        snprintf(name, PATH_MAX, "%s", named);
    }
}

static enum berth_status add_tables(struct store *store, const struct berth_run_files *files,
                                    struct berth_error *error)
{
    struct berth_statement *failure = NULL;
    enum berth_status status = berth_sqlite_prepare(
        store->sqlite, &failure, error,
        "INSERT INTO failure (run, ordinal, ligand, reason) VALUES (%lld, ?1, ?2, ?3)",
        (long long)store->number);
    BERTH_THEN(*files->scores ? add_table(store, files->scores, NULL, error) : BERTH_OK);
    BERTH_THEN(*files->failures ? add_table(store, files->failures, failure, error) : BERTH_OK);
    berth_statement_end(failure);
    return status;
}

static void close_store(struct store *store)
{
    berth_statement_end(store->structure);
    berth_statement_end(store->interaction);
    for (size_t i = 0; i < store->count; i++) {
        free(store->fields[i].name);
        free(store->fields[i].column);
        free(store->fields[i].quoted);
    }
    free(store->fields);
    berth_run_card_clear(&store->card);
    berth_complexes_clear(&store->complexes);
}

enum berth_status berth_store_load(struct berth_sqlite *sqlite, const struct berth_store_run *run,
                                   struct berth_error *error)
{
    struct store store = {.run = run, .sqlite = sqlite};
    store.complexes = (struct berth_complexes){.run = &store.card,
                                               .receptors = run->receptors,
                                               .receptor_count = run->receptor_count,
                                               .instead = run->instead};
    struct berth_run_files files;
    char name[PATH_MAX];
    berth_run_card_start(&store.card);
    find_files(run, &files, name);
    enum berth_status status =
        *files.json ? berth_run_json_read(files.json, NULL, &store.card, error) : BERTH_OK;
    BERTH_THEN(begin(&store, name, error));
    BERTH_THEN(add_tables(&store, &files, error));
    if (!status && *files.poses) {
        status = store_poses_add(&store, files.poses, error);
    }
    BERTH_THEN(store_fields_write(&store, error));
    BERTH_THEN(berth_sqlite_run(store.sqlite, error, "COMMIT"));
    close_store(&store);
    return status;
}

enum berth_status berth_store_add(const struct berth_store_run *run, struct berth_error *error)
{
    struct berth_sqlite *sqlite;
    BERTH_TRY(berth_sqlite_open(run->path, true, &run->wait, &sqlite, error));
    const enum berth_status status = berth_store_load(sqlite, run, error);
    berth_sqlite_close(sqlite);
    return status;
}

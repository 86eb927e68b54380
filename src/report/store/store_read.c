/* A run of a database of results, as a table of scores and structures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "format/output.h"
#include "format/run_json.h"
#include "report/store/store_internal.h"

/* --- The run --- */

static enum berth_status find_run(struct berth_sqlite *sqlite, const char *path, const char *run,
                                  int64_t *number, struct berth_error *error)
{
    BERTH_TRY(berth_sqlite_ask(
        sqlite,
        "SELECT run FROM run WHERE ?1 IS NULL OR name = ?1 OR run = CAST(?1 AS INTEGER) OR "
        "substr(name, -length(?1) - 1) = '/' || ?1 ORDER BY run DESC",
        run, number, error));
    return *number ? BERTH_OK
                   : berth_fail_option(error, BERTH_E_USAGE, "run",
                                       "%s: no run %s; `sqlite3 %s 'SELECT run, name FROM run'` "
                                       "lists them",
                                       path, run ? run : "is in it", path);
}

enum berth_status berth_store_open(const char *path, const char *run, struct berth_sqlite **sqlite,
                                   int64_t *number, struct berth_error *error)
{
    bool empty;
    BERTH_TRY(berth_sqlite_open(path, false, NULL, sqlite, error));
    enum berth_status status = store_check_kind(*sqlite, path, &empty, error);
    BERTH_THEN(find_run(*sqlite, path, run, number, error));
    if (status) {
        berth_sqlite_close(*sqlite);
        *sqlite = NULL;
    }
    return status;
}

enum berth_status berth_store_card(struct berth_sqlite *sqlite, int64_t run,
                                   struct berth_run_card *card, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    bool end = true;
    enum berth_status status = berth_sqlite_prepare(
        sqlite, &statement, error, "SELECT json FROM run WHERE run = %lld", (long long)run);
    BERTH_THEN(berth_statement_next(statement, &end, error));
    if (!status && !end && *berth_statement_text(statement, 0)) {
        berth_bytes_put_text(&card->json, berth_statement_text(statement, 0));
        status = card->json.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
        if (!status) {
            berth_run_json_parse(card);
        }
    }
    berth_statement_end(statement);
    return status;
}

/* --- Its table --- */

/* Of a number, as many as one that is kept as such can have (store_rows.c). */
enum { DECIMALS_MAX = 15 };

/* Adds a column of one of the database's tables to the table and to the view's declaration. */
static enum berth_status add_column(struct berth_table *table, const char *name, const char *place,
                                    const char *column, int decimals, struct berth_bytes *view,
                                    struct berth_error *error)
{
    char *header = berth_output_csv_cell(name), *of = berth_sql_name(column);
    char *value = berth_table_value(table, name);
    char *cell = value ? berth_sql_text("cell(%s, %d)", value, decimals) : NULL;
    berth_bytes_print(view, "%s %s.%s AS %s", table->count ? "," : "", place, of ? of : "",
                      value ? value : "");
    enum berth_status status = berth_table_add(table, header ? header : "", value, cell, error);
    status = header && of ? status : berth_out_of_memory(error, NULL);
    free(header);
    free(of);
    return status;
}

/* The keys stand where scores.csv has them. */
static enum berth_status add_columns(struct berth_table *table, const char *path,
                                     struct berth_statement *fields, struct berth_bytes *view,
                                     struct berth_error *error)
{
    bool end = false, has_mode = false;
    enum berth_status status = add_column(table, "ordinal", "pose", "ordinal", 0, view, error);
    BERTH_THEN(berth_statement_next(fields, &end, error));
    while (!status && !end) {
        const char *place = berth_statement_text(fields, 1);
        const int64_t decimals = berth_statement_integer(fields, 3);
        if ((strcmp(place, "pose") && strcmp(place, "ligand")) || decimals < 0 ||
            decimals > DECIMALS_MAX) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "%s: is damaged: its table field has the place '%s' and %lld "
                              "decimals of a column",
                              path, place, (long long)decimals);
        }
        if (!has_mode && strcmp(place, "pose") == 0) {
            has_mode = true;
            status = add_column(table, "mode", "pose", "mode", 0, view, error);
        }
        BERTH_THEN(add_column(table, berth_statement_text(fields, 0), place,
                              berth_statement_text(fields, 2), (int)decimals, view, error));
        BERTH_THEN(berth_statement_next(fields, &end, error));
    }
    return status;
}

/* Of the run alone where statements speak of them; main.interaction is that of all runs. */
static const char *const TABLES[] = {"ligand", "pose", "structure", "interaction", "failure"};

enum berth_status berth_store_table(struct berth_sqlite *sqlite, const char *path, int64_t run,
                                    const char *name, struct berth_table *table,
                                    struct berth_error *error)
{
    struct berth_statement *fields = NULL;
    struct berth_bytes view = {0};
    *table = (struct berth_table){
        .sqlite = sqlite, .name = name, .order = "ordinal, mode", .line = "NULL"};
    enum berth_status status = berth_sqlite_prepare(
        sqlite, &fields, error,
        "SELECT name, place, \"column\", decimals FROM field WHERE run = %lld ORDER BY number",
        (long long)run);
    BERTH_THEN(add_columns(table, path, fields, &view, error));
    berth_bytes_put8(&view, 0);
    if (!status && view.failed) {
        status = berth_out_of_memory(error, path);
    }
    berth_statement_end(fields);
    BERTH_THEN(berth_sqlite_add_function(sqlite, "cell", berth_table_cell, NULL, error));
    /* the poses come first, by their key: rows are in its order */
    BERTH_THEN(berth_sqlite_run(
        sqlite, error,
        "CREATE TEMP VIEW \"%s\" AS SELECT%s FROM main.pose AS pose CROSS JOIN main.ligand AS "
        "ligand USING (run, ordinal) WHERE pose.run = %lld",
        name, (const char *)view.data, (long long)run));
    for (size_t i = 0; !status && i < sizeof TABLES / sizeof *TABLES; i++) {
        status = berth_sqlite_run(sqlite, error,
                                  "CREATE TEMP VIEW %s AS SELECT * FROM main.%s WHERE run = %lld",
                                  TABLES[i], TABLES[i], (long long)run);
    }
    berth_bytes_clear(&view);
    return status;
}

/* --- Its structures --- */

/* No packed byte holds more: a size above that is wrong, and nothing to make room for. */
enum { DEFLATE_MOST = 1032 };

enum berth_status berth_store_structure(const char *path, const struct berth_statement *row,
                                        struct berth_bytes *text, struct berth_error *error)
{
    size_t packed;
    const void *bytes = berth_statement_bytes(row, 1, &packed);
    const int64_t wanted = berth_statement_integer(row, 0);
    const bool likely = wanted > 0 && (uint64_t)wanted <= DEFLATE_MOST * (uint64_t)packed;
    uLongf size = likely ? (uLongf)wanted : 0;
    unsigned char *room;
    BERTH_TRY(berth_make(&room, size + 1, 1, path, error));
    const bool good = uncompress(room, &size, bytes, (uLong)packed) == Z_OK;
    text->count = 0;
    if (good) {
        berth_bytes_put(text, room, size);
    }
    free(room);
    return !good          ? berth_fail(error, BERTH_E_FORMAT, "%s: a structure is damaged", path)
           : text->failed ? berth_out_of_memory(error, path)
                          : BERTH_OK;
}

/* Those of a run on their way. */
struct stored {
    const char *path;
    struct berth_statement *statement;
    uint64_t count;
};

static enum berth_status next_stored(void *context, struct berth_record *record, bool *end,
                                     struct berth_error *error)
{
    struct stored *stored = context;
    berth_record_clear(record);
    BERTH_TRY(berth_statement_next(stored->statement, end, error));
    if (*end) {
        return BERTH_OK;
    }
    record->kind = BERTH_RECORD_SDF;
    record->number = ++stored->count;
    BERTH_TRY(berth_store_structure(stored->path, stored->statement, &record->text, error));
    const char *text = (const char *)record->text.data;
    const char *line_end = record->text.count ? memchr(text, '\n', record->text.count) : NULL;
    const size_t length = line_end ? (size_t)(line_end - text) : 0;
    BERTH_TRY(berth_make(&record->title, length + 1, 1, NULL, error));
    if (length) {
        memcpy(record->title, text, length);
    }
    return BERTH_OK;
}

enum berth_status berth_run_poses_each(const struct berth_run_poses *poses,
                                       const struct berth_pose_visitor *visitor, size_t *failed,
                                       struct berth_error *error)
{
    struct stored stored = {.path = poses->path};
    const struct berth_pose_source source = {poses->path, next_stored, NULL, &stored};
    if (!poses->sqlite) {
        return berth_pose_records_each(poses->path, visitor, failed, error);
    }
    enum berth_status status = berth_sqlite_prepare(
        poses->sqlite, &stored.statement, error,
        "SELECT bytes, sdf FROM main.structure LEFT JOIN main.ligand USING (run, ordinal) "
        "WHERE run = %lld ORDER BY rank IS NULL, rank, ordinal, mode",
        (long long)poses->run);
    BERTH_THEN(berth_poses_each(&source, visitor, failed, error));
    berth_statement_end(stored.statement);
    return status;
}

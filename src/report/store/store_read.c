/* A run's files out of a database of results. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/leftovers.h"
#include "base/memory.h"
#include "format/output.h"
#include "report/store/sqlite.h"
#include "report/store/store.h"

static const char *const FILES[] = {"scores.csv", "hits.sdf", "failures.csv", "run.json"};

/* Of a number, as many as one that is kept as such can have (store_rows.c). */
enum { DECIMALS_MAX = 15 };

struct reading {
    const char *path; /* borrowed; of the database */
    struct berth_sqlite *sqlite;
    int64_t run;
    int decimals[2048]; /* SQLite has no more columns; of those that the table of scores has */
    int columns;
};

/* Prepares a statement about the run, ?1. */
static enum berth_status prepare(struct reading *reading, const char *text,
                                 struct berth_statement **statement, struct berth_error *error)
{
    BERTH_TRY(berth_sqlite_prepare(reading->sqlite, text, statement, error));
    berth_statement_set_integer(*statement, 1, reading->run);
    return BERTH_OK;
}

static enum berth_status find_run(struct reading *reading, const char *run,
                                  struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    bool end = true;
    enum berth_status status = berth_sqlite_prepare(
        reading->sqlite,
        "SELECT run FROM run WHERE ?1 IS NULL OR name = ?1 OR run = CAST(?1 AS INTEGER) OR "
        "substr(name, -length(?1) - 1) = '/' || ?1 ORDER BY run DESC",
        &statement, error);
    if (!status) {
        berth_statement_set_text(statement, 1, run);
        status = berth_statement_next(statement, &end, error);
    }
    if (!status && !end) {
        reading->run = berth_statement_integer(statement, 0);
    } else if (!status) {
        status = berth_fail_option(error, BERTH_E_USAGE, "run",
                                   "%s: no run %s; `sqlite3 %s 'SELECT run, name FROM run'` lists "
                                   "them",
                                   reading->path, run ? run : "is in it", reading->path);
    }
    berth_statement_end(statement);
    return status;
}

static enum berth_status open_reading(struct reading *reading, const char *path, const char *run,
                                      struct berth_error *error)
{
    *reading = (struct reading){.path = path};
    BERTH_TRY(berth_store_check(path, error));
    BERTH_TRY(berth_sqlite_open(path, false, NULL, &reading->sqlite, error));
    return find_run(reading, run, error);
}

/* --- The table of scores --- */

static void print_quoted(struct berth_output *output, const char *name)
{
    for (; *name; name++) {
        berth_output_bytes(output, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    }
}

/* Writes the header to out, and to query the columns in the same order: the keys stand where
 * scores.csv has them. */
static enum berth_status list_columns(struct reading *reading, struct berth_output *query,
                                      struct berth_output *out, struct berth_error *error)
{
    struct berth_statement *fields = NULL;
    bool end = false, has_mode = false;
    enum berth_status status = prepare(
        reading,
        "SELECT name, place, \"column\", decimals FROM field WHERE run = ?1 ORDER BY number",
        &fields, error);
    berth_output_print(query, "SELECT pose.ordinal");
    berth_output_print(out, "ordinal");
    reading->columns = 1;
    BERTH_THEN(berth_statement_next(fields, &end, error));
    while (!status && !end && reading->columns + 1 < 2048) {
        const char *place = berth_statement_text(fields, 1);
        if (!has_mode && strcmp(place, "pose") == 0) {
            has_mode = true;
            reading->columns++;
            berth_output_print(query, ", pose.mode");
            berth_output_print(out, ",mode");
        }
        const int64_t decimals = berth_statement_integer(fields, 3);
        if ((strcmp(place, "pose") && strcmp(place, "ligand")) || decimals < 0 ||
            decimals > DECIMALS_MAX) {
            status = berth_fail(error, BERTH_E_FORMAT,
                                "%s: is damaged: its table field has the place '%s' and %lld "
                                "decimals of a column",
                                reading->path, place, (long long)decimals);
            break;
        }
        reading->decimals[reading->columns++] = (int)decimals;
        berth_output_print(query, ", %s.\"", place);
        print_quoted(query, berth_statement_text(fields, 2));
        berth_output_print(query, "\"");
        berth_output_print(out, ",");
        berth_output_csv(out, berth_statement_text(fields, 0), '\0');
        status = berth_statement_next(fields, &end, error);
    }
    berth_output_print(query, " FROM pose JOIN ligand USING (run, ordinal) WHERE run = ?1 "
                              "ORDER BY pose.ordinal, pose.mode");
    berth_output_print(out, "\n");
    berth_statement_end(fields);
    return status;
}

static void print_row(const struct reading *reading, const struct berth_statement *row,
                      struct berth_output *out)
{
    for (int i = 0; i < reading->columns; i++) {
        const char separator = i + 1 < reading->columns ? ',' : '\n';
        switch (berth_statement_kind(row, i)) {
        case BERTH_CELL_INTEGER:
            berth_output_print(out, "%lld%c", (long long)berth_statement_integer(row, i),
                               separator);
            break;
        case BERTH_CELL_REAL:
            berth_output_print(out, "%.*f%c", reading->decimals[i], berth_statement_real(row, i),
                               separator);
            break;
        default:
            berth_output_csv(out, berth_statement_text(row, i), separator);
        }
    }
}

static enum berth_status write_scores(struct reading *reading, const char *path,
                                      struct berth_error *error)
{
    struct berth_output *out = NULL, *query = NULL;
    struct berth_statement *rows = NULL;
    char *text = NULL;
    size_t size;
    bool end = false;
    enum berth_status status = berth_output_create(path, &out, error);
    BERTH_THEN(berth_output_create_memory(&text, &size, &query, error));
    BERTH_THEN(list_columns(reading, query, out, error));
    status = berth_output_finish(query, status, error);
    BERTH_THEN(prepare(reading, text, &rows, error));
    BERTH_THEN(berth_statement_next(rows, &end, error));
    while (!status && !end) {
        print_row(reading, rows, out);
        status = berth_statement_next(rows, &end, error);
    }
    berth_statement_end(rows);
    free(text);
    return berth_output_finish(out, status, error);
}

/* --- The other files --- */

/* No packed byte holds more: a size above that is wrong, and nothing to make room for. */
enum { DEFLATE_MOST = 1032 };

static enum berth_status print_structure(const struct reading *reading,
                                         const struct berth_statement *row,
                                         struct berth_output *out, struct berth_error *error)
{
    size_t packed;
    const void *bytes = berth_statement_bytes(row, 1, &packed);
    const int64_t wanted = berth_statement_integer(row, 0);
    const bool likely = wanted > 0 && (uint64_t)wanted <= DEFLATE_MOST * (uint64_t)packed;
    uLongf size = likely ? (uLongf)wanted : 0;
    unsigned char *text;
    BERTH_TRY(berth_make(&text, size + 1, 1, reading->path, error));
    const bool good = uncompress(text, &size, bytes, (uLong)packed) == Z_OK;
    if (good) {
        berth_output_bytes(out, text, size);
    }
    free(text);
    return good ? BERTH_OK
                : berth_fail(error, BERTH_E_FORMAT, "%s: a structure is damaged", reading->path);
}

static enum berth_status print_failure(const struct reading *reading,
                                       const struct berth_statement *row, struct berth_output *out,
                                       struct berth_error *error)
{
    (void)reading;
    (void)error;
    for (int i = 0; i < 3; i++) {
        berth_output_csv(out, berth_statement_text(row, i), i < 2 ? ',' : '\n');
    }
    return BERTH_OK;
}

static enum berth_status print_json(const struct reading *reading,
                                    const struct berth_statement *row, struct berth_output *out,
                                    struct berth_error *error)
{
    const char *text = berth_statement_text(row, 0);
    (void)reading;
    (void)error;
    berth_output_bytes(out, text, strlen(text));
    return BERTH_OK;
}

/* A file made of the rows of a statement. */
struct unpacked {
    const char *name, *head, *rows;
    enum berth_status (*print)(const struct reading *reading, const struct berth_statement *row,
                               struct berth_output *out, struct berth_error *error);
};

static enum berth_status unpack(struct reading *reading, const struct unpacked *file,
                                const char *folder, struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_output *out = NULL;
    struct berth_statement *rows = NULL;
    bool end = false;
    BERTH_TRY(berth_path_in(folder, file->name, path, sizeof path, error));
    enum berth_status status = prepare(reading, file->rows, &rows, error);
    BERTH_THEN(berth_output_create(path, &out, error));
    if (!status) {
        berth_output_print(out, "%s", file->head);
        status = berth_statement_next(rows, &end, error);
    }
    while (!status && !end) {
        status = file->print(reading, rows, out, error);
        BERTH_THEN(berth_statement_next(rows, &end, error));
    }
    berth_statement_end(rows);
    return berth_output_finish(out, status, error);
}

enum berth_status berth_store_make_folder(char folder[PATH_MAX], struct berth_error *error)
{
    const char *named = getenv("TMPDIR");
    snprintf(folder, PATH_MAX, "%s/berth-XXXXXX", named && *named ? named : "/tmp");
    if (!mkdtemp(folder)) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s", folder);
        *folder = '\0';
        return berth_io_error(path, "make the folder", errno, error);
    }
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        char path[PATH_MAX];
        BERTH_TRY(berth_path_in(folder, FILES[i], path, sizeof path, error));
        berth_leftovers_add(path);
    }
    berth_leftovers_add(folder);
    return BERTH_OK;
}

enum berth_status berth_store_unpack(const char *path, const char *run, bool scores_alone,
                                     char folder[PATH_MAX], struct berth_error *error)
{
    static const struct unpacked OTHERS[] = {
        {"hits.sdf", "",
         "SELECT bytes, sdf FROM structure JOIN ligand USING (run, ordinal) WHERE run = ?1 "
         "ORDER BY rank IS NULL, rank, structure.ordinal, mode",
         print_structure},
        {"failures.csv", "ordinal,ligand,reason\n",
         "SELECT ordinal, ligand, reason FROM failure WHERE run = ?1 ORDER BY rowid",
         print_failure},
        {"run.json", "", "SELECT json FROM run WHERE run = ?1", print_json}};
    struct reading reading;
    char scores[PATH_MAX];
    *folder = '\0';
    enum berth_status status = open_reading(&reading, path, run, error);
    BERTH_THEN(berth_store_make_folder(folder, error));
    BERTH_THEN(berth_path_in(folder, FILES[0], scores, sizeof scores, error));
    BERTH_THEN(write_scores(&reading, scores, error));
    for (size_t i = 0; !status && !scores_alone && i < sizeof OTHERS / sizeof *OTHERS; i++) {
        status = unpack(&reading, &OTHERS[i], folder, error);
    }
    berth_sqlite_close(reading.sqlite);
    return status;
}

void berth_store_remove(const char *folder, const struct berth_log *log)
{
    char path[PATH_MAX];
    for (size_t i = 0; *folder && i < sizeof FILES / sizeof *FILES; i++) {
        if (!berth_path_in(folder, FILES[i], path, sizeof path, NULL)) {
            unlink(path);
            berth_leftovers_forget(path);
        }
    }
    if (*folder && rmdir(folder) != 0) {
        berth_warn(log, NULL, "%s: cannot remove this temporary folder: %s", folder,
                   strerror(errno));
    }
    berth_leftovers_forget(folder);
}

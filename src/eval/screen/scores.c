#include "eval/screen/scores.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "eval/analysis.h"
#include "format/output.h"
#include "format/poses.h"
#include "format/run_json.h"
#include "score/fields.h"
#include "score/ranking.h"
#include "screen/preparation.h"

/* --- Where they are --- */

void berth_run_files_find(const char *results, bool are_poses, struct berth_run_files *files)
{
    const struct {
        char *path;
        const char *names[4], *endings[3]; /* NULL behind the last one */
    } all[] = {{files->scores, {"scores.csv", "scores.csv.gz"}, {"csv", "csv.gz"}},
               {files->poses, {"hits.sdf", "poses.sdf", "poses.sdf.gz"}, {NULL}},
               {files->failures, {"failures.csv", "poses.failures.csv"}, {"failures.csv"}},
               {files->json, {"run.json", "poses.run.json"}, {"run.json"}},
               {files->redock, {"redock.csv"}, {NULL}},
               {files->pockets, {"poses.pockets.csv"}, {"pockets.csv"}},
               {files->agreed, {"poses.agreed.csv"}, {"agreed.csv"}}};
    struct berth_error ignored;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *const *name = are_poses ? all[i].endings : all[i].names;
        enum berth_status status = BERTH_E_IO;
        for (; *name && status; name++) {
            if (are_poses) {
                berth_output_beside(results, *name, all[i].path, PATH_MAX);
                status = BERTH_OK;
            } else {
                status = berth_path_in(results, *name, all[i].path, PATH_MAX, &ignored);
            }
            status = status || access(all[i].path, F_OK) ? BERTH_E_IO : BERTH_OK;
        }
        *all[i].path = status ? '\0' : *all[i].path;
    }
    if (are_poses) {
        snprintf(files->poses, PATH_MAX, "%s", results);
    }
}

enum berth_status berth_scores_await(const char *folder, struct berth_error *error)
{
    char journal[PATH_MAX];
    snprintf(journal, sizeof journal, "%s/journal", folder);
    return access(journal, F_OK) == 0
               ? berth_fail_option(error, BERTH_E_IO, "resume",
                                   "%s: its screen is not finished, and writes scores.csv in the "
                                   "end; unless it is running, repeat its command to go on",
                                   folder)
               : BERTH_OK;
}

enum berth_status berth_scores_find(const char *results, char path[PATH_MAX],
                                    struct berth_error *error)
{
    struct stat facts;
    const struct berth_pose_format *format;
    struct berth_error ignored;
    if (!berth_pose_format_of(results, &format, &ignored)) {
        const char *name = berth_file_name(results);
        berth_output_beside(results, "csv", path, PATH_MAX);
        if (access(path, R_OK) == 0) {
            return BERTH_OK;
        }
        char table[PATH_MAX]; /* of a screen's hits.sdf */
        snprintf(table, sizeof table, "%.*sscores.csv", (int)(name - results), results);
        if (strcmp(name, "hits.sdf") == 0 && access(table, R_OK) == 0) {
            snprintf(path, PATH_MAX, "%s", table);
            return BERTH_OK;
        }
        return berth_fail(
            error, BERTH_E_USAGE,
            "%s holds poses, and their scores would be in %s, which is not there; name "
            "the table that was written beside them (scores)",
            results, path);
    }
    snprintf(path, PATH_MAX, "%s", results);
    if (strcmp(results, "-") == 0 || stat(results, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return BERTH_OK; /* who opens it says what is wrong with it */
    }
    for (int packed = 0; packed < 2; packed++) {
        snprintf(path, PATH_MAX, "%s/scores.csv%s", results, packed ? ".gz" : "");
        if (stat(path, &facts) == 0) {
            return BERTH_OK;
        }
    }
    BERTH_TRY(berth_scores_await(results, error));
    return berth_fail(error, BERTH_E_IO,
                      "%s: holds no scores.csv; name the table itself, or the folder of a screen",
                      results);
}

enum berth_status berth_screen_library_find(const char *results, char library[PATH_MAX],
                                            bool *found, struct berth_error *error)
{
    struct berth_run_card run;
    char path[PATH_MAX];
    struct berth_error why; /* why results are no screen's folder */
    *found = !berth_path_in(results, BERTH_SCREEN_LIBRARY, library, PATH_MAX, &why) &&
             access(library, R_OK) == 0;
    if (*found || berth_path_in(results, "run.json", path, sizeof path, &why) ||
        access(path, R_OK)) {
        return BERTH_OK;
    }
    const enum berth_status status = berth_run_json_read(path, NULL, &run, error);
    snprintf(library, PATH_MAX, "%s", run.files.library);
    berth_run_card_clear(&run);
    *found = !status && access(library, R_OK) == 0;
    return status;
}

const char *const BERTH_SCORES_NAMED[BERTH_SCORES_COLUMNS][BERTH_SCORES_NAMES] = {
    [BERTH_SCORES_NAME] = {BERTH_COLUMN_LIGAND, "name"},
    [BERTH_SCORES_RANK] = {BERTH_COLUMN_RANKING, BERTH_COLUMN_SCORE, "total", BERTH_COLUMN_ENERGY},
    [BERTH_SCORES_ORDINAL] = {BERTH_COLUMN_ORDINAL},
    [BERTH_SCORES_MODE] = {BERTH_COLUMN_MODE},
    [BERTH_SCORES_HEAVY_ATOMS] = {BERTH_COLUMN_HEAVY_ATOMS},
    [BERTH_SCORES_STATE_OF] = {BERTH_COLUMN_STATE_OF},
    [BERTH_SCORES_INPUT_SMILES] = {BERTH_COLUMN_INPUT_SMILES},
    [BERTH_SCORES_SMILES] = {BERTH_COLUMN_SMILES},
    [BERTH_SCORES_OPEN_STEREO] = {BERTH_COLUMN_OPEN_STEREO}};

void berth_scores_columns_find(const struct berth_csv *csv, size_t columns[BERTH_SCORES_COLUMNS])
{
    for (int i = 0; i < BERTH_SCORES_COLUMNS; i++) {
        const char *const *names = BERTH_SCORES_NAMED[i];
        columns[i] = SIZE_MAX;
        for (int k = 0; csv && k < BERTH_SCORES_NAMES && names[k] && columns[i] == SIZE_MAX; k++) {
            columns[i] = berth_csv_find(csv, names[k]);
        }
    }
}

const char *berth_scores_field(const struct berth_csv *csv, size_t column)
{
    return column != SIZE_MAX ? berth_csv_field(csv, column) : "";
}

double berth_scores_number(const struct berth_csv *csv, size_t column, double otherwise)
{
    double value;
    return column != SIZE_MAX && berth_csv_real(csv, column, &value) ? value : otherwise;
}

char *berth_ligand_molecule(const struct berth_csv *csv, const size_t columns[BERTH_SCORES_COLUMNS])
{
    const bool said = *berth_scores_field(csv, columns[BERTH_SCORES_STATE_OF]);
    return berth_csv_text(csv, columns[said ? BERTH_SCORES_STATE_OF : BERTH_SCORES_NAME]);
}

/* --- Reading them --- */

/* The columns that are read. */
struct columns {
    size_t of[BERTH_SCORES_COLUMNS]; /* what ranks is SIZE_MAX where an expression is the score: */
    struct berth_ranking *ranking;   /* owned */
    const size_t *looked;            /* [looked_count]: what the expression looks at */
    size_t looked_count;
    double *cells; /* owned; [looked_count]: those of a row */
};

static enum berth_status read_expression(const struct berth_csv *csv, const char *by,
                                         struct columns *columns, struct berth_error *error)
{
    const char **names = NULL;
    const size_t count = berth_csv_columns(csv);
    enum berth_status status = berth_make(&names, count, sizeof *names, NULL, error);
    for (size_t i = 0; !status && i < count; i++) {
        names[i] = berth_csv_column(csv, i);
    }
    BERTH_THEN(berth_ranking_create("column", by, names, count, &columns->ranking, error));
    free(names);
    if (!status && !berth_ranking_is_plain(columns->ranking)) {
        status =
            berth_fail(error, BERTH_E_USAGE,
                       "column: '%s' looks at all rows (z, rank): rank by it first, with `berth "
                       "merge --rank`",
                       by);
    }
    if (!status) {
        columns->looked_count = berth_ranking_columns(columns->ranking, &columns->looked);
        status =
            berth_make(&columns->cells, columns->looked_count, sizeof *columns->cells, NULL, error);
    }
    if (status) {
        error->option = "column";
    }
    return status;
}

/* The caller frees what columns has, also after an error. */
static enum berth_status find_columns(const struct berth_csv *csv, const char *path, const char *by,
                                      struct columns *columns, struct berth_error *error)
{
    size_t *score = &columns->of[BERTH_SCORES_RANK];
    *columns = (struct columns){.looked_count = 0};
    berth_scores_columns_find(csv, columns->of);
    *score = by ? berth_csv_find(csv, by) : *score;
    if (columns->of[BERTH_SCORES_NAME] == SIZE_MAX) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no column ligand or name", path);
    }
    if (*score == SIZE_MAX && by) {
        return strpbrk(by, " ()+-*/^") == NULL
                   ? berth_fail(error, BERTH_E_USAGE, "%s: no column %s", path, by)
                   : read_expression(csv, by, columns, error);
    }
    return *score != SIZE_MAX
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_FORMAT, "column",
                                   "%s: no column score, total or energy; name the one that ranks",
                                   path);
}

/* The row's score; *known is false where it has none. */
static enum berth_status read_score(const struct berth_csv *csv, const struct columns *columns,
                                    double *score, bool *known, struct berth_error *error)
{
    if (columns->of[BERTH_SCORES_RANK] != SIZE_MAX) {
        *known = berth_csv_real(csv, columns->of[BERTH_SCORES_RANK], score);
        return BERTH_OK;
    }
    for (size_t k = 0; k < columns->looked_count; k++) {
        if (!berth_csv_real(csv, columns->looked[k], &columns->cells[k])) {
            columns->cells[k] = berth_column_blank(berth_csv_column(csv, columns->looked[k]));
        }
    }
    BERTH_TRY(berth_ranking_values(columns->ranking, columns->cells, 1, score, error));
    *known = isfinite(*score);
    return BERTH_OK;
}

/* Puts the field as it was given to who wrote the table. */
static void put_text(const struct berth_csv *csv, size_t column, struct berth_bytes *texts)
{
    char *text = berth_csv_text(csv, column);
    berth_bytes_put_text(texts, text);
    texts->failed = texts->failed || !text;
    free(text);
}

static enum berth_status add_row(const struct berth_csv *csv, const struct columns *columns,
                                 struct berth_score_table *table, struct berth_error *error)
{
    const size_t *of = columns->of;
    const char *open = berth_scores_field(csv, of[BERTH_SCORES_OPEN_STEREO]);
    double score = NAN;
    bool known;
    put_text(csv, of[BERTH_SCORES_NAME], &table->names);
    if (of[BERTH_SCORES_STATE_OF] != SIZE_MAX) {
        put_text(csv, of[BERTH_SCORES_STATE_OF], &table->states);
    }
    if (*berth_scores_field(csv, of[BERTH_SCORES_SMILES])) {
        put_text(csv, of[BERTH_SCORES_SMILES], &table->forms);
        table->forms.count -= !table->forms.failed;
        berth_bytes_put(&table->forms, " ", 1); /* what is open tells these SMILES apart */
        berth_bytes_put_text(&table->forms, open);
    } else if (of[BERTH_SCORES_SMILES] != SIZE_MAX) {
        berth_bytes_put_text(&table->forms, "");
    }
    BERTH_TRY(read_score(csv, columns, &score, &known, error));
    table->scored += known;
    berth_bytes_put8(&table->open, *open != '\0');
    berth_column_put(&table->scores, known ? score : NAN);
    berth_column_put(&table->heavy_atoms,
                     berth_scores_number(csv, of[BERTH_SCORES_HEAVY_ATOMS], NAN));
    return BERTH_OK;
}

enum berth_status berth_score_table_take(struct berth_csv *csv, const char *path, const char *by,
                                         struct berth_score_table *table, struct berth_error *error)
{
    struct columns columns = {0};
    bool end = false;
    memset(table, 0, sizeof *table);
    snprintf(table->path, sizeof table->path, "%s", path);
    enum berth_status status = find_columns(csv, path, by, &columns, error);
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        status = add_row(csv, &columns, table, error);
    }
    berth_ranking_destroy(columns.ranking);
    free(columns.cells);
    if (!status && !table->scored) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no ligand with a score", path);
    }
    return status;
}

enum berth_status berth_score_table_read(const char *results, const char *by,
                                         struct berth_score_table *table, struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    char path[PATH_MAX];
    memset(table, 0, sizeof *table);
    BERTH_TRY(berth_scores_find(results, path, error));
    BERTH_TRY(berth_csv_open(path, ',', &csv, error));
    const enum berth_status status = berth_score_table_take(csv, path, by, table, error);
    berth_csv_close(csv);
    return status;
}

void berth_score_table_put(const struct berth_score_table *table, struct berth_bytes *request)
{
    struct berth_bytes fields = {0};
    berth_request_put_text(&fields, "path", table->path);
    berth_request_put_bytes(&fields, "names", &table->names);
    berth_request_put_bytes(&fields, "states", &table->states);
    berth_request_put_bytes(&fields, "forms", &table->forms);
    berth_request_put_bytes(&fields, "open", &table->open);
    berth_request_put_bytes(&fields, "scores", &table->scores);
    berth_request_put_bytes(&fields, "heavy_atoms", &table->heavy_atoms);
    berth_request_put_bytes(request, "result", &fields);
    berth_bytes_clear(&fields);
}

void berth_score_table_clear(struct berth_score_table *table)
{
    struct berth_bytes *const columns[] = {&table->names, &table->states, &table->forms,
                                           &table->open,  &table->scores, &table->heavy_atoms};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        berth_bytes_clear(columns[i]);
    }
}

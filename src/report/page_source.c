/* Where the page's tables and poses are: in the files of a folder, or beside poses; in a database;
 * and of poses that have no table the scores in their own tags. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "eval/screen/scores.h"
#include "format/output.h"
#include "format/poses.h"
#include "format/run_json.h"
#include "report/page_internal.h"
#include "score/fields.h"

enum berth_status page_table_open(const char *path, const char *text, struct berth_csv **csv,
                                  struct berth_error *error)
{
    return text ? berth_csv_open_memory(path, text, strlen(text), ',', csv, error)
                : berth_csv_open(path, ',', csv, error);
}

/* --- Tags of poses --- */

/* Columns of what is read of a table that stands in tags: not what is known of molecules. */
enum { TAGGED = BERTH_SCORES_SMILES, NAMES = BERTH_SCORES_NAMES };

/* A table of them, on its way. */
struct tabulating {
    struct berth_output *output;
    bool begun, has[TAGGED * NAMES]; /* as the first pose has tags */
};

/* The name of a column and, of a pose, its cell; NULL: there is no such column. */
static const char *name_at(size_t i)
{
    return BERTH_SCORES_NAMED[i / NAMES][i % NAMES];
}

static const char *cell_at(const struct berth_read_pose *pose, size_t i)
{
    return i ? berth_pose_tag(pose, name_at(i)) : pose->record.title ? pose->record.title : "";
}

/* Puts a row, in front of the first one their names. */
static enum berth_status tabulate(void *context, const struct berth_read_pose *pose,
                                  struct berth_error *error)
{
    struct tabulating *tabulating = context;
    const bool begins = !tabulating->begun;
    tabulating->begun = true;
    for (size_t i = 0; begins && i < TAGGED * NAMES; i++) {
        tabulating->has[i] = !i || (name_at(i) && *cell_at(pose, i));
        if (tabulating->has[i]) {
            berth_output_print(tabulating->output, "%s%s", i ? "," : "", name_at(i));
        }
    }
    for (size_t i = 0; i < TAGGED * NAMES; i++) {
        if (tabulating->has[i]) {
            berth_output_print(tabulating->output, i ? "," : "\n");
            berth_output_csv(tabulating->output, cell_at(pose, i), '\0');
        }
    }
    return begins && !*berth_pose_tag(pose, BERTH_COLUMN_SCORE) &&
                   !*berth_pose_tag(pose, BERTH_COLUMN_ENERGY)
               ? berth_fail(error, BERTH_E_USAGE, "it has no score")
               : BERTH_OK;
}

/* Makes the table of scores of poses that have none beside them. */
static enum berth_status use_tags(struct page *page, struct berth_error *error)
{
    struct tabulating tabulating = {.begun = false};
    const struct berth_pose_visitor visitor = {
        .visit = tabulate, .context = &tabulating, .stop = page->settings->stop};
    char beside[PATH_MAX];
    size_t failed, size;
    snprintf(page->files.scores, sizeof page->files.scores, "%s", page->files.poses);
    BERTH_TRY(berth_output_create_memory(&page->scores_text, &size, &tabulating.output, error));
    enum berth_status status = berth_run_poses_each(&page->source, &visitor, &failed, error);
    berth_output_print(tabulating.output, "\n");
    status = berth_output_finish(tabulating.output, status, error);
    berth_output_beside(page->settings->folder, "csv", beside, sizeof beside);
    return status == BERTH_E_USAGE && !berth_is_stopped(page->settings->stop)
               ? berth_fail_option(error, BERTH_E_IO, "scores",
                                   "%s: no %s beside it, the table of scores, and no scores of its "
                                   "own (tags of SDF); dock again with the same seed and --scores "
                                   "%s, or name the table",
                                   page->settings->folder, beside, beside)
               : status;
}

/* --- A database --- */

/* What a statement gives, as a table. */
static enum berth_status tabulate_rows(struct berth_sqlite *sqlite, const char *columns,
                                       const char *table, char **text, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    struct berth_output *output = NULL;
    bool end = false;
    size_t size;
    enum berth_status status =
        berth_sqlite_prepare(sqlite, &statement, error, "SELECT %s FROM temp.%s", columns, table);
    BERTH_THEN(berth_output_create_memory(text, &size, &output, error));
    const int count = status ? 0 : berth_statement_columns(statement);
    for (int i = 0; i < count; i++) {
        berth_output_csv(output, berth_statement_column(statement, i), i + 1 < count ? ',' : '\n');
    }
    BERTH_THEN(berth_statement_next(statement, &end, error));
    while (!status && !end) {
        for (int i = 0; i < count; i++) {
            berth_output_csv(output, berth_statement_text(statement, i),
                             i + 1 < count ? ',' : '\n');
        }
        status = berth_statement_next(statement, &end, error);
    }
    berth_statement_end(statement);
    return berth_output_finish(output, status, error);
}

static enum berth_status use_database(struct page *page, struct berth_error *error)
{
    const char *path = page->settings->folder;
    struct berth_table table = {.name = NULL};
    char columns[1024] = "";
    int64_t run;
    if (page->settings->view) {
        return berth_fail_option(error, BERTH_E_USAGE, "view",
                                 "view: a script opens files, which a database is none of; give "
                                 "the run's folder");
    }
    BERTH_TRY(berth_store_open(path, page->settings->run, &page->sqlite, &run, error));
    page->source = (struct berth_run_poses){page->files.poses, page->sqlite, run};
    snprintf(page->files.poses, sizeof page->files.poses, "%s", path);
    snprintf(page->files.scores, sizeof page->files.scores, "%s", path);
    snprintf(page->files.failures, sizeof page->files.failures, "%s", path);
    enum berth_status status = berth_store_card(page->sqlite, run, &page->run, error);
    BERTH_THEN(berth_store_table(page->sqlite, path, run, "score", &table, error));
    for (size_t i = 0; !status && i < BERTH_SCORES_COLUMNS * NAMES; i++) {
        const size_t column = name_at(i) ? berth_table_find(&table, name_at(i)) : SIZE_MAX;
        if (column != SIZE_MAX) {
            berth_text_append(columns, sizeof columns, "%s%s", *columns ? ", " : "",
                              table.columns[column].value);
        }
    }
    BERTH_THEN(tabulate_rows(page->sqlite, columns, "score", &page->scores_text, error));
    BERTH_THEN(
        tabulate_rows(page->sqlite, "ligand, reason", "failure", &page->failures_text, error));
    berth_table_clear(&table);
    return status;
}

/* --- All of them --- */

static enum berth_status use_files(struct page *page, struct berth_error *error)
{
    const struct berth_page_settings *settings = page->settings;
    const struct berth_pose_format *format;
    struct berth_error ignored;
    if (settings->run) {
        return berth_fail_option(error, BERTH_E_USAGE, "run",
                                 "run: %s is no database, of which it names a run",
                                 settings->folder);
    }
    page->named = !berth_pose_format_of(settings->folder, &format, &ignored);
    berth_run_files_find(settings->folder, page->named, &page->files);
    if (!*page->files.scores && !settings->scores && !*page->files.redock && !page->named) {
        BERTH_TRY(berth_scores_await(settings->folder, error));
        return berth_fail(error, BERTH_E_IO,
                          "%s: no scores.csv; give the folder of a screen, of `eval redock`, or of "
                          "a docking that wrote its table there, or the poses of one (.sdf)",
                          settings->folder);
    }
    page->source = (struct berth_run_poses){.path = page->files.poses};
    return *page->files.json
               ? berth_run_json_read(page->files.json, settings->stop, &page->run, error)
               : BERTH_OK;
}

enum berth_status page_sources_find(struct page *page, struct berth_error *error)
{
    const struct berth_page_settings *settings = page->settings;
    BERTH_TRY(berth_sqlite_is_file(settings->folder) ? use_database(page, error)
                                                     : use_files(page, error));
    if (settings->poses) {
        snprintf(page->files.poses, sizeof page->files.poses, "%s", settings->poses);
        page->source = (struct berth_run_poses){.path = page->files.poses};
    }
    if (settings->scores) {
        snprintf(page->files.scores, sizeof page->files.scores, "%s", settings->scores);
        free(page->scores_text);
        page->scores_text = NULL;
    }
    return *page->files.scores || !page->named ? BERTH_OK : use_tags(page, error);
}

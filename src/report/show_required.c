/* Poses that a run has left, beside the table or in the database: which of them make the
 * interactions that are required, and the structures of rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "dock/requirement.h"
#include "eval/pose_records.h"
#include "format/run_json.h"
#include "report/show_internal.h"

enum berth_status poses_find(const struct show *show, const char *option, char path[PATH_MAX],
                             struct berth_error *error)
{
    berth_output_beside(show->path, "sdf", path, PATH_MAX);
    if (access(path, F_OK)) {
        struct berth_run_files files = {.poses = ""};
        if (*show->folder) {
            berth_run_files_find(show->folder, false, &files);
        }
        snprintf(path, PATH_MAX, "%s", files.poses);
    }
    return *path
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, option, "%s: there are no poses beside %s",
                                   option, show->settings->results);
}

/* Shows the visitor all poses. */
static enum berth_status each_pose(struct show *show, const struct berth_pose_visitor *visitor,
                                   const char *option, struct berth_error *error)
{
    char path[PATH_MAX];
    size_t failed;
    const struct berth_run_poses poses = {.path = show->stored ? show->path : path,
                                          .sqlite = show->stored ? show->sqlite : NULL,
                                          .run = show->run};
    BERTH_TRY(show->stored ? BERTH_OK : poses_find(show, option, path, error));
    return berth_run_poses_each(&poses, visitor, &failed, error);
}

static void set_key(struct berth_statement *statement, const char *ordinal, const char *mode)
{
    berth_statement_set_integer(statement, 1, strtoll(ordinal, NULL, 10));
    berth_statement_set_integer(statement, 2, strtoll(mode, NULL, 10));
}

/* --- What is required --- */

/* A pass over the poses. */
struct pass {
    struct berth_requirements required;
    struct berth_requirement_counts counts;
    struct berth_complexes complexes; /* owned */
    struct berth_statement *insert;   /* owned */
};

/* The complex of the receptor that a pose is in; of each one it is checked what is required. */
static enum berth_status find_complex(struct pass *pass, const struct berth_read_pose *pose,
                                      struct berth_complex **complex, struct berth_error *error)
{
    const size_t known = pass->complexes.count;
    BERTH_TRY(
        berth_complexes_find(&pass->complexes, berth_pose_tag(pose, "receptor"), complex, error));
    return pass->complexes.count > known
               ? berth_requirements_check(&pass->required, *complex, error)
               : BERTH_OK;
}

static enum berth_status look(void *context, const struct berth_read_pose *pose,
                              struct berth_error *error)
{
    struct pass *pass = context;
    struct berth_interactions found = {0};
    struct berth_complex *complex;
    enum berth_status status = find_complex(pass, pose, &complex, error);
    status = status == BERTH_E_FORMAT ? BERTH_E_USAGE : status; /* not one pose's */
    BERTH_THEN(berth_read_pose_put(pose, complex, error));
    BERTH_THEN(berth_interactions_find(complex, &pose->molecule, &found, error));
    if (!status && berth_requirements_count(&pass->required, complex, &found, &pass->counts)) {
        set_key(pass->insert, berth_pose_tag(pose, "ordinal"), berth_pose_tag(pose, "mode"));
        status = berth_statement_run(pass->insert, error);
    }
    berth_interactions_clear(&found);
    return status;
}

/* The run that the poses are of. */
static enum berth_status find_run(struct show *show, struct berth_error *error)
{
    const char *receptor = show->settings->receptor;
    char path[PATH_MAX] = "";
    BERTH_TRY(show->stored ? BERTH_OK : poses_find(show, "require", path, error));
    BERTH_TRY(show_card(show, path, error));
    if (receptor) {
        berth_run_check_receptor(&show->card, receptor, show->settings->log);
    }
    return BERTH_OK;
}

enum berth_status required_find(struct show *show, struct berth_error *error)
{
    const struct berth_show_settings *settings = show->settings;
    struct pass pass = {.complexes = {.run = &show->card,
                                      .receptors = &settings->receptor,
                                      .receptor_count = settings->receptor != NULL,
                                      .instead = settings->receptor != NULL,
                                      .log = settings->log}};
    const struct berth_pose_visitor visitor = {
        .visit = look, .context = &pass, .log = settings->log, .receptor = settings->receptor};
    if (show->ordinal == SIZE_MAX || show->mode == SIZE_MAX) {
        return berth_fail_option(error, BERTH_E_USAGE, "require",
                                 "require: %s has no columns ordinal and mode", show->path);
    }
    BERTH_TRY(berth_requirements_read(settings->require, &pass.required, error));
    BERTH_TRY(berth_sqlite_run(show->sqlite, error,
                               "CREATE TEMP TABLE required (ordinal INTEGER, mode INTEGER, "
                               "PRIMARY KEY (ordinal, mode)) WITHOUT ROWID"));
    enum berth_status status = berth_sqlite_prepare(
        show->sqlite, &pass.insert, error, "INSERT OR IGNORE INTO temp.required VALUES (?1, ?2)");
    BERTH_THEN(find_run(show, error));
    BERTH_THEN(each_pose(show, &visitor, "require", error));
    if (settings->receptor && pass.complexes.count) {
        BERTH_THEN(
            berth_complex_reached(&pass.complexes.opened->complex, settings->receptor, error));
    }
    if (!status) {
        berth_requirements_tell(&pass.required, &pass.counts, settings->log);
    }
    BERTH_THEN(berth_sqlite_ask(show->sqlite, "SELECT count(DISTINCT ordinal) FROM temp.required",
                                NULL, &show->required, error));
    berth_statement_end(pass.insert);
    berth_complexes_clear(&pass.complexes);
    return status;
}

/* --- Structures of rows --- */

enum berth_status structures_begin(struct show *show, struct berth_error *error)
{
    return berth_sqlite_run(show->sqlite, error,
                            "CREATE TEMP TABLE chosen (ordinal INTEGER, mode INTEGER, tags, sdf);"
                            "CREATE INDEX temp.chosen_by_pose ON chosen (ordinal, mode)");
}

enum berth_status structures_choose(struct show *show, const char *ordinal, const char *mode,
                                    const struct berth_bytes *tags, struct berth_error *error)
{
    if (!show->choose) {
        BERTH_TRY(berth_sqlite_prepare(
            show->sqlite, &show->choose, error,
            "INSERT INTO temp.chosen (ordinal, mode, tags) VALUES (?1, ?2, ?3)"));
    }
    set_key(show->choose, ordinal, mode);
    berth_statement_set_bytes(show->choose, 3, tags->count ? (const char *)tags->data : "",
                              tags->count);
    return berth_statement_run(show->choose, error);
}

/* Keeps the pose where it is wanted. */
static enum berth_status keep(void *update, const struct berth_read_pose *pose,
                              struct berth_error *error)
{
    const struct berth_bytes *text = &pose->record.text;
    set_key(update, berth_pose_tag(pose, "ordinal"), berth_pose_tag(pose, "mode"));
    berth_statement_set_bytes(update, 3, text->data, text->count);
    return berth_statement_run(update, error);
}

/* Keeps those of the file beside the table. */
static enum berth_status keep_all(struct show *show, struct berth_error *error)
{
    struct berth_pose_visitor visitor = {.visit = keep, .log = show->settings->log};
    struct berth_statement *update = NULL;
    enum berth_status status = berth_sqlite_prepare(
        show->sqlite, &update, error,
        "UPDATE temp.chosen SET sdf = ?3 WHERE ordinal = ?1 AND mode = ?2 AND sdf IS NULL");
    visitor.context = update;
    BERTH_THEN(each_pose(show, &visitor, "out", error));
    berth_statement_end(update);
    return status;
}

/* Where the line $$$$ of a record begins, before which its tags end. */
static size_t end_of_tags(const char *text, size_t size)
{
    while (size && text[size - 1] != '$') {
        size--;
    }
    while (size && text[size - 1] == '$') {
        size--;
    }
    return size;
}

enum berth_status structures_write(struct show *show, struct berth_output *output, size_t *lacking,
                                   struct berth_error *error)
{
    struct berth_statement *rows = NULL;
    struct berth_bytes text = {0};
    bool end = false;
    enum berth_status status = show->stored ? BERTH_OK : keep_all(show, error);
    BERTH_THEN(berth_sqlite_prepare(
        show->sqlite, &rows, error, "SELECT %s, tags FROM temp.chosen%s ORDER BY chosen.rowid",
        show->stored ? "bytes, structure.sdf" : "NULL, sdf",
        show->stored ? " LEFT JOIN main.structure AS structure ON run = ?1 AND structure.ordinal = "
                       "chosen.ordinal AND structure.mode = chosen.mode"
                     : ""));
    if (!status) {
        berth_statement_set_integer(rows, 1, show->run);
    }
    BERTH_THEN(berth_statement_next(rows, &end, error));
    while (!status && !end) {
        size_t size, tags;
        const char *record = berth_statement_bytes(rows, 1, &size);
        const char *added = berth_statement_bytes(rows, 2, &tags);
        if (record && show->stored) {
            status = berth_store_structure(show->path, rows, &text, error);
            record = (const char *)text.data;
            size = text.count;
        }
        if (!status && record) {
            const size_t place = end_of_tags(record, size);
            berth_output_bytes(output, record, place);
            berth_output_bytes(output, tags ? added : "", tags);
            berth_output_bytes(output, record + place, size - place);
        }
        *lacking += !record;
        BERTH_THEN(berth_output_check(output, error));
        BERTH_THEN(berth_statement_next(rows, &end, error));
    }
    berth_bytes_clear(&text);
    berth_statement_end(rows);
    return status;
}

/* The results of a screen: what its journals say, as scores.csv, failures.csv and hits.sdf.
 *
 * Two passes over the journals and, where the library carries properties, over its write-out
 * stream: the first finds the hits and the names of the properties, the second writes. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/screen/results.h"
#include "dock/screen/hits.h"
#include "dock/screen/ranks.h"
#include "dock/screen/walk.h"
#include "dock/score_table.h"
#include "format/failures.h"
#include "format/output.h"

/* What is written to the folder beside the journal; hits.unranked never stays. */
static const char *const FILES[] = {"scores.csv", "failures.csv", "hits.sdf", "hits.unranked",
                                    "run.json"};
enum { FILE_COUNT = sizeof FILES / sizeof *FILES };

enum berth_status berth_screen_folder_check(const char *path, struct berth_error *error)
{
    return berth_folder_probe(path, FILES, FILE_COUNT, error);
}

void berth_screen_folder_sweep(const char *path)
{
    berth_folder_sweep(path, FILES, FILE_COUNT);
}

/* The names of all properties, in the order in which they were met. */
struct columns {
    char **names; /* owned */
    size_t count, capacity;
};

/* What both passes work with. */
struct writing {
    struct berth_screen_outcome *outcome;
    struct berth_hits hits;
    struct berth_ranks ranks;
    struct columns columns;
    bool corrupt; /* the write-out stream is, somewhere */
    struct berth_failures failures;
    struct berth_output *scores, *poses;
};

/* The column of a property; columns->count where it has none.  Most ligands have the same
 * properties in the same order: hint is where to look first. */
static size_t find_column(const struct columns *columns, const char *name, size_t hint)
{
    if (hint < columns->count && strcmp(columns->names[hint], name) == 0) {
        return hint;
    }
    size_t i = 0;
    while (i < columns->count && strcmp(columns->names[i], name) != 0) {
        i++;
    }
    return i;
}

static enum berth_status add_columns(struct columns *columns,
                                     const struct berth_library_ligand *ligand,
                                     struct berth_error *error)
{
    for (size_t i = 0; i < ligand->property_count; i++) {
        const char *name = ligand->properties[i].name;
        if (find_column(columns, name, i) < columns->count) {
            continue;
        }
        enum berth_status status = berth_reserve(&columns->names, &columns->capacity,
                                                 columns->count + 1, sizeof *columns->names, error);
        if (status) {
            return status;
        }
        columns->names[columns->count] = berth_copy_text(name);
        if (!columns->names[columns->count]) {
            return berth_out_of_memory(error, NULL);
        }
        columns->count++;
    }
    return BERTH_OK;
}

/* The first pass. */
static enum berth_status find_hits(struct writing *writing, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    struct berth_library_walk walk = {.reader = outcome->library, .range = outcome->range};
    const struct berth_result *result = &outcome->records->result;
    bool end = false;
    berth_run_records_rewind(outcome->records, outcome->range.next);
    enum berth_status status = berth_run_records_next(outcome->records, &end, error);
    while (!status && !end) {
        struct berth_library_ligand ligand = {0};
        if (!result->failure) {
            status = berth_hits_add(&writing->hits, result, error);
            BERTH_THEN(berth_ranks_add(&writing->ranks, result, error));
            BERTH_THEN(berth_library_walk_to(&walk, result->ordinal, &ligand, error));
        }
        if (status == BERTH_E_FORMAT) {
            writing->corrupt = true;
            status = BERTH_OK;
        }
        BERTH_THEN(add_columns(&writing->columns, &ligand, error));
        berth_library_ligand_clear(&ligand);
        BERTH_THEN(berth_run_records_next(outcome->records, &end, error));
    }
    berth_library_walk_clear(&walk);
    berth_hits_sort(&writing->hits);
    berth_ranks_close(&writing->ranks);
    return status;
}

static enum berth_status print_header(const struct writing *writing, struct berth_error *error)
{
    const size_t count = writing->columns.count;
    const struct berth_run_records *records = writing->outcome->records;
    const struct berth_score_columns columns = {&records->terms, &records->receptors};
    const char **names = berth_alloc(count, sizeof *names);
    char(*texts)[BERTH_COLUMN_SIZE] = berth_alloc(count, sizeof *texts);
    const bool good = names && texts;
    for (size_t i = 0; good && i < count; i++) {
        berth_property_column(writing->columns.names[i], records, texts[i]);
        names[i] = texts[i];
    }
    if (good) {
        berth_score_table_begin(writing->scores, &columns, names, count);
    }
    free(names);
    free(texts);
    return good ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static void print_failure(struct writing *writing, const struct berth_result *result,
                          const char *reason)
{
    const struct berth_failure failure = {(long long)result->ordinal, result->title, reason, false};
    berth_failures_recall(&writing->failures, &failure);
}

static enum berth_status print_score(struct writing *writing, const struct berth_result *result,
                                     const struct berth_library_ligand *ligand,
                                     struct berth_error *error)
{
    const struct columns *columns = &writing->columns;
    const struct berth_run_records *records = writing->outcome->records;
    double scores[BERTH_RECEPTORS_MAX];
    berth_result_scores(result->modes, result->mode_count, scores);
    struct berth_score_row row = berth_screen_row(result, &result->modes[0], records, scores);
    const char **values = berth_alloc(columns->count, sizeof *values);
    if (!values) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < ligand->property_count; i++) {
        values[find_column(columns, ligand->properties[i].name, i)] = ligand->properties[i].value;
    }
    row.rank = berth_ranks_next(&writing->ranks);
    berth_score_table_add(writing->scores, &row, values, columns->count);
    free(values);
    return BERTH_OK;
}

/* The rows of a ligand. */
static enum berth_status print_result(struct writing *writing, struct berth_library_walk *walk,
                                      struct berth_error *error)
{
    const struct berth_result *result = &writing->outcome->records->result;
    if (result->failure) {
        print_failure(writing, result, result->failure);
        return BERTH_OK;
    }
    struct berth_library_ligand ligand = {0};
    enum berth_status status = BERTH_OK;
    if (writing->columns.count || writing->corrupt) {
        status = berth_library_walk_to(walk, result->ordinal, &ligand, error);
    }
    if (status == BERTH_E_FORMAT) {
        char reason[sizeof error->message];
        snprintf(reason, sizeof reason,
                 "docked, but its structure and properties cannot be read: %.1800s",
                 error->message);
        print_failure(writing, result, reason);
        status = BERTH_OK;
    }
    BERTH_THEN(print_score(writing, result, &ligand, error));
    berth_library_ligand_clear(&ligand);
    return status ? status : berth_output_check(writing->scores, error);
}

/* The second pass. */
static enum berth_status print_all(struct writing *writing, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    struct berth_library_walk walk = {.reader = outcome->library, .range = outcome->range};
    bool end = false;
    berth_run_records_rewind(outcome->records, outcome->range.next);
    enum berth_status status = print_header(writing, error);
    BERTH_THEN(berth_run_records_next(outcome->records, &end, error));
    while (!status && !end) {
        status = print_result(writing, &walk, error);
        BERTH_THEN(berth_run_records_next(outcome->records, &end, error));
    }
    berth_library_walk_clear(&walk);
    return status;
}

static enum berth_status create(const struct berth_screen_outcome *outcome, const char *name,
                                struct berth_output **output, struct berth_error *error)
{
    char path[PATH_MAX];
    enum berth_status status = berth_path_in(outcome->folder, name, path, sizeof path, error);
    return status ? status : berth_output_create(path, output, error);
}

static enum berth_status create_failures(const struct berth_screen_outcome *outcome,
                                         struct berth_failures *failures, struct berth_error *error)
{
    char path[PATH_MAX];
    enum berth_status status =
        berth_path_in(outcome->folder, "failures.csv", path, sizeof path, error);
    return status ? status : berth_failures_create(path, failures, error);
}

/* Gives all files their names, once all of them are on disk. */
static enum berth_status commit(struct writing *writing, struct berth_error *error)
{
    struct berth_output **const outputs[] = {&writing->failures.output, &writing->poses,
                                             &writing->scores};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof outputs / sizeof *outputs; i++) {
        status = berth_output_sync(*outputs[i], error);
    }
    for (size_t i = 0; !status && i < sizeof outputs / sizeof *outputs; i++) {
        status = berth_output_commit(*outputs[i], error);
        *outputs[i] = NULL;
    }
    return status;
}

enum berth_status berth_screen_results_write(struct berth_screen_outcome *outcome,
                                             struct berth_error *error)
{
    struct writing writing = {.outcome = outcome, .hits = {.most = outcome->top}};
    enum berth_status status = create(outcome, "scores.csv", &writing.scores, error);
    BERTH_THEN(create_failures(outcome, &writing.failures, error));
    BERTH_THEN(create(outcome, "hits.sdf", &writing.poses, error));
    BERTH_THEN(find_hits(&writing, error));
    BERTH_THEN(print_all(&writing, error));
    BERTH_THEN(berth_hits_write(&writing.hits, outcome, writing.poses, error));
    BERTH_THEN(commit(&writing, error));
    berth_output_discard(writing.scores);
    outcome->failed = writing.failures.count;
    berth_output_discard(writing.failures.output);
    berth_output_discard(writing.poses);
    berth_hits_clear(&writing.hits);
    berth_ranks_clear(&writing.ranks);
    for (size_t i = 0; i < writing.columns.count; i++) {
        free(writing.columns.names[i]);
    }
    free(writing.columns.names);
    return status;
}

/* The results of a screen: what its journals say, as scores.csv, failures.csv and hits.sdf.
 *
 * Two passes over the journals and, where the library carries properties, over its write-out
 * stream: the first finds the hits and the names of the properties, the second writes. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/screen/results.h"
#include "dock/screen/hits.h"
#include "dock/screen/walk.h"
#include "format/folder.h"

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
    struct columns columns;
    bool corrupt; /* the write-out stream is, somewhere */
    struct berth_output *scores, *failures, *poses;
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
            return berth_fail(error, BERTH_E_MEMORY, "out of memory for the properties");
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
            if (!status) {
                status = berth_library_walk_to(&walk, result->ordinal, &ligand, error);
            }
        }
        if (status == BERTH_E_FORMAT) {
            writing->corrupt = true;
            status = BERTH_OK;
        }
        if (!status) {
            status = add_columns(&writing->columns, &ligand, error);
        }
        berth_library_ligand_clear(&ligand);
        if (!status) {
            status = berth_run_records_next(outcome->records, &end, error);
        }
    }
    berth_library_walk_clear(&walk);
    berth_hits_sort(&writing->hits);
    return status;
}

static void print_header(const struct writing *writing)
{
    berth_output_print(writing->scores,
                       "ordinal,ligand,energy,steric,electrostatic,desolvation,"
                       "efficiency,strain,conformer_strain,conformer,heavy_atoms,conformers,"
                       "device");
    const size_t count = writing->columns.count;
    berth_output_print(writing->scores, count ? "," : "\n");
    for (size_t i = 0; i < count; i++) {
        char column[BERTH_COLUMN_SIZE];
        berth_property_column(writing->columns.names[i], column);
        berth_output_csv(writing->scores, column, i + 1 < count ? ',' : '\n');
    }
    berth_output_print(writing->failures, "ordinal,ligand,reason\n");
}

static enum berth_status print_properties(const struct writing *writing,
                                          const struct berth_library_ligand *ligand,
                                          struct berth_error *error)
{
    const struct columns *columns = &writing->columns;
    const char **values = berth_alloc(columns->count, sizeof *values);
    if (!values) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for the properties");
    }
    for (size_t i = 0; i < ligand->property_count; i++) {
        values[find_column(columns, ligand->properties[i].name, i)] = ligand->properties[i].value;
    }
    for (size_t i = 0; i < columns->count; i++) {
        berth_output_csv(writing->scores, values[i] ? values[i] : "",
                         i + 1 < columns->count ? ',' : '\n');
    }
    free(values);
    return BERTH_OK;
}

static void print_failure(struct writing *writing, const struct berth_result *result,
                          const char *reason)
{
    berth_output_print(writing->failures, "%llu,", (unsigned long long)result->ordinal);
    berth_output_csv(writing->failures, result->title, ',');
    berth_output_csv(writing->failures, reason, '\n');
    writing->outcome->failed++;
}

static void print_score(const struct writing *writing, const struct berth_result *result)
{
    const struct berth_result_mode *best = &result->modes[0];
    const double energy = berth_result_mode_energy(best);
    struct berth_output *scores = writing->scores;
    berth_output_print(scores, "%llu,", (unsigned long long)result->ordinal);
    berth_output_csv(scores, result->title, ',');
    berth_output_print(scores, "%.4f,%.4f,%.4f,%.4f,%.4f,", energy, (double)best->pose.steric,
                       (double)best->pose.electrostatic, (double)best->pose.desolvation,
                       energy / (double)result->heavy_count);
    if (isfinite(best->strain)) {
        berth_output_print(scores, "%.4f", best->strain);
    }
    berth_output_print(scores, ",");
    if (isfinite(best->conformer_strain)) {
        berth_output_print(scores, "%.2f", best->conformer_strain);
    }
    berth_output_print(scores, ",%zu,%zu,%zu,", best->conformer + 1, result->heavy_count,
                       result->conformer_count);
    berth_output_csv(scores, writing->outcome->records->devices.devices[best->device].name,
                     writing->columns.count ? ',' : '\n');
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
    if (!status) {
        print_score(writing, result);
    }
    if (!status && writing->columns.count) {
        status = print_properties(writing, &ligand, error);
    }
    berth_library_ligand_clear(&ligand);
    return status ? status : berth_output_check(writing->scores, error);
}

/* The second pass. */
static enum berth_status print_all(struct writing *writing, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    struct berth_library_walk walk = {.reader = outcome->library, .range = outcome->range};
    bool end = false;
    print_header(writing);
    berth_run_records_rewind(outcome->records, outcome->range.next);
    enum berth_status status = berth_run_records_next(outcome->records, &end, error);
    while (!status && !end) {
        status = print_result(writing, &walk, error);
        if (!status) {
            status = berth_run_records_next(outcome->records, &end, error);
        }
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

/* Gives all files their names, once all of them are on disk. */
static enum berth_status commit(struct writing *writing, struct berth_error *error)
{
    struct berth_output **const outputs[] = {&writing->failures, &writing->poses, &writing->scores};
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
    outcome->failed = 0;
    enum berth_status status = create(outcome, "scores.csv", &writing.scores, error);
    if (!status) {
        status = create(outcome, "failures.csv", &writing.failures, error);
    }
    if (!status) {
        status = create(outcome, "hits.sdf", &writing.poses, error);
    }
    if (!status) {
        status = find_hits(&writing, error);
    }
    if (!status) {
        status = print_all(&writing, error);
    }
    if (!status) {
        status = berth_hits_write(&writing.hits, outcome, writing.poses, error);
    }
    if (!status) {
        status = commit(&writing, error);
    }
    berth_output_discard(writing.scores);
    berth_output_discard(writing.failures);
    berth_output_discard(writing.poses);
    berth_hits_clear(&writing.hits);
    for (size_t i = 0; i < writing.columns.count; i++) {
        free(writing.columns.names[i]);
    }
    free(writing.columns.names);
    return status;
}

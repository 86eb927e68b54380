/* Which poses that a run has left make the interactions that are required. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "dock/requirement.h"
#include "eval/pose_records.h"
#include "format/output.h"
#include "format/run_json.h"
#include "report/show.h"

/* A pass over the poses. */
struct pass {
    const struct berth_show_settings *settings;
    struct berth_required_poses *found;
    struct berth_requirements required;
    struct berth_requirement_counts counts;
    struct berth_run_card run;
    struct berth_complexes complexes; /* owned */
};

static uint64_t key_of(double ordinal, double mode)
{
    return (uint64_t)ordinal << 16 | (uint64_t)mode;
}

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
    struct berth_required_poses *keys = pass->found;
    struct berth_interactions found = {0};
    struct berth_complex *complex;
    const char *ordinal = berth_pose_tag(pose, "ordinal"), *mode = berth_pose_tag(pose, "mode");
    enum berth_status status = find_complex(pass, pose, &complex, error);
    status = status == BERTH_E_FORMAT ? BERTH_E_USAGE : status; /* not one pose's */
    BERTH_THEN(berth_read_pose_put(pose, complex, error));
    BERTH_THEN(berth_interactions_find(complex, &pose->molecule, &found, error));
    if (!status && berth_requirements_count(&pass->required, complex, &found, &pass->counts)) {
        status =
            berth_reserve(&keys->keys, &keys->capacity, keys->count + 1, sizeof *keys->keys, error);
        if (!status) {
            keys->keys[keys->count++] = key_of(strtod(ordinal, NULL), strtod(mode, NULL));
        }
    }
    berth_interactions_clear(&found);
    return status;
}

/* What lies beside the table, of this ending; of a folder's scores.csv the first of these files
 * that is there.  "": nothing. */
static void find_file(const char *table, const char *ending, const char *const *names,
                      char path[PATH_MAX])
{
    const char *slash = strrchr(table, '/'), *name = slash ? slash + 1 : table;
    berth_output_beside(table, ending, path, PATH_MAX);
    for (; access(path, F_OK) && *names && strncmp(name, "scores.csv", 10) == 0; names++) {
        snprintf(path, PATH_MAX, "%.*s%s", (int)(name - table), table, *names);
    }
    if (access(path, F_OK)) {
        *path = '\0';
    }
}

static const char *const POSES[] = {"hits.sdf", "poses.sdf", "poses.sdf.gz", NULL};

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

enum berth_status berth_required_poses_find(const struct berth_show_settings *settings,
                                            const char *table,
                                            struct berth_required_poses *required,
                                            struct berth_error *error)
{
    static const char *const RUNS[] = {"run.json", "poses.run.json", NULL};
    struct pass pass = {.settings = settings, .found = required};
    berth_run_card_start(&pass.run);
    char poses[PATH_MAX], run[PATH_MAX];
    size_t failed;
    BERTH_TRY(berth_requirements_read(settings->require, &pass.required, error));
    find_file(table, "sdf", POSES, poses);
    find_file(table, "run.json", RUNS, run);
    if (!*poses) {
        return berth_fail_option(error, BERTH_E_USAGE, "require",
                                 "require: there are no poses beside %s", settings->results);
    }
    const struct berth_pose_visitor visitor = {
        .visit = look, .context = &pass, .log = settings->log, .receptor = settings->receptor};
    pass.complexes = (struct berth_complexes){.run = &pass.run,
                                              .receptors = &settings->receptor,
                                              .receptor_count = settings->receptor != NULL,
                                              .instead = settings->receptor != NULL,
                                              .log = settings->log};
    enum berth_status status = *run ? berth_run_json_read(run, NULL, &pass.run, error) : BERTH_OK;
    if (!status && settings->receptor) {
        berth_run_check_receptor(&pass.run, settings->receptor, settings->log);
    }
    BERTH_THEN(berth_pose_records_each(poses, &visitor, &failed, error));
    if (settings->receptor && pass.complexes.count) {
        BERTH_THEN(
            berth_complex_reached(&pass.complexes.opened->complex, settings->receptor, error));
    }
    if (!status) {
        berth_requirements_tell(&pass.required, &pass.counts, settings->log);
    }
    if (required->count) {
        qsort(required->keys, required->count, sizeof *required->keys, compare_keys);
    }
    berth_complexes_clear(&pass.complexes);
    berth_run_card_clear(&pass.run);
    return status;
}

bool berth_required_poses_have(const struct berth_required_poses *required, double ordinal,
                               double mode)
{
    const uint64_t key = key_of(ordinal, mode);
    return required->count &&
           bsearch(&key, required->keys, required->count, sizeof key, compare_keys);
}

size_t berth_required_poses_ligands(const struct berth_required_poses *required)
{
    size_t ligands = 0;
    for (size_t i = 0; i < required->count; i++) {
        ligands += !i || required->keys[i] >> 16 != required->keys[i - 1] >> 16;
    }
    return ligands;
}

void berth_required_poses_clear(struct berth_required_poses *required)
{
    free(required->keys);
}

/* --- Structures of rows --- */

enum berth_status berth_structures_want(struct berth_shown_structures *wanted, double ordinal,
                                        double mode, struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&wanted->items, &wanted->capacity, wanted->count + 1,
                            sizeof *wanted->items, error));
    wanted->items[wanted->count++] = (struct berth_wanted_structure){.key = key_of(ordinal, mode)};
    return BERTH_OK;
}

/* Records of the poses that are wanted, as the file has them. */
struct gathering {
    struct structure {
        uint64_t key;
        size_t place;            /* among those that are wanted */
        struct berth_bytes text; /* owned */
    } * items;                   /* owned; [count], by key */
    size_t count;
};

static int compare_structures(const void *a, const void *b)
{
    return compare_keys(&((const struct structure *)a)->key, &((const struct structure *)b)->key);
}

static int compare_places(const void *a, const void *b)
{
    const size_t x = ((const struct structure *)a)->place, y = ((const struct structure *)b)->place;
    return (x > y) - (x < y);
}

/* Keeps the pose where it is wanted. */
static enum berth_status gather(void *context, const struct berth_read_pose *pose,
                                struct berth_error *error)
{
    struct gathering *gathering = context;
    const struct structure key = {.key = key_of(strtod(berth_pose_tag(pose, "ordinal"), NULL),
                                                strtod(berth_pose_tag(pose, "mode"), NULL))};
    struct structure *found =
        bsearch(&key, gathering->items, gathering->count, sizeof key, compare_structures);
    if (!found || found->text.count) {
        return BERTH_OK;
    }
    berth_bytes_put(&found->text, pose->record.text.data, pose->record.text.count);
    return found->text.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Where the line $$$$ of a record begins, before which its tags end. */
static size_t end_of_tags(const struct berth_bytes *text)
{
    size_t end = text->count;
    while (end && text->data[end - 1] != '$') {
        end--;
    }
    while (end && text->data[end - 1] == '$') {
        end--;
    }
    return end;
}

enum berth_status berth_structures_write(struct berth_shown_structures *wanted,
                                         const struct berth_shown *shown,
                                         struct berth_output *output, struct berth_error *error)
{
    struct gathering gathering = {.count = wanted->count};
    const struct berth_pose_visitor visitor = {
        .visit = gather, .context = &gathering, .log = shown->settings->log};
    char poses[PATH_MAX];
    size_t failed;
    find_file(shown->table, "sdf", POSES, poses);
    if (!*poses) {
        return berth_fail_option(error, BERTH_E_USAGE, "out", "out: there are no poses beside %s",
                                 shown->settings->results);
    }
    BERTH_TRY(berth_make(&gathering.items, wanted->count, sizeof *gathering.items, NULL, error));
    for (size_t i = 0; i < wanted->count; i++) {
        gathering.items[i] = (struct structure){.key = wanted->items[i].key, .place = i};
    }
    qsort(gathering.items, wanted->count, sizeof *gathering.items, compare_structures);
    enum berth_status status = berth_pose_records_each(poses, &visitor, &failed, error);
    qsort(gathering.items, wanted->count, sizeof *gathering.items, compare_places);
    for (size_t i = 0; i < wanted->count; i++) {
        const struct berth_bytes *text = &gathering.items[i].text;
        const struct berth_bytes *tags = &wanted->items[i].tags;
        if (!status && text->count) {
            const size_t end = end_of_tags(text);
            berth_output_bytes(output, (const char *)text->data, end);
            if (tags->count) {
                berth_output_bytes(output, (const char *)tags->data, tags->count);
            }
            berth_output_bytes(output, (const char *)text->data + end, text->count - end);
        }
        wanted->lacking += !text->count;
        berth_bytes_clear(&gathering.items[i].text);
    }
    free(gathering.items);
    return status ? status : berth_output_check(output, error);
}

void berth_structures_clear(struct berth_shown_structures *wanted)
{
    for (size_t i = 0; i < wanted->count; i++) {
        berth_bytes_clear(&wanted->items[i].tags);
    }
    free(wanted->items);
}

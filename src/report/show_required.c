/* Which poses that a run has left make the interactions that are required. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "dock/requirement.h"
#include "dock/side_chains.h"
#include "eval/pose_records.h"
#include "format/output.h"
#include "format/receptor_names.h"
#include "format/run_json.h"
#include "report/show.h"

/* A pass over the poses. */
struct pass {
    const struct berth_show_settings *settings;
    struct berth_required_poses *found;
    struct berth_requirements required;
    struct berth_requirement_counts counts;
    struct berth_bytes run; /* run.json; empty: there is none */
    /* Receptors that poses were in: [count], of these paths. */
    struct berth_interaction_target *targets; /* owned, [BERTH_RECEPTORS_MAX] */
    char paths[BERTH_RECEPTORS_MAX][PATH_MAX];
    size_t count;
};

static uint64_t key_of(double ordinal, double mode)
{
    return (uint64_t)ordinal << 16 | (uint64_t)mode;
}

/* The receptor that a pose is in, read once. */
static enum berth_status find_target(struct pass *pass, const struct berth_read_pose *pose,
                                     struct berth_interaction_target **target,
                                     struct berth_error *error)
{
    const char *name = berth_pose_tag(pose, "receptor");
    char key[BERTH_RECEPTOR_KEY + 16], path[PATH_MAX], ligand_id[PATH_MAX] = "", covalent[PATH_MAX];
    snprintf(key, sizeof key, *name ? "receptor_%.*s" : "receptor", BERTH_RECEPTOR_NAME_SIZE, name);
    berth_run_json_find(&pass->run, "files", key, path);
    if (pass->settings->receptor) {
        snprintf(path, sizeof path, "%s", pass->settings->receptor);
    } else {
        berth_run_json_find(&pass->run, "files", "ligand_id", ligand_id);
    }
    size_t i = 0;
    while (i < pass->count && strcmp(pass->paths[i], path) != 0) {
        i++;
    }
    *target = &pass->targets[i < BERTH_RECEPTORS_MAX ? i : 0];
    if (i < pass->count) {
        return BERTH_OK;
    }
    if (!*path || i == BERTH_RECEPTORS_MAX) {
        return berth_fail_option(error, BERTH_E_USAGE, "receptor",
                                 "receptor: run.json names none; give its file");
    }
    strcpy(pass->paths[pass->count++], path);
    BERTH_TRY(berth_interaction_target_read(path, *ligand_id ? ligand_id : NULL,
                                            pass->settings->log, *target, error));
    berth_run_json_find(&pass->run, "identity", "covalent", covalent);
    BERTH_TRY(berth_interaction_target_bond(*target, covalent, error));
    return berth_requirements_check(&pass->required, *target, error);
}

static enum berth_status look(void *context, const struct berth_read_pose *pose,
                              struct berth_error *error)
{
    struct pass *pass = context;
    struct berth_required_poses *keys = pass->found;
    struct berth_interactions found = {0};
    struct berth_interaction_target *target;
    const char *ordinal = berth_pose_tag(pose, "ordinal"), *mode = berth_pose_tag(pose, "mode");
    enum berth_status status = find_target(pass, pose, &target, error);
    status = status == BERTH_E_FORMAT ? BERTH_E_USAGE : status; /* not one pose's */
    BERTH_THEN(berth_interaction_target_move(
        target, berth_pose_tag(pose, BERTH_COLUMN_NAMES[BERTH_COLUMN_SIDE_CHAINS]), error));
    if (!status) {
        berth_interaction_target_note(target, &pose->molecule);
    }
    BERTH_THEN(berth_interactions_find(target, &pose->molecule, &found, error));
    if (!status && berth_requirements_count(&pass->required, target, &found, &pass->counts)) {
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
    enum berth_status status =
        berth_make(&pass.targets, BERTH_RECEPTORS_MAX, sizeof *pass.targets, NULL, error);
    BERTH_THEN(*run ? berth_run_json_read(run, NULL, &pass.run, error) : BERTH_OK);
    if (!status && settings->receptor) {
        berth_run_json_check_receptor(&pass.run, settings->receptor, settings->log);
    }
    BERTH_THEN(berth_pose_records_each(poses, &visitor, &failed, error));
    if (settings->receptor) {
        BERTH_THEN(berth_interaction_target_reached(&pass.targets[0], settings->receptor, error));
    }
    if (!status) {
        berth_requirements_tell(&pass.required, &pass.counts, settings->log);
    }
    if (required->count) {
        qsort(required->keys, required->count, sizeof *required->keys, compare_keys);
    }
    for (size_t i = 0; i < pass.count; i++) {
        berth_interaction_target_clear(&pass.targets[i]);
    }
    free(pass.targets);
    berth_bytes_clear(&pass.run);
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

#include "dock/screen/required.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "dock/screen/library_walk.h"
#include "dock/screen/results.h"
#include "format/output.h"

/* Ligands that a thread looks at at a time: a block of a library, mostly; and threads. */
enum { PART = 128, THREADS_MAX = 16 };

/* What all threads look at, and what comes of it. */
struct look {
    const struct berth_screen_outcome *outcome;
    struct berth_interaction_target *targets; /* owned; [receptors] */
    size_t receptors;
    struct berth_required *required;
};

/* A docked ligand. */
struct job {
    uint64_t ordinal;
    struct berth_pose *modes; /* owned; [count] */
    size_t count;
};

/* Ligands of one thread, in the library's order. */
struct part {
    const struct look *look;
    struct berth_library_walk walk; /* goes on from part to part */
    struct job jobs[PART];
    size_t count;
    struct berth_requirement_counts ligands;
    enum berth_status status;
    struct berth_error error;
};

/* --- A ligand --- */

/* What a pose makes: met is set of each requirement that it meets. */
static enum berth_status look_at_mode(const struct look *look,
                                      const struct berth_library_ligand *ligand,
                                      const struct berth_pose *mode,
                                      bool met[BERTH_REQUIREMENTS_MAX], struct berth_error *error)
{
    const struct berth_requirements *asked = &look->required->asked;
    const struct berth_interaction_target *target = &look->targets[mode->receptor];
    struct berth_interactions found = {0};
    struct berth_molecule pose = {0};
    double(*positions)[3];
    BERTH_TRY(berth_library_place(ligand, mode, look->outcome->center, &positions, error));
    enum berth_status status =
        berth_molecule_copy(&ligand->ligand.conformers[mode->conformer], &pose)
            ? BERTH_OK
            : berth_out_of_memory(error, NULL);
    for (size_t i = 0; !status && i < pose.atom_count; i++) {
        memcpy(pose.atoms[i].position, positions[i], sizeof positions[i]);
    }
    BERTH_THEN(berth_interactions_find(target, &pose, &found, error));
    for (size_t i = 0; !status && i < asked->count; i++) {
        met[i] = berth_requirement_is_met(&asked->items[i], target, &found);
    }
    berth_interactions_clear(&found);
    berth_molecule_clear(&pose);
    free(positions);
    return status;
}

/* Notes which modes of a ligand make all, and counts what any of them makes. */
static enum berth_status look_at_ligand(struct part *part, const struct job *job,
                                        struct berth_error *error)
{
    const struct look *look = part->look;
    const size_t asked = look->required->asked.count;
    struct berth_library_ligand ligand = {0};
    bool any[BERTH_REQUIREMENTS_MAX + 1] = {false};
    enum berth_status status = berth_library_walk_to(&part->walk, job->ordinal, &ligand, error);
    for (size_t i = 0; !status && i < job->count && i < look->required->modes; i++) {
        bool met[BERTH_REQUIREMENTS_MAX] = {false}, all = true;
        status = look_at_mode(look, &ligand, &job->modes[i], met, error);
        for (size_t k = 0; k < asked; k++) {
            any[k] = any[k] || met[k];
            all = all && met[k];
        }
        any[asked] = any[asked] || (all && !status);
        *berth_required_made(look->required, job->ordinal, i) = all && !status;
    }
    for (size_t k = 0; k < asked; k++) {
        part->ligands.met[k] += any[k];
    }
    part->ligands.all += any[asked];
    part->ligands.of++;
    berth_library_ligand_clear(&ligand);
    return status == BERTH_E_FORMAT ? BERTH_OK : status; /* it cannot be read: it makes nothing */
}

static void look_at_part(void *context, size_t number)
{
    struct part *part = (struct part *)context + number;
    part->status = BERTH_OK;
    for (size_t i = 0; !part->status && i < part->count; i++) {
        part->status = look_at_ligand(part, &part->jobs[i], &part->error);
    }
}

/* --- All ligands --- */

/* Reads on until the parts are full or all is read; *end then. */
static enum berth_status fill_parts(struct berth_run_records *records, struct part *parts,
                                    size_t threads, bool *end, struct berth_error *error)
{
    const struct berth_result *result = &records->result;
    for (size_t k = 0; k < threads; k++) {
        while (parts[k].count < PART) {
            BERTH_TRY(berth_run_records_next(records, end, error));
            if (*end) {
                return BERTH_OK;
            }
            if (result->failure) {
                continue;
            }
            struct job *job = &parts[k].jobs[parts[k].count];
            *job = (struct job){.ordinal = result->ordinal};
            BERTH_TRY(
                berth_make(&job->modes, result->modes.count, sizeof *job->modes, NULL, error));
            job->count = result->modes.count;
            memcpy(job->modes, result->modes.modes, job->count * sizeof *job->modes);
            parts[k].count++;
        }
    }
    return BERTH_OK;
}

static void empty_parts(struct part *parts, size_t threads)
{
    for (size_t k = 0; k < threads; k++) {
        for (size_t i = 0; i < parts[k].count; i++) {
            free(parts[k].jobs[i].modes);
        }
        parts[k].count = 0;
    }
}

static void add_counts(const struct part *part, struct berth_requirement_counts *counts)
{
    for (size_t i = 0; i < BERTH_REQUIREMENTS_MAX; i++) {
        counts->met[i] += part->ligands.met[i];
    }
    counts->all += part->ligands.all;
    counts->of += part->ligands.of;
}

static enum berth_status look_at_all(const struct look *look, struct berth_error *error)
{
    const size_t processors = berth_processors();
    const size_t threads = processors < THREADS_MAX ? processors : THREADS_MAX;
    struct berth_run_records *records = look->outcome->records;
    const double max_clash = records->max_clash;
    struct part *parts;
    bool end = false;
    BERTH_TRY(berth_make(&parts, threads, sizeof *parts, NULL, error));
    for (size_t k = 0; k < threads; k++) {
        parts[k].look = look;
        parts[k].walk = (struct berth_library_walk){
            .reader = look->outcome->library, .range = look->outcome->range, .whole = true};
    }
    records->max_clash = INFINITY; /* modes by their numbers in the journal */
    berth_run_records_rewind(records, look->outcome->range.next);
    enum berth_status status = BERTH_OK;
    while (!status && !end) {
        status = fill_parts(records, parts, threads, &end, error);
        if (!status) {
            berth_in_parallel(threads, look_at_part, parts);
        }
        for (size_t k = 0; !status && k < threads; k++) {
            status = parts[k].status;
            *error = status ? parts[k].error : *error;
        }
        empty_parts(parts, threads);
    }
    records->max_clash = max_clash;
    for (size_t k = 0; k < threads; k++) {
        add_counts(&parts[k], &look->required->ligands);
        berth_library_walk_clear(&parts[k].walk);
    }
    free(parts);
    return status;
}

/* The caller clears look's targets either way. */
static enum berth_status read_targets(const struct berth_required_setup *setup, struct look *look,
                                      struct berth_error *error)
{
    BERTH_TRY(berth_requirements_read(setup->require, &look->required->asked, error));
    BERTH_TRY(berth_make(&look->targets, setup->count, sizeof *look->targets, NULL, error));
    while (look->receptors < setup->count) {
        const char *path = setup->receptors[look->receptors];
        const char *ligand_id = look->receptors ? NULL : setup->ligand_id;
        struct berth_interaction_target *target = &look->targets[look->receptors++];
        BERTH_TRY(berth_interaction_target_read(path, ligand_id, NULL, target, error));
        BERTH_TRY(berth_requirements_check(&look->required->asked, target, error));
    }
    return BERTH_OK;
}

static void clear_targets(struct look *look)
{
    for (size_t i = 0; i < look->receptors; i++) {
        berth_interaction_target_clear(&look->targets[i]);
    }
    free(look->targets);
}

enum berth_status berth_required_check(const struct berth_required_setup *setup,
                                       struct berth_error *error)
{
    struct berth_required required = {.modes = 0};
    struct look look = {.required = &required};
    const enum berth_status status = read_targets(setup, &look, error);
    clear_targets(&look);
    return status;
}

enum berth_status berth_required_find(const struct berth_required_setup *setup,
                                      const struct berth_screen_outcome *outcome,
                                      struct berth_required *required, struct berth_error *error)
{
    struct look look = {.outcome = outcome, .required = required};
    memset(required, 0, sizeof *required);
    required->first = outcome->range.next;
    required->ligand_count = (size_t)(outcome->range.end - outcome->range.next);
    required->modes = outcome->num_modes;
    snprintf(required->reason, sizeof required->reason,
             "no pose that was kept (num_modes) makes %.400s", setup->require);
    enum berth_status status =
        berth_make(&required->made, required->ligand_count * required->modes, 1, NULL, error);
    BERTH_THEN(read_targets(setup, &look, error));
    BERTH_THEN(look_at_all(&look, error));
    clear_targets(&look);
    return status;
}

/* --- required.csv --- */

static void print_count(struct berth_output *output, const char *text, size_t met, size_t of)
{
    berth_output_csv(output, text, ',');
    berth_output_print(output, "%zu,%zu\n", met, of);
}

enum berth_status berth_required_write(const struct berth_required *required, const char *folder,
                                       struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_output *output = NULL;
    BERTH_TRY(berth_path_in(folder, BERTH_REQUIRED_TABLE, path, sizeof path, error));
    BERTH_TRY(berth_output_create(path, &output, error));
    berth_output_print(output, "interaction,ligands,of\n");
    for (size_t i = 0; i < required->asked.count; i++) {
        print_count(output, required->asked.items[i].text, required->ligands.met[i],
                    required->ligands.of);
    }
    print_count(output, "all", required->ligands.all, required->ligands.of);
    return berth_output_commit(output, error);
}

void berth_required_clear(struct berth_required *required)
{
    free(required->made);
    memset(required, 0, sizeof *required);
}

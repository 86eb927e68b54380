#include "screen/required.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "dock/covalent/covalent.h"
#include "dock/ensemble.h"
#include "screen/library_walk.h"
#include "dock/flexible/side_chains.h"
#include "format/output.h"

/* Ligands that a thread looks at at a time: a block of a library, mostly; and threads. */
enum { PART = 128, THREADS_MAX = 16 };

/* What all threads look at, and what comes of it. */
struct look {
    const struct berth_screen_poses *poses;
    struct berth_complex *complexes; /* owned; [receptors], without poses */
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
    struct berth_complex *complexes; /* owned; [look->receptors] */
    struct berth_library_walk walk;  /* goes on from part to part */
    struct job jobs[PART];
    size_t count;
    struct berth_requirement_counts ligands;
    enum berth_status status;
    struct berth_error error;
};

/* --- A ligand --- */

/* Puts the pose into the complex.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
static enum berth_status put_mode(const struct berth_screen_poses *poses,
                                  const struct berth_pose *mode, const struct berth_molecule *pose,
                                  struct berth_complex *complex, struct berth_error *error)
{
    if (!poses->side_chains) {
        return berth_complex_put(complex, pose, "", error);
    }
    char *moved = berth_side_chains_text(&poses->side_chains[mode->receptor], mode);
    const enum berth_status status =
        moved ? berth_complex_put(complex, pose, moved, error) : berth_out_of_memory(error, NULL);
    free(moved);
    return status;
}

/* What a pose makes: met is set of each requirement that it meets. */
static enum berth_status look_at_mode(const struct part *part,
                                      const struct berth_library_ligand *ligand,
                                      const struct berth_pose *mode,
                                      bool met[BERTH_REQUIREMENTS_MAX], struct berth_error *error)
{
    const struct look *look = part->look;
    const struct berth_requirements *asked = &look->required->asked;
    struct berth_complex *complex = &part->complexes[mode->receptor];
    struct berth_interactions found = {0};
    struct berth_molecule pose = {0};
    double(*positions)[3];
    BERTH_TRY(berth_library_place(ligand, mode, look->poses->center, &positions, error));
    enum berth_status status =
        berth_molecule_copy(&ligand->ligand.conformers[mode->conformer], &pose)
            ? BERTH_OK
            : berth_out_of_memory(error, NULL);
    for (size_t i = 0; !status && i < pose.atom_count; i++) {
        memcpy(pose.atoms[i].position, positions[i], sizeof positions[i]);
    }
    BERTH_THEN(put_mode(look->poses, mode, &pose, complex, error));
    if (!status) { /* without hydrogens it makes nothing that is known */
        status = berth_interactions_find(complex, &pose, &found, error);
        status = status == BERTH_E_FORMAT ? BERTH_OK : status;
    }
    for (size_t i = 0; !status && i < asked->count; i++) {
        met[i] = berth_requirement_is_met(&asked->items[i], complex, &found);
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
    const bool unread = status == BERTH_E_FORMAT; /* a row of the failures says so */
    for (size_t i = 0; !status && i < job->count && i < look->required->made.modes; i++) {
        bool met[BERTH_REQUIREMENTS_MAX] = {false}, all = true;
        status = look_at_mode(part, &ligand, &job->modes[i], met, error);
        for (size_t k = 0; k < asked; k++) {
            any[k] = any[k] || met[k];
            all = all && met[k];
        }
        any[asked] = any[asked] || (all && !status);
        *berth_made_pose(&look->required->made, job->ordinal, i) = all && !status;
    }
    for (size_t k = 0; k < asked; k++) {
        part->ligands.met[k] += any[k];
    }
    part->ligands.all += any[asked];
    part->ligands.of++;
    berth_library_ligand_clear(&ligand);
    return unread ? BERTH_OK : status;
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

/* Complexes of its own: poses move their side chains.  The caller clears the part either way. */
static enum berth_status begin_part(const struct look *look, struct part *part,
                                    struct berth_error *error)
{
    part->look = look;
    part->walk = (struct berth_library_walk){
        .reader = look->poses->library, .range = look->poses->range, .whole = true};
    BERTH_TRY(berth_make(&part->complexes, look->receptors, sizeof *part->complexes, NULL, error));
    for (size_t i = 0; i < look->receptors; i++) {
        BERTH_TRY(berth_complex_copy(&look->complexes[i], &part->complexes[i], error));
    }
    return BERTH_OK;
}

static void clear_complexes(struct berth_complex *complexes, size_t count)
{
    for (size_t i = 0; complexes && i < count; i++) {
        berth_complex_clear(&complexes[i]);
    }
    free(complexes);
}

static enum berth_status look_at_all(const struct look *look, struct berth_error *error)
{
    const size_t processors = berth_processors();
    const size_t threads = processors < THREADS_MAX ? processors : THREADS_MAX;
    struct berth_run_records *records = look->poses->records;
    const double max_clash = records->max_clash;
    struct part *parts;
    bool end = false;
    BERTH_TRY(berth_make(&parts, threads, sizeof *parts, NULL, error));
    enum berth_status status = BERTH_OK;
    for (size_t k = 0; !status && k < threads; k++) {
        status = begin_part(look, &parts[k], error);
    }
    records->max_clash = INFINITY; /* modes by their numbers in the journal */
    berth_run_records_rewind(records, look->poses->range.next);
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
        clear_complexes(parts[k].complexes, look->receptors);
    }
    free(parts);
    return status;
}

struct berth_required_setup berth_required_setup_of(const struct berth_ensemble *receptors,
                                                    const char *require)
{
    const struct berth_covalent *covalent = receptors->covalent;
    struct berth_required_setup setup = {
        .require = require, .receptors = receptors->paths, .count = receptors->count};
    for (size_t i = 0; i < setup.count; i++) {
        const struct berth_typed_receptor *receptor = receptors->receptors[i];
        setup.asked[i] =
            (struct berth_residues_asked){receptor->ligand_id, receptor->keep, receptor->drop};
    }
    if (covalent) {
        snprintf(setup.covalent, sizeof setup.covalent, "%s %s", covalent->text, covalent->atom);
    }
    return setup;
}

/* The caller clears look's complexes either way. */
static enum berth_status open_complexes(const struct berth_required_setup *setup, struct look *look,
                                        struct berth_error *error)
{
    BERTH_TRY(berth_requirements_read(setup->require, &look->required->asked, error));
    BERTH_TRY(berth_make(&look->complexes, setup->count, sizeof *look->complexes, NULL, error));
    while (look->receptors < setup->count) {
        const struct berth_complex_source source = {.receptor = setup->receptors[look->receptors],
                                                    .asked = setup->asked[look->receptors],
                                                    .covalent = setup->covalent};
        struct berth_complex *complex = &look->complexes[look->receptors++];
        BERTH_TRY(berth_complex_open(&source, complex, error));
        BERTH_TRY(berth_requirements_check(&look->required->asked, complex, error));
    }
    return BERTH_OK;
}

enum berth_status berth_required_check(const struct berth_required_setup *setup,
                                       struct berth_error *error)
{
    struct berth_required required = {.made = {.modes = 0}};
    struct look look = {.required = &required};
    const enum berth_status status = open_complexes(setup, &look, error);
    clear_complexes(look.complexes, look.receptors);
    return status;
}

enum berth_status berth_required_find(const struct berth_required_setup *setup,
                                      const struct berth_screen_poses *poses,
                                      struct berth_required *required, struct berth_error *error)
{
    struct look look = {.poses = poses, .required = required};
    memset(required, 0, sizeof *required);
    required->made.first = poses->range.next;
    required->made.ligand_count = (size_t)(poses->range.end - poses->range.next);
    required->made.modes = poses->num_modes;
    snprintf(required->made.reason, sizeof required->made.reason,
             "no pose that was kept (num_modes) makes %.400s", setup->require);
    enum berth_status status = berth_make(
        &required->made.made, required->made.ligand_count * required->made.modes, 1, NULL, error);
    BERTH_THEN(open_complexes(setup, &look, error));
    BERTH_THEN(look_at_all(&look, error));
    clear_complexes(look.complexes, look.receptors);
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
    struct berth_output *output = NULL;
    BERTH_TRY(berth_output_create_in(folder, BERTH_REQUIRED_TABLE, &output, error));
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
    free(required->made.made);
    memset(required, 0, sizeof *required);
}

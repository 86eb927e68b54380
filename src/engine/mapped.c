#include "engine/mapped.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/kinds.h"

struct berth_mapped {
    struct berth_evaluator *evaluator; /* borrowed */
    struct berth_mapped_setup setup;
    struct berth_search_place of; /* where it is one of engine/search.c's, which owns its maps */
    struct berth_kernel *recombine, *generation, *choose;
    struct berth_buffer *constants; /* struct berth_device_mapped */
    struct berth_buffer *kept;      /* float [conformers][poses][row]: where each pose stands */
    struct berth_buffer *best;      /* the same: the lowest that each has been */
    struct berth_buffer *sorted;    /* int [conformers][poses]: rows by energy */
    struct berth_buffer *placed;    /* float [conformers][parents][3][placed_atoms] */
    size_t placed_atoms;
};

enum { ROW = BERTH_ROW_WORDS(BERTH_TORSIONS), POSES_MAX = 65536 };

/* Number of the generation that closes the search; 0: none does. */
static size_t last_of(const struct berth_mapped_settings *settings)
{
    return settings->closes ? settings->generations - 1 : 0;
}

static enum berth_status make_buffers(struct berth_mapped *mapped, struct berth_error *error)
{
    const struct berth_mapped_setup *setup = &mapped->setup;
    const struct berth_mapped_settings *settings = &setup->settings;
    const struct berth_device_mapped constants = {.seed_low = (uint32_t)setup->seed,
                                                  .seed_high = (uint32_t)(setup->seed >> 32),
                                                  .poses = (berth_int32)settings->poses,
                                                  .row = ROW,
                                                  .hops = (berth_int32)settings->hops,
                                                  .evaluations = (berth_int32)settings->evaluations,
                                                  .temperature = settings->temperature,
                                                  .half_x = (float)(setup->size[0] / 2),
                                                  .half_y = (float)(setup->size[1] / 2),
                                                  .half_z = (float)(setup->size[2] / 2),
                                                  .distinct = settings->distinct,
                                                  .kept = (berth_int32)setup->kept,
                                                  .parents = (berth_int32)settings->parents,
                                                  .fresh = settings->fresh,
                                                  .start = settings->start,
                                                  .last = (berth_int32)last_of(settings)};
    struct berth_context *context = mapped->evaluator->context;
    const size_t poses = setup->conformers * settings->poses;
    BERTH_TRY(
        berth_buffer_upload(context, &constants, sizeof constants, &mapped->constants, error));
    BERTH_TRY(berth_buffer_create(context, poses * ROW * sizeof(float), &mapped->kept, error));
    BERTH_TRY(berth_buffer_create(context, poses * ROW * sizeof(float), &mapped->best, error));
    return berth_buffer_create(context, poses * sizeof(berth_int32), &mapped->sorted, error);
}

/* Sees to it that there is room for the atoms of every parent of the batch. */
static enum berth_status make_placed(struct berth_mapped *mapped, const struct berth_batch *batch,
                                     struct berth_error *error)
{
    const size_t parents = mapped->setup.settings.parents, kept = mapped->setup.kept;
    const size_t most = parents > kept ? parents : kept;
    if (batch->most_atoms <= mapped->placed_atoms) {
        return BERTH_OK;
    }
    berth_buffer_destroy(mapped->placed);
    mapped->placed = NULL;
    mapped->placed_atoms = batch->most_atoms;
    return berth_buffer_create(mapped->evaluator->context,
                               mapped->setup.conformers * most * 3 * batch->most_atoms *
                                   sizeof(float),
                               &mapped->placed, error);
}

enum berth_status berth_mapped_create(struct berth_evaluator *evaluator,
                                      const struct berth_mapped_setup *setup,
                                      struct berth_mapped **mapped, struct berth_error *error)
{
    struct berth_mapped *made;
    *mapped = NULL;
    if (setup->settings.poses > POSES_MAX || setup->settings.generations < 1 ||
        setup->settings.hops < 1 || setup->settings.evaluations < 1) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "a search on maps with %zu poses, %zu generations, %zu hops of %zu "
            "evaluations: at most %d poses are possible, and at least one of the rest",
            setup->settings.poses, setup->settings.generations, setup->settings.hops,
            setup->settings.evaluations, POSES_MAX);
    }
    BERTH_TRY(berth_make(mapped, 1, sizeof *made, NULL, error));
    made = *mapped;
    made->evaluator = evaluator;
    made->setup = *setup;
    enum berth_status status = make_buffers(made, error);
    BERTH_THEN(
        berth_evaluator_maps_kernel(evaluator, "mapped_generation", &made->generation, error));
    BERTH_THEN(berth_evaluator_maps_kernel(evaluator, "mapped_recombine", &made->recombine, error));
    BERTH_THEN(berth_evaluator_maps_kernel(evaluator, "mapped_choose", &made->choose, error));
    if (status) {
        berth_mapped_destroy(made);
        *mapped = NULL;
    }
    return status;
}

void berth_mapped_destroy(struct berth_mapped *mapped)
{
    if (!mapped) {
        return;
    }
    if (mapped->of.evaluator) {
        berth_maps_destroy(mapped->setup.maps);
    }
    berth_kernel_destroy(mapped->recombine);
    berth_kernel_destroy(mapped->generation);
    berth_kernel_destroy(mapped->choose);
    berth_buffer_destroy(mapped->constants);
    berth_buffer_destroy(mapped->kept);
    berth_buffer_destroy(mapped->best);
    berth_buffer_destroy(mapped->sorted);
    berth_buffer_destroy(mapped->placed);
    free(mapped);
}

/* Conformers of a batch that lie together by size. */
struct range {
    size_t first, count;
};

/* Poses that a work-group works on side by side. */
static size_t poses_of_group(struct berth_evaluator *evaluator)
{
    return (size_t)evaluator->variant.vector_width;
}

/* Words of local memory that the list of a conformer's pairs takes; more than any device has where
 * they do not fit a list. */
static size_t pair_words(struct berth_evaluator *evaluator, const berth_int32 *words, size_t atoms)
{
    const berth_int32 *of_pairs = words + BERTH_FLEXIBLE_PAIRS((size_t)words[0], atoms);
    const size_t pairs = (size_t)of_pairs[0], types = (size_t)of_pairs[1];
    const size_t of_types =
        BERTH_ON_CURVES(evaluator->variant.vector_width) ? 1 : evaluator->constant_count;
    return types > BERTH_PAIR_TYPES ? INT32_MAX : BERTH_PAIR_MEMORY(atoms, pairs, types, of_types);
}

/* Of an energy on maps: see kernels/lanes.cl. */
static size_t parts_of(const struct berth_evaluator *evaluator)
{
    return 1 + berth_evaluator_parts(evaluator);
}

size_t berth_mapped_groups(struct berth_evaluator *evaluator, size_t poses)
{
    const size_t side_by_side = poses_of_group(evaluator);
    return (poses + side_by_side - 1) / side_by_side;
}

enum berth_status berth_mapped_scratch(struct berth_evaluator *evaluator,
                                       const struct berth_batch *batch, size_t *bytes,
                                       struct berth_error *error)
{
    const struct berth_scratch_extent most = {.atoms = batch->most_atoms,
                                              .torsions = batch->most_torsions,
                                              .poses = poses_of_group(evaluator),
                                              .parts = parts_of(evaluator)};
    return berth_scratch_memory(evaluator, &most, bytes, error);
}

enum berth_status berth_mapped_memory(struct berth_evaluator *evaluator,
                                      const struct berth_batch *batch, size_t first, size_t count,
                                      struct berth_mapped_room *room, struct berth_error *error)
{
    struct berth_scratch_extent most = {.poses = poses_of_group(evaluator),
                                        .parts = parts_of(evaluator)};
    size_t lists = 0;
    for (size_t i = first; i < first + count; i++) {
        const struct berth_device_conformer *conformer =
            &batch->host_conformers[batch->host_conformers[i].sized];
        const size_t atoms = (size_t)conformer->atom_count;
        most.atoms = atoms > most.atoms ? atoms : most.atoms;
        if (conformer->flexible >= 0) {
            const berth_int32 *words = batch->host_words + conformer->flexible;
            const size_t torsions = (size_t)words[0];
            const size_t pairs = torsions ? pair_words(evaluator, words, atoms) : 0;
            most.torsions = torsions > most.torsions ? torsions : most.torsions;
            lists = pairs > lists ? pairs : lists;
        }
    }
    const struct berth_device *device = berth_context_device(evaluator->context);
    const enum berth_status status = berth_scratch_memory(evaluator, &most, &room->bytes, error);
    room->listed = !status && room->bytes + 4 * lists <= device->local_memory;
    room->bytes += room->listed ? 4 * lists : 0;
    return status;
}

/* Conformers of like size that are launched together, at most: fewer do not fill a device. */
enum { RANGE = 256 };

/* Poses of the conformer that has the most of them. */
static size_t find_most_poses(const struct berth_mapped *mapped, const struct berth_batch *batch,
                              struct range range)
{
    size_t most = 0;
    for (size_t i = range.first; i < range.first + range.count; i++) {
        const size_t conformer = (size_t)batch->host_conformers[i].sized;
        const size_t conformers = (size_t)batch->host_conformers[conformer].conformers;
        const size_t poses = BERTH_POSES_OF(mapped->setup.settings.poses, conformers);
        most = poses > most ? poses : most;
    }
    return most;
}

static enum berth_status start_range(struct berth_mapped *mapped, const struct berth_batch *batch,
                                     size_t number, struct range range, struct berth_error *error)
{
    const size_t group = (size_t)mapped->evaluator->variant.refine_wgsize;
    const struct berth_maps *maps = mapped->setup.maps;
    struct berth_kernel *kernel = mapped->generation;
    struct berth_mapped_room room;
    BERTH_TRY(
        berth_mapped_memory(mapped->evaluator, batch, range.first, range.count, &room, error));
    berth_kernel_set_buffer(kernel, 0, berth_maps_pairs(maps));
    berth_kernel_set_int(kernel, 1, (int32_t)maps->types);
    berth_kernel_set_buffers(kernel, 2, maps->grid, maps->halves, batch->conformers, batch->atoms,
                             batch->words, mapped->constants);
    berth_kernel_set_int(kernel, 8, (int32_t)number);
    berth_kernel_set_int(kernel, 9, (int32_t)range.first);
    berth_kernel_set_int(kernel, 10, room.listed);
    berth_kernel_set_buffers(kernel, 11, mapped->kept, mapped->best);
    berth_evaluator_set_places(mapped->evaluator, kernel, 13);
    berth_kernel_set_local(kernel, 14, room.bytes);
    const size_t groups =
        berth_mapped_groups(mapped->evaluator, find_most_poses(mapped, batch, range));
    return berth_kernel_launch(kernel, groups * group, range.count, group, NULL, error);
}

static enum berth_status start_generation(struct berth_mapped *mapped,
                                          const struct berth_batch *batch, size_t number,
                                          struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t first = 0; !status && first < batch->count; first += RANGE) {
        const size_t left = batch->count - first;
        const struct range range = {first, left < RANGE ? left : RANGE};
        status = start_range(mapped, batch, number, range, error);
    }
    return status;
}

/* Sets what kernels need that put poses in order: the arguments from this one on, the last. */
static void set_order(const struct berth_mapped *mapped, struct berth_kernel *kernel,
                      unsigned first, size_t memory)
{
    berth_kernel_set_buffer(kernel, first, mapped->placed);
    berth_kernel_set_int(kernel, first + 1, (int32_t)mapped->placed_atoms);
    berth_kernel_set_buffer(kernel, first + 2, mapped->sorted);
    berth_kernel_set_local(kernel, first + 3, mapped->setup.settings.poses * sizeof(berth_int32));
    berth_kernel_set_local(kernel, first + 4, memory);
}

static enum berth_status start_recombination(struct berth_mapped *mapped,
                                             const struct berth_batch *batch, size_t number,
                                             size_t memory, struct berth_error *error)
{
    const size_t group = (size_t)mapped->evaluator->variant.refine_wgsize;
    berth_kernel_set_buffers(mapped->recombine, 0, batch->conformers, batch->atoms, batch->words,
                             mapped->constants);
    berth_kernel_set_int(mapped->recombine, 4, (int32_t)number);
    berth_kernel_set_buffer(mapped->recombine, 5, mapped->kept);
    set_order(mapped, mapped->recombine, 6, memory);
    return berth_kernel_launch(mapped->recombine, group, batch->count, group, NULL, error);
}

static enum berth_status start_choice(struct berth_mapped *mapped, const struct berth_batch *batch,
                                      size_t memory, struct berth_buffer *const results[2],
                                      struct berth_error *error)
{
    const size_t group = (size_t)mapped->evaluator->variant.refine_wgsize;
    berth_kernel_set_buffers(mapped->choose, 0, batch->conformers, batch->atoms, batch->words,
                             mapped->constants, mapped->best, results[1], results[0]);
    set_order(mapped, mapped->choose, 7, memory);
    return berth_kernel_launch(mapped->choose, group, batch->count, group, NULL, error);
}

enum berth_status berth_mapped_run(struct berth_mapped *mapped, const struct berth_batch *batch,
                                   struct berth_buffer *records, struct berth_buffer *counts,
                                   struct berth_error *error)
{
    size_t memory = 0;
    struct berth_buffer *const results[2] = {records, counts};
    const size_t last = last_of(&mapped->setup.settings);
    enum berth_status status = berth_mapped_scratch(mapped->evaluator, batch, &memory, error);
    BERTH_THEN(make_placed(mapped, batch, error));
    BERTH_THEN(berth_maps_complete(mapped->setup.maps, batch, error));
    for (size_t g = 0; !status && g < mapped->setup.settings.generations; g++) {
        if (g && g != last && mapped->setup.settings.parents < mapped->setup.settings.poses) {
            status = start_recombination(mapped, batch, g, memory, error);
        }
        BERTH_THEN(start_generation(mapped, batch, g, error));
    }
    BERTH_THEN(start_choice(mapped, batch, memory, results, error));
    return status;
}

struct berth_maps *berth_mapped_maps(const struct berth_mapped *mapped)
{
    return mapped->setup.maps;
}

/* --- As a kind of search --- */

static enum berth_status create(const struct berth_search_place *of, const void *first,
                                void **search, struct berth_error *error)
{
    const struct berth_mapped *beside = first;
    const double *size = of->size;
    struct berth_mapped *mapped;
    struct berth_mapped_setup setup = {.settings = of->settings->mapped,
                                       .seed = of->settings->seed,
                                       .size = {size[0], size[1], size[2]},
                                       .conformers = of->conformers,
                                       .kept = of->settings->refine.poses};
    if (beside) {
        setup.maps = berth_maps_share(beside->setup.maps);
    } else {
        BERTH_TRY(berth_maps_create(of->evaluator, size, &setup.settings.maps, &setup.maps, error));
    }
    const enum berth_status status = berth_mapped_create(of->evaluator, &setup, &mapped, error);
    if (status) {
        berth_maps_destroy(setup.maps);
        return status;
    }
    mapped->of = *of;
    *search = mapped;
    return BERTH_OK;
}

static enum berth_status start(void *search, const struct berth_batch *batch,
                               struct berth_error *error)
{
    struct berth_mapped *mapped = search;
    return berth_mapped_run(mapped, batch, mapped->of.refiner->records, mapped->of.counts, error);
}

static void destroy(void *search)
{
    berth_mapped_destroy(search);
}

const struct berth_search_kind BERTH_SEARCH_MAPPED = {
    .create = create, .start = start, .destroy = destroy};

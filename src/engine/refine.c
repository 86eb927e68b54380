#include "engine/refine.h"

#include <stdlib.h>

#include "base/memory.h"

/* Å: a wall that nothing reaches, for poses that may be anywhere. */
#define ANYWHERE 1e6f

struct berth_refine_settings berth_refine_defaults(void)
{
    return (struct berth_refine_settings){.poses = 16,
                                          .evaluations = 400,
                                          .hops = 0,
                                          .temperature = 5,
                                          .width = 0.1f,
                                          .shakes = 4,
                                          .torsions = false};
}

static enum berth_status upload_constants(struct berth_refiner *refiner,
                                          const struct berth_refine_setup *setup,
                                          struct berth_error *error)
{
    const struct berth_refine_settings *settings = &setup->settings;
    const bool anywhere = setup->size[0] == 0;
    const struct berth_device_refine constants = {
        .seed_low = (uint32_t)setup->seed,
        .seed_high = (uint32_t)(setup->seed >> 32),
        .poses = (berth_int32)settings->poses,
        .evaluations = (berth_int32)settings->evaluations,
        .hops = (berth_int32)settings->hops,
        .generation = (berth_int32)setup->generations,
        .temperature = settings->temperature,
        .half_x = anywhere ? ANYWHERE : (float)(setup->size[0] / 2),
        .half_y = anywhere ? ANYWHERE : (float)(setup->size[1] / 2),
        .half_z = anywhere ? ANYWHERE : (float)(setup->size[2] / 2),
        .torsions = settings->torsions,
        .width = settings->width,
        .shakes = (berth_int32)settings->shakes};
    return berth_buffer_upload(refiner->evaluator->context, &constants, sizeof constants,
                               &refiner->constants, error);
}

static enum berth_status make_records(struct berth_refiner *refiner, size_t count,
                                      struct berth_error *error)
{
    BERTH_TRY(berth_make(&refiner->on_host, count, sizeof *refiner->on_host, NULL, error));
    return berth_buffer_create(refiner->evaluator->context, count * sizeof *refiner->on_host,
                               &refiner->records, error);
}

enum berth_status berth_refiner_create(struct berth_evaluator *evaluator,
                                       const struct berth_refine_setup *setup,
                                       struct berth_refiner **refiner, struct berth_error *error)
{
    *refiner = NULL;
    if (setup->settings.evaluations < 1 || setup->settings.evaluations > BERTH_EVALUATIONS_MAX) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%zu evaluations of a refinement: 1 to %d are "
                          "possible",
                          setup->settings.evaluations, BERTH_EVALUATIONS_MAX);
    }
    if (setup->settings.hops > BERTH_HOPS_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "%zu hops: 0 to %d are possible",
                          setup->settings.hops, BERTH_HOPS_MAX);
    }
    struct berth_refiner *made;
    BERTH_TRY(berth_make(refiner, 1, sizeof *made, NULL, error));
    made = *refiner;
    made->evaluator = evaluator;
    made->settings = setup->settings;
    enum berth_status status = upload_constants(made, setup, error);
    BERTH_THEN(make_records(made, setup->conformers * setup->settings.poses, error));
    BERTH_THEN(berth_kernel_create(evaluator->program, "refine_begin", &made->begin, error));
    BERTH_THEN(berth_evaluator_kernel(evaluator, "refine", &made->refine, error));
    if (status) {
        berth_refiner_destroy(made);
        *refiner = NULL;
    }
    return status;
}

void berth_refiner_destroy(struct berth_refiner *refiner)
{
    if (!refiner) {
        return;
    }
    berth_kernel_destroy(refiner->begin);
    berth_kernel_destroy(refiner->refine);
    berth_kernel_destroy(refiner->large);
    berth_buffer_destroy(refiner->constants);
    berth_buffer_destroy(refiner->records);
    free(refiner->on_host);
    free(refiner);
}

enum berth_status berth_refiner_take(struct berth_refiner *refiner,
                                     const struct berth_parents *parents, size_t conformers,
                                     struct berth_error *error)
{
    struct berth_kernel *kernel = refiner->begin;
    berth_kernel_set_buffers(kernel, 0, refiner->constants, parents->transforms, parents->counts);
    berth_kernel_set_int(kernel, 3, (int32_t)parents->stride);
    berth_kernel_set_buffer(kernel, 4, refiner->records);
    return berth_kernel_launch(kernel, refiner->settings.poses, conformers, 0, NULL, error);
}

static size_t bytes_of(const struct berth_refiner *refiner, size_t conformers)
{
    return conformers * refiner->settings.poses * sizeof *refiner->on_host;
}

enum berth_status berth_refiner_write(struct berth_refiner *refiner, size_t conformers,
                                      struct berth_error *error)
{
    return berth_buffer_write(refiner->records, refiner->on_host, bytes_of(refiner, conformers),
                              error);
}

enum berth_status berth_scratch_memory(struct berth_evaluator *evaluator,
                                       const struct berth_scratch_extent *extent, size_t *bytes,
                                       struct berth_error *error)
{
    const struct berth_variant variant = evaluator->variant;
    const struct berth_device *device = berth_context_device(evaluator->context);
    const size_t items = (size_t)variant.refine_wgsize;
    const size_t of_atoms = (size_t)variant.vector_width / extent->poses;
    const size_t lanes = of_atoms > 4 ? of_atoms : 4; /* see flexible_of in kernels/flexible.cl */
    const size_t stride = (extent->atoms + lanes - 1) / lanes * lanes;
    const size_t reals = BERTH_SCRATCH_REALS(stride, extent->torsions, items, extent->parts);
    const size_t phases = evaluator->torsional ? BERTH_DIHEDRALS * extent->torsions : 0;
    const size_t words = BERTH_SCRATCH_WORDS(stride, extent->torsions) + phases;
    *bytes = 4 * (reals * extent->poses + words + extent->more);
    return *bytes <= device->local_memory
               ? BERTH_OK
               : berth_fail_option(
                     error, BERTH_E_USAGE, "search",
                     "a ligand of %zu heavy atoms and %zu torsions cannot be refined on "
                     "device %zu (%s): that takes %zu bytes of local memory, of %zu; dock "
                     "it without refinement",
                     extent->atoms, extent->torsions, device->index, device->name, *bytes,
                     (size_t)device->local_memory);
}

/* The kernel for a batch, which the refiner keeps. */
static enum berth_status choose_kernel(struct berth_refiner *refiner,
                                       const struct berth_batch *batch,
                                       struct berth_kernel **kernel, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    if (batch->large && !refiner->large) {
        status = berth_evaluator_large_kernel(refiner->evaluator, "refine", &refiner->large, error);
    }
    *kernel = batch->large ? refiner->large : refiner->refine;
    return status;
}

/* What a work-group holds at a time of any ligand of the batch. */
static struct berth_scratch_extent measure(const struct berth_refiner *refiner,
                                           const struct berth_batch *batch)
{
    const size_t most = batch->large ? BERTH_LIGAND_TILE : BERTH_LIGAND_ATOMS_MAX;
    const bool turns = refiner->settings.torsions && !batch->large;
    return (struct berth_scratch_extent){
        .atoms = batch->most_atoms < most ? batch->most_atoms : most,
        .torsions = turns ? batch->most_torsions : 0,
        .poses = 1,
        .parts = refiner->evaluator->term_count + berth_evaluator_parts(refiner->evaluator)};
}

enum berth_status berth_refiner_run(struct berth_refiner *refiner, const struct berth_batch *batch,
                                    uint64_t *nanoseconds, struct berth_error *error)
{
    const size_t group = (size_t)refiner->evaluator->variant.refine_wgsize;
    const struct berth_scratch_extent extent = measure(refiner, batch);
    struct berth_kernel *kernel = NULL;
    size_t memory = 0;
    BERTH_TRY(berth_scratch_memory(refiner->evaluator, &extent, &memory, error));
    BERTH_TRY(choose_kernel(refiner, batch, &kernel, error));
    berth_kernel_set_buffers(kernel, 5, batch->conformers, batch->atoms, batch->words,
                             refiner->constants, refiner->records);
    berth_evaluator_set_places(refiner->evaluator, kernel, 10);
    berth_kernel_set_local(kernel, 11, memory);
    return berth_kernel_launch(kernel, refiner->settings.poses * group, batch->count, group,
                               nanoseconds, error);
}

float berth_refined_energy(const struct berth_device_refined *record)
{
    float sum = record->terms[0];
    for (size_t i = 1; i < BERTH_DEVICE_TERMS; i++) {
        sum += record->terms[i];
    }
    return sum;
}

enum berth_status berth_refiner_start_read(struct berth_refiner *refiner, size_t conformers,
                                           struct berth_event **event, struct berth_error *error)
{
    return berth_buffer_start_read(refiner->records, refiner->on_host,
                                   bytes_of(refiner, conformers), event, error);
}

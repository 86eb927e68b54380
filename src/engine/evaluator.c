#include "engine/evaluator.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct berth_evaluator {
    struct berth_context *context; /* borrowed */
    struct berth_variant variant;
    struct berth_program *program;
    struct berth_kernel *energy, *energy_terms;
    struct berth_buffer *atoms, *tiles, *runs, *pairs, *site;
    size_t atom_count;
};

static enum berth_status upload(struct berth_context *context, const void *bytes, size_t size,
                                struct berth_buffer **buffer, struct berth_error *error)
{
    enum berth_status status = berth_buffer_create(context, size, buffer, error);
    return status ? status : berth_buffer_write(*buffer, bytes, size, error);
}

static enum berth_status upload_receptor(struct berth_evaluator *evaluator,
                                         const struct berth_packed_receptor *packed,
                                         struct berth_error *error)
{
    struct berth_context *context = evaluator->context;
    enum berth_status status =
        upload(context, packed->atoms, packed->atom_count * sizeof *packed->atoms,
               &evaluator->atoms, error);
    if (!status) {
        status =
            upload(context, packed->tiles, (size_t)packed->site.tile_count * sizeof *packed->tiles,
                   &evaluator->tiles, error);
    }
    if (!status) {
        status = upload(context, packed->runs, packed->run_count * sizeof *packed->runs,
                        &evaluator->runs, error);
    }
    if (!status) {
        status = upload(context, packed->pairs, packed->pair_count * sizeof *packed->pairs,
                        &evaluator->pairs, error);
    }
    if (!status) {
        status = upload(context, &packed->site, sizeof packed->site, &evaluator->site, error);
    }
    return status;
}

/* Makes an energy kernel and sets the arguments that never change. */
static enum berth_status make_kernel(struct berth_evaluator *evaluator, const char *name,
                                     struct berth_kernel **kernel, struct berth_error *error)
{
    enum berth_status status = berth_kernel_create(evaluator->program, name, kernel, error);
    if (status) {
        return status;
    }
    berth_kernel_set_buffer(*kernel, 0, evaluator->atoms);
    berth_kernel_set_buffer(*kernel, 1, evaluator->tiles);
    berth_kernel_set_buffer(*kernel, 2, evaluator->runs);
    berth_kernel_set_buffer(*kernel, 3, evaluator->pairs);
    berth_kernel_set_buffer(*kernel, 4, evaluator->site);
    return BERTH_OK;
}

enum berth_status
berth_evaluator_create(struct berth_context *context, const struct berth_variant *variant,
                       const char *build_options, const struct berth_target *target,
                       struct berth_evaluator **evaluator, struct berth_error *error)
{
    *evaluator = NULL;
    const struct berth_packing packing = {(size_t)variant->tile, variant->lists != 0};
    struct berth_packed_receptor packed;
    enum berth_status status = berth_pack_receptor(target, &packing, &packed, error);
    if (status) {
        return status;
    }
    struct berth_evaluator *made = berth_alloc(1, sizeof *made);
    if (!made) {
        berth_packed_receptor_clear(&packed);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    made->context = context;
    made->variant = *variant;
    made->atom_count = target->receptor->count;
    status = berth_variant_build(context, variant, build_options, &made->program, error);
    if (!status) {
        status = upload_receptor(made, &packed, error);
    }
    if (!status) {
        status = make_kernel(made, "energy", &made->energy, error);
    }
    if (!status) {
        status = make_kernel(made, "energy_terms", &made->energy_terms, error);
    }
    berth_packed_receptor_clear(&packed);
    if (status) {
        berth_evaluator_destroy(made);
        return status;
    }
    *evaluator = made;
    return BERTH_OK;
}

void berth_evaluator_destroy(struct berth_evaluator *evaluator)
{
    if (!evaluator) {
        return;
    }
    berth_kernel_destroy(evaluator->energy);
    berth_kernel_destroy(evaluator->energy_terms);
    berth_buffer_destroy(evaluator->atoms);
    berth_buffer_destroy(evaluator->tiles);
    berth_buffer_destroy(evaluator->runs);
    berth_buffer_destroy(evaluator->pairs);
    berth_buffer_destroy(evaluator->site);
    berth_program_destroy(evaluator->program);
    free(evaluator);
}

struct berth_context *berth_evaluator_context(struct berth_evaluator *evaluator)
{
    return evaluator->context;
}

struct berth_program *berth_evaluator_program(struct berth_evaluator *evaluator)
{
    return evaluator->program;
}

struct berth_variant berth_evaluator_variant(const struct berth_evaluator *evaluator)
{
    return evaluator->variant;
}

size_t berth_evaluator_atoms(const struct berth_evaluator *evaluator)
{
    return evaluator->atom_count;
}

/* Makes *buffer hold at least needed elements of size bytes; what it held is lost. */
static enum berth_status grow(struct berth_context *context, struct berth_buffer **buffer,
                              size_t *capacity, size_t needed, size_t size,
                              struct berth_error *error)
{
    if (*buffer && needed <= *capacity) {
        return BERTH_OK;
    }
    berth_buffer_destroy(*buffer);
    *buffer = NULL;
    enum berth_status status = berth_buffer_create(context, needed * size, buffer, error);
    *capacity = status ? 0 : needed;
    return status;
}

/* Makes the batch's arrays on the host. */
static enum berth_status gather(struct berth_batch *batch,
                                const struct berth_packed_conformer *conformers, size_t count,
                                size_t *atom_count, struct berth_error *error)
{
    *atom_count = 0;
    for (size_t i = 0; i < count; i++) {
        *atom_count += (size_t)conformers[i].device.atom_count;
    }
    free(batch->host_conformers);
    free(batch->host_atoms);
    batch->host_conformers = berth_alloc(count, sizeof *batch->host_conformers);
    batch->host_atoms = berth_alloc(*atom_count, sizeof *batch->host_atoms);
    if (!batch->host_conformers || !batch->host_atoms) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu conformers", count);
    }
    size_t filled = 0;
    for (size_t i = 0; i < count; i++) {
        struct berth_device_conformer *head = &batch->host_conformers[i];
        *head = conformers[i].device;
        head->atom_begin = (berth_int32)filled;
        memcpy(batch->host_atoms + filled, conformers[i].atoms,
               (size_t)head->atom_count * sizeof *batch->host_atoms);
        filled += (size_t)head->atom_count;
    }
    return BERTH_OK;
}

enum berth_status berth_batch_fill(struct berth_batch *batch, struct berth_context *context,
                                   const struct berth_packed_conformer *conformers, size_t count,
                                   struct berth_error *error)
{
    const size_t head_size = sizeof *batch->host_conformers, atom_size = sizeof *batch->host_atoms;
    size_t atom_count;
    enum berth_status status = gather(batch, conformers, count, &atom_count, error);
    if (!status) {
        status = grow(context, &batch->conformers, &batch->capacity, count, head_size, error);
    }
    if (!status) {
        status = grow(context, &batch->atoms, &batch->atom_capacity, atom_count, atom_size, error);
    }
    if (!status) {
        status = berth_buffer_start_write(batch->conformers, batch->host_conformers,
                                          count * head_size, error);
    }
    if (!status) {
        status = berth_buffer_start_write(batch->atoms, batch->host_atoms, atom_count * atom_size,
                                          error);
    }
    batch->count = count;
    return status;
}

void berth_batch_clear(struct berth_batch *batch)
{
    berth_buffer_destroy(batch->conformers);
    berth_buffer_destroy(batch->atoms);
    free(batch->host_conformers);
    free(batch->host_atoms);
    memset(batch, 0, sizeof *batch);
}

enum berth_status berth_evaluator_run(struct berth_evaluator *evaluator,
                                      const struct berth_evaluation *evaluation,
                                      uint64_t *nanoseconds, struct berth_error *error)
{
    struct berth_kernel *kernel = evaluation->terms ? evaluator->energy_terms : evaluator->energy;
    berth_kernel_set_buffer(kernel, 5, evaluation->batch->conformers);
    berth_kernel_set_buffer(kernel, 6, evaluation->batch->atoms);
    berth_kernel_set_buffer(kernel, 7, evaluation->transforms);
    berth_kernel_set_int(kernel, 8, (int32_t)evaluation->poses);
    berth_kernel_set_buffer(kernel, 9, evaluation->result);
    if (!evaluation->terms) {
        berth_kernel_set_float(kernel, 10, evaluation->steric_weight);
    }
    const size_t per_item = (size_t)(evaluator->variant.vector_width * evaluator->variant.ppwi);
    const size_t items = (evaluation->poses + per_item - 1) / per_item;
    return berth_kernel_launch(kernel, items, evaluation->batch->count,
                               (size_t)evaluator->variant.wgsize, nanoseconds, error);
}

#include "engine/evaluator.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static enum berth_status upload_receptor(struct berth_evaluator *evaluator,
                                         const struct berth_packed_receptor *packed,
                                         struct berth_error *error)
{
    struct berth_context *context = evaluator->context;
    enum berth_status status =
        berth_buffer_upload(context, packed->atoms, packed->atom_count * sizeof *packed->atoms,
                            &evaluator->atoms, error);
    BERTH_THEN(berth_buffer_upload(context, packed->tiles,
                                   (size_t)packed->site.tile_count * sizeof *packed->tiles,
                                   &evaluator->tiles, error));
    BERTH_THEN(berth_buffer_upload(context, packed->runs, packed->run_count * sizeof *packed->runs,
                                   &evaluator->runs, error));
    BERTH_THEN(berth_buffer_upload(context, packed->pairs,
                                   packed->pair_count * packed->pair_words * sizeof *packed->pairs,
                                   &evaluator->pairs, error));
    BERTH_THEN(
        berth_buffer_upload(context, &packed->site, sizeof packed->site, &evaluator->site, error));
    return status;
}

static enum berth_status upload_places(struct berth_evaluator *evaluator,
                                       const struct berth_target *target, struct berth_error *error)
{
    const size_t count = target->places->count;
    struct berth_device_place *places;
    BERTH_TRY(berth_make(&places, count, sizeof *places, NULL, error));
    for (size_t i = 0; i < count; i++) {
        places[i] = berth_pack_place(&target->places->places[i], target->site.center);
    }
    const enum berth_status status = berth_buffer_upload(
        evaluator->context, places, count * sizeof *places, &evaluator->places, error);
    free(places);
    return status;
}

void berth_evaluator_set_places(const struct berth_evaluator *evaluator,
                                struct berth_kernel *kernel, unsigned argument)
{
    berth_kernel_set_buffer(kernel, argument,
                            evaluator->places ? evaluator->places : evaluator->site);
}

size_t berth_evaluator_parts(const struct berth_evaluator *evaluator)
{
    return evaluator->places ? BERTH_PART_COUNT : BERTH_PART_RESTRAINT;
}

enum berth_status berth_evaluator_kernel(struct berth_evaluator *evaluator, const char *name,
                                         struct berth_kernel **kernel, struct berth_error *error)
{
    enum berth_status status = berth_kernel_create(evaluator->program, name, kernel, error);
    if (!status) {
        berth_evaluator_set_receptor(evaluator, *kernel);
    }
    return status;
}

void berth_evaluator_set_receptor(struct berth_evaluator *evaluator, struct berth_kernel *kernel)
{
    berth_kernel_set_buffers(kernel, 0, evaluator->atoms, evaluator->tiles, evaluator->runs,
                             evaluator->pairs, evaluator->site);
}

static enum berth_status make_later(struct berth_evaluator *evaluator,
                                    struct berth_later_program *later, const char *name,
                                    struct berth_kernel **kernel, struct berth_error *error)
{
    *kernel = NULL;
    enum berth_status status = BERTH_OK;
    if (!later->program) {
        status = berth_variant_build(evaluator->context, &later->variant, evaluator->scoring,
                                     later->options, &later->program, error);
    }
    return status ? status : berth_kernel_create(later->program, name, kernel, error);
}

enum berth_status berth_evaluator_maps_kernel(struct berth_evaluator *evaluator, const char *name,
                                              struct berth_kernel **kernel,
                                              struct berth_error *error)
{
    return make_later(evaluator, &evaluator->on_maps, name, kernel, error);
}

enum berth_status berth_evaluator_large_kernel(struct berth_evaluator *evaluator, const char *name,
                                               struct berth_kernel **kernel,
                                               struct berth_error *error)
{
    enum berth_status status = make_later(evaluator, &evaluator->large, name, kernel, error);
    if (!status) {
        berth_evaluator_set_receptor(evaluator, *kernel);
    }
    return status;
}

/* An option and those that there are besides; NULL when out of memory. */
static char *join_options(const char *option, const char *more)
{
    more = more ? more : "";
    char *options = berth_alloc(strlen(option) + strlen(more) + 2, 1);
    return options ? strcat(strcat(strcpy(options, option), " "), more) : NULL;
}

enum berth_status
berth_evaluator_create(struct berth_context *context, const struct berth_variant *variant,
                       const char *build_options, const struct berth_target *target,
                       struct berth_evaluator **evaluator, struct berth_error *error)
{
    *evaluator = NULL;
    const bool shares = berth_context_device(context)->kind == BERTH_DEVICE_GPU;
    const char *restrained = !target->places ? ""
                             : shares        ? BERTH_RESTRAINED_SHARED
                                             : BERTH_RESTRAINED;
    struct berth_packed_receptor packed;
    BERTH_TRY(
        berth_pack_receptor(target, (size_t)variant->tile, variant->lists != 0, &packed, error));
    struct berth_evaluator *made = berth_alloc(1, sizeof *made);
    if (!made) {
        berth_packed_receptor_clear(&packed);
        return berth_out_of_memory(error, NULL);
    }
    made->context = context;
    made->variant = *variant;
    made->scoring = target->scoring;
    char *options = join_options(restrained, build_options);
    made->on_maps.options = options ? join_options(BERTH_ON_MAPS, options) : NULL;
    made->large.options = join_options(BERTH_LARGE, build_options);
    made->on_maps.variant = made->large.variant = *variant;
    made->large.variant.expanded = 0; /* far from the centre that loses too many digits */
    made->term_count = berth_scoring_pair_terms(target->scoring);
    made->torsional = made->term_count < target->scoring->terms.count;
    made->type_count = (size_t)packed.site.pair_columns;
    made->constant_count = berth_score_constant_count(target->scoring->program);
    enum berth_status status =
        made->on_maps.options && made->large.options
            ? berth_variant_build(context, variant, target->scoring, options, &made->program, error)
            : berth_out_of_memory(error, NULL);
    free(options);
    BERTH_THEN(upload_receptor(made, &packed, error));
    if (!status && target->places) {
        status = upload_places(made, target, error);
    }
    if (!status) { /* every queue reads it */
        status = berth_context_finish(context, error);
    }
    BERTH_THEN(berth_evaluator_kernel(made, "energy", &made->energy, error));
    BERTH_THEN(berth_evaluator_kernel(made, "energy_terms", &made->energy_terms, error));
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
    berth_kernel_destroy(evaluator->large_energy[0]);
    berth_kernel_destroy(evaluator->large_energy[1]);
    berth_buffer_destroy(evaluator->atoms);
    berth_buffer_destroy(evaluator->tiles);
    berth_buffer_destroy(evaluator->runs);
    berth_buffer_destroy(evaluator->pairs);
    berth_buffer_destroy(evaluator->site);
    berth_buffer_destroy(evaluator->places);
    berth_program_destroy(evaluator->program);
    berth_program_destroy(evaluator->on_maps.program);
    berth_program_destroy(evaluator->large.program);
    free(evaluator->on_maps.options);
    free(evaluator->large.options);
    free(evaluator);
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

/* How many of what a batch holds. */
struct sizes {
    size_t conformers, atoms, words;
};

/* True where conformer i brings what turns in it, and does not share it with the one before. */
static bool brings_words(const struct berth_packed_conformer *conformers, size_t i)
{
    return conformers[i].flexible &&
           (i == 0 || conformers[i].flexible != conformers[i - 1].flexible);
}

/* The same of its restraints. */
static bool brings_restraints(const struct berth_packed_conformer *conformers, size_t i)
{
    return conformers[i].restrained &&
           (i == 0 || conformers[i].restrained != conformers[i - 1].restrained);
}

static struct sizes measure(const struct berth_packed_conformer *conformers, size_t count)
{
    struct sizes sizes = {.conformers = count};
    for (size_t i = 0; i < count; i++) {
        sizes.atoms += (size_t)conformers[i].device.atom_count;
        sizes.words += brings_words(conformers, i) ? conformers[i].flexible->count : 0;
        sizes.words +=
            brings_restraints(conformers, i) ? berth_count_restrained(conformers[i].restrained) : 0;
    }
    return sizes;
}

/* A conformer's place before it is sorted by size. */
struct sized {
    size_t words; /* what its torsions and pairs take; else its atoms */
    size_t number;
};

static int by_size(const void *left, const void *right)
{
    const struct sized *a = left, *b = right;
    if (a->words != b->words) {
        return a->words < b->words ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

/* Says in the heads which conformer is which by size, so that those of like size can be launched
 * together. */
static enum berth_status sort_by_size(struct berth_batch *batch,
                                      const struct berth_packed_conformer *conformers, size_t count,
                                      struct berth_error *error)
{
    struct sized *sized;
    BERTH_TRY(berth_make(&sized, count, sizeof *sized, NULL, error));
    for (size_t i = 0; i < count; i++) {
        const struct berth_packed_flexible *flexible = conformers[i].flexible;
        sized[i].words = flexible ? flexible->count : (size_t)conformers[i].device.atom_count;
        sized[i].number = i;
    }
    qsort(sized, count, sizeof *sized, by_size);
    for (size_t i = 0; i < count; i++) {
        batch->host_conformers[i].sized = (berth_int32)sized[i].number;
    }
    free(sized);
    return BERTH_OK;
}

/* Makes the batch's arrays on the host. */
static enum berth_status gather(struct berth_batch *batch,
                                const struct berth_packed_conformer *conformers, struct sizes sizes,
                                struct berth_error *error)
{
    free(batch->host_conformers);
    free(batch->host_atoms);
    free(batch->host_words);
    batch->host_conformers = berth_alloc(sizes.conformers, sizeof *batch->host_conformers);
    batch->host_atoms = berth_alloc(sizes.atoms, sizeof *batch->host_atoms);
    batch->host_words = berth_alloc(sizes.words, sizeof *batch->host_words);
    if (!batch->host_conformers || !batch->host_atoms || !batch->host_words) {
        return berth_out_of_memory(error, NULL);
    }
    batch->most_atoms = batch->most_torsions = 0;
    size_t atoms = 0, words = 0, turning = 0, restrained = 0;
    for (size_t i = 0; i < sizes.conformers; i++) {
        const struct berth_packed_flexible *flexible = conformers[i].flexible;
        struct berth_device_conformer *head = &batch->host_conformers[i];
        const size_t count = (size_t)conformers[i].device.atom_count;
        *head = conformers[i].device;
        head->atom_begin = (berth_int32)atoms;
        memcpy(batch->host_atoms + atoms, conformers[i].atoms, count * sizeof *batch->host_atoms);
        atoms += count;
        if (brings_words(conformers, i)) {
            memcpy(batch->host_words + words, flexible->words,
                   flexible->count * sizeof *batch->host_words);
            turning = words;
            words += flexible->count;
        }
        head->flexible = flexible ? (berth_int32)turning : -1;
        if (brings_restraints(conformers, i)) {
            berth_pack_restrained(conformers[i].restrained, batch->host_words + words);
            restrained = words;
            words += berth_count_restrained(conformers[i].restrained);
        }
        head->restrained = conformers[i].restrained ? (berth_int32)restrained : -1;
        batch->most_atoms = count > batch->most_atoms ? count : batch->most_atoms;
        if (flexible && flexible->torsions > batch->most_torsions) {
            batch->most_torsions = flexible->torsions;
        }
    }
    return sort_by_size(batch, conformers, sizes.conformers, error);
}

enum berth_status berth_batch_fill(struct berth_batch *batch, struct berth_context *context,
                                   const struct berth_packed_conformer *conformers, size_t count,
                                   struct berth_error *error)
{
    const struct sizes sizes = measure(conformers, count);
    enum berth_status status = gather(batch, conformers, sizes, error);
    const struct {
        struct berth_buffer **buffer;
        size_t *capacity, needed, size;
        const void *bytes;
    } parts[] = {{&batch->conformers, &batch->capacity, count, sizeof *batch->host_conformers,
                  batch->host_conformers},
                 {&batch->atoms, &batch->atom_capacity, sizes.atoms, sizeof *batch->host_atoms,
                  batch->host_atoms},
                 {&batch->words, &batch->word_capacity, sizes.words, sizeof *batch->host_words,
                  batch->host_words}};
    for (size_t i = 0; !status && i < sizeof parts / sizeof *parts; i++) {
        status = grow(context, parts[i].buffer, parts[i].capacity, parts[i].needed, parts[i].size,
                      error);
        if (!status && parts[i].needed) {
            status = berth_buffer_start_write(*parts[i].buffer, parts[i].bytes,
                                              parts[i].needed * parts[i].size, error);
        }
    }
    batch->count = count;
    batch->atom_count = sizes.atoms;
    batch->large = count && berth_is_large(conformers);
    return status;
}

void berth_batch_clear(struct berth_batch *batch)
{
    berth_buffer_destroy(batch->conformers);
    berth_buffer_destroy(batch->atoms);
    berth_buffer_destroy(batch->words);
    free(batch->host_conformers);
    free(batch->host_atoms);
    free(batch->host_words);
    memset(batch, 0, sizeof *batch);
}

/* The kernel for an evaluation, which the evaluator keeps. */
static enum berth_status choose_kernel(struct berth_evaluator *evaluator,
                                       const struct berth_evaluation *evaluation,
                                       struct berth_kernel **kernel, struct berth_error *error)
{
    *kernel = evaluation->terms ? evaluator->energy_terms : evaluator->energy;
    if (!evaluation->batch->large) {
        return BERTH_OK;
    }
    struct berth_kernel **large = &evaluator->large_energy[evaluation->terms];
    const char *name = evaluation->terms ? "energy_terms" : "energy";
    enum berth_status status =
        *large ? BERTH_OK : berth_evaluator_large_kernel(evaluator, name, large, error);
    *kernel = *large;
    return status;
}

enum berth_status berth_evaluator_run(struct berth_evaluator *evaluator,
                                      const struct berth_evaluation *evaluation,
                                      uint64_t *nanoseconds, struct berth_error *error)
{
    struct berth_kernel *kernel;
    BERTH_TRY(choose_kernel(evaluator, evaluation, &kernel, error));
    berth_kernel_set_buffers(kernel, 5, evaluation->batch->conformers, evaluation->batch->atoms,
                             evaluation->transforms);
    berth_kernel_set_int(kernel, 8, (int32_t)evaluation->poses);
    berth_kernel_set_buffer(kernel, 9, evaluation->result);
    if (!evaluation->terms) {
        berth_kernel_set_float(kernel, 10, evaluation->softness);
    }
    const size_t per_item = (size_t)(evaluator->variant.vector_width * evaluator->variant.ppwi);
    const size_t items = (evaluation->poses + per_item - 1) / per_item;
    return berth_kernel_launch(kernel, items, evaluation->batch->count,
                               (size_t)evaluator->variant.wgsize, nanoseconds, error);
}

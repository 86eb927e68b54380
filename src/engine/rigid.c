/* The rigid search: conformers stay as they are, and energies are exact.  Generation after
 * generation of poses is scored, thinned and made children of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/kinds.h"

enum { BINS_MAX = 128, GRANULE_MAX = 64 };

struct rigid {
    struct berth_search_place of;
    const struct berth_batch *batch; /* borrowed; that is searched */
    size_t bins, bin_poses;          /* of the selection */
    struct berth_kernel *generation_zero, *evolve, *metropolis;
    struct berth_kernel *select_bins, *select_merge, *select_parents;
    size_t select_wgsize;
    struct berth_buffer *constants;         /* struct berth_device_search */
    struct berth_buffer *transforms;        /* float [batch][6][poses] */
    struct berth_buffer *energies;          /* float [batch][poses] */
    struct berth_buffer *lists[2];          /* ulong [batch][bins][BERTH_KEEP]: merged to and fro */
    struct berth_buffer *parent_transforms; /* float [batch][6][parents] */
    struct berth_buffer *heads;             /* int [batch][parents]: each family's first pose */
    struct berth_buffer *parent_terms;      /* float [batch][terms][parents] */
    float *host_transforms, *host_terms;    /* owned, of the same shapes: what comes back */
    struct berth_evaluator *counter;        /* borrowed; NULL: nothing is counted */
    struct berth_buffer *met_poses;         /* float [batch][poses]: pairs met by each pose */
    float *host_met;                        /* owned, of the same shape */
    double met;
};

/* --- The launches of a search: generation after generation, none waited for --- */

/* first × (last / first)^(generation / final generation). */
static float schedule(const struct rigid *rigid, size_t generation, float first, float last)
{
    const size_t final = rigid->of.settings->generations - 1;
    if (final == 0) {
        return last;
    }
    return first * powf(last / first, (float)generation / (float) final);
}

/* Launches a kernel that works on a vector of poses per work-item. */
static enum berth_status launch_vectors(const struct rigid *rigid, struct berth_kernel *kernel,
                                        struct berth_error *error)
{
    const struct berth_variant variant = rigid->of.evaluator->variant;
    const size_t width = (size_t)variant.vector_width;
    return berth_kernel_launch(kernel, (rigid->of.settings->poses + width - 1) / width,
                               rigid->batch->count, (size_t)variant.wgsize, NULL, error);
}

static enum berth_status start_generation_zero(struct rigid *rigid, struct berth_error *error)
{
    berth_kernel_set_buffers(rigid->generation_zero, 0, rigid->constants, rigid->batch->conformers,
                             rigid->transforms);
    return launch_vectors(rigid, rigid->generation_zero, error);
}

static enum berth_status start_evolve(struct rigid *rigid, size_t generation,
                                      struct berth_error *error)
{
    struct berth_kernel *kernel = rigid->evolve;
    berth_kernel_set_buffers(kernel, 0, rigid->constants, rigid->batch->conformers,
                             rigid->parent_transforms, rigid->of.counts);
    berth_kernel_set_int(kernel, 4, (int32_t)generation);
    const struct berth_search_settings *settings = rigid->of.settings;
    berth_kernel_set_float(
        kernel, 5, schedule(rigid, generation, settings->shift_first, settings->shift_last));
    berth_kernel_set_float(kernel, 6,
                           schedule(rigid, generation, settings->turn_first, settings->turn_last));
    berth_kernel_set_buffers(kernel, 7, rigid->transforms, rigid->heads);
    return launch_vectors(rigid, kernel, error);
}

static enum berth_status start_metropolis(struct rigid *rigid, size_t generation,
                                          struct berth_error *error)
{
    struct berth_kernel *kernel = rigid->metropolis;
    berth_kernel_set_buffers(kernel, 0, rigid->constants, rigid->batch->conformers, rigid->heads,
                             rigid->of.counts);
    berth_kernel_set_int(kernel, 4, (int32_t)generation);
    berth_kernel_set_float(kernel, 5,
                           schedule(rigid, generation, rigid->of.settings->temperature_first,
                                    rigid->of.settings->temperature_last));
    berth_kernel_set_buffer(kernel, 6, rigid->energies);
    return launch_vectors(rigid, kernel, error);
}

/* Grows from steric_first to 1; the last generation is always scored in full. */
static float softness(const struct rigid *rigid, size_t generation)
{
    const struct berth_search_settings *settings = rigid->of.settings;
    if (generation + 1 == settings->generations || generation >= settings->soft_generations) {
        return 1;
    }
    return settings->steric_first +
           (1 - settings->steric_first) * (float)generation / (float)settings->soft_generations;
}

/* Counts the pairs of atoms that the generation's poses meet. */
static enum berth_status count_met(struct rigid *rigid, struct berth_error *error)
{
    if (!rigid->counter) {
        return BERTH_OK;
    }
    const size_t poses = rigid->batch->count * rigid->of.settings->poses;
    const struct berth_evaluation evaluation = {.batch = rigid->batch,
                                                .transforms = rigid->transforms,
                                                .result = rigid->met_poses,
                                                .poses = rigid->of.settings->poses,
                                                .softness = 1};
    BERTH_TRY(berth_evaluator_run(rigid->counter, &evaluation, NULL, error));
    BERTH_TRY(berth_buffer_read(rigid->met_poses, rigid->host_met, poses * sizeof(float), error));
    for (size_t i = 0; i < poses; i++) {
        rigid->met += rigid->host_met[i];
    }
    return BERTH_OK;
}

static enum berth_status start_energies(struct rigid *rigid, size_t generation,
                                        struct berth_error *error)
{
    const struct berth_evaluation evaluation = {.batch = rigid->batch,
                                                .transforms = rigid->transforms,
                                                .result = rigid->energies,
                                                .poses = rigid->of.settings->poses,
                                                .softness = softness(rigid, generation)};
    BERTH_TRY(berth_evaluator_run(rigid->of.evaluator, &evaluation, NULL, error));
    return count_met(rigid, error);
}

/* Sets the thinning of a generation's selection as a kernel's arguments from number `first` on. */
static void set_thinning(const struct rigid *rigid, size_t generation, struct berth_kernel *kernel,
                         unsigned first)
{
    const struct berth_search_settings *settings = rigid->of.settings;
    const float distinct =
        generation + 1 == settings->generations
            ? settings->distinct_modes
            : schedule(rigid, generation, settings->distinct_first, settings->distinct_last);
    berth_kernel_set_float(kernel, first, distinct * distinct);
    berth_kernel_set_float(kernel, first + 1, settings->niche * settings->niche);
    berth_kernel_set_int(kernel, first + 2, (int32_t)settings->niche_places);
}

/* Merges the bins' lists down to one; *last is the buffer that holds it. */
static enum berth_status start_merges(struct rigid *rigid, size_t generation,
                                      struct berth_buffer **last, struct berth_error *error)
{
    struct berth_kernel *kernel = rigid->select_merge;
    int from = 0;
    for (size_t count = rigid->bins; count > 1; from = 1 - from) {
        const size_t merged = (count + BERTH_MERGE - 1) / BERTH_MERGE;
        berth_kernel_set_buffers(kernel, 0, rigid->batch->conformers, rigid->transforms);
        berth_kernel_set_int(kernel, 2, (int32_t)rigid->of.settings->poses);
        berth_kernel_set_buffer(kernel, 3, rigid->lists[from]);
        berth_kernel_set_int(kernel, 4, (int32_t)count);
        set_thinning(rigid, generation, kernel, 5);
        berth_kernel_set_buffer(kernel, 8, rigid->lists[1 - from]);
        BERTH_TRY(berth_kernel_launch(kernel, merged * rigid->select_wgsize, rigid->batch->count,
                                      rigid->select_wgsize, NULL, error));
        count = merged;
    }
    *last = rigid->lists[from];
    return BERTH_OK;
}

/* Selects the parents of the next generation. */
static enum berth_status start_selection(struct rigid *rigid, size_t generation,
                                         struct berth_error *error)
{
    struct berth_kernel *kernel = rigid->select_bins;
    struct berth_buffer *list = NULL;
    berth_kernel_set_buffers(kernel, 0, rigid->batch->conformers, rigid->transforms,
                             rigid->energies);
    berth_kernel_set_int(kernel, 3, (int32_t)rigid->of.settings->poses);
    berth_kernel_set_int(kernel, 4, (int32_t)rigid->bin_poses);
    set_thinning(rigid, generation, kernel, 5);
    berth_kernel_set_buffer(kernel, 8, rigid->lists[0]);
    BERTH_TRY(berth_kernel_launch(kernel, rigid->bins * rigid->select_wgsize, rigid->batch->count,
                                  rigid->select_wgsize, NULL, error));
    BERTH_TRY(start_merges(rigid, generation, &list, error));
    kernel = rigid->select_parents;
    berth_kernel_set_buffers(kernel, 0, rigid->constants, rigid->transforms, list,
                             rigid->parent_transforms, rigid->of.counts);
    return berth_kernel_launch(kernel, rigid->of.settings->parents, rigid->batch->count,
                               rigid->select_wgsize, NULL, error);
}

/* Starts the terms of the last parents. */
static enum berth_status start_terms(struct rigid *rigid, struct berth_error *error)
{
    const struct berth_evaluation evaluation = {.batch = rigid->batch,
                                                .transforms = rigid->parent_transforms,
                                                .result = rigid->parent_terms,
                                                .poses = rigid->of.settings->parents,
                                                .terms = true};
    return berth_evaluator_run(rigid->of.evaluator, &evaluation, NULL, error);
}

static struct berth_parents parents_of(const void *search)
{
    const struct rigid *rigid = search;
    return (struct berth_parents){.transforms = rigid->parent_transforms,
                                  .counts = rigid->of.counts,
                                  .stride = rigid->of.settings->parents};
}

static enum berth_status start(void *search, const struct berth_batch *batch,
                               struct berth_error *error)
{
    struct rigid *rigid = search;
    rigid->batch = batch;
    BERTH_TRY(start_generation_zero(rigid, error));
    BERTH_TRY(start_energies(rigid, 0, error));
    BERTH_TRY(start_selection(rigid, 0, error));
    for (size_t g = 1; g < rigid->of.settings->generations; g++) {
        BERTH_TRY(start_evolve(rigid, g, error));
        BERTH_TRY(start_energies(rigid, g, error));
        BERTH_TRY(start_metropolis(rigid, g, error));
        BERTH_TRY(start_selection(rigid, g, error));
        BERTH_TRY(berth_check_stop(rigid->of.settings->stop, error));
    }
    if (rigid->of.refiner) {
        const struct berth_parents parents = parents_of(rigid);
        return berth_refiner_take(rigid->of.refiner, &parents, batch->count, error);
    }
    return start_terms(rigid, error);
}

/* --- What it found, where it is not refined --- */

static enum berth_status start_reading(void *search, struct berth_event **end,
                                       struct berth_error *error)
{
    struct rigid *rigid = search;
    const size_t parents = rigid->batch->count * rigid->of.settings->parents;
    const size_t terms = rigid->of.evaluator->term_count;
    BERTH_TRY(berth_buffer_start_read(rigid->parent_transforms, rigid->host_transforms,
                                      parents * 6 * sizeof(float), end, error));
    berth_event_release(*end);
    *end = NULL;
    return berth_buffer_start_read(rigid->parent_terms, rigid->host_terms,
                                   parents * terms * sizeof(float), end, error);
}

/* Unpacks a conformer's structure-of-arrays into poses. */
static void take(const void *search, size_t conformer, struct berth_pose *poses, size_t count)
{
    const struct rigid *rigid = search;
    const size_t stride = rigid->of.settings->parents;
    const size_t terms = rigid->of.evaluator->term_count;
    for (size_t i = 0; i < count; i++) {
        const float *t = rigid->host_transforms + conformer * stride * 6 + i;
        const float *e = rigid->host_terms + conformer * stride * terms + i;
        poses[i] = (struct berth_pose){.transform = {t[0], t[stride], t[2 * stride], t[3 * stride],
                                                     t[4 * stride], t[5 * stride]}};
        for (size_t k = 0; k < terms; k++) {
            poses[i].terms.values[k] = e[k * stride];
        }
    }
}

/* --- A search --- */

/* Bins of at most BINS_MAX, so that a large population does not fill the merged list with the
 * children of its few best parents. */
static void choose_bins(struct rigid *rigid)
{
    const size_t poses = rigid->of.settings->poses;
    rigid->bin_poses = BERTH_SORT;
    while (rigid->bin_poses * BINS_MAX < poses) {
        rigid->bin_poses += BERTH_PIECE;
    }
    rigid->bins = (poses + rigid->bin_poses - 1) / rigid->bin_poses;
}

static enum berth_status make_buffers(struct rigid *rigid, struct berth_error *error)
{
    struct berth_context *context = rigid->of.evaluator->context;
    const size_t batch = rigid->of.conformers, poses = rigid->of.settings->poses;
    const size_t parents = rigid->of.settings->parents;
    const size_t terms = rigid->of.evaluator->term_count;
    const size_t list = batch * rigid->bins * BERTH_KEEP * sizeof(uint64_t);
    const struct {
        struct berth_buffer **buffer;
        size_t size;
    } wanted[] = {{&rigid->constants, sizeof(struct berth_device_search)},
                  {&rigid->transforms, batch * poses * 6 * sizeof(float)},
                  {&rigid->energies, batch * poses * sizeof(float)},
                  {&rigid->lists[0], list},
                  {&rigid->lists[1], list},
                  {&rigid->parent_transforms, batch * parents * 6 * sizeof(float)},
                  {&rigid->heads, batch * parents * sizeof(int32_t)},
                  {&rigid->parent_terms, batch * parents * terms * sizeof(float)}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        BERTH_TRY(berth_buffer_create(context, wanted[i].size, wanted[i].buffer, error));
    }
    BERTH_TRY(berth_make(&rigid->host_transforms, batch * parents * 6, sizeof(float), NULL, error));
    return berth_make(&rigid->host_terms, batch * parents * terms, sizeof(float), NULL, error);
}

static enum berth_status make_kernels(struct rigid *rigid, struct berth_error *error)
{
    const struct {
        struct berth_kernel **kernel;
        const char *name;
    } wanted[] = {
        {&rigid->generation_zero, "generation_zero"}, {&rigid->evolve, "evolve"},
        {&rigid->metropolis, "metropolis"},           {&rigid->select_bins, "select_bins"},
        {&rigid->select_merge, "select_merge"},       {&rigid->select_parents, "select_parents"}};
    struct berth_program *program = rigid->of.evaluator->program;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        BERTH_TRY(berth_kernel_create(program, wanted[i].name, wanted[i].kernel, error));
    }
    return BERTH_OK;
}

/* Poses that have one parent: as many as leave every parent a family, GRANULE_MAX at most. */
static int choose_granule(const struct berth_search_settings *settings)
{
    int granule = 1;
    while (granule < GRANULE_MAX && 4 * (size_t)granule * settings->parents <= settings->poses) {
        granule *= 2;
    }
    return granule;
}

static enum berth_status upload_constants(struct rigid *rigid, struct berth_error *error)
{
    const struct berth_search_settings *settings = rigid->of.settings;
    struct berth_device_search constants = {.seed_low = (uint32_t)settings->seed,
                                            .seed_high = (uint32_t)(settings->seed >> 32),
                                            .poses = (berth_int32)settings->poses,
                                            .parents = (berth_int32)settings->parents,
                                            .half_x = (float)(rigid->of.size[0] / 2),
                                            .half_y = (float)(rigid->of.size[1] / 2),
                                            .half_z = (float)(rigid->of.size[2] / 2),
                                            .exchange = settings->exchange,
                                            .granule = choose_granule(settings)};
    return berth_buffer_write(rigid->constants, &constants, sizeof constants, error);
}

static void destroy(void *search)
{
    struct rigid *rigid = search;
    if (!rigid) {
        return;
    }
    struct berth_kernel *kernels[] = {rigid->generation_zero, rigid->evolve,
                                      rigid->metropolis,      rigid->select_bins,
                                      rigid->select_merge,    rigid->select_parents};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        berth_kernel_destroy(kernels[i]);
    }
    struct berth_buffer *buffers[] = {
        rigid->constants,    rigid->transforms, rigid->energies,
        rigid->lists[0],     rigid->lists[1],   rigid->heads,
        rigid->parent_terms, rigid->met_poses,  rigid->parent_transforms};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        berth_buffer_destroy(buffers[i]);
    }
    free(rigid->host_transforms);
    free(rigid->host_terms);
    free(rigid->host_met);
    free(rigid);
}

static enum berth_status create(const struct berth_search_place *of, const void *first,
                                void **search, struct berth_error *error)
{
    struct rigid *rigid;
    (void)first;
    BERTH_TRY(berth_make(&rigid, 1, sizeof *rigid, NULL, error));
    rigid->of = *of;
    choose_bins(rigid);
    rigid->select_wgsize = (size_t)of->evaluator->variant.select_wgsize;
    enum berth_status status = make_buffers(rigid, error);
    BERTH_THEN(make_kernels(rigid, error));
    BERTH_THEN(upload_constants(rigid, error));
    if (status) {
        destroy(rigid);
        rigid = NULL;
    }
    *search = rigid;
    return status;
}

static enum berth_status count_with(void *search, struct berth_evaluator *counter,
                                    struct berth_error *error)
{
    struct rigid *rigid = search;
    const size_t poses = rigid->of.conformers * rigid->of.settings->poses;
    rigid->counter = counter;
    BERTH_TRY(berth_make(&rigid->host_met, poses, sizeof *rigid->host_met, NULL, error));
    return berth_buffer_create(counter->context, poses * sizeof(float), &rigid->met_poses, error);
}

static double met(const void *search)
{
    return ((const struct rigid *)search)->met;
}

const struct berth_search_kind BERTH_SEARCH_RIGID = {
    create, start, start_reading, take, parents_of, count_with, met, destroy};

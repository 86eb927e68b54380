/* The launches of a search: generation after generation, none waited for. */
#include <math.h>

#include "engine/search_internal.h"

/* Sets a kernel's arguments from buffer number `first` on. */
static void set_buffers(struct berth_kernel *kernel, unsigned first,
                        struct berth_buffer *const *buffers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        berth_kernel_set_buffer(kernel, first + i, buffers[i]);
    }
}

/* first × (last / first)^(generation / final generation). */
static float schedule(const struct berth_search *search, size_t generation, float first, float last)
{
    const size_t final = search->settings.generations - 1;
    if (final == 0) {
        return last;
    }
    return first * powf(last / first, (float)generation / (float) final);
}

/* Launches a kernel that works on a vector of poses per work-item. */
static enum berth_status launch_vectors(const struct berth_search *search,
                                        struct berth_kernel *kernel, struct berth_error *error)
{
    const struct berth_variant variant = berth_evaluator_variant(search->evaluator);
    const size_t width = (size_t)variant.vector_width;
    return berth_kernel_launch(kernel, (search->settings.poses + width - 1) / width,
                               search->batch.count, (size_t)variant.wgsize, NULL, error);
}

static enum berth_status start_generation_zero(struct berth_search *search,
                                               struct berth_error *error)
{
    struct berth_buffer *buffers[] = {search->constants, search->batch.conformers,
                                      search->transforms};
    set_buffers(search->generation_zero, 0, buffers, 3);
    return launch_vectors(search, search->generation_zero, error);
}

static enum berth_status start_evolve(struct berth_search *search, size_t generation,
                                      struct berth_error *error)
{
    struct berth_buffer *buffers[] = {search->constants, search->batch.conformers,
                                      search->parent_transforms, search->parent_counts};
    struct berth_kernel *kernel = search->evolve;
    set_buffers(kernel, 0, buffers, 4);
    berth_kernel_set_int(kernel, 4, (int32_t)generation);
    const struct berth_search_settings *settings = &search->settings;
    berth_kernel_set_float(
        kernel, 5, schedule(search, generation, settings->shift_first, settings->shift_last));
    berth_kernel_set_float(kernel, 6,
                           schedule(search, generation, settings->turn_first, settings->turn_last));
    berth_kernel_set_buffer(kernel, 7, search->transforms);
    berth_kernel_set_buffer(kernel, 8, search->heads);
    return launch_vectors(search, kernel, error);
}

static enum berth_status start_metropolis(struct berth_search *search, size_t generation,
                                          struct berth_error *error)
{
    struct berth_buffer *buffers[] = {search->constants, search->batch.conformers, search->heads,
                                      search->parent_counts};
    struct berth_kernel *kernel = search->metropolis;
    set_buffers(kernel, 0, buffers, 4);
    berth_kernel_set_int(kernel, 4, (int32_t)generation);
    berth_kernel_set_float(kernel, 5,
                           schedule(search, generation, search->settings.temperature_first,
                                    search->settings.temperature_last));
    berth_kernel_set_buffer(kernel, 6, search->energies);
    return launch_vectors(search, kernel, error);
}

/* Grows from steric_first to 1; the last generation is always scored in full. */
static float softness(const struct berth_search *search, size_t generation)
{
    const struct berth_search_settings *settings = &search->settings;
    if (generation + 1 == settings->generations || generation >= settings->soft_generations) {
        return 1;
    }
    return settings->steric_first +
           (1 - settings->steric_first) * (float)generation / (float)settings->soft_generations;
}

/* Counts the pairs of atoms that the generation's poses meet. */
static enum berth_status count_met(struct berth_search *search, struct berth_error *error)
{
    if (!search->counter) {
        return BERTH_OK;
    }
    const size_t poses = search->batch.count * search->settings.poses;
    const struct berth_evaluation evaluation = {.batch = &search->batch,
                                                .transforms = search->transforms,
                                                .result = search->met_poses,
                                                .poses = search->settings.poses,
                                                .softness = 1};
    enum berth_status status = berth_evaluator_run(search->counter, &evaluation, NULL, error);
    if (!status) {
        status =
            berth_buffer_read(search->met_poses, search->host_met, poses * sizeof(float), error);
    }
    for (size_t i = 0; !status && i < poses; i++) {
        search->met += search->host_met[i];
    }
    return status;
}

static enum berth_status start_energies(struct berth_search *search, size_t generation,
                                        struct berth_error *error)
{
    const struct berth_evaluation evaluation = {.batch = &search->batch,
                                                .transforms = search->transforms,
                                                .result = search->energies,
                                                .poses = search->settings.poses,
                                                .softness = softness(search, generation)};
    enum berth_status status = berth_evaluator_run(search->evaluator, &evaluation, NULL, error);
    return status ? status : count_met(search, error);
}

/* Sets the thinning of a generation's selection as a kernel's arguments from number `first` on. */
static void set_thinning(const struct berth_search *search, size_t generation,
                         struct berth_kernel *kernel, unsigned first)
{
    const struct berth_search_settings *settings = &search->settings;
    const float distinct =
        generation + 1 == settings->generations
            ? settings->distinct_modes
            : schedule(search, generation, settings->distinct_first, settings->distinct_last);
    berth_kernel_set_float(kernel, first, distinct * distinct);
    berth_kernel_set_float(kernel, first + 1, settings->niche * settings->niche);
    berth_kernel_set_int(kernel, first + 2, (int32_t)settings->niche_places);
}

/* Merges the bins' lists down to one; *last is the buffer that holds it. */
static enum berth_status start_merges(struct berth_search *search, size_t generation,
                                      struct berth_buffer **last, struct berth_error *error)
{
    struct berth_kernel *kernel = search->select_merge;
    int from = 0;
    for (size_t count = search->bins; count > 1; from = 1 - from) {
        const size_t merged = (count + BERTH_MERGE - 1) / BERTH_MERGE;
        struct berth_buffer *buffers[] = {search->batch.conformers, search->transforms};
        set_buffers(kernel, 0, buffers, 2);
        berth_kernel_set_int(kernel, 2, (int32_t)search->settings.poses);
        berth_kernel_set_buffer(kernel, 3, search->lists[from]);
        berth_kernel_set_int(kernel, 4, (int32_t)count);
        set_thinning(search, generation, kernel, 5);
        berth_kernel_set_buffer(kernel, 8, search->lists[1 - from]);
        enum berth_status status =
            berth_kernel_launch(kernel, merged * search->select_wgsize, search->batch.count,
                                search->select_wgsize, NULL, error);
        if (status) {
            return status;
        }
        count = merged;
    }
    *last = search->lists[from];
    return BERTH_OK;
}

/* Selects the parents of the next generation. */
static enum berth_status start_selection(struct berth_search *search, size_t generation,
                                         struct berth_error *error)
{
    struct berth_kernel *kernel = search->select_bins;
    struct berth_buffer *binned[] = {search->batch.conformers, search->transforms,
                                     search->energies};
    set_buffers(kernel, 0, binned, 3);
    berth_kernel_set_int(kernel, 3, (int32_t)search->settings.poses);
    berth_kernel_set_int(kernel, 4, (int32_t)search->bin_poses);
    set_thinning(search, generation, kernel, 5);
    berth_kernel_set_buffer(kernel, 8, search->lists[0]);
    enum berth_status status =
        berth_kernel_launch(kernel, search->bins * search->select_wgsize, search->batch.count,
                            search->select_wgsize, NULL, error);
    struct berth_buffer *list = NULL;
    BERTH_THEN(start_merges(search, generation, &list, error));
    if (status) {
        return status;
    }
    kernel = search->select_parents;
    struct berth_buffer *buffers[] = {search->constants, search->transforms, list,
                                      search->parent_transforms, search->parent_counts};
    set_buffers(kernel, 0, buffers, 5);
    return berth_kernel_launch(kernel, search->settings.parents, search->batch.count,
                               search->select_wgsize, NULL, error);
}

/* Starts the terms of the last parents. */
static enum berth_status start_terms(struct berth_search *search, struct berth_error *error)
{
    const struct berth_evaluation evaluation = {.batch = &search->batch,
                                                .transforms = search->parent_transforms,
                                                .result = search->parent_terms,
                                                .poses = search->settings.parents,
                                                .terms = true};
    return berth_evaluator_run(search->evaluator, &evaluation, NULL, error);
}

static enum berth_status start_refinement(struct berth_search *search, struct berth_error *error)
{
    const struct berth_parents parents = {.transforms = search->parent_transforms,
                                          .counts = search->parent_counts,
                                          .stride = search->settings.parents};
    enum berth_status status =
        berth_refiner_take(search->refiner, &parents, search->batch.count, error);
    return status ? status : berth_refiner_run(search->refiner, &search->batch, NULL, error);
}

/* The search on maps, and refinement of what it finds. */
static enum berth_status start_mapped(struct berth_search *search, struct berth_error *error)
{
    enum berth_status status =
        berth_mapped_run(search->mapped, &search->batch, berth_refiner_buffer(search->refiner),
                         search->parent_counts, error);
    return status ? status : berth_refiner_run(search->refiner, &search->batch, NULL, error);
}

enum berth_status search_start_generations(struct berth_search *search, struct berth_error *error)
{
    if (search->mapped) {
        return start_mapped(search, error);
    }
    enum berth_status status = start_generation_zero(search, error);
    BERTH_THEN(start_energies(search, 0, error));
    BERTH_THEN(start_selection(search, 0, error));
    for (size_t g = 1; !status && g < search->settings.generations; g++) {
        status = start_evolve(search, g, error);
        BERTH_THEN(start_energies(search, g, error));
        BERTH_THEN(start_metropolis(search, g, error));
        BERTH_THEN(start_selection(search, g, error));
        if (!status && search->settings.check) {
            status = search->settings.check(error);
        }
    }
    if (status) {
        return status;
    }
    return search->refiner ? start_refinement(search, error) : start_terms(search, error);
}

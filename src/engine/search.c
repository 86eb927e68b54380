#include "engine/search_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { BINS_MAX = 128, GRANULE_MAX = 64 };

static enum berth_status check(const struct berth_search_settings *settings, const double size[3],
                               struct berth_error *error)
{
    if (settings->poses < 1 || settings->poses > BERTH_POSES_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "%zu poses: 1 to %d are possible", settings->poses,
                          BERTH_POSES_MAX);
    }
    if (settings->generations < 1 || settings->generations > BERTH_GENERATIONS_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "%zu generations: 1 to %d are possible",
                          settings->generations, BERTH_GENERATIONS_MAX);
    }
    if (settings->parents < 1 || settings->parents > BERTH_KEEP) {
        return berth_fail(error, BERTH_E_USAGE, "%zu parents: 1 to %d are possible",
                          settings->parents, BERTH_KEEP);
    }
    if (settings->mapped.poses && !settings->refine.poses) {
        return berth_fail(error, BERTH_E_USAGE,
                          "a search on maps gives the poses that are refined in the end: refine at "
                          "least 1 of them");
    }
    if (settings->refine.poses > settings->parents) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%zu poses to refine of %zu parents: at most as many are possible",
                          settings->refine.poses, settings->parents);
    }
    for (int k = 0; k < 3; k++) {
        if (!(size[k] > 0 && size[k] <= 1000)) {
            return berth_fail(error, BERTH_E_USAGE,
                              "a site with an edge of %g Å: edges are above 0 and at most 1000",
                              size[k]);
        }
    }
    return BERTH_OK;
}

/* Conformers per batch: enough poses to fill the device, never more than an eighth of its
 * memory (two batches are on their way at a time) or its largest buffer. */
size_t berth_search_fit(const struct berth_search_settings *settings,
                        const struct berth_device *device)
{
    if (settings->batch) {
        return settings->batch;
    }
    if (settings->mapped.poses) {
        const size_t of_cores = 512 * device->compute_units; /* 32 vectors of 16 poses each */
        const size_t mapped_poses = device->kind == BERTH_DEVICE_GPU ? 65536 : of_cores;
        const size_t batch = mapped_poses / settings->mapped.poses;
        return batch < 1 ? 1 : batch;
    }
    const size_t wanted_poses =
        device->kind == BERTH_DEVICE_GPU ? (size_t)1 << 22 : (size_t)1 << 17;
    size_t batch = wanted_poses / settings->poses;
    const uint64_t bytes_per_conformer = (uint64_t)settings->poses * 36;
    const uint64_t largest =
        device->memory / 8 < device->memory_block ? device->memory / 8 : device->memory_block;
    if (batch > largest / bytes_per_conformer) {
        batch = (size_t)(largest / bytes_per_conformer);
    }
    return batch < 1 ? 1 : batch > 4096 ? 4096 : batch;
}

/* Bins of at most BINS_MAX, so that a large population does not fill the merged list with the
 * children of its few best parents. */
static void choose_bins(struct berth_search *search)
{
    const size_t poses = search->settings.poses;
    search->bin_poses = BERTH_SORT;
    while (search->bin_poses * BINS_MAX < poses) {
        search->bin_poses += BERTH_PIECE;
    }
    search->bins = (poses + search->bin_poses - 1) / search->bin_poses;
}

static enum berth_status make_buffers(struct berth_search *search, struct berth_error *error)
{
    struct berth_context *context = berth_evaluator_context(search->evaluator);
    const size_t batch = search->batch_size, poses = search->settings.poses;
    const size_t parents = search->settings.parents;
    const size_t terms = berth_evaluator_terms(search->evaluator);
    const size_t list = batch * search->bins * BERTH_KEEP * sizeof(uint64_t);
    const struct {
        struct berth_buffer **buffer;
        size_t size;
    } wanted[] = {{&search->constants, sizeof(struct berth_device_search)},
                  {&search->transforms, batch * poses * 6 * sizeof(float)},
                  {&search->energies, batch * poses * sizeof(float)},
                  {&search->lists[0], list},
                  {&search->lists[1], list},
                  {&search->parent_transforms, batch * parents * 6 * sizeof(float)},
                  {&search->heads, batch * parents * sizeof(int32_t)},
                  {&search->parent_counts, batch * sizeof(int32_t)},
                  {&search->parent_terms, batch * parents * terms * sizeof(float)}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        enum berth_status status =
            berth_buffer_create(context, wanted[i].size, wanted[i].buffer, error);
        if (status) {
            return status;
        }
    }
    search->host_transforms = berth_alloc(batch * parents * 6, sizeof(float));
    search->host_terms = berth_alloc(batch * parents * terms, sizeof(float));
    search->host_counts = berth_alloc(batch, sizeof(int32_t));
    if (!search->host_transforms || !search->host_terms || !search->host_counts) {
        return berth_out_of_memory(error, NULL);
    }
    return BERTH_OK;
}

static enum berth_status make_kernels(struct berth_search *search, struct berth_error *error)
{
    const struct {
        struct berth_kernel **kernel;
        const char *name;
    } wanted[] = {
        {&search->generation_zero, "generation_zero"}, {&search->evolve, "evolve"},
        {&search->metropolis, "metropolis"},           {&search->select_bins, "select_bins"},
        {&search->select_merge, "select_merge"},       {&search->select_parents, "select_parents"}};
    struct berth_program *program = berth_evaluator_program(search->evaluator);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        enum berth_status status =
            berth_kernel_create(program, wanted[i].name, wanted[i].kernel, error);
        if (status) {
            return status;
        }
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

static enum berth_status upload_constants(struct berth_search *search, const double size[3],
                                          struct berth_error *error)
{
    const struct berth_search_settings *settings = &search->settings;
    struct berth_device_search constants = {.seed_low = (uint32_t)settings->seed,
                                            .seed_high = (uint32_t)(settings->seed >> 32),
                                            .poses = (berth_int32)settings->poses,
                                            .parents = (berth_int32)settings->parents,
                                            .half_x = (float)(size[0] / 2),
                                            .half_y = (float)(size[1] / 2),
                                            .half_z = (float)(size[2] / 2),
                                            .exchange = settings->exchange,
                                            .granule = choose_granule(settings)};
    return berth_buffer_write(search->constants, &constants, sizeof constants, error);
}

static enum berth_status make_refiner(struct berth_search *search, const double size[3],
                                      struct berth_error *error)
{
    const struct berth_refine_setup setup = {.settings = search->settings.refine,
                                             .seed = search->settings.seed,
                                             .size = {size[0], size[1], size[2]},
                                             .generations = search->settings.generations,
                                             .conformers = search->batch_size};
    return berth_refiner_create(search->evaluator, &setup, &search->refiner, error);
}

static enum berth_status make_mapped(struct berth_search *search, const struct berth_search *first,
                                     struct berth_error *error)
{
    const double *size = search->size;
    const struct berth_mapped_setup setup = {.settings = search->settings.mapped,
                                             .seed = search->settings.seed,
                                             .size = {size[0], size[1], size[2]},
                                             .conformers = search->batch_size,
                                             .kept = search->settings.refine.poses,
                                             .maps =
                                                 first ? berth_mapped_maps(first->mapped) : NULL};
    return berth_mapped_create(search->evaluator, &setup, &search->mapped, error);
}

/* first: NULL, or the search that it is to run beside. */
static enum berth_status create(struct berth_evaluator *evaluator, const double size[3],
                                const struct berth_search_settings *settings,
                                const struct berth_search *first, struct berth_search **search,
                                struct berth_error *error)
{
    *search = NULL;
    enum berth_status status = check(settings, size, error);
    if (status) {
        return status;
    }
    struct berth_context *context = berth_evaluator_context(evaluator);
    struct berth_search *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_out_of_memory(error, NULL);
    }
    made->evaluator = evaluator;
    made->settings = *settings;
    memcpy(made->size, size, sizeof made->size);
    made->batch_size = berth_search_fit(settings, berth_context_device(context));
    made->queue = first && !settings->in_turn ? 1 - first->queue : 0;
    berth_context_use_queue(context, made->queue);
    choose_bins(made);
    made->select_wgsize = (size_t)berth_evaluator_variant(evaluator).select_wgsize;
    status = make_buffers(made, error);
    BERTH_THEN(make_kernels(made, error));
    BERTH_THEN(upload_constants(made, size, error));
    if (!status && settings->refine.poses) {
        status = make_refiner(made, size, error);
    }
    if (!status && settings->mapped.poses) {
        status = make_mapped(made, first, error);
    }
    if (status) {
        berth_search_destroy(made);
        return status;
    }
    *search = made;
    return BERTH_OK;
}

enum berth_status berth_search_create(struct berth_evaluator *evaluator, const double size[3],
                                      const struct berth_search_settings *settings,
                                      struct berth_search **search, struct berth_error *error)
{
    return create(evaluator, size, settings, NULL, search, error);
}

enum berth_status berth_search_create_beside(const struct berth_search *first,
                                             struct berth_search **search,
                                             struct berth_error *error)
{
    return create(first->evaluator, first->size, &first->settings, first, search, error);
}

/* Rigid poses for each one on maps: as the levels of both kinds have them (search_levels.c). */
enum { RIGID_POSES = 64 };

/* Opens the search of large ligands, which maps are not for: as many poses come of it. */
static enum berth_status open_rigid(struct berth_search *search, struct berth_error *error)
{
    const struct berth_search_settings *settings = &search->settings;
    const struct berth_search_level *like = berth_search_level_find("rigid_balanced");
    struct berth_search_level level = *like;
    level.poses = RIGID_POSES * settings->mapped.poses;
    level.refine = settings->refine.poses;
    level.parents = level.refine > like->parents ? level.refine : like->parents;
    struct berth_search_settings rigid = berth_search_at(&level);
    rigid.seed = settings->seed;
    rigid.batch = search->batch_size;
    rigid.check = settings->check;
    enum berth_status status =
        berth_search_create(search->evaluator, search->size, &rigid, &search->rigid, error);
    if (!status) {
        search->rigid->queue = search->queue; /* which reads what was written in the first one */
        status = berth_context_finish(berth_evaluator_context(search->evaluator), error);
    }
    if (!status && search->counter) {
        status = berth_search_count_with(search->rigid, search->counter, error);
    }
    return status;
}

/* Starts the transfers back; search->results is the last one's end. */
static enum berth_status start_reading(struct berth_search *search, struct berth_error *error)
{
    const size_t count = search->batch.count, parents = count * search->settings.parents;
    const size_t terms = berth_evaluator_terms(search->evaluator);
    const struct {
        struct berth_buffer *buffer;
        void *bytes;
        size_t size;
    } wanted[] = {{search->parent_counts, search->host_counts, count * sizeof(int32_t)},
                  {search->parent_transforms, search->host_transforms, parents * 6 * sizeof(float)},
                  {search->parent_terms, search->host_terms, parents * terms * sizeof(float)}};
    const size_t transfers = search->refiner ? 1 : 3;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < transfers; i++) {
        berth_event_release(search->results);
        search->results = NULL;
        status = berth_buffer_start_read(wanted[i].buffer, wanted[i].bytes, wanted[i].size,
                                         &search->results, error);
    }
    if (!status && search->refiner) {
        berth_event_release(search->results);
        search->results = NULL;
        status = berth_refiner_start_read(search->refiner, count, &search->results, error);
    }
    return status;
}

enum berth_status berth_search_start(struct berth_search *search,
                                     const struct berth_packed_conformer *conformers, size_t count,
                                     struct berth_error *error)
{
    if (count < 1 || count > search->batch_size) {
        return berth_fail(error, BERTH_E_USAGE, "%zu conformers for a batch of %zu", count,
                          search->batch_size);
    }
    search->on_rigid = search->mapped && berth_is_large(conformers);
    berth_context_use_queue(berth_evaluator_context(search->evaluator), search->queue);
    if (search->on_rigid) {
        enum berth_status opened = search->rigid ? BERTH_OK : open_rigid(search, error);
        return opened ? opened : berth_search_start(search->rigid, conformers, count, error);
    }
    struct berth_context *context = berth_evaluator_context(search->evaluator);
    enum berth_status status = berth_batch_fill(&search->batch, context, conformers, count, error);
    BERTH_THEN(search_start_generations(search, error));
    BERTH_THEN(start_reading(search, error));
    return status ? status : berth_context_flush(context, error);
}

enum berth_status berth_search_poll(const struct berth_search *search, bool *ended,
                                    struct berth_error *error)
{
    if (search->on_rigid) {
        return berth_search_poll(search->rigid, ended, error);
    }
    *ended = true;
    return search->results ? berth_event_poll(search->results, ended, error) : BERTH_OK;
}

enum berth_status berth_search_count_with(struct berth_search *search,
                                          struct berth_evaluator *counter,
                                          struct berth_error *error)
{
    const size_t poses = search->batch_size * search->settings.poses;
    search->counter = counter;
    search->host_met = berth_alloc(poses, sizeof *search->host_met);
    if (!search->host_met) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu poses", poses);
    }
    return berth_buffer_create(berth_evaluator_context(counter), poses * sizeof(float),
                               &search->met_poses, error);
}

double berth_search_met(const struct berth_search *search)
{
    return search->met + (search->rigid ? search->rigid->met : 0);
}

void berth_search_destroy(struct berth_search *search)
{
    if (!search) {
        return;
    }
    struct berth_error ignored; /* of what nobody waits for any more */
    berth_context_finish(berth_evaluator_context(search->evaluator), &ignored);
    berth_event_release(search->results);
    struct berth_kernel *kernels[] = {search->generation_zero, search->evolve,
                                      search->metropolis,      search->select_bins,
                                      search->select_merge,    search->select_parents};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        berth_kernel_destroy(kernels[i]);
    }
    struct berth_buffer *buffers[] = {
        search->constants,    search->transforms, search->energies,          search->lists[0],
        search->lists[1],     search->heads,      search->parent_transforms, search->parent_counts,
        search->parent_terms, search->met_poses};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        berth_buffer_destroy(buffers[i]);
    }
    berth_refiner_destroy(search->refiner);
    berth_mapped_destroy(search->mapped);
    berth_search_destroy(search->rigid);
    berth_batch_clear(&search->batch);
    free(search->host_transforms);
    free(search->host_terms);
    free(search->host_counts);
    free(search->host_met);
    free(search);
}

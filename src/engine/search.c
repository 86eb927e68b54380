#include "engine/search_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { BINS_MAX = 128, GRANULE_MAX = 64 };

struct berth_search_settings berth_search_defaults(void)
{
    return (struct berth_search_settings){.seed = 1,
                                          .poses = 65536,
                                          .generations = 8,
                                          .parents = 256,
                                          .exchange = 0.1f,
                                          .shift_first = 4.0f,
                                          .shift_last = 0.04f,
                                          .turn_first = 1.5f,
                                          .turn_last = 0.012f,
                                          .temperature_first = 2.0f,
                                          .temperature_last = 0.1f,
                                          .distinct_first = 0.5f,
                                          .distinct_last = 0.3f,
                                          .distinct_modes = 1.0f,
                                          .niche = 1.5f,
                                          .niche_places = 8,
                                          .steric_first = 0.2f,
                                          .soft_generations = 3};
}

float berth_pose_energy(const struct berth_pose *pose)
{
    return pose->steric + pose->electrostatic + pose->desolvation;
}

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
    const size_t pieces = (poses + BERTH_PIECE - 1) / BERTH_PIECE;
    search->bin_poses = (pieces + BINS_MAX - 1) / BINS_MAX * BERTH_PIECE;
    search->bins = (poses + search->bin_poses - 1) / search->bin_poses;
}

static enum berth_status make_buffers(struct berth_search *search, struct berth_error *error)
{
    struct berth_context *context = berth_evaluator_context(search->evaluator);
    const size_t batch = search->batch_size, poses = search->settings.poses;
    const size_t parents = search->settings.parents;
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
                  {&search->parent_terms, batch * parents * 3 * sizeof(float)}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        enum berth_status status =
            berth_buffer_create(context, wanted[i].size, wanted[i].buffer, error);
        if (status) {
            return status;
        }
    }
    search->host_transforms = berth_alloc(batch * parents * 6, sizeof(float));
    search->host_terms = berth_alloc(batch * parents * 3, sizeof(float));
    search->host_counts = berth_alloc(batch, sizeof(int32_t));
    if (!search->host_transforms || !search->host_terms || !search->host_counts) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for the poses");
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

enum berth_status berth_search_create(struct berth_evaluator *evaluator, const double size[3],
                                      const struct berth_search_settings *settings,
                                      struct berth_search **search, struct berth_error *error)
{
    *search = NULL;
    enum berth_status status = check(settings, size, error);
    if (status) {
        return status;
    }
    const struct berth_device *device = berth_context_device(berth_evaluator_context(evaluator));
    struct berth_search *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    made->evaluator = evaluator;
    made->settings = *settings;
    made->batch_size = berth_search_fit(settings, device);
    choose_bins(made);
    made->select_wgsize = berth_variant_select_wgsize(device);
    status = make_buffers(made, error);
    if (!status) {
        status = make_kernels(made, error);
    }
    if (!status) {
        status = upload_constants(made, size, error);
    }
    if (status) {
        berth_search_destroy(made);
        return status;
    }
    *search = made;
    return BERTH_OK;
}

size_t berth_search_batch(const struct berth_search *search)
{
    return search->batch_size;
}

/* Unpacks conformer c's structure-of-arrays into poses. */
static void unpack(const float *transforms, const float *terms, size_t stride, size_t count,
                   struct berth_pose *poses)
{
    for (size_t i = 0; i < count; i++) {
        const float *t = transforms + i, *e = terms + i;
        poses[i].transform = (struct berth_transform){t[0],          t[stride],     t[2 * stride],
                                                      t[3 * stride], t[4 * stride], t[5 * stride]};
        poses[i].steric = e[0];
        poses[i].electrostatic = e[stride];
        poses[i].desolvation = e[2 * stride];
    }
}

/* The poses up to the first whose energy is no number. */
static size_t count_finite(const struct berth_pose *poses, size_t count)
{
    size_t finite = 0;
    while (finite < count && isfinite(berth_pose_energy(&poses[finite]))) {
        finite++;
    }
    return finite;
}

/* Starts the three transfers back. */
static enum berth_status start_reading(struct berth_search *search, struct berth_error *error)
{
    const size_t parents = search->batch.count * search->settings.parents;
    const struct {
        struct berth_buffer *buffer;
        void *bytes;
        size_t size;
    } wanted[] = {
        {search->parent_counts, search->host_counts, search->batch.count * sizeof(int32_t)},
        {search->parent_transforms, search->host_transforms, parents * 6 * sizeof(float)},
        {search->parent_terms, search->host_terms, parents * 3 * sizeof(float)}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof wanted / sizeof *wanted; i++) {
        struct berth_event *event;
        status = berth_buffer_start_read(wanted[i].buffer, wanted[i].bytes, wanted[i].size, &event,
                                         error);
        if (!status) {
            berth_event_release(search->results);
            search->results = event;
        }
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
    struct berth_context *context = berth_evaluator_context(search->evaluator);
    enum berth_status status = berth_batch_fill(&search->batch, context, conformers, count, error);
    if (!status) {
        status = search_start_generations(search, error);
    }
    if (!status) {
        status = start_reading(search, error);
    }
    return status ? status : berth_context_flush(context, error);
}

enum berth_status berth_search_finish(struct berth_search *search, struct berth_pose *poses,
                                      size_t *counts, struct berth_error *error)
{
    const size_t stride = search->settings.parents;
    struct berth_event *results = search->results;
    search->results = NULL;
    enum berth_status status = berth_event_wait(results, error);
    for (size_t c = 0; !status && c < search->batch.count; c++) {
        const int32_t found = search->host_counts[c];
        if (found < 0 || (size_t)found > stride) {
            const struct berth_device *device =
                berth_context_device(berth_evaluator_context(search->evaluator));
            return berth_fail(error, BERTH_E_RESULT,
                              "device %zu (%s) gave %d poses, where there can be %zu; run `berth "
                              "selftest`",
                              device->index, device->name, (int)found, stride);
        }
        unpack(search->host_transforms + c * stride * 6, search->host_terms + c * stride * 3,
               stride, (size_t)found, poses + c * stride);
        counts[c] = count_finite(poses + c * stride, (size_t)found);
    }
    return status;
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
    return search->met;
}

enum berth_status berth_search_run(struct berth_search *search,
                                   const struct berth_packed_conformer *conformers, size_t count,
                                   struct berth_pose *poses, size_t *counts,
                                   struct berth_error *error)
{
    enum berth_status status = berth_search_start(search, conformers, count, error);
    return status ? status : berth_search_finish(search, poses, counts, error);
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
    berth_batch_clear(&search->batch);
    free(search->host_transforms);
    free(search->host_terms);
    free(search->host_counts);
    free(search->host_met);
    free(search);
}

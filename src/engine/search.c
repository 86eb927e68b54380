#include "engine/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { BINS_MAX = 128 };

struct berth_search {
    struct berth_evaluator *evaluator; /* borrowed */
    struct berth_search_settings settings;
    size_t batch_size;
    size_t bins, bin_poses; /* of the selection */
    struct berth_batch batch;
    struct berth_kernel *generation_zero, *evolve, *metropolis;
    struct berth_kernel *select_bins, *select_merge, *select_parents;
    size_t select_wgsize;
    struct berth_buffer *constants;         /* struct berth_device_search */
    struct berth_buffer *transforms;        /* float [batch][6][poses] */
    struct berth_buffer *energies;          /* float [batch][poses] */
    struct berth_buffer *lists[2];          /* ulong [batch][bins][BERTH_KEEP]: merged to and fro */
    struct berth_buffer *parent_transforms; /* float [batch][6][parents] */
    struct berth_buffer *heads;             /* int [batch][parents]: each family's first pose */
    struct berth_buffer *parent_counts;     /* int [batch] */
    struct berth_buffer *parent_terms;      /* float [batch][3][parents] */
};

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

/* Conformers per batch: enough poses to fill the device, never more than a quarter of its memory
 * or its largest buffer. */
static size_t choose_batch(const struct berth_search_settings *settings,
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
        device->memory / 4 < device->memory_block ? device->memory / 4 : device->memory_block;
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
                                            .exchange = settings->exchange};
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
    made->batch_size = choose_batch(settings, device);
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

static enum berth_status start_generation_zero(struct berth_search *search,
                                               struct berth_error *error)
{
    struct berth_buffer *buffers[] = {search->constants, search->batch.conformers,
                                      search->transforms};
    set_buffers(search->generation_zero, 0, buffers, 3);
    return berth_kernel_launch(search->generation_zero, search->settings.poses, search->batch.count,
                               0, NULL, error);
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
    return berth_kernel_launch(kernel, search->settings.poses, search->batch.count, 0, NULL, error);
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
    return berth_kernel_launch(kernel, search->settings.poses, search->batch.count, 0, NULL, error);
}

/* Grows from steric_first to 1; the last generation is always scored in full. */
static float steric_weight(const struct berth_search *search, size_t generation)
{
    const struct berth_search_settings *settings = &search->settings;
    if (generation + 1 == settings->generations || generation >= settings->soft_generations) {
        return 1;
    }
    return settings->steric_first +
           (1 - settings->steric_first) * (float)generation / (float)settings->soft_generations;
}

static enum berth_status start_energies(struct berth_search *search, size_t generation,
                                        struct berth_error *error)
{
    const struct berth_evaluation evaluation = {.batch = &search->batch,
                                                .transforms = search->transforms,
                                                .result = search->energies,
                                                .poses = search->settings.poses,
                                                .steric_weight = steric_weight(search, generation)};
    return berth_evaluator_run(search->evaluator, &evaluation, NULL, error);
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
    if (!status) {
        status = start_merges(search, generation, &list, error);
    }
    if (status) {
        return status;
    }
    kernel = search->select_parents;
    struct berth_buffer *buffers[] = {search->constants, search->transforms, list,
                                      search->parent_transforms, search->parent_counts};
    set_buffers(kernel, 0, buffers, 5);
    return berth_kernel_launch(kernel, search->settings.parents, search->batch.count, 0, NULL,
                               error);
}

static enum berth_status start_generations(struct berth_search *search, struct berth_error *error)
{
    enum berth_status status = start_generation_zero(search, error);
    if (!status) {
        status = start_energies(search, 0, error);
    }
    if (!status) {
        status = start_selection(search, 0, error);
    }
    for (size_t g = 1; !status && g < search->settings.generations; g++) {
        status = start_evolve(search, g, error);
        if (!status) {
            status = start_energies(search, g, error);
        }
        if (!status) {
            status = start_metropolis(search, g, error);
        }
        if (!status) {
            status = start_selection(search, g, error);
        }
    }
    if (status) {
        return status;
    }
    const struct berth_evaluation evaluation = {.batch = &search->batch,
                                                .transforms = search->parent_transforms,
                                                .result = search->parent_terms,
                                                .poses = search->settings.parents,
                                                .terms = true};
    return berth_evaluator_run(search->evaluator, &evaluation, NULL, error);
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

static enum berth_status read_poses(struct berth_search *search, struct berth_pose *poses,
                                    size_t *counts, struct berth_error *error)
{
    const size_t conformers = search->batch.count, stride = search->settings.parents;
    float *transforms = berth_alloc(conformers * stride * 6, sizeof *transforms);
    float *terms = berth_alloc(conformers * stride * 3, sizeof *terms);
    int32_t *found = berth_alloc(conformers, sizeof *found);
    enum berth_status status = BERTH_OK;
    if (!transforms || !terms || !found) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for the poses");
        goto end;
    }
    status = berth_buffer_read(search->parent_counts, found, conformers * sizeof *found, error);
    if (!status) {
        status = berth_buffer_read(search->parent_transforms, transforms,
                                   conformers * stride * 6 * sizeof *transforms, error);
    }
    if (!status) {
        status = berth_buffer_read(search->parent_terms, terms,
                                   conformers * stride * 3 * sizeof *terms, error);
    }
    for (size_t c = 0; !status && c < conformers; c++) {
        if (found[c] < 1 || (size_t)found[c] > stride) {
            const struct berth_device *device =
                berth_context_device(berth_evaluator_context(search->evaluator));
            status = berth_fail(error, BERTH_E_RESULT,
                                "device %zu (%s) gave no finite energy; run `berth selftest`",
                                device->index, device->name);
            break;
        }
        counts[c] = (size_t)found[c];
        unpack(transforms + c * stride * 6, terms + c * stride * 3, stride, counts[c],
               poses + c * stride);
    }
end:
    free(transforms);
    free(terms);
    free(found);
    return status;
}

enum berth_status berth_search_run(struct berth_search *search,
                                   const struct berth_packed_conformer *conformers, size_t count,
                                   struct berth_pose *poses, size_t *counts,
                                   struct berth_error *error)
{
    if (count < 1 || count > search->batch_size) {
        return berth_fail(error, BERTH_E_USAGE, "%zu conformers for a batch of %zu", count,
                          search->batch_size);
    }
    enum berth_status status = berth_batch_fill(
        &search->batch, berth_evaluator_context(search->evaluator), conformers, count, error);
    if (!status) {
        status = start_generations(search, error);
    }
    return status ? status : read_poses(search, poses, counts, error);
}

void berth_search_destroy(struct berth_search *search)
{
    if (!search) {
        return;
    }
    struct berth_kernel *kernels[] = {search->generation_zero, search->evolve,
                                      search->metropolis,      search->select_bins,
                                      search->select_merge,    search->select_parents};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        berth_kernel_destroy(kernels[i]);
    }
    struct berth_buffer *buffers[] = {
        search->constants,         search->transforms,    search->energies,
        search->lists[0],          search->lists[1],      search->heads,
        search->parent_transforms, search->parent_counts, search->parent_terms};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        berth_buffer_destroy(buffers[i]);
    }
    berth_batch_clear(&search->batch);
    free(search);
}

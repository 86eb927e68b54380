#include "engine/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/judge.h"

struct berth_search {
    struct berth_evaluator *evaluator; /* borrowed */
    struct berth_search_settings settings;
    double size[3]; /* Å: full edges of the site */
    size_t batch_size;
    int queue;              /* of the device */
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
    struct berth_buffer *parent_terms;      /* float [batch][terms][parents] */
    /* What comes back, on the host: owned, of the same shapes. */
    float *host_transforms, *host_terms;
    int32_t *host_counts;
    struct berth_refiner *refiner;   /* NULL: nothing is refined */
    struct berth_mapped *mapped;     /* NULL: the search is rigid */
    struct berth_maps *maps;         /* of it; shared with a search beside it */
    struct berth_evaluator *counter; /* borrowed; NULL: nothing is counted */
    struct berth_buffer *met_poses;  /* float [batch][poses]: pairs met by each pose */
    float *host_met;                 /* owned, of the same shape */
    double met;
    struct berth_search_judges judges;
    struct berth_judge *judge[BERTH_FUNCTIONS_MAX - 1]; /* owned; [judges.count] */
    struct berth_search *rigid;  /* owned; takes the place of one on maps for large ligands; NULL
                                    until one comes */
    bool on_rigid;               /* what was started last was started there */
    struct berth_event *results; /* the end of the last transfer back; NULL: nothing was started */
};

/* --- The launches of a search: generation after generation, none waited for --- */

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
    const struct berth_variant variant = search->evaluator->variant;
    const size_t width = (size_t)variant.vector_width;
    return berth_kernel_launch(kernel, (search->settings.poses + width - 1) / width,
                               search->batch.count, (size_t)variant.wgsize, NULL, error);
}

static enum berth_status start_generation_zero(struct berth_search *search,
                                               struct berth_error *error)
{
    berth_kernel_set_buffers(search->generation_zero, 0, search->constants,
                             search->batch.conformers, search->transforms);
    return launch_vectors(search, search->generation_zero, error);
}

static enum berth_status start_evolve(struct berth_search *search, size_t generation,
                                      struct berth_error *error)
{
    struct berth_kernel *kernel = search->evolve;
    berth_kernel_set_buffers(kernel, 0, search->constants, search->batch.conformers,
                             search->parent_transforms, search->parent_counts);
    berth_kernel_set_int(kernel, 4, (int32_t)generation);
    const struct berth_search_settings *settings = &search->settings;
    berth_kernel_set_float(
        kernel, 5, schedule(search, generation, settings->shift_first, settings->shift_last));
    berth_kernel_set_float(kernel, 6,
                           schedule(search, generation, settings->turn_first, settings->turn_last));
    berth_kernel_set_buffers(kernel, 7, search->transforms, search->heads);
    return launch_vectors(search, kernel, error);
}

static enum berth_status start_metropolis(struct berth_search *search, size_t generation,
                                          struct berth_error *error)
{
    struct berth_kernel *kernel = search->metropolis;
    berth_kernel_set_buffers(kernel, 0, search->constants, search->batch.conformers, search->heads,
                             search->parent_counts);
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
    BERTH_TRY(berth_evaluator_run(search->counter, &evaluation, NULL, error));
    BERTH_TRY(berth_buffer_read(search->met_poses, search->host_met, poses * sizeof(float), error));
    for (size_t i = 0; i < poses; i++) {
        search->met += search->host_met[i];
    }
    return BERTH_OK;
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
        berth_kernel_set_buffers(kernel, 0, search->batch.conformers, search->transforms);
        berth_kernel_set_int(kernel, 2, (int32_t)search->settings.poses);
        berth_kernel_set_buffer(kernel, 3, search->lists[from]);
        berth_kernel_set_int(kernel, 4, (int32_t)count);
        set_thinning(search, generation, kernel, 5);
        berth_kernel_set_buffer(kernel, 8, search->lists[1 - from]);
        BERTH_TRY(berth_kernel_launch(kernel, merged * search->select_wgsize, search->batch.count,
                                      search->select_wgsize, NULL, error));
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
    struct berth_buffer *list = NULL;
    berth_kernel_set_buffers(kernel, 0, search->batch.conformers, search->transforms,
                             search->energies);
    berth_kernel_set_int(kernel, 3, (int32_t)search->settings.poses);
    berth_kernel_set_int(kernel, 4, (int32_t)search->bin_poses);
    set_thinning(search, generation, kernel, 5);
    berth_kernel_set_buffer(kernel, 8, search->lists[0]);
    BERTH_TRY(berth_kernel_launch(kernel, search->bins * search->select_wgsize, search->batch.count,
                                  search->select_wgsize, NULL, error));
    BERTH_TRY(start_merges(search, generation, &list, error));
    kernel = search->select_parents;
    berth_kernel_set_buffers(kernel, 0, search->constants, search->transforms, list,
                             search->parent_transforms, search->parent_counts);
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
    enum berth_status status = berth_mapped_run(
        search->mapped, &search->batch, search->refiner->records, search->parent_counts, error);
    return status ? status : berth_refiner_run(search->refiner, &search->batch, NULL, error);
}

static enum berth_status start_generations(struct berth_search *search, struct berth_error *error)
{
    if (search->mapped) {
        return start_mapped(search, error);
    }
    BERTH_TRY(start_generation_zero(search, error));
    BERTH_TRY(start_energies(search, 0, error));
    BERTH_TRY(start_selection(search, 0, error));
    for (size_t g = 1; g < search->settings.generations; g++) {
        BERTH_TRY(start_evolve(search, g, error));
        BERTH_TRY(start_energies(search, g, error));
        BERTH_TRY(start_metropolis(search, g, error));
        BERTH_TRY(start_selection(search, g, error));
        BERTH_TRY(berth_check_stop(search->settings.stop, error));
    }
    return search->refiner ? start_refinement(search, error) : start_terms(search, error);
}

/* --- What it found: from the device's arrays to poses, best first --- */

enum berth_status berth_found_create(const struct berth_search_settings *settings,
                                     size_t conformers, struct berth_found *found,
                                     struct berth_error *error)
{
    const size_t refined = settings->refine.poses;
    memset(found, 0, sizeof *found);
    found->stride = refined ? refined * (settings->pool ? settings->pool : 1) : settings->parents;
    const size_t poses = conformers * found->stride;
    found->poses = berth_alloc(poses, sizeof *found->poses);
    found->counts = berth_alloc(conformers, sizeof *found->counts);
    found->evaluations = berth_alloc(conformers, sizeof *found->evaluations);
    if (!found->poses || !found->counts || !found->evaluations) {
        berth_found_clear(found);
        return berth_out_of_memory(error, NULL);
    }
    return BERTH_OK;
}

void berth_found_clear(struct berth_found *found)
{
    free(found->poses);
    free(found->counts);
    free(found->evaluations);
    memset(found, 0, sizeof *found);
}

/* What each judge says of pose i of a conformer, as it was found. */
static void take_scores(const struct berth_search *search, size_t conformer, size_t i,
                        double scores[BERTH_FUNCTIONS_MAX])
{
    for (size_t k = 0; k < search->judges.count; k++) {
        scores[search->judges.numbers[k]] = berth_judge_energy(search->judge[k], conformer, i);
    }
}

/* Unpacks a conformer's structure-of-arrays into poses. */
static void unpack(const struct berth_search *search, size_t conformer, struct berth_pose *poses,
                   size_t count)
{
    const size_t stride = search->settings.parents;
    const size_t terms = search->evaluator->term_count;
    for (size_t i = 0; i < count; i++) {
        const float *t = search->host_transforms + conformer * stride * 6 + i;
        const float *e = search->host_terms + conformer * stride * terms + i;
        poses[i] = (struct berth_pose){.transform = {t[0], t[stride], t[2 * stride], t[3 * stride],
                                                     t[4 * stride], t[5 * stride]}};
        for (size_t k = 0; k < terms; k++) {
            poses[i].terms.values[k] = e[k * stride];
        }
        take_scores(search, conformer, i, poses[i].scores);
    }
}

/* begun: what its parts begin at, where the conformer's first pose was refined. */
static struct berth_pose pose_of(const struct berth_device_refined *record, const float *begun)
{
    const float *t = record->transform;
    struct berth_pose pose = {.transform = {t[0], t[1], t[2], t[3], t[4], t[5]}, .refined = true};
    for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
        pose.terms.values[k] = record->terms[k];
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        pose.parts[k] = record->parts[k];
        pose.begun[k] = begun[k];
    }
    memcpy(pose.angles, record->angles, sizeof pose.angles);
    return pose;
}

/* A refined pose's place before sorting. */
struct place {
    float energy; /* total, kJ/mol */
    size_t rank;  /* breaks ties */
};

static int by_energy(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->energy != b->energy) {
        return a->energy < b->energy ? -1 : 1;
    }
    return a->rank < b->rank ? -1 : 1;
}

void berth_found_refined(struct berth_found *found, size_t c,
                         const struct berth_device_refined *records,
                         const double (*scores)[BERTH_FUNCTIONS_MAX])
{
    const size_t count = found->counts[c];
    struct berth_pose *poses = found->poses + c * found->stride;
    struct place places[BERTH_KEEP] = {{0}};
    found->evaluations[c] = 0;
    for (size_t i = 0; i < count; i++) {
        const struct berth_pose pose = pose_of(&records[i], records[0].conformer);
        places[i] = (struct place){berth_pose_total(&pose), i};
        found->evaluations[c] += (size_t)records[i].evaluations;
    }
    qsort(places, count, sizeof *places, by_energy);
    for (size_t i = 0; i < count; i++) {
        poses[i] = pose_of(&records[places[i].rank], records[0].conformer);
        if (scores) {
            memcpy(poses[i].scores, scores[places[i].rank], sizeof poses[i].scores);
        }
    }
}

/* Takes the refined poses of the batch's conformer c, as one of those found. */
static void take_refined(const struct berth_search *search, size_t c, struct berth_found *found,
                         size_t as)
{
    const size_t begin = c * search->settings.refine.poses;
    const struct berth_device_refined *own = search->refiner->on_host + begin;
    const bool other = search->judges.first_reports;
    double scores[BERTH_KEEP][BERTH_FUNCTIONS_MAX] = {{0}};
    size_t evaluations = 0;
    for (size_t i = 0; i < found->counts[as]; i++) {
        take_scores(search, c, i, scores[i]);
        scores[i][search->judges.own] = berth_refined_energy(&own[i]);
        evaluations += (size_t)own[i].evaluations;
    }
    berth_found_refined(found, as, other ? berth_judge_records(search->judge[0]) + begin : own,
                        (const double(*)[BERTH_FUNCTIONS_MAX])scores);
    found->evaluations[as] = evaluations;
}

/* The poses up to the first whose energy is no number. */
static size_t count_finite(const struct berth_pose *poses, size_t count)
{
    size_t finite = 0;
    while (finite < count && isfinite(berth_pose_total(&poses[finite]))) {
        finite++;
    }
    return finite;
}

enum berth_status berth_search_finish(struct berth_search *search, struct berth_found *found,
                                      size_t first, struct berth_error *error)
{
    if (search->on_rigid) {
        return berth_search_finish(search->rigid, found, first, error);
    }
    struct berth_event *results = search->results;
    search->results = NULL;
    enum berth_status status = berth_event_wait(results, error);
    for (size_t c = 0; !status && c < search->batch.count; c++) {
        const int32_t count = search->host_counts[c];
        if (count < 0 || (size_t)count > search->settings.parents) {
            const struct berth_device *device = berth_context_device(search->evaluator->context);
            return berth_fail(error, BERTH_E_RESULT,
                              "device %zu (%s) gave %d poses, where there can be %zu; run `berth "
                              "selftest`",
                              device->index, device->name, (int)count, search->settings.parents);
        }
        const size_t stride =
            search->refiner ? search->settings.refine.poses : search->settings.parents;
        const size_t kept = (size_t)count < stride ? (size_t)count : stride;
        found->counts[first + c] = kept;
        if (search->refiner) {
            take_refined(search, c, found, first + c);
        } else {
            unpack(search, c, found->poses + (first + c) * found->stride, kept);
        }
        found->counts[first + c] = count_finite(found->poses + (first + c) * found->stride, kept);
    }
    return status;
}

/* --- A search --- */

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
    struct berth_context *context = search->evaluator->context;
    const size_t batch = search->batch_size, poses = search->settings.poses;
    const size_t parents = search->settings.parents;
    const size_t terms = search->evaluator->term_count;
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
        BERTH_TRY(berth_buffer_create(context, wanted[i].size, wanted[i].buffer, error));
    }
    BERTH_TRY(
        berth_make(&search->host_transforms, batch * parents * 6, sizeof(float), NULL, error));
    BERTH_TRY(berth_make(&search->host_terms, batch * parents * terms, sizeof(float), NULL, error));
    BERTH_TRY(berth_make(&search->host_counts, batch, sizeof(int32_t), NULL, error));
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
    struct berth_program *program = search->evaluator->program;
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
    const struct berth_mapped_settings *settings = &search->settings.mapped;
    if (first) {
        search->maps = berth_maps_share(first->maps);
    } else {
        BERTH_TRY(
            berth_maps_create(search->evaluator, size, &settings->maps, &search->maps, error));
    }
    const struct berth_mapped_setup setup = {.settings = *settings,
                                             .seed = search->settings.seed,
                                             .size = {size[0], size[1], size[2]},
                                             .conformers = search->batch_size,
                                             .kept = search->settings.refine.poses,
                                             .maps = search->maps};
    return berth_mapped_create(search->evaluator, &setup, &search->mapped, error);
}

enum berth_status berth_search_create(struct berth_evaluator *evaluator, const double size[3],
                                      const struct berth_search_settings *settings,
                                      const struct berth_search *first,
                                      struct berth_search **search, struct berth_error *error)
{
    *search = NULL;
    BERTH_TRY(check(settings, size, error));
    struct berth_context *context = evaluator->context;
    struct berth_search *made;
    BERTH_TRY(berth_make(search, 1, sizeof *made, NULL, error));
    made = *search;
    made->evaluator = evaluator;
    made->settings = *settings;
    memcpy(made->size, size, sizeof made->size);
    made->batch_size = berth_search_fit(settings, berth_context_device(context));
    made->queue = first && !settings->in_turn ? 1 - first->queue : 0;
    berth_context_use_queue(context, made->queue);
    choose_bins(made);
    made->select_wgsize = (size_t)evaluator->variant.select_wgsize;
    enum berth_status status = make_buffers(made, error);
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
        *search = NULL;
    }
    return status;
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
    rigid.stop = settings->stop;
    BERTH_TRY(
        berth_search_create(search->evaluator, search->size, &rigid, NULL, &search->rigid, error));
    search->rigid->queue = search->queue; /* which reads what was written in the first one */
    BERTH_TRY(berth_search_judge_with(search->rigid, &search->judges, error));
    BERTH_TRY(berth_context_finish(search->evaluator->context, error));
    return search->counter ? berth_search_count_with(search->rigid, search->counter, error)
                           : BERTH_OK;
}

/* Starts the transfers back; search->results is the last one's end. */
static enum berth_status start_reading(struct berth_search *search, struct berth_error *error)
{
    const size_t count = search->batch.count, parents = count * search->settings.parents;
    const size_t terms = search->evaluator->term_count;
    const struct {
        struct berth_buffer *buffer;
        void *bytes;
        size_t size;
    } wanted[] = {{search->parent_counts, search->host_counts, count * sizeof(int32_t)},
                  {search->parent_transforms, search->host_transforms, parents * 6 * sizeof(float)},
                  {search->parent_terms, search->host_terms, parents * terms * sizeof(float)}};
    const size_t transfers = search->refiner ? 1 : 3;
    for (size_t i = 0; i < transfers; i++) {
        berth_event_release(search->results);
        search->results = NULL;
        BERTH_TRY(berth_buffer_start_read(wanted[i].buffer, wanted[i].bytes, wanted[i].size,
                                          &search->results, error));
    }
    if (!search->refiner) {
        return BERTH_OK;
    }
    berth_event_release(search->results);
    search->results = NULL;
    return berth_refiner_start_read(search->refiner, count, &search->results, error);
}

/* Starts what judges the poses, whose end is search->results then. */
static enum berth_status start_judging(struct berth_search *search,
                                       const struct berth_packed_conformer *conformers,
                                       struct berth_error *error)
{
    const struct berth_judged judged = {.batch = &search->batch,
                                        .conformers = conformers,
                                        .refined = search->refiner,
                                        .parents = {.transforms = search->parent_transforms,
                                                    .counts = search->parent_counts,
                                                    .stride = search->settings.parents}};
    for (size_t k = 0; k < search->judges.count; k++) {
        berth_event_release(search->results);
        search->results = NULL;
        BERTH_TRY(berth_judge_start(search->judge[k], &judged, &search->results, error));
    }
    return BERTH_OK;
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
    berth_context_use_queue(search->evaluator->context, search->queue);
    if (search->on_rigid) {
        BERTH_TRY(search->rigid ? BERTH_OK : open_rigid(search, error));
        return berth_search_start(search->rigid, conformers, count, error);
    }
    struct berth_context *context = search->evaluator->context;
    BERTH_TRY(berth_batch_fill(&search->batch, context, conformers, count, error));
    BERTH_TRY(start_generations(search, error));
    BERTH_TRY(start_reading(search, error));
    BERTH_TRY(start_judging(search, conformers, error));
    return berth_context_flush(context, error);
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
    BERTH_TRY(berth_make(&search->host_met, poses, sizeof *search->host_met, NULL, error));
    return berth_buffer_create(counter->context, poses * sizeof(float), &search->met_poses, error);
}

enum berth_status berth_search_judge_with(struct berth_search *search,
                                          const struct berth_search_judges *judges,
                                          struct berth_error *error)
{
    const struct berth_search_settings *settings = &search->settings;
    search->judges = *judges;
    search->judges.count = 0;
    berth_context_use_queue(search->evaluator->context, search->queue);
    for (size_t k = 0; k < judges->count; k++) {
        const struct berth_judge_setup setup = {
            .evaluator = judges->evaluators[k],
            .number = k,
            .shares = berth_scoring_types_alike(search->evaluator->scoring,
                                                judges->evaluators[k]->scoring),
            .poses = settings->refine.poses ? settings->refine.poses : settings->parents,
            .conformers = search->batch_size,
            .torsions = settings->refine.poses && settings->refine.torsions};
        BERTH_TRY(berth_judge_create(&setup, &search->judge[k], error));
        search->judges.count++;
    }
    return BERTH_OK;
}

struct berth_maps *berth_search_maps(const struct berth_search *search)
{
    return search->maps;
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
    berth_context_finish(search->evaluator->context, &ignored);
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
    for (size_t k = 0; k < search->judges.count; k++) {
        berth_judge_destroy(search->judge[k]);
    }
    berth_refiner_destroy(search->refiner);
    berth_mapped_destroy(search->mapped);
    berth_maps_destroy(search->maps);
    berth_search_destroy(search->rigid);
    berth_batch_clear(&search->batch);
    free(search->host_transforms);
    free(search->host_terms);
    free(search->host_counts);
    free(search->host_met);
    free(search);
}

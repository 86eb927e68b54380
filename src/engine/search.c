#include "engine/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/judge.h"
#include "engine/kinds.h"
#include "engine/mapped.h"

struct berth_search {
    struct berth_evaluator *evaluator; /* borrowed */
    struct berth_search_settings settings;
    double size[3]; /* Å: full edges of the site */
    size_t batch_size;
    int queue; /* of the device */
    struct berth_batch batch;
    const struct berth_search_kind *kind;
    void *made;                      /* owned; by the kind */
    struct berth_buffer *counts;     /* int [batch]: poses that were found */
    int32_t *host_counts;            /* owned, of the same shape: what comes back */
    struct berth_refiner *refiner;   /* NULL: nothing is refined */
    struct berth_evaluator *counter; /* borrowed; NULL: nothing is counted */
    struct berth_search_judges judges;
    struct berth_judge *judge[BERTH_FUNCTIONS_MAX - 1]; /* owned; [judges.count] */
    struct berth_search *rigid;  /* owned; takes the place of one on maps for large ligands; NULL
                                    until one comes */
    bool on_rigid;               /* what was started last was started there */
    struct berth_event *results; /* the end of the last transfer back; NULL: nothing was started */
};

/* --- What it found: from the device's arrays to poses, best first --- */

enum berth_status berth_found_create(const struct berth_search_settings *settings,
                                     size_t conformers, struct berth_found *found,
                                     struct berth_error *error)
{
    const size_t refined = settings->refine.poses;
    memset(found, 0, sizeof *found);
    found->stride = refined ? refined * berth_pool_count(settings->pool) : settings->parents;
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
            struct berth_pose *poses = found->poses + (first + c) * found->stride;
            search->kind->take(search->made, c, poses, kept);
            for (size_t i = 0; i < kept; i++) {
                take_scores(search, c, i, poses[i].scores);
            }
        }
        found->counts[first + c] = count_finite(found->poses + (first + c) * found->stride, kept);
    }
    return status;
}

/* --- A search --- */

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

static enum berth_status make_refiner(struct berth_search *search, struct berth_error *error)
{
    const double *size = search->size;
    const struct berth_refine_setup setup = {.settings = search->settings.refine,
                                             .seed = search->settings.seed,
                                             .size = {size[0], size[1], size[2]},
                                             .generations = search->settings.generations,
                                             .conformers = search->batch_size};
    return berth_refiner_create(search->evaluator, &setup, &search->refiner, error);
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
    made->kind = settings->mapped.poses ? &BERTH_SEARCH_MAPPED : &BERTH_SEARCH_RIGID;
    enum berth_status status = berth_buffer_create(
        context, made->batch_size * sizeof *made->host_counts, &made->counts, error);
    BERTH_THEN(
        berth_make(&made->host_counts, made->batch_size, sizeof *made->host_counts, NULL, error));
    BERTH_THEN(settings->refine.poses ? make_refiner(made, error) : BERTH_OK);
    const struct berth_search_place place = {evaluator,        made->size,    &made->settings,
                                             made->batch_size, made->refiner, made->counts};
    BERTH_THEN(made->kind->create(&place, first ? first->made : NULL, &made->made, error));
    if (status) {
        berth_search_destroy(made);
        *search = NULL;
    }
    return status;
}

/* Rigid poses for each one on maps: as the levels of both kinds have them (levels.c). */
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
    const size_t count = search->batch.count;
    berth_event_release(search->results);
    search->results = NULL;
    BERTH_TRY(berth_buffer_start_read(search->counts, search->host_counts, count * sizeof(int32_t),
                                      &search->results, error));
    berth_event_release(search->results);
    search->results = NULL;
    return search->refiner
               ? berth_refiner_start_read(search->refiner, count, &search->results, error)
               : search->kind->start_reading(search->made, &search->results, error);
}

/* Starts what judges the poses, whose end is search->results then. */
static enum berth_status start_ranker(struct berth_search *search,
                                      const struct berth_packed_conformer *conformers,
                                      struct berth_error *error)
{
    struct berth_judged judged = {
        .batch = &search->batch, .conformers = conformers, .refined = search->refiner};
    if (!search->refiner) {
        judged.parents = search->kind->parents(search->made);
    }
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
    search->on_rigid = search->kind == &BERTH_SEARCH_MAPPED && berth_is_large(conformers);
    berth_context_use_queue(search->evaluator->context, search->queue);
    if (search->on_rigid) {
        BERTH_TRY(search->rigid ? BERTH_OK : open_rigid(search, error));
        return berth_search_start(search->rigid, conformers, count, error);
    }
    struct berth_context *context = search->evaluator->context;
    BERTH_TRY(berth_batch_fill(&search->batch, context, conformers, count, error));
    BERTH_TRY(search->kind->start(search->made, &search->batch, error));
    BERTH_TRY(search->refiner ? berth_refiner_run(search->refiner, &search->batch, NULL, error)
                              : BERTH_OK);
    BERTH_TRY(start_reading(search, error));
    BERTH_TRY(start_ranker(search, conformers, error));
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
    search->counter = counter;
    return search->kind->count_with ? search->kind->count_with(search->made, counter, error)
                                    : BERTH_OK;
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
    return berth_mapped_maps(search->made);
}

double berth_search_met(const struct berth_search *search)
{
    return (search->kind->met ? search->kind->met(search->made) : 0) +
           (search->rigid ? berth_search_met(search->rigid) : 0);
}

void berth_search_destroy(struct berth_search *search)
{
    if (!search) {
        return;
    }
    struct berth_error ignored; /* of what nobody waits for any more */
    berth_context_finish(search->evaluator->context, &ignored);
    berth_event_release(search->results);
    for (size_t k = 0; k < search->judges.count; k++) {
        berth_judge_destroy(search->judge[k]);
    }
    berth_refiner_destroy(search->refiner);
    search->kind->destroy(search->made);
    berth_buffer_destroy(search->counts);
    berth_search_destroy(search->rigid);
    berth_batch_clear(&search->batch);
    free(search->host_counts);
    free(search);
}

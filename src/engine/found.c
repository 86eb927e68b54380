/* What a search found: from the device's arrays to poses, best first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/search_internal.h"

enum berth_status berth_found_create(const struct berth_search_settings *settings,
                                     size_t conformers, struct berth_found *found,
                                     struct berth_error *error)
{
    const size_t refined = settings->refine.poses;
    memset(found, 0, sizeof *found);
    found->stride = refined ? refined : settings->parents;
    const size_t poses = conformers * found->stride;
    found->poses = berth_alloc(poses, sizeof *found->poses);
    found->counts = berth_alloc(conformers, sizeof *found->counts);
    found->evaluations = berth_alloc(conformers, sizeof *found->evaluations);
    if (!found->poses || !found->counts || !found->evaluations) {
        berth_found_clear(found);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for the poses of %zu conformers",
                          conformers);
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

/* Unpacks a conformer's structure-of-arrays into poses. */
static void unpack(const struct berth_search *search, size_t conformer, struct berth_pose *poses,
                   size_t count)
{
    const size_t stride = search->settings.parents;
    const size_t terms = berth_evaluator_terms(search->evaluator);
    for (size_t i = 0; i < count; i++) {
        const float *t = search->host_transforms + conformer * stride * 6 + i;
        const float *e = search->host_terms + conformer * stride * terms + i;
        poses[i] = (struct berth_pose){.transform = {t[0], t[stride], t[2 * stride], t[3 * stride],
                                                     t[4 * stride], t[5 * stride]}};
        for (size_t k = 0; k < terms; k++) {
            poses[i].terms.values[k] = e[k * stride];
        }
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
                         const struct berth_device_refined *records)
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
    }
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
            const struct berth_device *device =
                berth_context_device(berth_evaluator_context(search->evaluator));
            return berth_fail(error, BERTH_E_RESULT,
                              "device %zu (%s) gave %d poses, where there can be %zu; run `berth "
                              "selftest`",
                              device->index, device->name, (int)count, search->settings.parents);
        }
        const size_t kept = (size_t)count < found->stride ? (size_t)count : found->stride;
        found->counts[first + c] = kept;
        if (search->refiner) {
            berth_found_refined(found, first + c,
                                berth_refiner_records(search->refiner) + c * found->stride);
        } else {
            unpack(search, c, found->poses + (first + c) * found->stride, kept);
        }
        found->counts[first + c] = count_finite(found->poses + (first + c) * found->stride, kept);
    }
    return status;
}

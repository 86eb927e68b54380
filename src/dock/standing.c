#include "dock/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/advice.h"
#include "engine/search.h"

/* --- Conformers of a stream in batches --- */

/* Gives the results of conformers number `first` and on. */
static void give_all(const struct berth_docking_load *batch, size_t first, size_t count,
                     const struct berth_found *found, const struct berth_docking_stream *stream)
{
    for (size_t i = 0; i < count; i++) {
        const struct berth_docked_conformer docked = {.conformer = &batch->conformers[first + i],
                                                      .tag = batch->tags[first + i],
                                                      .poses = found->poses + i,
                                                      .evaluations = found->evaluations[i],
                                                      .count = 1};
        stream->give(stream->context, &docked);
    }
}

enum berth_status berth_batches_run(const struct berth_batch_engine *engine,
                                    const struct berth_docking_stream *stream,
                                    struct berth_error *error)
{
    const struct berth_search_settings settings = {.parents = 1, .refine.poses = engine->refined};
    struct berth_docking_load batch = {.room = BERTH_BATCH, .share = 1, .least = 1};
    struct berth_found found;
    enum berth_status status = berth_found_create(&settings, BERTH_BATCH, &found, error);
    batch.conformers = berth_alloc(BERTH_BATCH, sizeof *batch.conformers);
    batch.tags = berth_alloc(BERTH_BATCH, sizeof *batch.tags);
    if (!status && (!batch.conformers || !batch.tags)) {
        status = berth_out_of_memory(error, NULL);
    }
    for (bool end = false; !status && !end;) {
        const size_t count = stream->take(stream->context, &batch, true, &end);
        for (size_t first = 0, like; !status && first < count; first += like) {
            like = berth_count_alike(batch.conformers + first, count - first);
            status = engine->run(engine->context, batch.conformers + first, like, &found, error);
            if (!status) {
                give_all(&batch, first, like, &found, stream);
            }
        }
    }
    berth_found_clear(&found);
    free(batch.conformers);
    free(batch.tags);
    return status;
}

/* --- Where they stand --- */

struct berth_rescore {
    struct berth_context *context;
    struct berth_evaluator *evaluator;
    struct berth_batch batch;
    double center[3]; /* Å */
};

/* One pose a molecule leaves nothing to share between poses.  Molecules may stand anywhere, so the
 * distances are computed directly and the square root in full. */
static struct berth_variant exact_variant(const struct berth_device *device)
{
    struct berth_variant variant = berth_variant_default(device);
    variant.vector_width = 1;
    variant.ppwi = 1;
    variant.wgsize = 1;
    variant.tile = 0;
    variant.expanded = 0;
    variant.square_root = 0;
    return variant;
}

enum berth_status berth_rescore_create(const struct berth_device *device,
                                       const struct berth_target *target,
                                       struct berth_rescore **rescore, struct berth_error *error)
{
    *rescore = NULL;
    struct berth_rescore *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_out_of_memory(error, NULL);
    }
    memcpy(made->center, target->site.center, sizeof made->center);
    const struct berth_variant variant = exact_variant(device);
    enum berth_status status = berth_context_create(device, &made->context, error);
    BERTH_THEN(
        berth_evaluator_create(made->context, &variant, NULL, target, &made->evaluator, error));
    if (status) {
        berth_rescore_destroy(made);
        return status;
    }
    *rescore = made;
    return BERTH_OK;
}

/* Runs the kernel on the uploaded batch; transforms and terms are host arrays [count][6] and
 * [count][terms]. */
static enum berth_status score_batch(struct berth_rescore *rescore, const float *transforms,
                                     float *terms, struct berth_error *error)
{
    const size_t count = rescore->batch.count;
    struct berth_buffer *from = NULL, *to = NULL;
    const size_t bytes = count * berth_evaluator_terms(rescore->evaluator) * sizeof(float);
    enum berth_status status =
        berth_buffer_create(rescore->context, count * 6 * sizeof(float), &from, error);
    BERTH_THEN(berth_buffer_create(rescore->context, bytes, &to, error));
    BERTH_THEN(berth_buffer_write(from, transforms, count * 6 * sizeof(float), error));
    if (!status) {
        const struct berth_evaluation evaluation = {
            .batch = &rescore->batch, .transforms = from, .result = to, .poses = 1, .terms = true};
        status = berth_evaluator_run(rescore->evaluator, &evaluation, NULL, error);
    }
    BERTH_THEN(berth_buffer_read(to, terms, bytes, error));
    berth_buffer_destroy(from);
    berth_buffer_destroy(to);
    return status;
}

enum berth_status berth_rescore_run(struct berth_rescore *rescore,
                                    const struct berth_packed_conformer *molecules, size_t count,
                                    struct berth_terms *terms, struct berth_error *error)
{
    float *transforms = berth_alloc(count * 6, sizeof *transforms);
    const size_t term_count = berth_evaluator_terms(rescore->evaluator);
    float *found = berth_alloc(count * term_count, sizeof *found);
    enum berth_status status = BERTH_OK;
    if (!transforms || !found) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu molecules", count);
        goto end;
    }
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            transforms[i * 6 + 3 + (size_t)k] =
                (float)(molecules[i].centroid[k] - rescore->center[k]);
        }
    }
    status = berth_batch_fill(&rescore->batch, rescore->context, molecules, count, error);
    BERTH_THEN(score_batch(rescore, transforms, found, error));
    for (size_t i = 0; !status && i < count; i++) {
        terms[i] = (struct berth_terms){{0}};
        for (size_t k = 0; k < term_count; k++) {
            terms[i].values[k] = found[term_count * i + k];
        }
        if (!isfinite(berth_terms_sum(&terms[i]))) {
            status = berth_energy_is_none(berth_evaluator_scoring(rescore->evaluator),
                                          berth_context_device(rescore->context), error);
        }
    }
end:
    free(transforms);
    free(found);
    return status;
}

/* A batch of a stream. */
static enum berth_status score_stream_batch(void *context,
                                            const struct berth_packed_conformer *molecules,
                                            size_t count, struct berth_found *found,
                                            struct berth_error *error)
{
    struct berth_terms *terms = berth_alloc(count, sizeof *terms);
    enum berth_status status = terms ? berth_rescore_run(context, molecules, count, terms, error)
                                     : berth_out_of_memory(error, NULL);
    for (size_t i = 0; !status && i < count; i++) {
        found->poses[i] = (struct berth_pose){.terms = terms[i]};
    }
    free(terms);
    return status;
}

static enum berth_status score_stream(void *context, const struct berth_docking_stream *stream,
                                      struct berth_error *error)
{
    const struct berth_batch_engine engine = {context, false, score_stream_batch};
    return berth_batches_run(&engine, stream, error);
}

struct berth_stream_engine berth_rescore_engine(struct berth_rescore *rescore)
{
    return (struct berth_stream_engine){rescore, score_stream};
}

void berth_rescore_destroy(struct berth_rescore *rescore)
{
    if (!rescore) {
        return;
    }
    berth_batch_clear(&rescore->batch);
    berth_evaluator_destroy(rescore->evaluator);
    berth_context_destroy(rescore->context);
    free(rescore);
}

/* --- Refined from there --- */

struct berth_minimizer {
    struct berth_context *context;
    struct berth_evaluator *evaluator;
    struct berth_refine_settings settings;
    struct berth_batch batch;
    double center[3]; /* Å */
};

enum berth_status berth_minimizer_create(const struct berth_device *device,
                                         const struct berth_target *target,
                                         const struct berth_refine_settings *settings,
                                         struct berth_minimizer **minimizer,
                                         struct berth_error *error)
{
    *minimizer = NULL;
    struct berth_minimizer *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_out_of_memory(error, NULL);
    }
    struct berth_target anywhere = *target;
    memset(anywhere.site.size, 0, sizeof anywhere.site.size);
    memcpy(made->center, target->site.center, sizeof made->center);
    made->settings = *settings;
    made->settings.poses = 1;
    const struct berth_variant variant = berth_variant_default(device);
    enum berth_status status = berth_context_create(device, &made->context, error);
    BERTH_THEN(
        berth_evaluator_create(made->context, &variant, NULL, &anywhere, &made->evaluator, error));
    if (status) {
        berth_minimizer_destroy(made);
        return status;
    }
    *minimizer = made;
    return BERTH_OK;
}

/* Refines the batch's poses, which are the refiner's records, and waits for them. */
static enum berth_status refine_batch(struct berth_minimizer *minimizer,
                                      struct berth_refiner *refiner, struct berth_error *error)
{
    const size_t count = minimizer->batch.count;
    struct berth_event *event = NULL;
    enum berth_status status = berth_refiner_write(refiner, count, error);
    BERTH_THEN(berth_refiner_run(refiner, &minimizer->batch, NULL, error));
    BERTH_THEN(berth_refiner_start_read(refiner, count, &event, error));
    return status ? status : berth_event_wait(event, error);
}

/* The molecules' places as records, with their torsions as they are. */
static void fill_records(const struct berth_minimizer *minimizer,
                         const struct berth_packed_conformer *molecules, size_t count,
                         struct berth_device_refined *records)
{
    for (size_t i = 0; i < count; i++) {
        records[i] = (struct berth_device_refined){.evaluations = 0};
        for (int k = 0; k < 3; k++) {
            records[i].transform[3 + k] = (float)(molecules[i].centroid[k] - minimizer->center[k]);
        }
    }
}

/* A batch of a stream: each conformer from where it stands. */
static enum berth_status refine_stream_batch(void *context,
                                             const struct berth_packed_conformer *molecules,
                                             size_t count, struct berth_found *found,
                                             struct berth_error *error)
{
    struct berth_minimizer *minimizer = context;
    const struct berth_refine_setup setup = {.settings = minimizer->settings, .conformers = count};
    struct berth_refiner *refiner;
    BERTH_TRY(berth_refiner_create(minimizer->evaluator, &setup, &refiner, error));
    fill_records(minimizer, molecules, count, berth_refiner_records(refiner));
    enum berth_status status =
        berth_batch_fill(&minimizer->batch, minimizer->context, molecules, count, error);
    BERTH_THEN(refine_batch(minimizer, refiner, error));
    for (size_t i = 0; !status && i < count; i++) {
        found->counts[i] = 1;
        berth_found_refined(found, i, berth_refiner_records(refiner) + i);
        if (!isfinite(berth_pose_total(&found->poses[i]))) {
            status = berth_energy_is_none(berth_evaluator_scoring(minimizer->evaluator),
                                          berth_context_device(minimizer->context), error);
        }
    }
    berth_refiner_destroy(refiner);
    return status;
}

static enum berth_status refine_stream(void *context, const struct berth_docking_stream *stream,
                                       struct berth_error *error)
{
    const struct berth_batch_engine engine = {context, true, refine_stream_batch};
    return berth_batches_run(&engine, stream, error);
}

struct berth_stream_engine berth_minimizer_engine(struct berth_minimizer *minimizer)
{
    return (struct berth_stream_engine){minimizer, refine_stream};
}

void berth_minimizer_destroy(struct berth_minimizer *minimizer)
{
    if (!minimizer) {
        return;
    }
    berth_batch_clear(&minimizer->batch);
    berth_evaluator_destroy(minimizer->evaluator);
    berth_context_destroy(minimizer->context);
    free(minimizer);
}

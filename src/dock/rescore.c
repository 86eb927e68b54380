#include "dock/rescore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/batches.h"
#include "dock/advice.h"

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
    if (!status) {
        status =
            berth_evaluator_create(made->context, &variant, NULL, target, &made->evaluator, error);
    }
    if (status) {
        berth_rescore_destroy(made);
        return status;
    }
    *rescore = made;
    return BERTH_OK;
}

/* Runs the kernel on the uploaded batch; transforms and terms are host arrays [count][6] and
 * [count][terms]. */
static enum berth_status run_batch(struct berth_rescore *rescore, const float *transforms,
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
    BERTH_THEN(run_batch(rescore, transforms, found, error));
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
static enum berth_status score(void *context, const struct berth_packed_conformer *molecules,
                               size_t count, struct berth_found *found, struct berth_error *error)
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

static enum berth_status run_stream(void *context, const struct berth_docking_stream *stream,
                                    struct berth_error *error)
{
    const struct berth_batch_engine engine = {context, false, score};
    return berth_batches_run(&engine, stream, error);
}

struct berth_stream_engine berth_rescore_engine(struct berth_rescore *rescore)
{
    return (struct berth_stream_engine){rescore, run_stream};
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

#include "dock/minimize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/batches.h"
#include "engine/search.h"
#include "dock/advice.h"

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
static enum berth_status run_batch(struct berth_minimizer *minimizer, struct berth_refiner *refiner,
                                   struct berth_error *error)
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
static enum berth_status refine(void *context, const struct berth_packed_conformer *molecules,
                                size_t count, struct berth_found *found, struct berth_error *error)
{
    struct berth_minimizer *minimizer = context;
    const struct berth_refine_setup setup = {.settings = minimizer->settings, .conformers = count};
    struct berth_refiner *refiner;
    enum berth_status status = berth_refiner_create(minimizer->evaluator, &setup, &refiner, error);
    if (status) {
        return status;
    }
    fill_records(minimizer, molecules, count, berth_refiner_records(refiner));
    status = berth_batch_fill(&minimizer->batch, minimizer->context, molecules, count, error);
    BERTH_THEN(run_batch(minimizer, refiner, error));
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

static enum berth_status run_stream(void *context, const struct berth_docking_stream *stream,
                                    struct berth_error *error)
{
    const struct berth_batch_engine engine = {context, true, refine};
    return berth_batches_run(&engine, stream, error);
}

struct berth_stream_engine berth_minimizer_engine(struct berth_minimizer *minimizer)
{
    return (struct berth_stream_engine){minimizer, run_stream};
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

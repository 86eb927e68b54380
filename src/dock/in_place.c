#include "dock/in_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/advice.h"
#include "engine/judge.h"

struct berth_in_place {
    struct berth_context *context;
    struct berth_evaluator *evaluator;
    /* What the other functions say: [judge_count]. */
    struct berth_evaluator *evaluators[BERTH_FUNCTIONS_MAX - 1];
    struct berth_judge *judges[BERTH_FUNCTIONS_MAX - 1];
    size_t judge_count;
    struct berth_buffer *ones; /* int [BERTH_BATCH]: the poses of each conformer; NULL: no judges */
    struct berth_batch batch;
    double center[3];                    /* Å */
    struct berth_refine_settings refine; /* no poses: conformers stay where they stand */
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

/* An evaluator of the target, which is anywhere. */
static enum berth_status open_evaluator(struct berth_in_place *in_place,
                                        const struct berth_variant *variant,
                                        const struct berth_target *target,
                                        struct berth_evaluator **evaluator,
                                        struct berth_error *error)
{
    struct berth_target anywhere = *target;
    memset(anywhere.site.size, 0, sizeof anywhere.site.size);
    return berth_evaluator_create(in_place->context, variant, NULL, &anywhere, evaluator, error);
}

static enum berth_status open_judges(struct berth_in_place *in_place,
                                     const struct berth_variant *variant,
                                     const struct berth_docking_setup *setup,
                                     struct berth_error *error)
{
    int32_t ones[BERTH_BATCH];
    for (size_t i = 0; i < BERTH_BATCH; i++) {
        ones[i] = 1;
    }
    if (setup->judge_count) {
        BERTH_TRY(
            berth_buffer_upload(in_place->context, ones, sizeof ones, &in_place->ones, error));
    }
    for (; in_place->judge_count < setup->judge_count; in_place->judge_count++) {
        const size_t k = in_place->judge_count;
        struct berth_evaluator **evaluator = &in_place->evaluators[k];
        BERTH_TRY(open_evaluator(in_place, variant, &setup->judges[0][k], evaluator, error));
        const struct berth_judge_setup judge = {
            .evaluator = *evaluator,
            .number = k,
            .shares =
                berth_scoring_types_alike(setup->targets[0].scoring, setup->judges[0][k].scoring),
            .poses = 1,
            .conformers = BERTH_BATCH,
            .torsions = in_place->refine.torsions};
        BERTH_TRY(berth_judge_create(&judge, &in_place->judges[k], error));
    }
    return BERTH_OK;
}

enum berth_status berth_in_place_create(const struct berth_device *device,
                                        const struct berth_docking_setup *setup,
                                        struct berth_in_place **in_place, struct berth_error *error)
{
    const struct berth_variant usual = berth_variant_default(device);
    const bool refines = setup->search.refine.poses;
    const struct berth_variant variant = refines ? usual : exact_variant(device);
    struct berth_in_place *made;
    BERTH_TRY(berth_make(in_place, 1, sizeof *made, NULL, error));
    made = *in_place;
    memcpy(made->center, setup->targets[0].site.center, sizeof made->center);
    made->refine = setup->search.refine;
    made->refine.poses = refines;
    enum berth_status status = berth_context_create(device, &made->context, error);
    if (!status) {
        berth_context_tell(made->context, setup->log);
    }
    BERTH_THEN(open_evaluator(made, &variant, &setup->targets[0], &made->evaluator, error));
    BERTH_THEN(open_judges(made, &usual, setup, error));
    if (status) {
        berth_in_place_destroy(made);
        *in_place = NULL;
    }
    return status;
}

void berth_in_place_destroy(struct berth_in_place *in_place)
{
    if (!in_place) {
        return;
    }
    berth_batch_clear(&in_place->batch);
    for (size_t k = 0; k < BERTH_FUNCTIONS_MAX - 1; k++) {
        berth_judge_destroy(in_place->judges[k]);
        berth_evaluator_destroy(in_place->evaluators[k]);
    }
    berth_buffer_destroy(in_place->ones);
    berth_evaluator_destroy(in_place->evaluator);
    berth_context_destroy(in_place->context);
    free(in_place);
}

/* Where a conformer stands, as a pose's translation. */
static void find_translation(const struct berth_in_place *in_place,
                             const struct berth_packed_conformer *conformer, float translation[3])
{
    for (int k = 0; k < 3; k++) {
        translation[k] = (float)(conformer->centroid[k] - in_place->center[k]);
    }
}

/* Runs the kernel on the uploaded batch, whose poses are at `from`: float [count][6]; terms:
 * [count][terms]. */
static enum berth_status score_batch(struct berth_in_place *in_place, struct berth_buffer *from,
                                     float *terms, struct berth_error *error)
{
    const size_t count = in_place->batch.count;
    const size_t bytes = count * in_place->evaluator->term_count * sizeof *terms;
    struct berth_buffer *to = NULL;
    enum berth_status status = berth_buffer_create(in_place->context, bytes, &to, error);
    const struct berth_evaluation evaluation = {
        .batch = &in_place->batch, .transforms = from, .result = to, .poses = 1, .terms = true};
    BERTH_THEN(berth_evaluator_run(in_place->evaluator, &evaluation, NULL, error));
    BERTH_THEN(berth_buffer_read(to, terms, bytes, error));
    berth_buffer_destroy(to);
    return status;
}

/* Asks the judges for their energies of the batch's poses. */
static enum berth_status judge(struct berth_in_place *in_place, const struct berth_judged *judged,
                               struct berth_found *found, struct berth_error *error)
{
    for (size_t k = 0; k < in_place->judge_count; k++) {
        struct berth_event *event = NULL;
        BERTH_TRY(berth_judge_start(in_place->judges[k], judged, &event, error));
        BERTH_TRY(berth_event_wait(event, error));
        for (size_t i = 0; i < in_place->batch.count; i++) {
            found->poses[i].scores[k + 1] = berth_judge_energy(in_place->judges[k], i, 0);
        }
    }
    return BERTH_OK;
}

/* The terms of the batch's conformers where they stand. */
static enum berth_status score(struct berth_in_place *in_place,
                               const struct berth_packed_conformer *conformers,
                               struct berth_found *found, struct berth_error *error)
{
    const size_t count = in_place->batch.count, term_count = in_place->evaluator->term_count;
    float(*transforms)[6] = berth_alloc(count, sizeof *transforms);
    float *terms = berth_alloc(count * term_count, sizeof *terms);
    struct berth_buffer *from = NULL;
    enum berth_status status = transforms && terms ? BERTH_OK : berth_out_of_memory(error, NULL);
    for (size_t i = 0; !status && i < count; i++) {
        find_translation(in_place, &conformers[i], transforms[i] + 3);
    }
    BERTH_THEN(berth_buffer_upload(in_place->context, transforms, count * sizeof *transforms, &from,
                                   error));
    BERTH_THEN(score_batch(in_place, from, terms, error));
    for (size_t i = 0; !status && i < count; i++) {
        found->poses[i] = (struct berth_pose){.refined = false};
        for (size_t k = 0; k < term_count; k++) {
            found->poses[i].terms.values[k] = terms[term_count * i + k];
        }
    }
    const struct berth_judged judged = {
        .batch = &in_place->batch,
        .conformers = conformers,
        .parents = {.transforms = from, .counts = in_place->ones, .stride = 1}};
    BERTH_THEN(judge(in_place, &judged, found, error));
    berth_buffer_destroy(from);
    free(transforms);
    free(terms);
    return status;
}

/* What the batch's conformers come to from where they stand. */
static enum berth_status refine(struct berth_in_place *in_place,
                                const struct berth_packed_conformer *conformers,
                                struct berth_found *found, struct berth_error *error)
{
    const size_t count = in_place->batch.count;
    const struct berth_refine_setup setup = {.settings = in_place->refine, .conformers = count};
    struct berth_refiner *refiner;
    struct berth_event *event = NULL;
    BERTH_TRY(berth_refiner_create(in_place->evaluator, &setup, &refiner, error));
    for (size_t i = 0; i < count; i++) { /* torsions are as in the conformer */
        find_translation(in_place, &conformers[i], refiner->on_host[i].transform + 3);
    }
    enum berth_status status = berth_refiner_write(refiner, count, error);
    BERTH_THEN(berth_refiner_run(refiner, &in_place->batch, NULL, error));
    BERTH_THEN(berth_refiner_start_read(refiner, count, &event, error));
    BERTH_THEN(berth_event_wait(event, error));
    for (size_t i = 0; !status && i < count; i++) {
        found->counts[i] = 1;
        berth_found_refined(found, i, &refiner->on_host[i], NULL);
    }
    const struct berth_judged judged = {
        .batch = &in_place->batch, .conformers = conformers, .refined = refiner};
    BERTH_THEN(judge(in_place, &judged, found, error));
    berth_refiner_destroy(refiner);
    return status;
}

enum berth_status berth_in_place_run(struct berth_in_place *in_place,
                                     const struct berth_packed_conformer *conformers, size_t count,
                                     struct berth_found *found, struct berth_error *error)
{
    BERTH_TRY(berth_batch_fill(&in_place->batch, in_place->context, conformers, count, error));
    BERTH_TRY((in_place->refine.poses ? refine : score)(in_place, conformers, found, error));
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(berth_pose_total(&found->poses[i]))) {
            return berth_energy_is_none(in_place->evaluator->scoring,
                                        berth_context_device(in_place->context), error);
        }
    }
    return BERTH_OK;
}

/* Computes and gives what was taken. */
static enum berth_status run_batch(struct berth_in_place *in_place,
                                   const struct berth_docking_load *batch, size_t count,
                                   struct berth_found *found,
                                   const struct berth_docking_stream *stream,
                                   struct berth_error *error)
{
    for (size_t first = 0, like; first < count; first += like) {
        like = berth_count_alike(batch->conformers + first, count - first);
        BERTH_TRY(berth_in_place_run(in_place, batch->conformers + first, like, found, error));
        for (size_t i = 0; i < like; i++) {
            const struct berth_docked_conformer docked = {.conformer =
                                                              &batch->conformers[first + i],
                                                          .tag = batch->tags[first + i],
                                                          .poses = found->poses + i,
                                                          .evaluations = found->evaluations[i],
                                                          .count = 1};
            stream->give(stream->context, &docked);
        }
    }
    return BERTH_OK;
}

static enum berth_status run_stream(void *context, const struct berth_docking_stream *stream,
                                    struct berth_error *error)
{
    const struct berth_search_settings one = {.parents = 1};
    struct berth_docking_load batch = {.room = BERTH_BATCH, .share = 1, .least = 1};
    struct berth_found found = {0};
    enum berth_status status = berth_found_create(&one, BERTH_BATCH, &found, error);
    BERTH_THEN(berth_make(&batch.conformers, BERTH_BATCH, sizeof *batch.conformers, NULL, error));
    BERTH_THEN(berth_make(&batch.tags, BERTH_BATCH, sizeof *batch.tags, NULL, error));
    for (bool end = false; !status && !end;) {
        const size_t count = stream->take(stream->context, &batch, true, &end);
        status = run_batch(context, &batch, count, &found, stream, error);
    }
    berth_found_clear(&found);
    free(batch.conformers);
    free(batch.tags);
    return status;
}

struct berth_stream_engine berth_in_place_engine(struct berth_in_place *in_place)
{
    return (struct berth_stream_engine){in_place, run_stream};
}

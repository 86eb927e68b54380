#include "check/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* An energy agrees with its reference within either of these (%, kJ/mol). */
#define AGREE_PERCENT  0.05
#define AGREE_ABSOLUTE 0.01

struct berth_timer {
    const struct berth_workload *workload;
    struct berth_context *context;
    struct berth_batch batch;
    struct berth_buffer *transforms, *energies;
};

enum berth_status berth_timer_create(const struct berth_device *device,
                                     const struct berth_workload *workload,
                                     struct berth_timer **timer, struct berth_error *error)
{
    const size_t bytes = workload->conformers * workload->poses * sizeof(float);
    struct berth_timer *made;
    *timer = NULL;
    BERTH_TRY(berth_make(&made, 1, sizeof *made, NULL, error));
    made->workload = workload;
    enum berth_status status = berth_context_create(device, &made->context, error);
    BERTH_THEN(berth_batch_fill(&made->batch, made->context, workload->packed, workload->conformers,
                                error));
    BERTH_THEN(berth_buffer_create(made->context, bytes * 6, &made->transforms, error));
    BERTH_THEN(berth_buffer_create(made->context, bytes, &made->energies, error));
    BERTH_THEN(berth_buffer_write(made->transforms, workload->transforms, bytes * 6, error));
    if (status) {
        berth_timer_destroy(made);
    } else {
        *timer = made;
    }
    return status;
}

static int by_size(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void sum_up(const struct berth_timer *timer, uint64_t *times, size_t count,
                   struct berth_bench_result *result)
{
    qsort(times, count, sizeof *times, by_size);
    result->ms_min = 1e-6 * (double)times[0];
    result->ms_median = 0.5e-6 * ((double)times[(count - 1) / 2] + (double)times[count / 2]);
    result->interactions_per_s = (double)timer->workload->poses * (double)timer->batch.atom_count *
                                 (double)timer->workload->target.receptor->count /
                                 (1e-3 * result->ms_median);
}

enum berth_status berth_timer_run(struct berth_timer *timer, const struct berth_variant *variant,
                                  const char *options, float *energies,
                                  struct berth_bench_result *result, struct berth_error *error)
{
    const struct berth_workload *workload = timer->workload;
    const struct berth_evaluation evaluation = {.batch = &timer->batch,
                                                .transforms = timer->transforms,
                                                .result = timer->energies,
                                                .poses = workload->poses,
                                                .softness = 1};
    struct berth_evaluator *evaluator = NULL;
    uint64_t *times;
    BERTH_TRY(berth_make(&times, workload->repeats + 1, sizeof *times, NULL, error));
    enum berth_status status = berth_evaluator_create(timer->context, variant, options,
                                                      &workload->target, &evaluator, error);
    for (size_t i = 0; !status && i <= workload->repeats; i++) {
        status = berth_evaluator_run(evaluator, &evaluation, &times[i], error);
    }
    if (!status) {
        sum_up(timer, times + 1, workload->repeats, result);
    }
    berth_evaluator_destroy(evaluator);
    free(times);
    BERTH_THEN(berth_buffer_read(timer->energies, energies,
                                 workload->conformers * workload->poses * sizeof *energies, error));
    return status;
}

void berth_timer_destroy(struct berth_timer *timer)
{
    if (timer) {
        berth_batch_clear(&timer->batch);
        berth_buffer_destroy(timer->transforms);
        berth_buffer_destroy(timer->energies);
        berth_context_destroy(timer->context);
        free(timer);
    }
}

struct berth_bench_setup berth_bench_of_deck(const struct berth_deck *deck, size_t poses,
                                             size_t repeats)
{
    return (struct berth_bench_setup){
        .target = {&deck->scoring, &deck->protein, {{0}, {0}, false}, NULL},
        .ligand = &deck->ligand,
        .poses = deck->poses,
        .pose_count = deck->pose_count,
        .energies = deck->energies,
        .energy_count = deck->energy_count,
        .poses_wanted = poses ? poses : deck->pose_count,
        .repeats = repeats};
}

/* The ligand about its own origin, as the decks have it (not about its centroid). */
static enum berth_status pack_ligand(const struct berth_heavy_atoms *ligand,
                                     struct berth_packed_conformer *packed,
                                     struct berth_error *error)
{
    BERTH_TRY(berth_pack_conformer(ligand, 0, 0, packed, error));
    for (size_t i = 0; i < ligand->count; i++) {
        packed->atoms[i].x = (float)ligand->atoms[i].position[0];
        packed->atoms[i].y = (float)ligand->atoms[i].position[1];
        packed->atoms[i].z = (float)ligand->atoms[i].position[2];
    }
    return BERTH_OK;
}

void berth_bench_verify(const struct berth_bench_setup *setup, const float *energies,
                        struct berth_bench_result *result)
{
    result->valid = setup->energy_count > 0;
    result->max_diff_pct = 0;
    for (size_t i = 0; i < setup->poses_wanted; i++) {
        const size_t pose = i % setup->pose_count;
        if (pose >= setup->energy_count) {
            continue;
        }
        const double reference = setup->energies[pose];
        const double difference = fabs(energies[i] - reference);
        const double percent = 100 * difference / fabs(reference);
        if (!(difference <= AGREE_ABSOLUTE || percent <= AGREE_PERCENT)) {
            result->valid = false;
        }
        if (fabs(reference) >= 1 && !(percent <= result->max_diff_pct)) {
            result->max_diff_pct = percent;
        }
    }
}

enum berth_status berth_bench_run(const struct berth_device *device,
                                  const struct berth_bench_setup *setup,
                                  struct berth_bench_result *result, struct berth_error *error)
{
    const size_t wanted = setup->poses_wanted;
    struct berth_packed_conformer packed;
    struct berth_timer *timer = NULL;
    float *numbers; /* the transforms, and behind them the energies */
    BERTH_TRY(berth_make(&numbers, wanted, 7 * sizeof *numbers, "poses", error));
    for (size_t i = 0; i < 6 * wanted; i++) {
        const size_t plane = i / wanted, pose = i % wanted % setup->pose_count;
        numbers[i] = setup->poses[plane * setup->pose_count + pose];
    }
    enum berth_status status = pack_ligand(setup->ligand, &packed, error);
    const struct berth_workload workload = {setup->target, &packed, 1,
                                            numbers,       wanted,  setup->repeats};
    BERTH_THEN(berth_timer_create(device, &workload, &timer, error));
    BERTH_THEN(berth_timer_run(timer, &setup->variant, setup->build_options, numbers + 6 * wanted,
                               result, error));
    if (!status) {
        berth_bench_verify(setup, numbers + 6 * wanted, result);
    }
    berth_timer_destroy(timer);
    berth_packed_conformer_clear(&packed);
    free(numbers);
    return status;
}

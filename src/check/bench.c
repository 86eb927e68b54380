#include "check/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* An energy agrees with its reference within either of these (%, kJ/mol). */
#define AGREE_PERCENT  0.05
#define AGREE_ABSOLUTE 0.01

/* A run's buffers, on both sides. */
struct bench {
    const struct berth_bench_setup *setup;
    struct berth_context *context;
    struct berth_evaluator *evaluator;
    struct berth_batch batch;
    struct berth_buffer *transforms, *energies;
    float *host_energies; /* [poses_wanted] */
    double *times;        /* [repeats], ms */
};

/* The ligand about its own origin, as the decks have it (not about its centroid). */
static enum berth_status upload_ligand(struct bench *bench, struct berth_error *error)
{
    struct berth_packed_conformer packed;
    const struct berth_heavy_atoms *ligand = bench->setup->ligand;
    enum berth_status status = berth_pack_conformer(ligand, 0, 0, &packed, error);
    if (status) {
        return status;
    }
    for (size_t i = 0; i < ligand->count; i++) {
        packed.atoms[i].x = (float)ligand->atoms[i].position[0];
        packed.atoms[i].y = (float)ligand->atoms[i].position[1];
        packed.atoms[i].z = (float)ligand->atoms[i].position[2];
    }
    status = berth_batch_fill(&bench->batch, bench->context, &packed, 1, error);
    berth_packed_conformer_clear(&packed);
    return status;
}

static enum berth_status upload_poses(struct bench *bench, struct berth_error *error)
{
    const struct berth_bench_setup *setup = bench->setup;
    const size_t wanted = setup->poses_wanted;
    float *planes = berth_alloc(wanted * 6, sizeof *planes);
    if (!planes) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu poses", wanted);
    }
    for (size_t k = 0; k < 6; k++) {
        for (size_t i = 0; i < wanted; i++) {
            planes[k * wanted + i] = setup->poses[k * setup->pose_count + i % setup->pose_count];
        }
    }
    enum berth_status status =
        berth_buffer_create(bench->context, wanted * 6 * sizeof *planes, &bench->transforms, error);
    BERTH_THEN(berth_buffer_write(bench->transforms, planes, wanted * 6 * sizeof *planes, error));
    free(planes);
    return status;
}

static enum berth_status prepare(struct bench *bench, const struct berth_device *device,
                                 struct berth_error *error)
{
    const struct berth_bench_setup *setup = bench->setup;
    bench->host_energies = berth_alloc(setup->poses_wanted, sizeof *bench->host_energies);
    bench->times = berth_alloc(setup->repeats, sizeof *bench->times);
    if (!bench->host_energies || !bench->times) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu poses",
                          setup->poses_wanted);
    }
    enum berth_status status = berth_context_create(device, &bench->context, error);
    BERTH_THEN(berth_evaluator_create(bench->context, &setup->variant, setup->build_options,
                                      &setup->target, &bench->evaluator, error));
    BERTH_THEN(upload_ligand(bench, error));
    BERTH_THEN(upload_poses(bench, error));
    BERTH_THEN(berth_buffer_create(bench->context, setup->poses_wanted * sizeof(float),
                                   &bench->energies, error));
    return status;
}

static int by_size(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static enum berth_status measure(struct bench *bench, struct berth_bench_result *result,
                                 struct berth_error *error)
{
    const struct berth_bench_setup *setup = bench->setup;
    const struct berth_evaluation evaluation = {.batch = &bench->batch,
                                                .transforms = bench->transforms,
                                                .result = bench->energies,
                                                .poses = setup->poses_wanted,
                                                .softness = 1};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i <= setup->repeats; i++) {
        uint64_t nanoseconds;
        status = berth_evaluator_run(bench->evaluator, &evaluation, &nanoseconds, error);
        if (!status && i > 0) {
            bench->times[i - 1] = 1e-6 * (double)nanoseconds;
        }
    }
    if (status) {
        return status;
    }
    qsort(bench->times, setup->repeats, sizeof *bench->times, by_size);
    result->ms_min = bench->times[0];
    result->ms_median =
        (bench->times[(setup->repeats - 1) / 2] + bench->times[setup->repeats / 2]) / 2;
    result->interactions_per_s = (double)setup->poses_wanted * (double)setup->ligand->count *
                                 (double)setup->target.receptor->count / (1e-3 * result->ms_median);
    return berth_buffer_read(bench->energies, bench->host_energies,
                             setup->poses_wanted * sizeof(float), error);
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
    struct bench bench = {.setup = setup};
    enum berth_status status = prepare(&bench, device, error);
    BERTH_THEN(measure(&bench, result, error));
    if (!status) {
        berth_bench_verify(setup, bench.host_energies, result);
    }
    berth_buffer_destroy(bench.transforms);
    berth_buffer_destroy(bench.energies);
    berth_batch_clear(&bench.batch);
    berth_evaluator_destroy(bench.evaluator);
    berth_context_destroy(bench.context);
    free(bench.host_energies);
    free(bench.times);
    return status;
}

/* Throughput of the energy kernel: on the poses of a deck, and, for tuning, of variant after
 * variant on one device. */
#ifndef BERTH_CHECK_BENCH_H
#define BERTH_CHECK_BENCH_H

#include "check/deck.h"
#include "engine/evaluator.h"

/* What to measure; everything is borrowed. */
struct berth_bench_setup {
    struct berth_target target;
    const struct berth_heavy_atoms *ligand; /* placed as it stands: its origin is (0, 0, 0) */
    const float *poses;                     /* [6][pose_count]: angles (rad), translations (Å) */
    size_t pose_count;
    const double *energies; /* [energy_count]: reference for the first poses, kJ/mol */
    size_t energy_count;
    size_t poses_wanted; /* poses in a launch; the given ones are repeated as needed */
    size_t repeats;      /* launches that are timed, after one that is not */
    struct berth_variant variant;
    const char *build_options; /* more of them, or NULL */
};

struct berth_bench_result {
    double ms_median, ms_min;  /* device time of a launch */
    double interactions_per_s; /* at the median */
    double max_diff_pct;       /* of energies, where the reference is at least 1 in size */
    bool valid;                /* every energy within 0.05 % or 0.01 of its reference */
};

/* The deck's poses, which it borrows; poses 0: each once. */
struct berth_bench_setup berth_bench_of_deck(const struct berth_deck *deck, size_t poses,
                                             size_t repeats);

/* Measures on the device.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_USAGE. */
enum berth_status berth_bench_run(const struct berth_device *device,
                                  const struct berth_bench_setup *setup,
                                  struct berth_bench_result *result, struct berth_error *error);

/* Compares the energies [poses_wanted] (kJ/mol) of someone else with the reference: fills valid and
 * max_diff_pct of *result. */
void berth_bench_verify(const struct berth_bench_setup *setup, const float *energies,
                        struct berth_bench_result *result);

/* What a launch evaluates; everything is borrowed. */
struct berth_workload {
    struct berth_target target;
    const struct berth_packed_conformer *packed; /* [conformers] */
    size_t conformers;
    const float *transforms; /* [conformers][6][poses] */
    size_t poses;
    size_t repeats; /* launches that are timed, after one that is not */
};

struct berth_timer; /* opaque: a workload on a device */

/* workload is borrowed; the caller destroys *timer.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_timer_create(const struct berth_device *device,
                                     const struct berth_workload *workload,
                                     struct berth_timer **timer, struct berth_error *error);

/* Times a variant and fetches its energies, [conformers][poses].  *result: but for its validity.
 * Errors: also those of the build. */
enum berth_status berth_timer_run(struct berth_timer *timer, const struct berth_variant *variant,
                                  const char *build_options, float *energies,
                                  struct berth_bench_result *result, struct berth_error *error);

/* NULL is accepted. */
void berth_timer_destroy(struct berth_timer *timer);

#endif

/* The published pair loop in plain C, to measure devices against: a program of its own
 * (pair_loop.c says what it reads and writes). */
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include "check/bench.h"

struct berth_baseline {
    struct berth_bench_result result;
    int block, threads;
    char compiler[64];
};

/* Runs berth-baseline, which stands beside the program, on the setup's poses.  Errors: BERTH_E_IO
 * (it is not there, or failed), BERTH_E_MEMORY. */
enum berth_status berth_baseline_run(const struct berth_bench_setup *setup,
                                     struct berth_baseline *baseline, struct berth_error *error);

#endif

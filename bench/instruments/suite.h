/* The energy kernel's throughput on a deck, device after device, against what each could do at best
 * and against the published pair loop in plain C. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include "baseline.h"
#include "check/bench.h"
#include "check/deck.h"
#include "floor.h"

/* A device's results; without a device those of the baseline. */
struct berth_bench_row {
    const struct berth_device *device;     /* borrowed */
    const struct berth_baseline *baseline; /* borrowed; NULL: not run */
    const struct berth_work *work;         /* borrowed from the suite */
    size_t poses;
    struct berth_variant variant;
    struct berth_bench_result result;
    struct berth_ceiling ceiling;
    struct berth_floor floor, own;         /* own: with the variant's way to a root */
    double class_rates[BERTH_CLASSES_MAX]; /* interactions/s of each class of the suite's work
                                              alone; 0: not measured */
};

/* What to measure; everything is borrowed. */
struct berth_bench_suite {
    const struct berth_deck *deck;
    const struct berth_devices *devices;
    struct berth_variant variant; /* tunables to set; those below 0 are left to the device */
    size_t poses;                 /* in a launch; 0: as many as the deck has */
    size_t repeats;               /* launches that are timed */
    bool baseline;                /* run it, too, before the devices */
    bool terms;                   /* measure each class of pairs of atoms by itself */
    struct berth_work work;       /* the deck's: see berth_work_count */
    /* Called with each row as soon as it is measured. */
    void (*report)(void *context, const struct berth_bench_row *row);
    void *context;
};

/* What came out; for berth_bench_rows_clear once the suite was run. */
struct berth_bench_rows {
    struct berth_baseline baseline;
    struct berth_bench_row *rows; /* owned; they borrow the baseline */
    size_t count;
};

/* Measures.  The caller clears *rows either way, and leaves it where it is until then.  Errors:
 * those of berth_baseline_run, berth_ceiling_measure and berth_bench_run. */
enum berth_status berth_bench_suite_run(const struct berth_bench_suite *suite,
                                        struct berth_bench_rows *rows, struct berth_error *error);

void berth_bench_rows_clear(struct berth_bench_rows *rows);

/* True where all energies agree with the reference. */
bool berth_bench_rows_valid(const struct berth_bench_rows *rows);

/* The part reached of the floor's speed, %. */
double berth_bench_floor_percent(const struct berth_bench_row *row);

/* Its speed as a multiple of the baseline's, which was run. */
double berth_bench_ratio(const struct berth_bench_row *row);

#endif

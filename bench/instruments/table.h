/* The tables and the plot of berth-bench. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "suite.h"
#include "paper.h"
#include "format/output.h"

/* What to measure on a deck, and where the results go; everything is borrowed. */
struct berth_bench_settings {
    const char *deck;                           /* folder of a deck; NULL: the demo complex, of */
    const char *data;                           /* this folder; NULL: that beside the program */
    const struct berth_scoring_choice *scoring; /* of the demo complex */
    const char *csv, *svg;                      /* table and plot to write; NULL: none */
    const struct berth_log *log;                /* or NULL */
    struct berth_bench_suite suite;             /* but for its deck, work and report */
};

/* Who else is told of it. */
struct berth_bench_printer {
    void *context;
    /* Before the first row; name: the deck's. */
    void (*head)(void *context, const struct berth_bench_suite *suite, const char *name);
    /* Each row, as soon as it is measured. */
    void (*row)(void *context, const struct berth_bench_suite *suite,
                const struct berth_bench_row *row);
};

/* Measures; *valid: all energies agree with the reference.  Errors: those of reading the deck, of
 * berth_bench_suite_run, of writing. */
enum berth_status berth_bench_decks(const struct berth_bench_settings *settings,
                                    const struct berth_bench_printer *printer, bool *valid,
                                    struct berth_error *error);

/* Dockings at the published benchmark's size, on one device after the other; borrowed. */
struct berth_paper_runs {
    const struct berth_paper_settings *settings;
    const char *csv; /* table to write; NULL: none */
    const struct berth_devices *devices;
    struct berth_variant variant; /* tunables to set; those below 0 are left to the device */
    void (*report)(void *context, const struct berth_device *device,
                   const struct berth_variant *variant, const struct berth_paper_result *result);
    void *context;
};

/* Errors: those of berth_paper_run, of writing. */
enum berth_status berth_paper_measure(const struct berth_paper_runs *runs,
                                      struct berth_error *error);

/* What stands for the row: the device, or the baseline's compiler. */
void berth_bench_row_name(const struct berth_bench_row *row, char *name, size_t size);

/* Device time of all kernels, s: where queues run beside each other, more than went by. */
double berth_profile_seconds(const struct berth_profile *profile);

#endif

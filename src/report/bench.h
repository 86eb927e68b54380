/* What `berth bench` measures, as a table on the terminal and as CSV. */
#ifndef BERTH_REPORT_BENCH_H
#define BERTH_REPORT_BENCH_H

#include <stdio.h>

#include "engine/variant.h"
#include "score/scoring.h"

/* What to measure, and where the results go; everything is borrowed. */
struct berth_bench_settings {
    const char *deck;                           /* folder of a deck; NULL: the demo complex, of */
    const char *data;                           /* this folder; NULL: that beside the program */
    const struct berth_scoring_choice *scoring; /* of the demo complex */
    const char *csv;                            /* table to write; NULL: none */
    FILE *table;                                /* for people; NULL: none */
    const struct berth_log *log;                /* or NULL */
    const struct berth_devices *devices;
    struct berth_variant variant; /* tunables to set; those below 0 are left to the device */
    size_t poses;                 /* in a launch; 0: as many as the deck has */
    size_t repeats;               /* launches that are timed */
};

/* Times the energy kernel on each device; *valid: all energies agree with the reference.  Errors:
 * those of reading the deck, of berth_bench_run, of writing. */
enum berth_status berth_bench_devices(const struct berth_bench_settings *settings, bool *valid,
                                      struct berth_error *error);

#endif

/* What is printed of devices: the kernels as they get them, tuning, throughput. */
#ifndef BERTH_CLI_TEXT_DEVICES_H
#define BERTH_CLI_TEXT_DEVICES_H

#include <stdbool.h>

#include "score/scoring.h"
#include "device/device.h"
#include "engine/variant.h"

/* Prints the source for the scoring function, behind its options as definitions.  tunables: of the
 * energy kernel, "ppwi=2 unroll=8", beside those of the device; NULL: none.  Errors: BERTH_E_USAGE
 * (tunables), BERTH_E_MEMORY. */
enum berth_status cli_print_kernel(const struct berth_device *device,
                                   const struct berth_scoring *scoring, const char *tunables,
                                   struct berth_error *error);

/* Finds the fastest variant and stores it, unless dry_run; prints each that was tried.  Where
 * nothing can be printed it does nothing.  Errors: as berth_tune_run; BERTH_E_IO. */
enum berth_status cli_tune_device(const struct berth_device *device,
                                  const struct berth_scoring *scoring, bool dry_run,
                                  struct berth_error *error);

/* What to measure, and where the results go; everything is borrowed. */
struct cli_bench_settings {
    const char *deck;                           /* folder of a deck; NULL: the demo complex, of */
    const char *data;                           /* this folder; NULL: that beside the program */
    const struct berth_scoring_choice *scoring; /* of the demo complex */
    const char *csv;                            /* table to write; NULL: none */
    bool quiet;                                 /* no table on standard output */
    const struct berth_log *log;                /* or NULL */
    const struct berth_devices *devices;
    struct berth_variant variant; /* tunables to set; those below 0 are left to the device */
    size_t poses;                 /* in a launch; 0: as many as the deck has */
    size_t repeats;               /* launches that are timed */
};

/* Times the energy kernel on each device; *valid: all energies agree with the reference.  Errors:
 * those of reading the deck, of berth_bench_run, of writing. */
enum berth_status cli_bench_devices(const struct cli_bench_settings *settings, bool *valid,
                                    struct berth_error *error);

#endif

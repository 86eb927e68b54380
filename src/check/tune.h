/* Finding the fastest variant of the energy kernel on a device.
 *
 * The tunables are tried one after the other on a docking-like workload: a random receptor with a
 * pocket, random conformers, families of poses.  A candidate counts only if its energies agree with
 * the double-precision oracle on this device. */
#ifndef BERTH_CHECK_TUNE_H
#define BERTH_CHECK_TUNE_H

#include "engine/variant.h"
#include "score/scoring.h"

enum { BERTH_REFUSAL_TEXT = 160 };

/* A variant that was tried. */
struct berth_candidate {
    struct berth_variant variant;
    double interactions_per_s; /* covered: as if every receptor atom had been met; 0: refused */
    double largest_error;      /* of the energies that were checked, kJ/mol */
    char refusal[BERTH_REFUSAL_TEXT]; /* why it does not count; "" where it does */
};

/* Receives each candidate when it has been tried. */
typedef void berth_tune_report(void *context, const struct berth_candidate *candidate);

struct berth_tune_setup {
    const struct berth_device *device;
    const struct berth_scoring *scoring;
    berth_tune_report *report;
    void *context; /* of report */
};

/* Tries variants, beginning with the device's default; *best is the fastest that is right.  Errors:
 * BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_RESULT (no variant gives right energies). */
enum berth_status berth_tune_run(const struct berth_tune_setup *setup, struct berth_candidate *best,
                                 struct berth_error *error);

#endif

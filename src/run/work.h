/* What a run has docked, on which devices, and what that took. */
#ifndef BERTH_RUN_WORK_H
#define BERTH_RUN_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* What the journal says of a device, in its order. */
enum {
    BERTH_KNOWN_NAME,
    BERTH_KNOWN_PLATFORM,
    BERTH_KNOWN_DRIVER,
    BERTH_KNOWN_VARIANT,
    BERTH_KNOWN
};

/* A device as the journal names it; equal ones, which round alike, are one. */
struct berth_known_device {
    const char *texts[BERTH_KNOWN];
    char *owned; /* these texts; NULL where they are borrowed */
};

struct berth_known_devices {
    struct berth_known_device *devices; /* owned */
    size_t count, capacity;
};

/* The number of a device in the list, which it is added to where it is not in it.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_known_devices_find(struct berth_known_devices *devices,
                                           const struct berth_known_device *wanted, size_t *number,
                                           struct berth_error *error);

void berth_known_devices_clear(struct berth_known_devices *devices);

/* Conformers that a device docked. */
struct berth_run_share {
    size_t device; /* its number in the list */
    size_t index;  /* which of equal ones: as `berth devices` numbers them */
    uint64_t conformers;
    bool failed; /* it was given up */
};

/* What was docked, and what that took. */
struct berth_run_work {
    uint64_t ligands; /* failed ones, too */
    double seconds;
    double atoms;                   /* of conformers, in each receptor */
    struct berth_run_share *shares; /* owned; [count]: of the ligands that did not fail */
    size_t count, capacity;
};

/* Adds to the share of the same device.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_run_work_add(struct berth_run_work *work,
                                     const struct berth_run_share *share,
                                     struct berth_error *error);

/* Nothing is done; the devices stay. */
void berth_run_work_rewind(struct berth_run_work *work);

#endif

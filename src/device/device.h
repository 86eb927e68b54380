/* OpenCL devices: what there is, and working with one.
 *
 * Devices are numbered from 0 in the order in which the platforms list them.  A context is one
 * opened device with its in-order queue; it counts what crosses the bus.
 */
#ifndef BERTH_CL_DEVICE_H
#define BERTH_CL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct berth_device {
    size_t index; /* as the user counts them, from 0 */
    enum berth_device_kind kind;
    char name[128], platform[128], driver[128];
    size_t compute_units;
    size_t clock;                  /* MHz, 0 where the driver does not say */
    uint64_t memory;               /* bytes of device memory */
    uint64_t memory_block;         /* largest single buffer, bytes */
    uint64_t local_memory;         /* bytes a work-group may use */
    bool local_memory_is_fast;     /* a memory of its own, not a part of the global one */
    size_t work_group_size;        /* largest work-group */
    size_t vector_width;           /* native float vector width */
    void *platform_id, *device_id; /* the driver's handles */
};

struct berth_devices {
    struct berth_device *devices; /* owned */
    size_t count;
};

/* Lists the OpenCL devices (see berth_drivers_prepare in cl/drivers.h for PoCL's).  Errors:
 * BERTH_E_DEVICE with the reason and what to do where there is none; BERTH_E_MEMORY. */
enum berth_status berth_devices_list(struct berth_devices *devices, struct berth_error *error);

void berth_devices_clear(struct berth_devices *devices);

/* The default: the fastest-looking GPU (compute units × clock), else the fastest-looking CPU, else
 * device 0. */
size_t berth_devices_default(const struct berth_devices *devices);

/* Keeps of the devices just listed only those that text asks for, in its order: NULL the default,
 * "all" every one, else one or several with commas between them, each by its index or by a part of
 * the names or platforms of those that are meant (letter case aside).  Errors: BERTH_E_USAGE lists
 * what there is, or names the device that stands there twice. */
enum berth_status berth_devices_choose(struct berth_devices *devices, const char *text,
                                       struct berth_error *error);

/* The same for who takes one device only: the first of that name.  Errors: BERTH_E_USAGE, too,
 * where text is a list or "all". */
enum berth_status berth_devices_choose_one(struct berth_devices *devices, const char *text,
                                           struct berth_error *error);

/* What crossed the bus and what ran. */
struct berth_traffic {
    size_t writes, reads;               /* transfers between host and device */
    uint64_t bytes_written, bytes_read; /* and their bytes */
    size_t launches;
};

struct berth_context; /* opaque: an opened device */

/* Opens the device (borrowed facts are copied); the caller destroys *context.  Errors:
 * BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_context_create(const struct berth_device *device,
                                       struct berth_context **context, struct berth_error *error);

const struct berth_device *berth_context_device(const struct berth_context *context);

/* Counted since the context was made. */
struct berth_traffic berth_context_traffic(const struct berth_context *context);

/* Sees to it that what was started gets going.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_context_flush(struct berth_context *context, struct berth_error *error);

/* Waits until everything that was started has ended.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_context_finish(struct berth_context *context, struct berth_error *error);

void berth_context_destroy(struct berth_context *context);

#endif

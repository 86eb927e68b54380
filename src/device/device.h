/* Devices by CUDA and by OpenCL: what there is, and working with one.
 *
 * Devices are numbered from 0, those of CUDA first, each in the order in which its driver lists
 * them.  A GPU that both reach counts once, as CUDA's.  A context is one opened device with its
 * in-order queue; it counts what crosses the bus.
 */
#ifndef BERTH_DEVICE_DEVICE_H
#define BERTH_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/log.h"

struct berth_backend; /* CUDA or OpenCL: device/backend.h */

/* BERTH_E_USAGE where the process was forked from one whose drivers were up: what they start,
 * threads and queues, does not go along, so that calls would wait for ever. */
enum berth_status berth_process_check(struct berth_error *error);

enum { BERTH_ADDRESS = 16, BERTH_DEVICE_NAME = 24 };

struct berth_device {
    size_t index; /* as the user counts them, from 0 */
    const struct berth_backend *backend;
    size_t number;               /* as the backend counts them, from 0 */
    char address[BERTH_ADDRESS]; /* of a GPU on the bus; empty where it is not known */
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
    bool scalar;                   /* kernels have no vectors at all: CUDA C++ */
    void *platform_id, *device_id; /* the driver's handles */
};

/* What there is to say of a driver. */
struct berth_device_note {
    char text[512]; /* why it gives no device, or not all; empty where it does */
    bool matters;   /* it has devices that berth could use otherwise */
};

struct berth_devices {
    struct berth_device *devices; /* owned */
    size_t count;
    size_t others; /* behind them: the same GPUs, with the same index, by OpenCL */
    /* Once the default was kept: devices behind it that may take its place.  0: others were named
     */
    size_t left;
    struct berth_device_note cuda;
};

/* Lists the devices, after a look at what PoCL needs (berth_drivers_prepare in device/drivers.h).
 * wanted: what is to be chosen of them by berth_devices_choose, so that a driver that does not
 * matter need not be started: OpenCL's where the default is wanted and is CUDA's, either where all
 * that is wanted is the other's; "all": every device.  log is told what was done, and where a GPU
 * idles for lack of NVRTC.  Errors: BERTH_E_DEVICE with the reason and what to do where there is
 * none; BERTH_E_MEMORY. */
enum berth_status berth_devices_enumerate(const char *wanted, const struct berth_log *log,
                                          struct berth_devices *devices, struct berth_error *error);

void berth_devices_clear(struct berth_devices *devices);

/* Joins the devices of CUDA and of OpenCL, which stand in devices->devices in this order, CUDA's
 * `cuda` and all in all devices->count: numbers them, and puts OpenCL's that are CUDA's, too,
 * behind the others. */
enum berth_status berth_devices_join(struct berth_devices *devices, size_t cuda,
                                     struct berth_error *error);

/* What --device calls the device among its backend's: "cuda:0". */
void berth_device_name(const struct berth_device *device, char name[BERTH_DEVICE_NAME]);

/* The default: the fastest-looking GPU (compute units × clock), CUDA's before others; else the
 * fastest-looking CPU, else device 0. */
size_t berth_devices_default(const struct berth_devices *devices);

/* Keeps of the devices just listed only those that text asks for, in its order: NULL the default,
 * "all" every one, else one or several with commas between them, each by its index, by its backend
 * and the number there ("cuda:0", "opencl:1"), or by a part of the names or platforms of those that
 * are meant (letter case aside).  Errors: BERTH_E_USAGE lists what there is, or names the device
 * that stands there twice. */
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

/* Device time by kernel, from profiling events: what a context's launches took, and how much of the
 * time between the first and the last of them the device was at work. */
enum { BERTH_PROFILE_KERNELS = 16 };

struct berth_kernel_time {
    char kernel[32];
    size_t launches;
    uint64_t nanoseconds;
};

struct berth_profile {
    struct berth_kernel_time
        kernels[BERTH_PROFILE_KERNELS]; /* in the order of their first launch */
    size_t kernel_count;
    uint64_t first, last; /* ns on the device's clock: the first start and the last end */
    uint64_t busy;        /* ns of it in which a kernel ran, in one queue or several */
};

struct berth_context; /* opaque: an opened device */

/* Opens the device (borrowed facts are copied); the caller destroys *context.  Errors:
 * BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_context_create(const struct berth_device *device,
                                       struct berth_context **context, struct berth_error *error);

/* From here on log (borrowed, or NULL) is told, once, that kernels are compiled, which takes a
 * while and is not needed where the cache has them. */
void berth_context_tell(struct berth_context *context, const struct berth_log *log);

/* Programs that the context is asked for from here on stay until it is destroyed, and who asks for
 * one of them again has it at once.  None is there yet. */
void berth_context_keep_programs(struct berth_context *context);

const struct berth_device *berth_context_device(const struct berth_context *context);

/* Queues of a context: each runs what it is given in order, beside what the others do.  The last
 * one is for what all of them need. */
enum { BERTH_QUEUES = 3, BERTH_QUEUE_SHARED = BERTH_QUEUES - 1 };

/* What is started on the context from here on goes to this queue; to the first one, 0, until then.
 * What one queue is to read must have been written in it, or have ended in another one.  Gives the
 * queue that was in use. */
int berth_context_use_queue(struct berth_context *context, int queue);

/* Counted since the context was made. */
struct berth_traffic berth_context_traffic(const struct berth_context *context);

/* Waits for what was launched and gives what the context did so far.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_context_profile(struct berth_context *context,
                                        struct berth_profile *profile, struct berth_error *error);

/* Adds what another context did at the same time: launches and times, not first, last and busy. */
void berth_profile_add(struct berth_profile *sum, const struct berth_profile *other);

/* Sees to it that what was started in the queue in use gets going.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_context_flush(struct berth_context *context, struct berth_error *error);

/* Waits until everything that was started in the queue in use has ended.  Errors: BERTH_E_DEVICE.
 */
enum berth_status berth_context_finish_queue(struct berth_context *context,
                                             struct berth_error *error);

/* The same for all queues. */
enum berth_status berth_context_finish(struct berth_context *context, struct berth_error *error);

void berth_context_destroy(struct berth_context *context);

#endif

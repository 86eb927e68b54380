/* Device time by kernel, from profiling events: what a context's launches took, and how much of the
 * time between the first and the last of them the device was at work. */
#ifndef BERTH_DEVICE_PROFILE_H
#define BERTH_DEVICE_PROFILE_H

#include "device/device.h"

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

/* Waits for what was launched and gives what the context did so far.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_context_profile(struct berth_context *context,
                                        struct berth_profile *profile, struct berth_error *error);

/* Adds what another context did at the same time: launches and times, not first, last and busy. */
void berth_profile_add(struct berth_profile *sum, const struct berth_profile *other);

#endif

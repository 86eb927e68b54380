/* What the files of src/cl share: the only place that sees OpenCL's own types. */
#ifndef BERTH_CL_INTERNAL_H
#define BERTH_CL_INTERNAL_H

#include <CL/cl.h>

#include "device/profile.h"
#include "device/program.h"

/* Launches whose events are kept until somebody asks for their times, at most. */
enum { BERTH_PENDING_MAX = 256 };

struct berth_pending {
    cl_event event;
    size_t kernel; /* index in the profile */
};

struct berth_profiler {
    struct berth_pending pending[BERTH_PENDING_MAX];
    size_t count;
    struct berth_profile profile;
    uint64_t last_nanoseconds; /* of the launch that was settled last */
};

/* Notes a launch by its event, which is released once its times have been taken. */
cl_int berth_profiler_note(struct berth_profiler *profiler, const char *kernel, cl_event event);

/* Waits for all launches noted and takes their times. */
cl_int berth_profiler_settle(struct berth_profiler *profiler);

struct berth_context {
    struct berth_device device;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    struct berth_traffic traffic;
    struct berth_profiler profiler;
};

/* Name of an OpenCL error code ("CL_OUT_OF_RESOURCES"), with its number where it has none. */
const char *berth_cl_error_name(cl_int code);

/* BERTH_E_DEVICE, or BERTH_E_DEVICE_MEMORY: `what` failed on the context's device with `code`. */
enum berth_status berth_cl_fail(const struct berth_context *context, const char *what, cl_int code,
                                struct berth_error *error);

#endif

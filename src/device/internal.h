/* What the files of src/device share. */
#ifndef BERTH_DEVICE_INTERNAL_H
#define BERTH_DEVICE_INTERNAL_H

#include "device/backend.h"
#include "device/program.h"

/* Launches whose events are kept until somebody asks for their times, at most. */
enum { BERTH_PENDING_MAX = 1024 };

struct berth_pending {
    void *event;
    size_t kernel; /* index in the profile */
};

struct berth_profiler {
    struct berth_pending pending[BERTH_PENDING_MAX];
    size_t count;
    struct berth_profile profile;
    uint64_t last_nanoseconds; /* of the launch that was settled last */
};

struct berth_context {
    struct berth_device device;
    const struct berth_backend *backend;
    void *handle;
    int queue; /* in use */
    struct berth_traffic traffic;
    struct berth_profiler profiler;
    bool keeps;                     /* programs, once they are built: */
    struct berth_program *programs; /* owned */
    const struct berth_log *log;    /* borrowed; told where kernels are compiled; NULL: nobody is */
};

/* Notes a launch by its event, which is released once its times have been taken. */
int berth_profiler_note(struct berth_context *context, const char *kernel, void *event);

/* Destroys the programs that the context keeps. */
void berth_programs_end(struct berth_context *context);

/* Waits for all launches noted and takes their times. */
int berth_profiler_settle(struct berth_context *context);

/* BERTH_OK where code is 0; else BERTH_E_DEVICE, or BERTH_E_DEVICE_MEMORY: what format says failed
 * on the context's device. */
enum berth_status berth_context_check(const struct berth_context *context, int code,
                                      struct berth_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif

/* An opened device of CUDA's, as the files of src/device/cuda share it. */
#ifndef BERTH_DEVICE_CUDA_CONTEXT_H
#define BERTH_DEVICE_CUDA_CONTEXT_H

#include "device/cuda/calls.h"
#include "device/device.h"

/* An event, and with it what must have come back from the device when it has ended. */
struct berth_cuda_event {
    struct berth_cuda_event *next; /* of those that wait to be used again */
    CUevent begin, end;            /* begin: of launches alone */
    int queue;
    size_t reads; /* transfers from the device that were started before its end */
};

struct berth_cuda_stage; /* memory that transfers go through: device/cuda/transfer.h */

struct berth_cuda_context {
    struct berth_cuda_calls calls;
    int device;
    CUcontext context;
    CUstream streams[BERTH_QUEUES];
    int in_use;   /* the stream that calls go to */
    CUevent zero; /* times count from here */
    struct berth_cuda_event *free_events;
    struct berth_cuda_stage *stages;
    size_t reads; /* transfers from the device that were started */
};

CUstream berth_cuda_stream(const struct berth_cuda_context *context);

/* Gives an event of the stream in use, to be released by berth_cuda_release_event. */
int berth_cuda_take_event(struct berth_cuda_context *context, struct berth_cuda_event **event);

void berth_cuda_release_event(struct berth_cuda_context *context, struct berth_cuda_event *event);

/* Destroys what was released. */
void berth_cuda_destroy_events(struct berth_cuda_context *context);

#endif

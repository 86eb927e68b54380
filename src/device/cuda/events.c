#include <stdlib.h>

#include "base/memory.h"
#include "device/cuda/context.h"

static void destroy(struct berth_cuda_context *context, struct berth_cuda_event *event)
{
    if (event->begin) {
        context->calls.destroy_event(event->begin);
    }
    if (event->end) {
        context->calls.destroy_event(event->end);
    }
    free(event);
}

CUstream berth_cuda_stream(const struct berth_cuda_context *context)
{
    return context->streams[context->in_use];
}

int berth_cuda_take_event(struct berth_cuda_context *context, struct berth_cuda_event **event)
{
    struct berth_cuda_event *taken = context->free_events;
    if (taken) {
        context->free_events = taken->next;
        taken->queue = context->in_use;
        *event = taken;
        return CUDA_SUCCESS;
    }
    taken = berth_alloc(1, sizeof *taken);
    if (!taken) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    int code = context->calls.create_event(&taken->begin, 0);
    if (!code) {
        code = context->calls.create_event(&taken->end, 0);
    }
    if (code) {
        destroy(context, taken);
        return code;
    }
    taken->queue = context->in_use;
    *event = taken;
    return CUDA_SUCCESS;
}

void berth_cuda_release_event(struct berth_cuda_context *context, struct berth_cuda_event *event)
{
    if (event) {
        event->next = context->free_events;
        context->free_events = event;
    }
}

void berth_cuda_destroy_events(struct berth_cuda_context *context)
{
    while (context->free_events) {
        struct berth_cuda_event *event = context->free_events;
        context->free_events = event->next;
        destroy(context, event);
    }
}

#include "device/cuda/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct berth_cuda_stage {
    struct berth_cuda_stage *next;
    void *memory;
    size_t size;
    CUevent done; /* of the last transfer to the device */
    bool writing; /* it may not have ended yet */
    int queue;    /* that the transfer from the device is in */
    size_t read;  /* its number, from 1; 0: none */
    void *bytes;  /* where that is to go, and its bytes */
    size_t count;
};

enum { STAGE_LEAST = 1 << 16 };

static void destroy(struct berth_cuda_context *context, struct berth_cuda_stage *stage)
{
    if (stage->done) {
        context->calls.destroy_event(stage->done);
    }
    if (stage->memory) {
        context->calls.release_host(stage->memory);
    }
    free(stage);
}

static int make_stage(struct berth_cuda_context *context, size_t size,
                      struct berth_cuda_stage **stage)
{
    struct berth_cuda_stage *made = *stage = berth_alloc(1, sizeof *made);
    if (!made) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    made->size = STAGE_LEAST;
    while (made->size < size) {
        made->size *= 2;
    }
    int code = context->calls.allocate_host(&made->memory, made->size);
    if (!code) {
        code = context->calls.create_event(&made->done, 0);
    }
    if (code) {
        destroy(context, made);
        return code;
    }
    made->next = context->stages;
    context->stages = made;
    return CUDA_SUCCESS;
}

static bool is_free(struct berth_cuda_context *context, struct berth_cuda_stage *stage)
{
    if (stage->writing && context->calls.query_event(stage->done) == CUDA_SUCCESS) {
        stage->writing = false;
    }
    return !stage->writing && !stage->read;
}

/* Gives the smallest stage that suffices and is free, or a new one. */
static int take_stage(struct berth_cuda_context *context, size_t size,
                      struct berth_cuda_stage **stage)
{
    struct berth_cuda_stage *best = NULL;
    for (struct berth_cuda_stage *other = context->stages; other; other = other->next) {
        if (other->size >= size && (!best || other->size < best->size) && is_free(context, other)) {
            best = other;
        }
    }
    *stage = best;
    return best ? CUDA_SUCCESS : make_stage(context, size, stage);
}

int berth_cuda_start_write(struct berth_cuda_context *context, CUdeviceptr to, const void *bytes,
                           size_t size)
{
    const struct berth_cuda_calls *calls = &context->calls;
    struct berth_cuda_stage *stage;
    if (take_stage(context, size, &stage)) { /* no more such memory: slower, that is all */
        return calls->copy_to(to, bytes, size, berth_cuda_stream(context));
    }
    memcpy(stage->memory, bytes, size);
    int code = calls->copy_to(to, stage->memory, size, berth_cuda_stream(context));
    if (!code) {
        code = calls->record_event(stage->done, berth_cuda_stream(context));
    }
    stage->writing = !code;
    return code;
}

int berth_cuda_start_read(struct berth_cuda_context *context, void *bytes, CUdeviceptr from,
                          size_t size)
{
    const struct berth_cuda_calls *calls = &context->calls;
    struct berth_cuda_stage *stage;
    if (take_stage(context, size, &stage)) {
        return calls->copy_from(bytes, from, size, berth_cuda_stream(context));
    }
    const int code = calls->copy_from(stage->memory, from, size, berth_cuda_stream(context));
    if (!code) {
        stage->queue = context->in_use;
        stage->read = ++context->reads;
        stage->bytes = bytes;
        stage->count = size;
    }
    return code;
}

void berth_cuda_deliver(struct berth_cuda_context *context, int queue, size_t reads)
{
    for (struct berth_cuda_stage *stage = context->stages; stage; stage = stage->next) {
        if (stage->read && stage->queue == queue && stage->read <= reads) {
            memcpy(stage->bytes, stage->memory, stage->count);
            stage->read = 0;
        }
    }
}

void berth_cuda_destroy_stages(struct berth_cuda_context *context)
{
    while (context->stages) {
        struct berth_cuda_stage *stage = context->stages;
        context->stages = stage->next;
        destroy(context, stage);
    }
}

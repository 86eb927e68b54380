/* Devices by CUDA: the driver's own interface, and NVRTC to build the kernels. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "device/cuda/driver.h"
#include "device/cuda/nvrtc.h"

enum {
    ARGUMENTS_MAX = 16,
    ROWS_MAX = 65535,         /* of work-groups in a launch */
    GROUP_MAX = 256,          /* items of a group whose size is left to us: see kernels/cuda.h */
    LOCAL_ALIGNMENT = 16,     /* bytes */
    WHOLE_TRANSFER = 32 << 20 /* bytes: what is larger is waited for, and goes the driver's way */
};

struct program {
    struct berth_cuda_context *context;
    CUmodule module;
    CUdeviceptr first_row; /* berth_first_row of kernels/cuda.h; 0: it is not there */
    unsigned char *binary; /* owned */
    size_t size;
    char *log; /* owned; NULL: none */
};

struct kernel {
    const struct program *program;
    CUfunction function;
    uint64_t values[ARGUMENTS_MAX]; /* the argument's bytes, or its bytes of local memory */
    bool local[ARGUMENTS_MAX];
};

/* An event, and with it what must have come back from the device when it has ended. */
struct berth_cuda_event {
    struct berth_cuda_event *next; /* of those that wait to be used again */
    CUevent begin, end;            /* begin: of launches alone */
    int queue;
    size_t reads; /* transfers from the device that were started before its end */
};

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

static void destroy_event_pair(struct berth_cuda_context *context, struct berth_cuda_event *event)
{
    if (event && event->begin) {
        context->calls.destroy_event(event->begin);
    }
    if (event && event->end) {
        context->calls.destroy_event(event->end);
    }
    free(event);
}

static CUstream stream_in_use(const struct berth_cuda_context *context)
{
    return context->streams[context->in_use];
}

/* Gives an event of the stream in use, to be given back by put_back_event. */
static int take_event(struct berth_cuda_context *context, struct berth_cuda_event **event)
{
    struct berth_cuda_event *taken = context->free_events;
    if (taken) {
        context->free_events = taken->next;
    } else {
        taken = berth_alloc(1, sizeof *taken);
        int code = taken ? context->calls.create_event(&taken->begin, 0) : CUDA_ERROR_OUT_OF_MEMORY;
        BERTH_NEXT(context->calls.create_event(&taken->end, 0));
        if (code) {
            destroy_event_pair(context, taken);
            return code;
        }
    }
    taken->queue = context->in_use;
    *event = taken;
    return CUDA_SUCCESS;
}

static void put_back_event(struct berth_cuda_context *context, struct berth_cuda_event *event)
{
    if (event) {
        event->next = context->free_events;
        context->free_events = event;
    }
}

/* Destroys what was given back. */
static void destroy_events(struct berth_cuda_context *context)
{
    while (context->free_events) {
        struct berth_cuda_event *event = context->free_events;
        context->free_events = event->next;
        destroy_event_pair(context, event);
    }
}

/* Transfers that do not wait.  The driver copies from and to ordinary memory only while the caller
 * waits; so they go through memory that the device can reach by itself, which is kept. */
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

static void destroy_stage(struct berth_cuda_context *context, struct berth_cuda_stage *stage)
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
    BERTH_NEXT(context->calls.create_event(&made->done, 0));
    if (code) {
        destroy_stage(context, made);
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

/* Starts to copy bytes, which may change at once, to the device. */
static int start_write(struct berth_cuda_context *context, CUdeviceptr to, const void *bytes,
                       size_t size)
{
    const struct berth_cuda_calls *calls = &context->calls;
    struct berth_cuda_stage *stage;
    if (take_stage(context, size, &stage)) { /* no more such memory: slower, that is all */
        return calls->copy_to(to, bytes, size, stream_in_use(context));
    }
    memcpy(stage->memory, bytes, size);
    int code = calls->copy_to(to, stage->memory, size, stream_in_use(context));
    BERTH_NEXT(calls->record_event(stage->done, stream_in_use(context)));
    stage->writing = !code;
    return code;
}

/* Starts to copy from the device: bytes are there once deliver was called with an event that was
 * taken later and has ended. */
static int start_read(struct berth_cuda_context *context, void *bytes, CUdeviceptr from,
                      size_t size)
{
    const struct berth_cuda_calls *calls = &context->calls;
    struct berth_cuda_stage *stage;
    if (take_stage(context, size, &stage)) {
        return calls->copy_from(bytes, from, size, stream_in_use(context));
    }
    const int code = calls->copy_from(stage->memory, from, size, stream_in_use(context));
    if (!code) {
        stage->queue = context->in_use;
        stage->read = ++context->reads;
        stage->bytes = bytes;
        stage->count = size;
    }
    return code;
}

/* Delivers those of the first `reads` transfers from the device that went by this queue, and have
 * ended. */
static void deliver(struct berth_cuda_context *context, int queue, size_t reads)
{
    for (struct berth_cuda_stage *stage = context->stages; stage; stage = stage->next) {
        if (stage->read && stage->queue == queue && stage->read <= reads) {
            memcpy(stage->bytes, stage->memory, stage->count);
            stage->read = 0;
        }
    }
}

/* Frees the memory; no transfer is on its way. */
static void destroy_stages(struct berth_cuda_context *context)
{
    while (context->stages) {
        struct berth_cuda_stage *stage = context->stages;
        context->stages = stage->next;
        destroy_stage(context, stage);
    }
}

static void close_context(void *handle)
{
    struct berth_cuda_context *context = handle;
    const struct berth_cuda_calls *calls = &context->calls;
    if (context->context && !calls->use_context(context->context)) {
        for (int i = 0; i < BERTH_QUEUES; i++) {
            if (context->streams[i]) {
                calls->finish_stream(context->streams[i]);
            }
        }
        destroy_stages(context);
        destroy_events(context);
        if (context->zero) {
            calls->destroy_event(context->zero);
        }
        for (int i = 0; i < BERTH_QUEUES; i++) {
            if (context->streams[i]) {
                calls->destroy_stream(context->streams[i]);
            }
        }
        calls->release_context(context->device);
    }
    free(context);
}

static int open_context(const struct berth_device *device, void **handle, const char **what)
{
    char why[256];
    struct berth_cuda_context *made = berth_alloc(1, sizeof *made);
    *what = "opening the driver";
    if (!made) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (!berth_cuda_load(&made->calls, why, sizeof why)) {
        free(made);
        return CUDA_ERROR_INVALID_VALUE;
    }
    const struct berth_cuda_calls *calls = &made->calls;
    int code = calls->init(0);
    BERTH_NEXT(calls->device(&made->device, (int)device->number));
    if (!code) {
        *what = "creating a context";
        code = calls->retain_context(&made->context, made->device);
    }
    BERTH_NEXT(calls->use_context(made->context));
    for (int i = 0; !code && i < BERTH_QUEUES; i++) {
        *what = "creating a stream";
        code = calls->create_stream(&made->streams[i], CU_STREAM_NON_BLOCKING);
    }
    BERTH_NEXT(calls->create_event(&made->zero, 0));
    BERTH_NEXT(calls->record_event(made->zero, stream_in_use(made)));
    if (code) {
        close_context(made);
        return code;
    }
    *handle = made;
    return CUDA_SUCCESS;
}

static void use_queue(void *context, int queue)
{
    ((struct berth_cuda_context *)context)->in_use = queue;
}

static int finish(void *handle)
{
    struct berth_cuda_context *context = handle;
    int code = context->calls.use_context(context->context);
    BERTH_NEXT(context->calls.finish_stream(stream_in_use(context)));
    if (!code) {
        deliver(context, context->in_use, context->reads);
    }
    return code;
}

static int finish_all(struct berth_cuda_context *context)
{
    int code = context->calls.use_context(context->context);
    for (int i = 0; !code && i < BERTH_QUEUES; i++) {
        code = context->calls.finish_stream(context->streams[i]);
    }
    return code;
}

static int capability_of(const struct berth_cuda_context *context)
{
    const struct berth_cuda_calls *calls = &context->calls;
    return 10 * berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                     context->device) +
           berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                context->device);
}

/* NVRTC's file stands for its version, which only the loaded library would say. */
static bool identify(const void *handle, char identity[BERTH_IDENTITY])
{
    const struct berth_cuda_context *context = handle;
    const int version = berth_cuda_version(&context->calls);
    char path[PATH_MAX] = "";
    struct stat facts = {0};
    if (berth_nvrtc_find(version / 1000, path)) {
        stat(path, &facts);
    }
    snprintf(identity, BERTH_IDENTITY, "%d %d %lld %lld.%09ld %.400s", capability_of(context),
             version, (long long)facts.st_size, (long long)facts.st_mtim.tv_sec,
             facts.st_mtim.tv_nsec, path);
    return true;
}

static void unload(void *handle)
{
    struct program *program = handle;
    if (!program) {
        return;
    }
    const struct berth_cuda_calls *calls = &program->context->calls;
    if (program->module && !calls->use_context(program->context->context)) {
        calls->unload_module(program->module);
    }
    free(program->binary);
    free(program->log);
    free(program);
}

/* Gives the program's binary to the driver. */
static int load_module(struct program *program)
{
    const struct berth_cuda_calls *calls = &program->context->calls;
    size_t size;
    int code = calls->use_context(program->context->context);
    BERTH_NEXT(calls->load_module(&program->module, program->binary));
    if (!code && calls->variable(&program->first_row, &size, program->module, "berth_first_row")) {
        program->first_row = 0; /* no kernel asks for it */
    }
    return code;
}

static int load(void *context, const void *binary, size_t size, const char *options, void **program)
{
    struct program *made = *program = berth_alloc(1, sizeof *made);
    (void)options;
    if (!made) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    made->context = context;
    made->binary = berth_alloc(size + 1, 1); /* PTX wants a 0 behind it */
    if (!made->binary) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memcpy(made->binary, binary, size);
    made->size = size;
    return load_module(made);
}

static int build(void *handle, const char *source, const char *options, void **program)
{
    struct berth_cuda_context *context = handle;
    char path[PATH_MAX];
    struct program *made = *program = berth_alloc(1, sizeof *made);
    char *translated = berth_cuda_translate(source);
    int code = made && translated ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    if (made) {
        made->context = context;
    }
    if (!code && !berth_nvrtc_find(berth_cuda_version(&context->calls) / 1000, path)) {
        code = BERTH_NVRTC_MISSING;
    }
    if (!code) {
        struct berth_nvrtc_result result;
        code = berth_nvrtc_compile(path, translated, options, capability_of(context), &result);
        made->binary = result.binary;
        made->size = result.size;
        made->log = result.log;
    }
    free(translated);
    return code ? code : load_module(made);
}

static char *log_of(const void *program)
{
    const char *log = ((const struct program *)program)->log;
    return berth_copy_text(log ? log : "");
}

static unsigned char *binary_of(const void *handle, size_t *size)
{
    const struct program *program = handle;
    unsigned char *copy = berth_alloc(program->size, 1);
    if (copy) {
        memcpy(copy, program->binary, program->size);
    }
    *size = program->size;
    return copy;
}

static int create_kernel(void *handle, const char *name, void **kernel)
{
    const struct program *program = handle;
    const struct berth_cuda_calls *calls = &program->context->calls;
    struct kernel *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    made->program = program;
    int code = calls->use_context(program->context->context);
    BERTH_NEXT(calls->function(&made->function, program->module, name));
    if (code) {
        free(made);
        return code;
    }
    *kernel = made;
    return CUDA_SUCCESS;
}

static int set_argument(void *handle, unsigned index, size_t size, const void *value)
{
    struct kernel *kernel = handle;
    if (index >= ARGUMENTS_MAX || (value && size > sizeof *kernel->values)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    kernel->local[index] = !value;
    if (value) {
        memcpy(&kernel->values[index], value, size);
    } else {
        kernel->values[index] = size;
    }
    return CUDA_SUCCESS;
}

/* The largest number up to GROUP_MAX that divides width: a group of any other size would have items
 * that no kernel expects. */
static size_t group_for(size_t width)
{
    size_t group = width < GROUP_MAX ? width : GROUP_MAX;
    while (group > 1 && width % group) {
        group--;
    }
    return group;
}

/* Starts the kernel, its rows in as many launches as they take.  Which row a launch begins at is
 * one word for all queues, so that no other may run beside several. */
static int launch_rows(const struct kernel *kernel, const size_t global[2], size_t group)
{
    struct berth_cuda_context *context = kernel->program->context;
    const struct berth_cuda_calls *calls = &context->calls;
    const CUdeviceptr first_row = kernel->program->first_row;
    uint64_t values[ARGUMENTS_MAX];
    void *arguments[ARGUMENTS_MAX];
    size_t local = 0;
    const bool several = first_row && global[1] > ROWS_MAX;
    int code = several ? finish_all(context) : CUDA_SUCCESS;
    for (size_t i = 0; i < ARGUMENTS_MAX; i++) {
        arguments[i] = &values[i];
        values[i] = kernel->local[i] ? local : kernel->values[i];
        if (kernel->local[i]) {
            local += (kernel->values[i] + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
        }
    }
    for (size_t row = 0; !code && row < global[1]; row += ROWS_MAX) {
        const size_t rows = global[1] - row < ROWS_MAX ? global[1] - row : ROWS_MAX;
        if (row && first_row) {
            code = calls->fill(first_row, (unsigned)row, 1, stream_in_use(context));
        }
        BERTH_NEXT(calls->launch(kernel->function, (unsigned)(global[0] / group), (unsigned)rows, 1,
                                 (unsigned)group, 1, 1, (unsigned)local, stream_in_use(context),
                                 arguments, NULL));
    }
    if (!code && several) {
        code = calls->fill(first_row, 0, 1, stream_in_use(context));
    }
    return !code && several ? finish_all(context) : code;
}

static int launch(void *handle, const size_t global[2], size_t group, void **event)
{
    const struct kernel *kernel = handle;
    struct berth_cuda_context *context = kernel->program->context;
    const struct berth_cuda_calls *calls = &context->calls;
    struct berth_cuda_event *made = NULL;
    int code =
        global[0] && global[1] ? calls->use_context(context->context) : CUDA_ERROR_INVALID_VALUE;
    BERTH_NEXT(take_event(context, &made));
    if (!code) {
        made->reads = context->reads;
        code = calls->record_event(made->begin, stream_in_use(context));
    }
    BERTH_NEXT(launch_rows(kernel, global, group ? group : group_for(global[0])));
    BERTH_NEXT(calls->record_event(made->end, stream_in_use(context)));
    if (code) {
        put_back_event(context, made);
        return code;
    }
    *event = made;
    return CUDA_SUCCESS;
}

/* Buffers are handled by their address. */
static CUdeviceptr address_of(const void *buffer)
{
    return (CUdeviceptr)(uintptr_t)buffer;
}

static int allocate(void *handle, size_t size, void **buffer)
{
    struct berth_cuda_context *context = handle;
    CUdeviceptr memory = 0;
    int code = context->calls.use_context(context->context);
    BERTH_NEXT(context->calls.allocate(&memory, size));
    *buffer = (void *)(uintptr_t)memory;
    return code;
}

/* What uses the buffer need not have ended: the driver waits for it. */
static void release_buffer(void *handle, void *buffer)
{
    struct berth_cuda_context *context = handle;
    if (!context->calls.use_context(context->context)) {
        context->calls.release(address_of(buffer));
    }
}

static int write_buffer(void *handle, void *buffer, const void *bytes, size_t size, bool waits)
{
    struct berth_cuda_context *context = handle;
    const struct berth_cuda_calls *calls = &context->calls;
    int code = calls->use_context(context->context);
    if (!code && !(waits && size > WHOLE_TRANSFER)) {
        return start_write(context, address_of(buffer), bytes, size);
    }
    BERTH_NEXT(calls->copy_to(address_of(buffer), bytes, size, stream_in_use(context)));
    return code ? code : calls->finish_stream(stream_in_use(context));
}

static int read_buffer(void *handle, void *buffer, void *bytes, size_t size, void **event)
{
    struct berth_cuda_context *context = handle;
    const struct berth_cuda_calls *calls = &context->calls;
    struct berth_cuda_event *made = NULL;
    int code = calls->use_context(context->context);
    if (!event) {
        BERTH_NEXT(size > WHOLE_TRANSFER
                       ? calls->copy_from(bytes, address_of(buffer), size, stream_in_use(context))
                       : start_read(context, bytes, address_of(buffer), size));
        return code ? code : finish(context);
    }
    BERTH_NEXT(take_event(context, &made));
    BERTH_NEXT(start_read(context, bytes, address_of(buffer), size));
    if (!code) {
        made->reads = context->reads;
        code = calls->record_event(made->end, stream_in_use(context));
    }
    if (code) {
        put_back_event(context, made);
    } else {
        *event = made;
    }
    return code;
}

static int poll_event(void *handle, void *event, bool *ended)
{
    struct berth_cuda_context *context = handle;
    int code = context->calls.use_context(context->context);
    BERTH_NEXT(context->calls.query_event(((struct berth_cuda_event *)event)->end));
    *ended = code != CUDA_ERROR_NOT_READY; /* an error is given by waiting */
    return CUDA_SUCCESS;
}

static int wait_for(void *handle, void *event)
{
    struct berth_cuda_context *context = handle;
    const struct berth_cuda_event *awaited = event;
    int code = context->calls.use_context(context->context);
    BERTH_NEXT(context->calls.finish_event(awaited->end));
    if (!code) {
        deliver(context, awaited->queue, awaited->reads);
    }
    return code;
}

static void release_event(void *context, void *event)
{
    put_back_event(context, event);
}

static int times(void *handle, void *event, uint64_t *begin, uint64_t *end)
{
    struct berth_cuda_context *context = handle;
    const struct berth_cuda_event *ended = event;
    float before = 0, within = 0; /* ms */
    int code = context->calls.elapsed_time(&before, context->zero, ended->begin);
    BERTH_NEXT(context->calls.elapsed_time(&within, ended->begin, ended->end));
    *begin = 1 + (uint64_t)(1e6 * (double)before); /* 0 stands for no time */
    *end = *begin + (uint64_t)(1e6 * (double)within);
    return code;
}

const struct berth_backend berth_cuda = {
    .name = "cuda",
    .list = berth_cuda_list,
    .error_name = berth_cuda_error_name,
    .fault = berth_cuda_fault,
    .open = open_context,
    .close = close_context,
    .use_queue = use_queue,
    .finish = finish,
    .identify = identify,
    .build = build,
    .load = load,
    .unload = unload,
    .log = log_of,
    .binary = binary_of,
    .create_kernel = create_kernel,
    .release_kernel = free,
    .set_argument = set_argument,
    .launch = launch,
    .allocate = allocate,
    .release_buffer = release_buffer,
    .write = write_buffer,
    .read = read_buffer,
    .poll = poll_event,
    .wait = wait_for,
    .release_event = release_event,
    .times = times,
};

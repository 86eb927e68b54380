#include "device/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "device/cache.h"
#include "device/internal.h"

struct berth_program {
    struct berth_context *context; /* borrowed */
    void *handle;
    char *log; /* owned */
    struct berth_cache_key key;
    struct berth_program *next; /* of those that the context keeps */
    bool later;                 /* the driver compiles each kernel as it is first launched */
    char known[2048]; /* then: those that were, in this run or an earlier one, " name name " */
    bool news;        /* this run added to them */
};

struct berth_kernel {
    struct berth_context *context; /* borrowed */
    struct berth_program *program; /* borrowed; there for as long as the kernel is launched */
    void *handle;
    char name[64];
    bool launched;
    int argument_error;
};

struct berth_buffer {
    struct berth_context *context; /* borrowed */
    void *handle;
    size_t size; /* bytes */
};

struct berth_event {
    struct berth_context *context; /* borrowed */
    void *handle;
};

static enum berth_status read_log(struct berth_program *program, struct berth_error *error)
{
    program->log = program->context->backend->log(program->handle);
    if (!program->log) {
        return berth_out_of_memory(error, NULL);
    }
    size_t length = strlen(program->log);
    while (length && strchr(" \n\r\t", program->log[length - 1])) {
        program->log[--length] = '\0';
    }
    return BERTH_OK;
}

/* Builds made from the binary that an earlier build left in the cache; false where there is none,
 * or where the driver refuses it. */
static bool build_from_cache(struct berth_program *made, const char *directory, const char *options)
{
    const struct berth_context *context = made->context;
    size_t size;
    unsigned char *bytes = berth_cache_load(directory, &made->key, &size);
    if (!bytes) {
        return false;
    }
    const int code = context->backend->load(context->handle, bytes, size, options, &made->handle);
    if (code) {
        context->backend->unload(made->handle);
        made->handle = NULL;
    }
    free(bytes);
    return !code;
}

static enum berth_status build_from_source(struct berth_program *made, const char *source,
                                           const char *options, struct berth_error *error)
{
    const struct berth_context *context = made->context;
    const int code = context->backend->build(context->handle, source, options, &made->handle);
    if (!code) {
        return BERTH_OK;
    }
    if (!made->handle) {
        return berth_context_check(context, code, error, "creating a program");
    }
    BERTH_TRY(read_log(made, error));
    return berth_fail(error, BERTH_E_DEVICE,
                      "device %zu (%s, driver %s) refused to build the kernels: %s (%d); "
                      "options: %s; its log:\n%s",
                      context->device.index, context->device.name, context->device.driver,
                      context->backend->error_name(code), code, options, made->log);
}

/* Says, once, why nothing happens for a while. */
static void say_compiling(struct berth_context *context)
{
    berth_note(
        context->log,
        "device %zu: compiling the kernels for %s: that takes up to two minutes, the first time",
        context->device.index, context->device.name);
    context->log = NULL;
}

/* Leaves the built program's binary in the cache. */
static void save(const struct berth_program *built, const char *directory)
{
    size_t size;
    unsigned char *binary = built->context->backend->binary(built->handle, &size);
    if (binary) {
        berth_cache_store(directory, &built->key, binary, size);
    }
    free(binary);
}

/* What a driver that keeps what it compiled itself does not tell is told by an entry of our own
 * cache: which of the program's kernels were launched before.  Says so where none was. */
static void recall(struct berth_program *program, const char *directory)
{
    size_t size = 0;
    unsigned char *bytes = berth_cache_load(directory, &program->key, &size);
    program->later = true;
    if (bytes && size < sizeof program->known) {
        memcpy(program->known, bytes, size);
    } else {
        say_compiling(program->context);
    }
    free(bytes);
}

/* Leaves word for the next run of the kernels that this one launched first. */
static void remember(const struct berth_program *program)
{
    char *directory = program->news ? berth_cache_directory() : NULL;
    if (directory) {
        berth_cache_store(directory, &program->key, program->known, strlen(program->known));
    }
    free(directory);
}

/* A kernel's first launch in this run, for which the driver may have to compile it. */
static void note_launch(struct berth_kernel *kernel)
{
    struct berth_program *program = kernel->program;
    char name[sizeof kernel->name + 2];
    snprintf(name, sizeof name, " %s ", kernel->name);
    if (program->later && !strstr(program->known, name)) {
        say_compiling(kernel->context);
        berth_text_append(program->known, sizeof program->known, "%s", name);
        program->news = true;
    }
    kernel->launched = true;
}

/* Finds the key, of all that decides what a build gives; false where builds are not to be kept. */
static bool find_key(struct berth_program *made, const char *source, const char *options)
{
    const struct berth_context *context = made->context;
    const struct berth_device *device = &context->device;
    char identity[BERTH_IDENTITY];
    const bool kept = context->backend->identify(context->handle, identity);
    const char *const texts[] = {BERTH_VERSION,  context->backend->name, device->platform, identity,
                                 device->driver, device->name,           options,          source};
    made->key = berth_cache_key(texts, sizeof texts / sizeof *texts);
    return kept;
}

static enum berth_status build(struct berth_program *made, bool kept, const char *source,
                               const char *options, struct berth_error *error)
{
    char *directory = berth_cache_directory();
    enum berth_status status = BERTH_OK;
    if (!kept) {
        if (directory) {
            recall(made, directory);
        }
        status = build_from_source(made, source, options, error);
    } else if (!directory || !build_from_cache(made, directory, options)) {
        say_compiling(made->context);
        status = build_from_source(made, source, options, error);
        if (!status && directory) {
            save(made, directory);
        }
    }
    free(directory);
    return status;
}

static void end_program(struct berth_program *program)
{
    remember(program);
    program->context->backend->unload(program->handle);
    free(program->log);
    free(program);
}

/* The program of this key that the context keeps; NULL: none. */
static struct berth_program *find_kept(const struct berth_context *context,
                                       const struct berth_cache_key *key)
{
    struct berth_program *program = context->programs;
    while (program && memcmp(&program->key, key, sizeof *key) != 0) {
        program = program->next;
    }
    return program;
}

enum berth_status berth_program_create(struct berth_context *context, const char *source,
                                       const char *options, struct berth_program **program,
                                       struct berth_error *error)
{
    struct berth_program *made;
    *program = NULL;
    BERTH_TRY(berth_make(&made, 1, sizeof *made, NULL, error));
    made->context = context;
    const bool kept = find_key(made, source, options);
    if ((*program = find_kept(context, &made->key)) != NULL) {
        free(made);
        return BERTH_OK;
    }
    enum berth_status status = build(made, kept, source, options, error);
    BERTH_THEN(read_log(made, error));
    if (status) {
        end_program(made);
        return status;
    }
    if (context->keeps) {
        made->next = context->programs;
        context->programs = made;
    }
    *program = made;
    return BERTH_OK;
}

const char *berth_program_log(const struct berth_program *program)
{
    return program->log;
}

void berth_program_destroy(struct berth_program *program)
{
    if (program && !program->context->keeps) {
        end_program(program);
    }
}

void berth_programs_end(struct berth_context *context)
{
    while (context->programs) {
        struct berth_program *program = context->programs;
        context->programs = program->next;
        end_program(program);
    }
}

enum berth_status berth_kernel_create(struct berth_program *program, const char *name,
                                      struct berth_kernel **kernel, struct berth_error *error)
{
    struct berth_kernel *made;
    *kernel = NULL;
    BERTH_TRY(berth_make(&made, 1, sizeof *made, NULL, error));
    made->context = program->context;
    made->program = program;
    snprintf(made->name, sizeof made->name, "%s", name);
    const int code = made->context->backend->create_kernel(program->handle, name, &made->handle);
    if (code) {
        free(made);
    } else {
        *kernel = made;
    }
    return berth_context_check(program->context, code, error, "creating kernel %s", name);
}

void berth_kernel_destroy(struct berth_kernel *kernel)
{
    if (kernel) {
        kernel->context->backend->release_kernel(kernel->handle);
        free(kernel);
    }
}

static void set(struct berth_kernel *kernel, unsigned index, size_t size, const void *value)
{
    const int code = kernel->context->backend->set_argument(kernel->handle, index, size, value);
    kernel->argument_error = kernel->argument_error ? kernel->argument_error : code;
}

void berth_kernel_set_buffer(struct berth_kernel *kernel, unsigned index,
                             const struct berth_buffer *buffer)
{
    set(kernel, index, sizeof buffer->handle, &buffer->handle);
}

void berth_kernel_set_array(struct berth_kernel *kernel, unsigned first,
                            const struct berth_buffer *const *buffers, size_t count)
{
    for (unsigned i = 0; i < count; i++) {
        berth_kernel_set_buffer(kernel, first + i, buffers[i]);
    }
}

void berth_kernel_set_int(struct berth_kernel *kernel, unsigned index, int32_t value)
{
    set(kernel, index, sizeof value, &value);
}

void berth_kernel_set_float(struct berth_kernel *kernel, unsigned index, float value)
{
    set(kernel, index, sizeof value, &value);
}

void berth_kernel_set_local(struct berth_kernel *kernel, unsigned index, size_t size)
{
    set(kernel, index, size, NULL);
}

enum berth_status berth_kernel_launch(struct berth_kernel *kernel, size_t width, size_t height,
                                      size_t group, uint64_t *nanoseconds,
                                      struct berth_error *error)
{
    struct berth_context *context = kernel->context;
    const size_t global[2] = {group ? (width + group - 1) / group * group : width, height};
    void *event = NULL;
    int code = kernel->argument_error;
    if (!kernel->launched) {
        note_launch(kernel);
    }
    BERTH_NEXT(context->backend->launch(kernel->handle, global, group, &event));
    BERTH_NEXT(berth_profiler_note(context, kernel->name, event));
    if (!code && nanoseconds) {
        code = berth_profiler_settle(context);
        *nanoseconds = context->profiler.last_nanoseconds;
    }
    kernel->argument_error = 0;
    context->traffic.launches += !code;
    return berth_context_check(context, code, error, "kernel %s", kernel->name);
}

enum berth_status berth_buffer_create(struct berth_context *context, size_t size,
                                      struct berth_buffer **buffer, struct berth_error *error)
{
    struct berth_buffer *made;
    *buffer = NULL;
    BERTH_TRY(berth_make(&made, 1, sizeof *made, NULL, error));
    made->context = context;
    made->size = size ? size : 1;
    const int code = context->backend->allocate(context->handle, made->size, &made->handle);
    if (code) {
        free(made);
    } else {
        *buffer = made;
    }
    return berth_context_check(context, code, error, "allocating %zu bytes", size);
}

/* Starts a transfer to the device; waits: until bytes may change. */
static enum berth_status transfer_to(struct berth_buffer *buffer, const void *bytes, size_t size,
                                     bool waits, struct berth_error *error)
{
    struct berth_context *context = buffer->context;
    if (size > buffer->size) {
        return berth_fail(error, BERTH_E_DEVICE, "%zu bytes for a buffer of %zu", size,
                          buffer->size);
    }
    const int code = context->backend->write(context->handle, buffer->handle, bytes, size, waits);
    context->traffic.writes++;
    context->traffic.bytes_written += size;
    return berth_context_check(context, code, error, "writing to the device");
}

/* Starts a transfer from the device; *event, where asked for, ends with it. */
static enum berth_status transfer_from(struct berth_buffer *buffer, void *bytes, size_t size,
                                       void **event, struct berth_error *error)
{
    struct berth_context *context = buffer->context;
    if (size > buffer->size) {
        return berth_fail(error, BERTH_E_DEVICE, "%zu bytes from a buffer of %zu", size,
                          buffer->size);
    }
    const int code = context->backend->read(context->handle, buffer->handle, bytes, size, event);
    context->traffic.reads++;
    context->traffic.bytes_read += size;
    return berth_context_check(context, code, error, "reading from the device");
}

enum berth_status berth_buffer_upload(struct berth_context *context, const void *bytes, size_t size,
                                      struct berth_buffer **buffer, struct berth_error *error)
{
    BERTH_TRY(berth_buffer_create(context, size, buffer, error));
    return berth_buffer_write(*buffer, bytes, size, error);
}

enum berth_status berth_buffer_write(struct berth_buffer *buffer, const void *bytes, size_t size,
                                     struct berth_error *error)
{
    return transfer_to(buffer, bytes, size, true, error);
}

enum berth_status berth_buffer_read(struct berth_buffer *buffer, void *bytes, size_t size,
                                    struct berth_error *error)
{
    return transfer_from(buffer, bytes, size, NULL, error);
}

enum berth_status berth_buffer_start_write(struct berth_buffer *buffer, const void *bytes,
                                           size_t size, struct berth_error *error)
{
    return transfer_to(buffer, bytes, size, false, error);
}

enum berth_status berth_buffer_start_read(struct berth_buffer *buffer, void *bytes, size_t size,
                                          struct berth_event **event, struct berth_error *error)
{
    BERTH_TRY(berth_make(event, 1, sizeof **event, NULL, error));
    (*event)->context = buffer->context;
    enum berth_status status = transfer_from(buffer, bytes, size, &(*event)->handle, error);
    if (status) {
        free(*event);
        *event = NULL;
    }
    return status;
}

void berth_event_release(struct berth_event *event)
{
    if (event) {
        event->context->backend->release_event(event->context->handle, event->handle);
        free(event);
    }
}

enum berth_status berth_event_poll(const struct berth_event *event, bool *ended,
                                   struct berth_error *error)
{
    const struct berth_context *context = event->context;
    const int code = context->backend->poll(context->handle, event->handle, ended);
    return berth_context_check(context, code, error, "running the kernels");
}

enum berth_status berth_event_wait(struct berth_event *event, struct berth_error *error)
{
    if (!event) {
        return BERTH_OK;
    }
    struct berth_context *context = event->context;
    const int code = context->backend->wait(context->handle, event->handle);
    berth_event_release(event);
    return berth_context_check(context, code, error, "running the kernels");
}

void *berth_buffer_address(const struct berth_buffer *buffer)
{
    return buffer->context->device.scalar ? buffer->handle
                                          : NULL; /* CUDA's handle is the address */
}

void berth_buffer_destroy(struct berth_buffer *buffer)
{
    if (buffer) {
        buffer->context->backend->release_buffer(buffer->context->handle, buffer->handle);
        free(buffer);
    }
}

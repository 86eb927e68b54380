#include "device/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "device/cache.h"
#include "device/internal.h"

struct berth_program {
    struct berth_context *context; /* borrowed */
    cl_program program;
    char *log; /* owned */
};

struct berth_kernel {
    struct berth_context *context; /* borrowed */
    cl_kernel kernel;
    char name[64];
    cl_int argument_error;
};

struct berth_buffer {
    struct berth_context *context; /* borrowed */
    cl_mem memory;
    size_t size; /* bytes */
};

struct berth_event {
    struct berth_context *context; /* borrowed */
    cl_event event;
};

static enum berth_status read_log(struct berth_program *program, struct berth_error *error)
{
    size_t size = 0;
    clGetProgramBuildInfo(program->program, program->context->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                          &size);
    program->log = berth_alloc(size + 1, 1);
    if (!program->log) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (size) {
        clGetProgramBuildInfo(program->program, program->context->id, CL_PROGRAM_BUILD_LOG, size,
                              program->log, NULL);
    }
    size_t length = strlen(program->log);
    while (length && strchr(" \n\r\t", program->log[length - 1])) {
        program->log[--length] = '\0';
    }
    return BERTH_OK;
}

/* PoCL does not gain.  It keeps a cache itself, of each kernel as it is first launched, from which
 * a program takes 25 ms; asked for a program's binary, it compiles every kernel once more, for
 * groups of any size (2.4 s for berth's), to take 4 ms next time (bench/start/run.sh --platform
 * other). */
static bool caches_by_itself(const struct berth_device *device)
{
    return strcmp(device->platform, "Portable Computing Language") == 0;
}

/* The options as the driver is to have them, which the caller frees; NULL when out of memory.
 * Compilers inside OpenCL libraries print to standard error what they warned of ("8 warnings
 * generated."), so that they are to make no warnings, unless these are asked for as errors. */
static char *options_for(const char *options)
{
    static const char QUIET[] = " -w";
    const size_t size = strlen(options) + sizeof QUIET;
    char *made = berth_alloc(size, 1);
    if (made) {
        snprintf(made, size, "%s%s", options, strstr(options, "-Werror") ? "" : QUIET);
    }
    return made;
}

/* All that decides what a build gives. */
static struct berth_cache_key key_of(const struct berth_context *context, const char *source,
                                     const char *options)
{
    const struct berth_device *device = &context->device;
    char version[256] = "";
    clGetPlatformInfo(device->platform_id, CL_PLATFORM_VERSION, sizeof version - 1, version, NULL);
    const char *const texts[] = {BERTH_VERSION, device->platform, version, device->driver,
                                 device->name,  options,          source};
    return berth_cache_key(texts, sizeof texts / sizeof *texts);
}

/* Builds made->program from the binary that an earlier build left in the cache; false where there
 * is none, or where the driver refuses it. */
static bool build_from_cache(struct berth_program *made, const char *directory,
                             const struct berth_cache_key *key, const char *options)
{
    size_t size;
    unsigned char *bytes = berth_cache_load(directory, key, &size);
    if (!bytes) {
        return false;
    }
    const unsigned char *binary = bytes;
    cl_int code, accepted;
    made->program = clCreateProgramWithBinary(made->context->context, 1, &made->context->id, &size,
                                              &binary, &accepted, &code);
    if (!code) {
        code = clBuildProgram(made->program, 1, &made->context->id, options, NULL, NULL);
    }
    if (code && made->program) {
        clReleaseProgram(made->program);
        made->program = NULL;
    }
    free(bytes);
    return !code;
}

/* Builds once; *code is what the driver says. */
static enum berth_status try_source(struct berth_program *made, const char *source,
                                    const char *options, cl_int *code, struct berth_error *error)
{
    const struct berth_context *context = made->context;
    if (made->program) {
        clReleaseProgram(made->program);
    }
    made->program = clCreateProgramWithSource(context->context, 1, &source, NULL, code);
    if (*code) {
        return berth_cl_fail(context, "creating a program", *code, error);
    }
    *code = clBuildProgram(made->program, 1, &context->id, options, NULL, NULL);
    return BERTH_OK;
}

/* Builds from source.  PoCL's processes may trip over each other's files when many start at once,
 * so that a build that failed there is tried again. */
static enum berth_status build_from_source(struct berth_program *made, const char *source,
                                           const char *options, struct berth_error *error)
{
    const struct berth_context *context = made->context;
    const struct timespec pause = {0, 200000000};
    const int tries = caches_by_itself(&context->device) ? 4 : 1;
    cl_int code = CL_BUILD_PROGRAM_FAILURE;
    enum berth_status status = BERTH_OK;
    for (int i = 0; !status && code && i < tries; i++) {
        if (i > 0) {
            nanosleep(&pause, NULL);
        }
        status = try_source(made, source, options, &code, error);
    }
    if (status || !code) {
        return status;
    }
    status = read_log(made, error);
    return status ? status
                  : berth_fail(error, BERTH_E_DEVICE,
                               "device %zu (%s, driver %s) refused to build the kernels: %s (%d); "
                               "options: %s; its log:\n%s",
                               context->device.index, context->device.name, context->device.driver,
                               berth_cl_error_name(code), (int)code, options, made->log);
}

/* Leaves the built program's binary in the cache. */
static void save(const struct berth_program *built, const char *directory,
                 const struct berth_cache_key *key)
{
    size_t size = 0;
    clGetProgramInfo(built->program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    unsigned char *binary = berth_alloc(size, 1);
    if (binary && size &&
        !clGetProgramInfo(built->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL)) {
        berth_cache_store(directory, key, binary, size);
    }
    free(binary);
}

static enum berth_status build(struct berth_program *made, const char *source, const char *options,
                               struct berth_error *error)
{
    char *directory = caches_by_itself(&made->context->device) ? NULL : berth_cache_directory();
    if (!directory) {
        return build_from_source(made, source, options, error);
    }
    const struct berth_cache_key key = key_of(made->context, source, options);
    enum berth_status status = BERTH_OK;
    if (!build_from_cache(made, directory, &key, options)) {
        status = build_from_source(made, source, options, error);
        if (!status) {
            save(made, directory, &key);
        }
    }
    free(directory);
    return status;
}

enum berth_status berth_program_create(struct berth_context *context, const char *source,
                                       const char *options, struct berth_program **program,
                                       struct berth_error *error)
{
    *program = NULL;
    struct berth_program *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    made->context = context;
    char *all = options_for(options);
    enum berth_status status =
        all ? build(made, source, all, error) : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    free(all);
    if (!status) {
        status = read_log(made, error);
    }
    if (status) {
        berth_program_destroy(made);
        return status;
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
    if (!program) {
        return;
    }
    if (program->program) {
        clReleaseProgram(program->program);
    }
    free(program->log);
    free(program);
}

enum berth_status berth_kernel_create(struct berth_program *program, const char *name,
                                      struct berth_kernel **kernel, struct berth_error *error)
{
    *kernel = NULL;
    struct berth_kernel *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    made->context = program->context;
    snprintf(made->name, sizeof made->name, "%s", name);
    cl_int code;
    made->kernel = clCreateKernel(program->program, name, &code);
    if (code) {
        char what[128];
        snprintf(what, sizeof what, "creating kernel %s", name);
        free(made);
        return berth_cl_fail(program->context, what, code, error);
    }
    *kernel = made;
    return BERTH_OK;
}

void berth_kernel_destroy(struct berth_kernel *kernel)
{
    if (kernel) {
        clReleaseKernel(kernel->kernel);
        free(kernel);
    }
}

static void set(struct berth_kernel *kernel, unsigned index, size_t size, const void *value)
{
    cl_int code = clSetKernelArg(kernel->kernel, index, size, value);
    if (code && !kernel->argument_error) {
        kernel->argument_error = code;
    }
}

void berth_kernel_set_buffer(struct berth_kernel *kernel, unsigned index,
                             const struct berth_buffer *buffer)
{
    set(kernel, index, sizeof buffer->memory, &buffer->memory);
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
    size_t global[2] = {group ? (width + group - 1) / group * group : width, height};
    size_t local[2] = {group, 1};
    struct berth_profiler *profiler = &kernel->context->profiler;
    cl_event event = NULL;
    cl_int code = kernel->argument_error;
    if (!code) {
        code = clEnqueueNDRangeKernel(kernel->context->queue, kernel->kernel, 2, NULL, global,
                                      group ? local : NULL, 0, NULL, &event);
    }
    if (!code) {
        code = berth_profiler_note(profiler, kernel->name, event);
    }
    if (!code && nanoseconds) {
        code = berth_profiler_settle(profiler);
        *nanoseconds = profiler->last_nanoseconds;
    }
    kernel->argument_error = CL_SUCCESS;
    if (code) {
        char what[128];
        snprintf(what, sizeof what, "kernel %s", kernel->name);
        return berth_cl_fail(kernel->context, what, code, error);
    }
    kernel->context->traffic.launches++;
    return BERTH_OK;
}

enum berth_status berth_buffer_create(struct berth_context *context, size_t size,
                                      struct berth_buffer **buffer, struct berth_error *error)
{
    *buffer = NULL;
    struct berth_buffer *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    made->context = context;
    made->size = size ? size : 1;
    cl_int code;
    made->memory = clCreateBuffer(context->context, CL_MEM_READ_WRITE, made->size, NULL, &code);
    if (code) {
        char what[128];
        snprintf(what, sizeof what, "allocating %zu bytes", made->size);
        free(made);
        return berth_cl_fail(context, what, code, error);
    }
    *buffer = made;
    return BERTH_OK;
}

/* Starts a transfer to the device; blocking: waits for its end. */
static enum berth_status transfer_to(struct berth_buffer *buffer, const void *bytes, size_t size,
                                     cl_bool blocking, struct berth_error *error)
{
    struct berth_context *context = buffer->context;
    cl_int code = size > buffer->size
                      ? CL_INVALID_VALUE
                      : clEnqueueWriteBuffer(context->queue, buffer->memory, blocking, 0, size,
                                             bytes, 0, NULL, NULL);
    context->traffic.writes++;
    context->traffic.bytes_written += size;
    return code ? berth_cl_fail(context, "writing to the device", code, error) : BERTH_OK;
}

/* Starts a transfer from the device; *event, where asked for, ends with it. */
static enum berth_status transfer_from(struct berth_buffer *buffer, void *bytes, size_t size,
                                       cl_event *event, struct berth_error *error)
{
    struct berth_context *context = buffer->context;
    cl_int code = size > buffer->size ? CL_INVALID_VALUE
                                      : clEnqueueReadBuffer(context->queue, buffer->memory,
                                                            event ? CL_FALSE : CL_TRUE, 0, size,
                                                            bytes, 0, NULL, event);
    context->traffic.reads++;
    context->traffic.bytes_read += size;
    return code ? berth_cl_fail(context, "reading from the device", code, error) : BERTH_OK;
}

enum berth_status berth_buffer_write(struct berth_buffer *buffer, const void *bytes, size_t size,
                                     struct berth_error *error)
{
    return transfer_to(buffer, bytes, size, CL_TRUE, error);
}

enum berth_status berth_buffer_read(struct berth_buffer *buffer, void *bytes, size_t size,
                                    struct berth_error *error)
{
    return transfer_from(buffer, bytes, size, NULL, error);
}

enum berth_status berth_buffer_start_write(struct berth_buffer *buffer, const void *bytes,
                                           size_t size, struct berth_error *error)
{
    return transfer_to(buffer, bytes, size, CL_FALSE, error);
}

enum berth_status berth_buffer_start_read(struct berth_buffer *buffer, void *bytes, size_t size,
                                          struct berth_event **event, struct berth_error *error)
{
    *event = berth_alloc(1, sizeof **event);
    if (!*event) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    (*event)->context = buffer->context;
    enum berth_status status = transfer_from(buffer, bytes, size, &(*event)->event, error);
    if (status) {
        free(*event);
        *event = NULL;
    }
    return status;
}

void berth_event_release(struct berth_event *event)
{
    if (event) {
        clReleaseEvent(event->event);
        free(event);
    }
}

enum berth_status berth_event_poll(const struct berth_event *event, bool *ended,
                                   struct berth_error *error)
{
    cl_int state = CL_COMPLETE;
    const cl_int code =
        clGetEventInfo(event->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    *ended = code || state <= CL_COMPLETE; /* an error is given by waiting */
    return code ? berth_cl_fail(event->context, "running the kernels", code, error) : BERTH_OK;
}

enum berth_status berth_event_wait(struct berth_event *event, struct berth_error *error)
{
    if (!event) {
        return BERTH_OK;
    }
    struct berth_context *context = event->context;
    const cl_int code = clWaitForEvents(1, &event->event);
    berth_event_release(event);
    return code ? berth_cl_fail(context, "running the kernels", code, error) : BERTH_OK;
}

void berth_buffer_destroy(struct berth_buffer *buffer)
{
    if (buffer) {
        clReleaseMemObject(buffer->memory);
        free(buffer);
    }
}

#include "cl/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cl/internal.h"

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
    cl_int code;
    enum berth_status status = BERTH_OK;
    made->program = clCreateProgramWithSource(context->context, 1, &source, NULL, &code);
    if (code) {
        status = berth_cl_fail(context, "creating a program", code, error);
        goto fail;
    }
    code = clBuildProgram(made->program, 1, &context->id, options, NULL, NULL);
    status = read_log(made, error);
    if (status) {
        goto fail;
    }
    if (code) {
        status = berth_fail(error, BERTH_E_DEVICE,
                            "device %zu (%s, driver %s) refused to build the kernels: %s (%d); "
                            "options: %s; its log:\n%s",
                            context->device.index, context->device.name, context->device.driver,
                            berth_cl_error_name(code), (int)code, options, made->log);
        goto fail;
    }
    *program = made;
    return BERTH_OK;
fail:
    berth_program_destroy(made);
    return status;
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

static cl_int time_of(cl_event event, uint64_t *nanoseconds)
{
    cl_ulong start = 0, end = 0;
    cl_int code = clWaitForEvents(1, &event);
    if (!code) {
        code =
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    }
    if (!code) {
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    }
    clReleaseEvent(event);
    *nanoseconds = end - start;
    return code;
}

enum berth_status berth_kernel_launch(struct berth_kernel *kernel, size_t width, size_t height,
                                      size_t group, uint64_t *nanoseconds,
                                      struct berth_error *error)
{
    size_t global[2] = {group ? (width + group - 1) / group * group : width, height};
    size_t local[2] = {group, 1};
    cl_event event = NULL;
    cl_int code = kernel->argument_error;
    if (!code) {
        code = clEnqueueNDRangeKernel(kernel->context->queue, kernel->kernel, 2, NULL, global,
                                      group ? local : NULL, 0, NULL, nanoseconds ? &event : NULL);
    }
    if (!code && nanoseconds) {
        code = time_of(event, nanoseconds);
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

enum berth_status berth_buffer_write(struct berth_buffer *buffer, const void *bytes, size_t size,
                                     struct berth_error *error)
{
    struct berth_context *context = buffer->context;
    cl_int code = size > buffer->size
                      ? CL_INVALID_VALUE
                      : clEnqueueWriteBuffer(context->queue, buffer->memory, CL_TRUE, 0, size,
                                             bytes, 0, NULL, NULL);
    context->traffic.writes++;
    context->traffic.bytes_written += size;
    return code ? berth_cl_fail(context, "writing to the device", code, error) : BERTH_OK;
}

enum berth_status berth_buffer_read(struct berth_buffer *buffer, void *bytes, size_t size,
                                    struct berth_error *error)
{
    struct berth_context *context = buffer->context;
    cl_int code = size > buffer->size ? CL_INVALID_VALUE
                                      : clEnqueueReadBuffer(context->queue, buffer->memory, CL_TRUE,
                                                            0, size, bytes, 0, NULL, NULL);
    context->traffic.reads++;
    context->traffic.bytes_read += size;
    return code ? berth_cl_fail(context, "reading from the device", code, error) : BERTH_OK;
}

void berth_buffer_destroy(struct berth_buffer *buffer)
{
    if (buffer) {
        clReleaseMemObject(buffer->memory);
        free(buffer);
    }
}

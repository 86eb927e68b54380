/* A library to preload (bench/start/run.sh) that times what a program does before its first kernel
 * has run.  It appends one line to the file that START_TIMES names:
 *
 *     listing,context,program,from,launch,total
 *
 * listing: platforms and devices; context: context and queue; program: creating, building and
 * getting its binary; from: source or binary; launch: the first kernel, until it has ended; total:
 * from the program's start until then, all else included.  Times are in ms.
 * START_PLATFORM replaces the platform's name, so that berth takes PoCL for something else. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CL/cl.h>

/* The function of this name behind this library.  ISO C has no cast for what dlsym gives. */
#define CALL(name) (*(__extension__(__typeof__(&(name))) dlsym(RTLD_NEXT, #name)))

static struct {
    double start, listing, context, program; /* ms */
    const char *from;
    bool done;
} times = {.from = "source"};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

__attribute__((constructor)) static void begin(void)
{
    times.start = now();
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    const double start = now();
    const cl_int code = CALL(clGetPlatformIDs)(room, platforms, count);
    times.listing += now() - start;
    return code;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
                      cl_device_id *devices, cl_uint *count)
{
    const double start = now();
    const cl_int code = CALL(clGetDeviceIDs)(platform, type, room, devices, count);
    times.listing += now() - start;
    return code;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *value,
                         size_t *needed)
{
    const char *name = getenv("START_PLATFORM");
    if (name && what == CL_PLATFORM_NAME && value && size) {
        snprintf(value, size, "%s", name);
        return CL_SUCCESS;
    }
    return CALL(clGetPlatformInfo)(platform, what, size, value, needed);
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                           void *data, cl_int *code)
{
    const double start = now();
    cl_context made = CALL(clCreateContext)(properties, count, devices, notify, data, code);
    times.context += now() - start;
    return made;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *code)
{
    const double start = now();
    cl_command_queue made = CALL(clCreateCommandQueue)(context, device, properties, code);
    times.context += now() - start;
    return made;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                     const size_t *lengths, cl_int *code)
{
    const double start = now();
    times.from = "source";
    cl_program made = CALL(clCreateProgramWithSource)(context, count, texts, lengths, code);
    times.program += now() - start;
    return made;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries,
                                     cl_int *accepted, cl_int *code)
{
    const double start = now();
    times.from = "binary";
    cl_program made =
        CALL(clCreateProgramWithBinary)(context, count, devices, lengths, binaries, accepted, code);
    times.program += now() - start;
    return made;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data)
{
    const double start = now();
    const cl_int code = CALL(clBuildProgram)(program, count, devices, options, notify, data);
    times.program += now() - start;
    return code;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *value,
                        size_t *needed)
{
    const double start = now();
    const cl_int code = CALL(clGetProgramInfo)(program, what, size, value, needed);
    times.program += now() - start;
    return code;
}

static void report(double launch)
{
    const char *path = getenv("START_TIMES");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%.1f,%.1f,%.1f,%s,%.1f,%.1f\n", times.listing, times.context, times.program,
                times.from, launch, now() - times.start);
        fclose(file);
    }
    times.done = true;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *list, cl_event *event)
{
    const double start = now();
    const cl_int code = CALL(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global,
                                                     local, count, list, event);
    if (!times.done) {
        CALL(clFinish)(queue);
        report(now() - start);
    }
    return code;
}

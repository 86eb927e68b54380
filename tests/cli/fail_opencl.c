/* A library to preload (tests/cli/test_device.sh, test_screen_faults.sh) that lets OpenCL calls
 * fail as a lost device or a full memory does.  FAIL_OPENCL="clFinish 3 -5": the third call of
 * clFinish and all later ones give -5; "clFinish 3 -5 1": the third one alone.  What
 * clEnqueueReadBuffer reads becomes zeros where the number is 1.  clBuildProgram is called with an
 * option that breaks every program instead, so that the driver's own log comes back. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

/* Calls the function of this name behind this library.  ISO C has no cast for what dlsym gives. */
#define CALL(name) (*(__extension__(__typeof__(&(name))) dlsym(RTLD_NEXT, #name)))

/* What this call has to give: 0, where it is to go on. */
static cl_int planned(const char *name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int calls;
    char wanted[64];
    int from, code, count = INT_MAX;
    const char *plan = getenv("FAIL_OPENCL");
    if (!plan || sscanf(plan, "%63s %d %d %d", wanted, &from, &code, &count) < 3 ||
        strcmp(wanted, name) != 0) {
        return CL_SUCCESS;
    }
    pthread_mutex_lock(&lock);
    calls++;
    const int call = calls;
    pthread_mutex_unlock(&lock);
    return call >= from && call - from < count ? code : CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue)
{
    const cl_int code = planned("clFinish");
    return code ? code : CALL(clFinish)(queue);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *list, cl_event *event)
{
    const cl_int code = planned("clEnqueueNDRangeKernel");
    return code ? code
                : CALL(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global, local,
                                               count, list, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset,
                           size_t size, void *bytes, cl_uint count, const cl_event *list,
                           cl_event *event)
{
    const cl_int plan = planned("clEnqueueReadBuffer");
    if (plan < 0) {
        return plan;
    }
    const cl_int code = CALL(clEnqueueReadBuffer)(queue, buffer, plan ? CL_TRUE : wait, offset,
                                                  size, bytes, count, list, event);
    if (plan) {
        memset(bytes, 0, size);
    }
    return code;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t offset,
                            size_t size, const void *bytes, cl_uint count, const cl_event *list,
                            cl_event *event)
{
    const cl_int code = planned("clEnqueueWriteBuffer");
    return code ? code
                : CALL(clEnqueueWriteBuffer)(queue, buffer, wait, offset, size, bytes, count, list,
                                             event);
}

/* 1: the command still runs, whatever it does: the device hangs. */
cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *needed)
{
    const cl_int plan = planned("clGetEventInfo");
    const cl_int code = CALL(clGetEventInfo)(event, what, size, value, needed);
    if (plan && what == CL_EVENT_COMMAND_EXECUTION_STATUS) {
        *(cl_int *)value = CL_RUNNING;
    }
    return code;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    const cl_int plan = planned("clCreateBuffer");
    if (plan) {
        *code = plan;
        return NULL;
    }
    return CALL(clCreateBuffer)(context, flags, size, host, code);
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                           void *data, cl_int *code)
{
    const cl_int plan = planned("clCreateContext");
    if (plan) {
        *code = plan;
        return NULL;
    }
    return CALL(clCreateContext)(properties, count, devices, notify, data, code);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data)
{
    char broken[2048];
    snprintf(broken, sizeof broken, "%s%s", options,
             planned("clBuildProgram") ? " -Dkernel=broken_on_purpose" : "");
    return CALL(clBuildProgram)(program, count, devices, broken, notify, data);
}

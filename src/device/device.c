#include "device/device.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/drivers.h"
#include "device/internal.h"

enum { PLATFORMS_MAX = 32, DEVICES_MAX = 64 };

static uint64_t number_of(cl_device_id id, cl_device_info what, size_t size)
{
    uint64_t value = 0;
    if (clGetDeviceInfo(id, what, size, &value, NULL) != CL_SUCCESS) {
        return 0;
    }
    return value;
}

static void describe(cl_platform_id platform, cl_device_id id, struct berth_device *device)
{
    clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof device->name - 1, device->name, NULL);
    clGetDeviceInfo(id, CL_DRIVER_VERSION, sizeof device->driver - 1, device->driver, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof device->platform - 1, device->platform,
                      NULL);
    cl_device_type type = (cl_device_type)number_of(id, CL_DEVICE_TYPE, sizeof type);
    device->kind = type & CL_DEVICE_TYPE_GPU   ? BERTH_DEVICE_GPU
                   : type & CL_DEVICE_TYPE_CPU ? BERTH_DEVICE_CPU
                                               : BERTH_DEVICE_OTHER;
    device->compute_units = number_of(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    device->clock = number_of(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(cl_uint));
    device->memory = number_of(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    device->memory_block = number_of(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    device->local_memory = number_of(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
    device->local_memory_is_fast =
        number_of(id, CL_DEVICE_LOCAL_MEM_TYPE, sizeof(cl_device_local_mem_type)) == CL_LOCAL;
    device->work_group_size = number_of(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    device->vector_width = number_of(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof(cl_uint));
    device->platform_id = platform;
    device->device_id = id;
}

enum berth_status berth_devices_list(struct berth_devices *devices, struct berth_error *error)
{
    devices->count = 0;
    devices->devices = berth_alloc(DEVICES_MAX, sizeof *devices->devices);
    if (!devices->devices) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count) != CL_SUCCESS) {
        platform_count = 0;
    }
    for (cl_uint p = 0; p < platform_count && p < PLATFORMS_MAX; p++) {
        cl_device_id ids[DEVICES_MAX];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MAX, ids, &count)) {
            continue;
        }
        for (cl_uint d = 0; d < count && d < DEVICES_MAX && devices->count < DEVICES_MAX; d++) {
            struct berth_device *device = &devices->devices[devices->count];
            device->index = devices->count++;
            describe(platforms[p], ids[d], device);
        }
    }
    if (!devices->count) {
        berth_devices_clear(devices);
        return berth_drivers_missing(error);
    }
    return BERTH_OK;
}

void berth_devices_clear(struct berth_devices *devices)
{
    free(devices->devices);
    memset(devices, 0, sizeof *devices);
}

/* Larger is more promising: GPUs before all others, then units × clock. */
static double promise(const struct berth_device *device)
{
    double clock = device->clock ? (double)device->clock : 1000.0;
    return (double)device->compute_units * clock *
           (device->kind == BERTH_DEVICE_GPU   ? 1e9
            : device->kind == BERTH_DEVICE_CPU ? 1.0
                                               : 1e-9);
}

size_t berth_devices_default(const struct berth_devices *devices)
{
    size_t best = 0;
    for (size_t i = 1; i < devices->count; i++) {
        if (promise(&devices->devices[i]) > promise(&devices->devices[best])) {
            best = i;
        }
    }
    return best;
}

static bool contains(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) {
            i++;
        }
        if (!part[i]) {
            return true;
        }
    }
    return false;
}

static enum berth_status no_such_device(const struct berth_devices *devices, const char *text,
                                        struct berth_error *error)
{
    char list[1024] = "";
    size_t used = 0;
    for (size_t i = 0; i < devices->count && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%zu (%s)", i ? ", " : "", i,
                                 devices->devices[i].name);
    }
    return berth_fail(error, BERTH_E_USAGE, "--device %s: no such device; there is %s", text, list);
}

/* True where a number, or a part of a name, asks for the device. */
static bool is_asked_for(const struct berth_device *device, const char *part)
{
    if (*part && !part[strspn(part, "0123456789")]) {
        errno = 0;
        return strtoull(part, NULL, 10) == device->index && !errno;
    }
    return *part && (contains(device->name, part) || contains(device->platform, part));
}

static bool stands_in(const struct berth_device *devices, size_t count, size_t index)
{
    size_t i = 0;
    while (i < count && devices[i].index != index) {
        i++;
    }
    return i < count;
}

/* Adds the devices that the part asks for to those chosen, which it counts. */
static enum berth_status choose_part(const struct berth_devices *devices, const char *part,
                                     struct berth_device *chosen, size_t *count,
                                     struct berth_error *error)
{
    const size_t before = *count;
    for (size_t i = 0; i < devices->count; i++) {
        if (!is_asked_for(&devices->devices[i], part)) {
            continue;
        }
        if (stands_in(chosen, *count, i)) {
            return berth_fail(error, BERTH_E_USAGE, "--device: device %zu stands there twice", i);
        }
        chosen[(*count)++] = devices->devices[i];
    }
    return *count > before ? BERTH_OK : no_such_device(devices, part, error);
}

enum berth_status berth_devices_choose(struct berth_devices *devices, const char *text,
                                       struct berth_error *error)
{
    if (text && strcmp(text, "all") == 0) {
        return BERTH_OK;
    }
    struct berth_device chosen[DEVICES_MAX];
    size_t count = 0;
    enum berth_status status = BERTH_OK;
    if (!text) {
        chosen[count++] = devices->devices[berth_devices_default(devices)];
    }
    while (!status && text) {
        char part[sizeof chosen->name];
        const size_t length = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : 0), text);
        status = choose_part(devices, part, chosen, &count, error);
        text = text[length] ? text + length + 1 : NULL;
    }
    if (!status) {
        memcpy(devices->devices, chosen, count * sizeof *chosen);
        devices->count = count;
    }
    return status;
}

enum berth_status berth_devices_choose_one(struct berth_devices *devices, const char *text,
                                           struct berth_error *error)
{
    enum berth_status status = berth_devices_choose(devices, text, error);
    if (!status && devices->count > 1 && (strcmp(text, "all") == 0 || strchr(text, ','))) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--device %s: %zu devices, where one is to be named", text,
                          devices->count);
    }
    if (!status) {
        devices->count = 1;
    }
    return status;
}

enum berth_status berth_context_create(const struct berth_device *device,
                                       struct berth_context **context, struct berth_error *error)
{
    *context = NULL;
    struct berth_context *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    made->device = *device;
    made->id = device->device_id;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)device->platform_id, 0};
    cl_int code;
    const char *what = "creating a context";
    made->context = clCreateContext(properties, 1, &made->id, NULL, NULL, &code);
    if (!code) {
        what = "creating a command queue";
        made->queue =
            clCreateCommandQueue(made->context, made->id, CL_QUEUE_PROFILING_ENABLE, &code);
    }
    if (code) {
        enum berth_status status = berth_cl_fail(made, what, code, error);
        berth_context_destroy(made);
        return status;
    }
    *context = made;
    return BERTH_OK;
}

const struct berth_device *berth_context_device(const struct berth_context *context)
{
    return &context->device;
}

struct berth_traffic berth_context_traffic(const struct berth_context *context)
{
    return context->traffic;
}

enum berth_status berth_context_flush(struct berth_context *context, struct berth_error *error)
{
    cl_int code = clFlush(context->queue);
    return code ? berth_cl_fail(context, "starting the kernels", code, error) : BERTH_OK;
}

enum berth_status berth_context_finish(struct berth_context *context, struct berth_error *error)
{
    cl_int code = clFinish(context->queue);
    return code ? berth_cl_fail(context, "running the kernels", code, error) : BERTH_OK;
}

void berth_context_destroy(struct berth_context *context)
{
    if (!context) {
        return;
    }
    berth_profiler_settle(&context->profiler);
    if (context->queue) {
        clReleaseCommandQueue(context->queue);
    }
    if (context->context) {
        clReleaseContext(context->context);
    }
    free(context);
}

/* Devices by OpenCL. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CL/cl.h>

#include "base/memory.h"
#include "base/text.h"
#include "device/backend.h"
#include "device/drivers.h"

static enum berth_fault fault_of(int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE
               ? BERTH_FAULT_MEMORY
           : code == CL_OUT_OF_RESOURCES ? BERTH_FAULT_EITHER
                                         : BERTH_FAULT_LOST;
}

/* An opened device. */
struct context {
    struct berth_device device;
    cl_device_id id;
    cl_context context;
    cl_command_queue queues[BERTH_QUEUES];
    int in_use; /* the queue that commands go to */
};

struct program {
    const struct context *context;
    cl_program program;
};

static void close_context(void *handle)
{
    struct context *context = handle;
    for (int i = 0; i < BERTH_QUEUES; i++) {
        if (context->queues[i]) {
            clReleaseCommandQueue(context->queues[i]);
        }
    }
    if (context->context) {
        clReleaseContext(context->context);
    }
    free(context);
}

static bool is_pocl(const struct berth_device *device)
{
    return strcmp(device->platform, "Portable Computing Language") == 0;
}

/* PoCL before 6 counts who uses a kernel by the kernel alone, though it loads it anew for a wider
 * grid.  Where two queues have it run side by side on grids of different widths, the one that ends
 * is taken for the other, and PoCL ends the process: "Assertion `found->ref_count > 0' failed" (1.8
 * of Ubuntu 22.04 and 5.0 of 24.04 in every docking of two ligands, 3.1 of Debian 12 in none of
 * 24).  There one queue has to do for all. */
static bool miscounts_kernels(const struct berth_device *device)
{
    const int version = atoi(device->driver);
    return is_pocl(device) && version < 6 && version != 3;
}

static int open_context(const struct berth_device *device, void **handle, const char **what)
{
    struct context *made = berth_alloc(1, sizeof *made);
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    *what = "creating a context";
    if (!made) {
        return code;
    }
    made->device = *device;
    made->id = device->device_id;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)device->platform_id, 0};
    made->context = clCreateContext(properties, 1, &made->id, NULL, NULL, &code);
    const bool shared = miscounts_kernels(device);
    for (int i = 0; !code && i < BERTH_QUEUES; i++) {
        *what = "creating a command queue";
        if (i > 0 && shared) {
            code = clRetainCommandQueue(made->queues[0]);
            made->queues[i] = code ? NULL : made->queues[0];
        } else {
            made->queues[i] =
                clCreateCommandQueue(made->context, made->id, CL_QUEUE_PROFILING_ENABLE, &code);
        }
    }
    if (code) {
        close_context(made);
        return code;
    }
    *handle = made;
    return CL_SUCCESS;
}

static void use_queue(void *context, int queue)
{
    ((struct context *)context)->in_use = queue;
}

static cl_command_queue queue_of(const struct context *context)
{
    return context->queues[context->in_use];
}

static int flush(void *context)
{
    return clFlush(queue_of(context));
}

static int finish(void *context)
{
    return clFinish(queue_of(context));
}

/* PoCL does not gain.  It keeps a cache itself, of each kernel as it is first launched, from which
 * a program takes 25 ms; asked for a program's binary, it compiles every kernel once more, for
 * groups of any size (2.4 s for berth's), to take 4 ms next time (bench/start/run.sh --platform
 * other). */
static bool identify(const void *handle, char identity[BERTH_IDENTITY])
{
    const struct context *context = handle;
    memset(identity, 0, BERTH_IDENTITY);
    clGetPlatformInfo(context->device.platform_id, CL_PLATFORM_VERSION, BERTH_IDENTITY - 1,
                      identity, NULL);
    if (!is_pocl(&context->device)) {
        return true;
    }
    char folder[PATH_MAX];
    berth_drivers_pocl_folder(folder);
    berth_text_append(identity, BERTH_IDENTITY, " %s", folder);
    return false;
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

static void unload(void *handle)
{
    struct program *program = handle;
    if (program) {
        if (program->program) {
            clReleaseProgram(program->program);
        }
        free(program);
    }
}

/* Compiles what the program holds, its source or its binary. */
static cl_int compile(const struct program *program, const char *options)
{
    char *all = options_for(options);
    const cl_int code =
        all ? clBuildProgram(program->program, 1, &program->context->id, all, NULL, NULL)
            : CL_OUT_OF_HOST_MEMORY;
    free(all);
    return code;
}

static int load(void *context, const void *binary, size_t size, const char *options, void **program)
{
    const struct context *on = context;
    const unsigned char *bytes = binary;
    struct program *made = *program = berth_alloc(1, sizeof *made);
    cl_int code, accepted;
    if (!made) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    made->context = on;
    made->program =
        clCreateProgramWithBinary(on->context, 1, &on->id, &size, &bytes, &accepted, &code);
    return code ? code : compile(made, options);
}

/* PoCL's processes may trip over each other's files when many start at once, so that a build that
 * failed there is tried again. */
static int build(void *context, const char *source, const char *options, void **program)
{
    const struct context *on = context;
    const struct timespec pause = {0, 200000000};
    const int tries = is_pocl(&on->device) ? 4 : 1;
    struct program *made = berth_alloc(1, sizeof *made);
    cl_int code = made ? CL_BUILD_PROGRAM_FAILURE : CL_OUT_OF_HOST_MEMORY;
    for (int i = 0; made && code && i < tries; i++) {
        if (i > 0) {
            nanosleep(&pause, NULL);
            clReleaseProgram(made->program);
        }
        made->context = on;
        made->program = clCreateProgramWithSource(on->context, 1, &source, NULL, &code);
        if (code) {
            unload(made);
            made = NULL;
        } else {
            code = compile(made, options);
        }
    }
    *program = made;
    return code;
}

static char *log_of(const void *handle)
{
    const struct program *program = handle;
    size_t size = 0;
    clGetProgramBuildInfo(program->program, program->context->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                          &size);
    char *log = berth_alloc(size + 1, 1);
    if (log && size) {
        clGetProgramBuildInfo(program->program, program->context->id, CL_PROGRAM_BUILD_LOG, size,
                              log, NULL);
    }
    return log;
}

static unsigned char *binary_of(const void *handle, size_t *size)
{
    const struct program *program = handle;
    *size = 0;
    clGetProgramInfo(program->program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL);
    unsigned char *binary = berth_alloc(*size, 1);
    if (!*size || !binary ||
        clGetProgramInfo(program->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL)) {
        free(binary);
        return NULL;
    }
    return binary;
}

/* A kernel and the device that it is launched on. */
struct kernel {
    const struct context *context;
    cl_kernel kernel;
};

static int create_kernel(void *program, const char *name, void **kernel)
{
    const struct program *from = program;
    struct kernel *made = berth_alloc(1, sizeof *made);
    cl_int code;
    if (!made) {
        return CL_OUT_OF_HOST_MEMORY;
    }
    made->context = from->context;
    made->kernel = clCreateKernel(from->program, name, &code);
    if (code) {
        free(made);
        return code;
    }
    *kernel = made;
    return CL_SUCCESS;
}

static void release_kernel(void *kernel)
{
    clReleaseKernel(((struct kernel *)kernel)->kernel);
    free(kernel);
}

static int set_argument(void *kernel, unsigned index, size_t size, const void *value)
{
    return clSetKernelArg(((struct kernel *)kernel)->kernel, index, size, value);
}

/* Where the driver has the choice, a CPU takes work-groups of 1: PoCL compiles a kernel for each
 * size, and its choice is another one for each width, up to all of it, on one core. */
static int launch(void *kernel, const size_t global[2], size_t group, void **event)
{
    const struct kernel *started = kernel;
    const struct context *context = started->context;
    const size_t local[2] = {group ? group : 1, 1};
    const bool named = group || context->device.kind == BERTH_DEVICE_CPU;
    cl_event made = NULL;
    const cl_int code = clEnqueueNDRangeKernel(queue_of(context), started->kernel, 2, NULL, global,
                                               named ? local : NULL, 0, NULL, &made);
    *event = made;
    return code;
}

static int allocate(void *context, size_t size, void **buffer)
{
    cl_int code;
    *buffer =
        clCreateBuffer(((struct context *)context)->context, CL_MEM_READ_WRITE, size, NULL, &code);
    return code;
}

static void release_buffer(void *context, void *buffer)
{
    (void)context;
    clReleaseMemObject(buffer);
}

static int write_buffer(void *context, void *buffer, const void *bytes, size_t size, bool waits)
{
    return clEnqueueWriteBuffer(queue_of(context), buffer, waits ? CL_TRUE : CL_FALSE, 0, size,
                                bytes, 0, NULL, NULL);
}

static int read_buffer(void *context, void *buffer, void *bytes, size_t size, void **event)
{
    cl_event made = NULL;
    const cl_int code = clEnqueueReadBuffer(queue_of(context), buffer, event ? CL_FALSE : CL_TRUE,
                                            0, size, bytes, 0, NULL, event ? &made : NULL);
    if (event) {
        *event = made;
    }
    return code;
}

static int poll_event(void *context, void *event, bool *ended)
{
    cl_int state = CL_COMPLETE;
    const cl_int code =
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    (void)context;
    *ended = code || state <= CL_COMPLETE; /* an error is given by waiting */
    return code;
}

static int wait_for(void *context, void *event)
{
    cl_event awaited = event;
    (void)context;
    return clWaitForEvents(1, &awaited);
}

static void release_event(void *context, void *event)
{
    (void)context;
    clReleaseEvent(event);
}

static int times(void *context, void *event, uint64_t *begin, uint64_t *end)
{
    cl_ulong from = 0, to = 0;
    (void)context;
    cl_int code =
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
    BERTH_NEXT(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL));
    *begin = from;
    *end = to;
    return code;
}

enum { PLATFORMS_MAX = 32 };

/* cl_khr_pci_bus_info and NVIDIA's cl_nv_device_attribute_query: where a GPU is on the bus. */
enum {
    PCI_BUS_INFO_KHR = 0x410F,
    PCI_BUS_ID_NV = 0x4008,
    PCI_SLOT_ID_NV = 0x4009,
    PCI_DOMAIN_ID_NV = 0x400A
};

static uint64_t number_of(cl_device_id id, cl_device_info what, size_t size)
{
    uint64_t value = 0;
    if (clGetDeviceInfo(id, what, size, &value, NULL) != CL_SUCCESS) {
        return 0;
    }
    return value;
}

/* Where the device is on the bus, as "domain:bus:slot"; empty where the driver does not say. */
static void find_address(cl_device_id id, char address[BERTH_ADDRESS])
{
    cl_uint info[4] = {0}, bus = 0; /* domain, bus, device, function */
    bool known = clGetDeviceInfo(id, PCI_BUS_INFO_KHR, sizeof info, info, NULL) == CL_SUCCESS;
    if (!known && clGetDeviceInfo(id, PCI_BUS_ID_NV, sizeof bus, &bus, NULL) == CL_SUCCESS) {
        known = true;
        info[0] = (cl_uint)number_of(id, PCI_DOMAIN_ID_NV, sizeof info[0]);
        info[1] = bus;
        /* the slot's lowest three bits are its function */
        info[2] = (cl_uint)number_of(id, PCI_SLOT_ID_NV, sizeof info[2]) >> 3;
    }
    if (known) {
        snprintf(address, BERTH_ADDRESS, "%04x:%02x:%02x", info[0], info[1], info[2]);
    }
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
    /* PoCL 3.0, which PyPI has, compiles vectors of 16 for tens of minutes: LLVM 14 splits them. */
    if (device->vector_width > 8 && strncmp(device->driver, "3.0", 3) == 0 && is_pocl(device)) {
        device->vector_width = 8;
    }
    device->platform_id = platform;
    device->device_id = id;
    if (device->kind == BERTH_DEVICE_GPU) {
        find_address(id, device->address);
    }
}

/* Writes the platform's devices, room at most; how many there are. */
static size_t list_platform(cl_platform_id platform, struct berth_device *devices, size_t room)
{
    struct berth_device named = {.index = 0};
    cl_uint found = 0;
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof named.platform - 1, named.platform, NULL);
    if ((is_pocl(&named) && berth_drivers_check_pocl(NULL)) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &found)) {
        return 0;
    }
    cl_device_id *ids = berth_alloc(found, sizeof(cl_device_id));
    if (!ids || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, found, ids, NULL)) {
        found = 0;
    }
    for (cl_uint d = 0; d < found && d < room; d++) {
        describe(platform, ids[d], &devices[d]);
    }
    free(ids);
    return found;
}

static size_t list_devices(struct berth_device *devices, size_t room,
                           struct berth_device_note *note, const struct berth_log *log)
{
    (void)note; /* berth_drivers_missing has more to say */
    berth_drivers_prepare(log);
    size_t count = 0;
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count) != CL_SUCCESS) {
        platform_count = 0;
    }
    for (cl_uint p = 0; p < platform_count && p < PLATFORMS_MAX; p++) {
        count += list_platform(platforms[p], devices + count, count < room ? room - count : 0);
    }
    return count;
}

const struct berth_backend berth_opencl = {
    .name = "opencl",
    .list = list_devices,
    .error_name = berth_opencl_error_name,
    .fault = fault_of,
    .open = open_context,
    .close = close_context,
    .use_queue = use_queue,
    .finish = finish,
    .flush = flush,
    .identify = identify,
    .build = build,
    .load = load,
    .unload = unload,
    .log = log_of,
    .binary = binary_of,
    .create_kernel = create_kernel,
    .release_kernel = release_kernel,
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

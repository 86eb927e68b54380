#include "device/opencl/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "base/memory.h"
#include "device/drivers.h"

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
    device->platform_id = platform;
    device->device_id = id;
    if (device->kind == BERTH_DEVICE_GPU) {
        find_address(id, device->address);
    }
}

/* Writes the platform's devices, room at most; how many there are. */
static size_t list_platform(cl_platform_id platform, struct berth_device *devices, size_t room)
{
    cl_uint found = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &found)) {
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

size_t berth_opencl_list(struct berth_device *devices, size_t room, struct berth_device_note *note,
                         const struct berth_log *log)
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

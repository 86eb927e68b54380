#include "device/cuda/driver.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

static const char LIBRARY[] = "libcuda.so.1";

bool berth_cuda_load(struct berth_cuda_calls *calls, char *why, size_t size)
{
    static const char *const SYMBOLS[] = {BERTH_CUDA_CALLS(BERTH_SYMBOL)};
    const char *missing;
    const bool loaded =
        berth_symbols_load(LIBRARY, SYMBOLS, sizeof SYMBOLS / sizeof *SYMBOLS, calls, &missing);
    if (missing) {
        snprintf(why, size, "CUDA: %s has no %s: is the driver too old?", LIBRARY, missing);
    } else if (!loaded) {
        snprintf(why, size, "CUDA: %s", dlerror());
    }
    return loaded;
}

static const struct {
    int code;
    const char *name;
} NAMES[] = {{1, "CUDA_ERROR_INVALID_VALUE"},
             {2, "CUDA_ERROR_OUT_OF_MEMORY"},
             {3, "CUDA_ERROR_NOT_INITIALIZED"},
             {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
             {100, "CUDA_ERROR_NO_DEVICE"},
             {101, "CUDA_ERROR_INVALID_DEVICE"},
             {200, "CUDA_ERROR_INVALID_IMAGE"},
             {201, "CUDA_ERROR_INVALID_CONTEXT"},
             {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
             {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
             {218, "CUDA_ERROR_INVALID_PTX"},
             {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
             {500, "CUDA_ERROR_NOT_FOUND"},
             {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
             {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
             {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
             {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
             {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
             {719, "CUDA_ERROR_LAUNCH_FAILED"},
             {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
             {999, "CUDA_ERROR_UNKNOWN"},
             {-1, "NVRTC_ERROR_OUT_OF_MEMORY"},
             {-5, "NVRTC_ERROR_INVALID_OPTION"},
             {-6, "NVRTC_ERROR_COMPILATION"},
             {-7, "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"},
             {BERTH_NVRTC_MISSING, "NVRTC cannot be loaded"}};

const char *berth_cuda_error_name(int code)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (NAMES[i].code == code) {
            return NAMES[i].name;
        }
    }
    return code < 0 ? "NVRTC error" : "CUDA error";
}

enum berth_fault berth_cuda_fault(int code)
{
    return code == 2 ? BERTH_FAULT_MEMORY : code == 701 ? BERTH_FAULT_EITHER : BERTH_FAULT_LOST;
}

int berth_cuda_attribute(const struct berth_cuda_calls *calls, int attribute, int device)
{
    int value = 0;
    return calls->device_attribute(&value, attribute, device) ? 0 : value;
}

int berth_cuda_version(const struct berth_cuda_calls *calls)
{
    int version = 0;
    return calls->driver_version(&version) ? 0 : version;
}

static void describe(const struct berth_cuda_calls *calls, int number, int id,
                     struct berth_device *device)
{
    const int version = berth_cuda_version(calls);
    size_t memory = 0;
    calls->device_name(device->name, sizeof device->name - 1, id);
    calls->device_memory(&memory, id);
    snprintf(device->platform, sizeof device->platform, "CUDA (NVIDIA)");
    snprintf(device->driver, sizeof device->driver, "CUDA %d.%d", version / 1000,
             version % 1000 / 10);
    snprintf(device->address, sizeof device->address, "%04x:%02x:%02x",
             (unsigned)berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, id),
             (unsigned)berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, id),
             (unsigned)berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, id));
    device->kind = BERTH_DEVICE_GPU;
    device->number = (size_t)number;
    device->compute_units =
        (size_t)berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, id);
    device->clock = (size_t)berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, id) / 1000;
    device->memory = device->memory_block = memory;
    device->local_memory =
        (uint64_t)berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, id);
    device->local_memory_is_fast = true;
    device->work_group_size =
        (size_t)berth_cuda_attribute(calls, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, id);
    device->vector_width = 1;
    device->scalar = true;
}

/* Gives the number of devices, 0 with the reason in note where none can be used. */
static int count_devices(const struct berth_cuda_calls *calls, struct berth_device_note *note)
{
    char path[PATH_MAX], advice[400];
    int count = 0;
    const int code = calls->init(0), major = berth_cuda_version(calls) / 1000;
    if (code || calls->device_count(&count) || !count) {
        snprintf(note->text, sizeof note->text, "CUDA: the driver has no device: %s (%d)",
                 berth_cuda_error_name(code ? code : 100), code ? code : 100);
        return 0;
    }
    if (!berth_nvrtc_find(major, path)) {
        berth_nvrtc_advise(major, advice, sizeof advice);
        snprintf(note->text, sizeof note->text, "CUDA: NVIDIA's driver has %d GPU%s, but %s", count,
                 count > 1 ? "s" : "", advice);
        note->matters = true;
        return 0;
    }
    return count;
}

size_t berth_cuda_list(struct berth_device *devices, size_t room, struct berth_device_note *note,
                       const struct berth_log *log)
{
    struct berth_cuda_calls calls;
    (void)log;
    if (!berth_cuda_load(&calls, note->text, sizeof note->text)) {
        return 0;
    }
    const int count = count_devices(&calls, note);
    size_t listed = 0;
    for (int i = 0; i < count; i++) {
        int id;
        if (calls.device(&id, i)) {
            continue;
        }
        if (listed < room) {
            describe(&calls, i, id, &devices[listed]);
        }
        listed++;
    }
    return listed;
}

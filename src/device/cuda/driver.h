/* The few calls of NVIDIA's driver that berth makes, found at run time in libcuda.so.1: one binary
 * runs with it and without, and building needs nothing of NVIDIA's.  Also its error codes, with
 * those of NVRTC (below 0), and the devices that it lists. */
#ifndef BERTH_DEVICE_CUDA_DRIVER_H
#define BERTH_DEVICE_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/backend.h"
#include "device/cuda/nvrtc.h"

/* The driver's own types and numbers (cuda.h). */
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr; /* NOLINT: as in cuda.h */

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_READY = 600,

    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,

    CU_STREAM_NON_BLOCKING = 1
};

/* CALL(member, symbol, parameters); all give a CUresult. */
#define BERTH_CUDA_CALLS(CALL)                                                                     \
    CALL(init, "cuInit", (unsigned flags))                                                         \
    CALL(driver_version, "cuDriverGetVersion", (int *version))                                     \
    CALL(device_count, "cuDeviceGetCount", (int *count))                                           \
    CALL(device, "cuDeviceGet", (int *device, int number))                                         \
    CALL(device_name, "cuDeviceGetName", (char *name, int size, int device))                       \
    CALL(device_memory, "cuDeviceTotalMem_v2", (size_t * bytes, int device))                       \
    CALL(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))        \
    CALL(retain_context, "cuDevicePrimaryCtxRetain", (CUcontext * context, int device))            \
    CALL(release_context, "cuDevicePrimaryCtxRelease_v2", (int device))                            \
    CALL(use_context, "cuCtxSetCurrent", (CUcontext context))                                      \
    CALL(create_stream, "cuStreamCreate", (CUstream * stream, unsigned flags))                     \
    CALL(destroy_stream, "cuStreamDestroy_v2", (CUstream stream))                                  \
    CALL(finish_stream, "cuStreamSynchronize", (CUstream stream))                                  \
    CALL(create_event, "cuEventCreate", (CUevent * event, unsigned flags))                         \
    CALL(destroy_event, "cuEventDestroy_v2", (CUevent event))                                      \
    CALL(record_event, "cuEventRecord", (CUevent event, CUstream stream))                          \
    CALL(query_event, "cuEventQuery", (CUevent event))                                             \
    CALL(finish_event, "cuEventSynchronize", (CUevent event))                                      \
    CALL(elapsed_time, "cuEventElapsedTime", (float *ms, CUevent begin, CUevent end))              \
    CALL(load_module, "cuModuleLoadData", (CUmodule * module, const void *image))                  \
    CALL(unload_module, "cuModuleUnload", (CUmodule module))                                       \
    CALL(function, "cuModuleGetFunction",                                                          \
         (CUfunction * function, CUmodule module, const char *name))                               \
    CALL(variable, "cuModuleGetGlobal_v2",                                                         \
         (CUdeviceptr * memory, size_t * size, CUmodule module, const char *name))                 \
    CALL(launch, "cuLaunchKernel",                                                                 \
         (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                  \
          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,  \
          void **arguments, void **extra))                                                         \
    CALL(allocate, "cuMemAlloc_v2", (CUdeviceptr * memory, size_t size))                           \
    CALL(release, "cuMemFree_v2", (CUdeviceptr memory))                                            \
    CALL(allocate_host, "cuMemAllocHost_v2", (void **memory, size_t size))                         \
    CALL(release_host, "cuMemFreeHost", (void *memory))                                            \
    CALL(fill, "cuMemsetD32Async",                                                                 \
         (CUdeviceptr memory, unsigned value, size_t count, CUstream stream))                      \
    CALL(copy_to, "cuMemcpyHtoDAsync_v2",                                                          \
         (CUdeviceptr to, const void *from, size_t size, CUstream stream))                         \
    CALL(copy_from, "cuMemcpyDtoHAsync_v2",                                                        \
         (void *to, CUdeviceptr from, size_t size, CUstream stream))

struct berth_cuda_calls {
    BERTH_CUDA_CALLS(BERTH_MEMBER)
};

/* Opens the driver, which then stays open; false where there is none, or one that is too old, for
 * the reason in why[size]. */
bool berth_cuda_load(struct berth_cuda_calls *calls, char *why, size_t size);

/* NVRTC is not there (any more), or its library cannot be used. */
enum { BERTH_NVRTC_MISSING = -1000 };

/* Name of a code ("CUDA_ERROR_OUT_OF_MEMORY"); "CUDA error" where it has none. */
const char *berth_cuda_error_name(int code);

/* What a code says of the device. */
enum berth_fault berth_cuda_fault(int code);

/* See struct berth_backend. */
size_t berth_cuda_list(struct berth_device *devices, size_t room, struct berth_device_note *note,
                       const struct berth_log *log);

/* An attribute of a device; 0 where the driver does not say. */
int berth_cuda_attribute(const struct berth_cuda_calls *calls, int attribute, int device);

/* CUDA's version that the driver is for: 13000 is 13.0. */
int berth_cuda_version(const struct berth_cuda_calls *calls);

#endif

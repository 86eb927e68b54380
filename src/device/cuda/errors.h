/* Error codes of NVIDIA's driver, and those of NVRTC: below 0. */
#ifndef BERTH_DEVICE_CUDA_ERRORS_H
#define BERTH_DEVICE_CUDA_ERRORS_H

#include "device/backend.h"

/* NVRTC is not there (any more), or its library cannot be used. */
enum { BERTH_NVRTC_MISSING = -1000 };

/* Name of a code ("CUDA_ERROR_OUT_OF_MEMORY"); "CUDA error" where it has none. */
const char *berth_cuda_error_name(int code);

/* What a code says of the device. */
enum berth_fault berth_cuda_fault(int code);

#endif

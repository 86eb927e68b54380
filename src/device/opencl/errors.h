/* OpenCL's error codes. */
#ifndef BERTH_DEVICE_OPENCL_ERRORS_H
#define BERTH_DEVICE_OPENCL_ERRORS_H

#include "device/backend.h"

/* Name of a code ("CL_OUT_OF_RESOURCES"); "OpenCL error" where it has none. */
const char *berth_opencl_error_name(int code);

/* What a code says of the device. */
enum berth_fault berth_opencl_fault(int code);

#endif

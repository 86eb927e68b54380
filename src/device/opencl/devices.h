/* The devices that OpenCL lists. */
#ifndef BERTH_DEVICE_OPENCL_DEVICES_H
#define BERTH_DEVICE_OPENCL_DEVICES_H

#include "device/backend.h"

/* See struct berth_backend. */
size_t berth_opencl_list(struct berth_device *devices, size_t room, struct berth_device_note *note,
                         const struct berth_log *log);

#endif

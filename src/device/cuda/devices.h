/* The devices that NVIDIA's driver lists. */
#ifndef BERTH_DEVICE_CUDA_DEVICES_H
#define BERTH_DEVICE_CUDA_DEVICES_H

#include "device/backend.h"
#include "device/cuda/calls.h"

/* See struct berth_backend. */
size_t berth_cuda_list(struct berth_device *devices, size_t room, struct berth_device_note *note,
                       const struct berth_log *log);

/* An attribute of a device; 0 where the driver does not say. */
int berth_cuda_attribute(const struct berth_cuda_calls *calls, int attribute, int device);

/* CUDA's version that the driver is for: 13000 is 13.0. */
int berth_cuda_version(const struct berth_cuda_calls *calls);

#endif

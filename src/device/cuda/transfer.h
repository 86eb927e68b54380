/* Transfers that do not wait.  The driver copies from and to ordinary memory only while the caller
 * waits; so they go through memory that the device can reach by itself, which is kept. */
#ifndef BERTH_DEVICE_CUDA_TRANSFER_H
#define BERTH_DEVICE_CUDA_TRANSFER_H

#include "device/cuda/context.h"

/* Starts to copy bytes, which may change at once, to the device. */
int berth_cuda_start_write(struct berth_cuda_context *context, CUdeviceptr to, const void *bytes,
                           size_t size);

/* Starts to copy from the device: bytes are there once berth_cuda_deliver was called with an event
 * that was taken later and has ended. */
int berth_cuda_start_read(struct berth_cuda_context *context, void *bytes, CUdeviceptr from,
                          size_t size);

/* Delivers those of the first `reads` transfers from the device that went by this queue, and have
 * ended. */
void berth_cuda_deliver(struct berth_cuda_context *context, int queue, size_t reads);

/* Frees the memory; no transfer is on its way. */
void berth_cuda_destroy_stages(struct berth_cuda_context *context);

#endif

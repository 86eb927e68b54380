/* Programs, kernels, buffers and launches on one context.
 *
 * A launch's errors name the kernel; a refused build carries the driver's log.
 */
#ifndef BERTH_DEVICE_PROGRAM_H
#define BERTH_DEVICE_PROGRAM_H

#include "device/device.h"

struct berth_program; /* opaque */
struct berth_kernel;  /* opaque */
struct berth_buffer;  /* opaque */
struct berth_event;   /* opaque: the end of a transfer */

/* Builds the source (0-terminated) with the options, the canonical -D string of a specialisation,
 * or takes what an earlier build left in the user's cache (device/cache.h), and leaves it there.
 * The caller destroys *program after its kernels.  Errors: BERTH_E_DEVICE with the build log. */
enum berth_status berth_program_create(struct berth_context *context, const char *source,
                                       const char *options, struct berth_program **program,
                                       struct berth_error *error);

/* What the driver said when it built the program; "" where it had nothing to say.  A compiler's
 * warnings come with a build from source only: turn the cache off to see them. */
const char *berth_program_log(const struct berth_program *program);

void berth_program_destroy(struct berth_program *program);

/* The caller destroys *kernel.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_kernel_create(struct berth_program *program, const char *name,
                                      struct berth_kernel **kernel, struct berth_error *error);

void berth_kernel_destroy(struct berth_kernel *kernel);

/* Set argument number `index`.  An error is remembered and given by the next launch. */
void berth_kernel_set_buffer(struct berth_kernel *kernel, unsigned index,
                             const struct berth_buffer *buffer);
void berth_kernel_set_int(struct berth_kernel *kernel, unsigned index, int32_t value);
void berth_kernel_set_float(struct berth_kernel *kernel, unsigned index, float value);

/* Sets several, from argument number `first` on. */
void berth_kernel_set_array(struct berth_kernel *kernel, unsigned first,
                            const struct berth_buffer *const *buffers, size_t count);
#define BERTH_BUFFERS(...) ((const struct berth_buffer *const[]){__VA_ARGS__})
#define berth_kernel_set_buffers(kernel, first, ...)                                               \
    berth_kernel_set_array(kernel, first, BERTH_BUFFERS(__VA_ARGS__),                              \
                           sizeof BERTH_BUFFERS(__VA_ARGS__) / sizeof(void *))

/* Gives every work-group size bytes of local memory as argument number `index`. */
void berth_kernel_set_local(struct berth_kernel *kernel, unsigned index, size_t size);

/* Starts width × height work-items in work-groups of (group, 1): width is rounded up to a multiple
 * of group; group 0 leaves the choice to the driver.  Launches run in order.  *nanoseconds, where
 * not NULL, gets the kernel's device time, and the call waits for its end. */
enum berth_status berth_kernel_launch(struct berth_kernel *kernel, size_t width, size_t height,
                                      size_t group, uint64_t *nanoseconds,
                                      struct berth_error *error);

/* A device buffer of size bytes (at least 1); the caller destroys *buffer.  Errors:
 * BERTH_E_DEVICE: the device's memory does not suffice. */
enum berth_status berth_buffer_create(struct berth_context *context, size_t size,
                                      struct berth_buffer **buffer, struct berth_error *error);

/* The same, with these bytes in it. */
enum berth_status berth_buffer_upload(struct berth_context *context, const void *bytes, size_t size,
                                      struct berth_buffer **buffer, struct berth_error *error);

/* Copy size bytes from offset 0; both wait.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_buffer_write(struct berth_buffer *buffer, const void *bytes, size_t size,
                                     struct berth_error *error);
enum berth_status berth_buffer_read(struct berth_buffer *buffer, void *bytes, size_t size,
                                    struct berth_error *error);

/* The same, but do not wait: bytes must stay until an event that was started later has ended, or
 * the context has finished.  The caller gives *event to berth_event_wait. */
enum berth_status berth_buffer_start_write(struct berth_buffer *buffer, const void *bytes,
                                           size_t size, struct berth_error *error);
enum berth_status berth_buffer_start_read(struct berth_buffer *buffer, void *bytes, size_t size,
                                          struct berth_event **event, struct berth_error *error);

/* Says whether a transfer has ended, without waiting.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_event_poll(const struct berth_event *event, bool *ended,
                                   struct berth_error *error);

/* Destroys an event that nobody is to wait for. */
void berth_event_release(struct berth_event *event);

/* Waits for a transfer, and so for all that was started before it, and destroys event.  NULL is no
 * event.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_event_wait(struct berth_event *event, struct berth_error *error);

void berth_buffer_destroy(struct berth_buffer *buffer);

/* Where a buffer of CUDA's is in the device's memory, for libraries that compute there; NULL: it is
 * OpenCL's. */
void *berth_buffer_address(const struct berth_buffer *buffer);

#endif

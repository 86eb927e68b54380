/* A way to devices: OpenCL, or CUDA.  src/device/opencl and src/device/cuda have one each; what
 * they have in common stands before them, and nobody else sees their types.
 *
 * Handles are the backend's own.  Calls give 0, or a code of the backend's that error_name and
 * fault know. */
#ifndef BERTH_DEVICE_BACKEND_H
#define BERTH_DEVICE_BACKEND_H

#include "base/log.h"
#include "device/device.h"

/* What a code says of the device. */
enum berth_fault {
    BERTH_FAULT_LOST,   /* probably */
    BERTH_FAULT_MEMORY, /* its memory does not suffice */
    BERTH_FAULT_EITHER
};

enum { BERTH_IDENTITY = 512 };

/* A step of several: the caller's variable `code` becomes what `call` gives, unless a step before
 * it failed; `call` is then not made. */
#define BERTH_NEXT(call)                                                                           \
    do {                                                                                           \
        if (!code) {                                                                               \
            code = (call);                                                                         \
        }                                                                                          \
    } while (0)

struct berth_backend {
    const char *name; /* as --device has it */

    /* Writes its devices, room at most, and gives how many there are: where these are more, it is
     * asked again.  Where there might be more, note
     * gets the reason.  log is told what was done so that devices appear. */
    size_t (*list)(struct berth_device *devices, size_t room, struct berth_device_note *note,
                   const struct berth_log *log);
    const char *(*error_name)(int code);
    enum berth_fault (*fault)(int code);

    /* Opens a device with its BERTH_QUEUES queues; *what: what failed.  The caller closes *context.
     */
    int (*open)(const struct berth_device *device, void **context, const char **what);
    void (*close)(void *context);
    /* What is started from here on goes to this queue; the first one until then. */
    void (*use_queue)(void *context, int queue);
    int (*finish)(void *context); /* this queue */
    int (*flush)(void *context);  /* the same; NULL: what is started gets going */

    /* What besides the device and the source decides what a build gives; false where binaries are
     * not to be kept (device/cache.h), as the driver compiles each kernel when it is first launched
     * and keeps it itself. */
    bool (*identify)(const void *context, char identity[BERTH_IDENTITY]);

    /* Builds a program from source or from the binary of an earlier build.  The caller unloads
     * *program, which is there where a build failed, too, for its log; NULL where not even that. */
    int (*build)(void *context, const char *source, const char *options, void **program);
    int (*load)(void *context, const void *binary, size_t size, const char *options,
                void **program);
    void (*unload)(void *program);
    char *(*log)(const void *program); /* the caller frees it; NULL: memory */
    unsigned char *(*binary)(const void *program, size_t *size); /* the same; NULL: there is none */

    /* value of size bytes (a buffer's handle, too) for an argument; NULL: local memory. */
    int (*create_kernel)(void *program, const char *name, void **kernel);
    void (*release_kernel)(void *kernel);
    int (*set_argument)(void *kernel, unsigned index, size_t size, const void *value);

    /* Starts global[0] × global[1] work-items in groups of `group`, which divides global[0]; 0: of
     * any size.  The caller releases *event, the kernel's end. */
    int (*launch)(void *kernel, const size_t global[2], size_t group, void **event);

    int (*allocate)(void *context, size_t size, void **buffer);
    void (*release_buffer)(void *context, void *buffer);

    /* Transfers; write: wait until bytes may change; read: wait where event is NULL. */
    int (*write)(void *context, void *buffer, const void *bytes, size_t size, bool wait);
    int (*read)(void *context, void *buffer, void *bytes, size_t size, void **event);

    int (*poll)(void *context, void *event, bool *ended);
    int (*wait)(void *context, void *event);
    void (*release_event)(void *context, void *event);

    /* When a launch that has ended began and ended, ns on the device's clock. */
    int (*times)(void *context, void *event, uint64_t *begin, uint64_t *end);
};

extern const struct berth_backend berth_opencl, berth_cuda;

#endif

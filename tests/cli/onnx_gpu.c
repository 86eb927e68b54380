/* A stand-in for ONNX Runtime with CUDA (as a shared library), and a program that runs a network by
 * it on a GPU: BERTH_ONNXRUNTIME=./onnx_gpu.so ./onnx_gpu FILE prints the status and what is said.
 * FAULT: the call that fails, session or run, and with which of its codes: "run 11". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/onnx.h"

/* A refusal is a fault's text; an object anything but NULL. */
static void *refuse_if(const char *call)
{
    char *fault = getenv("FAULT");
    return fault && strncmp(fault, call, strlen(call)) == 0 ? fault : NULL;
}

static int code(const void *fault)
{
    return atoi(strchr(fault, ' '));
}
static const char *message(const void *fault)
{
    return fault;
}

static void *make(void **object)
{
    static int any;
    *object = &any;
    return NULL;
}

static void *create_environment(int level, const char *name, void **object)
{
    return (void)level, (void)name, make(object);
}
static void *create_session(void *in, const char *file, const void *options, void **object)
{
    return (void)in, (void)file, (void)options, make(object), refuse_if("session");
}
static void *create_tensor(const void *memory, void *values, size_t size, const int64_t *shape,
                           size_t count, int type, void **object)
{
    return (void)memory, (void)values, (void)size, (void)shape, (void)count, (void)type,
           make(object);
}
static void *name_memory(const char *name, int allocator, int device, int type, void **object)
{
    return (void)name, (void)allocator, (void)device, (void)type, make(object);
}
static void *create_memory(int allocator, int type, void **object)
{
    return (void)allocator, (void)type, make(object);
}
static void *run(void)
{
    return refuse_if("run");
}
static void *done(void)
{
    return NULL;
}

static void *const *table(uint32_t version)
{
    static void *calls[300];
    (void)version;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        calls[i] = (void *)done;
    }
    calls[1] = (void *)code, calls[2] = (void *)message, calls[3] = (void *)create_environment;
    calls[7] = (void *)create_session, calls[9] = (void *)run, calls[10] = (void *)make;
    calls[49] = (void *)create_tensor, calls[68] = (void *)name_memory,
    calls[69] = (void *)create_memory;
    calls[205] = (void *)make;
    return calls;
}

static const char *version(void)
{
    return "1.0";
}

static const struct {
    void *const *(*table)(uint32_t version);
    const char *(*version)(void);
} BASE = {table, version};

const void *OrtGetApiBase(void);
const void *OrtGetApiBase(void)
{
    return &BASE;
}

#ifdef PROGRAM
int main(int argc, char **argv)
{
    struct berth_onnx *onnx = NULL;
    struct berth_error error = {.message = ""};
    const float grid = 0;
    const struct berth_onnx_input input = {.name = "grid",
                                           .values = &grid,
                                           .on_gpu = true,
                                           .shape = {1, 1, 1, 1, 1},
                                           .numbers_name = ""};
    enum berth_status status =
        argc == 2 ? berth_onnx_create(argv[1], 0, &onnx, &error) : BERTH_E_USAGE;
    if (!status) {
        status = berth_onnx_run(onnx, &input, NULL, 0, &error);
    }
    printf("%d %s\n", (int)status, error.message);
    berth_onnx_destroy(onnx);
    return 0;
}
#endif

/* ONNX Runtime, found at run time: what computes networks, on the host's processors or by CUDA.
 * Building needs nothing of it. */
#ifndef BERTH_DEVICE_ONNX_H
#define BERTH_DEVICE_ONNX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "device/libraries.h"

struct berth_onnx; /* opaque: a network that is ready to run, in several threads at once */

enum { BERTH_ONNX_VERSION = 32 };

/* Opens the library: $BERTH_ONNXRUNTIME (a file) where it is set, else the system's, else that of
 * a Python's package onnxruntime: of $VIRTUAL_ENV, $BERTH_PYTHON, the user or the system.  Errors:
 * BERTH_E_IO says how to get it. */
enum berth_status berth_onnx_find(char path[PATH_MAX], char version[BERTH_ONNX_VERSION],
                                  struct berth_error *error);

enum { BERTH_ONNX_HOST = -1 };

/* Reads a network.  gpu: BERTH_ONNX_HOST, and each run of it takes one thread, its caller's; or the
 * number of the CUDA device that computes it.  The caller destroys *onnx.  Errors: BERTH_E_IO (no
 * library), BERTH_E_DEVICE (the GPU cannot compute it: the library has no CUDA, or does not find
 * what that needs), BERTH_E_FORMAT (no such file, or none that the library takes), BERTH_E_MEMORY.
 */
enum berth_status berth_onnx_create(const char *file, int gpu, struct berth_onnx **onnx,
                                    struct berth_error *error);

void berth_onnx_destroy(struct berth_onnx *onnx);

enum { BERTH_ONNX_DIMENSIONS = 5, BERTH_ONNX_OUTPUTS = 8 };

/* What a network is given; borrowed. */
struct berth_onnx_input {
    const char *name;
    const float *values;                  /* in the host's memory, or, of a network on a GPU: */
    bool on_gpu;                          /* in that one's */
    int64_t shape[BERTH_ONNX_DIMENSIONS]; /* the first: how many items */
    const char *numbers_name;             /* "": no further input */
    const int64_t *numbers;               /* [shape[1]] */
};

/* What is taken of what it says: of each item the number-th value of an output. */
struct berth_onnx_output {
    const char *name; /* borrowed */
    size_t number;    /* from 0 */
    double *values;   /* of the caller; [items] */
};

/* Runs it; count: at most BERTH_ONNX_OUTPUTS.  Errors: BERTH_E_FORMAT (the network has no such
 * input or output, or one of another shape), BERTH_E_DEVICE (the GPU failed). */
enum berth_status berth_onnx_run(const struct berth_onnx *onnx,
                                 const struct berth_onnx_input *input,
                                 const struct berth_onnx_output *outputs, size_t count,
                                 struct berth_error *error);

#endif

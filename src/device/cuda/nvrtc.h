/* NVRTC, NVIDIA's compiler as a library, found at run time: libnvrtc.so.13, of CUDA's toolkit, of
 * Debian, or of a Python package. */
#ifndef BERTH_DEVICE_CUDA_NVRTC_H
#define BERTH_DEVICE_CUDA_NVRTC_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "device/libraries.h"

/* Finds the library that goes with a driver for CUDA `major`: of this version, else of an older
 * one; looked for in LD_LIBRARY_PATH, CUDA_PATH, CUDA_HOME, VIRTUAL_ENV and where systems have it.
 * It is not loaded, which takes longer than all else when a program comes from the cache. */
bool berth_nvrtc_find(int major, char path[PATH_MAX]);

/* How to get a library for a driver for CUDA `major`, as the end of a message. */
void berth_nvrtc_advise(int major, char *text, size_t size);

/* What a build gives. */
struct berth_nvrtc_result {
    unsigned char *binary; /* a cubin, or PTX for a GPU newer than the library; owned */
    size_t size;
    char *log; /* owned; NULL: out of memory */
};

/* Compiles CUDA C++ for GPUs of compute capability `capability` (90: 9.0).  options: as OpenCL's
 * compilers take them.  The caller frees what *result owns, after a failure, too.  Gives 0, an
 * error of NVRTC's as a number below 0, or BERTH_NVRTC_MISSING. */
int berth_nvrtc_compile(const char *path, const char *source, const char *options, int capability,
                        struct berth_nvrtc_result *result);

/* --- The kernels' source, OpenCL C, as CUDA C++ (translate.c) --- */

/* kernels/cuda.h and behind it the source, in which what no macro can say is written otherwise:
 *
 *   (float3)(x, y, z)            float3(x, y, z)
 *   (struct hop){...}            berth_compound<struct hop>{...}
 *   a.xyz                        a.xyz()
 *   clamp(fma(a, b, c), ...)     clamp(berth_fma(a, b, c), ...)
 *   kernel ... local T *a) {     and in the body first a = berth_local_argument(a);
 *
 * Lines keep their numbers.  The caller frees the text; NULL when out of memory. */
char *berth_cuda_translate(const char *source);

#endif

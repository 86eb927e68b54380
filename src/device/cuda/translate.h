/* The kernels' source, OpenCL C, as CUDA C++. */
#ifndef BERTH_DEVICE_CUDA_TRANSLATE_H
#define BERTH_DEVICE_CUDA_TRANSLATE_H

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

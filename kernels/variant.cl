/* The kernels' tunables, each with its default. */
#ifndef BERTH_VECTOR_WIDTH
#define BERTH_VECTOR_WIDTH 1 /* poses in a vector: 1 on a GPU, the native float width on a CPU */
#endif
#ifndef BERTH_PPWI
#define BERTH_PPWI 4 /* vectors of poses per work-item */
#endif
#ifndef BERTH_WGSIZE
#define BERTH_WGSIZE 64 /* work-items of a work-group */
#endif
#ifndef BERTH_TILE
#define BERTH_TILE                                                                                 \
    0 /* receptor atoms copied to local memory at a time; 0: read through the cache */
#endif
#ifndef BERTH_LISTS
#define BERTH_LISTS                                                                                \
    0 /* 1: neighbour lists, read through the cache, without tiles; 0: all atoms                   \
       */
#endif
#ifndef BERTH_EXPANDED
#define BERTH_EXPANDED 1 /* r² as |L|² + |P|² - 2 L·P (4 operations) or directly (6) */
#endif
#ifndef BERTH_SATURATE
#define BERTH_SATURATE 1 /* clamp the ramps (free on a GPU), or the distance (cheaper on a CPU) */
#endif
#ifndef BERTH_SQRT
#define BERTH_SQRT 0 /* square root: 0 full precision, 1 native, 2 x86 estimate + Newton step, */
                     /* 3 PTX's approximation without care for denormals (NVIDIA) */
#endif
#ifndef BERTH_UNROLL
#define BERTH_UNROLL 4 /* receptor atoms per turn of the innermost loop */
#endif
#ifndef BERTH_SELECT_WGSIZE
#define BERTH_SELECT_WGSIZE 256 /* work-items that select from a bin together */
#endif
#ifndef BERTH_REFINE_WGSIZE
#define BERTH_REFINE_WGSIZE 32 /* work-items that refine a pose together */
#endif

#define BERTH_PASTE_(a, b) a##b
#define BERTH_PASTE(a, b)  BERTH_PASTE_(a, b)

#define BERTH_PRAGMA_(text) _Pragma(#text)
/* In front of a loop: a compiler that unrolls all of them makes more code than a GPU can keep at
 * hand. */
#define ROLLED             BERTH_PRAGMA(unroll 1)
#define BERTH_PRAGMA(text) BERTH_PRAGMA_(text)
#if BERTH_PPWI > 1
#define FOR_EACH_VECTOR BERTH_PRAGMA(unroll) for (int v = 0; v < BERTH_PPWI; v++)
#else
#define FOR_EACH_VECTOR for (int v = 0; v < 1; v++)
#endif

/* What OpenCL C has no need of: kernels/cuda.h has it for CUDA.  A variable of a work-group (a
 * pointer to one is just "local"); and, behind reqd_work_group_size, how many groups of so many
 * items a multiprocessor is to have at least, which limits the registers of each. */
#ifndef LOCAL_VARIABLE
#define LOCAL_VARIABLE local
#endif
#ifndef BERTH_MINIMUM_GROUPS
#define BERTH_MINIMUM_GROUPS(items, groups)
#endif

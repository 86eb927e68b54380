/* Pieces of work beside each other. */
#ifndef BERTH_BASE_PARALLEL_H
#define BERTH_BASE_PARALLEL_H

#include <stddef.h>

/* Processors that there are to work on; 1 where that is not known. */
size_t berth_processors(void);

/* Calls work(context, k) for each k in [0, pieces), each in a thread of its own, and returns when
 * all have ended.  A piece that no thread can be had for is done by the caller. */
void berth_in_parallel(size_t pieces, void (*work)(void *context, size_t k), void *context);

#endif

/* Checked memory: sizes that cannot overflow, growth that keeps the old block on failure. */
#ifndef BERTH_BASE_MEMORY_H
#define BERTH_BASE_MEMORY_H

#include <stddef.h>

#include "base/error.h"

/* Zeroed array of count elements of size bytes; NULL when out of memory or when
 * count * size overflows.  count = 0 gives a block that can be freed. */
void *berth_alloc(size_t count, size_t size);

/* The same into a pointer, whose address items is; BERTH_E_MEMORY, as berth_out_of_memory gives it
 * of `whose`, where it is NULL then. */
enum berth_status berth_make(void *items, size_t count, size_t size, const char *whose,
                             struct berth_error *error);

/* Makes *items (capacity *capacity, elements of size bytes) hold at least `needed` elements.
 * items is the address of the array's pointer.  Errors: BERTH_E_MEMORY; the array is then
 * as it was. */
enum berth_status berth_reserve(void *items, size_t *capacity, size_t needed, size_t size,
                                struct berth_error *error);

/* A copy of text that the caller frees, or NULL when out of memory. */
char *berth_copy_text(const char *text);

#endif

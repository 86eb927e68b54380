#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *berth_alloc(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        return NULL;
    }
    return calloc(count ? count : 1, size);
}

enum berth_status berth_make(void *items, size_t count, size_t size, const char *whose,
                             struct berth_error *error)
{
    void *block = berth_alloc(count, size);
    memcpy(items, &block, sizeof block);
    return block ? BERTH_OK : berth_out_of_memory(error, whose);
}

enum berth_status berth_reserve(void *items, size_t *capacity, size_t needed, size_t size,
                                struct berth_error *error)
{
    if (needed <= *capacity) {
        return BERTH_OK;
    }
    size_t grown = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (grown < needed) {
        grown = needed;
    }
    void *old;
    memcpy(&old, items, sizeof old);
    void *block = grown > SIZE_MAX / size ? NULL : realloc(old, grown * size);
    if (!block) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu elements of %zu bytes",
                          grown, size);
    }
    memcpy(items, &block, sizeof block);
    *capacity = grown;
    return BERTH_OK;
}

char *berth_copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy) {
        memcpy(copy, text, size);
    }
    return copy;
}

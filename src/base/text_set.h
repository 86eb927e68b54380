/* Which texts were met before, and a number with each.  Texts are kept as 128-bit hashes: 24 bytes
 * each with its number, however long. */
#ifndef BERTH_BASE_TEXT_SET_H
#define BERTH_BASE_TEXT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A zeroed set is empty. */
struct berth_text_set {
    uint64_t (*hashes)[3]; /* owned; [capacity]; a hash, both 0: free, and the number */
    size_t count, capacity;
};

/* Adds text, and keeps *number with it; *met says whether it was there already, and *number is then
 * what was kept with it.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_text_set_add(struct berth_text_set *set, const char *text, uint64_t *number,
                                     bool *met, struct berth_error *error);

void berth_text_set_clear(struct berth_text_set *set);

#endif

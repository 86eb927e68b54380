/* Which texts were met before.  Texts are kept as 128-bit hashes: 16 bytes each, however long. */
#ifndef BERTH_BASE_TEXT_SET_H
#define BERTH_BASE_TEXT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A zeroed set is empty. */
struct berth_text_set {
    uint64_t (*hashes)[2]; /* owned; [capacity]; both 0: free */
    size_t count, capacity;
};

/* Adds text; *met says whether it was there already.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_text_set_add(struct berth_text_set *set, const char *text, bool *met,
                                     struct berth_error *error);

void berth_text_set_clear(struct berth_text_set *set);

#endif

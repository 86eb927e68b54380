#include "base/text_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 1024 };

/* FNV-1a from this start, its bits well mixed at the end (as in MurmurHash3's finish). */
static uint64_t hash(const char *text, uint64_t start)
{
    uint64_t value = start;
    for (; *text; text++) {
        value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    value = (value ^ (value >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    value = (value ^ (value >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return value ^ (value >> 33);
}

/* The place of this hash, or the free place where it belongs. */
static uint64_t *place_of(uint64_t (*hashes)[3], size_t capacity, const uint64_t key[2])
{
    size_t at = (size_t)key[0] & (capacity - 1);
    while ((hashes[at][0] || hashes[at][1]) && memcmp(hashes[at], key, 2 * sizeof *key) != 0) {
        at = (at + 1) & (capacity - 1);
    }
    return hashes[at];
}

/* At most half of the places are taken, so that there is always a free one near. */
static enum berth_status grow(struct berth_text_set *set, struct berth_error *error)
{
    if (2 * (set->count + 1) <= set->capacity) {
        return BERTH_OK;
    }
    const size_t capacity = set->capacity ? 2 * set->capacity : FIRST_CAPACITY;
    uint64_t(*hashes)[3];
    BERTH_TRY(berth_make(&hashes, capacity, sizeof *hashes, NULL, error));
    for (size_t i = 0; i < set->capacity; i++) {
        if (set->hashes[i][0] || set->hashes[i][1]) {
            memcpy(place_of(hashes, capacity, set->hashes[i]), set->hashes[i], sizeof *hashes);
        }
    }
    free(set->hashes);
    set->hashes = hashes;
    set->capacity = capacity;
    return BERTH_OK;
}

enum berth_status berth_text_set_add(struct berth_text_set *set, const char *text, uint64_t *number,
                                     bool *met, struct berth_error *error)
{
    const uint64_t key[2] = {hash(text, UINT64_C(0xcbf29ce484222325)) | 1,
                             hash(text, UINT64_C(0x9e3779b97f4a7c15))};
    BERTH_TRY(grow(set, error));
    uint64_t *place = place_of(set->hashes, set->capacity, key);
    *met = place[0] != 0;
    if (!*met) {
        memcpy(place, key, sizeof key);
        place[2] = *number;
        set->count++;
    }
    *number = place[2];
    return BERTH_OK;
}

void berth_text_set_clear(struct berth_text_set *set)
{
    if (set) {
        free(set->hashes);
        memset(set, 0, sizeof *set);
    }
}

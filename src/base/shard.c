#include "base/shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum berth_status berth_shard_parse(const char *text, struct berth_shard *shard,
                                    struct berth_error *error)
{
    *shard = (struct berth_shard){1, 1};
    if (!text) {
        return BERTH_OK;
    }
    int used = 0;
    if (text[strspn(text, "0123456789/")] ||
        sscanf(text, "%9" SCNu64 "/%9" SCNu64 "%n", &shard->number, &shard->count, &used) != 2 ||
        text[used] || shard->number < 1 || shard->number > shard->count) {
        return berth_fail_option(error, BERTH_E_USAGE, "shard",
                                 "shard: %s is not K/N, part K of N, with K from 1 to N", text);
    }
    return BERTH_OK;
}

struct berth_shard_range berth_shard_range(const struct berth_shard *shard, uint64_t items)
{
    /* The first (items mod count) shards have one more; no product that could overflow. */
    const uint64_t each = items / shard->count, more = items % shard->count;
    const uint64_t k = shard->number - 1, first = k * each + (k < more ? k : more);
    return (struct berth_shard_range){first, first + each + (k < more)};
}

enum berth_status berth_shards_order(const struct berth_shard *shards, const char *const *names,
                                     size_t count, size_t *order, struct berth_error *error)
{
    const uint64_t wanted = shards[0].count;
    for (size_t i = 0; i < count; i++) {
        order[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t number = shards[i].number;
        if (shards[i].count != wanted) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "%s is one of %" PRIu64 " shards, %s one of %" PRIu64, names[0],
                              wanted, names[i], shards[i].count);
        }
        if (number <= count && order[number - 1] != SIZE_MAX) {
            return berth_fail(error, BERTH_E_USAGE, "%s and %s are both shard %" PRIu64 "/%" PRIu64,
                              names[order[number - 1]], names[i], number, wanted);
        }
        if (number <= count) {
            order[number - 1] = i;
        }
    }
    for (size_t i = 0; i < wanted; i++) {
        if (i >= count || order[i] == SIZE_MAX) {
            return berth_fail(error, BERTH_E_USAGE, "shard %zu/%" PRIu64 " is missing", i + 1,
                              wanted);
        }
    }
    return BERTH_OK;
}

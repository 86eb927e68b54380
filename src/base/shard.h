/* Shards: parts of a long run that are done apart and joined. */
#ifndef BERTH_BASE_SHARD_H
#define BERTH_BASE_SHARD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A part of a run: number of count, from 1; 1 of 1 is all of it. */
struct berth_shard {
    uint64_t number, count;
};

/* Reads "K/N"; NULL is 1/1.  Errors: BERTH_E_USAGE (names the option "shard"). */
enum berth_status berth_shard_parse(const char *text, struct berth_shard *shard,
                                    struct berth_error *error);

/* Items first .. end - 1. */
struct berth_shard_range {
    uint64_t first, end;
};

/* The items of a shard of `items` in all: contiguous, and the shards' sizes differ by at most one.
 */
struct berth_shard_range berth_shard_range(const struct berth_shard *shard, uint64_t items);

/* order[i]: which of the shards [count] is number i + 1.  Errors, where they are not all of one
 * whole, each once (names: what messages call them): BERTH_E_FORMAT, BERTH_E_USAGE. */
enum berth_status berth_shards_order(const struct berth_shard *shards, const char *const *names,
                                     size_t count, size_t *order, struct berth_error *error);

#endif

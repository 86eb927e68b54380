/* Warnings that are gathered, so that one that comes for each of many molecules is sent on once,
 * with how often it came. */
#ifndef BERTH_BASE_GATHER_H
#define BERTH_BASE_GATHER_H

#include <stddef.h>

#include "base/log.h"

struct berth_gathered; /* opaque */

/* Zeroed but for next, it has gathered nothing.  For one thread at a time. */
struct berth_gatherer {
    const struct berth_log *next; /* borrowed: where everything goes in the end; NULL is silence */
    struct berth_gathered *rows;  /* owned; [count] */
    size_t count, capacity;
};

/* A log that gathers warnings in *gatherer, borrowed as long as the log is used, and sends all
 * other lines on at once. */
struct berth_log berth_gather(struct berth_gatherer *gatherer);

/* Sends on what was gathered, in the order in which each came first, and forgets it. */
void berth_gatherer_flush(struct berth_gatherer *gatherer);

#endif

/* Joining the shards of a screen into what one run of all of it would have written. */
#ifndef BERTH_DOCK_SCREEN_MERGE_H
#define BERTH_DOCK_SCREEN_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Everything is borrowed. */
struct berth_merge_settings {
    const char *const *folders; /* [count]: of all shards of one screen, in any order */
    size_t count;
    const char *out;     /* folder for the results */
    const char *library; /* the library that was docked; NULL: where it was */
    long long top;       /* ligands in hits.sdf; below 0: as the first shard was run */
    double max_clash;    /* Å: see struct berth_screen_settings; below 0: as the first shard */
};

struct berth_merge_counts {
    uint64_t ligands, failed; /* in all, and those that are rows of failures.csv */
    uint64_t left_out;        /* poses that clash too much */
};

/* Writes the results, and counts them.  Errors: BERTH_E_USAGE (a shard is missing or there twice),
 * BERTH_E_FORMAT (shards of different runs, an unfinished one, another library), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_merge_run(const struct berth_merge_settings *settings,
                                  struct berth_merge_counts *counts, struct berth_error *error);

#endif

/* Joining the shards of a screen into what one run of all of it would have written. */
#ifndef BERTH_SCREEN_MERGE_H
#define BERTH_SCREEN_MERGE_H

#include "base/error.h"

/* How; texts are NULL where nothing is asked for. */
struct berth_merge_settings {
    const char *out;     /* folder of the results */
    const char *library; /* where that lies now; NULL: where it was */
    const char *rank;    /* of poses and ligands; NULL: as the shards were run */
    const char *require; /* interactions of poses; "any"; NULL: as the first shard was run */
    int64_t top;         /* ligands in hits.sdf; -1: likewise */
    double max_clash;    /* Å; -1: likewise */
};

/* Merges the folders [count], of all shards of one screen, in any order, and counts what is in
 * them.  Errors: BERTH_E_USAGE (a shard is missing or there twice),
 * BERTH_E_FORMAT (shards of different runs, an unfinished one, another library), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_merge_run(const char *const *folders, size_t count,
                                  const struct berth_merge_settings *settings,
                                  struct berth_merge_counts *counts, struct berth_error *error);

#endif

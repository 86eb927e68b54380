/* Joining the shards of a screen into what one run of all of it would have written. */
#ifndef BERTH_DOCK_SCREEN_MERGE_H
#define BERTH_DOCK_SCREEN_MERGE_H

#include "base/error.h"

/* Merges the folders [count], of all shards of one screen, in any order, and counts what is in
 * them.  Errors: BERTH_E_USAGE (a shard is missing or there twice),
 * BERTH_E_FORMAT (shards of different runs, an unfinished one, another library), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_merge_run(const char *const *folders, size_t count,
                                  const struct berth_merge_options *settings,
                                  struct berth_merge_counts *counts, struct berth_error *error);

#endif

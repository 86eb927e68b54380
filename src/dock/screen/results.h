/* From the journals of a screen to its results. */
#ifndef BERTH_DOCK_SCREEN_RESULTS_H
#define BERTH_DOCK_SCREEN_RESULTS_H

#include "dock/screen/outcome.h"

/* Writes failures.csv, hits.sdf and scores.csv, all or none of them.  Errors: BERTH_E_IO,
 * BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_screen_results_write(struct berth_screen_outcome *outcome,
                                             struct berth_error *error);

/* BERTH_E_IO where the results could not be written to the folder: see berth_folder_probe. */
enum berth_status berth_screen_folder_check(const char *path, struct berth_error *error);

/* Removes what a run that was killed while it wrote results has left half written in the folder,
 * which nobody else may write to. */
void berth_screen_folder_sweep(const char *path);

#endif

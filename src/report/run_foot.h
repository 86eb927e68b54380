/* What runs that dock print last. */
#ifndef BERTH_REPORT_RUN_FOOT_H
#define BERTH_REPORT_RUN_FOOT_H

#include <stdio.h>

#include "device/profile.h"
#include "dock/file_runs.h"
#include "dock/output_files.h"

/* ", N interactions/s", where there were any, and the line's end. */
void berth_run_foot_interactions(FILE *file, double per_second);

/* How many poses --max_clash left out, where it did any. */
void berth_run_foot_left_out(FILE *file, unsigned long long poses);

/* A table of the kernels' device times, and the busy part of the devices' time. */
void berth_profile_print(FILE *file, const struct berth_profile *profile, double busy);

/* The profile of a docking (see berth_profile_print).  Errors: BERTH_E_DEVICE. */
enum berth_status berth_run_foot_profile(FILE *file, struct berth_docking *docking,
                                         struct berth_error *error);

/* The foot of `berth dock`, whose files these are, after so many seconds. */
void berth_run_foot_docking(FILE *file, const struct berth_file_docking *docking,
                            const struct berth_pose_files *files, double seconds);

#endif

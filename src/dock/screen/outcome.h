/* What the results of a screen are made of. */
#ifndef BERTH_DOCK_SCREEN_OUTCOME_H
#define BERTH_DOCK_SCREEN_OUTCOME_H

#include "dock/screen/records.h"
#include "format/library/library.h"
#include "format/score_row.h"

/* What the results are made of and where they go. */
struct berth_screen_outcome {
    const char *folder;                         /* borrowed */
    const struct berth_library_reader *library; /* borrowed */
    struct berth_library_range range;           /* the ligands that the records are of */
    struct berth_run_records *records;          /* borrowed */
    size_t top;                                 /* ligands in hits.sdf */
    size_t num_modes;                           /* of each of them, at most */
    double center[3];                           /* Å: of the site */
    unsigned long long seed;
    uint64_t failed; /* out: ligands that are rows of failures.csv */
};

/* What is said of a mode of a result, the first one unless the caller changes that; its devices,
 * terms and receptors are those of the records, which the row borrows from, as it does scores: the
 * result's in each receptor. */
struct berth_score_row berth_screen_row(const struct berth_result *result,
                                        const struct berth_pose *mode,
                                        const struct berth_run_records *records,
                                        const double *scores);

/* A property of the library as a column of scores.csv and a tag of hits.sdf: by its name, unless
 * that is one of ours or a term's. */
enum { BERTH_COLUMN_SIZE = 256 };
void berth_property_column(const char *name, const struct berth_run_records *records,
                           char column[BERTH_COLUMN_SIZE]);

#endif

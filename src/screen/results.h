/* What a screen writes: scores.csv, failures.csv and hits.sdf, made of its journals, and
 * hits.side_chains.pdb, where side chains move. */
#ifndef BERTH_SCREEN_RESULTS_H
#define BERTH_SCREEN_RESULTS_H

#include "dock/ranker.h"
#include "screen/required.h"
#include "format/failures.h"
#include "format/library/library.h"

/* The side chains of the poses in hits.sdf, a model for each. */
#define BERTH_HITS_MOVED "hits.side_chains.pdb"

struct berth_side_chains;

/* What the results are made of and where they go. */
struct berth_screen_outcome {
    const char *folder; /* borrowed */
    struct berth_screen_poses poses;
    const struct berth_ranker *ranker; /* borrowed; how ligands are ranked */
    size_t judged_top;                 /* see struct berth_ranks, as this: */
    bool again;
    size_t top; /* ligands in hits.sdf */
    unsigned long long seed;
    const char *const *unprepared; /* borrowed; [unprepared_count]: lists of what failed to come
                                      into the library (berth_ligands_recall), in its order */
    size_t unprepared_count;
    const struct berth_required_setup *required_setup; /* borrowed; NULL: nothing is asked for */
    struct berth_required *required; /* borrowed; made of that, for the records to look at */
    uint64_t docked;                 /* out: ligands with a result */
    uint64_t failed; /* out: ligands and molecules that are rows of failures.csv as failed */
    struct berth_reason commonest; /* out: of these, and of what was dropped */
};

/* Writes failures.csv, hits.sdf and scores.csv, all or none of them.  Errors: BERTH_E_IO,
 * BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_screen_results_write(struct berth_screen_outcome *outcome,
                                             struct berth_error *error);

/* BERTH_E_IO where the results could not be written to the folder: see berth_folder_probe. */
enum berth_status berth_screen_folder_check(const char *path, struct berth_error *error);

/* Removes what a run that was killed while it wrote results has left half written in the folder,
 * which nobody else may write to. */
void berth_screen_folder_sweep(const char *path);

/* Removes the results of an earlier run, but for its journal.  Errors: BERTH_E_IO. */
enum berth_status berth_screen_folder_empty(const char *path, struct berth_error *error);

#endif

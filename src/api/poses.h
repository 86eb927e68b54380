/* Ligands with their poses as the caller's callbacks take them: the sink of dockings and scorings.
 */
#ifndef BERTH_API_POSES_H
#define BERTH_API_POSES_H

#include "api/api.h"
#include "berth.h"
#include "dock/ranker.h"
#include "dock/stream/stream.h"
#include "format/failures.h"
#include "format/poses.h"

/* What the caller is told while a file is docked or scored. */
struct berth_api_caller {
    const struct berth_ligand_calls *calls; /* borrowed */
    struct berth_api_run *run;              /* borrowed: its progress */
    double pairs_per_atom;                  /* see berth_api_run_watch */
    double started;                         /* s */
    struct berth_failures *failures;        /* borrowed */
    const struct berth_ranker *ranker;      /* borrowed */
    bool searches;                          /* the modes are those of a search */
    const atomic_bool *until; /* borrowed, or NULL: true is as if the caller asked for the end */
    atomic_bool stop;         /* the caller asked for the end */
    /* Writes a ligand and its modes (NULL: it failed) to files. */
    enum berth_status (*write)(void *context, struct berth_stream_ligand *ligand,
                               struct berth_modes *modes, struct berth_error *error);
    /* The mode of this number, from 0, as SDF is to have it; NULL: poses are not given as SDF. */
    struct berth_pose_record (*record)(void *context, const struct berth_stream_ligand *ligand,
                                       const struct berth_modes *modes, size_t number);
    void *context; /* handed to both */
};

/* The sink that tells; telling is borrowed.  Errors of taking: BERTH_E_MEMORY, those of write. */
struct berth_mode_sink berth_api_sink(struct berth_api_caller *caller);

#endif

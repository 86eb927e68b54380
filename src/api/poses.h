/* Ligands with their poses as the caller's callbacks take them: the sink of dockings and scorings.
 */
#ifndef BERTH_API_POSES_H
#define BERTH_API_POSES_H

#include "api/api.h"
#include "berth.h"
#include "dock/stream/stream.h"
#include "format/failures.h"

/* What the caller is told while a file is docked or scored. */
struct berth_api_telling {
    const struct berth_ligand_calls *calls; /* borrowed */
    struct berth_api_run *run;              /* borrowed: its progress */
    double pairs_per_atom;                  /* see berth_api_run_watch */
    double started;                         /* s */
    struct berth_failures *failures;        /* borrowed */
    atomic_bool stop;                       /* the caller asked for the end */
    /* Writes a ligand and its modes (NULL: it failed) to files, or counts it. */
    enum berth_status (*write)(void *context, struct berth_stream_ligand *ligand,
                               struct berth_modes *modes, struct berth_error *error);
    void *context; /* handed to write */
    /* Poses as SDF, too: with these names of terms and this seed.  NULL: not. */
    const struct berth_term_names *sdf;
    unsigned long long seed;
    /* With sdf; NULL: what was scored, where neither is said. */
    const struct berth_devices *docked_by;
    const struct berth_receptor_names *receptors;
};

/* The sink that tells; telling is borrowed.  Errors of taking: BERTH_E_MEMORY, those of write. */
struct berth_mode_sink berth_api_sink(struct berth_api_telling *telling);

#endif

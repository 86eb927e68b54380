/* Ligands with their poses as the caller's callbacks take them: the sink of dockings and scorings.
 */
#ifndef BERTH_API_POSES_H
#define BERTH_API_POSES_H

#include "berth.h"
#include "dock/stream/stream.h"

/* What the caller is told while a file is docked or scored. */
struct berth_api_telling {
    const struct berth_ligand_calls *calls; /* borrowed */
    struct berth_progress progress;
    double started; /* s */
    /* Poses as SDF, too: with these names of terms and this seed.  NULL: not. */
    const struct berth_term_names *sdf;
    unsigned long long seed;
    /* With sdf; NULL: what was scored, where neither is said. */
    const struct berth_devices *docked_by;
    const struct berth_receptor_names *receptors;
};

/* The caller sets the last four. */
struct berth_api_telling berth_api_tell(const struct berth_ligand_calls *calls);

/* The sink that tells; telling is borrowed.  Errors of taking: BERTH_E_MEMORY. */
struct berth_mode_sink berth_api_sink(struct berth_api_telling *telling);

#endif

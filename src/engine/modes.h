/* The binding modes of a ligand: its best poses over all conformers, at least an RMSD apart. */
#ifndef BERTH_ENGINE_MODES_H
#define BERTH_ENGINE_MODES_H

#include "engine/search.h"
#include "model/ligand.h"
#include "model/rmsd.h"
#include "model/score_ref.h"

/* Which modes to keep, and what to measure them against. */
struct berth_mode_settings {
    double center[3];                       /* Å: the site's centre, the origin of translations */
    size_t count;                           /* modes at most */
    double min_rmsd;                        /* Å between modes, symmetry-corrected, heavy atoms */
    double energy_range;                    /* kJ/mol above the best; infinity: any */
    const struct berth_molecule *reference; /* borrowed; NULL: none */
};

struct berth_mode {
    size_t conformer; /* index into the ligand's conformers */
    double energy;    /* kJ/mol */
    struct berth_terms terms;
    struct berth_pose pose;
    double (*positions)[3]; /* owned; [atoms of the conformer]: Å, the receptor's frame */
    double rmsd;            /* to the reference, Å; negative where there is none that matches */
};

struct berth_modes {
    struct berth_mode *modes; /* owned; best first */
    size_t count;
};

/* Where the docked poses of a ligand's conformers are. */
struct berth_docked {
    const struct berth_packed_conformer *conformers; /* [conformers of the ligand] */
    const struct berth_pose *poses;                  /* [conformers][stride], best first */
    const size_t *counts;                            /* [conformers]: poses found */
    size_t stride;
};

/* Where a pose puts all atoms of a conformer, whose heavy atoms' centroid is given, with the site's
 * centre: [atoms of molecule], Å, the receptor's frame; owned by the caller.  NULL when out of
 * memory. */
double (*berth_pose_place(const struct berth_molecule *molecule, const double centroid[3],
                          const struct berth_pose *pose, const double center[3]))[3];

/* Finds the modes.  The caller clears *modes.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_modes_find(const struct berth_ligand *ligand,
                                   const struct berth_docked *docked,
                                   const struct berth_mode_settings *settings,
                                   struct berth_modes *modes, struct berth_error *error);

void berth_modes_clear(struct berth_modes *modes);

#endif

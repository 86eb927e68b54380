/* A ligand's modes relaxed (dock/relax/relaxation.h) before they are ranked: what is said of them
 * is said of where they come to. */
#ifndef BERTH_DOCK_RELAX_RELAXED_MODES_H
#define BERTH_DOCK_RELAX_RELAXED_MODES_H

#include "dock/modes.h"
#include "dock/relax/relaxation.h"
#include "dock/typed_receptor.h"

/* How many of a ligand's modes are relaxed in each receptor, at least: ranked anew, some of those
 * behind the ones that are wanted come before these. */
enum { BERTH_RELAXED_MODES = 20 };

struct berth_mode_relaxer {
    struct berth_relaxer *relaxer; /* owned; by the first function; one thread at a time */
    /* Borrowed: the heavy atoms of each receptor, by the types of each function. */
    const struct berth_heavy_atoms *receptors[BERTH_RECEPTORS_MAX][BERTH_FUNCTIONS_MAX];
    const struct berth_log *log; /* borrowed, or NULL; told of ligands that stay as they are */
};

/* Takes over receptors [count], borrowed as their functions are. */
void berth_mode_relaxer_receive(struct berth_mode_relaxer *mode_relaxer,
                                const struct berth_typed_receptor *const *receptors, size_t count);

/* Relaxes the modes, which have their positions and are a ligand's without restraints or bodies
 * beside it, and brings them into the order of their values: energies by all functions, what is
 * inside the ligand, clash and RMSD become those of the relaxed pose, and its conformer's strain
 * what berth_relax says.  Where one of them cannot be relaxed (BERTH_E_FORMAT) all stay as they
 * are, and the log is told.  Errors: those of berth_relax. */
enum berth_status berth_modes_relax(const struct berth_docked *docked,
                                    const struct berth_mode_settings *settings,
                                    struct berth_modes *modes, struct berth_error *error);

/* Keeps of the modes, in their order, those that are no nearer to one before than the settings say,
 * and so many in each receptor.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_modes_thin(const struct berth_docked *docked,
                                   const struct berth_mode_choice *choice,
                                   struct berth_modes *modes, struct berth_error *error);

#endif

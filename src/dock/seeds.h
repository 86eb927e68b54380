/* How far the seeds of a run agree: where each of them puts its first pose. */
#ifndef BERTH_DOCK_SEEDS_H
#define BERTH_DOCK_SEEDS_H

#include "dock/modes.h"

/* Counts, into each mode's `seeds`, the seeds whose first pose lies within BERTH_SAME_PLACE of it
 * (RMSD of heavy atoms, symmetry-corrected).  firsts: one of each seed that found any, with
 * positions; molecule: the ligand's, in any conformer.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_seeds_count(const struct berth_modes *firsts,
                                    const struct berth_molecule *molecule,
                                    struct berth_modes *modes, struct berth_error *error);

#endif

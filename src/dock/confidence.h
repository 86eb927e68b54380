/* How probably a ligand's first mode is right, within 2 Å of the crystal pose: what the ranking's
 * statement `confidence` makes of the mode and of how the ligand's others stand to it. */
#ifndef BERTH_DOCK_CONFIDENCE_H
#define BERTH_DOCK_CONFIDENCE_H

#include "dock/modes.h"

/* Å, over heavy atoms: poses within it are one place, the field's bound for a pose that is right.
 */
#define BERTH_SAME_PLACE 2.0

/* True where it depends on what a model says, which must have judged the modes. */
bool berth_confidence_learns(const struct berth_ranker *ranker);

/* Notes the confidence of the first of modes that the ranking has put in order, all that there are:
 * before their number is cut.  molecule: the ligand's, in any conformer; result: of the ligand.
 * Where the ranking does not say, a model has not judged yet that it looks at, or required
 * restraints that the first does not meet have chosen it, there is none.  Errors: BERTH_E_MEMORY.
 */
enum berth_status berth_confidence_find(struct berth_modes *modes,
                                        const struct berth_ranker *ranker,
                                        const struct berth_molecule *molecule,
                                        const struct berth_result *result,
                                        struct berth_error *error);

#endif

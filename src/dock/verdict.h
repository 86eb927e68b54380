/* What a ligand's modes say of how far they can be trusted, in words. */
#ifndef BERTH_DOCK_VERDICT_H
#define BERTH_DOCK_VERDICT_H

#include "dock/modes.h"

enum { BERTH_VERDICT = 192 };

/* Writes a line without its end: how probably the first mode is right, where that is known; which
 * modes in other places are as good as it; and whether the ligand has too many rotors.  "": nothing
 * is to be said.  molecule: the ligand's, in any conformer.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_verdict(const struct berth_modes *modes,
                                const struct berth_molecule *molecule, char text[BERTH_VERDICT],
                                struct berth_error *error);

#endif

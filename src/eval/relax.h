/* A rigid ligand moved downhill with the oracle, to the minimum that its pose belongs to.
 *
 * Written for checking: small steps along and about the axes (compass search) that are kept where
 * the double-precision energy falls, so that no energy is ever raised and nothing is left to
 * chance.  Slow on purpose; it needs no device and no gradient.
 */
#ifndef BERTH_EVAL_RELAX_H
#define BERTH_EVAL_RELAX_H

#include "score/score_ref.h"

/* Moves ligand (its positions, Å) to a minimum near by; *energy (kJ/mol) is what it has there, no
 * higher than where it stood.  No atom's step is above 0.5 Å.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_relax_rigid(const struct berth_scoring *scoring,
                                    const struct berth_heavy_atoms *receptor,
                                    struct berth_heavy_atoms *ligand, double *energy,
                                    struct berth_error *error);

#endif

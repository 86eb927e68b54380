/* The oracle: the energy of the scoring in double precision.
 *
 * Written straight from the formulas of docs/scoring.md, term by term with their conditions,
 * and independent of the kernels and of the ramp tables made for them: it is what
 * everything else is checked against.  Slow on purpose.
 *
 * Types with a role (score/plp.h) score by the piecewise linear potential, whose terms are, in its
 * own unit: the wall; hydrogen bonds, metals and like atoms; contacts.
 */
#ifndef BERTH_MODEL_SCORE_REF_H
#define BERTH_MODEL_SCORE_REF_H

#include "score/scoring.h"

/* Adds nothing, moves nothing: the terms of ligand as it stands against receptor (positions in
 * one common frame, Å; types index scoring->forcefield.types). */
struct berth_terms berth_score_ref(const struct berth_scoring *scoring,
                                   const struct berth_heavy_atoms *receptor,
                                   const struct berth_heavy_atoms *ligand);

/* The terms of one pair of types at distance r (Å). */
struct berth_terms berth_score_ref_pair(const struct berth_type *receptor,
                                        const struct berth_type *ligand, double r);

/* The derivative of their sum by r, kJ/mol/Å; at a kink the slope of the flat side, 0. */
double berth_score_ref_slope(const struct berth_type *receptor, const struct berth_type *ligand,
                             double r);

#endif

/* The oracle: energies in double precision.
 *
 * Each built-in function is written here by hand from its paper, term by term with its conditions,
 * and independent of data/scoring, of the compiler and of the kernels: it is what everything else
 * is checked against.  Slow on purpose.  BUDE's forcefield and the piecewise linear potential are
 * in this file, Vina and Vinardo in vina_ref.h.  A function of the user's own has no oracle; its
 * program in double precision stands in for one.
 */
#ifndef BERTH_SCORE_SCORE_REF_H
#define BERTH_SCORE_SCORE_REF_H

#include "score/scoring.h"

/* Adds nothing, moves nothing: the terms of ligand as it stands against receptor (positions in
 * one common frame, Å; types are scoring's). */
struct berth_terms berth_score_ref(const struct berth_scoring *scoring,
                                   const struct berth_heavy_atoms *receptor,
                                   const struct berth_heavy_atoms *ligand);

/* The terms of one pair of types at distance r (Å). */
struct berth_terms berth_score_ref_pair(const struct berth_scoring *scoring, int receptor,
                                        int ligand, double r);

/* The derivative of their sum by r, energy/Å; at a kink the slope of the flat side, 0. */
double berth_score_ref_slope(const struct berth_scoring *scoring, int receptor, int ligand,
                             double r);

#endif

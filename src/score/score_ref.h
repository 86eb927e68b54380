/* The reference: energies in double precision, by the expressions of the function itself
 * (language/program.h).  What devices compute is checked against it.  Slow on purpose.
 *
 * That the built-in functions' expressions are what their papers say is for
 * tests/unit/test_functions.c to check, which has each written by hand, term by term.
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

/* The derivative of their sum by r, energy/Å. */
double berth_score_ref_slope(const struct berth_scoring *scoring, int receptor, int ligand,
                             double r);

#endif

/* Derivatives of expressions by the distance of the two atoms.
 *
 * At a kink the derivative is that of one side.  A descent wants more: near a corner of the energy,
 * where minima are, a slope that points to where the energy falls on all sides.  With a sharpness
 * (1/Å) the slope does not jump there, but changes over 1 / sharpness Å:
 *     max(r, k) or min(r, k): half of it on either side of k;
 *     max(x, 0) or min(x, 0) with x a line in r: within where x counts, so that beyond its end
 *     there is nothing;
 *     a ramp: likewise, at both of its ends.
 * Kinks of other expressions stay as they are.
 */
#ifndef BERTH_SCORE_LANGUAGE_DERIVE_H
#define BERTH_SCORE_LANGUAGE_DERIVE_H

#include "score/language/expression.h"

struct berth_derivation {
    struct berth_graph *graph;
    int distance;  /* node of the symbol r */
    int inverse;   /* node of the symbol that stands for 1 / r; 0: there is none */
    int square;    /* node of the symbol that stands for r²; 0: there is none */
    int sharpness; /* node; 0: slopes jump at kinks */
    int *known;    /* borrowed; [BERTH_NODES_MAX], zeroed at first: derivatives so far, plus 1 */
};

/* The derivative of node. */
int berth_derive(const struct berth_derivation *derivation, int node);

#endif

/* The piecewise linear potential (PLP): the other way to score, by hydrogen bonds and contacts.
 *
 * Sources: D. K. Gehlhaar et al., Chem. Biol. 2 (1995) 317 (curves and depths of hydrogen bonds and
 * of contacts between non-polar atoms); O. Korb, T. Stützle, T. E. Exner, J. Chem. Inf. Model. 49
 * (2009) 84 (curves of the other kinds of pairs; depth of contacts of polar atoms).  A metal's bond
 * counts as two hydrogen bonds.
 *
 * A pair's energy, in PLP's own unit, is the sum of
 *     a wall: falls from hardness at r = 0, through 0 at `wall`, down to the depth;
 *     a well: depth S(1 - (r - begin) / (end - begin)), S(x) = min(max(x, 0), 1).
 * The wall is one line as long as the well is deep; as published it bends at `wall`, and meets the
 * well up to 0.13 Å farther out, a metal's 0.52 Å.  A pair that repels has a low slope instead of a
 * well.
 *
 * An atom's role comes from its parameters in BUDE's forcefield: without a charge, or a halogen
 * (classes '-' and P): non-polar; E, donor or acceptor as its partner needs: both; F without a
 * hydrophobic potential: metal; else donor or acceptor by the sign of q.
 */
#ifndef BERTH_SCORE_PLP_H
#define BERTH_SCORE_PLP_H

#include <stdbool.h>

#include "score/forcefield.h"

/* The figures of a pair. */
struct berth_plp_pair {
    double wall;       /* Å */
    double hardness;   /* at r = 0 */
    double begin, end; /* of the well, Å */
    double depth;      /* of the well, < 0; of the slope of a pair that repels, > 0 */
    bool polar;        /* a hydrogen bond, a metal's, or a pair of like atoms that repel */
};

/* Any roles but BERTH_ROLE_NONE; symmetric. */
struct berth_plp_pair berth_plp_pair(enum berth_role first, enum berth_role second);

/* Gives every type of the forcefield its role: from then on it scores by PLP. */
void berth_plp_use(struct berth_forcefield *forcefield);

#endif

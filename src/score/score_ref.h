/* The oracle: energies in double precision.
 *
 * Each built-in function is written here by hand from its paper, term by term with its conditions,
 * and independent of data/scoring, of the compiler and of the kernels: it is what everything else
 * is checked against.  Slow on purpose.  A function of the user's own has no oracle; its
 * program in double precision stands in for one.
 *
 * The piecewise linear potential (PLP): D. K. Gehlhaar et al., Chem. Biol. 2 (1995) 317 (curves and
 * depths of hydrogen bonds and of contacts between non-polar atoms); O. Korb, T. Stützle, T. E.
 * Exner, J. Chem. Inf. Model. 49 (2009) 84 (curves of the other kinds of pairs; depth of contacts
 * of polar atoms).  A metal's bond counts as two hydrogen bonds.
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
 *
 * Vina and Vinardo: O. Trott, A. J. Olson, J. Comput. Chem. 31 (2010) 455, with the weights of
 * AutoDock Vina 1.2; R. Quiroga, M. A. Villarreal, PLoS ONE 11 (2016) e0155183, with the radii that
 * AutoDock Vina 1.2.3 gives the atoms.  kcal/mol.
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

/* The derivative of their sum by r, energy/Å: of a built-in function by differences, between both
 * sides' at a kink. */
double berth_score_ref_slope(const struct berth_scoring *scoring, int receptor, int ligand,
                             double r);

/* What an atom is to the piecewise linear potential. */
enum berth_role {
    BERTH_ROLE_NONPOLAR,
    BERTH_ROLE_DONOR,
    BERTH_ROLE_ACCEPTOR,
    BERTH_ROLE_BOTH, /* donor or acceptor, as its partner needs */
    BERTH_ROLE_METAL
};

/* The role of a type of BUDE's forcefield. */
enum berth_role berth_plp_role(const struct berth_type *type);

#endif

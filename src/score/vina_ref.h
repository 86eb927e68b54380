/* The oracle of Vina's function and of Vinardo: what their papers say of a pair of atoms, in double
 * precision, and independent of data/scoring.
 *
 * O. Trott, A. J. Olson, J. Comput. Chem. 31 (2010) 455, with the weights of AutoDock Vina 1.2; R.
 * Quiroga, M. A. Villarreal, PLoS ONE 11 (2016) e0155183, with the radii that AutoDock Vina 1.2.3
 * gives the atoms.  kcal/mol.
 */
#ifndef BERTH_SCORE_VINA_REF_H
#define BERTH_SCORE_VINA_REF_H

#include <stdbool.h>

#include "score/terms.h"

/* The terms of two atoms of these types ("C_H" ..., see vina_typing.h) at r (Å), and the derivative
 * of their sum by r; slope may be NULL.  0 from 8 Å on. */
struct berth_terms berth_vina_ref(bool vinardo, const char *first, const char *second, double r,
                                  double *slope);

#endif

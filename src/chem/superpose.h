/* How alike two conformers are: the RMSD left after the best superposition. */
#ifndef BERTH_CHEM_SUPERPOSE_H
#define BERTH_CHEM_SUPERPOSE_H

#include <stddef.h>

/* Smallest RMSD (Å) between two sets of count positions over all rotations, atom by atom (no
 * symmetry).  Both sets must be centred on the origin.  Method: the largest eigenvalue of the
 * quaternion matrix by Newton's method (D. L. Theobald, Acta Cryst. A 61 (2005) 478). */
double berth_superposed_rmsd(const double (*a)[3], const double (*b)[3], size_t count);

/* Moves the centroid of the positions to the origin. */
void berth_center(double (*positions)[3], size_t count);

#endif

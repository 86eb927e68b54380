/* How far a pose twists conjugated bonds: no energy of a scoring function knows what that costs. */
#ifndef BERTH_CHEM_TWIST_H
#define BERTH_CHEM_TWIST_H

#include "base/error.h"
#include "chem/molecule.h"

/* The largest angle (degrees, 0 to 90) between the planes of a carbonyl group and of the aromatic
 * ring or double bond that it is conjugated with, where nothing beside the bond pushes it off: no
 * ortho group, no tertiary amide, no ring with the bond in it; *twist: NAN where there is none
 * such. positions: [atom_count of molecule], Å.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_largest_twist(const struct berth_molecule *molecule,
                                      const double (*positions)[3], double *twist,
                                      struct berth_error *error);

#endif

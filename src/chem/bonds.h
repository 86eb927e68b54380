/* Bonds from distances alone, for files that have none: which atoms are bonded, not how. */
#ifndef BERTH_CHEM_BONDS_H
#define BERTH_CHEM_BONDS_H

#include "base/error.h"
#include "chem/molecule.h"

/* Gives a molecule without bonds single ones between heavy atoms that are near enough (1.95 Å; 2.3
 * Å where one of them is of the third period or below).  Metals have none.  Errors: BERTH_E_MEMORY.
 */
enum berth_status berth_bonds_by_distance(struct berth_molecule *molecule,
                                          struct berth_error *error);

#endif

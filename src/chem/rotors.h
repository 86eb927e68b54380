/* How many bonds of a ligand turn, as AutoDock Vina counts them: what its score is divided by.
 *
 * Bonds that can turn in a PDBQT file of Open Babel's: single ones in no ring that are no bond of
 * an amide or amidine and whose atoms both have another neighbour, hydrogens on carbon aside.  Each
 * of the two atoms adds a half, unless the other one has no further heavy neighbour: a hydroxyl's
 * bond counts half.
 */
#ifndef BERTH_CHEM_ROTORS_H
#define BERTH_CHEM_ROTORS_H

#include "base/error.h"
#include "chem/molecule.h"

/* Writes the number for molecule, which has bonds, to *rotors: a whole number of halves.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_rotors_count(const struct berth_molecule *molecule, double *rotors,
                                     struct berth_error *error);

#endif

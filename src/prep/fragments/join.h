/* Joins fragments into a molecule: bond lengths, angles, stereo and rings are theirs; the bonds
 * between them are turned to angles that they like, and so that no two atoms clash. */
#ifndef BERTH_PREP_FRAGMENTS_JOIN_H
#define BERTH_PREP_FRAGMENTS_JOIN_H

#include "chem/conformers.h"
#include "chem/molecule.h"
#include "prep/fragments/fragment.h"

/* The molecule in at most so many structures, which differ in the shapes of fragments, the sum of
 * whose energies lies within a window (kJ/mol) above the lowest.  As RDKit builds it: heavy atoms
 * in the order of its SMILES, hydrogens behind them, Mol2 types, orders of bonds, charges, the
 * first structure's positions; the structures, that of the lowest energy first, with their
 * energies. The caller clears both, also after an error.  Errors: BERTH_E_FORMAT (it clashes
 * however its bonds are turned; the parts do not fit each other), BERTH_E_MEMORY. */
enum berth_status berth_fragments_join(const struct berth_fragment_parts *parts, size_t most,
                                       double window, struct berth_molecule *molecule,
                                       struct berth_conformers *structures,
                                       struct berth_error *error);

#endif

/* Bond orders from where heavy atoms stand.
 *
 * After P. Labute, On the perception of molecules from 3D atomic coordinates, J. Chem. Inf. Model.
 * 45 (2005) 215: which atoms are flat follows from their neighbours' directions and the lengths of
 * their bonds, and flat atoms then share double bonds so that every carbon has one.  Here that is
 * the maximum matching of chem/kekule.h, in which nitrogens come after carbons: one that stays
 * without a double bond has a hydrogen.
 */
#ifndef BERTH_CHEM_BOND_PERCEPTION_H
#define BERTH_CHEM_BOND_PERCEPTION_H

#include "base/error.h"
#include "chem/molecule.h"

/* Gives the molecule's bonds, which are between heavy atoms and single (berth_bonds_by_distance),
 * orders, and its atoms charges (of nitro groups, N-oxides and aromatic cations; acids and amines
 * stay neutral).  hydrogens, [atom_count], says which atoms are known to have one (NULL: none is),
 * so that an acid's double bond is not that of its hydroxyl.  *found is false, and all bonds stay
 * single, where there is no such structure: a flat carbon is left over, or nitrogens stand in a
 * row.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_bonds_perceive(struct berth_molecule *molecule, const bool *hydrogens,
                                       bool *found, struct berth_error *error);

#endif

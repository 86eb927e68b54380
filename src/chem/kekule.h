/* Integer bond orders and formal charges for a molecule whose bonds are Mol2's: what SDF needs.
 *
 * Where RDKit has built it, they are known (has_orders).  Else, in Mol2 as it stands and from Open
 * Babel:
 * Aromatic bonds become alternating single and double bonds by maximum matching (Edmonds' blossom
 * algorithm, exact) over the atoms that must or may have a double bond; oxo groups (carboxylate,
 * nitro, sulfonate, phosphate) are settled before it.  Where the hydrogens are explicit, as Mol2
 * asks, charges follow from the valences.
 */
#ifndef BERTH_CHEM_KEKULE_H
#define BERTH_CHEM_KEKULE_H

#include "base/error.h"
#include "chem/molecule.h"

struct berth_kekule {
    int *orders;  /* owned; [bond_count]: 1, 2, 3; 4 where no Kekulé structure exists (or the
                     aromatic system is above 2000 atoms); 0 for no bond ("nc") */
    int *charges; /* owned; [atom_count], elementary charges */
};

/* Finds orders and charges of molecule, or copies them where they are known.  The caller clears
 * *kekule.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_kekule_find(const struct berth_molecule *molecule,
                                    struct berth_kekule *kekule, struct berth_error *error);

void berth_kekule_clear(struct berth_kekule *kekule);

#endif

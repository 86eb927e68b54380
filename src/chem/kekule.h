/* Integer bond orders and formal charges for a molecule whose bonds are Mol2's: what SDF needs.
 * (For others, chem/facts.h has them.)
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

#include "chem/bonds.h"

/* Finds *orders [bond_count] (1, 2, 3; 4 where no Kekulé structure exists, or the aromatic system
 * is above 2000 atoms; 0 for no bond, "nc") and *charges [atom_count] (elementary charges) by the
 * molecule's adjacency, or copies them where they are known.  The caller frees both, also after an
 * error.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_kekule_find(const struct berth_molecule *molecule,
                                    const struct berth_adjacency *adjacency, int **orders,
                                    int **charges, struct berth_error *error);

#endif

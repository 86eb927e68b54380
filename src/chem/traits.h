/* What an atom is beside its element and Mol2 type: what typing rules of scoring functions ask for.
 *
 * Where the hydrogens of a residue are there, they are counted; where it has none (receptors, most
 * often), those of N, O and S follow from type and neighbours.  Bonds are the molecule's own; where
 * it has none, atoms are bonded within 1.1 times the sum of their covalent radii.
 */
#ifndef BERTH_CHEM_TRAITS_H
#define BERTH_CHEM_TRAITS_H

#include "base/bytes.h"
#include "chem/bonds.h"

/* Writes the traits of all heavy atoms of molecule to traits [atom_count], each at its atom's
 * number; those that the molecule has already (has_traits) are copied.  (For others, chem/facts.h
 * has them.)  Errors: BERTH_E_MEMORY. */
enum berth_status berth_traits_find(const struct berth_molecule *molecule,
                                    const struct berth_adjacency *adjacency,
                                    struct berth_traits *traits, struct berth_error *error);

/* The traits as three bytes, in libraries and receptor files alike. */
void berth_put_traits(struct berth_bytes *bytes, const struct berth_traits *traits);

/* False where they are none. */
bool berth_get_traits(struct berth_cursor *cursor, struct berth_traits *traits);

enum berth_hybrid {
    BERTH_HYBRID_OTHER,  /* metals, dummy atoms, halogens */
    BERTH_HYBRID_LINEAR, /* sp */
    BERTH_HYBRID_SP3,
    BERTH_HYBRID_SP2,
    BERTH_HYBRID_AROMATIC /* sp2, and Mol2 calls it aromatic */
};

/* Of an atom of this Mol2 type: C.ar is aromatic, N.am is sp2, S.o2 (tetrahedral) is sp3. */
enum berth_hybrid berth_hybrid_of_type(const char *type);

#endif

/* Rings whose "ar" bonds are no aromatic ring's to Sybyl, though RDKit's and Open Babel's models
 * count them so: uracil, pyridones, cytosine, coumarin, tropone.
 *
 * A ring is aromatic where no double bond leads from it out of aromatic rings.  Readers of Mol2
 * cannot find single and double bonds for the others, nor for charged rings (imidazolium,
 * pyridinium, tetrazolide), as Mol2 has no charges.
 */
#ifndef BERTH_CHEM_LOCALISE_H
#define BERTH_CHEM_LOCALISE_H

#include "base/error.h"
#include "chem/bonds.h"

/* Gives the bonds of rings that are not aromatic their orders (1, 2, am), and the atoms that are in
 * such rings alone their types: C.2, N.2, N.am beside a carbonyl, N.pl3, O.3, S.3.  Nothing where
 * no Kekulé structure is to be had.  Needs hydrogens.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_localise_rings(struct berth_molecule *molecule, struct berth_error *error);

/* The same, by the molecule's adjacency, orders [bond_count] and charges [atom_count]. */
enum berth_status berth_localise_by(struct berth_molecule *molecule,
                                    const struct berth_adjacency *adjacency, const int *orders,
                                    const int *charges, struct berth_error *error);

/* Gives the bonds of charged aromatic rings, and of those that depend on them, their orders; the
 * types of their atoms stay.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_localise_charged(struct berth_molecule *molecule,
                                         struct berth_error *error);

/* The type of an atom, bonded to so many, of a flat ring that has single and double bonds: C.2,
 * N.2, N.pl3, O.3 or S.3; NULL for elements that stay as they are. */
const char *berth_localised_type(int element, size_t degree);

#endif

/* Which nitrogens of rings have a hydrogen, where heavy atoms alone are known.
 *
 * A matching gives as many nitrogens as it can a double bond (chem/bond_perception.h): guanine
 * would lose two hydrogens.  Where two nitrogens with one more each make rings aromatic, they have
 * them. And in rings of five (pyrazoles, imidazoles, triazoles, tetrazoles and what they are fused
 * to) forms are of much the same energy: what stands around the molecule says which nitrogen has
 * it.
 */
#ifndef BERTH_CHEM_RING_HYDROGENS_H
#define BERTH_CHEM_RING_HYDROGENS_H

#include "base/error.h"
#include "chem/molecule.h"

/* Both take heavy atoms, whose bonds are of the types "1", "2" and "3" (a Kekulé structure) and
 * move double bonds: orders and types alike.  Errors: BERTH_E_MEMORY. */

/* Gives pairs of nitrogens of two bonds a hydrogen each where more rings of five and six are
 * aromatic with them: have 6 electrons, by Hückel's rule; less those with 8.  Of two nitrogens
 * that may have a hydrogen, it goes to that which makes a ring aromatic, else next to a carbonyl
 * group, else not next to an amidine's carbon, else to where two rings meet.  known [atom_count]:
 * who has hydrogens in the file; where a nitrogen of two bonds is among them, only they get any. */
enum berth_status berth_ring_hydrogens_add(struct berth_molecule *molecule, const bool *known,
                                           struct berth_error *error);

/* An atom around the molecule that only gives, or only takes, hydrogen bonds; a metal, which lone
 * pairs bind, is as one that gives. */
struct berth_partner {
    double position[3]; /* Å */
    bool gives;
};

/* Moves hydrogens of rings of five to where more of the partners ([count]) that are in reach and in
 * line with a nitrogen's third bond fit: one that takes at its hydrogen, one that gives at its lone
 * pair.  Where none says which, nothing moves.  *moved: how many did. */
enum berth_status berth_ring_hydrogens_settle(struct berth_molecule *molecule,
                                              const struct berth_partner *partners, size_t count,
                                              size_t *moved, struct berth_error *error);

#endif

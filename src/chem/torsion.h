/* The torsion tree of a ligand: its rotatable bonds and the atoms that each one moves. */
#ifndef BERTH_CHEM_TORSION_H
#define BERTH_CHEM_TORSION_H

#include <stddef.h>
#include <stdint.h>

#include "chem/facts.h"

/* A rotatable bond.  Turning it moves the atoms on the far side of `second`; neither of the two
 * moves.  Atoms are indices into the atoms of whatever the tree belongs to: all atoms of a
 * molecule, or the heavy atoms alone in the docking stream of a library (format/library/library.h).
 */
struct berth_torsion {
    uint32_t first, second; /* heavy atoms */
    size_t moved_start;     /* its atoms are moved[moved_start .. moved_start + moved_count) */
    size_t moved_count;
};

/* A zeroed tree has no rotatable bond. */
struct berth_torsion_tree {
    struct berth_torsion *torsions; /* owned; bonds nearer to the root first */
    size_t count, capacity;
    uint32_t *moved; /* owned; the moved atoms of all torsions, ascending within each */
    size_t moved_count, moved_capacity;
};

/* Derives the tree, over all atoms of molecule, from its bonds and Mol2 types.
 *
 * A bond can turn where it is single and in no ring, joins two heavy atoms that both have a further
 * heavy neighbour, and is no conjugated C-N (amides, amidines, guanidines, ureas, carbamates;
 * anilines do turn).  Of the bonds at the two ends of linear atoms, as of -C#C-, one turns, where
 * both are such bonds: their axis is the same.  It moves the side with fewer heavy
 * atoms, so that the sides of any two bonds are nested or apart.  The caller clears *tree.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_torsion_tree_find(const struct berth_molecule *molecule,
                                          struct berth_torsion_tree *tree,
                                          struct berth_error *error);

/* The same where the atom `root` stays: each bond moves the side without it. */
enum berth_status berth_torsion_tree_find_from(const struct berth_molecule *molecule, size_t root,
                                               struct berth_torsion_tree *tree,
                                               struct berth_error *error);

/* Turns what a torsion moves by an angle (rad), right-handed about its axis as it lies; positions
 * are `stride` bytes apart.  An angle of 0 leaves them as they are, to the last bit. */
void berth_torsion_turn(const struct berth_torsion_tree *tree, size_t t, double angle,
                        void *positions, size_t stride);

/* Frees what the tree owns and zeroes it; NULL and a zeroed tree are accepted. */
void berth_torsion_tree_clear(struct berth_torsion_tree *tree);

/* Of a molecule whose traits are known: the tree of the bonds that turn in a PDBQT file of Open
 * Babel's, as AutoDock Vina counts them:
 * single ones in no ring that are no bond of an amide or amidine and whose atoms both have another
 * neighbour, hydrogens on carbon aside.  Hydroxyl groups and amines turn in it. */
enum berth_status berth_torsion_tree_find_vina(const struct berth_facts *facts,
                                               struct berth_torsion_tree *tree,
                                               struct berth_error *error);

/* How many bonds of a ligand turn, as AutoDock Vina counts them: what its score is divided by.
 *
 * Of the bonds of that tree each of the two atoms adds a half, unless the other one has no further
 * heavy neighbour: a hydroxyl's bond counts half.
 */

/* Writes the number for a molecule with bonds to *rotors: a whole number of halves.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_rotors_count(const struct berth_facts *facts, double *rotors,
                                     struct berth_error *error);

#endif

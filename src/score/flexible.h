/* A ligand whose rotatable bonds turn: what turns, and the energy of a flexible pose, in double
 * precision.  Like score_ref.h it is the oracle for the kernels, and slow on purpose.
 *
 * A flexible pose of a conformer is a transform and an angle for each torsion.  To place it, each
 * torsion, nearest the root first, turns the atoms that it moves by its angle (rad, right-handed
 * about the axis first -> second as it lies then); then the transform moves all atoms, with the
 * heavy-atom centroid of the conformer as it was given, before anything turned, as its origin.  So
 * with all angles 0 it is the rigid pose.
 *
 * Beside the ligand there may be bodies whose root is fixed (score/bodies.h): their atoms stand
 * behind the ligand's, in the receptor's frame, and torsions alone move them.  The last of them are
 * still: parts of the receptor that are near to the others in terms of bonds, so that only far
 * pairs with them count, and which the rest of the receptor therefore lacks.  A ligand that is
 * bonded to the receptor hangs from such atoms; its root is held.
 *
 * The energy is that of the rigid pose's terms between receptor and ligand, fixed bodies included,
 * and the strain: the same pair energies summed over the far pairs of ligand atoms, less that sum
 * in the conformer as it was given.  Far are two heavy atoms as many or more bonds apart as the
 * scoring function says (four) that some torsion moves against each other; the atoms of its axis
 * are not moved against any.  What fixed bodies have of the rest of the receptor and of each other
 * is a part of its own, relative to the same bodies as they were given.
 */
#ifndef BERTH_SCORE_FLEXIBLE_H
#define BERTH_SCORE_FLEXIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/log.h"
#include "score/restraint.h"
#include "score/scoring.h"
#include "chem/geometry.h"
#include "score/score_ref.h"
#include "chem/torsion.h"

/* Torsions of a ligand that turn, at most: what a work-group's local memory has room for.  Of more,
 * those turn that move the most atoms; the others stay as they are. */
enum { BERTH_FLEXIBLE_TORSIONS_MAX = 48 };

/* Four atoms about a torsion's axis: a neighbour of its first atom, the axis, one of its second. */
struct berth_dihedral {
    uint32_t torsion, first, last;
    uint32_t row; /* of the scoring function's torsional term */
};

/* Dihedrals of a torsion, at most; one that has more has no torsional energy. */
enum { BERTH_FLEXIBLE_DIHEDRALS_MAX = 16 };

/* What turns in a ligand: the same for all its conformers.  Atoms are indices into its heavy
 * atoms. */
struct berth_flexible {
    size_t atom_count;  /* 1 .. BERTH_LIGAND_FLEXIBLE_MAX */
    size_t free_count;  /* of them, the first: those of a ligand, whose root is free */
    size_t still_count; /* of them, the last: those of fixed bodies that none moves */
    bool held;          /* the ligand's root is: its transform stays the one that it was given in */
    struct berth_torsion_tree tree; /* owned; count at most BERTH_FLEXIBLE_TORSIONS_MAX, each moves
                                       an atom */
    size_t fixed;                   /* torsions beyond that number, which do not turn */
    uint32_t *far;                  /* owned; [atom_count][words]: bit j % 32 of word j / 32 of row
                                       i is set where i and j are far; symmetric */
    uint32_t *bonded; /* owned; likewise: which atoms are bonded, and each to itself; NULL where
                         that is not known */
    size_t words;     /* ceil(atom_count / 32) */
    struct berth_dihedral *dihedrals; /* owned; in order of torsion: of those with an energy */
    size_t dihedral_count;
    bool torsional; /* they are those of a function that has a torsional term */
};

/* Warns that not all of a ligand's torsions are flexible. */
void berth_flexible_warn(const struct berth_flexible *flexible, const char *ligand,
                         const struct berth_log *log);

/* Finds what turns in molecule from its bonds and Mol2 types.  apart: how many bonds far atoms are
 * apart, at least; see berth_scoring_apart.  The caller clears *flexible.
 * Errors: BERTH_E_USAGE (no heavy atoms, or more than BERTH_LIGAND_FLEXIBLE_MAX), BERTH_E_MEMORY.
 */
enum berth_status berth_flexible_find(const struct berth_molecule *molecule, size_t apart,
                                      struct berth_flexible *flexible, struct berth_error *error);

/* The same of a ligand that is held, in a molecule with what holds it: the atom `root` stays.
 * places: [atom_count]: of each atom among count heavy ones, of which the last `still` are no part
 * of the ligand; SIZE_MAX of hydrogens. */
struct berth_held {
    size_t root;
    const size_t *places;
    size_t count, still;
};
enum berth_status berth_flexible_find_held(const struct berth_molecule *molecule,
                                           const struct berth_held *held, size_t apart,
                                           struct berth_flexible *flexible,
                                           struct berth_error *error);

/* The same for a ligand whose torsion tree over its heavy atoms is known, and whose bonds are not,
 * as in the docking stream of a library: which atoms are bonded is taken from the distances in
 * conformer, any one of its conformers.  Errors: those of berth_flexible_find, and BERTH_E_FORMAT
 * where the tree is none (atoms out of range, a bond that moves its own axis, sides that are
 * neither nested nor apart, outer bonds first). */
enum berth_status berth_flexible_from_tree(const struct berth_heavy_atoms *conformer,
                                           const struct berth_torsion_tree *tree, size_t apart,
                                           struct berth_flexible *flexible,
                                           struct berth_error *error);

/* Finds the dihedrals that the function's torsional term has an energy for, if it has one: between
 * all heavy neighbours of either atom of a torsion's axis, whose hybridisation heavy says.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_flexible_twist(const struct berth_scoring *scoring,
                                       const struct berth_heavy_atoms *heavy,
                                       struct berth_flexible *flexible, struct berth_error *error);

/* Frees what it owns and zeroes it; NULL and a zeroed one are accepted. */
void berth_flexible_clear(struct berth_flexible *flexible);

bool berth_flexible_is_far(const struct berth_flexible *flexible, size_t i, size_t j);

/* Places the heavy atoms of a conformer (in its own frame).  angles: [flexible->tree.count], rad.
 * placed->atoms has room for conformer->count atoms, and may be conformer->atoms. */
void berth_flexible_place(const struct berth_flexible *flexible,
                          const struct berth_heavy_atoms *conformer,
                          const struct berth_transform *transform, const double *angles,
                          struct berth_heavy_atoms *placed);

/* Places all atoms of a conformer, hydrogens included, by the same angles.  tree: over all atoms of
 * molecule, as berth_torsion_tree_find or a library gives it; its torsions that move no heavy atom,
 * or are fixed, stay as they are.  positions: [atom_count], Å. */
void berth_flexible_place_molecule(const struct berth_molecule *molecule,
                                   const struct berth_torsion_tree *tree,
                                   const struct berth_transform *transform, const double *angles,
                                   double (*positions)[3]);

/* What an energy is about; everything is borrowed. */
struct berth_flexible_system {
    const struct berth_scoring *scoring;
    const struct berth_heavy_atoms *receptor; /* in the frame of the transforms' translations,
                                                 without the fixed bodies */
    const struct berth_flexible *flexible;
    const struct berth_heavy_atoms *conformer; /* as it was given; the strain is relative to it */
    const struct berth_places *places;         /* in the receptor's frame; NULL: there are none */
    const struct berth_restrained *restrained; /* NULL: nothing is */
};

/* The torsional term of a ligand whose heavy atoms stand there: for each torsion the mean of what
 * its dihedrals have. */
double berth_flexible_torsional(const struct berth_scoring *scoring,
                                const struct berth_flexible *flexible,
                                const struct berth_heavy_atoms *atoms);

/* The same of a molecule as it stands, whose heavy atoms these are; 0 where the function has no
 * such term, or the molecule is too large to be flexible.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_flexible_standing(const struct berth_scoring *scoring,
                                          const struct berth_molecule *molecule,
                                          const struct berth_heavy_atoms *heavy, double *torsional,
                                          struct berth_error *error);

/* kJ/mol; the total is their sum. */
struct berth_flexible_energy {
    struct berth_terms terms; /* between receptor and ligand; and the torsional one */
    /* The other parts (BERTH_POSE_PARTS), relative ones to `begun`: what they are in the conformer;
     * 0 for the others. */
    double parts[BERTH_PART_COUNT], begun[BERTH_PART_COUNT];
};

/* The restraints' part of placed heavy atoms. */
double berth_flexible_restraint(const struct berth_flexible_system *system,
                                const struct berth_heavy_atoms *placed);

/* The parts of atoms where they stand, relative to nothing. */
void berth_flexible_parts(const struct berth_flexible_system *system,
                          const struct berth_heavy_atoms *atoms, double parts[BERTH_PART_COUNT]);

/* The energy of placed heavy atoms, and its total. */
struct berth_flexible_energy berth_flexible_energy(const struct berth_flexible_system *system,
                                                   const struct berth_heavy_atoms *placed);
double berth_flexible_total(const struct berth_flexible_energy *energy);

#endif

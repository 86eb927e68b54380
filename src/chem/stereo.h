/* The stereo of a molecule: how the neighbours of its centres and double bonds lie.
 *
 * What a docking cannot change: tetrahedral centres with three or four heavy neighbours (carbon,
 * silicon, phosphorus, sulfur and the like; nitrogen with four, since with three it inverts), and
 * double bonds that do not turn.  A bond that one drawing of amidines, guanidines and their like
 * has double, and another single, is none of these.
 */
#ifndef BERTH_CHEM_STEREO_H
#define BERTH_CHEM_STEREO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "chem/molecule.h"

enum { BERTH_STEREO_ATOMS = 5 };

/* A centre or a double bond. */
struct berth_stereo_element {
    bool double_bond;
    /* A centre, its first three heavy neighbours, and the fourth or SIZE_MAX; or the ends of a
     * double bond, a heavy neighbour of the first and one of the second, and SIZE_MAX. */
    size_t atoms[BERTH_STEREO_ATOMS];
    /* A centre: 1 where the three turn to the right seen from the fourth, or from where it would
     * be, -1 to the left.  A double bond: 1 where its neighbours are cis, -1 trans. */
    int sign;
};

struct berth_stereo {
    struct berth_stereo_element *elements; /* owned; [count] */
    size_t count, capacity;
};

/* Finds the elements by molecule's bonds, and their signs by positions ([atom_count], Å; NULL: its
 * own), by the numbers of its atoms.  What is too flat or too twisted to tell is left out, and so
 * is what could not differ: an element with two atoms of one kind that have no further neighbours.
 * The caller clears *stereo.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_stereo_find(const struct berth_molecule *molecule,
                                    const double (*positions)[3], struct berth_stereo *stereo,
                                    struct berth_error *error);

/* Leaves out what no isomers differ by: elements with neighbours that are alike, unless these are
 * in a ring or there are other centres, which may tell them apart.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_stereo_thin(const struct berth_molecule *molecule,
                                    struct berth_stereo *stereo, struct berth_error *error);

void berth_stereo_clear(struct berth_stereo *stereo);

/* *agrees: some isomorphism of the heavy atoms (chem/rmsd.h) of `from` and `to`, whose bonds'
 * orders may be unknown, keeps all elements of the former's stereo at positions (NULL: its own).
 * What is too flat in `to`, or a single bond there among others of higher order, contradicts
 * nothing.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_stereo_agrees(const struct berth_molecule *from,
                                      const double (*positions)[3], const struct berth_molecule *to,
                                      bool *agrees, struct berth_error *error);

#endif

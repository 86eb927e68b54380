/* Joins fragments into a molecule: bond lengths, angles, stereo and rings are theirs; the bonds
 * between them are turned to angles that they like, and so that no two atoms clash. */
#ifndef BERTH_PREP_FRAGMENTS_JOIN_H
#define BERTH_PREP_FRAGMENTS_JOIN_H

#include "chem/conformers.h"
#include "chem/molecule.h"
#include "prep/fragments/fragment.h"

/* A molecule that was cut (tools/rdkit/fragments.py).  Everything is borrowed. */
struct berth_fragment_parts {
    const struct berth_fragment *const
        *fragments; /* [fragment_count], each of which can be built */
    size_t fragment_count;
    const uint32_t *order; /* [order_count]: of each fragment's atoms in turn the molecule's, or
                              from atom_count on, the number of a cap */
    size_t order_count;
    size_t atom_count;         /* of the molecule, hydrogens aside */
    const uint16_t (*cuts)[2]; /* [cut_count]: the atoms whose bonds were cut */
    size_t cut_count;
    const uint16_t (*caps)[2]; /* [cap_count]: the atom that a cap stands for, and the one that has
                                  it */
    size_t cap_count;
};

struct berth_fragment_request {
    size_t structures; /* at most; they differ in the shapes of fragments */
    double window;     /* kJ/mol: of the sum of their fragments' energies above the lowest */
};

/* The molecule as RDKit builds it: heavy atoms in the order of its SMILES, hydrogens behind them,
 * Mol2 types, orders of bonds, charges, the first structure's positions; the structures, that of
 * the lowest energy first, and their energies (kJ/mol, the caller frees them).  The caller clears
 * all three, also after an error.  Errors: BERTH_E_FORMAT (it clashes however its bonds are turned;
 * the parts do not fit each other), BERTH_E_MEMORY. */
enum berth_status berth_fragments_join(const struct berth_fragment_parts *parts,
                                       const struct berth_fragment_request *request,
                                       struct berth_molecule *molecule,
                                       struct berth_conformers *structures, double **energies,
                                       struct berth_error *error);

#endif

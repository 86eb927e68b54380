/* A molecule as SMILES: its atoms, bonds, charges and stereo. */
#ifndef BERTH_FORMAT_SMILES_SMILES_WRITE_H
#define BERTH_FORMAT_SMILES_SMILES_WRITE_H

#include "base/bytes.h"
#include "base/error.h"
#include "chem/molecule.h"
#include "chem/stereo.h"

/* What SMILES say; everything is borrowed. */
struct berth_smiles_subject {
    const struct berth_molecule *molecule;
    const bool *aromatic; /* [atom_count]: atoms in small letters; NULL: none, all in a Kekulé
                             structure, as the others are */
    const struct berth_stereo *stereo; /* of the molecule; NULL: nothing is said of it */
};

/* Appends the SMILES of the molecule's heavy atoms, its hydrogens as counts, to text (no 0 at the
 * end), and writes the atoms in their order to order [atom_count].  *known is false, and nothing is
 * appended, where there is none to be had: no hydrogens, no Kekulé structure, more than 1,000 heavy
 * atoms or 99 rings.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_smiles_write(const struct berth_smiles_subject *subject,
                                     struct berth_bytes *text, size_t *order, bool *known,
                                     struct berth_error *error);

#endif

/* A molecule as SMILES: its atoms, bonds and charges, without stereo, which coordinates beside them
 * have. */
#ifndef BERTH_FORMAT_SMILES_SMILES_WRITE_H
#define BERTH_FORMAT_SMILES_SMILES_WRITE_H

#include "base/bytes.h"
#include "base/error.h"
#include "chem/molecule.h"

/* Appends the SMILES of molecule's heavy atoms, its hydrogens as counts, to text (no 0 at the end),
 * those that are aromatic ([atom_count]; NULL: none) in small letters, all others in a Kekulé
 * structure, and writes the atoms in their order to order [atom_count].  *known is false, and
 * nothing is appended, where there is none to be had: no hydrogens, no Kekulé structure, more than
 * 1,000 heavy atoms or 99 rings.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_smiles_write(const struct berth_molecule *molecule, const bool *aromatic,
                                     struct berth_bytes *text, size_t *order, bool *known,
                                     struct berth_error *error);

#endif

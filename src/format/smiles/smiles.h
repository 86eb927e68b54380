/* Whether text is SMILES at all.  Programs mend what is not, and make another molecule of it. */
#ifndef BERTH_FORMAT_SMILES_SMILES_H
#define BERTH_FORMAT_SMILES_SMILES_H

#include <stddef.h>

#include "base/error.h"
#include "chem/facts.h"
#include "chem/stereo.h"
#include "base/bytes.h"
#include "chem/molecule.h"

/* Looks through size bytes of text (borrowed), up to a blank.  BERTH_E_FORMAT, with the place, for
 * a parenthesis, bracket, ring or bond that is left open or out of place, and a symbol that SMILES
 * do not have.  What is in brackets, valences and aromaticity are left to others. */
enum berth_status berth_smiles_check(const char *text, size_t size, struct berth_error *error);

/* What to do with it, to be said behind a path that cannot be opened, where it is SMILES; else "".
 */
const char *berth_smiles_hint(const char *path);

/* --- A molecule as SMILES: its atoms, bonds, charges and stereo --- */

/* Appends the SMILES of the molecule's heavy atoms, its hydrogens as counts, to text (no 0 at the
 * end), and writes the atoms in their order to order [atom_count].  facts: with orders.  small:
 * atoms that they say are aromatic have small letters; else all have a Kekulé structure, as the
 * others do.  stereo: of the molecule; NULL: nothing is said of it.  *known is false, and nothing
 * is appended, where there is none to be had: no hydrogens, no Kekulé structure, more than 1,000
 * heavy atoms or 99 rings.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_smiles_write(const struct berth_facts *facts, bool small,
                                     const struct berth_stereo *stereo, struct berth_bytes *text,
                                     size_t *order, bool *known, struct berth_error *error);

#endif

/* Whether bonds that were perceived can be true: against valences, and against the geometry that
 * they were perceived from. */
#ifndef BERTH_PREP_CONTRADICTION_H
#define BERTH_PREP_CONTRADICTION_H

#include "base/error.h"
#include "chem/molecule.h"

enum { BERTH_CONTRADICTION_SIZE = 200 };

/* Writes the first thing that cannot be true of the molecule (its bonds, of the types "1", "2",
 * "3", "ar" and "am", and its atoms' elements and positions; Mol2 types play no part) into text, or
 * "": too many bonds on an atom, or too few where the molecule has its hydrogens; a linear atom
 * that is bent, a flat one that is a pyramid, a tetrahedral one that is flat; a single bond as
 * short as an aromatic one.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_contradiction_find(const struct berth_molecule *molecule,
                                           char text[BERTH_CONTRADICTION_SIZE],
                                           struct berth_error *error);

#endif

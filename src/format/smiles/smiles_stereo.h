/* The stereo that SMILES say: their @, @@, / and \. */
#ifndef BERTH_FORMAT_SMILES_SMILES_STEREO_H
#define BERTH_FORMAT_SMILES_SMILES_STEREO_H

#include <stddef.h>

#include "base/error.h"
#include "chem/stereo.h"

/* Reads it from text, up to a blank, by the numbers of its atoms from 0 in its order, those aside
 * that are hydrogens ([H]), of which there are *atoms.  What other classes than tetrahedral centres
 * say is left out, and so are centres with two neighbours besides one that is followed by none.
 * text is SMILES (berth_smiles_check).  The caller clears *stereo.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_smiles_stereo(const char *text, struct berth_stereo *stereo, size_t *atoms,
                                      struct berth_error *error);

#endif

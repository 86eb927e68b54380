/* A molecule in its place from a file of any format, for what needs its atoms and which of them are
 * bonded, not the orders of the bonds: a box about it, RMSDs to it. */
#ifndef BERTH_PREP_POSED_FILE_H
#define BERTH_PREP_POSED_FILE_H

#include "base/error.h"
#include "chem/molecule.h"

/* Reads the one molecule of path: Mol2 by our own reader; PDB, PDBQT and mmCIF as structures, whose
 * bonds are single; by their endings.  SDF (.sdf, .sd, .mol) goes through Open Babel.  The caller
 * clears *molecule.  Errors: those of the readers; BERTH_E_IO (Open Babel). */
enum berth_status berth_posed_read(const char *path, struct berth_molecule *molecule,
                                   struct berth_error *error);

#endif

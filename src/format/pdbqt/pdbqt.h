/* Poses as PDBQT, as AutoDock Vina writes its results, with what Meeko reads a molecule back by. */
#ifndef BERTH_FORMAT_PDBQT_PDBQT_H
#define BERTH_FORMAT_PDBQT_PDBQT_H

#include "format/tagged.h"

/* Appends the molecule as a model: AutoDock's types, the tree of the bonds that Vina turns, polar
 * hydrogens alone, charges 0; remarks with Vina's result (the tag "score", and how far the pose is
 * from the best one), SMILES with the numbers of their atoms, and the tags.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_pdbqt_write(struct berth_output *output,
                                    const struct berth_tagged_molecule *tagged,
                                    struct berth_error *error);

#endif

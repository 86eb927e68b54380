/* Poses relaxed where they stand: all coordinates go downhill, bond lengths, angles and rings as
 * well, in the receptor's field by a scoring function and the molecule's own by MMFF94s (T. A.
 * Halgren, J. Comput. Chem. 20 (1999) 720), which RDKit computes (tools/rdkit/strain.py). */
#ifndef BERTH_DOCK_RELAX_RELAXATION_H
#define BERTH_DOCK_RELAX_RELAXATION_H

#include "score/scoring.h"

struct berth_relaxer; /* opaque: for one thread */

/* scoring is borrowed.  The caller destroys *relaxer.  Errors: BERTH_E_USAGE (a
 * function in another unit than kJ/mol or kcal/mol, which MMFF94s' can be added to), BERTH_E_IO (no
 * RDKit), BERTH_E_MEMORY. */
enum berth_status berth_relaxer_create(const struct berth_scoring *scoring,
                                       struct berth_relaxer **relaxer, struct berth_error *error);

/* Moves the molecule with its heavy atoms, in its order and of scoring's types, as the receptor's
 * are, to a minimum nearby. *strain: kJ/mol by MMFF94s above the minimum that it comes to from
 * there by itself. Errors: BERTH_E_FORMAT (RDKit cannot read it, hydrogens or parameters are
 * missing), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_relax(struct berth_relaxer *relaxer,
                              const struct berth_heavy_atoms *receptor,
                              struct berth_molecule *molecule, struct berth_heavy_atoms *heavy,
                              double *strain, struct berth_error *error);

/* NULL is accepted. */
void berth_relaxer_destroy(struct berth_relaxer *relaxer);

#endif

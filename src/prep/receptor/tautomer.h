/* The tautomer of a ligand that was cut out of a receptor. */
#ifndef BERTH_PREP_RECEPTOR_TAUTOMER_H
#define BERTH_PREP_RECEPTOR_TAUTOMER_H

#include "base/bytes.h"
#include "base/error.h"
#include "chem/structure.h"

/* Gives the azoles of an SDF record of heavy atoms, which stand in the receptor (Å), the hydrogens
 * that its hydrogen bonds and metals want (chem/ring_hydrogens.h).  Of the receptor those atoms
 * count of which only one role is possible: hydroxyls, histidines and waters say nothing.  *moved:
 * how many hydrogens moved.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_receptor_settle_hydrogens(const struct berth_structure *receptor,
                                                  struct berth_bytes *sdf, size_t *moved,
                                                  struct berth_error *error);

#endif

/* The bonds of a ligand that was cut out of a receptor, which says the tautomer of its azoles. */
#ifndef BERTH_PREP_RECEPTOR_TAUTOMER_H
#define BERTH_PREP_RECEPTOR_TAUTOMER_H

#include "base/bytes.h"
#include "base/error.h"
#include "chem/molecule.h"
#include "chem/structure.h"

/* Both perceive the bonds of ligand, which stands in receptor (typed), as berth_bond_orders_find
 * does.  Where the ligand has no hydrogens, those of azoles are then where the hydrogen bonds and
 * metals of the receptor want them (chem/ring_hydrogens.h); *moved: how many were elsewhere.  Atoms
 * of the receptor that may both give and take a hydrogen bond, hydroxyls and histidines, say
 * nothing.  Errors: those of berth_bond_orders_find. */

/* Appends an SDF record. */
enum berth_status berth_cut_ligand_sdf(const struct berth_structure *ligand,
                                       const struct berth_molecule *receptor,
                                       struct berth_bytes *sdf, size_t *moved,
                                       struct berth_error *error);

/* Appends a SMILES, with the stereo of the coordinates, and 0. */
enum berth_status berth_cut_ligand_smiles(const struct berth_structure *ligand,
                                          const struct berth_molecule *receptor,
                                          struct berth_bytes *smiles, size_t *moved,
                                          struct berth_error *error);

/* Appends the SMILES of an SDF record, and 0. */
enum berth_status berth_smiles_of_sdf(const struct berth_bytes *sdf, struct berth_bytes *smiles,
                                      struct berth_error *error);

#endif

/* The bonds of a ligand that was cut out of a receptor, which says the tautomer of its azoles. */
#ifndef BERTH_PREP_RECEPTOR_TAUTOMER_H
#define BERTH_PREP_RECEPTOR_TAUTOMER_H

#include "prep/bond_orders.h"

/* Both perceive the bonds of ligand, which stands in receptor (typed).  Where the ligand has no
 * hydrogens, those of azoles are where the hydrogen bonds and metals of the receptor want them.
 * Atoms of the receptor that may both give and take a hydrogen bond, hydroxyls and histidines, say
 * nothing.  Errors: those of berth_bond_orders_find. */

/* Appends an SDF record; found: as of berth_bond_orders_find, or NULL. */
enum berth_status berth_cut_ligand_sdf(const struct berth_structure *ligand,
                                       const struct berth_molecule *receptor,
                                       struct berth_bonds_found *found, struct berth_bytes *sdf,
                                       struct berth_error *error);

/* Appends a SMILES, with the stereo of the coordinates, and 0; found: likewise. */
enum berth_status berth_cut_ligand_smiles(const struct berth_structure *ligand,
                                          const struct berth_molecule *receptor,
                                          struct berth_bonds_found *found,
                                          struct berth_bytes *smiles, struct berth_error *error);

/* Appends the SMILES of an SDF record, and 0. */
enum berth_status berth_smiles_of_sdf(const struct berth_bytes *sdf, struct berth_bytes *smiles,
                                      struct berth_error *error);

#endif

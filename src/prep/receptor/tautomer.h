/* The bonds of a ligand that was cut out of a receptor, which says the tautomer of its azoles. */
#ifndef BERTH_PREP_RECEPTOR_TAUTOMER_H
#define BERTH_PREP_RECEPTOR_TAUTOMER_H

#include "prep/bond_orders.h"

/* Perceives the bonds of ligand, which stands in receptor (typed), and appends an SDF record. Where
 * the ligand has no hydrogens, those of azoles are where the hydrogen bonds and metals of the
 * receptor want them.  Atoms of the receptor that may both give and take a hydrogen bond, hydroxyls
 * and histidines, say nothing.  found: as of berth_bond_orders_find, or NULL.  Errors: those of
 * berth_bond_orders_find. */
enum berth_status berth_cut_ligand_sdf(struct berth_bond_finder *finder,
                                       const struct berth_structure *ligand,
                                       const struct berth_molecule *receptor,
                                       struct berth_bonds_found *found, struct berth_bytes *sdf,
                                       struct berth_error *error);

#endif

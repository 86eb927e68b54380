/* Types and bonds of what the table of standard residues does not know (cofactors, modified
 * residues, ligands): bonds, hydrogens for pH 7.4 and Mol2 types by RDKit (prep/bond_orders.h), in
 * the forcefield's convention (chem/type_rules.h).  Of what that refuses, all bonds are taken for
 * single, which is said. */
#ifndef BERTH_PREP_PERCEPTION_H
#define BERTH_PREP_PERCEPTION_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "chem/molecule.h"
#include "chem/structure.h"
#include "prep/bond_orders.h"

/* Gives a type to every heavy atom of residues in which one has none: those that are bonded to each
 * other (glycans) together; metals by element, atoms that bind them without a proton there.  *typed
 * is how many atoms got one.  log (borrowed, or NULL) hears of residues whose perceived bonds
 * cannot be true. Errors: those of RDKit (the message names the residue and says what else to do);
 * BERTH_E_MEMORY. */
enum berth_status berth_perceive_types(struct berth_bond_finder *finder,
                                       struct berth_structure *structure,
                                       const struct berth_log *log, size_t *typed,
                                       struct berth_error *error);

/* The structure as a molecule with bonds, hydrogens and types: with its own hydrogens where it has
 * them, else with those for pH 7.4.  doubt: why all bonds are
 * single, or what contradicts them, or "".  The caller clears *molecule.  Errors: as above. */
enum berth_status berth_perceive_molecule(struct berth_bond_finder *finder,
                                          const struct berth_structure *structure,
                                          struct berth_molecule *molecule,
                                          char doubt[BERTH_CONTRADICTION_SIZE],
                                          struct berth_error *error);

/* Gives what RDKit made of the structure the structure's names, exact positions and title.  Clears
 * *molecule after an error: BERTH_E_IO (it has other heavy atoms), BERTH_E_MEMORY. */
enum berth_status berth_perception_restore(const struct berth_structure *structure,
                                           struct berth_molecule *molecule,
                                           struct berth_error *error);

/* The structure without RDKit: heavy atoms only, every bond single, types by element. */
enum berth_status berth_plain_molecule(const struct berth_structure *structure,
                                       struct berth_molecule *molecule, struct berth_error *error);

#endif

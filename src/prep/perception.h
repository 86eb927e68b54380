/* Types and bonds of what the table of standard residues does not know (cofactors, modified
 * residues, ligands), by Open Babel: hydrogens for pH 7.4, bonds, Mol2 types, corrected to the
 * forcefield's convention (chem/type_rules.h). */
#ifndef BERTH_PREP_PERCEPTION_H
#define BERTH_PREP_PERCEPTION_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "chem/molecule.h"
#include "chem/structure.h"

/* Gives a type to every heavy atom that has none; atoms go to Open Babel by residue, those of
 * residues that are bonded to each other (glycans) together.  *typed is how many atoms got one.
 * log (borrowed, or NULL) hears of residues whose perceived bonds cannot be true.
 * Errors: those of Open Babel (the message names the residue and says what else to do);
 * BERTH_E_MEMORY. */
enum berth_status berth_perceive_types(struct berth_structure *structure,
                                       const struct berth_log *log, size_t *typed,
                                       struct berth_error *error);

/* The structure as a molecule with bonds, hydrogens and types: with its own hydrogens where it has
 * them, from which Open Babel tells what bonds there are, else with berth's bonds and hydrogens for
 * pH 7.4.  The caller clears *molecule.
 * Errors: as above. */
enum berth_status berth_perceive_molecule(const struct berth_structure *structure,
                                          struct berth_molecule *molecule,
                                          struct berth_error *error);

/* Gives what Open Babel made of the structure, relative to the origin (Å), the structure's names,
 * exact positions and title, and corrects its types.  Clears *molecule after an error: BERTH_E_IO
 * (it has other heavy atoms), BERTH_E_MEMORY. */
enum berth_status berth_perception_restore(const struct berth_structure *structure,
                                           const double origin[3], struct berth_molecule *molecule,
                                           struct berth_error *error);

/* The structure without Open Babel, for a machine that has none: heavy atoms only, every bond
 * single, types by element. */
enum berth_status berth_plain_molecule(const struct berth_structure *structure,
                                       struct berth_molecule *molecule, struct berth_error *error);

/* Appends the structure as a PDB file for Open Babel, relative to its first atom so that all fit
 * into the columns, with or without its hydrogens. */
void berth_perception_pdb(const struct berth_structure *structure, bool hydrogens,
                          struct berth_bytes *bytes);

/* Whether the structure has its hydrogens: where a carbon has one, all have theirs. */
bool berth_perception_full(const struct berth_structure *structure);

/* Appends an SDF record of the structure's heavy atoms, relative to its first atom, with the bonds
 * that berth perceives; *found is false, and nothing is appended, where it does not (see
 * berth_bonds_perceive).  Errors: BERTH_E_MEMORY. */
enum berth_status berth_perception_sdf(const struct berth_structure *structure,
                                       struct berth_bytes *bytes, bool *found,
                                       struct berth_error *error);

/* Whether bonds that were perceived can be true: against valences, and against the geometry that
 * they were perceived from. */

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

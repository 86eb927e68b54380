/* Corrects Mol2 types, as RDKit (tools/rdkit/sybyl.py) and Open Babel give them, to the convention
 * of the forcefield, as seen in BUDE's own files (chem/residue_types.h).
 *
 *   - Rings with a carbonyl (uracil, pyridones) are not aromatic: chem/localise.h.
 *   - Rings of five have localised types (furazan, oxadiazole, pyrazole, thiophene, indole).
 *   - An aromatic N with three bonds gives its lone pair to the ring: N.am beside a carbonyl
 *     (a lactam), else N.pl3.
 *   - Oxygens at the end of a phosphate, sulfate or sulfonate are all O.co2, whichever of them was
 *     drawn with the double bond or the proton; an ether is O.3.
 *     So are those of a sulfinate; a nitro group's are both O.2.
 *   - A nitrogen with a double bond and three neighbours, which has no lone pair, is N.pl3
 *     (amidinium).
 *   - Atoms that differ in the orders of their bonds alone, by how the group was drawn, have one
 *     type, that of the delocalised group.
 *   - A sulfone is S.o2 (the forcefield has S.O2 too, with other parameters, which BUDE's ligands
 *     do not use); the N of a sulfonamide is N.pl3, iron Fe.2.
 */
#ifndef BERTH_CHEM_TYPE_RULES_H
#define BERTH_CHEM_TYPE_RULES_H

#include "base/error.h"
#include "chem/molecule.h"

/* Corrects the types of the heavy atoms of a molecule with bonds and all hydrogens.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_types_correct(struct berth_molecule *molecule, struct berth_error *error);

#endif

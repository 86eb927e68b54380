/* The biological assembly of a structure, and its crystal: copies of its chains that stand where
 * its file does not have them. */
#ifndef BERTH_PREP_RECEPTOR_ASSEMBLY_H
#define BERTH_PREP_RECEPTOR_ASSEMBLY_H

#include "prep/receptor/work.h"
#include "prep/symmetry.h"

/* Adds the copies that settings->assembly asks for to what was selected of the structure, and tells
 * the log what was added, and what stands near the ligand (else the site) and was not:
 *
 *   - NULL or "auto": of the first assembly that has the chain nearest to the ligand, the copies of
 *     chains that come within 8 Å of it.  Without a ligand, of the site, but for who docks: others
 *     read the same structure again and do not know the box;
 *   - "none": none;
 *   - a name: that assembly, all of it and nothing else.
 *
 * A copy of chain A is called ..., as the PDB calls it.  What is seen from the ligand's
 * chain, or the site's, stays where it is.  Residues of a copy that lie on what is there already,
 * as on an axis, are left out, and so is what settings->asked.drop names of it ("DMY:A-2:9").  With
 * its chain the ligand's copy is added, unless it overlaps the ligand.  What stands near the ligand
 * in the crystal alone is told, and not added.
 *
 * Errors: BERTH_E_USAGE (no such assembly; the ligand is in none of its chains), BERTH_E_FORMAT
 * (too many atoms; a chain's name that is too long for its copy's), and, of a name, those of
 * berth_symmetry_read, which only warn else; BERTH_E_MEMORY. */
enum berth_status berth_receptor_assemble(const struct berth_receptor_work *work,
                                          struct berth_error *error);

#endif

/* What is said of a receptor: how it is protonated, its metals, and what its PDBQT file says
 * otherwise. */
#ifndef BERTH_PREP_RECEPTOR_NOTES_H
#define BERTH_PREP_RECEPTOR_NOTES_H

#include "base/log.h"
#include "chem/molecule.h"
#include "chem/site.h"
#include "chem/structure.h"
#include "format/receptor_file.h"

/* Tells log, of a structure whose atoms have their types: where histidines bear their hydrogens,
 * which of them line the site (NULL: there is none), which acids are so near each other that they
 * share a proton, and which side chains are not as they are at pH 7.4 (ASH, GLH, LYN, CYM). Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_receptor_note_protonation(const struct berth_structure *structure,
                                                  const struct berth_site *site,
                                                  const struct berth_log *log,
                                                  struct berth_error *error);

/* --- What a receptor's PDBQT file says of its atoms, beside what berth makes of them --- */

/* Tells log how many nitrogens and oxygens near the site (NULL: anywhere) accept hydrogen bonds by
 * the types of the PDBQT file and not by their residues, or the reverse, and which is the first:
 * Vina's energies there are others.  receptor: what was made of the structure, atom by atom but for
 * hydrogens, with traits. */
void berth_receptor_note_acceptors(const struct berth_structure *structure,
                                   const struct berth_molecule *receptor,
                                   const struct berth_site *site, const struct berth_log *log);

/* --- What is said of a receptor's metals --- */

/* Notes of each metal ion in the receptor's site, or near it, how its coordination is treated:
 * which polyhedron its donors say, and how many of its vertices are open to a ligand. */
void berth_receptor_note_metals(const struct berth_receptor *receptor, const struct berth_log *log);

/* Marks the metals with open vertices that no N, O or S of the ligand, which stood in the site, is
 * within 3 Å of: it says that what binds there leaves them, to water mostly, which is seldom in the
 * file. */
void berth_receptor_mark_bystanders(struct berth_receptor *receptor,
                                    const struct berth_structure *ligand);

#endif

/* What a receptor's PDBQT file says of its atoms, beside what berth makes of them. */
#ifndef BERTH_PREP_RECEPTOR_AUTODOCK_TYPES_H
#define BERTH_PREP_RECEPTOR_AUTODOCK_TYPES_H

#include "base/log.h"
#include "chem/molecule.h"
#include "chem/site.h"
#include "chem/structure.h"

/* Tells log how many nitrogens and oxygens near the site (NULL: anywhere) accept hydrogen bonds by
 * the types of the PDBQT file and not by their residues, or the reverse, and which is the first:
 * Vina's energies there are others.  receptor: what was made of the structure, atom by atom but for
 * hydrogens, with traits. */
void berth_receptor_note_acceptors(const struct berth_structure *structure,
                                   const struct berth_molecule *receptor,
                                   const struct berth_site *site, const struct berth_log *log);

#endif

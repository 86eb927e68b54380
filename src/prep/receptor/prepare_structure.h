/* Mol2 (SYBYL) types for the heavy atoms of a receptor, from residue and atom names.
 *
 * What a residue's table cannot know is decided here, at pH 7.4:
 *   - the first residue of a chain has a charged N (N.4) unless it is bonded to a cap; a residue
 *     behind a gap in the model has not: the chain goes on there, only unseen;
 *   - a residue with OXT (OT2) has a carboxylate at its end (O.co2);
 *   - His bears its hydrogen on ND1, as in BUDE's receptors, unless the file has it on NE2 or ND1
 *     holds a metal (then HIE), or the file has both (HIP);
 *   - a carboxyl oxygen that bears a hydrogen in the file is a hydroxyl (O.3h), the other O.2;
 *   - a modified amino acid within a chain has the backbone of all others;
 *   - a metal ion is its symbol.
 * Hydrogens decide only that, and take no part in the energy: they are not needed and not kept.
 */
#ifndef BERTH_PREP_RECEPTOR_PREPARE_STRUCTURE_H
#define BERTH_PREP_RECEPTOR_PREPARE_STRUCTURE_H

#include "base/log.h"
#include "chem/site.h"
#include "chem/structure.h"

struct berth_receptor_typing {
    size_t changed; /* heavy atoms that had another type in the file */
};

/* Sets type (and, for HIE and HIP, the residue's name) of the atoms that are known; the others keep
 * the type that they have.  Hydrogens must still be in the structure.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_receptor_type(struct berth_structure *structure,
                                      struct berth_receptor_typing *typing,
                                      struct berth_error *error);

/* True where a ligand in the box may touch the residue; site: NULL is none. */
bool berth_residue_lines_site(const struct berth_structure *structure, struct berth_span span,
                              const struct berth_site *site);

/* Reports to log: standard residues that lack atoms (on one line, those about the site, where one
 * is given, on another; the first of them by name), where chains are broken (on one line, with the
 * place that is nearest to the site, or the first), atoms that lie in one place (at most 20 times,
 * then how many more).  site: or NULL.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_receptor_check(const struct berth_structure *structure,
                                       const struct berth_site *site, const struct berth_log *log,
                                       struct berth_error *error);

/* Refuses a structure in which more atoms lie about one place than any has, as where models stand
 * one in the other without lines that tell them apart: what looks at neighbours would take long.
 * Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_receptor_check_crowding(const struct berth_structure *structure,
                                                struct berth_error *error);

/* Keeps, for each atom that the structure has in several places, the one of the residue's alternate
 * with the highest mean occupancy (the first in the file among equals), so that a residue stays of
 * one piece; an atom that this alternate lacks comes from the next best one.  Where the alternates
 * are different residues (SER and THR), the best one's residue stays.  *residues is the number of
 * places where something was chosen.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_alternates_resolve(struct berth_structure *structure, size_t *residues,
                                           struct berth_error *error);

/* True where the residue is not of protein or nucleic acid, all its atoms are of an alternate
 * location, and a heavy atom of it lies within 1.2 Å of a place: the crystal has there now the one,
 * now the other, and what is docked to that place does not meet it. */
bool berth_residue_gives_way(const struct berth_structure *structure, struct berth_span residue,
                             const double place[3]);

#endif

/* What a structure is made of: its polymers, proteins and nucleic acids, and the molecules beside
 * them, of one residue or of several that are bonded.
 *
 * A polymer is what peptide bonds or phosphodiesters join, across gaps in the numbering that the
 * missing residues can span, and what the file's own sequence holds; not what has the name of an
 * amino acid, nor what is bonded to one.  So a free amino acid, an inhibitor that has reacted with
 * a side chain, and a peptide of its own beside a larger protein are molecules, while modified
 * residues, caps and what glycosylates a side chain are of the polymer.
 */
#ifndef BERTH_CHEM_POLYMERS_H
#define BERTH_CHEM_POLYMERS_H

#include "chem/structure.h"

/* Two heavy atoms of two residues that are bonded; no metal is one of them. */
struct berth_structure_link {
    size_t first, second;
};

struct berth_polymers {
    struct berth_span *residues; /* owned; [count] */
    size_t *molecule; /* owned; [count]: number, from 1, of the molecule that a residue is of; 0 for
                         a residue of a polymer */
    size_t count;
    struct berth_structure_link *links; /* owned; [link_count] */
    size_t link_count;
    size_t
        *heavy; /* owned; [molecule_count + 1]: heavy atoms of each molecule, and of all polymers */
    size_t molecule_count;
    size_t *starts, *members; /* owned: the residues of molecule m are members[starts[m] ..
                                 starts[m + 1]), in the structure's order */
};

/* Tells the structure's polymers from its molecules.  Waters, metals and cofactors by name are each
 * a molecule, whatever they are bonded to.  The caller clears *polymers.  Errors: BERTH_E_MEMORY.
 */
enum berth_status berth_polymers_find(const struct berth_structure *structure,
                                      struct berth_polymers *polymers, struct berth_error *error);

void berth_polymers_clear(struct berth_polymers *polymers);

/* The molecule that the residue with this atom is of; 0 for a polymer. */
size_t berth_polymers_molecule(const struct berth_polymers *polymers, size_t atom);

/* True where a molecule could be a ligand that was left in a receptor: organic, of 6 to 200 heavy
 * atoms (a free amino acid: 4), neither a cofactor nor an additive that is known. */
bool berth_polymers_ligand(const struct berth_polymers *polymers,
                           const struct berth_structure *structure, size_t molecule);

enum { BERTH_MOLECULE_TEXT_SIZE = 400 };

/* "PJE C:5", or "ALA C:2, VAL C:3, LEU C:4": a molecule's residues, the first few of many. */
void berth_polymers_residues(const struct berth_polymers *polymers,
                             const struct berth_structure *structure, size_t molecule,
                             char text[BERTH_MOLECULE_TEXT_SIZE]);

/* "C20 of PJE C:5 bonded to SG of CYS A:145 (1.77 Å)": what a molecule's bonds to all else are; ""
 * where it has none. */
void berth_polymers_bonds(const struct berth_polymers *polymers,
                          const struct berth_structure *structure, size_t molecule,
                          char text[BERTH_MOLECULE_TEXT_SIZE]);

#endif

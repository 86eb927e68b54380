/* What of a structure is neither protein nor nucleic acid: told by its atoms, not by HETATM, which
 * Mol2 has not and PDB files use for modified residues as well. */
#ifndef BERTH_CHEM_HETERO_H
#define BERTH_CHEM_HETERO_H

#include "chem/structure.h"

/* True where the residue is one of protein or nucleic acid, by its name. */
bool berth_is_standard_residue(const char *name);

/* True where the residue is part of a chain: a standard one, or bonded to another residue (a
 * modified amino acid, a glycan, an inhibitor that has reacted). */
bool berth_is_in_chain(const struct berth_structure *structure, struct berth_span residue);

size_t berth_residue_heavy_count(const struct berth_structure *structure,
                                 struct berth_span residue);

/* True where the residue could be a ligand that was left in a receptor: an organic molecule of 6 to
 * 200 heavy atoms that is in no chain and neither a cofactor nor an additive that is known. */
bool berth_looks_like_ligand(const struct berth_structure *structure, struct berth_span residue);

#endif

/* A ligand that a structure has bonded to a residue: which one it is, and how it is docked back. */
#ifndef BERTH_DOCK_COVALENT_COVALENT_KNOWN_H
#define BERTH_DOCK_COVALENT_COVALENT_KNOWN_H

#include "base/bytes.h"
#include "chem/selection.h"
#include "dock/covalent/covalent.h"

/* What selects the ligand that is bonded to the atom (see berth_covalent_find) in the structure of
 * path.  Errors: BERTH_E_USAGE (no such atom, or none is bonded to it; a receptor file, which keeps
 * no ligand), those of berth_structure_read, BERTH_E_MEMORY. */
enum berth_status berth_covalent_ligand(const char *path, const char *text,
                                        char ligand_id[BERTH_SELECTOR_TEXT],
                                        struct berth_error *error);

/* The SMILES, ended by 0, of the ligand that was cut out of the receptor, with a placeholder (*) in
 * the place of the residue's atom that it is bonded to; own: its SMILES, with that atom, with a
 * placeholder, or without either; NULL: they are perceived.  Errors: BERTH_E_USAGE (it is not
 * bonded there), those of berth_bond_orders_find. */
enum berth_status berth_covalent_smiles(const struct berth_covalent *covalent,
                                        const struct berth_typed_receptor *receptor,
                                        const char *own, struct berth_bytes *smiles,
                                        struct berth_error *error);

/* Gives a known pose that lacks the side chain, and has an atom where it is bonded to it, the side
 * chain as the receptor has it; one that has the residue's backbone loses that.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_covalent_complete(const struct berth_covalent *covalent,
                                          struct berth_molecule *molecule,
                                          struct berth_error *error);

#endif

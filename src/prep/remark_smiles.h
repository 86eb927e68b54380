/* SMILES beside the atoms of a PDB or PDBQT file: what Meeko writes there, and anybody may write
 * into PDB: the ligand's SMILES ("REMARK SMILES"), and which atom is which ("REMARK SMILES IDX"),
 * so that no bond need be perceived. */
#ifndef BERTH_PREP_REMARK_SMILES_H
#define BERTH_PREP_REMARK_SMILES_H

#include <stddef.h>

#include "base/bytes.h"
#include "base/error.h"

struct berth_remark {
    char *name;             /* owned: the file's one word behind COMPND, where RDKit and Open Babel
                               write what a molecule is called in PDB, or what stands behind
                               "REMARK  Name =", as in PDBQT of Open Babel and of ours; NULL: none */
    char *smiles;           /* owned; NULL: the file has none */
    double (*positions)[3]; /* owned; [count], Å: of the atoms in the order of the SMILES; NULL:
                               the file does not say which is which */
    size_t count;
};

/* Reads the first model of a file's text; name stands in messages.  The caller clears *remark.
 * Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_remark_read(const char *name, const struct berth_bytes *text,
                                    struct berth_remark *remark, struct berth_error *error);

void berth_remark_clear(struct berth_remark *remark);

#endif

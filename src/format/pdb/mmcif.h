/* mmCIF (PDBx): the atoms of the first model, from the loop _atom_site of the first data block that
 * has one.  Author's chains and residue numbers are taken (auth_asym_id, auth_seq_id), as PDB files
 * show them. */
#ifndef BERTH_FORMAT_PDB_MMCIF_H
#define BERTH_FORMAT_PDB_MMCIF_H

#include "base/text_reader.h"
#include "chem/structure.h"

/* Reads text into *structure (zeroed before), which the caller clears either way.  Errors:
 * BERTH_E_FORMAT with file and line (a quote without its end, a loop cut off, a value that is no
 * number, no _atom_site), those of the text reader, BERTH_E_MEMORY. */
enum berth_status berth_mmcif_read(struct berth_text_reader *text,
                                   struct berth_structure *structure, struct berth_error *error);

#endif

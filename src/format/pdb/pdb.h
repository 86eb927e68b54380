/* PDB files, and AutoDock's PDBQT, which has the same columns: the atoms of the first model.
 *
 * Read by columns, as the format (wwPDB 3.30) defines them, with what files in the wild do: blank
 * chains, negative and hybrid-36 residue numbers, residue names of four letters, no element column
 * (or another thing in its place), atom names that begin anywhere. */
#ifndef BERTH_FORMAT_PDB_PDB_H
#define BERTH_FORMAT_PDB_PDB_H

#include "base/text_reader.h"
#include "chem/structure.h"

/* Reads all of text into *structure (zeroed before), which the caller clears either way.  pdbqt:
 * the last column is an AutoDock type.  Errors: BERTH_E_FORMAT with file and line (an atom line
 * that cannot be right, no atoms at all), those of the text reader, BERTH_E_MEMORY. */
enum berth_status berth_pdb_read(struct berth_text_reader *text, bool pdbqt,
                                 struct berth_structure *structure, struct berth_error *error);

#endif

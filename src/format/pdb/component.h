/* Chemical components: ligands as dictionaries have them (the PDB's CCD, monomer libraries), with
 * bonds, orders and charges.  _atom_site of structures is read elsewhere (format/pdb/pdb.h). */
#ifndef BERTH_FORMAT_PDB_COMPONENT_H
#define BERTH_FORMAT_PDB_COMPONENT_H

#include "base/text_reader.h"
#include "chem/molecule.h"

/* Reads _chem_comp_atom and _chem_comp_bond of a text of one component: at its ideal coordinates
 * where all atoms have these, else at those of its model.  Its title is that of the data
 * block.  The caller clears *molecule.  Errors: those of the text; BERTH_E_FORMAT, "file:line:
 * reason"; BERTH_E_MEMORY. */
enum berth_status berth_component_read(struct berth_text_reader *text,
                                       struct berth_molecule *molecule, struct berth_error *error);

#endif

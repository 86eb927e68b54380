/* Writes structures as PDB: models of the same atoms in different places. */
#ifndef BERTH_FORMAT_PDB_PDB_WRITE_H
#define BERTH_FORMAT_PDB_PDB_WRITE_H

#include "chem/structure.h"
#include "format/output.h"

/* The heavy atoms of a molecule whose residue_ids count its residues from 1, all borrowed. */
struct berth_pdb_source {
    const struct berth_molecule *molecule;
    const struct berth_residue_id *residues; /* [residue_count] */
    size_t residue_count;
    const char *taken; /* letters of chains that stand in the same model; NULL: none */
};

/* Writes the atoms at their places [heavy atoms][3] (Å), each chain behind the other with a TER,
 * and counts them in *serial.  A chain whose name is longer than one character, as mmCIF's may be,
 * or is taken, is written with the first that no other has; what that is the caller
 * may ask berth_pdb_chain. */
void berth_pdb_write_atoms(struct berth_output *output, const struct berth_pdb_source *source,
                           const double (*places)[3], int *serial);

/* The character that stands for the chain of residue number i. */
char berth_pdb_chain(const struct berth_pdb_source *source, size_t i);

enum { BERTH_PDB_LETTERS = 256 };

/* The characters that the source's chains are written with, each once, as a text. */
void berth_pdb_letters(const struct berth_pdb_source *source, char letters[BERTH_PDB_LETTERS]);

#endif

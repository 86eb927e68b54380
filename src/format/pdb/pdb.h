/* PDB files, AutoDock's PDBQT, which has the same columns, and mmCIF (PDBx): reading the atoms of
 * the first model, and writing PDB.  structure_file.h reads a file of any of these formats.
 *
 * PDB is read by columns, as the format (wwPDB 3.30) defines them, with what files in the wild do:
 * blank chains and those of two letters, negative and hybrid-36 residue numbers, residue names of
 * four letters, no element column (or another thing in its place), atom names that begin anywhere.
 *
 * Of mmCIF the loop _atom_site of the first data block that has one is read.  Author's chains and
 * residue numbers are taken (auth_asym_id, auth_seq_id), as PDB files show them. */
#ifndef BERTH_FORMAT_PDB_PDB_H
#define BERTH_FORMAT_PDB_PDB_H

#include "base/text_reader.h"
#include "chem/structure.h"
#include "format/output.h"

/* Reads all of text into *structure (zeroed before), which the caller clears either way.  pdbqt:
 * the last column is an AutoDock type.  Errors: BERTH_E_FORMAT with file and line (an atom line
 * that cannot be right, no atoms at all), those of the text reader, BERTH_E_MEMORY. */
enum berth_status berth_pdb_read(struct berth_text_reader *text, bool pdbqt,
                                 struct berth_structure *structure, struct berth_error *error);

/* The same of mmCIF.  BERTH_E_FORMAT: a quote without its end, a loop cut off, a value that is no
 * number, no _atom_site. */
enum berth_status berth_mmcif_read(struct berth_text_reader *text,
                                   struct berth_structure *structure, struct berth_error *error);

/* --- What the readers share --- */

/* Atomic number of a symbol in any case ("ZN", "Zn"); D and T are hydrogen; 0 for none. */
int berth_element_of_symbol(const char *symbol);

/* The element of an atom whose element column is empty or not to be trusted, from its name.
 * `name` is the name with its blanks, as PDB aligns it (the symbol ends in column 2), or without.
 * In a standard residue the first letter decides. */
int berth_element_of_name(const char *name, const char *residue);

/* Gives ions that stand alone, and whose element was guessed, the element that their names say
 * ("SOD", "CAL", "ZN2", "Na+", and HG, which is no hydrogen). */
void berth_structure_find_ions(struct berth_structure *structure);

/* The spelling of an atom's name that residue_types.c has: primes for stars, "OP1" for "O1P" of
 * nucleotides, "CD1" for "CD" of Ile.  name has BERTH_LABEL_SIZE bytes. */
void berth_canonical_name(char *name, const char *residue);

/* --- Writing --- */

/* The heavy atoms of a molecule whose residue_ids count its residues from 1, all borrowed. */
struct berth_pdb_source {
    const struct berth_molecule *molecule;
    const struct berth_residue_id *residues; /* [residue_count] */
    size_t residue_count;
    const char *taken; /* letters of chains that stand in the same model; NULL: none */
};

/* Writes the atoms at their places [heavy atoms][3] (Å), each chain behind the other with a TER,
 * and counts them in *serial.  A chain whose name is longer than one character, as mmCIF's may be,
 * or is taken, is written with the first letter that no other has (see berth_pdb_chain). */
void berth_pdb_write_atoms(struct berth_output *output, const struct berth_pdb_source *source,
                           const double (*places)[3], int *serial);

/* Writes a structure of one chain or residue, such as a ligand that was cut out, with its
 * hydrogens, as hetero atoms. */
void berth_pdb_write_structure(struct berth_output *output,
                               const struct berth_structure *structure);

/* The character that stands for the chain of residue number i. */
char berth_pdb_chain(const struct berth_pdb_source *source, size_t i);

enum { BERTH_PDB_LETTERS = 256 };

/* The characters that the source's chains are written with, each once, as a text. */
void berth_pdb_letters(const struct berth_pdb_source *source, char letters[BERTH_PDB_LETTERS]);

#endif

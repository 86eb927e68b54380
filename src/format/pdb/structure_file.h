/* A structure from a file of any supported format: PDB, PDBQT, mmCIF, Mol2, each also as .gz. */
#ifndef BERTH_FORMAT_PDB_STRUCTURE_FILE_H
#define BERTH_FORMAT_PDB_STRUCTURE_FILE_H

#include "chem/structure.h"

enum berth_structure_format {
    BERTH_STRUCTURE_UNKNOWN,
    BERTH_STRUCTURE_PDB,
    BERTH_STRUCTURE_PDBQT,
    BERTH_STRUCTURE_MMCIF,
    BERTH_STRUCTURE_MOL2
};

/* The format that a file's ending says (".gz" aside) or that a word names ("pdb", "ent", "pdbqt",
 * "cif", "mmcif", "mol2"), in any case. */
enum berth_structure_format berth_structure_format_of(const char *name);

/* Reads path ("-" is standard input) into *structure, which the caller clears.  The title is the
 * file's name without folders and endings; for Mol2, the molecule's.  Errors: those of the readers;
 * BERTH_E_USAGE for BERTH_STRUCTURE_UNKNOWN. */
enum berth_status berth_structure_read(const char *path, enum berth_structure_format format,
                                       struct berth_structure *structure,
                                       struct berth_error *error);

/* Takes over a Mol2 molecule: residues from the substructure names ("ALA12"), no chains. */
enum berth_status berth_structure_from_molecule(const struct berth_molecule *molecule,
                                                struct berth_structure *structure,
                                                struct berth_error *error);

#endif

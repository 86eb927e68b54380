/* What the readers of PDB, PDBQT and mmCIF share: elements, labels, and errors by line. */
#ifndef BERTH_FORMAT_PDB_STRUCTURE_LINE_H
#define BERTH_FORMAT_PDB_STRUCTURE_LINE_H

#include "base/text_reader.h"
#include "chem/structure.h"

/* BERTH_E_FORMAT with "file:line: reason". */
enum berth_status berth_structure_refuse(const struct berth_text_reader *text,
                                         struct berth_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Atomic number of a symbol in any case ("ZN", "Zn"); D and T are hydrogen; 0 for none. */
int berth_element_of_symbol(const char *symbol);

/* The element of an atom whose element column is empty or not to be trusted, from its name.
 * `name` is the name with its blanks, as PDB aligns it (the symbol ends in column 2), or without.
 * In a standard residue the first letter decides. */
int berth_element_of_name(const char *name, const char *residue);

/* The spelling of an atom's name that residue_types.c has: primes for stars, "OP1" for "O1P" of
 * nucleotides, "CD1" for "CD" of Ile.  name has BERTH_LABEL_SIZE bytes. */
void berth_canonical_name(char *name, const char *residue);

#endif

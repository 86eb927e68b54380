/* What the parts of the Mol2 reader share; nothing outside them includes this.
 *
 * mol2_lines.c reads lines, mol2_sections.c atoms and bonds, mol2.c finds molecules and reads their
 * headers.
 */
#ifndef BERTH_FORMAT_MOL2_MOL2_INTERNAL_H
#define BERTH_FORMAT_MOL2_MOL2_INTERNAL_H

#include <stdint.h>

#include "format/mol2/mol2.h"

enum {
    BERTH_MOL2_BONDS_MAX = 4 * BERTH_ATOMS_MAX,
    BERTH_MOL2_ABSENT = -1 /* a count that the counts line does not give */
};

/* An atom's number in the file and its index, for files that do not count 1, 2, 3 ... */
struct berth_numbered {
    int id;
    size_t index;
};

struct berth_mol2_reader {
    struct berth_text_reader *text; /* owned */
    bool broken;                    /* an error ended the file */
    size_t ordinal;                 /* molecules met so far, bad ones too */

    /* The molecule being read. */
    struct berth_molecule *molecule; /* borrowed */
    int atoms_declared;
    int bonds_declared; /* BERTH_MOL2_ABSENT where not given */
    bool has_atoms, has_bonds, counts_from_one;
    size_t atom_capacity, bond_capacity;

    /* Scratch, kept from molecule to molecule; owned. */
    struct berth_numbered *numbered; /* [atom_count] */
    size_t numbered_capacity;
    uint64_t *pairs; /* [bond_count], both ends of a bond in one word */
    size_t pair_capacity;
};

/* BERTH_E_FORMAT for the molecule being read: "file:line: molecule TITLE: " and the reason. */
enum berth_status berth_mol2_refuse(const struct berth_mol2_reader *reader,
                                    struct berth_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The next line, NULL at the end of the file; an error breaks the reader. */
enum berth_status berth_mol2_line(struct berth_mol2_reader *reader, char **line,
                                  struct berth_error *error);

/* The next line of the section that has content; NULL at the section's end, where the line that
 * ended it, if any, is left to be read again. */
enum berth_status berth_mol2_section_line(struct berth_mol2_reader *reader, char **line,
                                          struct berth_error *error);

/* Read the section whose first line comes next into the molecule, and check it. */
enum berth_status berth_mol2_read_atoms(struct berth_mol2_reader *reader,
                                        struct berth_error *error);
enum berth_status berth_mol2_read_bonds(struct berth_mol2_reader *reader,
                                        struct berth_error *error);

#endif

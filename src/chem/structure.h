/* A macromolecular structure as a PDB, mmCIF or Mol2 file gives it: atoms with their residues and
 * chains, before anything is chosen or typed.
 *
 * Atoms of one residue stand together (a run of equal residue ids is a residue), as all formats
 * write them.
 */
#ifndef BERTH_CHEM_STRUCTURE_H
#define BERTH_CHEM_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "chem/cells.h"
#include "chem/molecule.h"
#include "chem/vectors.h"

enum { BERTH_LABEL_SIZE = 8, BERTH_RESIDUE_TEXT_SIZE = 40 };

/* What a file's own sequences (SEQRES, label_seq_id) say of a residue. */
enum berth_listing {
    BERTH_LISTING_NONE,   /* nothing: there are none, or they do not tell */
    BERTH_LISTING_INSIDE, /* it is of its chain's sequence */
    BERTH_LISTING_OUTSIDE /* it is of no sequence */
};

/* Which residue an atom belongs to, by the author's numbering. */
struct berth_residue_id {
    char name[BERTH_LABEL_SIZE];  /* "ALA" */
    char chain[BERTH_LABEL_SIZE]; /* "A"; "" for a blank chain */
    int number;                   /* may be negative */
    char insertion;               /* insertion code; 0 for none */
};

struct berth_structure_atom {
    double position[3]; /* Å */
    double occupancy;   /* 0 .. 1; 1 where the file says nothing */
    double b_factor;    /* Å²; 0 where the file says nothing */
    struct berth_residue_id residue;
    char name[BERTH_LABEL_SIZE]; /* "CA" */
    char type[BERTH_LABEL_SIZE]; /* Mol2 type; "" where the file has none */
    char alternate;              /* alternate location; 0 for none */
    int element;                 /* atomic number; 0 unknown */
    bool guessed;                /* by its name: the file does not say */
    bool hetero;                 /* the file calls it so (HETATM) */
    enum berth_listing listed;
    bool aromatic; /* PDBQT calls it so (type A) */
    bool accepts;  /* hydrogen bonds, as PDBQT has it (types NA, OA, ...) */
    size_t line;   /* of the file, from 1 */
};

/* What a file says of where its structure comes from. */
struct berth_structure_origin {
    const char *program; /* static; one that predicts structures; NULL: it names none */
    bool plddt;          /* it speaks of pLDDT */
    bool theoretical;    /* and of a model, or a prediction */
    bool experiment;     /* and of an experiment: X-ray diffraction ... */
    bool cell;           /* it has a crystal's cell, larger than the 1 Å that stands for none */
};

struct berth_structure {
    char *title;                        /* owned */
    struct berth_structure_atom *atoms; /* owned */
    size_t count, capacity;
    size_t models; /* how many the file has; only the first is here */
    size_t blocks; /* mmCIF: data blocks with atoms, all of which are here */
    struct berth_structure_origin origin;
};

/* A run of atoms: atoms[begin .. end). */
struct berth_span {
    size_t begin, end;
};

/* Appends a copy of atom.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_structure_add(struct berth_structure *structure,
                                      const struct berth_structure_atom *atom,
                                      struct berth_error *error);

/* Frees what the structure owns and zeroes it; NULL is accepted. */
void berth_structure_clear(struct berth_structure *structure);

/* Same chain, number and insertion code: one place in the chain, whatever residues stand there. */
bool berth_same_place(const struct berth_residue_id *a, const struct berth_residue_id *b);

/* The same place and the same residue name. */
bool berth_same_residue(const struct berth_residue_id *a, const struct berth_residue_id *b);

/* True for a residue of a chain that is called as copies of chains by symmetry are: "A-2". */
bool berth_is_copy(const struct berth_residue_id *residue);

/* Cells of `edge` Å over its atoms.  The caller clears *cells.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_structure_cells(const struct berth_structure *structure, double edge,
                                        struct berth_cells *cells, struct berth_error *error);

/* The residue that begins at atom `begin`; begin == end at the end of the structure.  Walk with
 * for (s = berth_residue_at(m, 0); s.begin < s.end; s = berth_residue_at(m, s.end)). */
struct berth_span berth_residue_at(const struct berth_structure *structure, size_t begin);

/* The residue's atom of this name, or NULL. */
const struct berth_structure_atom *berth_residue_atom(const struct berth_structure *structure,
                                                      struct berth_span span, const char *name);

/* True for a residue with N, CA, C and O: an amino acid, modified or not. */
bool berth_has_backbone(const struct berth_structure *structure, struct berth_span span);

/* "ALA A:25B" for messages; a blank chain gives "ALA :25". */
void berth_residue_text(const struct berth_residue_id *id, char text[BERTH_RESIDUE_TEXT_SIZE]);

bool berth_is_hydrogen(const struct berth_structure_atom *atom);

/* Hydrogens that the structure has on a heavy atom: those within 1.3 Å. */
size_t berth_hydrogens_on(const struct berth_structure *structure, size_t atom);

/* Brings hydrogens that stand apart from their residue's heavy atoms, as at the end of a file that
 * Open Babel added them to, behind these.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_structure_gather(struct berth_structure *structure,
                                         struct berth_error *error);

/* Removes the atoms for which keep[i] is false, in order. */
void berth_structure_filter(struct berth_structure *structure, const bool *keep);

#endif

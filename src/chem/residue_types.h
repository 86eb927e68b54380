/* What is known of standard residues without any perception of bonds: which heavy atoms they have,
 * and which Mol2 (SYBYL) type each one gets.
 *
 * The forcefield knows atoms by type alone, so the types follow the convention that it was made
 * with, as seen in BUDE's 1GCZ receptor: rings of five have localised types (His and the five-ring
 * of Trp: C.2, N.2, N.pl3), rings of six are C.ar, hydroxyls are O.3h, carboxylates O.co2, at pH
 * 7.4.  One departure: the guanidinium carbon of Arg is C.cat, the type that the forcefield has for
 * it (BUDE's by-residue set gives CZ the figures of C.cat too); the 1GCZ file has C.2 there.
 */
#ifndef BERTH_CHEM_RESIDUE_TYPES_H
#define BERTH_CHEM_RESIDUE_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "chem/structure.h"

/* "ALA" of a substructure's name, "ALA12" or "ALA-3": without the residue's number. */
void berth_residue_stem(const char *substructure, char name[BERTH_NAME_SIZE]);

enum berth_residue_kind {
    BERTH_RESIDUE_OTHER, /* not in the table: a cofactor, a ligand, a modified residue */
    BERTH_RESIDUE_AMINO,
    BERTH_RESIDUE_NUCLEOTIDE,
    BERTH_RESIDUE_CAP,     /* ACE, NME, NH2 at the ends of a peptide */
    BERTH_RESIDUE_COFACTOR /* cofactors and ions whose types the table knows: HEM, SO4 ... */
};

/* One standard residue.  atoms is a text of "type:name,name type:name ...". */
struct berth_residue_type {
    const char *name;
    enum berth_residue_kind kind;
    const char *atoms;   /* beside the backbone */
    const char *aliases; /* other names of the same residue, a blank between them: "HSD HID" */
};

/* The residue of this name or alias; NULL where the table has none. */
const struct berth_residue_type *berth_residue_type_find(const char *name);

/* The type of this atom of the residue, written into type (8 bytes); false where the residue has
 * no such atom.  What depends on the surroundings (termini, His) is not known here. */
bool berth_residue_atom_type(const struct berth_residue_type *residue, const char *atom,
                             char type[8]);

/* The type of a metal in a receptor: its symbol, of iron Fe.2. */
void berth_metal_type(int element, char type[8]);

/* Calls visit with each heavy atom that a complete residue has (the ends of chains aside). */
void berth_residue_each_atom(const struct berth_residue_type *residue,
                             void (*visit)(void *context, const char *name), void *context);

/* True for the residue names of water. */
bool berth_is_water_name(const char *name);

/* True for what crystals are grown or frozen in, and for ions that come with it: left out of a
 * receptor unless asked for. */
bool berth_is_additive_name(const char *name);

/* True for cofactors and prosthetic groups, which belong to the proteins that they are seen in. */
bool berth_is_cofactor_name(const char *name);

/* True where the residue is called as those of protein or nucleic acid are: whether it is of one,
 * chem/polymers.h tells. */
bool berth_is_standard_residue(const char *name);

size_t berth_residue_heavy_count(const struct berth_structure *structure,
                                 struct berth_span residue);

#endif

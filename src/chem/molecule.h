/* A molecule as a structure file gives it: atoms with Mol2 (SYBYL) types, bonds, residues.
 *
 * Heavy atoms (all but hydrogens and lone pairs) take part in the energy; hydrogens and bonds
 * are kept for writing poses out.
 */
#ifndef BERTH_CHEM_MOLECULE_H
#define BERTH_CHEM_MOLECULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chem/elements.h"

enum { BERTH_NAME_SIZE = 16 };

/* What a heavy atom is beside its type: see chem/traits.h. */
struct berth_traits {
    uint8_t neighbours; /* heavy atoms bonded to it, metals aside */
    uint8_t hydrogens;  /* bonded to it */
    bool hetero;        /* one of its neighbours is neither carbon nor hydrogen */
    bool acceptor;      /* N or O that takes part in hydrogen bonds with a lone pair */
    bool bystander;     /* a receptor's metal, which the ligand that was cut out does not bind */
};

struct berth_atom {
    double position[3];            /* Å */
    char name[BERTH_NAME_SIZE];    /* as in the file: "CA" */
    char type[BERTH_NAME_SIZE];    /* Mol2 (SYBYL) type: "C.ar" */
    char residue[BERTH_NAME_SIZE]; /* substructure name as in the file: "ALA12"; may be empty */
    int residue_id;                /* substructure number as in the file; 0 where absent */
    int element;                   /* atomic number; 0 for a dummy atom, a lone pair or unknown */
    bool heavy;                    /* takes part in the energy */
    int8_t charge;                 /* formal; where the molecule has_orders */
    struct berth_traits traits;    /* where the molecule has_traits */
    char chain[8];                 /* of the substructure, in receptors; "" where unknown */
};

struct berth_bond {
    size_t first, second; /* indices into atoms, from 0 */
    char type[4];         /* "1", "2", "3", "ar", "am", "du", "un", "nc" */
    uint8_t order;        /* 1, 2 or 3, in a Kekulé structure; where the molecule has_orders */
};

struct berth_molecule {
    char *title;              /* owned; never NULL in a molecule that a reader gave */
    struct berth_atom *atoms; /* owned */
    size_t atom_count;
    struct berth_bond *bonds; /* owned */
    size_t bond_count;
    size_t line; /* line of the file where the molecule starts, from 1 */
    size_t mode; /* of a docked pose: which of its ligand's, from 1; 0: none, or unknown */
    /* its atoms' are known: in receptors, whose hydrogens and bonds are left out */
    bool has_traits;
    /* orders of bonds and charges are known: from RDKit; else they follow from types and bonds
     * (chem/kekule.h) */
    bool has_orders;
    /* its file's types are GAFF's or Amber's: its atoms have their elements' symbols instead, and
     */
    bool foreign_types;
    bool lacks_orders; /* its bonds are all single there, which they cannot be */
};

/* Frees what the molecule owns and zeroes it; NULL and a zeroed molecule are accepted. */
void berth_molecule_clear(struct berth_molecule *molecule);

/* A copy that the caller clears; false (and *to empty) when out of memory. */
bool berth_molecule_copy(const struct berth_molecule *from, struct berth_molecule *to);

size_t berth_heavy_count(const struct berth_molecule *molecule);

/* Which heavy atom, from 0, each atom is; SIZE_MAX: none.  The caller frees it; NULL when out of
 * memory. */
size_t *berth_heavy_numbers(const struct berth_molecule *molecule);

/* Leaves out the atoms whose number is SIZE_MAX, and their bonds; those of the others ascend from
 * 0. */
void berth_molecule_keep(struct berth_molecule *molecule, const size_t *numbers);

/* Leaves the heavy atoms and the bonds between them.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_molecule_keep_heavy(struct berth_molecule *molecule,
                                            struct berth_error *error);

bool berth_has_hydrogens(const struct berth_molecule *molecule);

/* Mean position of the heavy atoms (Å); false and zeros where there is none. */
bool berth_heavy_centroid(const struct berth_molecule *molecule, double centroid[3]);

/* Least and largest coordinates of the heavy atoms (Å); false, infinity and -infinity where there
 * is none. */
bool berth_heavy_extent(const struct berth_molecule *molecule, double low[3], double high[3]);

/* What makes a molecule's coordinates useless for docking, or NULL: two heavy atoms in one place
 * (within 0.1 Å), or a flat drawing (all atoms at one z, sp3 carbons among them). */
const char *berth_coordinates_flaw(const struct berth_molecule *molecule);

/* What makes the place of a molecule in a receptor useless, or NULL: as of its coordinates; and all
 * of four or more heavy atoms at z 0, whatever they are, as in drawings. */
const char *berth_place_flaw(const struct berth_molecule *molecule);

/* Å: the largest coordinate that a molecule may have, and the farthest that atoms of one ligand may
 * lie apart along an axis (a float keeps 0.001 Å up to there, with digits to spare). */
#define BERTH_COORDINATE_MAX 10000.0
#define BERTH_EXTENT_MAX     1000.0

/* What makes a ligand's coordinates absurd, and what to do, or NULL: one beyond
 * BERTH_COORDINATE_MAX or no number; atoms further apart than BERTH_EXTENT_MAX. */
const char *berth_extent_flaw(const struct berth_molecule *ligand);

struct berth_composition {
    size_t counts[BERTH_ELEMENTS]; /* by atomic number */
};

/* Reads a formula in Hill notation, its charge aside: "C8H10NO2+".  D is hydrogen.  False where
 * it is none. */
bool berth_composition_parse(const char *formula, struct berth_composition *composition);

void berth_composition_of(const struct berth_molecule *molecule,
                          struct berth_composition *composition);

/* Atoms that are not hydrogen. */
size_t berth_composition_heavy(const struct berth_composition *composition);

/* Molar mass, g/mol (standard atomic weights; elements without one: their longest-lived isotope).
 */
double berth_composition_mass(const struct berth_composition *composition);

#endif

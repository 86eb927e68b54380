/* A fragment: a rigid piece of a ligand as RDKit built it once (tools/rdkit/fragments.py), in one
 * or several shapes. */
#ifndef BERTH_PREP_FRAGMENTS_FRAGMENT_H
#define BERTH_PREP_FRAGMENTS_FRAGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "prep/worker_molecule.h"

/* Which way fragments are built (tools/rdkit/fragments.py): raise it with any change of what comes
 * out, so that no store hands out what was built another way; tools/ship_fragments.py then makes
 * anew the store that ships. */
enum { BERTH_FRAGMENT_RECIPE = 3 };

/* Bounds of a record. */
enum { BERTH_FRAGMENT_KEY_MAX = 4000, BERTH_FRAGMENT_BYTES_MAX = 4 << 20 };

struct berth_fragment {
    size_t atom_count;     /* of the key: atoms but hydrogens, and caps, which stand for the atoms
                              beyond cut bonds; 0: RDKit cannot build it */
    size_t hydrogen_count; /* they follow the atoms */
    size_t bond_count, shape_count;
    struct berth_worker_atom *atoms; /* owned; [atom_count] */
    uint16_t *parents;               /* owned; [hydrogen_count]: the atoms that bear them */
    struct berth_worker_bond *bonds; /* owned; [bond_count]: hydrogens' aside */
    float *energies;                 /* owned; [shape_count], kJ/mol, lowest first */
    float (*positions)[3];           /* owned; [shape_count][atom_count + hydrogen_count], Å */
};

/* Reads a record (store.h); none of its bytes is trusted.  The caller clears *fragment,
 * also after an error.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_fragment_read(const void *record, size_t size,
                                      struct berth_fragment *fragment, struct berth_error *error);

/* The fragment that `fragment` is seen in a mirror.  The caller clears *mirrored, also after an
 * error.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_fragment_mirror(const struct berth_fragment *fragment,
                                        struct berth_fragment *mirrored, struct berth_error *error);

/* The key of the mirror image, atom by atom; the caller frees it.  NULL when out of memory. */
char *berth_fragment_mirror_key(const char *key);

/* Frees what the fragment owns and zeroes it. */
void berth_fragment_clear(struct berth_fragment *fragment);

/* Where shape number `shape` has its atoms, and behind them its hydrogens. */
static inline const float (*berth_fragment_shape(const struct berth_fragment *fragment,
                                                 size_t shape))[3]
{
    return (const float(*)[3])fragment->positions +
           shape * (fragment->atom_count + fragment->hydrogen_count);
}

/* A molecule that was cut (tools/rdkit/cutting.py).  Whoever fills it owns the arrays. */
struct berth_fragment_parts {
    const struct berth_fragment **fragments; /* [fragment_count], each of which can be built */
    size_t fragment_count;
    uint32_t *order; /* [order_count]: of each fragment's atoms in turn the molecule's, or from
                        atom_count on, the number of a cap */
    size_t order_count;
    size_t atom_count;   /* of the molecule, hydrogens aside */
    uint16_t (*cuts)[2]; /* [cut_count]: the atoms whose bonds were cut */
    size_t cut_count;
    uint16_t (*caps)[2]; /* [cap_count]: the atom that a cap stands for, and the one that has it */
    size_t cap_count;
};

#endif

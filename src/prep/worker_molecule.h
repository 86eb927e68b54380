/* Molecules as the worker sends them (tools/rdkit/sybyl.py), in one binary record, of which no byte
 * is trusted; numbers are little-endian:
 *
 *     record = u16 atoms, u16 bonds, u16 structures, atoms, bonds, structures
 *     atom   = u8 element, i8 formal charge, Mol2 type (6 bytes, zeros behind it)
 *     bond   = u16 atom, u16 atom, u8 order in a Kekulé structure, u8 Mol2 type (1, 2, 3; 4: ar;
 *              5: am)
 *     structure = three doubles for each atom, Å
 *
 * Records of fragments (fragments/store.h) have the same atoms and bonds.
 */
#ifndef BERTH_PREP_WORKER_MOLECULE_H
#define BERTH_PREP_WORKER_MOLECULE_H

#include "base/bytes.h"
#include "base/error.h"
#include "chem/conformers.h"
#include "chem/molecule.h"
#include "prep/worker.h"

struct berth_worker_atom {
    uint8_t element; /* 0: a fragment's cap */
    int8_t charge;   /* formal */
    char type[7];    /* Mol2; a cap's says nothing */
};

struct berth_worker_bond {
    uint16_t first, second;
    uint8_t order; /* 1 to 3 */
    char type[3];  /* Mol2 */
};

/* False where the next bytes are no atom; no bond of so many atoms. */
bool berth_worker_atom_read(struct berth_cursor *cursor, struct berth_worker_atom *atom);
bool berth_worker_bond_read(struct berth_cursor *cursor, size_t atoms,
                            struct berth_worker_bond *bond);

/* Puts an atom, which is no cap, at its place in a molecule that has room for it, named by its
 * element. */
void berth_worker_atom_put(const struct berth_worker_atom *atom, struct berth_molecule *molecule,
                           size_t place);

/* Reads a record: the molecule stands in its first structure, and its title is empty; structures
 * (or NULL) gets all.  The caller clears both, also after an error.  Errors: BERTH_E_FORMAT (it
 * makes no sense), BERTH_E_MEMORY. */
enum berth_status berth_worker_molecule_read(const void *record, size_t size,
                                             struct berth_molecule *molecule,
                                             struct berth_conformers *structures,
                                             struct berth_error *error);

/* An SDF record whose molecule is asked for as it stands. */
struct berth_stand {
    struct berth_field sdf;
    double ph;    /* in the state that a docking at it would give it; NAN: in its own */
    double limit; /* see struct berth_request */
    double *used; /* likewise */
};

/* Asks a worker for its molecule: Mol2 types, and all hydrogens, those that it lacks behind its
 * atoms, which keep order and place.  The caller clears *molecule.  Errors: as berth_worker_ask. */
enum berth_status berth_worker_stand(struct berth_worker *worker, const struct berth_stand *wanted,
                                     struct berth_molecule *molecule, struct berth_error *error);

#endif

/* Bond orders for a ligand whose file has none (PDB, PDBQT): out of its SMILES, or perceived.
 *
 * Perception is Open Babel's, from the heavy atoms alone and from all atoms; of the two, the one is
 * taken that contradicts the file less: PDBQT says which nitrogens bear hydrogens and which carbons
 * are aromatic.  Where both do, that is an error, since types would silently be wrong.
 */
#ifndef BERTH_PREP_BOND_ORDERS_H
#define BERTH_PREP_BOND_ORDERS_H

#include "base/bytes.h"
#include "chem/structure.h"

/* A ligand with bonds. */
struct berth_bonded_ligand {
    struct berth_bytes sdf;      /* owned; one record of its heavy atoms with bond orders, formal
                                    charges and 3D coordinates (about an origin of its own) */
    struct berth_molecule graph; /* owned; the same atoms and bonds, in the structure's frame */
    double origin[3];            /* of sdf, in the structure's frame, Å */
};

/* Gives the heavy atoms of structure the bonds of smiles (NULL: perceived ones).  limit: seconds
 * for each call of Open Babel.  The caller clears *bonded.  Errors: BERTH_E_FORMAT (its atoms are
 * not those of the SMILES; what was perceived contradicts the file), BERTH_E_IO (Open Babel),
 * BERTH_E_MEMORY. */
enum berth_status berth_bond_orders_find(const struct berth_structure *structure,
                                         const char *smiles, double limit,
                                         struct berth_bonded_ligand *bonded,
                                         struct berth_error *error);

/* Appends an SDF record without title: the atoms of smiles, in its order, at positions ([count],
 * Å), with its bonds.  Errors: BERTH_E_FORMAT (they do not fit: count, or atoms that are bonded and
 * stand too far apart), BERTH_E_IO (Open Babel), BERTH_E_MEMORY. */
enum berth_status berth_bond_orders_place(const char *smiles, const double (*positions)[3],
                                          size_t count, double limit, struct berth_bytes *sdf,
                                          struct berth_error *error);

/* The same for a file that has bonds, in a format of Open Babel's ("mol2", "sdf"): as they stand
 * there.  Coordinates are kept to 0.0001 Å. */
enum berth_status berth_bond_orders_read(const char *path, const char *format, double limit,
                                         struct berth_bonded_ligand *bonded,
                                         struct berth_error *error);

/* Appends the record of a bonded ligand to *sdf, in the structure's frame and without a title.
 * Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_bonded_ligand_put(const struct berth_bonded_ligand *bonded,
                                          struct berth_bytes *sdf, struct berth_error *error);

void berth_bonded_ligand_clear(struct berth_bonded_ligand *bonded);

#endif

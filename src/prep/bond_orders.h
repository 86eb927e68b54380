/* Bond orders for a ligand whose file has none (PDB, PDBQT): out of its SMILES, or perceived.
 *
 * Perception is berth's, from the heavy atoms (chem/bond_perception.h), or Open Babel's, from all
 * atoms or the heavy ones; that is taken which contradicts the file least: PDBQT says which
 * nitrogens bear hydrogens and which carbons are aromatic.  Where all do, that is an error, since
 * types would silently be wrong.
 */
#ifndef BERTH_PREP_BOND_ORDERS_H
#define BERTH_PREP_BOND_ORDERS_H

#include "base/bytes.h"
#include "chem/structure.h"

/* Each appends an SDF record without title to *sdf: heavy atoms with their bonds and formal
 * charges, where the file has them.  limit: seconds for each call of Open Babel.  Errors:
 * BERTH_E_FORMAT, BERTH_E_IO (Open Babel), BERTH_E_MEMORY. */

/* The heavy atoms of structure with the bonds of smiles (NULL: perceived ones).  BERTH_E_FORMAT:
 * its atoms are not those of the SMILES; what was perceived contradicts the file. */
enum berth_status berth_bond_orders_find(const struct berth_structure *structure,
                                         const char *smiles, double limit, struct berth_bytes *sdf,
                                         struct berth_error *error);

/* The same as a molecule, with types, and hydrogens for pH 7.4.  The caller clears *molecule. */
enum berth_status berth_bond_orders_molecule(const struct berth_structure *structure,
                                             const char *smiles, double limit,
                                             struct berth_molecule *molecule,
                                             struct berth_error *error);

/* The atoms of smiles, in its order, at positions ([count], Å), with its bonds.  BERTH_E_FORMAT:
 * they do not fit: count, or atoms that are bonded and stand too far apart. */
enum berth_status berth_bond_orders_place(const char *smiles, const double (*positions)[3],
                                          size_t count, double limit, struct berth_bytes *sdf,
                                          struct berth_error *error);

/* Of a file that has bonds, in a format of Open Babel's ("mol2", "sdf"): as they stand there.
 * Coordinates are kept to 0.0001 Å. */
enum berth_status berth_bond_orders_read(const char *path, const char *format, double limit,
                                         struct berth_bytes *sdf, struct berth_error *error);

#endif

/* Bond orders for a ligand whose file has none (PDB, PDBQT, XYZ): out of its SMILES, or perceived
 * from where its heavy atoms stand and the hydrogens that the file has.  RDKit's worker does both
 * (tools/rdkit/bonds.py).
 *
 * What is perceived and contradicts the file is an error, since types would silently be wrong.
 */
#ifndef BERTH_PREP_BOND_ORDERS_H
#define BERTH_PREP_BOND_ORDERS_H

#include "base/bytes.h"
#include "chem/molecule.h"
#include "chem/structure.h"
#include "prep/worker.h"

/* The worker, which is started when it is first needed, by whatever a structure is asked for.
 * Zeroed it is ready; it stays where it is until it is cleared. */
struct berth_bond_finder {
    double limit;            /* seconds for a molecule; 0: a minute */
    const atomic_bool *stop; /* borrowed, or NULL */
    struct berth_rdkit rdkit;
    struct berth_worker *worker; /* owned; NULL: not needed so far */
};

void berth_bond_finder_clear(struct berth_bond_finder *finder);

/* Asks the worker; its answer has so many fields behind the first.  Where the request has no limit,
 * the finder's holds.  Errors: as berth_worker_ask; BERTH_E_IO (there is no RDKit). */
enum berth_status berth_bond_finder_ask(struct berth_bond_finder *finder,
                                        const struct berth_request *request, size_t fields,
                                        struct berth_answer *answer, struct berth_error *error);

/* An atom around the ligand that only gives, or only takes, hydrogen bonds; a metal, which lone
 * pairs bind, is as one that gives. */
struct berth_partner {
    double position[3]; /* Å */
    bool gives;
};

#define BERTH_PH 7.4 /* of what a file says no protons of */

enum { BERTH_CONTRADICTION_SIZE = 200 };

/* A molecule whose bonds are asked for; everything is borrowed. */
struct berth_bonds_request {
    const struct berth_structure *structure;
    const char *smiles;                   /* that has them; NULL: they are perceived */
    const struct berth_partner *partners; /* [partner_count]: where the structure has no hydrogens,
                                             those of its azoles fit these */
    size_t partner_count;
    bool hydrogens; /* the record is to have those of the structure, too, if it has all */
};

/* What was found of them. */
struct berth_bonds_found {
    size_t moved;                                 /* hydrogens, for partners */
    char contradiction[BERTH_CONTRADICTION_SIZE]; /* of what was perceived; "": none */
};

/* Each appends an SDF record without title to *sdf: heavy atoms with their bonds and formal
 * charges.  Errors: BERTH_E_FORMAT, BERTH_E_IO (there is no RDKit), BERTH_E_MEMORY. */

/* The heavy atoms of a structure.  found: NULL makes an error of a contradiction.  BERTH_E_FORMAT:
 * its atoms are not those of the SMILES; there is no structure that they fit. */
enum berth_status berth_bond_orders_find(struct berth_bond_finder *finder,
                                         const struct berth_bonds_request *asked,
                                         struct berth_bonds_found *found, struct berth_bytes *sdf,
                                         struct berth_error *error);

/* The atoms of smiles, with its bonds, where the text of a PDB or PDBQT file has them, whose REMARK
 * SMILES IDX say which is which.  BERTH_E_FORMAT: they do not fit: count, or atoms that are bonded
 * and stand too far apart. */
enum berth_status berth_bond_orders_place(struct berth_bond_finder *finder, const char *smiles,
                                          const struct berth_bytes *text, struct berth_bytes *sdf,
                                          struct berth_error *error);

/* --- What such a record is --- */

/* The molecule of an SDF record as it stands, with Mol2 types and all hydrogens: those that it
 * lacks behind its atoms, which keep order and place; ph: in the state that a docking at it would
 * give it (tools/rdkit/protonate.py), NAN: in its own.  The caller clears *molecule.  Errors:
 * BERTH_E_FORMAT (RDKit refuses it), BERTH_E_IO (there is no RDKit), BERTH_E_MEMORY. */
enum berth_status berth_bond_finder_stand(struct berth_bond_finder *finder,
                                          const struct berth_bytes *sdf, double ph,
                                          struct berth_molecule *molecule,
                                          struct berth_error *error);

/* Appends its canonical SMILES, with the stereo of its coordinates, and 0.  Errors: likewise. */
enum berth_status berth_bond_finder_smiles(struct berth_bond_finder *finder,
                                           const struct berth_bytes *sdf,
                                           struct berth_bytes *smiles, struct berth_error *error);

/* Whether the structure has its hydrogens: where a carbon has one, all have theirs. */
bool berth_has_all_hydrogens(const struct berth_structure *structure);

#endif

/* Molecules as they stand, one by one, from SDF or what Open Babel makes SDF of: their bonds,
 * coordinates and charges as the file has them, hydrogens that it leaves out added, and their types
 * by what would prepare them as ligands (prep/prepare.h): RDKit, or Open Babel where there is none.
 * A structure without bonds and hydrogens (PDB, mmCIF)
 * has its state at BERTH_PH, since it says nothing of protons. */
#ifndef BERTH_PREP_POSED_H
#define BERTH_PREP_POSED_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"
#include "chem/molecule.h"

struct berth_pose_reader; /* opaque: one per file */

/* Opens path.  stop: borrowed, or NULL; soon after it has become true, reading ends with
 * BERTH_E_IO.  log, or NULL, hears where it protonates.  The caller destroys *reader.  Errors:
 * BERTH_E_IO (the file; no RDKit and no Open Babel), BERTH_E_USAGE (SMILES, which have no
 * coordinates), BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_pose_reader_create(const char *path, const atomic_bool *stop,
                                           const struct berth_log *log,
                                           struct berth_pose_reader **reader,
                                           struct berth_error *error);

/* Reads the next molecule into *molecule, which the caller clears (it is cleared here first); *end
 * is set behind the last one.  A molecule that cannot be used gives BERTH_E_FORMAT or BERTH_E_IO;
 * *molecule then holds its title and line, and the next call goes on with the next one.  An error
 * that the file cannot recover from is given once, and the next call sets *end. */
enum berth_status berth_pose_reader_next(struct berth_pose_reader *reader,
                                         struct berth_molecule *molecule, bool *end,
                                         struct berth_error *error);

/* True after an error that ended the file (see above). */
bool berth_pose_reader_is_broken(const struct berth_pose_reader *reader);

/* NULL is accepted. */
void berth_pose_reader_destroy(struct berth_pose_reader *reader);

/* A molecule in its place from a file of any format, for what needs its atoms and which of them are
 * bonded, not the orders of the bonds: a box about it, RMSDs to it. */

/* Reads the one molecule of path: Mol2 by our own reader; PDB, PDBQT and mmCIF as structures, whose
 * bonds are single; by their endings.  SDF (.sdf, .sd, .mol), V3000 by what types poses.  Of
 * alternate locations the one of highest occupancy is taken.  The caller clears *molecule.  Errors:
 * those of the readers and of berth_place_check; BERTH_E_IO (neither RDKit nor Open Babel, for
 * V3000). */
enum berth_status berth_posed_read(const char *path, struct berth_molecule *molecule,
                                   struct berth_error *error);

/* BERTH_E_FORMAT where the coordinates of a molecule that says a place, of this file, are a
 * drawing's, or none at all. */
enum berth_status berth_place_check(const char *path, const struct berth_molecule *molecule,
                                    struct berth_error *error);

#endif

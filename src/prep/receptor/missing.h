/* Side chains that lack atoms, built (build_missing).  The worker places them
 * (tools/rdkit/missing.py) and answers with one binary record, of which no byte is trusted; numbers
 * are little-endian:
 *
 *     record = u32 rows, rows
 *     row    = u32 residue (from 0, in the structure's order, rising), double (Å: from the nearest
 *              atom that is not its own; infinite: nothing is near), u8 atoms, atoms
 *     atom   = name (a text that ends with a 0), u8 element, three doubles (its place, Å)
 */
#ifndef BERTH_PREP_RECEPTOR_MISSING_H
#define BERTH_PREP_RECEPTOR_MISSING_H

#include "prep/receptor/work.h"

/* Adds to the amino acids of work->prepared->structure the atoms that their side chains lack, if
 * the settings ask for it, and says which; what has no whole backbone stays as it is.  Errors:
 * BERTH_E_FORMAT (RDKit gives up), BERTH_E_IO (no RDKit), BERTH_E_MEMORY. */
enum berth_status berth_receptor_build_missing(const struct berth_receptor_work *work,
                                               struct berth_error *error);

/* Adds the atoms of a record behind those of their residues; the log hears of each residue.
 * Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_missing_add(const void *record, size_t size,
                                    struct berth_structure *structure, const struct berth_log *log,
                                    struct berth_error *error);

#endif

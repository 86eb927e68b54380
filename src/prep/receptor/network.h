/* Hydrogens of a receptor by their network (protonate): PROPKA says what is charged at
 * the pH, reduce which nitrogens of His bear a hydrogen and which ends of Asn, Gln and His stand
 * the other way round than the file has them.  Both run in, or beside, the worker
 * (tools/rdkit/network.py), which answers with one binary record, of which no byte is trusted;
 * numbers are little-endian:
 *
 *     record = u32 rows, rows
 *     row    = u32 residue (from 0, in the structure's order), form (a text that ends with a 0), u8
 *              (1: flipped; 2: the acid's oxygens change names, since the proton is on the second),
 *              double pKa (NaN: none), reason (a text)
 */
#ifndef BERTH_PREP_RECEPTOR_NETWORK_H
#define BERTH_PREP_RECEPTOR_NETWORK_H

#include "prep/receptor/work.h"

/* Names residues of work->prepared->structure by the form that they have, and turns the ends of
 * those that are flipped; prepared->network has the rows, the nearest to the ligand, else to the
 * site, first.  A residue whose name says its form, or whose side chain has hydrogens in the file,
 * or which binds a metal, stays as it is.  Says what was used and chosen.  Nothing is done where
 * the settings ask for none.  Errors: BERTH_E_FORMAT (no reduce or no PROPKA beside RDKit, or one
 * of them gives up), BERTH_E_IO (no RDKit), BERTH_E_MEMORY. */
enum berth_status berth_receptor_protonate(const struct berth_receptor_work *work,
                                           struct berth_error *error);

/* Writes the rows as a table.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_network_write(const struct berth_network *network, const char *path,
                                      struct berth_error *error);

/* Applies the record of an answer.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_network_apply(const void *record, size_t size,
                                      struct berth_structure *structure,
                                      struct berth_network *network, struct berth_error *error);

void berth_network_clear(struct berth_network *network);

#endif

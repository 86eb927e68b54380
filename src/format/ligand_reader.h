/* Whole ligands from a Mol2 file: consecutive molecules that are conformers of one ligand
 * (chem/ligand.h says which are) come together.  This is the way of Mol2 into a library. */
#ifndef BERTH_IO_LIGAND_READER_H
#define BERTH_IO_LIGAND_READER_H

#include <stdint.h>

#include "format/mol2/mol2.h"
#include "chem/ligand.h"

struct berth_ligand_reader; /* opaque */

struct berth_ligand_reader_setup {
    const char *path; /* borrowed for the call; "-" is standard input, gzip is recognised */
    bool separate;    /* every molecule is a ligand of its own, named by its whole title */
    uint64_t skip;    /* molecules to pass over: what a resumed run has already done with */
};

/* Where a ligand stood in its file. */
struct berth_ligand_place {
    uint64_t record;   /* its first conformer, counting molecules from 1 */
    uint64_t consumed; /* molecules in front of the next ligand, those that failed too */
};

/* Opens the file.  The caller destroys *reader.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_ligand_reader_create(const struct berth_ligand_reader_setup *setup,
                                             struct berth_ligand_reader **reader,
                                             struct berth_error *error);

/* The next ligand, which the caller clears (it is cleared here first); *end is set where there is
 * none.  Errors: as berth_mol2_next, for each molecule that cannot be used, whose title
 * berth_ligand_reader_title gives; and BERTH_E_FORMAT once for a ligand of more than
 * BERTH_LIGAND_CONFORMERS_MAX conformers, which is passed over.  The next call goes on. */
enum berth_status berth_ligand_reader_next(struct berth_ligand_reader *reader,
                                           struct berth_ligand *ligand,
                                           struct berth_ligand_place *place, bool *end,
                                           struct berth_error *error);

/* Title of the molecule that failed, as far as it is known; else NULL.  Borrowed until the next
 * call. */
const char *berth_ligand_reader_title(const struct berth_ligand_reader *reader);

/* True after an error that ended the file (see berth_mol2_next). */
bool berth_ligand_reader_is_broken(const struct berth_ligand_reader *reader);

/* NULL is accepted. */
void berth_ligand_reader_destroy(struct berth_ligand_reader *reader);

#endif

/* A protein docked to a receptor, from files to files. */
#ifndef BERTH_PROTEIN_PROTEIN_RUN_H
#define BERTH_PROTEIN_PROTEIN_RUN_H

#include "protein/protein_search.h"

/* Reads the receptor and the ligand of run->options, which are prepared in the same way
 * (dock/typed_receptor.h), and sees to it that the outputs can be written.  The caller sets what
 * run borrows, and clears it.  Errors: those of reading; BERTH_E_USAGE (several receptors, an
 * output that is no PDB, too large a ligand); BERTH_E_FORMAT (the ligand is no protein or nucleic
 * acid, the reference has other atoms); BERTH_E_IO. */
enum berth_status berth_protein_run_open(struct berth_protein_run *run, struct berth_error *error);

/* Docks, and writes the files.  Errors: those of berth_protein_dock; BERTH_E_IO. */
enum berth_status berth_protein_run_dock(struct berth_protein_run *run,
                                         const struct berth_device *device,
                                         struct berth_error *error);

void berth_protein_run_clear(struct berth_protein_run *run);

#endif

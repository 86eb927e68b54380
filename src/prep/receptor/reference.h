/* The ligand that was cut out of a structure, as a molecule with bonds. */
#ifndef BERTH_PREP_RECEPTOR_REFERENCE_H
#define BERTH_PREP_RECEPTOR_REFERENCE_H

#include "prep/receptor/prepare_receptor.h"

/* Bonds are those of the settings' SMILES, else Open Babel's, else single ones; log hears which,
 * and what is doubtful.  Where the settings want no reference, single ones have to do, for the
 * ligand's place alone.  *reference stays empty where there is no ligand; the caller clears it.
 * Errors: BERTH_E_FORMAT (other SMILES), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_receptor_reference(const struct berth_receptor_settings *settings,
                                           const struct berth_structure *ligand,
                                           const struct berth_log *log,
                                           struct berth_molecule *reference,
                                           struct berth_error *error);

#endif

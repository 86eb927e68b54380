/* The ligand that was cut out of a structure, as a molecule with bonds. */
#ifndef BERTH_PREP_RECEPTOR_REFERENCE_H
#define BERTH_PREP_RECEPTOR_REFERENCE_H

#include "prep/receptor/prepare_receptor.h"

/* Makes prepared->reference of prepared->ligand, which stands in prepared->receptor.  Bonds are
 * those of the settings' SMILES, else perceived ones, else single ones; log hears which, and what
 * is doubtful.  Where the settings want no reference, single ones have to do, for the ligand's
 * place alone.  It stays empty where there is no ligand. Errors: BERTH_E_FORMAT (other SMILES),
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_receptor_reference(const struct berth_receptor_settings *settings,
                                           const struct berth_log *log,
                                           struct berth_receptor_prepared *prepared,
                                           struct berth_error *error);

#endif

/* Which residues of a structure become a receptor, which of them are the ligand that is cut out,
 * and the box that residues or the ligand make. */
#ifndef BERTH_PREP_RECEPTOR_RESIDUES_H
#define BERTH_PREP_RECEPTOR_RESIDUES_H

#include "prep/receptor/work.h"

/* The site that the settings ask for; *given is false where they ask for none.  Errors:
 * BERTH_E_USAGE. */
enum berth_status berth_receptor_find_site(const struct berth_receptor_work *work, bool *given,
                                           struct berth_site *site, struct berth_error *error);

/* Cuts the ligand out of the structure and leaves waters, additives and what settings->asked.drop
 * names out of it; says what it did.  Errors: BERTH_E_USAGE, BERTH_E_FORMAT (nothing is left),
 * BERTH_E_MEMORY. */
enum berth_status berth_receptor_select(const struct berth_receptor_work *work,
                                        struct berth_error *error);

#endif

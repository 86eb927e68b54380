/* What the files that prepare receptors share. */
#ifndef BERTH_PREP_RECEPTOR_RECEPTOR_INTERNAL_H
#define BERTH_PREP_RECEPTOR_RECEPTOR_INTERNAL_H

#include "prep/receptor/receptor.h"

/* A receptor in preparation. */
struct berth_receptor_work {
    const struct berth_receptor_settings *settings; /* borrowed */
    const struct berth_log *log;                    /* borrowed */
    struct berth_receptor_prepared *prepared;       /* borrowed */
};

/* Cuts the ligand out of the structure and leaves waters, additives and what settings->drop names
 * out of it; says what it did.  Errors: BERTH_E_USAGE, BERTH_E_FORMAT, BERTH_E_MEMORY, as
 * berth_receptor_prepare. */
enum berth_status berth_receptor_select(const struct berth_receptor_work *work,
                                        struct berth_error *error);

/* The site that the settings ask for; *given is false where they ask for none.  Errors:
 * BERTH_E_USAGE (no such residue). */
enum berth_status berth_receptor_site(const struct berth_receptor_work *work, bool *given,
                                      struct berth_site *site, struct berth_error *error);

/* Scans the receptor for sites and writes one receptor file for each, and the table of them.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT (no pocket), BERTH_E_MEMORY. */
enum berth_status berth_receptor_scan(const struct berth_receptor_work *work, const char *out,
                                      struct berth_error *error);

#endif

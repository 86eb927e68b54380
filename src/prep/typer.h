/* Types for molecules whose file has none of SYBYL's: RDKit's, which is started when it is first
 * needed. */
#ifndef BERTH_PREP_TYPER_H
#define BERTH_PREP_TYPER_H

#include "prep/prepare.h"

/* Zeroed it is ready; it stays where it is until it is cleared. */
struct berth_typer {
    struct berth_rdkit rdkit;
    struct berth_preparation preparation;
    struct berth_preparer *preparer; /* owned; NULL: not needed so far */
};

/* Gives a molecule with foreign_types those of SYBYL, by elements, bonds and charges, which stay,
 * as do its positions; another is left as it is.  Errors: BERTH_E_FORMAT (bonds without orders;
 * RDKit refuses it), BERTH_E_IO (there is no RDKit), BERTH_E_MEMORY. */
enum berth_status berth_typer_settle(struct berth_typer *typer, struct berth_molecule *molecule,
                                     struct berth_error *error);

/* BERTH_E_FORMAT where the orders of the bonds are not known. */
enum berth_status berth_typer_check(const struct berth_molecule *molecule,
                                    struct berth_error *error);

void berth_typer_clear(struct berth_typer *typer);

#endif

/* Whether text is SMILES at all.  Programs mend what is not, and make another molecule of it. */
#ifndef BERTH_FORMAT_SMILES_SMILES_H
#define BERTH_FORMAT_SMILES_SMILES_H

#include <stddef.h>

#include "base/error.h"

/* Looks through size bytes of text (borrowed), up to a blank.  BERTH_E_FORMAT, with the place, for
 * a parenthesis, bracket, ring or bond that is left open or out of place, and a symbol that SMILES
 * do not have.  What is in brackets, valences and aromaticity are left to others. */
enum berth_status berth_smiles_check(const char *text, size_t size, struct berth_error *error);

/* What to do with it, to be said behind a path that cannot be opened, where it is SMILES; else "".
 */
const char *berth_smiles_hint(const char *path);

#endif

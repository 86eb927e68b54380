/* What an SDF record asks for that no preparation can give: bonds without an order. */
#ifndef BERTH_IO_MOLFILE_H
#define BERTH_IO_MOLFILE_H

#include <stddef.h>

#include "base/error.h"

/* Looks through the bonds of an SDF record (V2000 or V3000; size bytes of text, borrowed).
 * BERTH_E_FORMAT where one is neither single, double, triple nor aromatic: a coordination,
 * zero-order or query bond, which Open Babel reads as a bond that uses up a valence, and so takes
 * hydrogens from its ends.  What cannot be read as a bond is left to Open Babel to refuse. */
enum berth_status berth_molfile_check_bonds(const char *text, size_t size,
                                            struct berth_error *error);

#endif

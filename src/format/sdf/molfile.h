/* SDF records: what one asks for that no preparation can give, and the atoms and bonds of a simple
 * one. */
#ifndef BERTH_FORMAT_SDF_MOLFILE_H
#define BERTH_FORMAT_SDF_MOLFILE_H

#include <stddef.h>

#include "base/error.h"
#include "chem/molecule.h"

/* Looks through an SDF record (V2000 or V3000; size bytes of text, borrowed).  BERTH_E_FORMAT where
 * a bond is neither single, double, triple nor aromatic: a coordination, zero-order or query bond,
 * which Open Babel reads as a bond that uses up a valence, and so takes hydrogens from its ends;
 * and where a V2000 record has more or fewer lines of atoms and bonds than it counts, which
 * programs read as another molecule.  What cannot be read as a bond is left to them to refuse. */
enum berth_status berth_molfile_check(const char *text, size_t size, struct berth_error *error);

/* The atoms and bonds of a V2000 record: elements (types are their symbols), names (symbol and
 * number), positions and the orders of bonds; an empty molecule for a V3000 one.  The caller clears
 * *molecule.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_molfile_read(const char *text, size_t size, struct berth_molecule *molecule,
                                     struct berth_error *error);

#endif

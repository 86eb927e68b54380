/* Hydrogens of a pose that came too near to each other.
 *
 * Scoring functions such as Vina's know no hydrogens: torsions may bring two of them within 1 Å
 * while all heavy atoms are well apart.  Where that is so they are moved aside: heavy atoms stay
 * where they are, bonds keep their lengths, angles give way. */
#ifndef BERTH_CHEM_HYDROGENS_H
#define BERTH_CHEM_HYDROGENS_H

#include "base/error.h"
#include "chem/molecule.h"

/* True where a hydrogen is within 1.6 Å of another one, or 1.9 Å of a heavy atom, that is four
 * bonds or more away.  *crowded is false for a molecule without bonds.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_hydrogens_crowd(const struct berth_molecule *molecule,
                                        const double (*positions)[3], bool *crowded,
                                        struct berth_error *error);

/* Moves the hydrogens of positions [atom_count] (Å) until they are apart, as far as their bonds
 * allow.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_hydrogens_settle(const struct berth_molecule *molecule,
                                         double (*positions)[3], struct berth_error *error);

#endif

/* Which atoms are aromatic, where Mol2 types alone do not say: by the convention of BUDE's
 * forcefields (chem/type_rules.h) rings of five have localised types. */
#ifndef BERTH_CHEM_AROMATIC_H
#define BERTH_CHEM_AROMATIC_H

#include "base/error.h"
#include "chem/molecule.h"

/* aromatic[atom_count]: true for atoms of an aromatic type, and of rings of five with conjugated
 * types, a lone pair among them, and no carbonyl.  Rings of six with a carbonyl (pyridones) are
 * none, as to Sybyl, also where they were drawn so (chem/localise.h).  Where the molecule has no
 * bonds they follow from distances.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_aromatic_find(const struct berth_molecule *molecule, bool *aromatic,
                                      struct berth_error *error);

#endif

/* The atoms that each atom of a molecule is bonded to. */
#ifndef BERTH_CHEM_ADJACENCY_H
#define BERTH_CHEM_ADJACENCY_H

#include <stdint.h>

#include "base/error.h"
#include "chem/molecule.h"

struct berth_adjacency {
    size_t *start; /* owned; [atom_count + 1]: those of atom a are [start[a], start[a + 1]) of */
    uint32_t *neighbour; /* owned; [2 bond_count]: the atom at the other end, */
    uint32_t *bond;      /* owned; [2 bond_count]: and the bond between them */
};

/* Lists the bonds of molecule, but for those of type "nc" (not connected).  The caller clears
 * *adjacency.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_adjacency_find(const struct berth_molecule *molecule,
                                       struct berth_adjacency *adjacency,
                                       struct berth_error *error);

void berth_adjacency_clear(struct berth_adjacency *adjacency);

#endif

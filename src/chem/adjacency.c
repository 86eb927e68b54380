#include "chem/adjacency.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool is_bond(const struct berth_bond *bond)
{
    return strcmp(bond->type, "nc") != 0 && bond->first != bond->second;
}

static void put(struct berth_adjacency *adjacency, size_t *filled, size_t atom, size_t other,
                size_t bond)
{
    const size_t place = adjacency->start[atom] + filled[atom]++;
    adjacency->neighbour[place] = (uint32_t)other;
    adjacency->bond[place] = (uint32_t)bond;
}

enum berth_status berth_adjacency_find(const struct berth_molecule *molecule,
                                       struct berth_adjacency *adjacency, struct berth_error *error)
{
    const size_t atoms = molecule->atom_count, bonds = molecule->bond_count;
    size_t *filled = berth_alloc(atoms, sizeof *filled);
    *adjacency =
        (struct berth_adjacency){.start = berth_alloc(atoms + 1, sizeof *adjacency->start),
                                 .neighbour = berth_alloc(2 * bonds, sizeof *adjacency->neighbour),
                                 .bond = berth_alloc(2 * bonds, sizeof *adjacency->bond)};
    if (!filled || !adjacency->start || !adjacency->neighbour || !adjacency->bond) {
        free(filled);
        berth_adjacency_clear(adjacency);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", atoms);
    }
    for (size_t i = 0; i < bonds; i++) {
        if (is_bond(&molecule->bonds[i])) {
            adjacency->start[molecule->bonds[i].first + 1]++;
            adjacency->start[molecule->bonds[i].second + 1]++;
        }
    }
    for (size_t i = 0; i < atoms; i++) {
        adjacency->start[i + 1] += adjacency->start[i];
    }
    for (size_t i = 0; i < bonds; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        if (is_bond(bond)) {
            put(adjacency, filled, bond->first, bond->second, i);
            put(adjacency, filled, bond->second, bond->first, i);
        }
    }
    free(filled);
    return BERTH_OK;
}

void berth_adjacency_clear(struct berth_adjacency *adjacency)
{
    if (!adjacency) {
        return;
    }
    free(adjacency->start);
    free(adjacency->neighbour);
    free(adjacency->bond);
    memset(adjacency, 0, sizeof *adjacency);
}

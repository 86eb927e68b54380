#include "chem/bonds.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/cells.h"
#include "chem/residue_types.h"

/* Å */
#define BOND       1.95
#define LARGE_BOND 2.3

/* The search for the bonds of one atom. */
struct search {
    struct berth_molecule *molecule;
    size_t index, capacity;
    enum berth_status status;
    struct berth_error *error;
};

static bool may_bond(const struct berth_atom *atom)
{
    return atom->heavy && !berth_is_metal(atom->element);
}

static void add_bond(void *context, size_t other, double squared)
{
    struct search *search = context;
    struct berth_molecule *molecule = search->molecule;
    const struct berth_atom *a = &molecule->atoms[search->index], *b = &molecule->atoms[other];
    const double limit = a->element > 10 || b->element > 10 ? LARGE_BOND : BOND;
    if (search->status || other <= search->index || !may_bond(a) || !may_bond(b) ||
        squared > limit * limit) {
        return;
    }
    search->status = berth_reserve(&molecule->bonds, &search->capacity, molecule->bond_count + 1,
                                   sizeof *molecule->bonds, search->error);
    if (!search->status) {
        molecule->bonds[molecule->bond_count++] = (struct berth_bond){search->index, other, "1"};
    }
}

enum berth_status berth_bonds_by_distance(struct berth_molecule *molecule,
                                          struct berth_error *error)
{
    double(*points)[3] = berth_alloc(molecule->atom_count, sizeof *points);
    if (!points) {
        return berth_out_of_memory(error, molecule->title);
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        memcpy(points[i], molecule->atoms[i].position, sizeof points[i]);
    }
    struct berth_cells cells;
    struct search search = {.molecule = molecule, .error = error};
    search.status =
        berth_cells_create((const double(*)[3])points, molecule->atom_count, 3, &cells, error);
    if (!search.status) {
        for (; search.index < molecule->atom_count; search.index++) {
            berth_cells_each(&cells, points[search.index], LARGE_BOND, add_bond, &search);
        }
        berth_cells_clear(&cells);
    }
    free(points);
    return search.status;
}

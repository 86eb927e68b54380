#include "chem/bonds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/cells.h"
#include "chem/vectors.h"

static bool is_bond(const struct berth_bond *bond)
{
    return strcmp(bond->type, "nc") != 0 && bond->first != bond->second;
}

static void put_neighbour(struct berth_adjacency *adjacency, size_t *filled, size_t atom,
                          size_t other, size_t bond)
{
    const size_t place = adjacency->start[atom] + filled[atom]++;
    adjacency->neighbour[place] = (uint32_t)other;
    adjacency->bond[place] = (uint32_t)bond;
}

static enum berth_status check_degrees(const struct berth_molecule *molecule,
                                       struct berth_adjacency *adjacency, struct berth_error *error)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const size_t degree = berth_degree(adjacency, i);
        if (degree > BERTH_DEGREE_MAX) {
            berth_adjacency_clear(adjacency);
            return berth_fail(error, BERTH_E_FORMAT,
                              "atom %zu (%s) has %zu bonds, above %d: correct the bonds", i + 1,
                              molecule->atoms[i].name, degree, BERTH_DEGREE_MAX);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_adjacency_find(const struct berth_molecule *molecule,
                                       struct berth_adjacency *adjacency, struct berth_error *error)
{
    const size_t atoms = molecule->atom_count, bonds = molecule->bond_count;
    size_t *filled = berth_alloc(atoms, sizeof *filled);
    *adjacency =
        (struct berth_adjacency){.atom_count = atoms,
                                 .start = berth_alloc(atoms + 1, sizeof *adjacency->start),
                                 .neighbour = berth_alloc(2 * bonds, sizeof *adjacency->neighbour),
                                 .bond = berth_alloc(2 * bonds, sizeof *adjacency->bond),
                                 .queue = berth_alloc(atoms, sizeof *adjacency->queue),
                                 .steps = berth_alloc(atoms, sizeof *adjacency->steps)};
    if (!filled || !adjacency->start || !adjacency->neighbour || !adjacency->bond ||
        !adjacency->queue || !adjacency->steps) {
        free(filled);
        berth_adjacency_clear(adjacency);
        return berth_out_of_memory(error, molecule->title);
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
            put_neighbour(adjacency, filled, bond->first, bond->second, i);
            put_neighbour(adjacency, filled, bond->second, bond->first, i);
        }
    }
    free(filled);
    return check_degrees(molecule, adjacency, error);
}

size_t berth_heavy_degree(const struct berth_molecule *molecule,
                          const struct berth_adjacency *adjacency, size_t atom)
{
    size_t count = 0;
    BERTH_EACH_BOND (k, adjacency, atom) {
        count += molecule->atoms[adjacency->neighbour[k]].heavy;
    }
    return count;
}

size_t berth_bond_between(const struct berth_adjacency *adjacency, size_t a, size_t b)
{
    BERTH_EACH_BOND (k, adjacency, a) {
        if (adjacency->neighbour[k] == b) {
            return adjacency->bond[k];
        }
    }
    return SIZE_MAX;
}

size_t berth_ring_size(const struct berth_adjacency *adjacency, size_t first, size_t second)
{
    uint32_t *queue = adjacency->queue, *steps = adjacency->steps;
    size_t head = 0, tail = 0;
    memset(steps, 0, adjacency->atom_count * sizeof *steps);
    steps[first] = 1;
    queue[tail++] = (uint32_t)first;
    while (head < tail && !steps[second]) {
        const size_t at = queue[head++];
        BERTH_EACH_BOND (k, adjacency, at) {
            const uint32_t next = adjacency->neighbour[k];
            if (!steps[next] && !(at == first && next == second)) {
                steps[next] = steps[at] + 1;
                queue[tail++] = next;
            }
        }
    }
    return steps[second];
}

bool berth_is_of_ring_degree(const struct berth_adjacency *adjacency, size_t atom)
{
    return berth_degree(adjacency, atom) <= BERTH_RING_DEGREE_MAX;
}

static bool is_on(const struct berth_ring *path, size_t atom)
{
    bool on = false;
    for (size_t i = 0; i < path->count; i++) {
        on = on || path->atoms[i] == atom;
    }
    return on;
}

/* Goes on from the path's end; behind: over atoms behind its first alone.  false: that was enough.
 */
static bool go_round(const struct berth_ring_search *search, struct berth_ring *path, bool behind)
{
    const struct berth_adjacency *adjacency = search->adjacency;
    const size_t last = path->count - 1, first = path->atoms[0];
    bool more = true;
    for (size_t k = adjacency->start[path->atoms[last]];
         more && k < adjacency->start[path->atoms[last] + 1]; k++) {
        const size_t next = adjacency->neighbour[k], bond = adjacency->bond[k];
        path->bonds[last] = bond;
        if (next == first) {
            more = path->count < search->least || !search->may(search->context, first, bond) ||
                   (search->take && search->take(search->context, path));
        } else if (path->count < search->most && (next > first || !behind) && !is_on(path, next) &&
                   search->may(search->context, next, bond)) {
            path->atoms[path->count++] = next;
            more = go_round(search, path, behind);
            path->count--;
        }
    }
    return more;
}

bool berth_rings_about(const struct berth_ring_search *search, size_t atom)
{
    struct berth_ring path = {.atoms = {atom}, .count = 1};
    return !go_round(search, &path, false);
}

bool berth_rings_behind(const struct berth_ring_search *search, size_t atom)
{
    struct berth_ring path = {.atoms = {atom}, .count = 1};
    return !go_round(search, &path, true);
}

void berth_adjacency_clear(struct berth_adjacency *adjacency)
{
    free(adjacency->start);
    free(adjacency->neighbour);
    free(adjacency->bond);
    free(adjacency->queue);
    free(adjacency->steps);
    memset(adjacency, 0, sizeof *adjacency);
}

static int bonds_within(const struct berth_adjacency *adjacency, size_t from, size_t to, int most)
{
    int least = 4;
    BERTH_EACH_BOND (k, adjacency, from) {
        const size_t next = adjacency->neighbour[k];
        const int bonds = next == to ? 1
                          : most > 1 ? 1 + bonds_within(adjacency, next, to, most - 1)
                                     : 4;
        least = bonds < least ? bonds : least;
    }
    return least;
}

int berth_bonds_between(const struct berth_adjacency *adjacency, size_t from, size_t to)
{
    return bonds_within(adjacency, from, to, 3);
}

/* --- From distances --- */

double berth_bond_limit(enum berth_bond_limits limits, int first, int second)
{
    static const struct {
        double large[3]; /* by the number of large atoms */
        double metal;
    } LIMITS[] = {[BERTH_BOND_OF_MOLECULE] = {{1.95, 2.3, 2.3}, 0},
                  [BERTH_BOND_OF_RESIDUES] = {{1.95, 2.1, 2.3}, 2.4},
                  [BERTH_BOND_OF_PARTS] = {{1.75, 2.0, 2.25}, 2.6}};
    return berth_is_metal(first) || berth_is_metal(second)
               ? LIMITS[limits].metal
               : LIMITS[limits].large[(first > NEON) + (second > NEON)];
}

/* The search for the bonds of one atom. */
struct search {
    const struct berth_molecule *molecule;
    const struct berth_bond_rule *rule;
    struct berth_bond *bonds;
    size_t count, capacity, atom;
    enum berth_status status;
    struct berth_error *error;
};

static void add_bond(void *context, size_t other, double squared)
{
    struct search *search = context;
    if (search->status || other <= search->atom) {
        return;
    }
    const double limit = search->rule->limit(&search->molecule->atoms[search->atom],
                                             &search->molecule->atoms[other]);
    if (limit <= 0 || squared > limit * limit) {
        return;
    }
    search->status = berth_reserve(&search->bonds, &search->capacity, search->count + 1,
                                   sizeof *search->bonds, search->error);
    if (!search->status) {
        struct berth_bond *bond = &search->bonds[search->count++];
        *bond = (struct berth_bond){.first = search->atom, .second = other};
        snprintf(bond->type, sizeof bond->type, "%s", search->rule->type);
    }
}

enum berth_status berth_bonds_search(const struct berth_molecule *molecule,
                                     const struct berth_bond_rule *rule, struct berth_bond **bonds,
                                     size_t *count, struct berth_error *error)
{
    struct search search = {.molecule = molecule, .rule = rule, .error = error};
    struct berth_cells cells;
    *bonds = NULL;
    BERTH_TRY(berth_cells_create(molecule->atoms->position, sizeof *molecule->atoms,
                                 molecule->atom_count, rule->cell, &cells, error));
    for (; search.atom < molecule->atom_count; search.atom++) {
        berth_cells_each(&cells, molecule->atoms[search.atom].position, rule->longest, add_bond,
                         &search);
    }
    berth_cells_clear(&cells);
    *bonds = search.bonds;
    *count = search.count;
    return search.status;
}

static double limit_of(const struct berth_atom *a, const struct berth_atom *b)
{
    return a->heavy && b->heavy ? berth_bond_limit(BERTH_BOND_OF_MOLECULE, a->element, b->element)
                                : 0;
}

enum berth_status berth_bonds_by_distance(struct berth_molecule *molecule,
                                          struct berth_error *error)
{
    static const struct berth_bond_rule RULE = {limit_of, 2.3, 3, "1"};
    struct berth_bond *none = molecule->bonds; /* allocated all the same */
    const enum berth_status status =
        berth_bonds_search(molecule, &RULE, &molecule->bonds, &molecule->bond_count, error);
    free(none);
    return status;
}

bool berth_is_link(const struct berth_atom *a, const struct berth_atom *b)
{
    return a->heavy && b->heavy && a->residue_id != b->residue_id &&
           berth_distance(a->position, b->position) <
               berth_bond_limit(BERTH_BOND_OF_RESIDUES, a->element, b->element);
}

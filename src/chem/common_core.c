/* Backtracking: a pair of atoms that match is the seed, and grows by neighbours that match or are
 * left out. */
#include "chem/common_core.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/smarts_internal.h"

#define NONE SIZE_MAX

/* Steps of a search in all; and of a seed, at least.  A thousand steps take about 0.1 ms. */
enum { STEPS = 100000, STEPS_OF_SEED = 200, STEPS_OF_WAYS = 20000, KINDS = 256 };

/* A molecule as it is searched. */
struct graph {
    const struct berth_smarts_target *target;
    uint8_t
        *kinds; /* owned; [atom_count], as the others are: what has to match; 0: takes no part */
    size_t *partners; /* owned; of each the atom of the other molecule, or NONE */
    bool *left_out;   /* owned */
    bool *seen;       /* owned; for walks */
    size_t *queue;    /* owned */
};

struct search {
    struct graph reference, ligand;
    size_t *taken; /* owned; [count]: atoms of the ligand, each but the first beside an earlier */
    size_t count;
    size_t spare[KINDS]; /* atoms of the reference without a partner, by kind */
    size_t steps, last;  /* taken, and the most there may be now */
    bool *ring, *whole;  /* owned; [bonds of the ligand]: for find_whole */
    struct berth_common_core *core;
    berth_smarts_taker *take;
    void *context;
};

static size_t atom_count(const struct graph *graph)
{
    return graph->target->molecule->atom_count;
}

/* By element, whether in a ring, and of carbon whether it has single bonds alone. */
static uint8_t find_kind(const struct berth_smarts_target *target, size_t atom)
{
    const struct berth_atom *of = &target->molecule->atoms[atom];
    const struct berth_adjacency *adjacency = &target->adjacency;
    bool saturated = of->element == 6, ring = false;
    for (size_t k = adjacency->start[atom]; k < adjacency->start[atom + 1]; k++) {
        ring = ring || target->ring_sizes[adjacency->bond[k]];
        if (strcmp(target->molecule->bonds[adjacency->bond[k]].type, "1") != 0) {
            saturated = false;
        }
    }
    return of->heavy && of->element < 64 ? (uint8_t)(4 * of->element + 2 * ring + saturated) : 0;
}

static enum berth_status make_graph(const struct berth_smarts_target *target, struct graph *graph,
                                    struct berth_error *error)
{
    const size_t atoms = target->molecule->atom_count;
    graph->target = target;
    BERTH_TRY(berth_make(&graph->kinds, atoms, sizeof *graph->kinds, NULL, error));
    BERTH_TRY(berth_make(&graph->partners, atoms, sizeof *graph->partners, NULL, error));
    BERTH_TRY(berth_make(&graph->left_out, atoms, sizeof *graph->left_out, NULL, error));
    BERTH_TRY(berth_make(&graph->seen, atoms, sizeof *graph->seen, NULL, error));
    BERTH_TRY(berth_make(&graph->queue, atoms, sizeof *graph->queue, NULL, error));
    for (size_t i = 0; i < atoms; i++) {
        graph->kinds[i] = find_kind(target, i);
        graph->partners[i] = NONE;
    }
    return BERTH_OK;
}

static void clear_graph(struct graph *graph)
{
    free(graph->kinds);
    free(graph->partners);
    free(graph->left_out);
    free(graph->seen);
    free(graph->queue);
}

static void clear_search(struct search *search)
{
    clear_graph(&search->reference);
    clear_graph(&search->ligand);
    free(search->taken);
    free(search->ring);
    free(search->whole);
}

static enum berth_status make_search(const struct berth_smarts_target *reference,
                                     const struct berth_smarts_target *ligand,
                                     struct search *search, struct berth_error *error)
{
    BERTH_TRY(make_graph(reference, &search->reference, error));
    BERTH_TRY(make_graph(ligand, &search->ligand, error));
    const size_t bonds = ligand->molecule->bond_count;
    BERTH_TRY(berth_make(&search->ring, bonds, sizeof *search->ring, NULL, error));
    BERTH_TRY(berth_make(&search->whole, bonds, sizeof *search->whole, NULL, error));
    return berth_make(&search->taken, atom_count(&search->ligand), sizeof *search->taken, NULL,
                      error);
}

/* The ring of the bond between two atoms; 0: it is in none; -1: there is no bond. */
static int bond_between(const struct berth_smarts_target *target, size_t a, size_t b)
{
    const struct berth_adjacency *adjacency = &target->adjacency;
    for (size_t k = adjacency->start[a]; k < adjacency->start[a + 1]; k++) {
        if (adjacency->neighbour[k] == b) {
            return target->ring_sizes[adjacency->bond[k]];
        }
    }
    return -1;
}

/* Whether atom a of the ligand can lie on atom b of the reference beside those that are taken. */
static bool fits(const struct search *search, size_t a, size_t b)
{
    const struct graph *ligand = &search->ligand, *reference = &search->reference;
    const struct berth_adjacency *at_a = &ligand->target->adjacency;
    const struct berth_adjacency *at_b = &reference->target->adjacency;
    size_t bonds = 0;
    if (reference->partners[b] != NONE || reference->left_out[b] || !ligand->kinds[a] ||
        ligand->kinds[a] != reference->kinds[b]) {
        return false;
    }
    for (size_t k = at_a->start[a]; k < at_a->start[a + 1]; k++) {
        const size_t partner = ligand->partners[at_a->neighbour[k]];
        if (partner != NONE) {
            const int ring = bond_between(reference->target, b, partner);
            if (ring < 0 || !ring != !ligand->target->ring_sizes[at_a->bond[k]]) {
                return false;
            }
            bonds++;
        }
    }
    for (size_t k = at_b->start[b]; k < at_b->start[b + 1]; k++) {
        bonds -= reference->partners[at_b->neighbour[k]] != NONE;
    }
    return bonds == 0;
}

static void pair_up(struct search *search, size_t a, size_t b)
{
    search->ligand.partners[a] = b;
    search->reference.partners[b] = a;
    search->taken[search->count++] = a;
    search->spare[search->reference.kinds[b]]--;
}

static void part(struct search *search)
{
    const size_t a = search->taken[--search->count], b = search->ligand.partners[a];
    search->ligand.partners[a] = search->reference.partners[b] = NONE;
    search->spare[search->reference.kinds[b]]++;
}

/* --- What is kept of a core --- */

/* Walks from an atom over those that have partners by the bonds that `ways` tells; with ways NULL,
 * over all that are not left out.  Marks them seen, and returns how many: queue[]. */
static size_t walk(struct graph *ligand, size_t from, const bool *ways)
{
    const struct berth_adjacency *adjacency = &ligand->target->adjacency;
    size_t head = 0, tail = 0;
    ligand->queue[tail++] = from;
    ligand->seen[from] = true;
    while (head < tail) {
        const size_t at = ligand->queue[head++];
        for (size_t k = adjacency->start[at]; k < adjacency->start[at + 1]; k++) {
            const size_t next = adjacency->neighbour[k];
            const bool goes = ways ? ligand->partners[next] != NONE && ways[adjacency->bond[k]]
                                   : ligand->kinds[next] && !ligand->left_out[next];
            if (goes && !ligand->seen[next]) {
                ligand->seen[next] = true;
                ligand->queue[tail++] = next;
            }
        }
    }
    return tail;
}

static void forget(struct graph *ligand)
{
    memset(ligand->seen, 0, atom_count(ligand) * sizeof *ligand->seen);
}

/* Notes which bonds between atoms with partners are in no ring, or in one that is there as a whole:
 * one whose ends are joined without it, too, by bonds of rings. */
static void find_whole(struct search *search)
{
    struct graph *ligand = &search->ligand;
    const int *sizes = ligand->target->ring_sizes;
    const struct berth_molecule *molecule = ligand->target->molecule;
    for (size_t b = 0; b < molecule->bond_count; b++) {
        search->ring[b] = sizes[b] > 0;
        search->whole[b] = true;
    }
    for (size_t b = 0; b < molecule->bond_count; b++) {
        const struct berth_bond *bond = &molecule->bonds[b];
        if (sizes[b] && ligand->partners[bond->first] != NONE &&
            ligand->partners[bond->second] != NONE) {
            search->ring[b] = false;
            forget(ligand);
            walk(ligand, bond->first, search->ring);
            search->whole[b] = ligand->seen[bond->second];
            search->ring[b] = true;
        }
    }
}

/* Keeps what is taken, but for parts of rings, if it is the most so far. */
static void keep(struct search *search)
{
    struct graph *ligand = &search->ligand;
    struct berth_common_core *core = search->core;
    if (search->count <= core->count) {
        return;
    }
    find_whole(search);
    forget(ligand);
    for (size_t i = 0; i < search->count; i++) {
        const size_t from = search->taken[i];
        const size_t size = ligand->seen[from] ? 0 : walk(ligand, from, search->whole);
        if (size > core->count && size <= BERTH_SMARTS_ATOMS) {
            core->count = size;
            for (size_t k = 0; k < size; k++) {
                core->ligand[k] = ligand->queue[k];
                core->reference[k] = ligand->partners[ligand->queue[k]];
            }
        }
    }
}

/* --- Growing --- */

/* An atom of the ligand beside those that are taken, and which of these; NONE: there is none. */
static size_t find_next(const struct search *search, size_t *beside)
{
    const struct graph *ligand = &search->ligand;
    const struct berth_adjacency *adjacency = &ligand->target->adjacency;
    for (size_t i = 0; i < search->count; i++) {
        *beside = search->taken[i];
        for (size_t k = adjacency->start[*beside]; k < adjacency->start[*beside + 1]; k++) {
            const size_t next = adjacency->neighbour[k];
            if (ligand->partners[next] == NONE && !ligand->left_out[next] && ligand->kinds[next]) {
                return next;
            }
        }
    }
    return NONE;
}

/* The most atoms that what is taken can grow to. */
static size_t most_of(struct search *search)
{
    struct graph *ligand = &search->ligand;
    size_t by_kind[KINDS] = {0}, most = search->count;
    forget(ligand);
    const size_t reached = walk(ligand, search->taken[0], NULL);
    for (size_t i = 0; i < reached; i++) {
        const size_t atom = ligand->queue[i];
        const uint8_t kind = ligand->kinds[atom];
        if (ligand->partners[atom] == NONE && by_kind[kind] < search->spare[kind]) {
            by_kind[kind]++;
            most++;
        }
    }
    return most;
}

static void grow(struct search *search)
{
    const struct berth_adjacency *of = &search->reference.target->adjacency;
    size_t beside;
    if (++search->steps > search->last || most_of(search) <= search->core->count) {
        return;
    }
    const size_t next = find_next(search, &beside);
    if (next == NONE) {
        keep(search);
        return;
    }
    const size_t partner = search->ligand.partners[beside];
    for (size_t k = of->start[partner]; k < of->start[partner + 1]; k++) {
        if (fits(search, next, of->neighbour[k])) {
            pair_up(search, next, of->neighbour[k]);
            grow(search);
            part(search);
        }
    }
    search->ligand.left_out[next] = true;
    grow(search);
    search->ligand.left_out[next] = false;
}

static size_t count_seeds(const struct search *search)
{
    size_t seeds = 0;
    for (size_t a = 0; a < atom_count(&search->ligand); a++) {
        for (size_t b = 0; b < atom_count(&search->reference); b++) {
            seeds +=
                search->ligand.kinds[a] && search->ligand.kinds[a] == search->reference.kinds[b];
        }
    }
    return seeds;
}

enum berth_status berth_common_core_find(const struct berth_smarts_target *reference,
                                         const struct berth_smarts_target *ligand,
                                         struct berth_common_core *core, struct berth_error *error)
{
    struct search search = {.core = core};
    core->count = 0;
    enum berth_status status = make_search(reference, ligand, &search, error);
    for (size_t b = 0; !status && b < atom_count(&search.reference); b++) {
        search.spare[search.reference.kinds[b]] += search.reference.kinds[b] != 0;
    }
    const size_t seeds = status ? 0 : count_seeds(&search);
    const size_t share = seeds && STEPS / seeds > STEPS_OF_SEED ? STEPS / seeds : STEPS_OF_SEED;
    for (size_t a = 0; !status && a < atom_count(&search.ligand); a++) {
        bool all = true;
        for (size_t b = 0; search.steps < STEPS && b < atom_count(&search.reference); b++) {
            if (fits(&search, a, b)) {
                search.last = search.steps + share;
                pair_up(&search, a, b);
                grow(&search);
                part(&search);
                all = all && search.steps <= search.last;
            }
        }
        search.ligand.left_out[a] = all; /* what has it was looked at */
    }
    clear_search(&search);
    return status;
}

/* --- Ways --- */

/* Gives the ways that begin with what is taken; false: that is enough. */
static bool go_ways(struct search *search)
{
    const struct berth_common_core *core = search->core;
    const size_t next = search->count;
    if (next == core->count) {
        size_t atoms[BERTH_SMARTS_ATOMS];
        for (size_t k = 0; k < core->count; k++) {
            atoms[k] = search->reference.partners[core->reference[k]];
        }
        return search->take(search->context, atoms);
    }
    bool more = ++search->steps <= STEPS_OF_WAYS;
    for (size_t k = 0; more && k < core->count; k++) {
        if (fits(search, core->ligand[next], core->reference[k])) {
            pair_up(search, core->ligand[next], core->reference[k]);
            more = go_ways(search);
            part(search);
        }
    }
    return more;
}

enum berth_status berth_common_core_ways(const struct berth_smarts_target *reference,
                                         const struct berth_smarts_target *ligand,
                                         const struct berth_common_core *core,
                                         berth_smarts_taker *take, void *context,
                                         struct berth_error *error)
{
    struct berth_common_core own = *core;
    struct search search = {.core = &own, .take = take, .context = context};
    const enum berth_status status = make_search(reference, ligand, &search, error);
    if (!status) {
        go_ways(&search);
    }
    clear_search(&search);
    return status;
}

/* Branch and bound over sets of atoms that can still lie on each other: McSplit, connected (C.
 * McCreesh, P. Prosser, J. Trimble, IJCAI 2017, 712). */
#include "chem/common_core.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NONE SIZE_MAX

/* Steps of a search in all, each about a microsecond; and of a pair that it begins with, in the
 * first of its rounds: what that finds bounds the second one. */
enum { STEPS = 20000, STEPS_OF_PAIR = 60, STEPS_OF_WAYS = 20000, KINDS = 256 };

/* A molecule as it is searched. */
struct graph {
    const struct berth_facts *facts;
    uint8_t
        *kinds; /* owned; [atom_count], as the others are: what has to match; 0: takes no part */
    size_t *partners; /* owned; of each the atom of the other molecule, or NONE */
    uint16_t *order;  /* owned; its atoms, those of a set one behind the other */
    bool *seen;       /* owned; for walks */
    size_t *queue;    /* owned */
};

/* Atoms of the ligand and of the reference any of which can lie on any: places in their orders. */
struct set {
    uint16_t ligand, ligands, reference, references;
    bool beside; /* they are bonded to some that are taken, on either side to the same */
};

struct search {
    struct graph reference, ligand;
    size_t *taken; /* owned; [count]: atoms of the ligand, each but the first beside an earlier */
    size_t count;
    struct set *sets;          /* owned; [BERTH_CORE_ATOMS + 1][BERTH_CORE_ATOMS]: by count */
    size_t steps, last, share; /* taken, the most there may be now, and of a pair to begin with */
    bool *ring, *whole;        /* owned; [bonds of the ligand]: for find_whole */
    struct berth_common_core *core;
    size_t *places, place_count; /* owned; of the reference: for ways */
    berth_core_taker *take;
    void *context;
};

static size_t atom_count(const struct graph *graph)
{
    return graph->facts->molecule->atom_count;
}

static enum berth_status make_graph(const struct berth_facts *facts, struct graph *graph,
                                    struct berth_error *error)
{
    const size_t atoms = facts->molecule->atom_count;
    graph->facts = facts;
    BERTH_TRY(berth_make(&graph->kinds, atoms, sizeof *graph->kinds, NULL, error));
    BERTH_TRY(berth_make(&graph->partners, atoms, sizeof *graph->partners, NULL, error));
    BERTH_TRY(berth_make(&graph->order, atoms, sizeof *graph->order, NULL, error));
    BERTH_TRY(berth_make(&graph->seen, atoms, sizeof *graph->seen, NULL, error));
    BERTH_TRY(berth_make(&graph->queue, atoms, sizeof *graph->queue, NULL, error));
    for (size_t i = 0; i < atoms; i++) {
        /* By element and whether in a ring. */
        const struct berth_atom *of = &facts->molecule->atoms[i];
        const struct berth_adjacency *adjacency = &facts->adjacency;
        bool ring = false;
        BERTH_EACH_BOND (k, adjacency, i) {
            ring = ring || facts->rings[adjacency->bond[k]];
        }
        graph->kinds[i] = of->heavy && of->element < 128 ? (uint8_t)(2 * of->element + ring) : 0;
        graph->partners[i] = NONE;
    }
    return BERTH_OK;
}

static void clear_graph(struct graph *graph)
{
    free(graph->kinds);
    free(graph->partners);
    free(graph->order);
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
    free(search->sets);
    free(search->places);
}

static enum berth_status make_search(const struct berth_facts *reference,
                                     const struct berth_facts *ligand, struct search *search,
                                     struct berth_error *error)
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
static int ring_between(const struct berth_facts *facts, size_t a, size_t b)
{
    const size_t bond = berth_bond_between(&facts->adjacency, a, b);
    return bond == SIZE_MAX ? -1 : facts->rings[bond];
}

/* Whether atom a of the ligand can lie on atom b of the reference beside those that are taken. */
static bool fits(const struct search *search, size_t a, size_t b)
{
    const struct graph *ligand = &search->ligand, *reference = &search->reference;
    const struct berth_adjacency *at_a = &ligand->facts->adjacency;
    const struct berth_adjacency *at_b = &reference->facts->adjacency;
    size_t bonds = 0;
    if (reference->partners[b] != NONE || ligand->kinds[a] != reference->kinds[b]) {
        return false;
    }
    BERTH_EACH_BOND (k, at_a, a) {
        const size_t partner = ligand->partners[at_a->neighbour[k]];
        if (partner != NONE) {
            const int ring = ring_between(reference->facts, b, partner);
            if (ring < 0 || !ring != !ligand->facts->rings[at_a->bond[k]]) {
                return false;
            }
            bonds++;
        }
    }
    BERTH_EACH_BOND (k, at_b, b) {
        bonds -= reference->partners[at_b->neighbour[k]] != NONE;
    }
    return bonds == 0;
}

static void pair_up(struct search *search, size_t a, size_t b)
{
    search->ligand.partners[a] = b;
    search->reference.partners[b] = a;
    search->taken[search->count++] = a;
}

static void part(struct search *search)
{
    const size_t a = search->taken[--search->count], b = search->ligand.partners[a];
    search->ligand.partners[a] = search->reference.partners[b] = NONE;
}

/* --- What is kept of a core --- */

/* Walks from an atom over those that have partners by the bonds that `ways` tells.  Marks them
 * seen, and returns how many: queue[]. */
static size_t walk(struct graph *ligand, size_t from, const bool *ways)
{
    const struct berth_adjacency *adjacency = &ligand->facts->adjacency;
    size_t head = 0, tail = 0;
    ligand->queue[tail++] = from;
    ligand->seen[from] = true;
    while (head < tail) {
        const size_t at = ligand->queue[head++];
        BERTH_EACH_BOND (k, adjacency, at) {
            const size_t next = adjacency->neighbour[k];
            if (ligand->partners[next] != NONE && ways[adjacency->bond[k]] && !ligand->seen[next]) {
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
    const int *sizes = ligand->facts->rings;
    const struct berth_molecule *molecule = ligand->facts->molecule;
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
        if (size > core->count && size <= BERTH_CORE_ATOMS) {
            core->count = size;
            for (size_t k = 0; k < size; k++) {
                core->ligand[k] = ligand->queue[k];
                core->reference[k] = ligand->partners[ligand->queue[k]];
            }
        }
    }
}

/* --- Growing --- */

/* The most atoms that what is taken can grow to. */
static size_t most_of(const struct search *search, const struct set *sets, size_t count)
{
    size_t most = search->count;
    for (size_t i = 0; i < count; i++) {
        most += sets[i].ligands < sets[i].references ? sets[i].ligands : sets[i].references;
    }
    return most;
}

/* The set with the fewest choices, beside what is taken; NULL: there is none. */
static struct set *choose(const struct search *search, struct set *sets, size_t count)
{
    struct set *chosen = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const size_t most =
            sets[i].ligands > sets[i].references ? sets[i].ligands : sets[i].references;
        if ((sets[i].beside || !search->count) && most < least) {
            least = most;
            chosen = &sets[i];
        }
    }
    return chosen;
}

static void swap(uint16_t *order, size_t a, size_t b)
{
    const uint16_t held = order[a];
    order[a] = order[b];
    order[b] = held;
}

static size_t degree(const struct graph *graph, size_t atom)
{
    return berth_degree(&graph->facts->adjacency, atom);
}

/* Takes the ligand's atom with the most bonds, the first of equal ones, out of a set. */
static size_t take_ligand(const struct graph *ligand, struct set *set)
{
    size_t at = set->ligand;
    for (size_t i = at; i < (size_t)set->ligand + set->ligands; i++) {
        const size_t a = ligand->order[i], best = ligand->order[at];
        const size_t more = degree(ligand, a), most = degree(ligand, best);
        at = more > most || (more == most && a < best) ? i : at;
    }
    set->ligands--;
    swap(ligand->order, at, (size_t)set->ligand + set->ligands);
    return ligand->order[set->ligand + set->ligands];
}

/* Takes the reference's atom behind `last`, by number, out of a set; NONE: there is none. */
static size_t take_reference(const struct graph *reference, struct set *set, size_t last)
{
    size_t at = NONE;
    for (size_t i = set->reference; i < (size_t)set->reference + set->references; i++) {
        const size_t b = reference->order[i];
        at = (last == NONE || b > last) && (at == NONE || b < reference->order[at]) ? i : at;
    }
    if (at == NONE) {
        return NONE;
    }
    set->references--;
    swap(reference->order, at, (size_t)set->reference + set->references);
    return reference->order[set->reference + set->references];
}

enum { BONDS = 3 }; /* none, one in no ring, one in a ring */

/* Parts atoms of an order by their bonds with an atom; counts of each kind. */
static void part_by_bond(const struct graph *graph, size_t atom, size_t begin, size_t count,
                         uint16_t counts[BONDS])
{
    size_t next = begin;
    for (int bond = 0; bond < BONDS; bond++) {
        const size_t first = next;
        for (size_t i = next; i < begin + count; i++) {
            const int ring = ring_between(graph->facts, atom, graph->order[i]);
            if (bond == (ring < 0 ? 0 : ring ? 2 : 1)) {
                swap(graph->order, i, next++);
            }
        }
        counts[bond] = (uint16_t)(next - first);
    }
}

/* The sets when a, of the ligand, lies on b; returns how many. */
static size_t part_sets(const struct search *search, const struct set *sets, size_t count, size_t a,
                        size_t b, struct set *made)
{
    size_t number = 0;
    for (size_t i = 0; i < count; i++) {
        struct set set = sets[i];
        uint16_t ligands[BONDS], references[BONDS];
        part_by_bond(&search->ligand, a, set.ligand, set.ligands, ligands);
        part_by_bond(&search->reference, b, set.reference, set.references, references);
        for (int bond = 0; bond < BONDS; bond++) {
            if (ligands[bond] && references[bond]) {
                made[number++] = (struct set){set.ligand, ligands[bond], set.reference,
                                              references[bond], sets[i].beside || bond};
            }
            set.ligand = (uint16_t)(set.ligand + ligands[bond]);
            set.reference = (uint16_t)(set.reference + references[bond]);
        }
    }
    return number;
}

static void grow(struct search *search, size_t count)
{
    struct set *sets = search->sets + search->count * BERTH_CORE_ATOMS;
    bool grown = false; /* more atoms have all the rings of fewer */
    while (search->steps < search->last && most_of(search, sets, count) > search->core->count) {
        struct set *set = choose(search, sets, count);
        if (!set) {
            break;
        }
        const size_t a = take_ligand(&search->ligand, set);
        for (size_t b = NONE; (b = take_reference(&search->reference, set, b)) != NONE;) {
            if (!search->count) {
                const size_t last = search->steps + search->share;
                search->last = last < STEPS ? last : STEPS;
            }
            search->steps++;
            const size_t parted = part_sets(search, sets, count, a, b, sets + BERTH_CORE_ATOMS);
            pair_up(search, a, b);
            grow(search, parted);
            part(search);
            set->references++;
            grown = true;
        }
        if (!set->ligands) {
            *set = sets[--count];
        }
        search->last = search->count ? search->last : STEPS;
    }
    if (!grown) {
        keep(search);
    }
}

/* The sets of atoms of a kind; returns how many. */
static size_t begin_sets(struct search *search)
{
    size_t number = 0, ligands = 0, references = 0;
    for (size_t kind = 1; kind < KINDS; kind++) {
        const size_t ligand = ligands, reference = references;
        for (size_t a = 0; a < atom_count(&search->ligand); a++) {
            if (search->ligand.kinds[a] == kind) {
                search->ligand.order[ligands++] = (uint16_t)a;
            }
        }
        for (size_t b = 0; b < atom_count(&search->reference); b++) {
            if (search->reference.kinds[b] == kind) {
                search->reference.order[references++] = (uint16_t)b;
            }
        }
        if (ligands > ligand && references > reference) {
            search->sets[number++] =
                (struct set){(uint16_t)ligand, (uint16_t)(ligands - ligand), (uint16_t)reference,
                             (uint16_t)(references - reference), false};
        }
    }
    return number;
}

enum berth_status berth_common_core_find(const struct berth_facts *reference,
                                         const struct berth_facts *ligand,
                                         struct berth_common_core *core, struct berth_error *error)
{
    struct search search = {.core = core};
    core->count = 0;
    enum berth_status status = make_search(reference, ligand, &search, error);
    BERTH_THEN(berth_make(&search.sets, (BERTH_CORE_ATOMS + 1) * BERTH_CORE_ATOMS,
                          sizeof *search.sets, NULL, error));
    for (int round = 0; !status && round < 2; round++) {
        search.steps = 0;
        search.last = STEPS;
        search.share = round ? STEPS : STEPS_OF_PAIR;
        grow(&search, begin_sets(&search));
    }
    clear_search(&search);
    return status;
}

/* --- Ways --- */

static bool is_of_core(const struct berth_common_core *core, size_t atom)
{
    bool found = false;
    for (size_t k = 0; !found && k < core->count; k++) {
        found = core->reference[k] == atom;
    }
    return found;
}

/* The heavy atom that the atom hangs on; NONE: it is no end. */
static size_t find_holder(const struct graph *graph, size_t atom)
{
    const struct berth_adjacency *adjacency = &graph->facts->adjacency;
    size_t holder = NONE, count = 0;
    BERTH_EACH_BOND (k, adjacency, atom) {
        if (graph->facts->molecule->atoms[adjacency->neighbour[k]].heavy) {
            holder = adjacency->neighbour[k];
            count++;
        }
    }
    return count == 1 ? holder : NONE;
}

/* True for an end beside one of the core that is like it. */
static bool is_twin(const struct search *search, size_t atom)
{
    const struct graph *reference = &search->reference;
    const struct berth_common_core *core = search->core;
    const size_t holder = find_holder(reference, atom);
    bool found = false;
    for (size_t k = 0; holder != NONE && !found && k < core->count; k++) {
        found = reference->kinds[core->reference[k]] == reference->kinds[atom] &&
                find_holder(reference, core->reference[k]) == holder;
    }
    return found;
}

/* Lists the reference's atoms that ways may use: the core's, in its order, then the ends beside. */
static enum berth_status list_places(struct search *search, struct berth_error *error)
{
    const size_t atoms = atom_count(&search->reference);
    BERTH_TRY(berth_make(&search->places, atoms, sizeof *search->places, NULL, error));
    for (size_t k = 0; k < search->core->count; k++) {
        search->places[search->place_count++] = search->core->reference[k];
    }
    for (size_t b = 0; b < atoms; b++) {
        if (!is_of_core(search->core, b) && is_twin(search, b)) {
            search->places[search->place_count++] = b;
        }
    }
    return BERTH_OK;
}

/* Gives the ways that begin with what is taken; false: that is enough. */
static bool go_ways(struct search *search)
{
    const struct berth_common_core *core = search->core;
    const size_t next = search->count;
    if (next == core->count) {
        size_t atoms[BERTH_CORE_ATOMS];
        for (size_t k = 0; k < core->count; k++) {
            atoms[k] = search->ligand.partners[core->ligand[k]];
        }
        return search->take(search->context, atoms);
    }
    bool more = ++search->steps <= STEPS_OF_WAYS;
    for (size_t k = 0; more && k < search->place_count; k++) {
        if (fits(search, core->ligand[next], search->places[k])) {
            pair_up(search, core->ligand[next], search->places[k]);
            more = go_ways(search);
            part(search);
        }
    }
    return more;
}

enum berth_status berth_common_core_ways(const struct berth_facts *reference,
                                         const struct berth_facts *ligand,
                                         const struct berth_common_core *core,
                                         berth_core_taker *take, void *context,
                                         struct berth_error *error)
{
    struct berth_common_core own = *core;
    struct search search = {.core = &own, .take = take, .context = context};
    enum berth_status status = make_search(reference, ligand, &search, error);
    BERTH_THEN(list_places(&search, error));
    if (!status) {
        go_ways(&search);
    }
    clear_search(&search);
    return status;
}

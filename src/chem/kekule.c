#include "chem/kekule.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"

/* --- Maximum matching in a small general graph, by Edmonds' blossom algorithm --- */

/* Reference: J. Edmonds, Paths, trees, and flowers, Canad. J. Math. 17 (1965) 449. */
struct matching {
    int count;                        /* vertices */
    struct berth_adjacency adjacency; /* of the vertices */
    int *level;   /* [count], owned with all behind it: vertices above the level of a search are
                     not there for it */
    int *partner; /* [count]: -1 where unmatched */

    /* One search. */
    int highest; /* its level */
    int *parent; /* [count]: where an odd vertex was reached from; -1: not reached */
    int *base;   /* [count]: base of the blossom that the vertex was contracted into */
    int *queue;  /* [count] */
    int *even;   /* [count]; 1: on an even level of the search tree, in the queue */
    int *marked; /* [count]; for one common-ancestor search, or the bases of one blossom */
    int head, tail;
};

enum { ARRAYS = 7 };

static int common_base(const struct matching *graph, int a, int b)
{
    const int *partner = graph->partner;
    memset(graph->marked, 0, (size_t)graph->count * sizeof(int));
    for (;;) {
        a = graph->base[a];
        graph->marked[a] = 1;
        if (partner[a] < 0) {
            break; /* the root */
        }
        a = graph->parent[partner[a]];
    }
    for (b = graph->base[b]; !graph->marked[b]; b = graph->base[graph->parent[partner[b]]]) {
    }
    return b;
}

/* Marks the blossom's bases from v up to base, and makes its odd vertices reachable from child. */
static void mark_path(const struct matching *graph, int v, int base, int child)
{
    const int *partner = graph->partner;
    while (graph->base[v] != base) {
        graph->marked[graph->base[v]] = graph->marked[graph->base[partner[v]]] = 1;
        graph->parent[v] = child;
        child = partner[v];
        v = graph->parent[partner[v]];
    }
}

/* The edge a-b joins two even vertices: its odd cycle becomes one even vertex. */
static void contract(struct matching *graph, int a, int b)
{
    int count = graph->count, base = common_base(graph, a, b);
    memset(graph->marked, 0, (size_t)count * sizeof(int));
    mark_path(graph, a, base, b);
    mark_path(graph, b, base, a);
    for (int v = 0; v < count; v++) {
        if (graph->marked[graph->base[v]]) {
            graph->base[v] = base;
            if (!graph->even[v]) {
                graph->even[v] = 1;
                graph->queue[graph->tail++] = v;
            }
        }
    }
}

/* Grows the tree from v; returns the unmatched vertex that it reached, or -1. */
static int grow_tree(struct matching *graph, int root, int v)
{
    const struct berth_adjacency *adjacency = &graph->adjacency;
    const int *partner = graph->partner;
    BERTH_EACH_BOND (i, adjacency, v) {
        int to = (int)adjacency->neighbour[i];
        if (graph->level[to] > graph->highest || graph->base[v] == graph->base[to] ||
            partner[v] == to) {
            continue;
        }
        if (to == root || (partner[to] >= 0 && graph->parent[partner[to]] >= 0)) {
            contract(graph, v, to);
        } else if (graph->parent[to] < 0) {
            graph->parent[to] = v;
            if (partner[to] < 0) {
                return to;
            }
            graph->even[partner[to]] = 1;
            graph->queue[graph->tail++] = partner[to];
        }
    }
    return -1;
}

/* The even vertex of the highest level above root's loses its partner, which is returned as the end
 * of a path; -1 where there is none. */
static int spare_vertex(struct matching *graph, int root)
{
    int spared = root;
    for (int i = 0; i < graph->tail; i++) {
        if (graph->level[graph->queue[i]] > graph->level[spared]) {
            spared = graph->queue[i];
        }
    }
    if (spared == root) {
        return -1;
    }
    int end = graph->partner[spared];
    graph->partner[spared] = -1;
    return end;
}

/* Matches the unmatched vertex root, using vertices of at most `level`: by an augmenting path,
 * which keeps every matched vertex matched, or else by leaving out one vertex of a higher level
 * than root's.  So roots tried level by level are matched wherever lower levels can spare them. */
static void matching_augment(struct matching *graph, int root, int level)
{
    for (int v = 0; v < graph->count; v++) {
        graph->parent[v] = -1;
        graph->base[v] = v;
        graph->even[v] = 0;
    }
    graph->highest = level;
    graph->head = graph->tail = 0;
    graph->even[root] = 1;
    graph->queue[graph->tail++] = root;
    int end = -1;
    while (end < 0 && graph->head < graph->tail) {
        end = grow_tree(graph, root, graph->queue[graph->head++]);
    }
    if (end < 0) {
        end = spare_vertex(graph, root);
    }
    for (int v = end, next; v >= 0; v = next) {
        int before = graph->parent[v];
        next = graph->partner[before];
        graph->partner[v] = before;
        graph->partner[before] = v;
    }
}

/* --- Orders and charges --- */

enum { OPEN = 4, VERTICES_MAX = 2000, WALK_DEGREE_MAX = 6 };

/* How an atom with aromatic bonds stands to a double bond, as levels of the matching. */
enum level {
    MUST,           /* carbon: without one there is no structure */
    WANTS,          /* two-coordinate nitrogen: pyridine */
    WANTS_OR_ANION, /* the same in a ring of five: imidazolide, tetrazolate */
    CATION,         /* three-coordinate nitrogen: gets one only as N+ (pyridinium, guanidinium) */
    LAST,           /* O+ and S+: pyrylium */
    NEVER
};

struct state {
    const struct berth_molecule *molecule;
    int *orders;                             /* [bond_count]; OPEN: aromatic, still to be decided */
    int *charges;                            /* [atom_count] */
    const struct berth_adjacency *adjacency; /* without bonds of order 0 */
    int *vertex;   /* owned; [atom_count]: number in the aromatic system; -1: in none yet */
    size_t *stack; /* owned; [atom_count]: atoms of the aromatic system */
    bool has_hydrogens;
};

static size_t other_end(const struct state *state, size_t bond, size_t atom)
{
    const struct berth_bond *ends = &state->molecule->bonds[bond];
    return ends->first == atom ? ends->second : ends->first;
}

static int element_of(const struct state *state, size_t atom)
{
    return state->molecule->atoms[atom].element;
}

static bool has_type(const struct state *state, size_t atom, const char *type)
{
    return strcmp(state->molecule->atoms[atom].type, type) == 0;
}

static size_t degree(const struct state *state, size_t atom)
{
    return berth_degree(state->adjacency, atom);
}

/* Sum of the bond orders of atom, open bonds as 1. */
static int valence(const struct state *state, size_t atom)
{
    int sum = 0;
    BERTH_EACH_BOND (i, state->adjacency, atom) {
        int order = state->orders[state->adjacency->bond[i]];
        sum += order == OPEN ? 1 : order;
    }
    return sum;
}

static int open_count(const struct state *state, size_t atom)
{
    int count = 0;
    BERTH_EACH_BOND (i, state->adjacency, atom) {
        count += state->orders[state->adjacency->bond[i]] == OPEN;
    }
    return count;
}

static int order_of(const char *type)
{
    switch (type[0]) {
    case '2':
        return 2;
    case '3':
        return 3;
    case 'n':
        return 0;
    case 'a':
        return type[1] == 'r' ? OPEN : 1;
    default:
        return 1;
    }
}

/* An oxygen or sulfur that hangs on this one bond. */
static bool is_terminal_oxo(const struct state *state, size_t atom)
{
    int element = element_of(state, atom);
    return (element == OXYGEN || element == SULFUR || element == SELENIUM) &&
           degree(state, atom) == 1;
}

/* Some programs write carboxylate, phosphate and guanidinium with single bonds only and leave the
 * double bond to the types: opens those bonds. */
static void open_by_types(struct state *state, size_t center)
{
    int element = element_of(state, center), sum = valence(state, center);
    if ((size_t)sum != degree(state, center) || open_count(state, center) ||
        !((element == CARBON && sum == 3) || (element == PHOSPHORUS && sum == 4) ||
          (element == SULFUR && sum == 4))) {
        return;
    }
    bool cation = has_type(state, center, "C.cat");
    BERTH_EACH_BOND (i, state->adjacency, center) {
        size_t bond = state->adjacency->bond[i], atom = other_end(state, bond, center);
        if ((cation && element_of(state, atom) == NITROGEN) ||
            (has_type(state, atom, "O.co2") && degree(state, atom) == 1)) {
            state->orders[bond] = OPEN;
        }
    }
}

/* Nitro groups and N-oxides written with five-valent nitrogen become N+ and O-. */
static void split_charges(struct state *state, size_t center)
{
    if (element_of(state, center) != NITROGEN) {
        return;
    }
    BERTH_EACH_BOND (i, state->adjacency, center) {
        int sum = valence(state, center) + (open_count(state, center) >= 2);
        size_t bond = state->adjacency->bond[i];
        if (sum >= 5 && state->orders[bond] == 2 &&
            is_terminal_oxo(state, other_end(state, bond, center))) {
            state->orders[bond] = 1;
        }
    }
}

/* How many more bonds an oxo group's centre of this valence takes. */
static int oxo_doubles(int element, int sum)
{
    switch (element) {
    case CARBON:
    case NITROGEN: /* as N+ */
        return 4 - sum;
    case PHOSPHORUS:
    case ARSENIC:
        return 5 - sum;
    case SULFUR:
    case SELENIUM:
        return sum >= 4 ? 6 - sum : 4 - sum;
    case CHLORINE:
    case BROMINE:
    case IODINE:
        return sum - 1;
    default:
        return 0;
    }
}

static bool is_open_oxo(const struct state *state, size_t bond, size_t center)
{
    return state->orders[bond] == OPEN && is_terminal_oxo(state, other_end(state, bond, center));
}

/* Decides the open bonds to terminal oxygens: as many double as the centre takes, the rest O-. */
static void settle_oxo(struct state *state, size_t center)
{
    int doubles = oxo_doubles(element_of(state, center), valence(state, center));
    int ring_bonds = open_count(state, center);
    BERTH_EACH_BOND (i, state->adjacency, center) {
        ring_bonds -= is_open_oxo(state, state->adjacency->bond[i], center);
    }
    if (degree(state, center) < 2) {
        return;
    }
    if (element_of(state, center) == NITROGEN && ring_bonds >= 2) {
        doubles = 0; /* N-oxide of an aromatic ring: the ring needs N+ */
    }
    BERTH_EACH_BOND (i, state->adjacency, center) {
        if (is_open_oxo(state, state->adjacency->bond[i], center)) {
            state->orders[state->adjacency->bond[i]] = doubles > 0 ? 2 : 1;
            doubles--;
        }
    }
}

static bool is_open(const void *context, size_t atom, size_t bond)
{
    const struct state *state = context;
    return degree(state, atom) <= WALK_DEGREE_MAX && state->orders[bond] == OPEN;
}

/* An atom in a ring of five open bonds.  Atoms with many bonds are in none, so that the cost is
 * bounded. */
static bool is_in_open_five(const struct state *state, size_t atom)
{
    const struct berth_ring_search search = {state->adjacency, 5, 5, is_open, NULL, state};
    return berth_rings_about(&search, atom);
}

static enum level level_of(const struct state *state, size_t atom)
{
    int sum = valence(state, atom);
    switch (element_of(state, atom)) {
    case CARBON:
    case SILICON:
        return sum <= 3 ? MUST : NEVER;
    case NITROGEN:
        if (sum == 3 || has_type(state, atom, "N.pl3") || has_type(state, atom, "N.am")) {
            return sum <= 3 ? CATION : NEVER;
        }
        if (sum > 3) {
            return NEVER;
        }
        return is_in_open_five(state, atom) ? WANTS_OR_ANION : WANTS;
    case PHOSPHORUS:
    case ARSENIC:
        return sum <= 2 ? WANTS : NEVER;
    case OXYGEN:
    case SULFUR:
    case SELENIUM:
    case TELLURIUM:
        return sum == 2 ? LAST : NEVER;
    default:
        return NEVER;
    }
}

/* Collects the aromatic system of `first` in state->stack, and numbers its atoms. */
static size_t collect_system(struct state *state, size_t first)
{
    size_t count = 0;
    state->vertex[first] = 0;
    state->stack[count++] = first;
    for (size_t done = 0; done < count; done++) {
        size_t atom = state->stack[done];
        BERTH_EACH_BOND (i, state->adjacency, atom) {
            size_t next = other_end(state, state->adjacency->bond[i], atom);
            if (state->orders[state->adjacency->bond[i]] == OPEN && state->vertex[next] < 0) {
                state->vertex[next] = (int)count;
                state->stack[count++] = next;
            }
        }
    }
    return count;
}

static void match_level(struct matching *graph, int root_level, int level)
{
    for (int v = 0; v < graph->count; v++) {
        if (graph->level[v] == root_level && graph->partner[v] < 0) {
            matching_augment(graph, v, level);
        }
    }
}

/* Matches, and writes the orders; leaves the bonds open where a carbon stays without. */
static void decide_orders(struct state *state, struct matching *graph)
{
    static const struct {
        int root, level;
    } PHASES[] = {{MUST, WANTS_OR_ANION}, {WANTS, WANTS_OR_ANION}, {WANTS_OR_ANION, WANTS_OR_ANION},
                  {MUST, CATION},         {WANTS, CATION},         {MUST, LAST}};
    for (size_t i = 0; i < sizeof PHASES / sizeof *PHASES; i++) {
        match_level(graph, PHASES[i].root, PHASES[i].level);
    }
    for (int v = 0; v < graph->count; v++) {
        if (graph->level[v] == MUST && graph->partner[v] < 0) {
            return;
        }
    }
    for (int v = 0; v < graph->count; v++) {
        size_t atom = state->stack[v];
        BERTH_EACH_BOND (i, state->adjacency, atom) {
            size_t bond = state->adjacency->bond[i];
            if (state->orders[bond] == OPEN) {
                bool is_double = graph->partner[v] == state->vertex[other_end(state, bond, atom)];
                state->orders[bond] = is_double ? 2 : 1;
            }
        }
    }
}

/* The open bonds of the aromatic system in state->stack as a graph's. */
static enum berth_status connect_system(const struct state *state, struct matching *graph,
                                        struct berth_error *error)
{
    struct berth_molecule system = {.atom_count = (size_t)graph->count};
    size_t ends = 0;
    for (size_t v = 0; v < system.atom_count; v++) {
        ends += (size_t)open_count(state, state->stack[v]);
    }
    BERTH_TRY(berth_make(&system.bonds, ends, sizeof *system.bonds, NULL, error));
    for (size_t v = 0; v < system.atom_count; v++) {
        size_t atom = state->stack[v];
        BERTH_EACH_BOND (i, state->adjacency, atom) {
            int other = state->vertex[other_end(state, state->adjacency->bond[i], atom)];
            if (state->orders[state->adjacency->bond[i]] == OPEN && other > (int)v) {
                system.bonds[system.bond_count++] =
                    (struct berth_bond){.first = v, .second = (size_t)other};
            }
        }
    }
    const enum berth_status status = berth_adjacency_find(&system, &graph->adjacency, error);
    free(system.bonds);
    return status;
}

/* Decides the aromatic system that holds `first`. */
static enum berth_status settle_system(struct state *state, size_t first, struct berth_error *error)
{
    const size_t count = collect_system(state, first);
    struct matching graph = {.count = (int)count};
    if (count > VERTICES_MAX) {
        return BERTH_OK;
    }
    enum berth_status status = connect_system(state, &graph, error);
    BERTH_THEN(berth_make(&graph.level, ARRAYS * count, sizeof *graph.level, NULL, error));
    if (!status) {
        int **const arrays[] = {&graph.partner, &graph.parent, &graph.base,
                                &graph.queue,   &graph.even,   &graph.marked};
        for (size_t i = 1; i < ARRAYS; i++) {
            *arrays[i - 1] = graph.level + i * count;
        }
        for (size_t v = 0; v < count; v++) {
            graph.level[v] = level_of(state, state->stack[v]);
            graph.partner[v] = -1;
        }
        decide_orders(state, &graph);
    }
    berth_adjacency_clear(&graph.adjacency);
    free(graph.level);
    return status;
}

/* Charge of an atom without bonds. */
static int ion_charge(int element)
{
    static const struct {
        int element, charge;
    } IONS[] = {{FLUORINE, -1}, {CHLORINE, -1}, {BROMINE, -1}, {IODINE, -1}, {3, 1},
                {11, 1},        {19, 1},        {37, 1},       {55, 1},      {4, 2},
                {12, 2},        {20, 2},        {38, 2},       {56, 2},      {30, 2}};
    for (size_t i = 0; i < sizeof IONS / sizeof *IONS; i++) {
        if (IONS[i].element == element) {
            return IONS[i].charge;
        }
    }
    return 0;
}

/* The one neighbour of a terminal atom is a nitrogen of four bonds (N-oxide, isocyanide). */
static bool hangs_on_cation(const struct state *state, size_t atom)
{
    size_t other = other_end(state, state->adjacency->bond[state->adjacency->start[atom]], atom);
    return element_of(state, other) == NITROGEN && valence(state, other) == 4;
}

/* From the valence.  A missing bond means a charge only where hydrogens are there at all: files
 * without any leave them to the reader. */
static int charge_of(const struct state *state, size_t atom)
{
    int element = element_of(state, atom), sum = valence(state, atom);
    if (degree(state, atom) == 0) {
        return has_type(state, atom, "N.4") ? 1 : ion_charge(element);
    }
    if (open_count(state, atom)) {
        return 0;
    }
    switch (element) {
    case BORON:
        return sum == 4 ? -1 : 0;
    case CARBON:
        return sum == 3 && degree(state, atom) == 1 && hangs_on_cation(state, atom) ? -1 : 0;
    case NITROGEN:
        if (sum == 4 || (sum < 4 && has_type(state, atom, "N.4"))) {
            return 1;
        }
        return sum == 2 && state->has_hydrogens ? -1 : 0;
    case PHOSPHORUS:
    case ARSENIC:
        return sum == 4 ? 1 : 0;
    case OXYGEN:
    case SULFUR:
    case SELENIUM:
        if (sum == 1) {
            return state->has_hydrogens || has_type(state, atom, "O.co2") ||
                           hangs_on_cation(state, atom)
                       ? -1
                       : 0;
        }
        return sum == 3 ? 1 : 0;
    default:
        return 0;
    }
}

static enum berth_status settle_molecule(struct state *state, struct berth_error *error)
{
    const size_t count = state->molecule->atom_count;
    const struct berth_molecule *molecule = state->molecule;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        state->orders[i] = order_of(molecule->bonds[i].type);
    }
    for (size_t a = 0; a < molecule->atom_count; a++) {
        state->vertex[a] = -1;
        state->has_hydrogens = state->has_hydrogens || molecule->atoms[a].element == HYDROGEN;
    }
    for (size_t a = 0; a < count; a++) {
        open_by_types(state, a);
        split_charges(state, a);
    }
    for (size_t a = 0; a < count; a++) {
        settle_oxo(state, a);
    }
    for (size_t a = 0; a < count; a++) {
        if (state->vertex[a] < 0 && open_count(state, a)) {
            BERTH_TRY(settle_system(state, a, error));
        }
    }
    for (size_t a = 0; a < count; a++) {
        state->charges[a] = charge_of(state, a);
    }
    return BERTH_OK;
}

enum berth_status berth_kekule_find(const struct berth_molecule *molecule,
                                    const struct berth_adjacency *adjacency, int **orders,
                                    int **charges, struct berth_error *error)
{
    const size_t atoms = molecule->atom_count, bonds = molecule->bond_count;
    struct state state = {.molecule = molecule, .adjacency = adjacency};
    *orders = *charges = NULL;
    BERTH_TRY(berth_make(orders, bonds, sizeof **orders, molecule->title, error));
    BERTH_TRY(berth_make(charges, atoms, sizeof **charges, molecule->title, error));
    if (molecule->has_orders) {
        /* What the molecule's builder has said. */
        for (size_t i = 0; i < bonds; i++) {
            (*orders)[i] = molecule->bonds[i].order;
        }
        for (size_t i = 0; i < atoms; i++) {
            (*charges)[i] = molecule->atoms[i].charge;
        }
        return BERTH_OK;
    }
    state.orders = *orders;
    state.charges = *charges;
    enum berth_status status = berth_make(&state.vertex, atoms, sizeof *state.vertex, NULL, error);
    BERTH_THEN(berth_make(&state.stack, atoms, sizeof *state.stack, NULL, error));
    BERTH_THEN(settle_molecule(&state, error));
    free(state.vertex);
    free(state.stack);
    return status;
}

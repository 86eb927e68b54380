/* Isomorphisms by colour refinement and backtracking.  Refinement (each atom's colour comes to hold
 * those of its neighbours, round by round) tells most atoms of a drug apart; the search then walks
 * outwards from the rarest atom, so that nearly every step has one candidate or two, and each is
 * checked against all bonds to atoms placed before it. */
#include "chem/rmsd.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "chem/bonds.h"

static const size_t NONE = SIZE_MAX;

/* Rounds of refinement: more than any drug needs; with fewer the search only has more to try. */
enum { ROUNDS = 64 };

/* Bounds the memory of the matches of a very large molecule: rows times heavy atoms. */
enum { ENTRIES_MAX = 1 << 24 };

/* The heavy atoms of a molecule and the bonds between them. */
struct graph {
    size_t count;
    size_t *start;      /* [count + 1]: where in neighbours those of an atom start */
    size_t *neighbours; /* indices of heavy atoms, each once */
    uint64_t *colour;   /* [count]: equal for atoms that may match */
};

struct search {
    struct graph from, to;
    size_t *order;  /* [count], owned with the next three: atoms of `from` as they are placed */
    size_t *parent; /* [count], by place in the order: a neighbour placed before, or NONE */
    size_t *cursor; /* [count], by place in the order: the next candidate to try */
    size_t *image;  /* [count]: the atom of `to` that an atom of `from` is placed on, or NONE */
    bool *used;     /* owned; [count]: atoms of `to` that are taken */
    const struct berth_match_rule *rule; /* borrowed; the first match that it allows is enough;
                                            NULL: all matches */
};

static uint64_t mix(uint64_t x)
{
    return berth_random_bits(&x);
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool adjacent(const struct graph *graph, size_t a, size_t b)
{
    BERTH_EACH_BOND (k, graph, a) {
        if (graph->neighbours[k] == b) {
            return true;
        }
    }
    return false;
}

static void graph_clear(struct graph *graph)
{
    free(graph->start);
    free(graph->neighbours);
    free(graph->colour);
}

/* Lists each atom's neighbours, ascending; heavy[i] is the number of atom i among the heavy ones,
 * or NONE.  words: [2 bond_count], scratch. */
static void connect_atoms(struct graph *graph, const struct berth_molecule *molecule,
                          const size_t *heavy, uint64_t *words)
{
    size_t count = 0, kept = 0;
    for (size_t k = 0; k < 2 * molecule->bond_count; k++) {
        const struct berth_bond *bond = &molecule->bonds[k / 2];
        const size_t a = heavy[k % 2 ? bond->second : bond->first];
        const size_t b = heavy[k % 2 ? bond->first : bond->second];
        if (a != NONE && b != NONE && a != b) {
            words[count++] = (uint64_t)a << 32 | b;
        }
    }
    qsort(words, count, sizeof *words, compare_words);
    for (size_t atom = 0, i = 0; atom < graph->count; atom++) {
        for (; i < count && words[i] >> 32 == atom; i++) {
            if (i == 0 || words[i] != words[i - 1]) { /* else the file gives the bond twice */
                graph->neighbours[kept++] = (size_t)(words[i] & UINT32_MAX);
            }
        }
        graph->start[atom + 1] = kept;
    }
}

static enum berth_status graph_create(const struct berth_molecule *molecule, struct graph *graph,
                                      struct berth_error *error)
{
    const size_t atoms = molecule->atom_count, ends = 2 * molecule->bond_count;
    size_t *heavy = berth_heavy_numbers(molecule);
    uint64_t *words = NULL;
    graph->count = berth_heavy_count(molecule);
    enum berth_status status = heavy ? BERTH_OK : berth_out_of_memory(error, molecule->title);
    BERTH_THEN(
        berth_make(&graph->start, graph->count + 1, sizeof *graph->start, molecule->title, error));
    BERTH_THEN(
        berth_make(&graph->neighbours, ends, sizeof *graph->neighbours, molecule->title, error));
    BERTH_THEN(
        berth_make(&graph->colour, graph->count, sizeof *graph->colour, molecule->title, error));
    BERTH_THEN(berth_make(&words, ends, sizeof *words, molecule->title, error));
    for (size_t i = 0; !status && i < atoms; i++) {
        if (molecule->atoms[i].heavy) {
            graph->colour[heavy[i]] = mix((uint64_t)molecule->atoms[i].element);
        }
    }
    if (!status) {
        connect_atoms(graph, molecule, heavy, words);
    }
    free(heavy);
    free(words);
    return status;
}

static void sort_colours(const struct graph *graph, uint64_t *sorted)
{
    memcpy(sorted, graph->colour, graph->count * sizeof *sorted);
    qsort(sorted, graph->count, sizeof *sorted, compare_words);
}

/* One round: every colour takes up those of the neighbours.  Colours that collide cost time, not
 * correctness: the search checks the bonds. */
static void refine_once(struct graph *graph, uint64_t *next)
{
    for (size_t i = 0; i < graph->count; i++) {
        uint64_t sum = 0;
        BERTH_EACH_BOND (k, graph, i) {
            sum += mix(graph->colour[graph->neighbours[k]]);
        }
        next[i] = mix(graph->colour[i] ^ mix(sum));
    }
    memcpy(graph->colour, next, graph->count * sizeof *next);
}

enum berth_status berth_matches_colours(const struct berth_molecule *molecule, uint64_t *colours,
                                        struct berth_error *error)
{
    struct graph graph = {0};
    const enum berth_status status = graph_create(molecule, &graph, error);
    for (int round = 0; !status && round < ROUNDS; round++) {
        refine_once(&graph, colours);
    }
    graph_clear(&graph);
    return status;
}

/* Refines both graphs; false where the colours say that they differ.  scratch has room for 2 *
 * count colours; the first half of it then has those of `from` in order. */
static bool refine(struct search *search, uint64_t *scratch)
{
    const size_t count = search->from.count;
    for (int round = 0; round < ROUNDS; round++) {
        refine_once(&search->from, scratch);
        refine_once(&search->to, scratch);
    }
    sort_colours(&search->from, scratch);
    sort_colours(&search->to, scratch + count);
    return memcmp(scratch, scratch + count, count * sizeof *scratch) == 0;
}

/* An atom and how many share its colour. */
struct rarity {
    size_t shared, atom;
};

static int compare_rarities(const void *a, const void *b)
{
    const struct rarity *x = a, *y = b;
    if (x->shared != y->shared) {
        return x->shared < y->shared ? -1 : 1;
    }
    return (x->atom > y->atom) - (x->atom < y->atom);
}

/* How many of the sorted colours, of which it is one, equal colour. */
static size_t count_colour(const uint64_t *sorted, size_t count, uint64_t colour)
{
    const uint64_t *first = bsearch(&colour, sorted, count, sizeof *sorted, compare_words);
    const uint64_t *last = first;
    while (first > sorted && first[-1] == colour) {
        first--;
    }
    while (last + 1 < sorted + count && last[1] == colour) {
        last++;
    }
    return (size_t)(last - first) + 1;
}

/* The order of placement: breadth first from the rarest atom of each connected part.  sorted holds
 * the colours of `from` in order. */
static enum berth_status make_order(struct search *search, const uint64_t *sorted,
                                    struct berth_error *error)
{
    const struct graph *graph = &search->from;
    struct rarity *starts;
    BERTH_TRY(berth_make(&starts, graph->count, sizeof *starts, NULL, error));
    for (size_t i = 0; i < graph->count; i++) {
        starts[i].shared = count_colour(sorted, graph->count, graph->colour[i]);
        starts[i].atom = i;
    }
    qsort(starts, graph->count, sizeof *starts, compare_rarities);
    size_t placed = 0;
    bool *seen = search->used; /* borrowed: false again at the end */
    for (size_t s = 0; s < graph->count; s++) {
        if (seen[starts[s].atom]) {
            continue;
        }
        seen[starts[s].atom] = true;
        search->parent[placed] = NONE;
        search->order[placed++] = starts[s].atom;
        for (size_t at = placed - 1; at < placed; at++) {
            size_t atom = search->order[at];
            BERTH_EACH_BOND (k, graph, atom) {
                size_t next = graph->neighbours[k];
                if (!seen[next]) {
                    seen[next] = true;
                    search->parent[placed] = atom;
                    search->order[placed++] = next;
                }
            }
        }
    }
    memset(seen, 0, graph->count * sizeof *seen);
    free(starts);
    return BERTH_OK;
}

/* Candidate number k for this place in the order, or NONE behind the last one. */
static size_t candidate(const struct search *search, size_t place, size_t k)
{
    if (search->parent[place] == NONE) {
        return k < search->to.count ? k : NONE;
    }
    size_t near = search->image[search->parent[place]];
    k += search->to.start[near];
    return k < search->to.start[near + 1] ? search->to.neighbours[k] : NONE;
}

/* True where atom may be placed on target, given those placed before. */
static bool fits(const struct search *search, size_t atom, size_t target)
{
    const struct graph *from = &search->from;
    if (search->used[target] || from->colour[atom] != search->to.colour[target]) {
        return false;
    }
    BERTH_EACH_BOND (k, from, atom) {
        size_t image = search->image[from->neighbours[k]];
        if (image != NONE && !adjacent(&search->to, target, image)) {
            return false;
        }
    }
    return true;
}

/* True where the rule has nothing against the placement of this atom. */
static bool is_allowed(const struct search *search, size_t atom)
{
    return !search->rule || search->rule->allows(search->rule->context, search->image, atom);
}

/* Keeps the search's present placement as a row of matches. */
static enum berth_status keep_match(const struct search *search, struct berth_matches *matches,
                                    size_t *capacity, struct berth_error *error)
{
    const size_t count = search->from.count, filled = matches->count * count;
    BERTH_TRY(
        berth_reserve(&matches->atoms, capacity, filled + count, sizeof *matches->atoms, error));
    memcpy(matches->atoms + filled, search->image, count * sizeof *search->image);
    matches->count++;
    return BERTH_OK;
}

/* Keeps the identity where it is an isomorphism, so that the bounds never cost it. */
static enum berth_status keep_identity(struct search *search, struct berth_matches *matches,
                                       size_t *capacity, struct berth_error *error)
{
    size_t count = search->from.count;
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        fine = fits(search, i, i);
        search->image[i] = i;
    }
    for (size_t i = 0; i < count && fine; i++) {
        fine = is_allowed(search, i);
    }
    enum berth_status status = fine ? keep_match(search, matches, capacity, error) : BERTH_OK;
    memset(search->image, 0xFF, count * sizeof *search->image); /* NONE */
    return status;
}

static bool is_identity(const struct search *search)
{
    size_t i = 0;
    while (i < search->from.count && search->image[i] == i) {
        i++;
    }
    return i == search->from.count;
}

/* Tries every placement, deepest first; equal numbers of bonds make a placement that keeps all
 * bonds of `from` an isomorphism. */
static enum berth_status walk_matches(struct search *search, struct berth_matches *matches,
                                      size_t *capacity, struct berth_error *error)
{
    size_t count = search->from.count, place = 0, steps = 0;
    size_t most = ENTRIES_MAX / count + 1;
    most = search->rule ? 1 : most < BERTH_MATCHES_MAX ? most : BERTH_MATCHES_MAX;
    search->cursor[0] = 0;
    while (steps++ < BERTH_MATCH_STEPS_MAX) {
        size_t atom = search->order[place];
        if (search->image[atom] != NONE) { /* back from deeper: take the last choice back */
            search->used[search->image[atom]] = false;
            search->image[atom] = NONE;
        }
        size_t target = candidate(search, place, search->cursor[place]++);
        if (target == NONE) {
            if (place-- == 0) {
                matches->complete = true;
                return BERTH_OK;
            }
            continue;
        }
        if (!fits(search, atom, target)) {
            continue;
        }
        search->image[atom] = target;
        search->used[target] = true;
        if (!is_allowed(search, atom)) {
            continue; /* to the next candidate */
        }
        if (place + 1 < count) {
            search->cursor[++place] = 0;
        } else if (!is_identity(search)) {
            if (matches->count == most) {
                return BERTH_OK;
            }
            BERTH_TRY(keep_match(search, matches, capacity, error));
        }
        if (search->rule && matches->count) {
            return BERTH_OK;
        }
    }
    return BERTH_OK;
}

/* The search proper, for two graphs of equal size; scratch has room for 2 * count colours. */
static enum berth_status match_graphs(struct search *search, uint64_t *scratch,
                                      struct berth_matches *matches, struct berth_error *error)
{
    size_t capacity = 0;
    if (!refine(search, scratch)) {
        matches->complete = true;
        return BERTH_OK;
    }
    memset(search->image, 0xFF, search->from.count * sizeof *search->image); /* NONE */
    enum berth_status status = make_order(search, scratch, error);
    BERTH_THEN(keep_identity(search, matches, &capacity, error));
    return status || (search->rule && matches->count)
               ? status
               : walk_matches(search, matches, &capacity, error);
}

static enum berth_status find(const struct berth_molecule *from, const struct berth_molecule *to,
                              const struct berth_match_rule *rule, struct berth_matches *matches,
                              struct berth_error *error)
{
    struct search search = {.rule = rule};
    uint64_t *scratch = NULL;
    memset(matches, 0, sizeof *matches);
    enum berth_status status = graph_create(from, &search.from, error);
    BERTH_THEN(graph_create(to, &search.to, error));
    const size_t count = search.from.count;
    BERTH_THEN(berth_make(&scratch, 2 * count, sizeof *scratch, from->title, error));
    BERTH_THEN(berth_make(&search.order, 4 * count, sizeof *search.order, from->title, error));
    BERTH_THEN(berth_make(&search.used, count, sizeof *search.used, from->title, error));
    if (!status && count && count == search.to.count &&
        search.from.start[count] == search.to.start[count]) {
        matches->heavy_count = count;
        search.parent = search.order + count;
        search.cursor = search.parent + count;
        search.image = search.cursor + count;
        status = match_graphs(&search, scratch, matches, error);
    } else {
        matches->complete = !status;
    }
    if (status) {
        berth_matches_clear(matches);
    }
    free(scratch);
    free(search.order);
    free(search.used);
    graph_clear(&search.from);
    graph_clear(&search.to);
    return status;
}

enum berth_status berth_matches_find(const struct berth_molecule *from,
                                     const struct berth_molecule *to, struct berth_matches *matches,
                                     struct berth_error *error)
{
    return find(from, to, NULL, matches, error);
}

enum berth_status berth_matches_find_first(const struct berth_molecule *from,
                                           const struct berth_molecule *to,
                                           const struct berth_match_rule *rule,
                                           struct berth_matches *matches, struct berth_error *error)
{
    return find(from, to, rule, matches, error);
}

double berth_rmsd(const struct berth_matches *matches, const double (*a)[3], const double (*b)[3])
{
    double best = INFINITY;
    for (size_t m = 0; m < matches->count; m++) {
        const size_t *row = matches->atoms + m * matches->heavy_count;
        double sum = 0;
        for (size_t i = 0; i < matches->heavy_count && sum < best; i++) {
            for (int k = 0; k < 3; k++) {
                double d = a[i][k] - b[row[i]][k];
                sum += d * d;
            }
        }
        best = sum < best ? sum : best;
    }
    return matches->count ? sqrt(best / (double)matches->heavy_count) : INFINITY;
}

void berth_matches_clear(struct berth_matches *matches)
{
    free(matches->atoms);
    memset(matches, 0, sizeof *matches);
}

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

static const size_t NONE = SIZE_MAX;

/* More rounds of refinement than any drug needs; with fewer the search only has more to try. */
enum { ROUNDS_MAX = 64 };

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
    size_t *order;  /* [count]: atoms of `from` in the order in which they are placed */
    size_t *parent; /* [count], by place in the order: a neighbour placed before, or NONE */
    size_t *cursor; /* [count], by place in the order: the next candidate to try */
    size_t *image;  /* [count]: the atom of `to` that an atom of `from` is placed on, or NONE */
    bool *used;     /* [count]: atoms of `to` that are taken */
};

/* The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static int compare_colours(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static int compare_indices(const void *a, const void *b)
{
    size_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static bool adjacent(const struct graph *graph, size_t a, size_t b)
{
    for (size_t k = graph->start[a]; k < graph->start[a + 1]; k++) {
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

/* Lists each atom's neighbours; heavy[i] is the number of atom i among the heavy ones, or NONE. */
static void connect_atoms(struct graph *graph, const struct berth_molecule *molecule,
                          const size_t *heavy)
{
    for (size_t pass = 0; pass < 2; pass++) {
        /* The first pass counts into start[atom + 1], the second fills from start[atom] on. */
        for (size_t k = 0; k < 2 * molecule->bond_count; k++) {
            const struct berth_bond *bond = &molecule->bonds[k / 2];
            size_t a = heavy[k % 2 ? bond->second : bond->first];
            size_t b = heavy[k % 2 ? bond->first : bond->second];
            if (a == NONE || b == NONE || a == b) {
                continue;
            }
            if (pass == 0) {
                graph->start[a + 1]++;
            } else {
                graph->neighbours[graph->start[a]++] = b;
            }
        }
        for (size_t i = 0; pass == 0 && i < graph->count; i++) {
            graph->start[i + 1] += graph->start[i];
        }
    }
    /* Filling has moved each start to the next atom's: move them back, and drop bonds that the file
     * gave twice. */
    size_t kept = 0;
    for (size_t i = 0, k = 0; i < graph->count; i++) {
        size_t end = graph->start[i];
        graph->start[i] = kept;
        qsort(graph->neighbours + k, end - k, sizeof *graph->neighbours, compare_indices);
        for (; k < end; k++) {
            if (kept == graph->start[i] || graph->neighbours[kept - 1] != graph->neighbours[k]) {
                graph->neighbours[kept++] = graph->neighbours[k];
            }
        }
    }
    graph->start[graph->count] = kept;
}

static enum berth_status graph_create(const struct berth_molecule *molecule, struct graph *graph,
                                      struct berth_error *error)
{
    graph->count = berth_heavy_count(molecule);
    graph->start = berth_alloc(graph->count + 1, sizeof *graph->start);
    graph->neighbours = berth_alloc(2 * molecule->bond_count, sizeof *graph->neighbours);
    graph->colour = berth_alloc(graph->count, sizeof *graph->colour);
    size_t *heavy = berth_alloc(molecule->atom_count, sizeof *heavy);
    if (!graph->start || !graph->neighbours || !graph->colour || !heavy) {
        free(heavy);
        return berth_out_of_memory(error, molecule->title);
    }
    size_t count = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        heavy[i] = molecule->atoms[i].heavy ? count : NONE;
        if (molecule->atoms[i].heavy) {
            graph->colour[count++] = mix((uint64_t)molecule->atoms[i].element);
        }
    }
    connect_atoms(graph, molecule, heavy);
    free(heavy);
    return BERTH_OK;
}

/* Number of different colours; sorted receives them in order. */
static size_t sort_colours(const struct graph *graph, uint64_t *sorted)
{
    memcpy(sorted, graph->colour, graph->count * sizeof *sorted);
    qsort(sorted, graph->count, sizeof *sorted, compare_colours);
    size_t different = 0;
    for (size_t i = 0; i < graph->count; i++) {
        different += i == 0 || sorted[i] != sorted[i - 1];
    }
    return different;
}

/* One round: every colour takes up those of the neighbours.  Colours that collide cost time, not
 * correctness: the search checks the bonds. */
static void refine_once(struct graph *graph, uint64_t *next)
{
    for (size_t i = 0; i < graph->count; i++) {
        uint64_t sum = 0;
        for (size_t k = graph->start[i]; k < graph->start[i + 1]; k++) {
            sum += mix(graph->colour[graph->neighbours[k]]);
        }
        next[i] = mix(graph->colour[i] ^ mix(sum));
    }
    memcpy(graph->colour, next, graph->count * sizeof *next);
}

/* Refines both graphs until the first one's colours are as different as they get; *alike is false
 * where the colours say that the graphs differ.  scratch has room for 2 * count colours. */
static void refine(struct search *search, uint64_t *scratch, bool *alike)
{
    size_t count = search->from.count;
    uint64_t *sorted_from = scratch, *sorted_to = scratch + count;
    size_t different = sort_colours(&search->from, sorted_from), before = 0;
    for (int round = 0; round < ROUNDS_MAX && (round == 0 || different > before); round++) {
        before = different;
        refine_once(&search->from, scratch);
        refine_once(&search->to, scratch);
        different = sort_colours(&search->from, sorted_from);
    }
    sort_colours(&search->from, sorted_from);
    sort_colours(&search->to, sorted_to);
    *alike = memcmp(sorted_from, sorted_to, count * sizeof *scratch) == 0;
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

/* How many of the sorted colours equal colour: two binary searches. */
static size_t count_colour(const uint64_t *sorted, size_t count, uint64_t colour)
{
    size_t bounds[2];
    for (size_t side = 0; side < 2; side++) {
        size_t low = 0, high = count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (sorted[middle] < colour || (side && sorted[middle] == colour)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        bounds[side] = low;
    }
    return bounds[1] - bounds[0];
}

/* The order of placement: breadth first from the rarest atom of each connected part.  sorted holds
 * the colours of `from` in order. */
static enum berth_status make_order(struct search *search, const uint64_t *sorted,
                                    struct berth_error *error)
{
    const struct graph *graph = &search->from;
    struct rarity *starts = berth_alloc(graph->count, sizeof *starts);
    if (!starts) {
        return berth_out_of_memory(error, NULL);
    }
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
            for (size_t k = graph->start[atom]; k < graph->start[atom + 1]; k++) {
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
    for (size_t k = from->start[atom]; k < from->start[atom + 1]; k++) {
        size_t image = search->image[from->neighbours[k]];
        if (image != NONE && !adjacent(&search->to, target, image)) {
            return false;
        }
    }
    return true;
}

/* Keeps the search's present placement as a row of matches. */
static enum berth_status keep_match(const struct search *search, struct berth_matches *matches,
                                    size_t *capacity, struct berth_error *error)
{
    size_t count = search->from.count;
    enum berth_status status = berth_reserve(
        &matches->atoms, capacity, (matches->count + 1) * count, sizeof *matches->atoms, error);
    if (!status) {
        memcpy(matches->atoms + matches->count * count, search->image,
               count * sizeof *search->image);
        matches->count++;
    }
    return status;
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
    most = most < BERTH_MATCHES_MAX ? most : BERTH_MATCHES_MAX;
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
        if (place + 1 < count) {
            search->cursor[++place] = 0;
        } else if (!is_identity(search)) {
            if (matches->count == most) {
                return BERTH_OK;
            }
            enum berth_status status = keep_match(search, matches, capacity, error);
            if (status) {
                return status;
            }
        }
    }
    return BERTH_OK;
}

/* The search proper, for two graphs of equal size; scratch has room for 2 * count colours. */
static enum berth_status match_graphs(struct search *search, uint64_t *scratch,
                                      struct berth_matches *matches, struct berth_error *error)
{
    bool alike;
    size_t capacity = 0;
    refine(search, scratch, &alike);
    if (!alike) {
        matches->complete = true;
        return BERTH_OK;
    }
    memset(search->image, 0xFF, search->from.count * sizeof *search->image); /* NONE */
    enum berth_status status = make_order(search, scratch, error);
    BERTH_THEN(keep_identity(search, matches, &capacity, error));
    return status ? status : walk_matches(search, matches, &capacity, error);
}

enum berth_status berth_matches_find(const struct berth_molecule *from,
                                     const struct berth_molecule *to, struct berth_matches *matches,
                                     struct berth_error *error)
{
    struct search search = {0};
    uint64_t *scratch = NULL;
    memset(matches, 0, sizeof *matches);
    enum berth_status status = graph_create(from, &search.from, error);
    BERTH_THEN(graph_create(to, &search.to, error));
    size_t count = search.from.count;
    if (status || count == 0 || count != search.to.count ||
        search.from.start[count] != search.to.start[count]) {
        matches->complete = !status;
        goto done;
    }
    matches->heavy_count = count;
    scratch = berth_alloc(2 * count, sizeof *scratch);
    search.order = berth_alloc(count, sizeof *search.order);
    search.parent = berth_alloc(count, sizeof *search.parent);
    search.cursor = berth_alloc(count, sizeof *search.cursor);
    search.image = berth_alloc(count, sizeof *search.image);
    search.used = berth_alloc(count, sizeof *search.used);
    if (scratch && search.order && search.parent && search.cursor && search.image && search.used) {
        status = match_graphs(&search, scratch, matches, error);
    } else {
        status = berth_out_of_memory(error, from->title);
    }
    if (status) {
        berth_matches_clear(matches);
    }
done:
    free(scratch);
    free(search.order);
    free(search.parent);
    free(search.cursor);
    free(search.image);
    free(search.used);
    graph_clear(&search.from);
    graph_clear(&search.to);
    return status;
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

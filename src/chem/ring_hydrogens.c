#include "chem/ring_hydrogens.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/vectors.h"

/* Å: the longest hydrogen bond; degrees: how far from a nitrogen's third bond, in the plane of the
 * ring, its partner may be. */
#define BOND 3.5
#define LINE 50.0

/* WAY_MAX: bonds on the longest way between two nitrogens, across three rings. */
enum { FIVE = 5, SIX = 6, WAY_MAX = 12 };

/* A ring of five or six atoms. */
struct ring {
    size_t atoms[SIX];
    int size;
    int electrons; /* that its atoms give it */
    bool aromatic;
};

/* A molecule, what stands around it, and a way between two of its nitrogens. */
struct search {
    struct berth_molecule *molecule;      /* borrowed */
    const struct berth_partner *partners; /* borrowed; [count] */
    size_t count;
    struct berth_adjacency adjacency;
    struct ring *rings; /* owned; [ring_count] */
    size_t ring_count, ring_capacity;
    bool *on_way; /* owned; [atom_count] */
    uint32_t bonds[WAY_MAX];
    size_t length;
};

static bool is_double(const struct search *search, size_t bond)
{
    return strcmp(search->molecule->bonds[bond].type, "2") == 0;
}

static size_t degree(const struct search *search, size_t atom)
{
    return berth_degree(&search->adjacency, atom);
}

/* How many double bonds a nitrogen with two bonds and no charge has; SIZE_MAX of any other atom. */
static size_t doubles_at(const struct search *search, size_t atom)
{
    const struct berth_adjacency *of = &search->adjacency;
    const struct berth_atom *at = &search->molecule->atoms[atom];
    size_t doubles = 0;
    if (at->element != NITROGEN || at->charge || degree(search, atom) != 2) {
        return SIZE_MAX;
    }
    BERTH_EACH_BOND (k, of, atom) {
        doubles += is_double(search, of->bond[k]);
    }
    return doubles;
}

static bool holds(const struct ring *ring, size_t atom)
{
    bool found = false;
    for (int i = 0; !found && i < ring->size; i++) {
        found = ring->atoms[i] == atom;
    }
    return found;
}

/* How many rings hold the atom. */
static size_t rings_of(const struct search *search, size_t atom)
{
    size_t count = 0;
    for (size_t i = 0; i < search->ring_count; i++) {
        count += holds(&search->rings[i], atom);
    }
    return count;
}

/* Whether a ring of this size holds both atoms. */
static bool share_ring(const struct search *search, size_t first, size_t second, int size)
{
    bool found = false;
    for (size_t i = 0; !found && i < search->ring_count; i++) {
        const struct ring *ring = &search->rings[i];
        found = ring->size == size && holds(ring, first) && holds(ring, second);
    }
    return found;
}

/* Finds bonds, single and double in turn, from `at` to another nitrogen, such that the first and
 * the last are what the two lack or can give: a double bond at one of them only, or at both. */
static bool find_way(struct search *search, size_t at, size_t to, bool doubled)
{
    const struct berth_adjacency *of = &search->adjacency;
    bool found =
        at == to && search->length > 0 && is_double(search, search->bonds[search->length - 1]);
    search->on_way[at] = true;
    for (size_t k = of->start[at]; !found && search->length < WAY_MAX && k < of->start[at + 1];
         k++) {
        if (is_double(search, of->bond[k]) == doubled && !search->on_way[of->neighbour[k]] &&
            berth_is_of_ring_degree(of, of->neighbour[k])) {
            search->bonds[search->length++] = of->bond[k];
            found = find_way(search, of->neighbour[k], to, !doubled);
            search->length -= !found;
        }
    }
    search->on_way[at] = false;
    return found;
}

/* Makes single bonds of the way double, and the others single. */
static void flip(struct search *search)
{
    for (size_t i = 0; i < search->length; i++) {
        struct berth_bond *bond = &search->molecule->bonds[search->bonds[i]];
        const bool single = strcmp(bond->type, "1") == 0;
        bond->order = single ? 2 : 1;
        strcpy(bond->type, single ? "2" : "1");
    }
}

/* Finds the rings that begin with the atoms of `ring`, its first the lowest; each in one of its two
 * directions. */
static enum berth_status find_rings(struct search *search, struct ring *ring,
                                    struct berth_error *error)
{
    const struct berth_adjacency *of = &search->adjacency;
    const size_t first = ring->atoms[0], at = ring->atoms[ring->size - 1];
    enum berth_status status = BERTH_OK;
    for (size_t k = of->start[at]; !status && k < of->start[at + 1]; k++) {
        const size_t next = of->neighbour[k];
        if (next == first && ring->size >= FIVE && ring->atoms[1] < at) {
            status = berth_reserve(&search->rings, &search->ring_capacity, search->ring_count + 1,
                                   sizeof *search->rings, error);
            if (!status) {
                search->rings[search->ring_count++] = *ring;
            }
        } else if (next > first && ring->size < SIX && berth_is_of_ring_degree(of, next) &&
                   !holds(ring, next)) {
            ring->atoms[ring->size++] = next;
            status = find_rings(search, ring, error);
            ring->size--;
        }
    }
    return status;
}

static void search_clear(struct search *search)
{
    berth_adjacency_clear(&search->adjacency);
    free(search->rings);
    free(search->on_way);
}

static enum berth_status search_begin(struct berth_molecule *molecule, struct search *search,
                                      struct berth_error *error)
{
    *search = (struct search){.molecule = molecule};
    enum berth_status status = berth_adjacency_find(molecule, &search->adjacency, error);
    BERTH_THEN(
        berth_make(&search->on_way, molecule->atom_count, sizeof *search->on_way, NULL, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        struct ring ring = {.atoms = {i}, .size = 1};
        status = find_rings(search, &ring, error);
    }
    return status;
}

/* --- Aromatic rings --- */

enum { NO_PART = 100 }; /* electrons, of an atom that lets no ring be aromatic */

/* The atom that this one has a double bond to; SIZE_MAX where there is none. */
static size_t doubled_to(const struct search *search, size_t atom)
{
    const struct berth_adjacency *of = &search->adjacency;
    BERTH_EACH_BOND (k, of, atom) {
        if (is_double(search, of->bond[k])) {
            return of->neighbour[k];
        }
    }
    return SIZE_MAX;
}

static bool are_in_ring(const struct search *search, size_t a, size_t b)
{
    return share_ring(search, a, b, FIVE) || share_ring(search, a, b, SIX);
}

/* How many electrons the atom adds to a ring that it is in. */
static int electrons_of(const struct search *search, size_t atom)
{
    const int element = search->molecule->atoms[atom].element;
    const size_t other = doubled_to(search, atom);
    if (other == SIZE_MAX) {
        return element == NITROGEN || element == OXYGEN || element == SULFUR ? 2 : NO_PART;
    }
    return are_in_ring(search, atom, other)                   ? 1
           : search->molecule->atoms[other].element == CARBON ? NO_PART
                                                              : 0;
}

/* Whether all double bonds from the ring's atoms are in it, or in another aromatic ring. */
static bool keeps_electrons(const struct search *search, const struct ring *ring)
{
    bool keeps = true;
    for (int i = 0; keeps && i < ring->size; i++) {
        const size_t other = doubled_to(search, ring->atoms[i]);
        keeps =
            other == SIZE_MAX || holds(ring, other) || !are_in_ring(search, ring->atoms[i], other);
        for (size_t k = 0; !keeps && k < search->ring_count; k++) {
            const struct ring *fused = &search->rings[k];
            keeps = fused->aromatic && holds(fused, ring->atoms[i]) && holds(fused, other);
        }
    }
    return keeps;
}

/* Aromatic rings, less those that would have 8 electrons. */
static int count_aromatic(const struct search *search)
{
    int count = 0;
    for (size_t i = 0; i < search->ring_count; i++) {
        struct ring *ring = &search->rings[i];
        ring->electrons = 0;
        for (int k = 0; k < ring->size; k++) {
            ring->electrons += electrons_of(search, ring->atoms[k]);
        }
        ring->aromatic = ring->electrons == 6;
        count += ring->aromatic - (ring->electrons == 8);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < search->ring_count; i++) {
            struct ring *ring = &search->rings[i];
            if (ring->aromatic && !keeps_electrons(search, ring)) {
                ring->aromatic = false;
                changed = true;
                count--;
            }
        }
    }
    return count;
}

/* How many more rings are aromatic with the way's bonds flipped. */
static int aromatic_gain(struct search *search)
{
    const int before = count_aromatic(search);
    flip(search);
    const int after = count_aromatic(search);
    flip(search);
    return after - before;
}

/* --- Pairs of hydrogens --- */

/* How many more rings are aromatic with a hydrogen on each of two nitrogens; the way between them
 * is left in the search. */
static int gain_of_pair(struct search *search, size_t first, size_t second)
{
    search->length = 0;
    if (doubles_at(search, first) != 1 || doubles_at(search, second) != 1 ||
        !find_way(search, first, second, true)) {
        return 0;
    }
    return aromatic_gain(search);
}

static bool add_best(struct search *search, const bool *may)
{
    const size_t count = search->molecule->atom_count;
    size_t first = 0, second = 0;
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; may[i] && j < count; j++) {
            const int is = may[j] ? gain_of_pair(search, i, j) : 0;
            if (is > most) {
                most = is;
                first = i;
                second = j;
            }
        }
    }
    if (most > 0) {
        gain_of_pair(search, first, second);
        flip(search);
    }
    return most > 0;
}

/* --- Which of two nitrogens --- */

enum { AROMATIC = 100 }; /* what a ring is worth, more than all else */

/* What a nitrogen is worth with a hydrogen, or with a lone pair. */
typedef int worth_fn(const struct search *search, size_t atom, bool hydrogen);

/* Moves the hydrogen of a ring's nitrogen that gains most to another's; within rings of five only,
 * or anywhere.  False where none gains. */
static bool move_best(struct search *search, bool in_five, worth_fn *worth)
{
    size_t from = 0, to = 0;
    int most = 0;
    for (size_t i = 0; i < search->molecule->atom_count; i++) {
        for (size_t j = 0; doubles_at(search, i) == 0 && j < search->molecule->atom_count; j++) {
            search->length = 0;
            const bool may = in_five ? share_ring(search, i, j, FIVE)
                                     : rings_of(search, i) && rings_of(search, j);
            if (doubles_at(search, j) != 1 || !may || !find_way(search, i, j, false)) {
                continue;
            }
            const int is = AROMATIC * aromatic_gain(search) + worth(search, i, false) +
                           worth(search, j, true) - worth(search, i, true) -
                           worth(search, j, false);
            if (is > most) {
                most = is;
                from = i;
                to = j;
            }
        }
    }
    if (most > 0) {
        search->length = 0;
        find_way(search, from, to, false);
        flip(search);
    }
    return most > 0;
}

/* What a hydrogen is worth by the nitrogen's neighbours: most next to a carbonyl group (a lactam's,
 * as in guanine), least next to a carbon that has an amine (an amidine's lone pair, as in
 * cytosine), and more where two rings meet (the 1H form of indazole). */
static int worth_by_neighbours(const struct search *search, size_t atom, bool hydrogen)
{
    const struct berth_adjacency *of = &search->adjacency;
    int worth = 0;
    for (size_t k = of->start[atom]; hydrogen && k < of->start[atom + 1]; k++) {
        const size_t next = of->neighbour[k];
        worth += rings_of(search, next) > 1;
        BERTH_EACH_BOND (l, of, next) {
            const int element = search->molecule->atoms[of->neighbour[l]].element;
            const bool outside = !are_in_ring(search, next, of->neighbour[l]);
            const bool doubled = is_double(search, of->bond[l]);
            worth += outside && doubled && element == OXYGEN      ? 4
                     : outside && !doubled && element == NITROGEN ? -2
                                                                  : 0;
        }
    }
    return worth;
}

enum berth_status berth_ring_hydrogens_add(struct berth_molecule *molecule, const bool *known,
                                           struct berth_error *error)
{
    struct search search;
    bool *may = NULL, any = false;
    enum berth_status status = search_begin(molecule, &search, error);
    BERTH_THEN(berth_make(&may, molecule->atom_count, sizeof *may, NULL, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        may[i] = doubles_at(&search, i) != SIZE_MAX;
        any = any || (known && known[i] && may[i]);
    }
    for (size_t i = 0; any && i < molecule->atom_count; i++) {
        may[i] = may[i] && known[i];
    }
    while (!status && add_best(&search, may)) {
    }
    while (!status && !any && move_best(&search, false, worth_by_neighbours)) {
    }
    free(may);
    search_clear(&search);
    return status;
}

/* How many more of the partners at the nitrogen's third bond fit than do not. */
static int worth_to_partners(const struct search *search, size_t atom, bool hydrogen)
{
    const struct berth_adjacency *of = &search->adjacency;
    const size_t start = of->start[atom];
    const struct berth_atom *atoms = search->molecule->atoms;
    const double *at = atoms[atom].position, *a = atoms[of->neighbour[start]].position,
                 *b = atoms[of->neighbour[start + 1]].position;
    const double middle[3] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
    double out[3], to[3];
    int fit = 0;
    berth_direction(middle, at, out);
    for (size_t i = 0; i < search->count; i++) {
        const struct berth_partner *partner = &search->partners[i];
        berth_direction(at, partner->position, to);
        if (berth_distance(at, partner->position) <= BOND && berth_angle(out, to) <= LINE) {
            fit += partner->gives == hydrogen ? -1 : 1;
        }
    }
    return fit;
}

enum berth_status berth_ring_hydrogens_settle(struct berth_molecule *molecule,
                                              const struct berth_partner *partners, size_t count,
                                              size_t *moved, struct berth_error *error)
{
    struct search search;
    *moved = 0;
    const enum berth_status status = search_begin(molecule, &search, error);
    search.partners = partners;
    search.count = count;
    /* each move fits better than what was: the sum has an end */
    while (!status && move_best(&search, true, worth_to_partners)) {
        ++*moved;
    }
    search_clear(&search);
    return status;
}

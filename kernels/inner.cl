/* Pairs of atoms inside a ligand that are far from each other in terms of bonds, in a search on
 * maps: their energy, and its slopes. */

/* Slopes of pairs are added up as integers of this many to 1 kJ/mol/Å where work-items share the
 * work: the sum is the same in any order.  A steeper pair counts as this steep; the line search
 * does not mind.
 *
 * A number that is added to 1.5 2^23 stands in the last bits of the sum, which are added up as they
 * are: conversions are slow on a GPU.  What the sums' other bits come to is known beforehand. */
#define SHARED_SLOPES (BERTH_REFINE_WGSIZE > 1 && BERTH_POSE_LANES == 1)
#define SLOPE_UNIT    8192.0f
#define SLOPE_MOST    500.0f
#define IN_LAST_BITS  12582912.0f

/* A ligand's pairs in local memory; see BERTH_PAIR_MEMORY. */
struct pair_list {
    bool listed; /* there was room */
    int count, types;
    local int *slopes;      /* [atoms][3]: of work-items that share the work */
    local int *zeros;       /* [atoms]: what the slopes of an atom begin at */
    local int *pairs;       /* [count]: BERTH_PAIR_WORD */
    local float *constants; /* [types][types][BERTH_SLOPE_CONSTANTS] */
};

/* What the pairs' energies depend on besides the pose. */
struct pair_table {
    global const struct berth_device_pair *pairs; /* [types][columns] */
    int columns;
};

/* The other bits of an atom's slopes, once for each of its pairs, are taken away before. */
static void find_zeros(const struct flexible *flexible, const struct pair_list *list)
{
    const int atoms = flexible->atoms, row = BERTH_FLEXIBLE_FAR_ROW(atoms);
    global const uint *far =
        (global const uint *)flexible->words + BERTH_FLEXIBLE_FAR(flexible->torsions, atoms);
    FOR_EACH_ITEM(i, list->listed ? atoms : 0)
    {
        uint pairs = 0;
        for (int k = 0; k < row; k++) {
            pairs += popcount(far[i * row + k]);
        }
        list->zeros[i] = (int)(-pairs * as_uint(IN_LAST_BITS));
    }
}

/* Copies a ligand's pairs to local memory; listed: there is room. */
static struct pair_list list_pairs(const struct pair_table *table, const struct flexible *flexible,
                                   bool listed, struct room *room)
{
    global const int *words =
        flexible->words + BERTH_FLEXIBLE_PAIRS(flexible->torsions, flexible->atoms);
    /* work-items that share vectors would want vectors of sums */
    const bool able = SHARED_SLOPES || BERTH_REFINE_WGSIZE == 1;
    struct pair_list list = {.listed = able && listed && flexible->torsions};
    if (list.listed) {
        list.count = words[0];
        list.types = words[1];
    }
    global const int *types = words + 2, *pairs = types + list.types;
    list.slopes = (local int *)take_words(room, list.listed ? 3 * flexible->atoms : 0);
    list.zeros = (local int *)take_words(room, list.listed ? flexible->atoms : 0);
    list.pairs = (local int *)take_words(room, list.count);
    list.constants = take_words(room, list.types * list.types * BERTH_SLOPE_CONSTANTS);
    FOR_EACH_ITEM(k, list.count)
    {
        list.pairs[k] = pairs[k];
    }
    FOR_EACH_ITEM(k, list.types * list.types)
    {
        global const struct berth_device_pair *pair =
            table->pairs + types[k / list.types] * table->columns + types[k % list.types];
        for (int c = 0; c < BERTH_SLOPE_CONSTANTS; c++) {
            list.constants[k * BERTH_SLOPE_CONSTANTS + c] = pair->constants[c];
        }
    }
    find_zeros(flexible, &list);
    group_barrier();
    return list;
}

/* How far two atoms are apart, Å. */
struct distance {
    struct triple apart;
    real r, inverse;
};

static struct distance distance_of(struct triple apart)
{
    const real square = floored(inner_product(apart, apart)), inverse = inverse_root(square);
    const struct distance distance = {apart, square * inverse, inverse};
    return distance;
}

/* The energy of atoms at a distance, and what the way from one to the other times gives the slope
 * of the first. */
static real pair_of(const struct distance *distance, const real *constants, real *slope)
{
    const real energy = pair_energy_slope_v(distance->r, constants, slope);
    *slope = clamp(*slope, (real)(-SLOPE_MOST), (real)(SLOPE_MOST)) * distance->inverse;
    return energy;
}

#if SHARED_SLOPES
static void add_slope(const struct pair_list *list, int atom, struct triple slope, float unit)
{
    local int *sum = list->slopes + 3 * atom;
    atomic_add(sum, as_int(fma(slope.x, unit, IN_LAST_BITS)));
    atomic_add(sum + 1, as_int(fma(slope.y, unit, IN_LAST_BITS)));
    atomic_add(sum + 2, as_int(fma(slope.z, unit, IN_LAST_BITS)));
}

static void clear_slopes(const struct pair_list *list, int atoms)
{
    FOR_EACH_ITEM(i, list->listed ? atoms : 0)
    {
        const int zero = list->zeros[i];
        list->slopes[3 * i] = list->slopes[3 * i + 1] = list->slopes[3 * i + 2] = zero;
    }
}

static void gather_slopes(const struct pair_list *list, const struct scratch *w,
                          const struct flexible *flexible)
{
    group_barrier();
    FOR_EACH_ITEM(i, flexible->atoms)
    {
        for (int k = 0; k < 3; k++) {
            w->slopes[OF_ATOM(flexible->stride, k, i)] +=
                list->slopes[3 * i + k] * (1 / SLOPE_UNIT);
        }
    }
}
#endif

/* A listed pair of atoms; word: BERTH_PAIR_WORD. */
struct listed_pair {
    uint word;
    struct distance distance;
};

static int first_of(const struct listed_pair *pair)
{
    return pair->word & 1023;
}

static int second_of(const struct listed_pair *pair)
{
    return pair->word >> 10 & 1023;
}

static struct listed_pair find_pair(const struct pair_list *list, const struct scratch *w,
                                    int stride, int number)
{
    struct listed_pair pair;
    pair.word = (uint)list->pairs[number];
    pair.distance = distance_of(less(triple_at(w->placed, stride, first_of(&pair)),
                                     triple_at(w->placed, stride, second_of(&pair))));
    return pair;
}

/* Finds the slope of the pair's first atom.  Returns the pair's energy. */
static real find_slope(const struct pair_list *list, const struct listed_pair *pair,
                       struct triple *of_first)
{
    local const float *words = list->constants + (pair->word >> 20) * BERTH_SLOPE_CONSTANTS;
    const struct triple apart = pair->distance.apart;
    real constants[BERTH_SLOPE_CONSTANTS], slope;
    for (int c = 0; c < BERTH_SLOPE_CONSTANTS; c++) {
        constants[c] = words[c];
    }
    const real energy = pair_of(&pair->distance, constants, &slope);
    of_first->x = slope * apart.x;
    of_first->y = slope * apart.y;
    of_first->z = slope * apart.z;
    return energy;
}

#if SHARED_SLOPES
static void add_slopes_of(const struct pair_list *list, const struct scratch *w, int stride,
                          const struct listed_pair *pair, struct triple slope)
{
    add_slope(list, first_of(pair), slope, SLOPE_UNIT);
    add_slope(list, second_of(pair), slope, -SLOPE_UNIT);
}
#else
static void add_slopes_of(const struct pair_list *list, const struct scratch *w, int stride,
                          const struct listed_pair *pair, struct triple slope)
{
    struct triple first = triple_at(w->slopes, stride, first_of(pair));
    struct triple second = triple_at(w->slopes, stride, second_of(pair));
    first.x += slope.x;
    first.y += slope.y;
    first.z += slope.z;
    second = less(second, slope);
    set_triple(first, w->slopes, stride, first_of(pair));
    set_triple(second, w->slopes, stride, second_of(pair));
}
#endif

/* Adds the slopes of the listed pairs.  Returns the work-item's part of their energy. */
#if BERTH_REFINE_WGSIZE == 1
/* What a pair's energy takes stands in one chain of some 30 instructions, each waiting for the one
 * before: a CPU has the distance of the next pair to find meanwhile. */
static real add_pairs(const struct pair_list *list, const struct scratch *w,
                      const struct flexible *flexible)
{
    const int stride = flexible->stride, last = list->count - 1;
    real energy = 0;
    struct listed_pair next;
    if (last >= 0) {
        next = find_pair(list, w, stride, 0);
    }
    for (int k = 0; k <= last; k++) {
        const struct listed_pair pair = next;
        struct triple slope;
        next = find_pair(list, w, stride, min(k + 1, last));
        energy += find_slope(list, &pair, &slope);
        add_slopes_of(list, w, stride, &pair, slope);
    }
    return energy;
}
#else
static real add_pairs(const struct pair_list *list, const struct scratch *w,
                      const struct flexible *flexible)
{
    const int stride = flexible->stride;
    real energy = 0;
    FOR_EACH_ITEM(k, list->count)
    {
        const struct listed_pair pair = find_pair(list, w, stride, k);
        struct triple slope;
        energy += find_slope(list, &pair, &slope);
        add_slopes_of(list, w, stride, &pair, slope);
    }
#if SHARED_SLOPES
    gather_slopes(list, w, flexible);
#endif
    return energy;
}
#endif

/* The same without a list: each atom meets all that are far from it. */
static real add_unlisted_pairs(const struct pair_table *table, const struct scratch *w,
                               const struct flexible *flexible)
{
    const int atoms = flexible->atoms, torsions = flexible->torsions, stride = flexible->stride;
    global const int *far = flexible->words + BERTH_FLEXIBLE_FAR(torsions, atoms);
    const int row = BERTH_FLEXIBLE_FAR_ROW(atoms);
    real energy = 0;
    FOR_EACH_ITEM(i, atoms)
    {
        const struct triple at = triple_at(w->placed, stride, i);
        struct triple sum = triple_at(w->slopes, stride, i);
        for (int j = 0; j < atoms; j++) {
            if (far[i * row + j / 32] >> j % 32 & 1) {
                global const struct berth_device_pair *pair =
                    table->pairs + w->types[i] * table->columns + w->types[j];
                real constants[BERTH_SLOPE_CONSTANTS], slope;
                for (int c = 0; c < BERTH_SLOPE_CONSTANTS; c++) {
                    constants[c] = pair->constants[c];
                }
                const struct distance distance =
                    distance_of(less(at, triple_at(w->placed, stride, j)));
                energy += 0.5f * pair_of(&distance, constants, &slope);
                sum.x = fma(slope, distance.apart.x, sum.x);
                sum.y = fma(slope, distance.apart.y, sum.y);
                sum.z = fma(slope, distance.apart.z, sum.z);
            }
        }
        set_triple(sum, w->slopes, stride, i);
    }
    return energy;
}

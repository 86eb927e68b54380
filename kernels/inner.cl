/* Pairs of atoms inside a ligand that are far from each other in terms of bonds, in a search on
 * maps: their energy, and its slopes. */

/* Slopes of pairs are added up as integers of this many to 1 kJ/mol/Å where work-items share the
 * work: the sum is the same in any order.  A steeper pair counts as that steep, so that no sum of
 * them leaves an int's range; the line search does not mind. */
#define SLOPE_UNIT 16384.0f
#define SLOPE_MOST 1024.0f

/* A ligand's pairs in local memory; see BERTH_PAIR_MEMORY. */
struct pair_list {
    bool listed; /* there was room */
    int count, types;
    local int *slopes;      /* [3][atoms]: of work-items that share the work */
    local int *pairs;       /* [count]: BERTH_PAIR_WORD */
    local float *constants; /* [types][types][BERTH_SLOPE_CONSTANTS] */
};

/* What the pairs' energies depend on besides the pose. */
struct pair_table {
    global const struct berth_device_pair *pairs; /* [types][columns] */
    int columns;
};

/* Copies a ligand's pairs to local memory; listed: there is room. */
static struct pair_list list_pairs(const struct pair_table *table, const struct flexible *flexible,
                                   bool listed, struct room *room)
{
    global const int *words =
        flexible->words + BERTH_FLEXIBLE_PAIRS(flexible->torsions, flexible->atoms);
    struct pair_list list = {.listed = listed && flexible->torsions};
    if (list.listed) {
        list.count = words[0];
        list.types = words[1];
    }
    global const int *types = words + 2, *pairs = types + list.types;
    list.slopes = (local int *)take_words(room, list.listed ? 3 * flexible->atoms : 0);
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
    group_barrier();
    return list;
}

/* The energy of atoms that are apart by so much (Å), and what apart times gives the slope of the
 * first. */
static real pair_of(struct triple apart, const real *constants, real *slope)
{
    const real square = limited(inner_product(apart, apart)), inverse = inverse_root(square);
    const real energy = pair_energy_slope_v(square * inverse, constants, slope);
    *slope = clamp(*slope, (real)(-SLOPE_MOST), (real)(SLOPE_MOST)) * inverse;
    return energy;
}

#if BERTH_REFINE_WGSIZE > 1
static void add_slope(const struct pair_list *list, int atoms, int atom, struct triple slope,
                      float scale)
{
    atomic_add(list->slopes + atom, convert_int_rte(slope.x * scale));
    atomic_add(list->slopes + atoms + atom, convert_int_rte(slope.y * scale));
    atomic_add(list->slopes + 2 * atoms + atom, convert_int_rte(slope.z * scale));
}

static void clear_slopes(const struct pair_list *list, int atoms)
{
    FOR_EACH_ITEM(k, list->listed ? 3 * atoms : 0)
    {
        list->slopes[k] = 0;
    }
}

static void gather_slopes(const struct pair_list *list, const struct scratch *w,
                          const struct flexible *flexible)
{
    group_barrier();
    FOR_EACH_ITEM(i, flexible->atoms)
    {
        for (int k = 0; k < 3; k++) {
            w->slopes[k * flexible->stride + i] +=
                list->slopes[k * flexible->atoms + i] * (1 / SLOPE_UNIT);
        }
    }
}
#endif

/* Pairs that a work-item works on at once: while it waits for one, the other goes on. */
#if BERTH_REFINE_WGSIZE > 1
#define PAIRS_AT_ONCE 2
#else
#define PAIRS_AT_ONCE 1
#endif

/* A pair of atoms, and the slope of the first. */
struct sloped_pair {
    int first, second;
    struct triple slope;
};

/* Finds the slope of a listed pair; number: BERTH_PAIR_WORD.  Returns its energy. */
static real find_slope(const struct pair_list *list, const struct scratch *w, int stride,
                       uint number, struct sloped_pair *pair)
{
    local const float *words = list->constants + (number >> 20) * BERTH_SLOPE_CONSTANTS;
    real constants[BERTH_SLOPE_CONSTANTS], slope;
    for (int c = 0; c < BERTH_SLOPE_CONSTANTS; c++) {
        constants[c] = words[c];
    }
    pair->first = number & 1023;
    pair->second = number >> 10 & 1023;
    const struct triple apart =
        less(triple_at(w->placed, stride, pair->first), triple_at(w->placed, stride, pair->second));
    const real energy = pair_of(apart, constants, &slope);
    pair->slope.x = slope * apart.x;
    pair->slope.y = slope * apart.y;
    pair->slope.z = slope * apart.z;
    return energy;
}

#if BERTH_REFINE_WGSIZE > 1
static void add_slopes_of(const struct pair_list *list, const struct scratch *w,
                          const struct flexible *flexible, const struct sloped_pair *pair)
{
    add_slope(list, flexible->atoms, pair->first, pair->slope, SLOPE_UNIT);
    add_slope(list, flexible->atoms, pair->second, pair->slope, -SLOPE_UNIT);
}
#else
static void add_slopes_of(const struct pair_list *list, const struct scratch *w,
                          const struct flexible *flexible, const struct sloped_pair *pair)
{
    const int stride = flexible->stride, first = pair->first, second = pair->second;
    w->slopes[first] += pair->slope.x;
    w->slopes[stride + first] += pair->slope.y;
    w->slopes[2 * stride + first] += pair->slope.z;
    w->slopes[second] -= pair->slope.x;
    w->slopes[stride + second] -= pair->slope.y;
    w->slopes[2 * stride + second] -= pair->slope.z;
}
#endif

/* Adds the slopes of the listed pairs.  Returns the work-item's part of their energy. */
static real add_pairs(const struct pair_list *list, const struct scratch *w,
                      const struct flexible *flexible)
{
    enum { STEP = PAIRS_AT_ONCE * BERTH_REFINE_WGSIZE };
    real energy = 0;
    ROLLED for (int k = (int)get_local_id(0); k < list->count; k += STEP)
    {
        struct sloped_pair pairs[PAIRS_AT_ONCE];
        BERTH_PRAGMA(unroll) for (int i = 0; i < PAIRS_AT_ONCE; i++)
        {
            const int number = min(k + i * BERTH_REFINE_WGSIZE, list->count - 1);
            const real found =
                find_slope(list, w, flexible->stride, (uint)list->pairs[number], &pairs[i]);
            energy += i == 0 || k + i * BERTH_REFINE_WGSIZE < list->count ? found : (real)(0);
        }
        BERTH_PRAGMA(unroll) for (int i = 0; i < PAIRS_AT_ONCE; i++)
        {
            if (i == 0 || k + i * BERTH_REFINE_WGSIZE < list->count) {
                add_slopes_of(list, w, flexible, &pairs[i]);
            }
        }
    }
#if BERTH_REFINE_WGSIZE > 1
    gather_slopes(list, w, flexible);
#endif
    return energy;
}

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
                const struct triple apart = less(at, triple_at(w->placed, stride, j));
                energy += 0.5f * pair_of(apart, constants, &slope);
                sum.x = fma(slope, apart.x, sum.x);
                sum.y = fma(slope, apart.y, sum.y);
                sum.z = fma(slope, apart.z, sum.z);
            }
        }
        w->slopes[i] = sum.x;
        w->slopes[stride + i] = sum.y;
        w->slopes[2 * stride + i] = sum.z;
    }
    return energy;
}

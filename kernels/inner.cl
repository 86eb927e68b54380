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

/* Adds the slopes of the listed pairs.  Returns the work-item's part of their energy. */
static real add_pairs(const struct pair_list *list, const struct scratch *w,
                      const struct flexible *flexible)
{
    const int stride = flexible->stride;
    real energy = 0;
    ROLLED for (int k = (int)get_local_id(0); k < list->count; k += BERTH_REFINE_WGSIZE)
    {
        const uint pair = (uint)list->pairs[k];
        const int first = pair & 1023, second = pair >> 10 & 1023;
        local const float *words = list->constants + (pair >> 20) * BERTH_SLOPE_CONSTANTS;
        real constants[BERTH_SLOPE_CONSTANTS], slope;
        for (int c = 0; c < BERTH_SLOPE_CONSTANTS; c++) {
            constants[c] = words[c];
        }
        struct triple apart =
            less(triple_at(w->placed, stride, first), triple_at(w->placed, stride, second));
        energy += pair_of(apart, constants, &slope);
        apart.x *= slope;
        apart.y *= slope;
        apart.z *= slope;
#if BERTH_REFINE_WGSIZE > 1
        add_slope(list, flexible->atoms, first, apart, SLOPE_UNIT);
        add_slope(list, flexible->atoms, second, apart, -SLOPE_UNIT);
#else
        w->slopes[first] += apart.x;
        w->slopes[stride + first] += apart.y;
        w->slopes[2 * stride + first] += apart.z;
        w->slopes[second] -= apart.x;
        w->slopes[stride + second] -= apart.y;
        w->slopes[2 * stride + second] -= apart.z;
#endif
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

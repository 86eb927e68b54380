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

/* What pairs' energies are found by, of each pair of types: [types][types]. */
struct pair_table {
    global const float *pairs; /* curves, or struct berth_device_pair: see BERTH_ON_CURVES */
    int types;
};

/* A ligand's pairs in local memory; see BERTH_PAIR_MEMORY. */
struct pair_list {
    bool listed; /* there was room */
    int count, types;
    local int *slopes;  /* [atoms][3]: of work-items that share the work */
    local int *zeros;   /* [atoms]: what the slopes of an atom begin at */
    local int *pairs;   /* [count]: BERTH_PAIR_WORD */
    local float *forms; /* [types][types][FORM_WORDS] */
};

#if BERTH_ON_CURVES(BERTH_VECTOR_WIDTH)
/* A pair's energy lies on the curve of its types, which all lanes have in common. */
struct form {
    global const float *curve;
};

#define FORM_WORDS 1 /* the curve's number */

/* What form_energy has to be divided by. */
#define FORM_SCALE (2 * BERTH_CURVE_SCALE)

static struct form form_of_curve(const struct pair_table *table, int number)
{
    const struct form form = {table->pairs + (size_t)number * 4 * BERTH_CURVE_PIECES};
    return form;
}

static struct form form_of_types(const struct pair_table *table, int first, int second)
{
    return form_of_curve(table, first * table->types + second);
}

static void keep_form(const struct pair_table *table, int first, int second, local float *words)
{
    *words = as_float(first * table->types + second);
}

static struct form kept_form(const struct pair_table *table, local const float *words)
{
    return form_of_curve(table, as_int(*words));
}

/* What stands in a plane at these places. */
static vector entry_of(global const float *plane, ivector place)
{
#ifdef PICK_32
    const vector entry = PICK_32(plane, place);
#if BERTH_CURVE_PIECES == 32
    return entry;
#else
    return (place & 32) != 0 ? PICK_32(plane + 32, place) : entry;
#endif
#else
    return gather(plane, place & (BERTH_CURVE_PIECES - 1));
#endif
}

/* Where a curve begins, and the last square that lies on it. */
#define CURVE_BEGIN (BERTH_CURVE_END / (1 << BERTH_CURVE_PIECES / BERTH_CURVE_PER_OCTAVE))
#define CURVE_LAST  0x1.fffffep+5f

/* The energy of atoms by their square distance (Å²), and what the way from one to the other times
 * gives the slope of the first. */
static real form_energy(const struct form *form, real square, real *slope)
{
    square *= BERTH_CURVE_SCALE;
    const real inside = clamp(square, (real)(CURVE_BEGIN), (real)(CURVE_LAST));
    const whole bits = VECTOR_AS(int)(inside), place = bits >> 20;
    const real beyond = inside - VECTOR_AS(float)(bits & ~0xfffff);
    const real a = entry_of(form->curve, place);
    const real b = entry_of(form->curve + BERTH_CURVE_PIECES, place);
    const real c = entry_of(form->curve + 2 * BERTH_CURVE_PIECES, place);
    const real d = entry_of(form->curve + 3 * BERTH_CURVE_PIECES, place);
    /* Horner's scheme, and again for the derivative */
    const real p1 = fma(d, beyond, c), p2 = fma(p1, beyond, b);
    *slope = fma(fma(d, beyond, p1), beyond, p2);
    return fma(*slope, min(square - CURVE_BEGIN, (real)(0)), fma(p2, beyond, a));
}
#else
/* A pair's energy is worked out from the constants of its types. */
struct form {
    real constants[BERTH_SLOPE_CONSTANTS];
};

#define FORM_WORDS BERTH_SLOPE_CONSTANTS
#define FORM_SCALE 1.0f

static global const struct berth_device_pair *pair_of_types(const struct pair_table *table,
                                                            int first, int second)
{
    return (global const struct berth_device_pair *)table->pairs + first * table->types + second;
}

static struct form form_of_types(const struct pair_table *table, int first, int second)
{
    global const struct berth_device_pair *pair = pair_of_types(table, first, second);
    struct form form;
    for (int c = 0; c < BERTH_SLOPE_CONSTANTS; c++) {
        form.constants[c] = pair->constants[c];
    }
    return form;
}

static void keep_form(const struct pair_table *table, int first, int second, local float *words)
{
    global const struct berth_device_pair *pair = pair_of_types(table, first, second);
    for (int c = 0; c < BERTH_SLOPE_CONSTANTS; c++) {
        words[c] = pair->constants[c];
    }
}

static struct form kept_form(const struct pair_table *table, local const float *words)
{
    struct form form;
    for (int c = 0; c < BERTH_SLOPE_CONSTANTS; c++) {
        form.constants[c] = words[c];
    }
    return form;
}

/* The energy of atoms by their square distance (Å²), and what the way from one to the other times
 * gives the slope of the first. */
static real form_energy(const struct form *form, real square, real *slope)
{
    const real limited = floored(square), inverse = inverse_root(limited);
    const real energy = pair_energy_slope_v(limited * inverse, form->constants, slope);
    *slope = clamp(*slope, (real)(-SLOPE_MOST), (real)(SLOPE_MOST)) * inverse;
    return energy;
}
#endif

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
    list.forms = take_words(room, list.types * list.types * FORM_WORDS);
    FOR_EACH_ITEM(k, list.count)
    {
        list.pairs[k] = pairs[k];
    }
    FOR_EACH_ITEM(k, list.types * list.types)
    {
        keep_form(table, types[k / list.types], types[k % list.types], list.forms + k * FORM_WORDS);
    }
    find_zeros(flexible, &list);
    group_barrier();
    return list;
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
static int first_of(uint word)
{
    return word & 1023;
}

static int second_of(uint word)
{
    return word >> 10 & 1023;
}

#if SHARED_SLOPES
static void add_slopes_of(const struct pair_list *list, const struct scratch *w, int stride,
                          uint word, struct triple slope)
{
    add_slope(list, first_of(word), slope, SLOPE_UNIT);
    add_slope(list, second_of(word), slope, -SLOPE_UNIT);
}
#else
static void add_slopes_of(const struct pair_list *list, const struct scratch *w, int stride,
                          uint word, struct triple slope)
{
    struct triple first = triple_at(w->slopes, stride, first_of(word));
    struct triple second = triple_at(w->slopes, stride, second_of(word));
    first.x += slope.x;
    first.y += slope.y;
    first.z += slope.z;
    second = less(second, slope);
    set_triple(first, w->slopes, stride, first_of(word));
    set_triple(second, w->slopes, stride, second_of(word));
}
#endif

/* Adds the slopes of the listed pairs.  Returns the work-item's part of their energy. */
static real add_pairs(const struct pair_table *table, const struct pair_list *list,
                      const struct scratch *w, const struct flexible *flexible)
{
    const int stride = flexible->stride;
    real energy = 0;
    FOR_EACH_ITEM(k, list->count)
    {
        const uint word = (uint)list->pairs[k];
        const struct form form = kept_form(table, list->forms + (word >> 20) * FORM_WORDS);
        const struct triple apart = less(triple_at(w->placed, stride, first_of(word)),
                                         triple_at(w->placed, stride, second_of(word)));
        real slope;
        energy += form_energy(&form, inner_product(apart, apart), &slope);
        const struct triple of_first = {slope * apart.x, slope * apart.y, slope * apart.z};
        add_slopes_of(list, w, stride, word, of_first);
    }
#if SHARED_SLOPES
    gather_slopes(list, w, flexible);
#endif
    return energy * (1 / FORM_SCALE);
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
                const struct form form = form_of_types(table, w->types[i], w->types[j]);
                const struct triple apart = less(at, triple_at(w->placed, stride, j));
                real slope;
                energy += form_energy(&form, inner_product(apart, apart), &slope);
                sum.x = fma(slope, apart.x, sum.x);
                sum.y = fma(slope, apart.y, sum.y);
                sum.z = fma(slope, apart.z, sum.z);
            }
        }
        set_triple(sum, w->slopes, stride, i);
    }
    return energy * (0.5f / FORM_SCALE);
}

/* Restraints: what draws points of a ligand to places, or keeps them away.  See
 * BERTH_RESTRAINED_HEADS.  Beyond a place's radius the energy rises as the weight times the square
 * of the distance in Å, and farther out in proportion to the distance, or, bounded, to the weight
 * itself; inside the radius of a place that is avoided likewise. */
#ifdef BERTH_RESTRAINED

/* Å²: where a point lies on a place, no way leads away from it. */
#define SQUARE_LEAST 1e-6f

/* Work-items of a GPU share out all pulls at once; where there are fewer items, all look at one
 * restraint, and so they do on a CPU, as PoCL would compile this for many minutes. */
#if defined(BERTH_SHARES_PULLS) && BERTH_REFINE_WGSIZE >= 16 && BERTH_POSE_LANES == 1
#define SHARED_PULLS 1
#else
#define SHARED_PULLS 0
#endif

/* A pull: how far its point lies from its place, and what it makes of that. */
struct pull {
    float weight;
    bool avoided, bounded;
    int first, count; /* of the point: see BERTH_POINT_WORD */
    struct triple apart;
    real inverse; /* of the distance, 1/Å */
    real off;     /* Å: on the wrong side of the radius; below 0 on the right one */
    real measure; /* Å, not negative: of a restraint's pulls the one counts for which it is least */
};

/* words: the pull's. */
static struct pull find_pull(global const struct berth_device_place *places,
                             const struct scratch *w, const struct flexible *flexible,
                             global const int *words)
{
    global const float4 *halves = (global const float4 *)(places + BERTH_PULL_PLACE(words[1]));
    const float4 where = halves[0], how = halves[1]; /* x y z radius; weight, rule */
    const int rule = as_int(how.y), stride = flexible->stride;
    struct pull pull;
    pull.first = words[0] & 0xFFFFF;
    pull.count = words[0] >> 20;
    pull.weight = how.x;
    pull.avoided = rule & BERTH_PLACE_AVOIDED;
    pull.bounded = rule & BERTH_PLACE_BOUNDED;
    if (pull.count == 1) {
        pull.apart = triple_at(w->placed, stride, pull.first);
    } else {
        const float share = 1.0f / pull.count;
        pull.apart.x = pull.apart.y = pull.apart.z = 0;
        ROLLED for (int i = 0; i < pull.count; i++)
        {
            const struct triple atom =
                triple_at(w->placed, stride, flexible->restraints[pull.first + i]);
            pull.apart.x += share * atom.x;
            pull.apart.y += share * atom.y;
            pull.apart.z += share * atom.z;
        }
    }
    pull.apart.x -= where.x;
    pull.apart.y -= where.y;
    pull.apart.z -= where.z;
    const real square = max(inner_product(pull.apart, pull.apart), (real)(SQUARE_LEAST));
    pull.inverse = rsqrt(square);
    const real distance = square * pull.inverse;
    pull.off = pull.avoided ? where.w - distance : distance - where.w;
    pull.measure = pull.avoided ? min(distance, (real)(where.w)) : max(pull.off, (real)(0));
    return pull;
}

/* What a pull costs, and, as `apart`, the slope that it gives each of its point's atoms. */
static real cost_of(struct pull *pull)
{
    const real beyond = max(pull->off, (real)(0));
    const real square = beyond * beyond, more = 1 + square, inverse = rsqrt(more);
    const real unbounded = 2 * square * inverse / (1 + inverse); /* 2 (sqrt(more) - 1) */
    const real part = inverse * inverse;                         /* 1 / more */
    const real steep = 2 * pull->weight * beyond * (pull->bounded ? part * part : inverse);
    const real share = (pull->avoided ? -steep : steep) * pull->inverse / pull->count;
    pull->apart.x *= share;
    pull->apart.y *= share;
    pull->apart.z *= share;
    return pull->weight * (pull->bounded ? square * part : unbounded);
}

/* Adds the pull's slopes (see cost_of), for the poses where it counts. */
static void pull_atoms(const struct pull *pull, const struct scratch *w,
                       const struct flexible *flexible, whole counts)
{
    const int stride = flexible->stride;
    ROLLED for (int i = 0; i < pull->count; i++)
    {
        const int atom = pull->count == 1 ? pull->first : flexible->restraints[pull->first + i];
        struct triple slope = triple_at(w->slopes, stride, atom);
        slope.x += counts ? pull->apart.x : (real)(0);
        slope.y += counts ? pull->apart.y : (real)(0);
        slope.z += counts ? pull->apart.z : (real)(0);
        set_triple(slope, w->slopes, stride, atom);
    }
}

/* The energy of the nearest of the pulls begin .. end - 1, which are the work-item's alone; adds
 * its slopes. */
static real add_nearest(global const struct berth_device_place *places, const struct scratch *w,
                        const struct flexible *flexible, int begin, int end)
{
    global const int *words = flexible->restraints;
    real least = INFINITY, energy = 0;
    whole chosen = -1;
    const int length = end - begin;
    /* twice over the pulls: which is the nearest, and then what that costs */
    ROLLED for (int n = 0; n < 2 * length; n += BERTH_PULL_WORDS)
    {
        const int k = begin + (n < length ? n : n - length);
        if (n >= length && !ANY_POSE(chosen == k)) {
            continue;
        }
        struct pull pull = find_pull(places, w, flexible, words + k);
        if (n < length) {
            const whole nearer = pull.measure < least;
            least = nearer ? pull.measure : least;
            chosen = nearer ? (whole)(k) : chosen;
        } else {
            const real cost = cost_of(&pull);
            energy += chosen == k ? cost : (real)(0);
            pull_atoms(&pull, w, flexible, chosen == k);
        }
    }
    return energy;
}

#if SHARED_PULLS
/* The same of the restraints from number `held` on, at most BERTH_REFINE_WGSIZE of them, by all
 * work-items, each of which has pulls of its own.  In the first step they find how near the nearest
 * of each restraint is, in the second which one that is, and then what it costs, one restraint
 * after the other, since two may draw on one atom. */
static real add_shared(global const struct berth_device_place *places, const struct scratch *w,
                       const struct flexible *flexible, int held, int count)
{
    global const int *words = flexible->restraints;
    global const int *ranges = words + BERTH_RESTRAINED_HEADS;
    local int *least = (local int *)w->wrenches, *chosen = (local int *)w->energies;
    const int mine = (int)get_local_id(0), begin = ranges[2 * held];
    const int pulls = (ranges[2 * count - 1] - begin) / BERTH_PULL_WORDS;
    struct pull pull;
    real energy = 0;
    int restraint = 0;
    if (mine < count - held) {
        least[mine] = chosen[mine] = 0x7FFFFFFF;
    }
    group_barrier();
    ROLLED for (int step = 0; step < 2 + count - held; step++)
    {
        const int costs = step < 2 ? mine : chosen[step - 2];
        const int first = costs % BERTH_REFINE_WGSIZE == mine ? costs : pulls;
        ROLLED for (int k = first; k < pulls; k += step < 2 ? BERTH_REFINE_WGSIZE : pulls)
        {
            if (step == 0 || pulls > BERTH_REFINE_WGSIZE) { /* else it has but the one */
                global const int *own = words + begin + BERTH_PULL_WORDS * k;
                pull = find_pull(places, w, flexible, own);
                restraint = BERTH_PULL_RESTRAINT(own[1]) - held;
            }
            const int bits = as_int(pull.measure); /* in the order of the numbers: not negative */
            if (step == 0) {
                atomic_min(least + restraint, bits);
            } else if (step == 1 && bits == least[restraint]) {
                atomic_min(chosen + restraint, k);
            } else if (step > 1 && pull.off > 0) {
                energy += cost_of(&pull);
                pull_atoms(&pull, w, flexible, 1);
            }
        }
        group_barrier();
    }
    return energy;
}
#endif

/* The work-item's part of the restraints' energy; adds their slopes.  The slopes were stored before
 * the last barrier. */
static real add_restraints(global const struct berth_device_place *places, const struct scratch *w,
                           const struct flexible *flexible)
{
    global const int *words = flexible->restraints;
    global const int *ranges = words + BERTH_RESTRAINED_HEADS;
    const int held = words ? words[0] : 0, count = words ? words[1] : 0;
    real energy = 0;
    /* those that hold an atom each have no other's slopes: a work-item each */
    FOR_EACH_ITEM(k, held)
    {
        energy += add_nearest(places, w, flexible, ranges[2 * k], ranges[2 * k + 1]);
    }
    group_barrier();
#if SHARED_PULLS
    if (count > held) {
        energy += add_shared(places, w, flexible, held, count);
    }
#else
    for (int k = held; k < count && get_local_id(0) == 0; k++) {
        energy += add_nearest(places, w, flexible, ranges[2 * k], ranges[2 * k + 1]);
    }
    group_barrier();
#endif
    return energy;
}

#ifdef BERTH_ON_MAPS
/* --- Starts --- */

/* Squarings of a matrix until its largest eigenvector alone is left: as many as tell apart those of
 * a core that is twenty times as long as wide. */
#define SQUARINGS 10

/* Where poses start, as words: see BERTH_RESTRAINED_HEADS. */
struct starts {
    global const float4 *places; /* two for each: x y z radius; weight, rule */
    global const int *words;     /* of the restraints */
    global const int *on;        /* [held]: the places of the way */
    int held;
};

/* Where number k of what is held lies, and where it is to. */
static struct triple held_at(const struct starts *starts, const struct scratch *w, int stride,
                             int k)
{
    global const int *ranges = starts->words + BERTH_RESTRAINED_HEADS;
    return triple_at(w->placed, stride, starts->words[ranges[2 * k]] & 0xFFFFF);
}

static struct triple place_of(const struct starts *starts, int k)
{
    const float4 at = starts->places[2 * starts->on[k]];
    const struct triple place = {(real)(at.x), (real)(at.y), (real)(at.z)};
    return place;
}

/* The angle of a dihedral, rad. */
static real angle_along(const struct triple *at)
{
    const struct triple first = less(at[1], at[0]), axis = less(at[2], at[1]);
    const struct triple last = less(at[3], at[2]);
    const struct triple one = product(first, axis), other = product(axis, last);
    const real sine = inner_product(product(one, other), axis);
    return atan2(sine, inner_product(one, other) * sqrt(inner_product(axis, axis)));
}

/* Turns the trial's torsions inside the core as they are in the reference, for the poses `here`. */
static void turn_core(const struct starts *starts, const struct scratch *w,
                      const struct flexible *flexible, global const int *dihedrals, int count,
                      whole here)
{
    global const int *ranges = starts->words + BERTH_RESTRAINED_HEADS;
    for (int t = 0; t < flexible->torsions; t++) {
        global const int *axis = flexible->words + BERTH_FLEXIBLE_AXES + 2 * t;
        for (int d = 0; d < count; d++) {
            global const int *four = dihedrals + 4 * d;
            const int second = starts->words[ranges[2 * four[1]]] & 0xFFFFF;
            const int third = starts->words[ranges[2 * four[2]]] & 0xFFFFF;
            if (min(second, third) != min(axis[0], axis[1]) ||
                max(second, third) != max(axis[0], axis[1])) {
                continue;
            }
            struct triple stands[4], wanted[4];
            for (int k = 0; k < 4; k++) {
                stands[k] = held_at(starts, w, flexible->stride, four[k]);
                wanted[k] = place_of(starts, four[k]);
            }
            const real by = angle_along(wanted) - angle_along(stands);
            w->trial[POINT_ANGLES + t] += here ? by : (real)(0);
        }
    }
}

/* The rotation that brings what is held, about its middle `from`, nearest to its places about `to`:
 * B. K. P. Horn, J. Opt. Soc. Am. A 4 (1987) 629.  The eigenvector of the largest eigenvalue is
 * found by squaring the matrix, which is made positive before. */
static void find_rotation(const struct starts *starts, const struct scratch *w, int stride,
                          struct triple from, struct triple to, real rotation[4])
{
    real s[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, square = 0;
    for (int k = 0; k < starts->held; k++) {
        const struct triple x = less(held_at(starts, w, stride, k), from);
        const struct triple y = less(place_of(starts, k), to);
        const real a[3] = {x.x, x.y, x.z}, b[3] = {y.x, y.y, y.z};
        for (int i = 0; i < 9; i++) {
            s[i] = fma(a[i / 3], b[i % 3], s[i]);
        }
    }
    for (int i = 0; i < 9; i++) {
        square = fma(s[i], s[i], square);
    }
    const real more = sqrt(3 * square) + SQUARE_LEAST;
    real m[16] = {s[0] + s[4] + s[8], s[5] - s[7],        s[6] - s[2],        s[1] - s[3],
                  s[5] - s[7],        s[0] - s[4] - s[8], s[1] + s[3],        s[6] + s[2],
                  s[6] - s[2],        s[1] + s[3],        s[4] - s[0] - s[8], s[5] + s[7],
                  s[1] - s[3],        s[6] + s[2],        s[5] + s[7],        s[8] - s[0] - s[4]};
    for (int i = 0; i < 4; i++) {
        m[5 * i] += more;
    }
    ROLLED for (int n = 0; n < SQUARINGS; n++)
    {
        const real per = 1 / (m[0] + m[5] + m[10] + m[15]);
        real next[16];
        for (int i = 0; i < 16; i++) {
            real sum = 0;
            for (int k = 0; k < 4; k++) {
                sum = fma(m[i / 4 * 4 + k] * per, m[4 * k + i % 4] * per, sum);
            }
            next[i] = sum;
        }
        for (int i = 0; i < 16; i++) {
            m[i] = next[i];
        }
    }
    real longest = -1;
    for (int i = 0; i < 4; i++) { /* rows are multiples of it: the longest has the most digits */
        const whole longer = m[5 * i] > longest;
        longest = longer ? m[5 * i] : longest;
        for (int k = 0; k < 4; k++) {
            rotation[k] = longer ? m[4 * i + k] : rotation[k];
        }
    }
    const real per = rsqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                           rotation[2] * rotation[2] + rotation[3] * rotation[3]);
    for (int k = 0; k < 4; k++) {
        rotation[k] *= per;
    }
}

/* Moves the trial so that what is held lies nearest to its places, in the site, for the poses
 * `here`. */
static void superpose(const struct starts *starts, const struct scratch *w, int stride,
                      float3 half_edges, whole here)
{
    struct triple from = {0, 0, 0}, to = {0, 0, 0};
    const float share = 1.0f / starts->held;
    for (int k = 0; k < starts->held; k++) {
        const struct triple x = held_at(starts, w, stride, k), y = place_of(starts, k);
        from.x = fma(share, x.x, from.x);
        from.y = fma(share, x.y, from.y);
        from.z = fma(share, x.z, from.z);
        to.x = fma(share, y.x, to.x);
        to.y = fma(share, y.y, to.y);
        to.z = fma(share, y.z, to.z);
    }
    real turn[4] = {0, 0, 0, 0}; /* the scalar first */
    find_rotation(starts, w, stride, from, to, turn);
    const struct triple axis = {turn[1], turn[2], turn[3]};
    local real *q = w->trial + POINT_ROTATION;
    const struct triple own = {q[0], q[1], q[2]}, at = {w->trial[0], w->trial[1], w->trial[2]};
    const struct triple across = product(axis, own), arm = less(at, from);
    struct triple once = product(axis, arm);
    once.x *= 2;
    once.y *= 2;
    once.z *= 2;
    const struct triple twice = product(axis, once);
    const real moved[POINT_ANGLES] = {to.x + arm.x + fma(turn[0], once.x, twice.x),
                                      to.y + arm.y + fma(turn[0], once.y, twice.y),
                                      to.z + arm.z + fma(turn[0], once.z, twice.z),
                                      fma(turn[0], own.x, fma(q[3], axis.x, across.x)),
                                      fma(turn[0], own.y, fma(q[3], axis.y, across.y)),
                                      fma(turn[0], own.z, fma(q[3], axis.z, across.z)),
                                      turn[0] * q[3] - inner_product(axis, own)};
    const float edges[3] = {half_edges.x, half_edges.y, half_edges.z};
    for (int k = 0; k < POINT_ANGLES; k++) {
        const real inside =
            k < 3 ? clamp(moved[k], (real)(-edges[k % 3]), (real)(edges[k % 3])) : moved[k];
        w->trial[k] = here ? inside : w->trial[k];
    }
}

/* Places what is held as the trial has it. */
static void place_held(const struct starts *starts, const struct scratch *w,
                       const struct flexible *flexible)
{
    global const int *ranges = starts->words + BERTH_RESTRAINED_HEADS;
    for (int t = 0; t < flexible->torsions; t++) {
        make_rotation(w, t);
    }
    for (int k = 0; k < starts->held; k++) {
        place_trial_atom(w, flexible, starts->words[ranges[2 * k]] & 0xFFFFF);
    }
}

/* Poses that begin anew start with the core on its reference, in one of the ways after the other:
 * the trial's torsions inside it as there, the others as they are.  By one work-item: PoCL took
 * more than twenty minutes to compile this with barriers, and it is done once a search. */
static void start_on_core(global const struct berth_device_place *places, const struct scratch *w,
                          const struct flexible *flexible, float3 half_edges, whole numbers,
                          whole anew)
{
    global const int *words = flexible->restraints;
    global const int *begin = words && words[2] ? words + words[2] : 0;
    const int ways = begin && get_local_id(0) == 0 ? begin[0] : 0, held = words ? words[0] : 0;
    for (int way = 0; way < ways; way++) {
        const whole here = anew && numbers % ways == way;
        const struct starts starts = {(global const float4 *)places, words,
                                      begin + BERTH_START_HEADS + way * held, held};
        if (starts.on[0] >= 0 && ANY_POSE(here)) { /* else anywhere */
            place_held(&starts, w, flexible);
            turn_core(&starts, w, flexible, begin + BERTH_START_HEADS + ways * held, begin[1],
                      here);
            place_held(&starts, w, flexible);
            superpose(&starts, w, flexible->stride, half_edges, here);
        }
    }
    group_barrier();
}
#endif
#endif

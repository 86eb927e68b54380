/* Restraints: what draws points of a ligand to places, or keeps them away.  See
 * BERTH_RESTRAINED_HEADS.  Beyond a place's radius the energy rises as the weight times the square
 * of the distance in Å, and farther out in proportion to the distance, or, bounded, to the weight
 * itself; inside the radius of a place that is avoided likewise. */
#ifdef BERTH_RESTRAINED

/* Å²: where a point lies on a place, no way leads away from it. */
#define SQUARE_LEAST 1e-6f

/* Work-items share out all pulls at once; where there are fewer items, all look at one restraint.
 */
#define SHARED_PULLS (BERTH_REFINE_WGSIZE >= 16 && BERTH_POSE_LANES == 1)

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
        for (int i = 0; i < pull.count; i++) {
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

/* The energy of a pull, for the poses where it counts; adds its slopes there. */
static real add_pull(const struct pull *pull, const struct scratch *w,
                     const struct flexible *flexible, whole counts)
{
    const real beyond = counts ? max(pull->off, (real)(0)) : (real)(0);
    const real square = beyond * beyond, more = 1 + square, inverse = rsqrt(more);
    const real unbounded = 2 * square * inverse / (1 + inverse); /* 2 (sqrt(more) - 1) */
    const real part = inverse * inverse;                         /* 1 / more */
    const real steep = 2 * pull->weight * beyond * (pull->bounded ? part * part : inverse);
    const real share = (pull->avoided ? -steep : steep) * pull->inverse / pull->count;
    const int stride = flexible->stride;
    for (int i = 0; i < pull->count; i++) {
        const int atom = pull->count == 1 ? pull->first : flexible->restraints[pull->first + i];
        struct triple slope = triple_at(w->slopes, stride, atom);
        slope.x = fma(share, pull->apart.x, slope.x);
        slope.y = fma(share, pull->apart.y, slope.y);
        slope.z = fma(share, pull->apart.z, slope.z);
        set_triple(slope, w->slopes, stride, atom);
    }
    return pull->weight * (pull->bounded ? square * part : unbounded);
}

/* The energy of the nearest of the pulls begin .. end - 1, which are the work-item's alone; adds
 * its slopes. */
static real add_nearest(global const struct berth_device_place *places, const struct scratch *w,
                        const struct flexible *flexible, int begin, int end)
{
    global const int *words = flexible->restraints;
    real least = INFINITY, energy = 0;
    whole chosen = -1;
    for (int k = begin; k < end; k += BERTH_PULL_WORDS) {
        const struct pull pull = find_pull(places, w, flexible, words + k);
        const whole nearer = pull.measure < least;
        least = nearer ? pull.measure : least;
        chosen = nearer ? (whole)(k) : chosen;
    }
    for (int k = begin; k < end; k += BERTH_PULL_WORDS) {
        if (ANY_POSE(chosen == k)) {
            const struct pull pull = find_pull(places, w, flexible, words + k);
            energy += add_pull(&pull, w, flexible, chosen == k);
        }
    }
    return energy;
}

#if SHARED_PULLS
/* The same of the restraints from number `held` on, at most BERTH_REFINE_WGSIZE of them, by all
 * work-items: each looks at a pull at a time; then those that count add their slopes, one after the
 * other, since two may draw on one atom. */
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
    int bits = 0;
    if (mine < count - held) {
        least[mine] = chosen[mine] = 0x7FFFFFFF;
    }
    group_barrier();
    for (int k = mine; k < pulls; k += BERTH_REFINE_WGSIZE) {
        global const int *own = words + begin + BERTH_PULL_WORDS * k;
        pull = find_pull(places, w, flexible, own);
        bits = as_int(pull.measure); /* in the order of the numbers, none of which is negative */
        atomic_min(least + BERTH_PULL_RESTRAINT(own[1]) - held, bits);
    }
    group_barrier();
    for (int k = mine; k < pulls; k += BERTH_REFINE_WGSIZE) {
        global const int *own = words + begin + BERTH_PULL_WORDS * k;
        if (pulls > BERTH_REFINE_WGSIZE) { /* else it is the one that it has */
            pull = find_pull(places, w, flexible, own);
            bits = as_int(pull.measure);
        }
        if (bits == least[BERTH_PULL_RESTRAINT(own[1]) - held]) {
            atomic_min(chosen + BERTH_PULL_RESTRAINT(own[1]) - held, k);
        }
    }
    group_barrier();
    for (int r = 0; r < count - held; r++) {
        const int k = chosen[r];
        if (k % BERTH_REFINE_WGSIZE == mine && k < pulls) {
            if (pulls > BERTH_REFINE_WGSIZE) {
                pull = find_pull(places, w, flexible, words + begin + BERTH_PULL_WORDS * k);
            }
            if (pull.off > 0) {
                energy += add_pull(&pull, w, flexible, 1);
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
#endif

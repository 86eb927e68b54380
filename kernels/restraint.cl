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

/* What a pull is of. */
struct pull_source {
    float4 where; /* x y z radius of its place, Å */
    float weight;
    int rule;         /* BERTH_PLACE_AVOIDED, BERTH_PLACE_BOUNDED */
    int first, count; /* of the point: see BERTH_POINT_WORD */
};

/* How far the point of a pull lies from its place. */
struct pull {
    struct triple apart;
    real inverse; /* of the distance, 1/Å */
    real off;     /* Å: on the wrong side of the radius; below 0 on the right one */
    real measure; /* Å, not negative: of a restraint's pulls the one counts for which it is least */
};

/* words: the pull's. */
static struct pull_source source_of(global const struct berth_device_place *places,
                                    global const int *words)
{
    global const float4 *halves = (global const float4 *)(places + BERTH_PULL_PLACE(words[1]));
    const float4 how = halves[1]; /* weight, rule */
    struct pull_source source;
    source.where = halves[0];
    source.weight = how.x;
    source.rule = as_int(how.y);
    source.first = words[0] & 0xFFFFF;
    source.count = words[0] >> 20;
    return source;
}

static struct pull find_pull(const struct pull_source *source, const struct scratch *w,
                             const struct flexible *flexible)
{
    const int stride = flexible->stride;
    const float radius = source->where.w;
    struct pull pull;
    if (source->count == 1) {
        pull.apart = triple_at(w->placed, stride, source->first);
    } else {
        const float share = 1.0f / source->count;
        pull.apart.x = pull.apart.y = pull.apart.z = 0;
        for (int i = 0; i < source->count; i++) {
            const struct triple atom =
                triple_at(w->placed, stride, flexible->restraints[source->first + i]);
            pull.apart.x += share * atom.x;
            pull.apart.y += share * atom.y;
            pull.apart.z += share * atom.z;
        }
    }
    pull.apart.x -= source->where.x;
    pull.apart.y -= source->where.y;
    pull.apart.z -= source->where.z;
    const real square = max(inner_product(pull.apart, pull.apart), (real)(SQUARE_LEAST));
    pull.inverse = rsqrt(square);
    const real distance = square * pull.inverse;
    const bool avoided = source->rule & BERTH_PLACE_AVOIDED;
    pull.off = avoided ? radius - distance : distance - radius;
    pull.measure = avoided ? min(distance, (real)(radius)) : max(pull.off, (real)(0));
    return pull;
}

/* The energy of a pull; *slope: that of its point. */
static real energy_of_pull(const struct pull_source *source, const struct pull *pull,
                           struct triple *slope)
{
    const bool bounded = source->rule & BERTH_PLACE_BOUNDED;
    const real beyond = max(pull->off, (real)(0));
    const real square = beyond * beyond, more = 1 + square, inverse = rsqrt(more);
    const real unbounded = 2 * square * inverse / (1 + inverse); /* 2 (sqrt(more) - 1) */
    const real part = inverse * inverse;                         /* 1 / more */
    const real steep = 2 * source->weight * beyond * (bounded ? part * part : inverse);
    const real share = (source->rule & BERTH_PLACE_AVOIDED ? -steep : steep) * pull->inverse;
    slope->x = share * pull->apart.x;
    slope->y = share * pull->apart.y;
    slope->z = share * pull->apart.z;
    return source->weight * (bounded ? square * part : unbounded);
}

/* Adds so much of the slope of a pull's point to that of each of its atoms. */
static void add_point_slope(const struct pull_source *source, const struct scratch *w,
                            const struct flexible *flexible, struct triple slope, real share)
{
    const int stride = flexible->stride;
    for (int i = 0; i < source->count; i++) {
        const int atom =
            source->count == 1 ? source->first : flexible->restraints[source->first + i];
        struct triple sum = triple_at(w->slopes, stride, atom);
        sum.x = fma(share, slope.x, sum.x);
        sum.y = fma(share, slope.y, sum.y);
        sum.z = fma(share, slope.z, sum.z);
        set_triple(sum, w->slopes, stride, atom);
    }
}

/* A ligand's restraints, and of those that work-items look at together what one of them begins with,
 * so that an evaluation need not read it again. */
struct restraints {
    global const struct berth_device_place *places;
    int held, count; /* the first ones hold an atom each; in all */
#if SHARED_PULLS
    int begin, pulls; /* of those that hold none: the first, in words; how many */
    struct pull_source own;
    int restraint; /* whose pull it is, from `held` on */
#endif
};

static struct restraints restraints_of(global const struct berth_device_place *places,
                                       const struct flexible *flexible)
{
    global const int *words = flexible->restraints;
    struct restraints restraints = {places};
    restraints.held = words ? words[0] : 0;
    restraints.count = words ? words[1] : 0;
#if SHARED_PULLS
    restraints.begin = restraints.pulls = 0;
    if (restraints.count > restraints.held) {
        global const int *ranges = words + BERTH_RESTRAINED_HEADS;
        restraints.begin = ranges[2 * restraints.held];
        restraints.pulls = (ranges[2 * restraints.count - 1] - restraints.begin) / BERTH_PULL_WORDS;
    }
    if ((int)get_local_id(0) < restraints.pulls) {
        words += restraints.begin + BERTH_PULL_WORDS * (int)get_local_id(0);
        restraints.own = source_of(places, words);
        restraints.restraint = BERTH_PULL_RESTRAINT(words[1]) - restraints.held;
    }
#endif
    return restraints;
}

/* The energy of the nearest of the pulls begin .. end - 1, which are the work-item's alone; adds
 * its slopes. */
static real add_nearest(global const struct berth_device_place *places, const struct scratch *w,
                        const struct flexible *flexible, int begin, int end)
{
    global const int *words = flexible->restraints;
    struct pull nearest = {.measure = INFINITY};
    struct pull_source source;
    struct triple slope;
    whole chosen = -1;
    for (int k = begin; k < end; k += BERTH_PULL_WORDS) {
        source = source_of(places, words + k);
        const struct pull pull = find_pull(&source, w, flexible);
        const whole nearer = pull.measure < nearest.measure;
        nearest.apart.x = nearer ? pull.apart.x : nearest.apart.x;
        nearest.apart.y = nearer ? pull.apart.y : nearest.apart.y;
        nearest.apart.z = nearer ? pull.apart.z : nearest.apart.z;
        nearest.inverse = nearer ? pull.inverse : nearest.inverse;
        nearest.off = nearer ? pull.off : nearest.off;
        nearest.measure = nearer ? pull.measure : nearest.measure;
        chosen = nearer ? (whole)(k) : chosen;
    }
    if (!ANY_POSE(nearest.off > 0)) {
        return 0;
    }
    /* weight and rule are those of any of them */
    const real energy = energy_of_pull(&source, &nearest, &slope);
    for (int k = begin; k < end; k += BERTH_PULL_WORDS) {
        if (ANY_POSE(chosen == k)) {
            source = source_of(places, words + k);
            const real share = chosen == k ? (real)(1.0f / source.count) : (real)(0);
            add_point_slope(&source, w, flexible, slope, share);
        }
    }
    return energy;
}

#if SHARED_PULLS
/* What work-items agree on: of each restraint that holds no atom, from the first of them on, the
 * least measure of a pull, as bits, and the first pull that has it. */
struct agreed {
    local int *least, *chosen;
};

static struct agreed agreed_of(const struct scratch *w)
{
    const struct agreed agreed = {(local int *)w->wrenches, (local int *)w->energies};
    return agreed;
}

/* Adds the slope of a pull's point, by all work-items at once: see add_slope. */
static void add_shared_slope(const struct pull_source *source, const struct flexible *flexible,
                             struct triple slope, local int *sums)
{
    const float share = SLOPE_UNIT / source->count;
    for (int i = 0; i < source->count; i++) {
        const int atom =
            source->count == 1 ? source->first : flexible->restraints[source->first + i];
        for (int k = 0; k < 3; k++) {
            const float part = k == 0 ? slope.x : k == 1 ? slope.y : slope.z;
            atomic_add(sums + 3 * atom + k, (int)rint(share * part));
        }
    }
}

/* Pull number k, and the number of its restraint: the work-item's own, or another one. */
static struct pull_source pull_at(const struct restraints *restraints,
                                  const struct flexible *flexible, int k, int *restraint)
{
    if (k < BERTH_REFINE_WGSIZE) {
        *restraint = restraints->restraint;
        return restraints->own;
    }
    global const int *words =
        flexible->restraints + restraints->begin + BERTH_PULL_WORDS * k;
    *restraint = BERTH_PULL_RESTRAINT(words[1]) - restraints->held;
    return source_of(restraints->places, words);
}

/* The energy of the restraints that hold no atom, at most BERTH_REFINE_WGSIZE of them, by all
 * work-items: each looks at a pull at a time, and those that count add their slopes; where there
 * are no sums that all can add to, one after the other, since two may draw on one atom.  What is
 * agreed on has its first values. */
static real add_shared(const struct restraints *restraints, const struct scratch *w,
                       const struct flexible *flexible, local int *sums)
{
    const struct agreed agreed = agreed_of(w);
    const int mine = (int)get_local_id(0), pulls = restraints->pulls;
    struct pull_source source;
    struct pull pull;
    struct triple slope;
    real energy = 0;
    int restraint;
    for (int k = mine; k < pulls; k += BERTH_REFINE_WGSIZE) {
        source = pull_at(restraints, flexible, k, &restraint);
        pull = find_pull(&source, w, flexible);
        /* in the order of the numbers, none of which is negative */
        atomic_min(agreed.least + restraint, as_int(pull.measure));
    }
    group_barrier();
    for (int k = mine; k < pulls; k += BERTH_REFINE_WGSIZE) {
        if (pulls > BERTH_REFINE_WGSIZE) { /* else it is the one that it has */
            source = pull_at(restraints, flexible, k, &restraint);
            pull = find_pull(&source, w, flexible);
        }
        if (as_int(pull.measure) == agreed.least[restraint]) {
            atomic_min(agreed.chosen + restraint, k);
        }
    }
    group_barrier();
    for (int r = 0; r < restraints->count - restraints->held; r++) {
        const int k = agreed.chosen[r];
        if (k % BERTH_REFINE_WGSIZE == mine && k < pulls) {
            if (pulls > BERTH_REFINE_WGSIZE) {
                source = pull_at(restraints, flexible, k, &restraint);
                pull = find_pull(&source, w, flexible);
            }
            if (pull.off > 0) {
                energy += energy_of_pull(&source, &pull, &slope);
                if (sums) {
                    add_shared_slope(&source, flexible, slope, sums);
                } else {
                    add_point_slope(&source, w, flexible, slope, 1.0f / source.count);
                }
            }
        }
        if (!sums) {
            group_barrier();
        }
    }
    return energy;
}
#endif

/* The work-item's part of the restraints' energy; adds their slopes, which were stored before the
 * last barrier.  sums: those of pairs (see add_slope), which a barrier follows; 0: there are none. */
static real add_restraints(const struct restraints *restraints, const struct scratch *w,
                           const struct flexible *flexible, local int *sums)
{
    global const int *ranges = flexible->restraints + BERTH_RESTRAINED_HEADS;
    const int held = restraints->held, count = restraints->count;
    real energy = 0;
#if SHARED_PULLS
    const struct agreed agreed = agreed_of(w);
    if ((int)get_local_id(0) < count - held) {
        agreed.least[get_local_id(0)] = agreed.chosen[get_local_id(0)] = 0x7FFFFFFF;
    }
#endif
    /* those that hold an atom each have no other's slopes: a work-item each */
    FOR_EACH_ITEM(k, held)
    {
        energy += add_nearest(restraints->places, w, flexible, ranges[2 * k], ranges[2 * k + 1]);
    }
    group_barrier();
#if SHARED_PULLS
    if (count > held) {
        energy += add_shared(restraints, w, flexible, sums);
    }
#else
    for (int k = held; k < count && get_local_id(0) == 0; k++) {
        energy += add_nearest(restraints->places, w, flexible, ranges[2 * k], ranges[2 * k + 1]);
    }
    group_barrier();
#endif
    return energy;
}
#endif

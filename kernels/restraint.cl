/* Restraints: what draws points of a ligand to places, or keeps them away.  See
 * BERTH_RESTRAINED_HEADS.  Beyond a place's radius the energy rises as the weight times the square
 * of the distance in Å, and farther out in proportion to the distance, or, bounded, to the weight
 * itself; inside the radius of a place that is avoided likewise. */
#ifdef BERTH_RESTRAINED

/* Å²: where a point lies on a place, no way leads away from it. */
#define SQUARE_LEAST 1e-6f

/* A pull: how far its point lies from its place. */
struct pull {
    struct triple apart;
    real distance; /* Å */
};

static struct pull find_pull(global const struct berth_device_place *place, const struct scratch *w,
                             const struct flexible *flexible, int point)
{
    const int first = point & 0xFFFFF, count = point >> 20, stride = flexible->stride;
    struct triple at =
        triple_at(w->placed, stride, count == 1 ? first : flexible->restraints[first]);
    for (int i = 1; i < count; i++) {
        const struct triple atom = triple_at(w->placed, stride, flexible->restraints[first + i]);
        at.x += atom.x;
        at.y += atom.y;
        at.z += atom.z;
    }
    const float share = 1.0f / count;
    struct pull pull;
    pull.apart.x = fma(at.x, share, (real)(-place->x));
    pull.apart.y = fma(at.y, share, (real)(-place->y));
    pull.apart.z = fma(at.z, share, (real)(-place->z));
    pull.distance = sqrt(max(inner_product(pull.apart, pull.apart), (real)(SQUARE_LEAST)));
    return pull;
}

/* Of the pulls of a restraint the one counts for which this is least (Å, not negative). */
static real measure_of(global const struct berth_device_place *place, real distance)
{
    return place->rule & BERTH_PLACE_AVOIDED ? min(distance, (real)(place->radius))
                                             : max(distance - place->radius, (real)(0));
}

/* The energy of a pull, for the poses where it counts; adds its slopes there. */
static real add_pull(global const struct berth_device_place *places, const struct scratch *w,
                     const struct flexible *flexible, global const int *words, whole counts)
{
    global const struct berth_device_place *place = places + words[1];
    const int first = words[0] & 0xFFFFF, count = words[0] >> 20, stride = flexible->stride;
    const struct pull pull = find_pull(place, w, flexible, words[0]);
    const bool avoided = place->rule & BERTH_PLACE_AVOIDED;
    const real off = avoided ? place->radius - pull.distance : pull.distance - place->radius;
    const real beyond = counts ? max(off, (real)(0)) : (real)(0);
    const real square = beyond * beyond, more = 1 + square;
    const bool bounded = place->rule & BERTH_PLACE_BOUNDED;
    const real root = sqrt(more), weight = place->weight;
    const real energy = weight * square / (bounded ? more : 0.5f * (root + 1));
    const real steep = 2 * weight * beyond / (bounded ? more * more : root);
    const real share = (avoided ? -steep : steep) / (pull.distance * count);
    for (int i = 0; i < count; i++) {
        const int atom = count == 1 ? first : flexible->restraints[first + i];
        struct triple slope = triple_at(w->slopes, stride, atom);
        slope.x = fma(share, pull.apart.x, slope.x);
        slope.y = fma(share, pull.apart.y, slope.y);
        slope.z = fma(share, pull.apart.z, slope.z);
        set_triple(slope, w->slopes, stride, atom);
    }
    return energy;
}

/* Whether the work-item's number, which is not negative, is the least of the group's; of equal ones
 * that of the first is.  memory: as sum_of_group has it. */
static whole is_least_of_group(real mine, local real *memory)
{
#ifdef GROUP_IS_WARP
    /* floats that are not negative are in the order of their bits; the last five give way to the
     * number of the work-item */
    const int key = (as_int(mine) & ~31) | (int)get_local_id(0);
    int least = key;
    for (int apart = 16; apart > 0; apart /= 2) {
        int other;
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;"
                     : "=r"(other)
                     : "r"(least), "r"(apart));
        least = min(least, other);
    }
    return key == least;
#else
    whole least = (whole)(0) == 0;
#if BERTH_REFINE_WGSIZE > 1
    memory[get_local_id(0)] = mine;
    group_barrier();
    for (int i = 0; i < BERTH_REFINE_WGSIZE; i++) {
        const real other = memory[i];
        least = least && (i < (int)get_local_id(0) ? mine < other : mine <= other);
    }
    group_barrier();
#endif
    return least;
#endif
}

/* The energy of the nearest of the pulls begin .. end - 1, of which the work-item looks at every
 * `items`th from number item on; adds its slopes. */
static real add_nearest(global const struct berth_device_place *places, const struct scratch *w,
                        const struct flexible *flexible, global const int *range, int item,
                        int items)
{
    global const int *words = flexible->restraints;
    const int step = BERTH_PULL_WORDS * items, end = range[1];
    real least = INFINITY, energy = 0;
    whole chosen = -1;
    for (int k = range[0] + BERTH_PULL_WORDS * item; k < end; k += step) {
        global const struct berth_device_place *place = places + words[k + 1];
        const real measure = measure_of(place, find_pull(place, w, flexible, words[k]).distance);
        const whole nearer = measure < least;
        least = nearer ? measure : least;
        chosen = nearer ? (whole)(k) : chosen;
    }
    if (items > 1) {
        chosen = is_least_of_group(least, w->energies) ? chosen : (whole)(-1);
    }
#if BERTH_POSE_LANES == 1
    if (chosen >= 0) {
        energy = add_pull(places, w, flexible, words + chosen, 1);
    }
#else
    for (int k = range[0] + BERTH_PULL_WORDS * item; k < end; k += step) {
        if (ANY_POSE(chosen == k)) {
            energy += add_pull(places, w, flexible, words + k, chosen == k);
        }
    }
#endif
    return energy;
}

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
        energy += add_nearest(places, w, flexible, ranges + 2 * k, 0, 1);
    }
    group_barrier();
    for (int k = held; k < count; k++) {
        energy += add_nearest(places, w, flexible, ranges + 2 * k, (int)get_local_id(0),
                              BERTH_REFINE_WGSIZE);
        group_barrier();
    }
    return energy;
}
#endif

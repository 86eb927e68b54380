/* Selection by partial merge sort: work-groups sort bins of poses in local memory, groups of sorted
 * lists are merged keeping only the first BERTH_KEEP, and the last list's first become the parents.
 * Every step also thins: near-duplicates of a better pose go, and so does what crowds a niche (a
 * pose with many better ones around it), so that the best binding mode does not take all places.
 *
 * A pose is sorted by a 64-bit key: its energy, then its number, so that no two keys are equal and
 * the result depends on nothing but the energies.  NaN comes after +infinity. */

#define BERTH_KEY_NONE 0xFFFFFFFFFFFFFFFFul

#ifndef BERTH_SELECT_WGSIZE
#define BERTH_SELECT_WGSIZE 256 /* work-items that share a bin */
#endif

static ulong key_of(float energy, int pose)
{
    uint bits = as_uint(energy + 0.0f); /* -0 becomes +0 */
    bits ^= bits >> 31 ? 0xFFFFFFFFu : 0x80000000u;
    return (ulong)(isnan(energy) ? 0xFFFFFFFEu : bits) << 32 | (uint)pose;
}

static int pose_of(ulong key)
{
    return (int)(uint)key;
}

/* Keys below this are those of finite energies. */
#define BERTH_KEY_INFINITE ((ulong)(0x7F800000u ^ 0x80000000u) << 32)

/* Bitonic sort of keys[BERTH_SORT] by the work-group: K. E. Batcher, AFIPS 1968. */
static void sort_keys(local ulong *keys)
{
    for (int width = 2; width <= BERTH_SORT; width *= 2) {
        for (int gap = width / 2; gap > 0; gap /= 2) {
#ifndef BERTH_BREAK_BARRIER
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
            for (int k = (int)get_local_id(0); k < BERTH_SORT / 2; k += BERTH_SELECT_WGSIZE) {
                int low = 2 * k - (k & (gap - 1)), high = low + gap;
                bool up = (low & width) == 0;
                ulong a = keys[low], b = keys[high];
                if ((a > b) == up) {
                    keys[low] = b;
                    keys[high] = a;
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Which of the sorted poses stay. */
struct thinning {
    float distinct; /* Å²: a pose with a better one nearer than this is a duplicate; < 0: none */
    float niche;    /* Å²: size of a niche */
    int niche_places; /* poses that may stay in a niche */
};

/* Local memory of thin(). */
struct candidates {
    struct pose poses[BERTH_KEEP];
    uchar duplicate[BERTH_KEEP], crowded[BERTH_KEEP];
};

/* Marks duplicates among the sorted keys[BERTH_KEEP], then what has too many better poses, those
 * duplicates aside, in its niche.  Only poses of finite energy are looked at. */
static void mark(local const ulong *keys, const float inertia[6], struct thinning thinning,
                 local struct candidates *candidates)
{
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        bool duplicate = keys[i] == BERTH_KEY_NONE;
        if (keys[i] < BERTH_KEY_INFINITE) {
            const struct pose mine = candidates->poses[i];
            for (int j = 0; j < i && !duplicate; j++) {
                duplicate =
                    mean_square_distance(mine, candidates->poses[j], inertia) < thinning.distinct;
            }
        }
        candidates->duplicate[i] = duplicate;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        int better = 0;
        if (keys[i] < BERTH_KEY_INFINITE && !candidates->duplicate[i]) {
            const struct pose mine = candidates->poses[i];
            for (int j = 0; j < i && better < thinning.niche_places; j++) {
                better +=
                    !candidates->duplicate[j] &&
                    mean_square_distance(mine, candidates->poses[j], inertia) < thinning.niche;
            }
        }
        candidates->crowded[i] = better >= thinning.niche_places;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* A conformer's poses: transforms[6][poses]. */
struct population {
    global const struct berth_device_conformer *conformer;
    global const float *transforms;
    int poses;
};

/* Thins the sorted keys[BERTH_KEEP] and closes the gaps: best[] gets what is left, filled up with
 * BERTH_KEY_NONE. */
static void thin(local const ulong *keys, struct population population, struct thinning thinning,
                 local struct candidates *candidates, local ulong *best)
{
    float inertia[6];
    for (int k = 0; k < 6; k++) {
        inertia[k] = population.conformer->inertia[k];
    }
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        best[i] = BERTH_KEY_NONE;
        if (keys[i] < BERTH_KEY_INFINITE) {
            candidates->poses[i] =
                load_pose(population.transforms, population.poses, pose_of(keys[i]));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mark(keys, inertia, thinning, candidates);
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        if (!candidates->duplicate[i] && !candidates->crowded[i]) {
            int rank = 0;
            for (int j = 0; j < i; j++) {
                rank += !candidates->duplicate[j] && !candidates->crowded[j];
            }
            best[rank] = keys[i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* lists[conformer][bin][BERTH_KEEP]: the best of each bin of bin_poses poses of
 * energies[conformer][pose]; one work-group a bin, global size (bins × BERTH_SELECT_WGSIZE,
 * conformers).  A bin is worked off in pieces, each sorted together with the best so far. */
kernel __attribute__((reqd_work_group_size(BERTH_SELECT_WGSIZE, 1, 1))) void
select_bins(global const struct berth_device_conformer *conformers, global const float *transforms,
            global const float *energies, int poses, int bin_poses, float distinct, float niche,
            int niche_places, global ulong *lists)
{
    local ulong keys[BERTH_SORT];
    local ulong best[BERTH_KEEP];
    local struct candidates candidates;
    const struct thinning thinning = {distinct, niche, niche_places};
    const int item = (int)get_local_id(0);
    const size_t c = get_global_id(1);
    const struct population population = {conformers + c, transforms + c * 6 * poses, poses};
    const int begin = (int)get_group_id(0) * bin_poses, end = min(begin + bin_poses, poses);
    for (int i = item; i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        best[i] = BERTH_KEY_NONE;
    }
    for (int first = begin; first < end; first += BERTH_PIECE) {
        for (int i = item; i < BERTH_SORT; i += BERTH_SELECT_WGSIZE) {
            const int pose = first + i - BERTH_KEEP;
            keys[i] = i < BERTH_KEEP ? best[i]
                      : pose < end   ? key_of(energies[c * poses + pose], pose)
                                     : BERTH_KEY_NONE;
        }
        sort_keys(keys);
#ifdef BERTH_BREAK_SELECT_BINS
        keys[0] = keys[1];
#endif
        thin(keys, population, thinning, &candidates, best);
    }
    global ulong *list = lists + (c * get_num_groups(0) + get_group_id(0)) * BERTH_KEEP;
    for (int i = item; i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        list[i] = best[i];
    }
}

/* Merges each BERTH_MERGE lists of from[conformer][count][BERTH_KEEP] into one of
 * to[conformer][ceil(count / BERTH_MERGE)][BERTH_KEEP]; one work-group a merged list. */
kernel __attribute__((reqd_work_group_size(BERTH_SELECT_WGSIZE, 1, 1))) void
select_merge(global const struct berth_device_conformer *conformers, global const float *transforms,
             int poses, global const ulong *from, int count, float distinct, float niche,
             int niche_places, global ulong *to)
{
    local ulong keys[BERTH_SORT];
    local ulong best[BERTH_KEEP];
    local struct candidates candidates;
    const struct thinning thinning = {distinct, niche, niche_places};
    const int item = (int)get_local_id(0);
    const size_t c = get_global_id(1);
    const struct population population = {conformers + c, transforms + c * 6 * poses, poses};
    const int first = (int)get_group_id(0) * BERTH_SORT, end = count * BERTH_KEEP;
    for (int i = item; i < BERTH_SORT; i += BERTH_SELECT_WGSIZE) {
        keys[i] = first + i < end ? from[c * end + first + i] : BERTH_KEY_NONE;
    }
#ifndef BERTH_BREAK_SELECT_MERGE
    sort_keys(keys);
#endif
    thin(keys, population, thinning, &candidates, best);
    global ulong *list = to + (c * get_num_groups(0) + get_group_id(0)) * BERTH_KEEP;
    for (int i = item; i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        list[i] = best[i];
    }
}

/* Makes the parents from the last list of each conformer, lists[conformer][BERTH_KEEP]: transforms
 * [conformer][6][parents] and how many there are, best first; global size (parents, conformers).
 * Places without a pose of finite energy get pose 0. */
kernel void select_parents(constant struct berth_device_search *search,
                           global const float *transforms, global const ulong *lists,
                           global float *parent_transforms, global int *parent_counts)
{
    const int i = (int)get_global_id(0), poses = search->poses, stride = search->parents;
    const size_t c = get_global_id(1);
    if (i >= stride) {
        return;
    }
    global const ulong *list = lists + c * BERTH_KEEP;
    const bool finite = list[i] < BERTH_KEY_INFINITE;
    const int pose = finite ? pose_of(list[i]) : 0;
    for (int k = 0; k < 6; k++) {
        parent_transforms[(c * 6 + k) * stride + i] = transforms[(c * 6 + k) * poses + pose];
    }
    if (finite && (i + 1 == stride || list[i + 1] >= BERTH_KEY_INFINITE)) {
        parent_counts[c] = i + 1;
    }
    if (i == 0 && !finite) {
        parent_counts[c] = 0;
    }
#ifdef BERTH_BREAK_SELECT_PARENTS
    parent_transforms[(c * 6) * stride + i] += 1;
#endif
}

/* Selection by partial merge sort: work-groups sort bins of poses in local memory, groups of sorted
 * lists are merged keeping only the first BERTH_KEEP, and the last list's first become the parents.
 * Every step also thins: near-duplicates of a better pose go, and so does what crowds a niche (a
 * pose with many better ones around it), so that the best binding mode does not take all places.
 *
 * A pose is sorted by a 64-bit key: its energy, then its number, so that no two keys are equal and
 * the result depends on nothing but the energies.  A pose whose energy is +infinity or NaN counts
 * as none. */

#define BERTH_KEY_NONE 0xFFFFFFFFFFFFFFFFul

static ulong key_of(float energy, int pose)
{
    uint bits = as_uint(energy + 0.0f); /* -0 becomes +0 */
    bits ^= bits >> 31 ? 0xFFFFFFFFu : 0x80000000u;
    return energy < INFINITY ? (ulong)bits << 32 | (uint)pose : BERTH_KEY_NONE;
}

static int pose_of(ulong key)
{
    return (int)(uint)key;
}

/* Keys are sorted as a matrix with a column for each lane, so that most steps are between rows, a
 * vector of pairs at a time.  Key number i is at keys[place_of(i)]. */
#define BERTH_SORT_ROWS (BERTH_SORT / BERTH_LONG_WIDTH)

constant ulong BERTH_LONG_LANES[8] = {0, 1, 2, 3, 4, 5, 6, 7};

static int place_of(int i)
{
    return i % BERTH_SORT_ROWS * BERTH_LONG_WIDTH + i / BERTH_SORT_ROWS;
}

/* Puts the keys of two rows in order; `width` as in sort_keys. */
static void order_rows(local ulong *keys, int low, int high, int width)
{
    local ulong *first = keys + low * BERTH_LONG_WIDTH, *second = keys + high * BERTH_LONG_WIDTH;
    const ulong_vector a = LONG_LOAD(first), b = LONG_LOAD(second);
    const ulong_vector number = (ulong)low + LONG_LOAD(BERTH_LONG_LANES) * BERTH_SORT_ROWS;
    const long_vector up = (number & (ulong)width) == 0;
    const long_vector swaps = (a > b) == up;
    LONG_STORE(swaps ? b : a, first);
    LONG_STORE(swaps ? a : b, second);
}

/* The same for two keys. */
static void order_keys(local ulong *keys, int low, int high, int width)
{
    local ulong *first = keys + place_of(low), *second = keys + place_of(high);
    const ulong a = *first, b = *second;
    const bool swaps = (a > b) == ((low & width) == 0);
    *first = swaps ? b : a;
    *second = swaps ? a : b;
}

/* Bitonic sort of BERTH_SORT keys by the work-group: K. E. Batcher, AFIPS 1968. */
static void sort_keys(local ulong *keys)
{
    const int item = (int)get_local_id(0);
    for (int width = 2; width <= BERTH_SORT; width *= 2) {
        for (int gap = width / 2; gap > 0; gap /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const bool rows = gap < BERTH_SORT_ROWS;
            const int pairs = (rows ? BERTH_SORT_ROWS : BERTH_SORT) / 2;
            for (int k = item; k < pairs; k += BERTH_SELECT_WGSIZE) {
                const int low = 2 * k - (k & (gap - 1));
                if (rows) {
                    order_rows(keys, low, low + gap, width);
                } else {
                    order_keys(keys, low, low + gap, width);
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

/* Local memory of thin(): the sorted poses, as planes (quaternion, translation), and which of them
 * are left, before and after each of the two steps. */
struct candidates {
    float planes[7][BERTH_KEEP];
    int left[3][BERTH_KEEP]; /* 0 or 1 */
};

/* A conformer's poses: transforms[6][poses]. */
struct population {
    global const struct berth_device_conformer *conformer;
    global const float *transforms;
    int poses;
};

static void load_candidates(local const ulong *keys, struct population population,
                            local struct candidates *candidates)
{
    for (int first = (int)get_local_id(0) * BERTH_VECTOR_WIDTH; first < BERTH_KEEP;
         first += BERTH_SELECT_WGSIZE * BERTH_VECTOR_WIDTH) {
        int number[BERTH_VECTOR_WIDTH];
        FOR_EACH_LANE
        {
            const ulong key = keys[place_of(first + i)];
            candidates->left[0][first + i] = key != BERTH_KEY_NONE;
            number[i] = key != BERTH_KEY_NONE ? pose_of(key) : 0;
        }
        const struct pose pose =
            load_poses(population.transforms, population.poses, VECTOR_LOAD(number));
        VECTOR_STORE(pose.rotation.x, candidates->planes[0] + first);
        VECTOR_STORE(pose.rotation.y, candidates->planes[1] + first);
        VECTOR_STORE(pose.rotation.z, candidates->planes[2] + first);
        VECTOR_STORE(pose.rotation.w, candidates->planes[3] + first);
        VECTOR_STORE(pose.shift.x, candidates->planes[4] + first);
        VECTOR_STORE(pose.shift.y, candidates->planes[5] + first);
        VECTOR_STORE(pose.shift.z, candidates->planes[6] + first);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* The candidates first, first + 1 ... */
static struct pose candidates_from(local const struct candidates *candidates, int first)
{
    const struct pose poses = {
        {VECTOR_LOAD(candidates->planes[0] + first), VECTOR_LOAD(candidates->planes[1] + first),
         VECTOR_LOAD(candidates->planes[2] + first), VECTOR_LOAD(candidates->planes[3] + first)},
        {VECTOR_LOAD(candidates->planes[4] + first), VECTOR_LOAD(candidates->planes[5] + first),
         VECTOR_LOAD(candidates->planes[6] + first)}};
    return poses;
}

/* Candidate i in each lane. */
static struct pose one_candidate(local const struct candidates *candidates, int i)
{
    const struct pose pose = {
        {(vector)(candidates->planes[0][i]), (vector)(candidates->planes[1][i]),
         (vector)(candidates->planes[2][i]), (vector)(candidates->planes[3][i])},
        {(vector)(candidates->planes[4][i]), (vector)(candidates->planes[5][i]),
         (vector)(candidates->planes[6][i])}};
    return pose;
}

/* Drops what has `places` better candidates within a mean square distance of `limit`: those that
 * are left before this step, left[step], count; left[step + 1] are left after it. */
static void drop(local struct candidates *candidates, int step, const float inertia[6], float limit,
                 int places)
{
    local const int *left = candidates->left[step];
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        int better = left[i] ? 0 : places;
        const struct pose mine = one_candidate(candidates, i);
        for (int j = 0; j < i && better < places; j += BERTH_VECTOR_WIDTH) {
            const vector square =
                mean_square_distance(mine, candidates_from(candidates, j), inertia);
            better +=
                count_lanes(square < limit && count_from(j) < i && VECTOR_LOAD(left + j) != 0);
        }
        candidates->left[step + 1][i] = better < places;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Thins the first BERTH_KEEP of the sorted keys and closes the gaps: best[] gets what is left,
 * filled up with BERTH_KEY_NONE. */
static void thin(local const ulong *keys, struct population population, struct thinning thinning,
                 local struct candidates *candidates, local ulong *best)
{
    float inertia[6];
    for (int k = 0; k < 6; k++) {
        inertia[k] = population.conformer->inertia[k];
    }
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        best[i] = BERTH_KEY_NONE;
    }
    load_candidates(keys, population, candidates);
    drop(candidates, 0, inertia, thinning.distinct, 1);
    drop(candidates, 1, inertia, thinning.niche, thinning.niche_places);
    local const int *left = candidates->left[2];
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        if (left[i]) {
            int rank = 0;
            for (int j = 0; j < i; j++) {
                rank += left[j];
            }
            best[rank] = keys[place_of(i)];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* lists[conformer][bin][BERTH_KEEP]: the best of each bin of bin_poses poses of
 * energies[conformer][pose]; one work-group a bin, global size (bins × BERTH_SELECT_WGSIZE,
 * conformers).  A bin is worked off in pieces, each but the first sorted together with the best so
 * far. */
kernel __attribute__((reqd_work_group_size(BERTH_SELECT_WGSIZE, 1, 1))) void
select_bins(global const struct berth_device_conformer *conformers, global const float *transforms,
            global const float *energies, int poses, int bin_poses, float distinct, float niche,
            int niche_places, global ulong *lists)
{
    LOCAL_VARIABLE ulong keys[BERTH_SORT];
    LOCAL_VARIABLE ulong best[BERTH_KEEP];
    LOCAL_VARIABLE struct candidates candidates;
    const struct thinning thinning = {distinct, niche, niche_places};
    const int item = (int)get_local_id(0);
    const size_t c = get_global_id(1);
    const struct population population = {conformers + c, transforms + c * 6 * poses, poses};
    const int begin = (int)get_group_id(0) * bin_poses, end = min(begin + bin_poses, poses);
    int next = begin;
    for (int kept = 0; next < end; kept = BERTH_KEEP) {
        for (int i = item; i < BERTH_SORT; i += BERTH_SELECT_WGSIZE) {
            const int pose = next + i - kept;
            keys[i] = i < kept     ? best[i]
                      : pose < end ? key_of(energies[c * poses + pose], pose)
                                   : BERTH_KEY_NONE;
        }
        next += BERTH_SORT - kept;
        sort_keys(keys);
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
    LOCAL_VARIABLE ulong keys[BERTH_SORT];
    LOCAL_VARIABLE ulong best[BERTH_KEEP];
    LOCAL_VARIABLE struct candidates candidates;
    const struct thinning thinning = {distinct, niche, niche_places};
    const int item = (int)get_local_id(0);
    const size_t c = get_global_id(1);
    const struct population population = {conformers + c, transforms + c * 6 * poses, poses};
    const int first = (int)get_group_id(0) * BERTH_SORT, end = count * BERTH_KEEP;
    for (int i = item; i < BERTH_SORT; i += BERTH_SELECT_WGSIZE) {
        keys[i] = first + i < end ? from[c * end + first + i] : BERTH_KEY_NONE;
    }
    sort_keys(keys);
    thin(keys, population, thinning, &candidates, best);
    global ulong *list = to + (c * get_num_groups(0) + get_group_id(0)) * BERTH_KEEP;
    for (int i = item; i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        list[i] = best[i];
    }
}

/* Makes the parents from the last list of each conformer, lists[conformer][BERTH_KEEP]: transforms
 * [conformer][6][parents] and how many there are, best first; global size (parents, conformers).
 * Places without a pose of finite energy get pose 0. */
kernel __attribute__((reqd_work_group_size(BERTH_SELECT_WGSIZE, 1, 1))) void
select_parents(constant struct berth_device_search *search, global const float *transforms,
               global const ulong *lists, global float *parent_transforms,
               global int *parent_counts)
{
    const int i = (int)get_global_id(0), poses = search->poses, stride = search->parents;
    const size_t c = get_global_id(1);
    if (i >= stride) {
        return;
    }
    global const ulong *list = lists + c * BERTH_KEEP;
    const bool finite = list[i] != BERTH_KEY_NONE;
    const int pose = finite ? pose_of(list[i]) : 0;
    for (int k = 0; k < 6; k++) {
        parent_transforms[(c * 6 + k) * stride + i] = transforms[(c * 6 + k) * poses + pose];
    }
    if (finite && (i + 1 == stride || list[i + 1] == BERTH_KEY_NONE)) {
        parent_counts[c] = i + 1;
    }
    if (i == 0 && !finite) {
        parent_counts[c] = 0;
    }
}

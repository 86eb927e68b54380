/* Selection by partial merge sort: work-groups sort bins of poses in local memory, pairs of sorted
 * lists are merged keeping only the first BERTH_KEEP, and the first of the last list become the
 * parents.  Near-duplicates of a better pose (closer than an RMSD) are suppressed in the bins and
 * again in the last list.
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

/* Bitonic sort of keys[BERTH_BIN] by the work-group: K. E. Batcher, AFIPS 1968. */
static void sort_bin(local ulong *keys)
{
    for (int width = 2; width <= BERTH_BIN; width *= 2) {
        for (int gap = width / 2; gap > 0; gap /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int k = (int)get_local_id(0); k < BERTH_BIN / 2; k += BERTH_SELECT_WGSIZE) {
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

/* Local memory of suppress(). */
struct candidates {
    struct pose poses[BERTH_KEEP];
    uchar dropped[BERTH_KEEP];
};

/* Drops from the sorted keys[BERTH_KEEP] every finite one that has a better one within the RMSD
 * whose square is `limit` (Å²; negative: none), and closes the gaps: sorted[] gets what is left,
 * filled up with BERTH_KEY_NONE. */
static void suppress(local const ulong *keys, global const float *transforms, int poses,
                     global const struct berth_device_conformer *conformer, float limit,
                     local struct candidates *candidates, local ulong *sorted)
{
    float inertia[6];
    for (int k = 0; k < 6; k++) {
        inertia[k] = conformer->inertia[k];
    }
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        sorted[i] = BERTH_KEY_NONE;
        if (keys[i] < BERTH_KEY_INFINITE) {
            candidates->poses[i] = load_pose(transforms, poses, pose_of(keys[i]));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        bool dropped = keys[i] == BERTH_KEY_NONE;
        if (keys[i] < BERTH_KEY_INFINITE) {
            const struct pose mine = candidates->poses[i];
            for (int j = 0; j < i && !dropped; j++) {
                dropped = mean_square_distance(mine, candidates->poses[j], inertia) < limit;
            }
        }
        candidates->dropped[i] = dropped;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        if (!candidates->dropped[i]) {
            int rank = 0;
            for (int j = 0; j < i; j++) {
                rank += !candidates->dropped[j];
            }
            sorted[rank] = keys[i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* lists[conformer][bin][BERTH_KEEP]: the best of each bin of energies[conformer][pose]; one
 * work-group a bin, global size (bins × BERTH_SELECT_WGSIZE, conformers). */
kernel __attribute__((reqd_work_group_size(BERTH_SELECT_WGSIZE, 1, 1))) void
select_bins(global const struct berth_device_conformer *conformers, global const float *transforms,
            global const float *energies, int poses, float limit, global ulong *lists)
{
    local ulong keys[BERTH_BIN];
    local ulong sorted[BERTH_KEEP];
    local struct candidates candidates;
    const size_t c = get_global_id(1);
    const int first = (int)get_group_id(0) * BERTH_BIN;
    for (int i = (int)get_local_id(0); i < BERTH_BIN; i += BERTH_SELECT_WGSIZE) {
        int pose = first + i;
        keys[i] = pose < poses ? key_of(energies[c * poses + pose], pose) : BERTH_KEY_NONE;
    }
    sort_bin(keys);
    suppress(keys, transforms + c * 6 * poses, poses, conformers + c, limit, &candidates, sorted);
    global ulong *list = lists + (c * get_num_groups(0) + get_group_id(0)) * BERTH_KEEP;
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        list[i] = sorted[i];
    }
}

/* Number of the sorted list's keys below `key`, or not above it. */
static int keys_below(global const ulong *list, ulong key, bool or_equal)
{
    int low = 0, high = BERTH_KEEP;
    while (low < high) {
        int middle = (low + high) / 2;
        if (list[middle] < key || (or_equal && list[middle] == key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Merges lists 2 n and 2 n + 1 of from[conformer][count][BERTH_KEEP] into list n of
 * to[conformer][(count + 1) / 2][BERTH_KEEP], keeping the first BERTH_KEEP; an odd last list is
 * copied.  Every key finds its own place: its rank here plus the keys of the other list before
 * it.  Global size (count × BERTH_KEEP, conformers). */
kernel void select_merge(global const ulong *from, int count, global ulong *to)
{
    const int list = (int)get_global_id(0) / BERTH_KEEP, rank = (int)get_global_id(0) % BERTH_KEEP;
    const size_t c = get_global_id(1);
    if (list >= count) {
        return;
    }
    from += c * count * BERTH_KEEP;
    to += (c * ((count + 1) / 2) + list / 2) * BERTH_KEEP;
    const ulong key = from[list * BERTH_KEEP + rank];
    const int other = list ^ 1;
    int place = rank;
    if (other < count) {
        place += keys_below(from + other * BERTH_KEEP, key, list & 1);
    }
#ifdef BERTH_BREAK_SELECT_MERGE
    place = rank;
#endif
    if (place < BERTH_KEEP) {
        to[place] = key;
    }
}

/* Makes the parents from the last list of each conformer, lists[conformer][BERTH_KEEP]: transforms
 * [conformer][6][parents], energies [conformer][parents], best first, and how many there are; one
 * work-group a conformer. */
kernel __attribute__((reqd_work_group_size(BERTH_SELECT_WGSIZE, 1, 1))) void
select_parents(constant struct berth_device_search *search,
               global const struct berth_device_conformer *conformers,
               global const float *transforms, global const float *energies,
               global const ulong *lists, float limit, global float *parent_transforms,
               global float *parent_energies, global int *parent_counts)
{
    local ulong keys[BERTH_KEEP];
    local ulong sorted[BERTH_KEEP];
    local struct candidates candidates;
    const size_t c = get_global_id(1);
    const int poses = search->poses, stride = search->parents;
    for (int i = (int)get_local_id(0); i < BERTH_KEEP; i += BERTH_SELECT_WGSIZE) {
        keys[i] = lists[c * BERTH_KEEP + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    transforms += c * 6 * poses;
    suppress(keys, transforms, poses, conformers + c, limit, &candidates, sorted);
    parent_transforms += c * 6 * stride;
    for (int i = (int)get_local_id(0); i < stride; i += BERTH_SELECT_WGSIZE) {
        const bool finite = sorted[i] < BERTH_KEY_INFINITE;
        const int pose = finite ? pose_of(sorted[i]) : 0;
        for (int k = 0; k < 6; k++) {
            parent_transforms[k * stride + i] = transforms[k * poses + pose];
        }
        parent_energies[c * stride + i] = finite ? energies[c * poses + pose] : INFINITY;
        const bool next_finite = i + 1 < stride && sorted[i + 1] < BERTH_KEY_INFINITE;
        if (finite && !next_finite) {
            parent_counts[c] = i + 1;
        }
        if (i == 0 && !finite) {
            parent_counts[c] = 0;
        }
    }
}

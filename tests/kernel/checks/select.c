/* Checks of select_bins and select_merge, against a plain full sort. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "checks.h"

static const uint64_t KEY_NONE = UINT64_MAX;

enum { CONFORMERS = 2, DRAWS = 20 };

/* Energies that sorting networks and comparisons get wrong. */
enum pattern { RANDOM, EQUAL, SORTED, REVERSED, NANS, INFINITIES, ALL_NAN, PATTERNS };

static float pattern_energy(struct selftest *test, enum pattern pattern, int i)
{
    const float random = (float)berth_random_between(&test->random, -90, 10);
    switch (pattern) {
    case EQUAL:
        return -1.5f;
    case SORTED:
        return (float)i;
    case REVERSED:
        return (float)-i;
    case NANS:
        return i % 3 ? random : NAN;
    case INFINITIES:
        return i % 3 == 0 ? INFINITY : i % 7 == 0 ? -INFINITY : random;
    case ALL_NAN:
        return NAN;
    default:
        return random;
    }
}

/* The sort key by its definition: energies in order, -0 as 0, then the number of the pose; none
 * where the energy is +infinity or NaN. */
static uint64_t key_of(float energy, uint32_t pose)
{
    const float value = energy == 0 ? 0.0f : energy;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t ordered = energy < 0.0f ? ~bits : bits + 0x80000000u;
    return energy < INFINITY ? (uint64_t)ordered << 32 | pose : KEY_NONE;
}

static int by_key(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* How to thin, and the arrays of a selection. */
struct selection {
    int poses, bin_poses, lists; /* lists: those that the kernel writes, per conformer */
    float distinct, niche;       /* Å² */
    int niche_places;
    struct selftest_array conformers, transforms, energies, input, output;
    struct berth_kernel *kernel;
    double margin; /* Å²: how near any comparison of the reference was to its limit */
};

static enum berth_status make_selection(struct selftest *test, const char *name, size_t input_lists,
                                        struct selection *selection, struct berth_error *error)
{
    const size_t all = (size_t)selection->poses * CONFORMERS;
    const size_t list = BERTH_KEEP * CONFORMERS * sizeof(uint64_t);
    const struct {
        struct selftest_array *array;
        size_t size;
    } wanted[] = {{&selection->conformers, CONFORMERS * sizeof(struct berth_device_conformer)},
                  {&selection->transforms, all * 6 * sizeof(float)},
                  {&selection->energies, all * sizeof(float)},
                  {&selection->input, input_lists * list},
                  {&selection->output, (size_t)selection->lists * list}};
    enum berth_status status = berth_kernel_create(test->program, name, &selection->kernel, error);
    for (size_t i = 0; !status && i < sizeof wanted / sizeof *wanted; i++) {
        status = selftest_poisoned(test, wanted[i].size, wanted[i].array, error);
    }
    if (!status) {
        selftest_conformers(test, CONFORMERS, selection->conformers.host);
        status = selftest_upload(&selection->conformers, error);
    }
    return status;
}

static void clear_selection(struct selection *selection)
{
    berth_kernel_destroy(selection->kernel);
    selftest_clear(&selection->conformers);
    selftest_clear(&selection->transforms);
    selftest_clear(&selection->energies);
    selftest_clear(&selection->input);
    selftest_clear(&selection->output);
}

/* Poses in a few clusters, so that there is something to thin. */
static enum berth_status make_clusters(struct selftest *test, struct selection *selection,
                                       struct berth_error *error)
{
    enum { CLUSTERS = 8 };
    float *transforms = selection->transforms.host;
    const size_t stride = (size_t)selection->poses;
    for (size_t c = 0; c < CONFORMERS; c++) {
        float centers[6 * CLUSTERS];
        selftest_poses(test, 1, CLUSTERS, 5, centers);
        for (size_t i = 0; i < stride; i++) {
            const size_t cluster = berth_random_below(&test->random, CLUSTERS);
            for (size_t k = 0; k < 6; k++) {
                transforms[(c * 6 + k) * stride + i] =
                    centers[k * CLUSTERS + cluster] +
                    (float)berth_random_between(&test->random, -0.15, 0.15);
            }
        }
    }
    return selftest_upload(&selection->transforms, error);
}

static enum berth_status make_energies(struct selftest *test, enum pattern pattern,
                                       struct selection *selection, struct berth_error *error)
{
    float *energies = selection->energies.host;
    for (int i = 0; i < selection->poses * CONFORMERS; i++) {
        energies[i] = pattern_energy(test, pattern, i);
    }
    return selftest_upload(&selection->energies, error);
}

/* True where the poses of two keys of conformer c lie within `limit` of each other. */
static bool within(struct selection *selection, size_t c, uint64_t a, uint64_t b, double limit)
{
    const size_t stride = (size_t)selection->poses;
    const float *planes = (const float *)selection->transforms.host + c * 6 * stride;
    const struct berth_device_conformer *conformer =
        (const struct berth_device_conformer *)selection->conformers.host + c;
    const struct berth_reference_pose p = berth_reference_pose_at(planes, stride, (uint32_t)a),
                                      q = berth_reference_pose_at(planes, stride, (uint32_t)b);
    const double square = berth_reference_mean_square(conformer, &p, &q);
    selection->margin = fmin(selection->margin, fabs(square - limit));
    return square < limit;
}

/* The reference's step: sorts count keys and thins the first BERTH_KEEP into best. */
static void reference_step(struct selection *selection, size_t c, uint64_t *keys, size_t count,
                           uint64_t best[BERTH_KEEP])
{
    qsort(keys, count, sizeof *keys, by_key);
    bool duplicate[BERTH_KEEP] = {0};
    size_t kept = 0;
    const bool thins = selection->distinct > 0;
    for (size_t i = 0; i < BERTH_KEEP; i++) {
        best[i] = KEY_NONE;
    }
    for (size_t i = 0; i < BERTH_KEEP && i < count; i++) {
        int better = 0;
        for (size_t j = 0; thins && keys[i] != KEY_NONE && j < i && !duplicate[i]; j++) {
            duplicate[i] = within(selection, c, keys[i], keys[j], selection->distinct);
        }
        for (size_t j = 0; thins && keys[i] != KEY_NONE && j < i && !duplicate[i]; j++) {
            better += !duplicate[j] && within(selection, c, keys[i], keys[j], selection->niche);
        }
        if (keys[i] != KEY_NONE && !duplicate[i] && better < selection->niche_places) {
            best[kept++] = keys[i];
        }
    }
}

static enum berth_status compare_list(const struct selection *selection, size_t list,
                                      const uint64_t expected[BERTH_KEEP],
                                      struct berth_error *error)
{
    const uint64_t *found = (const uint64_t *)selection->output.host + list * BERTH_KEEP;
    for (size_t i = 0; i < BERTH_KEEP; i++) {
        if (found[i] != expected[i]) {
            return berth_fail(error, BERTH_E_RESULT,
                              "list %zu of %d poses: place %zu has pose %lld, not %lld", list,
                              selection->poses, i, (long long)(int32_t)(uint32_t)found[i],
                              (long long)(int32_t)(uint32_t)expected[i]);
        }
    }
    return BERTH_OK;
}

/* A bin's reference, piece by piece as it is defined; without thinning it must be the first of a
 * full sort, which is checked too. */
static enum berth_status compare_bin(struct selection *selection, size_t c, int bin,
                                     struct berth_error *error)
{
    const float *energies = (const float *)selection->energies.host + c * (size_t)selection->poses;
    const int begin = bin * selection->bin_poses;
    const int end = begin + selection->bin_poses < selection->poses ? begin + selection->bin_poses
                                                                    : selection->poses;
    uint64_t best[BERTH_KEEP] = {0}, keys[BERTH_SORT];
    size_t kept = 0;
    for (int pose = begin; pose < end; kept = BERTH_KEEP) {
        size_t count = kept;
        memcpy(keys, best, kept * sizeof *best);
        while (pose < end && count < BERTH_SORT) {
            keys[count++] = key_of(energies[pose], (uint32_t)pose);
            pose++;
        }
        reference_step(selection, c, keys, count, best);
    }
    if (selection->distinct < 0) {
        uint64_t *all = berth_alloc((size_t)(end - begin), sizeof *all);
        for (int pose = begin; all && pose < end; pose++) {
            all[pose - begin] = key_of(energies[pose], (uint32_t)pose);
        }
        if (all) {
            qsort(all, (size_t)(end - begin), sizeof *all, by_key);
            const size_t first = end - begin < BERTH_KEEP ? (size_t)(end - begin) : BERTH_KEEP;
            memcpy(best, all, first * sizeof *all);
        }
        free(all);
    }
    return compare_list(selection, c * (size_t)selection->lists + (size_t)bin, best, error);
}

static void set_thinning(struct selection *selection, unsigned first)
{
    berth_kernel_set_float(selection->kernel, first, selection->distinct);
    berth_kernel_set_float(selection->kernel, first + 1, selection->niche);
    berth_kernel_set_int(selection->kernel, first + 2, selection->niche_places);
}

static enum berth_status run_bins(struct selftest *test, struct selection *selection,
                                  struct berth_error *error)
{
    const size_t wgsize = (size_t)test->setup->variant.select_wgsize;
    berth_kernel_set_buffer(selection->kernel, 0, selection->conformers.buffer);
    berth_kernel_set_buffer(selection->kernel, 1, selection->transforms.buffer);
    berth_kernel_set_buffer(selection->kernel, 2, selection->energies.buffer);
    berth_kernel_set_int(selection->kernel, 3, selection->poses);
    berth_kernel_set_int(selection->kernel, 4, selection->bin_poses);
    set_thinning(selection, 5);
    berth_kernel_set_buffer(selection->kernel, 8, selection->output.buffer);
    enum berth_status status = berth_kernel_launch(
        selection->kernel, (size_t)selection->lists * wgsize, CONFORMERS, wgsize, NULL, error);
    return status ? status : selftest_download(&selection->output, error);
}

/* One comparison of select_bins.  *unclear: a distance was too near to its limit to tell. */
static enum berth_status try_bins(struct selftest *test, struct selection *selection,
                                  enum pattern pattern, bool *unclear, struct berth_error *error)
{
    selection->lists = (selection->poses + selection->bin_poses - 1) / selection->bin_poses;
    selection->margin = INFINITY;
    enum berth_status status = make_selection(test, "select_bins", 0, selection, error);
    BERTH_THEN(make_clusters(test, selection, error));
    BERTH_THEN(make_energies(test, pattern, selection, error));
    BERTH_THEN(run_bins(test, selection, error));
    for (size_t c = 0; !status && c < CONFORMERS; c++) {
        for (int bin = 0; !status && bin < selection->lists; bin++) {
            status = compare_bin(selection, c, bin, error);
        }
    }
    clear_selection(selection);
    *unclear = status == BERTH_E_RESULT && selection->margin < 1e-4;
    return status;
}

/* Repeats a comparison with new random inputs as long as it is unclear. */
static enum berth_status bins_clearly(struct selftest *test, const struct selection *wanted,
                                      enum pattern pattern, struct berth_error *error)
{
    bool unclear = true;
    enum berth_status status = BERTH_OK;
    for (int i = 0; unclear && i < DRAWS; i++) {
        struct selection selection = *wanted;
        status = try_bins(test, &selection, pattern, &unclear, error);
    }
    return status;
}

enum berth_status selftest_select_bins(struct selftest *test, struct berth_error *error)
{
    static const int SIZES[][2] = {{1, BERTH_SORT},
                                   {BERTH_SORT + 1, BERTH_SORT},
                                   {3000, BERTH_SORT + BERTH_PIECE},
                                   {2811, BERTH_SORT + 2 * BERTH_PIECE}};
    const size_t sizes = test->setup->small ? 2 : sizeof SIZES / sizeof *SIZES;
    const struct selection thinned = {.poses = test->setup->small ? 300 : 3000,
                                      .bin_poses = BERTH_SORT,
                                      .distinct = 0.09f,
                                      .niche = 1,
                                      .niche_places = 5};
    enum berth_status status = bins_clearly(test, &thinned, RANDOM, error);
    for (size_t i = 0; !status && i < sizes; i++) {
        for (enum pattern p = 0; !status && p < (test->setup->small ? 1 : PATTERNS); p++) {
            const struct selection plain = {.poses = SIZES[i][0],
                                            .bin_poses = SIZES[i][1],
                                            .distinct = -1,
                                            .niche = -1,
                                            .niche_places = 1};
            status = bins_clearly(test, &plain, p, error);
        }
    }
    return status;
}

/* Sorted lists for every conformer from the energies: list i holds every lists-th pose. */
static enum berth_status make_lists(struct selection *selection, size_t lists,
                                    struct berth_error *error)
{
    uint64_t *keys = selection->input.host;
    memset(keys, 0xFF, selection->input.size);
    for (size_t c = 0; c < CONFORMERS; c++) {
        const float *energies =
            (const float *)selection->energies.host + c * (size_t)selection->poses;
        for (size_t i = 0; i < lists; i++) {
            uint64_t *list = keys + (c * lists + i) * BERTH_KEEP;
            size_t count = 0;
            for (size_t pose = i; pose < (size_t)selection->poses && count < BERTH_KEEP;
                 pose += lists) {
                list[count++] = key_of(energies[pose], (uint32_t)pose);
            }
            qsort(list, count, sizeof *list, by_key);
        }
    }
    return selftest_upload(&selection->input, error);
}

static enum berth_status run_merge(struct selftest *test, struct selection *selection, size_t lists,
                                   struct berth_error *error)
{
    const size_t wgsize = (size_t)test->setup->variant.select_wgsize;
    berth_kernel_set_buffer(selection->kernel, 0, selection->conformers.buffer);
    berth_kernel_set_buffer(selection->kernel, 1, selection->transforms.buffer);
    berth_kernel_set_int(selection->kernel, 2, selection->poses);
    berth_kernel_set_buffer(selection->kernel, 3, selection->input.buffer);
    berth_kernel_set_int(selection->kernel, 4, (int32_t)lists);
    set_thinning(selection, 5);
    berth_kernel_set_buffer(selection->kernel, 8, selection->output.buffer);
    enum berth_status status = berth_kernel_launch(
        selection->kernel, (size_t)selection->lists * wgsize, CONFORMERS, wgsize, NULL, error);
    return status ? status : selftest_download(&selection->output, error);
}

static enum berth_status compare_merged(struct selection *selection, size_t lists,
                                        struct berth_error *error)
{
    for (size_t c = 0; c < CONFORMERS; c++) {
        for (size_t i = 0; i < (size_t)selection->lists; i++) {
            const uint64_t *from = (const uint64_t *)selection->input.host +
                                   (c * lists + i * BERTH_MERGE) * BERTH_KEEP;
            const size_t left = lists - i * BERTH_MERGE;
            const size_t count = (left < BERTH_MERGE ? left : BERTH_MERGE) * BERTH_KEEP;
            uint64_t keys[BERTH_SORT], best[BERTH_KEEP];
            memcpy(keys, from, count * sizeof *keys);
            reference_step(selection, c, keys, count, best);
            enum berth_status status =
                compare_list(selection, c * (size_t)selection->lists + i, best, error);
            if (status) {
                return status;
            }
        }
    }
    return BERTH_OK;
}

static enum berth_status try_merge(struct selftest *test, struct selection *selection,
                                   enum pattern pattern, size_t lists, struct berth_error *error)
{
    selection->lists = (int)((lists + BERTH_MERGE - 1) / BERTH_MERGE);
    selection->margin = INFINITY;
    enum berth_status status = make_selection(test, "select_merge", lists, selection, error);
    BERTH_THEN(make_clusters(test, selection, error));
    BERTH_THEN(make_energies(test, pattern, selection, error));
    BERTH_THEN(make_lists(selection, lists, error));
    BERTH_THEN(run_merge(test, selection, lists, error));
    BERTH_THEN(compare_merged(selection, lists, error));
    clear_selection(selection);
    return status;
}

enum berth_status selftest_select_merge(struct selftest *test, struct berth_error *error)
{
    static const size_t LISTS[] = {2, 5, 9};
    const size_t sizes = test->setup->small ? 1 : sizeof LISTS / sizeof *LISTS;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizes; i++) {
        for (enum pattern p = 0; !status && p < (test->setup->small ? 1 : PATTERNS); p++) {
            const struct selection plain = {
                .poses = 1777, .distinct = -1, .niche = -1, .niche_places = 1};
            struct selection selection = plain;
            status = try_merge(test, &selection, p, LISTS[i], error);
        }
        bool unclear = !status;
        for (int draw = 0; unclear && draw < DRAWS; draw++) {
            struct selection selection = {
                .poses = 1777, .distinct = 0.09f, .niche = 1, .niche_places = 5};
            status = try_merge(test, &selection, RANDOM, LISTS[i], error);
            unclear = status == BERTH_E_RESULT && selection.margin < 1e-4;
        }
    }
    return status;
}

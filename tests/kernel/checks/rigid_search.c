/* Checks of generation_zero, evolve and metropolis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "reference_search.h"

/* Elements of a rotation matrix and translations (Å) in single precision, through Euler angles. */
#define POSE_TOLERANCE 3e-4

enum { CONFORMERS = 3, PARENTS = 61, GENERATION = 3 };

/* The arrays of a search on a few conformers. */
struct arrays {
    struct berth_device_search search;
    struct selftest_array constants, conformers, transforms, energies;
    struct selftest_array parents, counts, heads;
    struct berth_kernel *kernel;
};

static enum berth_status make_arrays(struct selftest *test, const char *name, int poses,
                                     struct arrays *arrays, struct berth_error *error)
{
    memset(arrays, 0, sizeof *arrays);
    const size_t all = (size_t)poses * CONFORMERS;
    const struct {
        struct selftest_array *array;
        size_t size;
    } wanted[] = {{&arrays->constants, sizeof arrays->search},
                  {&arrays->conformers, CONFORMERS * sizeof(struct berth_device_conformer)},
                  {&arrays->transforms, all * 6 * sizeof(float)},
                  {&arrays->energies, all * sizeof(float)},
                  {&arrays->parents, CONFORMERS * PARENTS * 6 * sizeof(float)},
                  {&arrays->counts, CONFORMERS * sizeof(int32_t)},
                  {&arrays->heads, CONFORMERS * PARENTS * sizeof(int32_t)}};
    enum berth_status status = berth_kernel_create(test->program, name, &arrays->kernel, error);
    for (size_t i = 0; !status && i < sizeof wanted / sizeof *wanted; i++) {
        status = selftest_poisoned(test, wanted[i].size, wanted[i].array, error);
    }
    if (status) {
        return status;
    }
    arrays->search = selftest_search(test, poses, PARENTS);
    memcpy(arrays->constants.host, &arrays->search, sizeof arrays->search);
    selftest_conformers(test, CONFORMERS, arrays->conformers.host);
    status = selftest_upload(&arrays->constants, error);
    return status ? status : selftest_upload(&arrays->conformers, error);
}

static void clear_arrays(struct arrays *arrays)
{
    berth_kernel_destroy(arrays->kernel);
    selftest_clear(&arrays->constants);
    selftest_clear(&arrays->conformers);
    selftest_clear(&arrays->transforms);
    selftest_clear(&arrays->energies);
    selftest_clear(&arrays->parents);
    selftest_clear(&arrays->counts);
    selftest_clear(&arrays->heads);
}

/* The kernels work on a vector of poses per work-item. */
static enum berth_status launch(const struct selftest *test, struct arrays *arrays,
                                struct berth_error *error)
{
    const struct berth_variant *variant = &test->setup->variant;
    const size_t width = (size_t)variant->vector_width;
    return berth_kernel_launch(arrays->kernel, ((size_t)arrays->search.poses + width - 1) / width,
                               CONFORMERS, (size_t)variant->wgsize, NULL, error);
}

static const struct berth_device_conformer *conformer_of(const struct arrays *arrays, int c)
{
    return (const struct berth_device_conformer *)arrays->conformers.host + c;
}

/* The transforms of conformer c. */
static const float *planes_of(const struct arrays *arrays, int c)
{
    return (const float *)arrays->transforms.host + (size_t)c * 6 * (size_t)arrays->search.poses;
}

/* Near ±90° of the middle angle the other two are known to float's precision over its cosine each:
 * a few times 6e-8 / 1e-4, once in some hundred thousand poses. */
static double tolerance_of(const struct berth_reference_pose *expected)
{
    const double cosine = hypot(expected->rotation[0], expected->rotation[3]);
    return POSE_TOLERANCE * fmax(1, 3e-3 / fmax(cosine, 1e-6));
}

static enum berth_status compare_pose(const struct arrays *arrays, int c, int pose,
                                      const struct berth_reference_pose *expected,
                                      struct berth_error *error)
{
    const struct berth_reference_pose found =
        berth_reference_pose_at(planes_of(arrays, c), (size_t)arrays->search.poses, (size_t)pose);
    const double distance = berth_reference_distance(&found, expected);
    if (!(distance <= tolerance_of(expected))) {
        return berth_fail(error, BERTH_E_RESULT, "pose %d of conformer %d is off by %g", pose, c,
                          distance);
    }
    return BERTH_OK;
}

enum berth_status selftest_generation_zero(struct selftest *test, struct berth_error *error)
{
    const int poses = test->setup->small ? 97 : 4099;
    struct arrays arrays;
    enum berth_status status = make_arrays(test, "generation_zero", poses, &arrays, error);
    if (!status) {
        berth_kernel_set_buffer(arrays.kernel, 0, arrays.constants.buffer);
        berth_kernel_set_buffer(arrays.kernel, 1, arrays.conformers.buffer);
        berth_kernel_set_buffer(arrays.kernel, 2, arrays.transforms.buffer);
        status = launch(test, &arrays, error);
    }
    BERTH_THEN(selftest_download(&arrays.transforms, error));
    for (int i = 0; !status && i < poses * CONFORMERS; i++) {
        const struct berth_reference_pose expected = berth_reference_generation_zero(
            &arrays.search, conformer_of(&arrays, i / poses), i % poses);
        status = compare_pose(&arrays, i / poses, i % poses, &expected, error);
    }
    clear_arrays(&arrays);
    return status;
}

/* Parents for every conformer: all places, some, one. */
static enum berth_status make_parents(struct selftest *test, struct arrays *arrays,
                                      struct berth_error *error)
{
    int32_t *counts = arrays->counts.host;
    counts[0] = PARENTS;
    counts[1] = 17;
    counts[2] = 1;
    selftest_poses(test, CONFORMERS, PARENTS, 1, arrays->parents.host);
    enum berth_status status = selftest_upload(&arrays->parents, error);
    return status ? status : selftest_upload(&arrays->counts, error);
}

/* A family's first is its parent to the bit, and is listed as such. */
static enum berth_status compare_first(const struct arrays *arrays, int c, int pose, int parent,
                                       struct berth_error *error)
{
    const float *parents = (const float *)arrays->parents.host + (size_t)c * 6 * PARENTS;
    const int32_t *heads = (const int32_t *)arrays->heads.host + (size_t)c * PARENTS;
    for (int k = 0; k < 6; k++) {
        if (memcmp(planes_of(arrays, c) + k * arrays->search.poses + pose,
                   parents + k * PARENTS + parent, sizeof *parents) != 0) {
            return berth_fail(error, BERTH_E_RESULT, "pose %d is not its parent %d unchanged", pose,
                              parent);
        }
    }
    if (heads[parent] != pose) {
        return berth_fail(error, BERTH_E_RESULT, "family %d begins at %d, not at %d", parent,
                          (int)heads[parent], pose);
    }
    return BERTH_OK;
}

static enum berth_status compare_children(const struct arrays *arrays, double shift, double turn,
                                          struct berth_error *error)
{
    const int poses = arrays->search.poses;
    const int32_t *counts = arrays->counts.host;
    for (int i = 0; i < poses * CONFORMERS; i++) {
        const int c = i / poses, pose = i % poses;
        bool first;
        const int parent = berth_reference_parent(&arrays->search, pose, counts[c], &first);
        enum berth_status status;
        if (first) {
            status = compare_first(arrays, c, pose, parent, error);
        } else {
            const struct berth_reference_birth birth = {&arrays->search,
                                                        conformer_of(arrays, c),
                                                        (const float *)arrays->parents.host +
                                                            (size_t)c * 6 * PARENTS,
                                                        counts[c],
                                                        GENERATION,
                                                        shift,
                                                        turn};
            const struct berth_reference_pose expected = berth_reference_child(&birth, pose);
            status = compare_pose(arrays, c, pose, &expected, error);
        }
        if (status) {
            return status;
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_evolve(struct selftest *test, struct berth_error *error)
{
    const int poses = test->setup->small ? 131 : 4099;
    const float shift = 1.75f, turn = 2.5f;
    struct arrays arrays;
    enum berth_status status = make_arrays(test, "evolve", poses, &arrays, error);
    BERTH_THEN(make_parents(test, &arrays, error));
    if (!status) {
        berth_kernel_set_buffer(arrays.kernel, 0, arrays.constants.buffer);
        berth_kernel_set_buffer(arrays.kernel, 1, arrays.conformers.buffer);
        berth_kernel_set_buffer(arrays.kernel, 2, arrays.parents.buffer);
        berth_kernel_set_buffer(arrays.kernel, 3, arrays.counts.buffer);
        berth_kernel_set_int(arrays.kernel, 4, GENERATION);
        berth_kernel_set_float(arrays.kernel, 5, shift);
        berth_kernel_set_float(arrays.kernel, 6, turn);
        berth_kernel_set_buffer(arrays.kernel, 7, arrays.transforms.buffer);
        berth_kernel_set_buffer(arrays.kernel, 8, arrays.heads.buffer);
        status = launch(test, &arrays, error);
    }
    BERTH_THEN(selftest_download(&arrays.transforms, error));
    BERTH_THEN(selftest_download(&arrays.heads, error));
    BERTH_THEN(compare_children(&arrays, shift, turn, error));
    clear_arrays(&arrays);
    return status;
}

/* Random energies, and the heads of the families. */
static enum berth_status make_energies(struct selftest *test, struct arrays *arrays,
                                       struct berth_error *error)
{
    const int poses = arrays->search.poses;
    const int32_t *counts = arrays->counts.host;
    float *energies = arrays->energies.host;
    int32_t *heads = arrays->heads.host;
    for (int i = 0; i < poses * CONFORMERS; i++) {
        bool first;
        const int c = i / poses,
                  parent = berth_reference_parent(&arrays->search, i % poses, counts[c], &first);
        energies[i] = (float)berth_random_between(&test->random, -50, -40);
        if (first) {
            heads[c * PARENTS + parent] = i % poses;
        }
    }
    enum berth_status status = selftest_upload(&arrays->energies, error);
    return status ? status : selftest_upload(&arrays->heads, error);
}

/* before: the energies that the kernel was given. */
static enum berth_status compare_decisions(const struct arrays *arrays, const float *before,
                                           double temperature, struct berth_error *error)
{
    const int poses = arrays->search.poses;
    const int32_t *counts = arrays->counts.host, *heads = arrays->heads.host;
    const float *after = arrays->energies.host;
    for (int i = 0; i < poses * CONFORMERS; i++) {
        const int c = i / poses, pose = i % poses;
        bool first;
        const int parent = berth_reference_parent(&arrays->search, pose, counts[c], &first);
        const double rise = (double)before[i] - before[c * poses + heads[c * PARENTS + parent]];
        double units[4];
        berth_reference_draw(&arrays->search, conformer_of(arrays, c), GENERATION, pose, 0, units);
        const double margin = exp(-rise / temperature) - units[0];
        const bool accepted = first || rise <= 0 || margin > 0;
        if (fabs(margin) > 1e-5 && after[i] != (accepted ? before[i] : INFINITY)) {
            return berth_fail(error, BERTH_E_RESULT, "pose %d of conformer %d was %s wrongly", pose,
                              c, accepted ? "rejected" : "accepted");
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_metropolis(struct selftest *test, struct berth_error *error)
{
    const int poses = test->setup->small ? 131 : 4099;
    const float temperature = 2.5f;
    struct arrays arrays;
    float *before = malloc((size_t)poses * CONFORMERS * sizeof *before);
    enum berth_status status = make_arrays(test, "metropolis", poses, &arrays, error);
    if (!status && !before) {
        status = berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(make_parents(test, &arrays, error));
    BERTH_THEN(make_energies(test, &arrays, error));
    if (!status) {
        memcpy(before, arrays.energies.host, arrays.energies.size);
        berth_kernel_set_buffer(arrays.kernel, 0, arrays.constants.buffer);
        berth_kernel_set_buffer(arrays.kernel, 1, arrays.conformers.buffer);
        berth_kernel_set_buffer(arrays.kernel, 2, arrays.heads.buffer);
        berth_kernel_set_buffer(arrays.kernel, 3, arrays.counts.buffer);
        berth_kernel_set_int(arrays.kernel, 4, GENERATION);
        berth_kernel_set_float(arrays.kernel, 5, temperature);
        berth_kernel_set_buffer(arrays.kernel, 6, arrays.energies.buffer);
        status = launch(test, &arrays, error);
    }
    BERTH_THEN(selftest_download(&arrays.energies, error));
    BERTH_THEN(compare_decisions(&arrays, before, temperature, error));
    free(before);
    clear_arrays(&arrays);
    return status;
}

/* Check of select_parents. */
#include <string.h>

#include "checks.h"

enum { CONFORMERS = 2, PARENTS = 61, POSES = 777 };

/* What the kernel takes and gives. */
struct arrays {
    struct selftest_array constants, transforms, lists, parents, counts;
};

static enum berth_status make_arrays(struct selftest *test, struct arrays *arrays,
                                     struct berth_error *error)
{
    memset(arrays, 0, sizeof *arrays);
    const struct {
        struct selftest_array *array;
        size_t size;
    } wanted[] = {{&arrays->constants, sizeof(struct berth_device_search)},
                  {&arrays->transforms, CONFORMERS * POSES * 6 * sizeof(float)},
                  {&arrays->lists, CONFORMERS * BERTH_KEEP * sizeof(uint64_t)},
                  {&arrays->parents, CONFORMERS * PARENTS * 6 * sizeof(float)},
                  {&arrays->counts, CONFORMERS * sizeof(int32_t)}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof wanted / sizeof *wanted; i++) {
        status = selftest_poisoned(test, wanted[i].size, wanted[i].array, error);
    }
    return status;
}

static void clear_arrays(struct arrays *arrays)
{
    selftest_clear(&arrays->constants);
    selftest_clear(&arrays->transforms);
    selftest_clear(&arrays->lists);
    selftest_clear(&arrays->parents);
    selftest_clear(&arrays->counts);
}

/* Random poses; sorted lists with finite[c] keys of finite energies, the rest empty. */
static enum berth_status fill_arrays(struct selftest *test, const int *finite,
                                     struct arrays *arrays, struct berth_error *error)
{
    const struct berth_device_search search = selftest_search(test, POSES, PARENTS);
    memcpy(arrays->constants.host, &search, sizeof search);
    selftest_poses(test, CONFORMERS, POSES, 9, arrays->transforms.host);
    uint64_t *lists = arrays->lists.host;
    for (int i = 0; i < CONFORMERS * BERTH_KEEP; i++) {
        const uint64_t place = (uint64_t)(i % BERTH_KEEP);
        if ((int)place < finite[i / BERTH_KEEP]) {
            lists[i] = place << 32 | berth_random_below(&test->random, POSES);
        }
    }
    enum berth_status status = selftest_upload(&arrays->constants, error);
    BERTH_THEN(selftest_upload(&arrays->transforms, error));
    return status ? status : selftest_upload(&arrays->lists, error);
}

static enum berth_status run(struct selftest *test, struct arrays *arrays,
                             struct berth_error *error)
{
    struct berth_kernel *kernel;
    enum berth_status status = berth_kernel_create(test->program, "select_parents", &kernel, error);
    if (status) {
        return status;
    }
    struct berth_buffer *buffers[] = {arrays->constants.buffer, arrays->transforms.buffer,
                                      arrays->lists.buffer, arrays->parents.buffer,
                                      arrays->counts.buffer};
    for (unsigned i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        berth_kernel_set_buffer(kernel, i, buffers[i]);
    }
    status = berth_kernel_launch(kernel, PARENTS, CONFORMERS,
                                 (size_t)test->setup->variant.select_wgsize, NULL, error);
    berth_kernel_destroy(kernel);
    BERTH_THEN(selftest_download(&arrays->parents, error));
    return status ? status : selftest_download(&arrays->counts, error);
}

static enum berth_status compare(const struct arrays *arrays, const int *finite,
                                 struct berth_error *error)
{
    const float *from = arrays->transforms.host, *to = arrays->parents.host;
    const uint64_t *lists = arrays->lists.host;
    const int32_t *counts = arrays->counts.host;
    for (int c = 0; c < CONFORMERS; c++) {
        const int expected = finite[c] < PARENTS ? finite[c] : PARENTS;
        if (counts[c] != expected) {
            return berth_fail(error, BERTH_E_RESULT, "conformer %d has %d parents, not %d", c,
                              (int)counts[c], expected);
        }
        for (int i = 0; i < expected * 6; i++) {
            const int place = i / 6, plane = c * 6 + i % 6;
            const uint32_t pose = (uint32_t)lists[c * BERTH_KEEP + place];
            if (memcmp(&from[(size_t)plane * POSES + pose], &to[plane * PARENTS + place],
                       sizeof *to)) {
                return berth_fail(error, BERTH_E_RESULT, "parent %d of conformer %d is not pose %u",
                                  place, c, (unsigned)pose);
            }
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_select_parents(struct selftest *test, struct berth_error *error)
{
    static const int FINITE[][CONFORMERS] = {{BERTH_KEEP, 17}, {0, PARENTS}, {1, PARENTS - 1}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof FINITE / sizeof *FINITE; i++) {
        struct arrays arrays;
        status = make_arrays(test, &arrays, error);
        BERTH_THEN(fill_arrays(test, FINITE[i], &arrays, error));
        BERTH_THEN(run(test, &arrays, error));
        BERTH_THEN(compare(&arrays, FINITE[i], error));
        clear_arrays(&arrays);
    }
    return status;
}

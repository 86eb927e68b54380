/* Checks of refine_begin and refine_again; what refine does is checked by the selftest. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "checks.h"

enum { CONFORMERS = 5, POSES = 11 };

/* What refine_begin takes and gives. */
struct beginning {
    struct selftest_array constants, parents, counts, records;
};

enum { BEGIN_STRIDE = 23 };

static enum berth_status run_beginning(struct selftest *test, struct beginning *arrays,
                                       struct berth_error *error)
{
    struct berth_kernel *kernel;
    enum berth_status status = berth_kernel_create(test->program, "refine_begin", &kernel, error);
    if (status) {
        return status;
    }
    berth_kernel_set_buffer(kernel, 0, arrays->constants.buffer);
    berth_kernel_set_buffer(kernel, 1, arrays->parents.buffer);
    berth_kernel_set_buffer(kernel, 2, arrays->counts.buffer);
    berth_kernel_set_int(kernel, 3, BEGIN_STRIDE);
    berth_kernel_set_buffer(kernel, 4, arrays->records.buffer);
    status = berth_kernel_launch(kernel, POSES, CONFORMERS, 0, NULL, error);
    berth_kernel_destroy(kernel);
    return status ? status : selftest_download(&arrays->records, error);
}

static enum berth_status fill_beginning(struct selftest *test, struct beginning *arrays,
                                        struct berth_error *error)
{
    const struct berth_device_refine constants = {.poses = POSES};
    const int32_t counts[CONFORMERS] = {BEGIN_STRIDE, 0, POSES - 1};
    const size_t records = CONFORMERS * POSES * sizeof(struct berth_device_refined);
    const size_t parents = CONFORMERS * 6 * BEGIN_STRIDE * sizeof(float);
    enum berth_status status = selftest_poisoned(test, sizeof constants, &arrays->constants, error);
    BERTH_THEN(selftest_poisoned(test, parents, &arrays->parents, error));
    BERTH_THEN(selftest_poisoned(test, sizeof counts, &arrays->counts, error));
    BERTH_THEN(selftest_poisoned(test, records, &arrays->records, error));
    if (status) {
        return status;
    }
    memcpy(arrays->constants.host, &constants, sizeof constants);
    memcpy(arrays->counts.host, counts, sizeof counts);
    selftest_poses(test, CONFORMERS, BEGIN_STRIDE, 9, arrays->parents.host);
    struct selftest_array *inputs[] = {&arrays->constants, &arrays->parents, &arrays->counts};
    for (int i = 0; !status && i < 3; i++) {
        status = selftest_upload(inputs[i], error);
    }
    return status;
}

static enum berth_status compare_beginning(const struct beginning *arrays,
                                           struct berth_error *error)
{
    const struct berth_device_refined *records = arrays->records.host;
    const float *parents = arrays->parents.host;
    const int32_t *counts = arrays->counts.host;
    for (int n = 0; n < CONFORMERS * POSES; n++) {
        const int c = n / POSES, i = n % POSES;
        if (records[n].evaluations != (i < counts[c] ? 0 : -1)) {
            return berth_fail(error, BERTH_E_RESULT, "record %d of conformer %d begins with %d", i,
                              c, (int)records[n].evaluations);
        }
        for (int k = 0; k < 6; k++) {
            if (memcmp(&records[n].transform[k], &parents[(c * 6 + k) * BEGIN_STRIDE + i],
                       sizeof *parents) != 0) {
                return berth_fail(error, BERTH_E_RESULT, "record %d of conformer %d is no parent",
                                  i, c);
            }
        }
        for (int t = 0; t < BERTH_TORSIONS; t++) {
            if (records[n].angles[t] != 0) {
                return berth_fail(error, BERTH_E_RESULT, "record %d of conformer %d begins rotated",
                                  i, c);
            }
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_refine_begin(struct selftest *test, struct berth_error *error)
{
    struct beginning arrays;
    memset(&arrays, 0, sizeof arrays);
    enum berth_status status = fill_beginning(test, &arrays, error);
    BERTH_THEN(run_beginning(test, &arrays, error));
    BERTH_THEN(compare_beginning(&arrays, error));
    selftest_clear(&arrays.constants);
    selftest_clear(&arrays.parents);
    selftest_clear(&arrays.counts);
    selftest_clear(&arrays.records);
    return status;
}

/* Records whose numbers are random; some are no poses. */
static void fill_ended(struct selftest *test, struct berth_device_refined *records, int count)
{
    for (int n = 0; n < count; n++) {
        for (int k = 0; k < 6; k++) {
            records[n].transform[k] = (float)berth_random_between(&test->random, -9, 9);
        }
        for (int t = 0; t < BERTH_TORSIONS; t++) {
            records[n].angles[t] = (float)berth_random_between(&test->random, -9, 9);
        }
        records[n].evaluations = (berth_int32)berth_random_below(&test->random, 9) - 1;
    }
}

/* Each record begins where the other refinement has ended, and is no pose where that had none. */
static enum berth_status compare_again(const struct berth_device_refined *ended,
                                       const struct berth_device_refined *begun, int count,
                                       struct berth_error *error)
{
    for (int n = 0; n < count; n++) {
        if (memcmp(begun[n].transform, ended[n].transform, sizeof ended[n].transform) != 0 ||
            memcmp(begun[n].angles, ended[n].angles, sizeof ended[n].angles) != 0) {
            return berth_fail(error, BERTH_E_RESULT, "record %d begins elsewhere", n);
        }
        if (begun[n].evaluations != (ended[n].evaluations < 0 ? -1 : 0)) {
            return berth_fail(error, BERTH_E_RESULT, "record %d begins with %d", n,
                              (int)begun[n].evaluations);
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_refine_again(struct selftest *test, struct berth_error *error)
{
    enum { ENDED = 37, GIVEN = 41 }; /* the last ones belong to nobody, and stay as they are */
    struct selftest_array ended = {0}, begun = {0};
    struct berth_kernel *kernel = NULL;
    unsigned char *untouched = NULL;
    const size_t size = sizeof(struct berth_device_refined), rest = (GIVEN - ENDED) * size;
    enum berth_status status = selftest_poisoned(test, ENDED * size, &ended, error);
    BERTH_THEN(selftest_poisoned(test, GIVEN * size, &begun, error));
    BERTH_THEN(berth_make(&untouched, rest, 1, NULL, error));
    BERTH_THEN(berth_kernel_create(test->program, "refine_again", &kernel, error));
    if (!status) {
        memcpy(untouched, (unsigned char *)begun.host + ENDED * size, rest);
        fill_ended(test, ended.host, ENDED);
        berth_kernel_set_buffer(kernel, 0, ended.buffer);
        berth_kernel_set_int(kernel, 1, ENDED);
        berth_kernel_set_buffer(kernel, 2, begun.buffer);
    }
    BERTH_THEN(selftest_upload(&ended, error));
    BERTH_THEN(berth_kernel_launch(kernel, GIVEN, 1, 0, NULL, error));
    BERTH_THEN(selftest_download(&begun, error));
    BERTH_THEN(compare_again(ended.host, begun.host, ENDED, error));
    if (!status && memcmp(untouched, (unsigned char *)begun.host + ENDED * size, rest) != 0) {
        status = berth_fail(error, BERTH_E_RESULT, "a record beyond the last is written");
    }
    berth_kernel_destroy(kernel);
    free(untouched);
    selftest_clear(&ended);
    selftest_clear(&begun);
    return status;
}

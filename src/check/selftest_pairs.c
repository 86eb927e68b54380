/* Check of pair_table: the scoring function's code over all pairs of types, from next to nothing to
 * beyond the cutoff, against the oracle: energies, and slopes. */
#include <math.h>

#include "check/selftest_internal.h"
#include "engine/evaluator.h"
#include "score/score_ref.h"

enum { STEPS = 431, SMALL_STEPS = 37, VALUES = 6 };

static const char *const WHAT[VALUES] = {"energy",
                                         "energy beside the slope",
                                         "slope",
                                         "energy in vectors",
                                         "energy in vectors beside the slope",
                                         "slope in vectors"};

/* Å: a kink, or the cutoff, so near counts as on either side. */
static const double NEAR = 1e-4;

struct sweep {
    struct selftest *test;
    struct berth_evaluator *evaluator;
    struct selftest_array values;
    float first, step; /* Å */
    size_t steps, pairs;
};

static double expected_at(const struct sweep *sweep, size_t pair, double r, bool slope)
{
    const struct berth_scoring *scoring = sweep->test->setup->scoring;
    const int first = (int)(pair / scoring->type_count), second = (int)(pair % scoring->type_count);
    if (slope) {
        return berth_score_ref_slope(scoring, first, second, r);
    }
    const struct berth_terms terms = berth_score_ref_pair(scoring, first, second, r);
    return berth_terms_sum(&terms);
}

/* Near what is expected at r, or on either side of it. */
static bool agrees(const struct sweep *sweep, size_t pair, double r, bool slope, double found)
{
    for (int side = -1; side <= 1; side++) {
        const double at = fmax(r + side * NEAR, 0);
        const double expected = expected_at(sweep, pair, at, slope);
        if (fabs(found - expected) <= 1e-4 + 2e-5 * fabs(expected)) {
            return true;
        }
    }
    return false;
}

static enum berth_status compare(const struct sweep *sweep, struct berth_error *error)
{
    const struct berth_scoring *scoring = sweep->test->setup->scoring;
    const float *values = sweep->values.host;
    for (size_t i = 0; i < sweep->pairs * VALUES * sweep->steps; i++) {
        const size_t pair = i / (VALUES * sweep->steps), kind = i / sweep->steps % VALUES;
        const float r = sweep->first + (float)(i % sweep->steps) * sweep->step;
        const bool slope = kind == 2 || kind == 5;
        if (!agrees(sweep, pair, r, slope, values[i])) {
            return berth_fail(error, BERTH_E_RESULT,
                              "%s and %s at %.4f Å: the %s is %.6g, not %.6g",
                              scoring->definition->types[pair / scoring->type_count],
                              scoring->definition->types[pair % scoring->type_count], r, WHAT[kind],
                              values[i], expected_at(sweep, pair, r, slope));
        }
    }
    return BERTH_OK;
}

static enum berth_status launch(struct sweep *sweep, struct berth_error *error)
{
    struct berth_kernel *kernel = NULL;
    enum berth_status status =
        berth_evaluator_kernel(sweep->evaluator, "pair_table", &kernel, error);
    if (!status) {
        berth_kernel_set_float(kernel, 5, sweep->first);
        berth_kernel_set_float(kernel, 6, sweep->step);
        berth_kernel_set_int(kernel, 7, (int32_t)sweep->steps);
        berth_kernel_set_buffer(kernel, 8, sweep->values.buffer);
        status = berth_kernel_launch(kernel, sweep->steps, sweep->pairs, 0, NULL, error);
    }
    BERTH_THEN(selftest_download(&sweep->values, error));
    berth_kernel_destroy(kernel);
    return status;
}

enum berth_status selftest_pair_table(struct selftest *test, struct berth_error *error)
{
    const struct berth_scoring *scoring = test->setup->scoring;
    struct berth_heavy_atom atom = {.type = 0};
    const struct berth_heavy_atoms receptor = {&atom, 1};
    const struct berth_target target = {scoring, &receptor, {{0}, {1, 1, 1}, false}, NULL};
    struct sweep sweep = {.test = test,
                          .first = 0.01f,
                          .steps = test->setup->small ? SMALL_STEPS : STEPS,
                          .pairs = scoring->type_count * scoring->type_count};
    sweep.step = (float)((scoring->definition->cutoff + 1) / (double)sweep.steps);
    enum berth_status status =
        berth_evaluator_create(test->context, &test->setup->variant, test->setup->build_options,
                               &target, &sweep.evaluator, error);
    BERTH_THEN(selftest_poisoned(test, sweep.pairs * VALUES * sweep.steps * sizeof(float),
                                 &sweep.values, error));
    BERTH_THEN(launch(&sweep, error));
    BERTH_THEN(compare(&sweep, error));
    selftest_clear(&sweep.values);
    berth_evaluator_destroy(sweep.evaluator);
    return status;
}

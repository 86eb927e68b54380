/* The weights of a fitted ranking: against closed forms, the conditions of a minimum, and a subset
 * by itself; and the interval of a mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "eval/fit/logistic.h"
#include "eval/statistics.h"

enum { COUNT = 400, TERMS = 4 };

static const size_t NO_FOLDS[COUNT]; /* all units are in fold 0 */

static void expect(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.12g, not %.12g", value, expected);
    }
}

/* Of 100 examples 75 go up with the term: the weight is log(75 / 25), and 0 where 25 do. */
static void test_one_term(void **state)
{
    (void)state;
    static struct berth_example items[100];
    const struct berth_examples examples = {items, 100, 1, false};
    const struct berth_fold all = {NO_FOLDS, 1, true};
    double weights[2];
    for (size_t up = 25; up <= 75; up += 50) {
        for (size_t i = 0; i < 100; i++) {
            items[i] = (struct berth_example){{i < up ? 1 : -1}, 1, i, true};
        }
        berth_logistic_fit(&examples, &all, 1e-12, weights);
        expect(weights[0], up == 75 ? log(3) : 0, 1e-8);
        expect(weights[1], 0, 0);
        expect(berth_logistic_loss(&examples, &all, weights),
               up == 75 ? -0.75 * log(0.75) - 0.25 * log(0.25) : log(2), 1e-12);
    }
}

/* A table of two by two: the weight is the logarithm of the ratio of odds, however many there are
 * of each kind. */
static void test_odds(void **state)
{
    (void)state;
    static struct berth_example items[100];
    const struct berth_examples examples = {items, 100, 1, true};
    const struct berth_fold all = {NO_FOLDS, 1, true};
    double weights[2];
    for (size_t i = 0; i < 100; i++) { /* 8 of 10; 30 of 90 */
        items[i] = (struct berth_example){{i < 10 ? i < 8 : i < 40}, 2, i, i < 10};
    }
    berth_logistic_fit(&examples, &all, 1e-12, weights);
    expect(weights[0], log(8.0 / 2 * 60 / 30), 1e-7);
    expect(weights[1], log(0.2 / (60.0 / 90)), 1e-7);
}

/* Examples by chance, of which the first two terms say what they are, the third the contrary. */
static void make_examples(struct berth_example *items)
{
    uint64_t random = 7;
    for (size_t i = 0; i < COUNT; i++) {
        double *x = items[i].x;
        for (size_t k = 0; k < TERMS; k++) {
            x[k] = berth_random_uniform(&random) * 2 - 1;
        }
        const double odds = exp(-(2 * x[0] + x[1] - x[2] - 0.5));
        items[i].positive = berth_random_uniform(&random) < 1 / (1 + odds);
        items[i].weight = 0.5 + berth_random_uniform(&random);
        items[i].unit = i / 4;
    }
}

/* At the minimum no weight above 0 has a slope, and none at 0 leads down. */
static void test_minimum(void **state)
{
    (void)state;
    static struct berth_example items[COUNT];
    const struct berth_examples examples = {items, COUNT, TERMS, true};
    make_examples(items);
    const struct berth_fold all = {NO_FOLDS, 1, true};
    for (double penalty = 1e-3; penalty < 10; penalty *= 10) {
        double weights[TERMS + 1];
        berth_logistic_fit(&examples, &all, penalty, weights);
        expect(weights[2], 0, 0);
        assert_true(weights[0] > weights[1] && weights[1] > 0);
        for (size_t k = 0; k <= TERMS; k++) {
            double moved[2][TERMS + 1];
            for (int up = 0; up < 2; up++) {
                memcpy(moved[up], weights, sizeof weights);
                moved[up][k] += up ? 1e-4 : -1e-4;
            }
            const double slope = (berth_logistic_loss(&examples, &all, moved[1]) -
                                  berth_logistic_loss(&examples, &all, moved[0])) /
                                     2e-4 +
                                 (k < TERMS ? penalty * weights[k] : 0);
            if (k == TERMS || weights[k] > 0) {
                expect(slope, 0, 1e-7);
            } else {
                assert_true(slope > 0);
            }
        }
    }
}

/* What a fold leaves out might as well not be there. */
static void test_folds(void **state)
{
    (void)state;
    static struct berth_example items[COUNT];
    static size_t folds[COUNT];
    double some[TERMS + 1], alone[TERMS + 1], all[TERMS + 1];
    make_examples(items);
    for (size_t i = 0; i < COUNT / 4; i++) {
        folds[i] = i < 50 ? i % 2 : i < 75 ? 2 : SIZE_MAX;
    }
    const struct berth_examples whole = {items, COUNT, TERMS, true};
    const struct berth_examples part = {items, 200, TERMS, true};
    const struct berth_examples last = {items + 200, 100, TERMS, true};
    const struct berth_fold others = {folds, 2, true}, without = {NO_FOLDS, 1, true};
    berth_logistic_fit(&whole, &others, 0.01, some);
    berth_logistic_fit(&part, &without, 0.01, alone);
    berth_logistic_fit(&whole, &without, 0.01, all);
    for (size_t k = 0; k <= TERMS; k++) {
        expect(some[k], alone[k], 1e-9);
    }
    assert_true(fabs(all[0] - some[0]) > 1e-3);
    const struct berth_fold itself = {folds, 2, false};
    expect(berth_logistic_loss(&whole, &itself, some), berth_logistic_loss(&last, &without, some),
           1e-12);
}

/* The mean of many numbers of deviation 1: about 1.96 / sqrt(count) on both sides. */
static void test_mean(void **state)
{
    (void)state;
    double values[COUNT];
    struct berth_estimate mean, again;
    for (size_t i = 0; i < COUNT; i++) {
        values[i] = i % 2 ? 4 : 2;
    }
    assert_int_equal(berth_mean_of(values, COUNT, 4000, 1, &mean, NULL), 0);
    expect(mean.value, 3, 1e-12);
    expect(mean.low, 3 - 1.96 / 20, 0.01);
    expect(mean.high, 3 + 1.96 / 20, 0.01);
    assert_int_equal(berth_mean_of(values, COUNT, 4000, 1, &again, NULL), 0);
    assert_memory_equal(&mean, &again, sizeof mean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_term), cmocka_unit_test(test_odds),
                                       cmocka_unit_test(test_minimum), cmocka_unit_test(test_folds),
                                       cmocka_unit_test(test_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Curves of pairs of atoms against the functions that they stand for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "score/curves.h"
#include "score/language/program.h"
#include "score/score_ref.h"

static struct berth_scoring read_scoring(const char *name)
{
    struct berth_scoring scoring;
    struct berth_scoring_choice choice = berth_scoring_defaults();
    const struct berth_log log = {0};
    struct berth_error error;
    choice.scoring = name;
    assert_int_equal(berth_scoring_read(&choice, &log, &scoring, &error), BERTH_OK);
    return scoring;
}

/* What a function's curves are to be true to. */
static const struct wanted {
    const char *scoring;
    double least; /* Å: from there on */
    double most;  /* the function's unit, of every 1,000 distances but `odd` of them */
    double odd;
} WANTED[] = {
    {"vina", 2, 0.02, 10}, {"vinardo", 2, 0.04, 10}, {"plp", 1.4, 0.4, 40}, {"bude", 2.7, 0.6, 30}};

enum { STEPS = 1000 };

/* Å: the length of a difference. */
#define AHEAD 1e-3

static void compare(const struct wanted *wanted)
{
    struct berth_scoring scoring = read_scoring(wanted->scoring);
    struct berth_curves curves;
    struct berth_error error;
    assert_int_equal(berth_curves_make(&scoring, &curves, &error), BERTH_OK);
    const double reach = berth_score_longest_reach(scoring.program);
    for (int a = 0; a < (int)scoring.type_count; a++) {
        for (int b = 0; b < (int)scoring.type_count; b++) {
            size_t odd = 0;
            for (size_t i = 0; i < STEPS; i++) {
                const double r =
                    wanted->least + (reach - wanted->least) * ((double)i + 0.5) / STEPS;
                const struct berth_terms terms = berth_score_ref_pair(&scoring, a, b, r);
                double slope;
                const double found = berth_curve_energy(&curves, a, b, r, &slope);
                odd += !(fabs(found - berth_terms_sum(&terms)) <= wanted->most);
            }
            if ((double)odd * 1000 / STEPS > wanted->odd) {
                fail_msg("%s, types %d and %d: %zu of %d distances are off", wanted->scoring, a, b,
                         odd, STEPS);
            }
        }
    }
    berth_curves_clear(&curves);
    berth_scoring_clear(&scoring);
}

static void test_near_the_function(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
        compare(&WANTED[i]);
    }
}

/* The slope is the derivative, no steeper than said; nothing jumps, and nothing is left at the end.
 */
static void check_smoothness(const struct berth_curves *curves, int a, int b, double reach)
{
    double before = 0, slope;
    for (double r = reach + 0.5; r > 0.05; r -= 0.01) {
        double other;
        const double energy = berth_curve_energy(curves, a, b, r, &slope);
        const double ahead = berth_curve_energy(curves, a, b, r + AHEAD, &other);
        const double within = 0.02 + 1e-5 * fabs(energy) / AHEAD + fabs(other - slope);
        assert_true(fabs((ahead - energy) / AHEAD - slope) <= within);
        assert_true(fabs(slope) <= 2 * BERTH_CURVE_STEEPEST * 1.1);
        assert_true(r < reach || fabs(energy) < 1e-6);
        assert_true(fabs(energy - before) <= 0.02 * BERTH_CURVE_STEEPEST * 1.1);
        before = energy;
    }
}

static void test_smooth(void **state)
{
    static const char *const NAMES[] = {"vina",
                                        "vinardo",
                                        "plp",
                                        "bude",
                                        "tests/fixtures/scoring/lennard_jones.score",
                                        "tests/fixtures/scoring/everything.score",
                                        "tests/fixtures/scoring/far.score"};
    (void)state;
    for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; n++) {
        struct berth_scoring scoring = read_scoring(NAMES[n]);
        struct berth_curves curves;
        struct berth_error error;
        assert_int_equal(berth_curves_make(&scoring, &curves, &error), BERTH_OK);
        const double reach = fmax(berth_score_longest_reach(scoring.program), 1);
        for (int a = 0; a < (int)scoring.type_count; a += 3) {
            for (int b = a; b < (int)scoring.type_count; b += 2) {
                check_smoothness(&curves, a, b, reach);
            }
        }
        berth_curves_clear(&curves);
        berth_scoring_clear(&scoring);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_near_the_function),
                                       cmocka_unit_test(test_smooth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Enrichment: measures as scikit-learn 1.9.1 and RDKit 2022.09.3 have them (tests/statistics/
 * enrichment.py prints these numbers), ties, and what resampling says of confidence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/screen/enrichment.h"

enum { LIGANDS = 1000, ACTIVES = 25 };

static const size_t EARLY[ACTIVES] = {0,  1,   2,   5,   7,   8,   12,  19,  20,  33,  47,  48, 60,
                                      95, 130, 131, 210, 333, 334, 500, 501, 650, 702, 888, 999};

static void make_set(bool active[LIGANDS], double scores[LIGANDS], double tied)
{
    memset(active, 0, LIGANDS * sizeof *active);
    for (size_t i = 0; i < ACTIVES; i++) {
        active[EARLY[i]] = true;
    }
    for (size_t i = 0; i < LIGANDS; i++) {
        scores[i] = floor((double)i / tied);
    }
}

static void expect(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-9)) {
        fail_msg("%.17g, not %.17g", value, expected);
    }
}

/* The measures of one ranking. */
static enum berth_status measure(const bool *active, const double *scores, size_t ligands,
                                 double measures[BERTH_MEASURES])
{
    const struct berth_rankings rankings = {active, ligands, &scores, 1};
    struct berth_enrichment *enrichment = NULL;
    struct berth_error error;
    const enum berth_status status = berth_enrichment_create(&rankings, 2, 1, &enrichment, &error);
    for (int i = 0; !status && i < BERTH_MEASURES; i++) {
        measures[i] = berth_enrichment_of(enrichment, 0, BERTH_NO_RANKING, (enum berth_measure)i)
                          .estimate.value;
    }
    berth_enrichment_destroy(enrichment);
    return status;
}

static void test_measures(void **state)
{
    (void)state;
    static const double EXPECTED[BERTH_MEASURES] = {
        0.777025641025641, 24, 24, 16, 9.6, 5.6, 0.48382278748094437, 0.4871480480644838,
        0.454894442806631};
    bool active[LIGANDS];
    double scores[LIGANDS], measures[BERTH_MEASURES];
    make_set(active, scores, 1);
    assert_int_equal(measure(active, scores, LIGANDS, measures), 0);
    for (int i = 0; i < BERTH_MEASURES; i++) {
        expect(measures[i], EXPECTED[i]);
    }
    make_set(active, scores, 7);
    assert_int_equal(measure(active, scores, LIGANDS, measures), 0);
    expect(measures[BERTH_ROC_AREA], 0.7777846153846153);
    expect(measures[BERTH_LOG_AREA], 0.44885074614101117);
    memset(active, 1, sizeof active);
    assert_int_equal(measure(active, scores, LIGANDS, measures), BERTH_E_USAGE);
}

/* All orders of the tied ligands 2 .. 5 of nine, two of which are active. */
static void test_ties(void **state)
{
    (void)state;
    enum { N = 9, FIRST = 2, TIED = 4, ORDERS = 24 };
    static const bool ACTIVE[N] = {false, true, true, false, true, false, false, true, false};
    double scores[N], tied[BERTH_MEASURES], mean[BERTH_MEASURES] = {0};
    for (int order = 0; order < ORDERS; order++) {
        int left[TIED] = {0, 1, 2, 3}, code = order;
        for (int i = 0; i < N; i++) {
            scores[i] = i;
        }
        for (int i = 0; i < TIED; i++) {
            const int taken = code % (TIED - i);
            code /= TIED - i;
            scores[FIRST + i] = FIRST + left[taken];
            left[taken] = left[TIED - i - 1];
        }
        double measures[BERTH_MEASURES];
        assert_int_equal(measure(ACTIVE, scores, N, measures), 0);
        for (int i = 0; i < BERTH_MEASURES; i++) {
            mean[i] += measures[i] / ORDERS;
        }
    }
    for (int i = 0; i < N; i++) {
        scores[i] = i >= FIRST && i < FIRST + TIED ? FIRST : i;
    }
    assert_int_equal(measure(ACTIVE, scores, N, tied), 0);
    for (int i = 0; i < BERTH_LOG_AREA; i++) {
        expect(tied[i], mean[i]);
    }
}

static void test_early_counts(void **state)
{
    (void)state;
    assert_int_equal(berth_early_count(0, 1), 1);
    assert_int_equal(berth_early_count(1, 100), 1);
    assert_int_equal(berth_early_count(1, 101), 2);
    assert_int_equal(berth_early_count(4, 2850), 285);
}

static void test_ranks_and_curve(void **state)
{
    (void)state;
    static const double SCORES[] = {3, -1, 3, INFINITY, 3, 0};
    static const bool ACTIVE[] = {true, true, false, false, false, true};
    static const double RANKS[] = {4, 1, 4, 6, 4, 2};
    static const struct berth_roc_point POINTS[] = {{0, 0}, {0, 2.0 / 3}, {2.0 / 3, 1}, {1, 1}};
    double ranks[6];
    struct berth_roc_point *points;
    struct berth_error error;
    size_t count;
    assert_int_equal(berth_ranks(SCORES, 6, ranks, &error), 0);
    for (size_t i = 0; i < 6; i++) {
        expect(ranks[i], RANKS[i]);
    }
    assert_int_equal(berth_roc_curve(ACTIVE, SCORES, 6, &points, &count, &error), 0);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        expect(points[i].decoys, POINTS[i].decoys);
        expect(points[i].actives, POINTS[i].actives);
    }
    free(points);
}

/* Weights count like as many actives at the same place. */
static void test_weights(void **state)
{
    (void)state;
    static const double SCORES[] = {1, 1, 2, 3, 4, 5};
    static const bool ACTIVE[] = {true, true, false, true, false, false};
    static const double FEWER[] = {1, 2, 3, 4, 5}, WEIGHTS[] = {1, 0, 0.5, 0, 0};
    double measures[BERTH_MEASURES], area;
    struct berth_error error;
    assert_int_equal(measure(ACTIVE, SCORES, 6, measures), 0);
    assert_int_equal(berth_weighted_roc_area(WEIGHTS, FEWER, 5, &area, &error), 0);
    expect(area, measures[BERTH_ROC_AREA]);
}

/* The standard deviation of a ROC area by DeLong, DeLong and Clarke-Pearson (Biometrics 44 (1988)
 * 837), of scores that are ranks. */
static double delong(const bool *active)
{
    double sums[2] = {0, 0}, squares[2] = {0, 0}, counts[2] = {LIGANDS - ACTIVES, ACTIVES};
    double before[2] = {0, 0};
    for (size_t i = 0; i < LIGANDS; i++) {
        const bool kind = active[i];
        const double share = before[!kind] / counts[!kind];
        sums[kind] += share / counts[kind];
        squares[kind] += share * share / counts[kind];
        before[kind]++;
    }
    double variance = 0;
    for (int k = 0; k < 2; k++) {
        variance += (squares[k] - sums[k] * sums[k]) / (counts[k] - 1);
    }
    return sqrt(variance);
}

static void test_resampling(void **state)
{
    (void)state;
    bool active[LIGANDS];
    double scores[LIGANDS], reverse[LIGANDS], nearly[LIGANDS];
    struct berth_error error;
    struct berth_enrichment *enrichment, *again;
    make_set(active, scores, 1);
    for (size_t i = 0; i < LIGANDS; i++) {
        reverse[i] = -scores[i];
        nearly[i] = scores[i] + (i % 2 ? 30 : 0);
    }
    const double *const all[] = {scores, reverse, nearly, scores};
    const struct berth_rankings rankings = {active, LIGANDS, all, 4};
    assert_int_equal(berth_enrichment_create(&rankings, 2000, 1, &enrichment, &error), 0);
    assert_int_equal(berth_enrichment_create(&rankings, 2000, 1, &again, &error), 0);
    const struct berth_estimate area =
        berth_enrichment_of(enrichment, 0, BERTH_NO_RANKING, BERTH_ROC_AREA).estimate;
    expect(area.value, 0.777025641025641);
    expect(berth_enrichment_of(enrichment, 1, BERTH_NO_RANKING, BERTH_ROC_AREA).estimate.value,
           1 - area.value);
    /* as wide as DeLong's interval, within a tenth */
    const double width = 2 * 1.96 * delong(active);
    assert_true(fabs(area.high - area.low - width) < 0.1 * width);
    assert_true(area.low < area.value && area.value < area.high);
    const struct berth_estimate same =
        berth_enrichment_of(again, 0, BERTH_NO_RANKING, BERTH_ROC_AREA).estimate;
    assert_true(same.low == area.low && same.high == area.high);

    struct berth_difference difference = berth_enrichment_of(enrichment, 0, 1, BERTH_BEDROC_20);
    assert_true(difference.p < 1e-3 && difference.estimate.low > 0.1);
    difference = berth_enrichment_of(enrichment, 0, 3, BERTH_ROC_AREA);
    assert_true(difference.p == 1 && difference.estimate.low == 0 && difference.estimate.high == 0);
    /* the same ligands are drawn for both: rankings that are nearly the same differ by nearly
     * nothing */
    difference = berth_enrichment_of(enrichment, 0, 2, BERTH_ROC_AREA);
    assert_true(difference.estimate.high - difference.estimate.low < 0.2 * width);
    berth_enrichment_destroy(enrichment);
    berth_enrichment_destroy(again);
}

/* One ranking has no active early and all before most others, the other ten first and the rest
 * last. */
static void test_standings(void **state)
{
    enum { FEW_ACTIVES = 40, ALL = 440 };
    static bool active[ALL];
    static double even[ALL], early[ALL], last[ALL];
    const double *const scores[] = {even, early, last};
    const struct berth_rankings rankings = {active, ALL, scores, 3};
    struct berth_enrichment *enrichment = NULL;
    struct berth_error error;
    char worse[BERTH_WORSE_TEXT];
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        active[i] = i < FEW_ACTIVES;
        even[i] = active[i] ? 60.5 + (double)i : (double)(i - FEW_ACTIVES);
        early[i] = active[i] ? (i < 10 ? -1.0 : 1000.0) : (double)(i - FEW_ACTIVES);
        last[i] = active[i] ? 1000.0 : (double)(i - FEW_ACTIVES);
    }
    assert_int_equal(berth_enrichment_create(&rankings, 500, 1, &enrichment, &error), BERTH_OK);
    assert_int_equal(berth_enrichment_standing(enrichment, 0, 1, worse), BERTH_STANDING_MIXED);
    assert_non_null(strstr(worse, "BEDROC 20 -"));
    assert_int_equal(berth_enrichment_standing(enrichment, 0, 2, worse), BERTH_STANDING_BETTER);
    assert_string_equal(worse, "");
    assert_int_equal(berth_enrichment_standing(enrichment, 2, 0, worse), BERTH_STANDING_WORSE);
    assert_int_equal(berth_enrichment_standing(enrichment, 2, 2, worse), BERTH_STANDING_NEITHER);
    berth_enrichment_destroy(enrichment);
}

static void test_estimates_as_text(void **state)
{
    static const struct {
        struct berth_estimate estimate;
        bool difference;
        const char *text;
    } ROWS[] = {{{0.7824, 0.7131, 0.8449}, false, "0.782 (0.713 to 0.845)"},
                {{0.7824, 0.7131, 0.8449}, true, "+0.782 (+0.713 to +0.845)"},
                {{1, 1, 1}, false, "1.000 (no interval)"},
                {{0, 0, 0}, true, "+0.000 (no interval)"}};
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char text[BERTH_ESTIMATE_TEXT];
        berth_estimate_print(&ROWS[i].estimate, BERTH_ROC_AREA, ROWS[i].difference, text);
        assert_string_equal(text, ROWS[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standings),    cmocka_unit_test(test_estimates_as_text),
        cmocka_unit_test(test_measures),     cmocka_unit_test(test_ties),
        cmocka_unit_test(test_early_counts), cmocka_unit_test(test_ranks_and_curve),
        cmocka_unit_test(test_weights),      cmocka_unit_test(test_resampling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

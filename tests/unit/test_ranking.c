/* Rankings: expressions over columns, z-scores and ranks over rows, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "score/ranking.h"

static const char *const NAMES[] = {"vina", "plp", "heavy_atoms"};
enum { COLUMNS = 3, ROWS = 4 };

/* The values of an expression over four rows of the columns that it looks at. */
static void rank(const char *text, const double *cells, double values[ROWS])
{
    struct berth_ranking *ranking;
    struct berth_error error;
    if (berth_ranking_create("rank", text, NAMES, COLUMNS, &ranking, &error) ||
        berth_ranking_values(ranking, cells, ROWS, values, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    berth_ranking_destroy(ranking);
}

static void expect(const double values[ROWS], double a, double b, double c, double d)
{
    const double wanted[ROWS] = {a, b, c, d};
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(isnan(wanted[i]) ? isnan(values[i]) : fabs(values[i] - wanted[i]) < 1e-12);
    }
}

/* Columns that are not looked at are not among the cells. */
static void test_expressions(void **state)
{
    static const double TWO[ROWS][2] = {{-8, 16}, {-9, 9}, {-4, 4}, {-6, 36}};
    const size_t *columns;
    struct berth_ranking *ranking;
    struct berth_error error;
    double values[ROWS];
    (void)state;
    rank("vina / sqrt(heavy_atoms) + 0.5", *TWO, values);
    expect(values, -1.5, -2.5, -1.5, -0.5);
    assert_int_equal(
        berth_ranking_create("rank", "heavy_atoms - vina", NAMES, COLUMNS, &ranking, &error), 0);
    assert_int_equal(berth_ranking_columns(ranking, &columns), 2);
    assert_int_equal(columns[0], 0);
    assert_int_equal(columns[1], 2);
    assert_true(berth_ranking_is_plain(ranking));
    berth_ranking_destroy(ranking);
}

static void test_z_scores(void **state)
{
    static const double ONE[ROWS] = {2, 4, 4, 6}, SAME[ROWS] = {5, 5, 5, 5},
                        GAPS[ROWS] = {1, NAN, 3, INFINITY};
    static const double TWO[ROWS][2] = {{2, 10}, {4, 10}, {4, 30}, {6, 30}};
    const double z = 2 / sqrt(2);
    double values[ROWS];
    (void)state;
    rank("z(vina)", ONE, values); /* mean 4, variance (4 + 0 + 0 + 4) / 4 */
    expect(values, -z, 0, 0, z);
    rank("z(vina)", SAME, values); /* of equal values, as of one alone */
    expect(values, 0, 0, 0, 0);
    rank("z(vina)", GAPS, values); /* what is no number is left out, and has none */
    expect(values, -1, NAN, 1, NAN);
    rank("z(vina) + z(plp)", *TWO, values);
    expect(values, -z - 1, -1, 1, z + 1);
    rank("2 * z(vina + 0.1 * plp)", *TWO, values); /* 3, 5, 7, 9 */
    expect(values, -2 * 3 / sqrt(5), -2 / sqrt(5), 2 / sqrt(5), 2 * 3 / sqrt(5));
    rank("z(rank(vina))", ONE, values); /* 1, 2.5, 2.5, 4 */
    expect(values, -1.5 / sqrt(1.125), 0, 0, 1.5 / sqrt(1.125));
}

static void test_ranks(void **state)
{
    static const double ONE[ROWS] = {-2, -7, -2, -3}, GAPS[ROWS] = {NAN, -7, -2, -2};
    double values[ROWS];
    (void)state;
    rank("rank(vina)", ONE, values);
    expect(values, 3.5, 1, 3.5, 2);
    rank("rank(-vina)", ONE, values);
    expect(values, 1.5, 4, 1.5, 3);
    rank("rank(vina)", GAPS, values);
    expect(values, NAN, 1, 2.5, 2.5);
}

static void refuse(const char *text, const char *wanted)
{
    struct berth_ranking *ranking;
    struct berth_error error;
    assert_int_not_equal(berth_ranking_create("rank", text, NAMES, COLUMNS, &ranking, &error),
                         BERTH_OK);
    assert_null(ranking);
    if (!strstr(error.message, wanted)) {
        fail_msg("%s: %s", text, error.message);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    refuse("z(vina) + z(gold)",
           "rank:1:13: there is no 'gold' here; there is vina, plp, heavy_atoms");
    refuse("z(vina", "rank:1:7: expected ')'");
    refuse("z vina", "rank:1:3: expected '('");
    refuse("vina plp", "rank:1:6: expected an operator or the end");
    refuse("vina\nplp", "rank:2:1: expected the end");
    refuse("", "there is no expression");
    refuse("# nothing", "there is no expression");
}

/* Those that ship can be read, and say which functions they need; other texts are expressions. */
static void test_names(void **state)
{
    struct berth_ranking_texts texts;
    struct berth_error error;
    (void)state;
    assert_int_equal(berth_ranking_find("consensus", &texts, &error), BERTH_OK);
    assert_non_null(strstr(texts.scoring, "vina"));
    assert_non_null(strstr(texts.poses, "vinardo"));
    assert_non_null(strstr(texts.ligands, "vinardo"));
    assert_non_null(strstr(texts.confidence, "gap"));
    berth_ranking_texts_clear(&texts);
    assert_int_equal(berth_ranking_find("vina + plp", &texts, &error), BERTH_OK);
    assert_null(texts.scoring);
    assert_string_equal(texts.poses, "vina + plp");
    assert_string_equal(texts.ligands, "vina + plp");
    assert_null(texts.confidence);
    berth_ranking_texts_clear(&texts);
    assert_int_equal(berth_ranking_find("there/is/none.rank", &texts, &error), BERTH_E_IO);
    berth_ranking_texts_clear(&texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions), cmocka_unit_test(test_z_scores),
        cmocka_unit_test(test_ranks), cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

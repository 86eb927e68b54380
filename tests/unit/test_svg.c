/* Curves: where their steps lie, what is cut off, escapes, and no file where it cannot be written.
 */
#include "io_support.h"

#include "eval/svg.h"

static void test_steps(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_error error;
    static const double FEW[] = {1, 2.5, 7, 8}, ONE[] = {0};
    static const struct berth_svg_curve CURVES[] = {{"a < b", FEW, 4, 0, false, NULL},
                                                    {"one", ONE, 1, 1, true, NULL}};
    const struct berth_svg_curves chart = {"Title & more", "sub", "RMSD", 5, CURVES, 2, 0, 0};
    /* 440 pixels from 64 on for 5 Å, 310 down from 84 on for 100 %: the two above 5 are left out */
    static const char *const PARTS[] = {
        ">Title &amp; more<",
        ">a &lt; b<",
        "class=\"curve color0\" d=\"M64.0 394.0 H152.0 V316.5 H284.0 V239.0 H504\"",
        "class=\"curve color1 dashed\" d=\"M64.0 394.0 H64.0 V84.0 H504\"",
        ">75 %<",
        ">5<",
        ">RMSD<",
        "</svg>\n"};
    make_scratch(directory);
    join(path, directory, "curves.svg");
    assert_int_equal(berth_svg_curves_write(path, &chart, &error), BERTH_OK);
    char *text = read_file(path);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        if (!strstr(text, PARTS[i])) {
            fail_msg("no %s in %s", PARTS[i], text);
        }
    }
    free(text);
    unlink(path);
    rmdir(directory);
    assert_int_equal(berth_svg_curves_write(path, &chart, &error), BERTH_E_IO);
}

/* Lines between points, on an axis with its own ticks, and on a logarithmic one, where they begin
 * at the axis and bend. */
static void test_lines(void **state)
{
    (void)state;
    char directory[PATH_SIZE], path[PATH_SIZE];
    struct berth_error error;
    static const double VALUES[] = {0, 0, 50, 100}, SHARES[] = {0, 0.5, 0.5, 1};
    static const struct berth_svg_curve CURVE = {"roc", VALUES, 4, 5, false, SHARES};
    struct berth_svg_curves chart = {"Title", "sub", "decoys", 100, &CURVE, 1, 25, 0};
    make_scratch(directory);
    join(path, directory, "curves.svg");
    assert_int_equal(berth_svg_curves_write(path, &chart, &error), BERTH_OK);
    char *text = read_file(path);
    assert_non_null(
        strstr(text, "color5\" d=\"M64.0 394.0L64.0 394.0L64.0 239.0L284.0 239.0L504.0 84.0\"/>"));
    assert_non_null(strstr(text, ">75</text>"));
    free(text);
    chart.begin = 0.1;
    assert_int_equal(berth_svg_curves_write(path, &chart, &error), BERTH_OK);
    text = read_file(path);
    assert_non_null(strstr(text, "color5\" d=\"M64.0 239.0L459.8 239.0L"));
    assert_non_null(strstr(text, "L504.0 84.0\"/>"));
    assert_non_null(strstr(text, ">0.1</text>"));
    assert_non_null(strstr(text, ">10</text>"));
    free(text);
    unlink(path);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

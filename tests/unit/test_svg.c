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
    static const struct berth_svg_curve CURVES[] = {{"a < b", FEW, 4, 0, false},
                                                    {"one", ONE, 1, 1, true}};
    const struct berth_svg_curves chart = {"Title & more", "sub", "RMSD", 5, CURVES, 2};
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

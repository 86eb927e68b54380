/* Bar charts: the whole text of a small one, escapes, the two kinds of axis, and no file where it
 * cannot be written. */
#include "io_support.h"

#include "instruments/bars.h"

static char directory[PATH_SIZE], path[PATH_SIZE];

static int set_up(void **state)
{
    (void)state;
    make_scratch(directory);
    join(path, directory, "chart.svg");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static struct berth_svg_chart chart_of(const struct berth_svg_bar *bars, size_t count)
{
    return (struct berth_svg_chart){"Title", "Sub", "atoms/s", "the most", bars, count};
}

/* Writes the chart and gives its text, which the caller frees. */
static char *written(const struct berth_svg_chart *chart)
{
    struct berth_error error;
    char *text = calloc(1, 65536);
    assert_non_null(text);
    assert_int_equal(berth_svg_write(path, chart, &error), BERTH_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_in_range(fread(text, 1, 65535, file), 1, 65534);
    fclose(file);
    return text;
}

static void expect_parts(const struct berth_svg_chart *chart, const char *const *parts)
{
    char *text = written(chart);
    for (; *parts; parts++) {
        if (!strstr(text, *parts)) {
            fail_msg("no %s in %s", *parts, text);
        }
    }
    free(text);
}

/* 560 pixels from 30 on: 200 of 400 is at 310, the limit of 400 at 590. */
static void test_linear(void **state)
{
    (void)state;
    static const struct berth_svg_bar BARS[] = {{"one", "half", 200, 400, false},
                                                {"two", "pale one", 100, 0, true}};
    static const char *const PARTS[] = {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"282\"",
        "<text x=\"30.0\" y=\"34.0\" class=\"title\">Title</text>",
        "<rect x=\"30\" y=\"114.0\" width=\"280.0\" height=\"22\" class=\"bar\"/>",
        "<line x1=\"590.0\" y1=\"110.0\" x2=\"590.0\" y2=\"140.0\" class=\"limit\"/>",
        "<text x=\"598.0\" y=\"129.4\" class=\"note\">half</text>",
        "<rect x=\"30\" y=\"172.0\" width=\"140.0\" height=\"22\" class=\"pale\"/>",
        "class=\"tick\">400</text>",
        "class=\"axis\">atoms/s</text>",
        "</svg>\n",
        NULL};
    const struct berth_svg_chart chart = chart_of(BARS, 2);
    expect_parts(&chart, PARTS);
}

/* From 1 to 1000: a bar of 100 takes two thirds of 560. */
static void test_logarithmic(void **state)
{
    (void)state;
    static const struct berth_svg_bar BARS[] = {
        {"far", "", 1000, 0, false}, {"near", "", 2, 0, false}, {"between", "", 100, 0, false}};
    static const char *const PARTS[] = {"class=\"axis\">atoms/s (logarithmic)</text>",
                                        "width=\"560.0\"",
                                        "width=\"373.3\"",
                                        "class=\"tick\">1</text>",
                                        "class=\"tick\">1e+03</text>",
                                        NULL};
    const struct berth_svg_chart chart = chart_of(BARS, 3);
    expect_parts(&chart, PARTS);
}

static void test_escapes(void **state)
{
    (void)state;
    static const struct berth_svg_bar BARS[] = {{"<a> & b", "", 1, 0, false}};
    static const char *const PARTS[] = {">&lt;a&gt; &amp; b</text>", NULL};
    const struct berth_svg_chart chart = chart_of(BARS, 1);
    expect_parts(&chart, PARTS);
}

static void test_no_directory(void **state)
{
    (void)state;
    static const struct berth_svg_bar BARS[] = {{"a", "", 1, 0, false}};
    const struct berth_svg_chart chart = chart_of(BARS, 1);
    struct berth_error error;
    char nowhere[PATH_SIZE];
    join(nowhere, directory, "none/chart.svg");
    assert_int_equal(berth_svg_write(nowhere, &chart, &error), BERTH_E_IO);
    assert_non_null(strstr(error.message, "none/chart.svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear), cmocka_unit_test(test_logarithmic),
        cmocka_unit_test(test_escapes), cmocka_unit_test(test_no_directory)};
    return cmocka_run_group_tests_name("svg", tests, set_up, tear_down);
}

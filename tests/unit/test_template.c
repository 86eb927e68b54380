/* Templates: sections, lists, words by number, prose without gaps, quotes that no value can end. */
#include <string.h>

#include "io_support.h"

#include "base/embedded.h"
#include "format/json.h"
#include "report/template.h"

/* The template filled with the JSON is that. */
static void expect(const char *text, const char *json, enum berth_template_target target,
                   const char *expected)
{
    struct berth_output *output;
    struct berth_error error;
    char *filled;
    size_t size;
    assert_int_equal(berth_output_create_memory(&filled, &size, &output, &error), BERTH_OK);
    berth_template_fill(text, json, target, output);
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    assert_string_equal(filled, expected);
    free(filled);
}

static void test_values(void **state)
{
    (void)state;
    static const char JSON[] = "{\"n\":12345,\"one\":1,\"text\":\"1\",\"list\":[\"a\",\"b\",\"c\"],"
                               "\"pair\":[1,2.5],\"n\":0,\"object\":{\"n\":2,\"in\":\"]}\"}}";
    static const char *const CASES[][2] = {
        {"{{n}} {{n|,}} {{missing}}.", "12345 12,345."},
        {"{{one}} pose{{one||s}}, {{n|,}} pose{{n||s}}, {{text|was|were}}",
         "1 pose, 12,345 poses, was"},
        {"{{list}}; {{pair}}; {{list|/}}", "a, b and c; 1 and 2.5; a/b/c"},
        {"{{#object}}{{n}}{{in}}{{one}}{{/object}}{{n}}", "2]}112345"},
        {"{{#list|; }}<{{.}}>{{/list}}", "<a>; <b>; <c>"},
        {"{{?list}}({{#list}}{{.}}{{/list}}){{/list}}", "(abc)"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        expect(CASES[i][0], JSON, BERTH_TEMPLATE_PROSE, CASES[i][1]);
    }
}

static void test_nothing(void **state)
{
    (void)state;
    static const char *const NOTHING[] = {"null", "false", "0", "0.00", "\"\"", "[]", "{}"};
    static const char *const SOMETHING[] = {"true", "1", "-0.5", "\"0\"", "[0]", "{\"a\":0}"};
    char json[64];
    for (size_t i = 0; i < sizeof NOTHING / sizeof *NOTHING; i++) {
        snprintf(json, sizeof json, "{\"x\":%s}", NOTHING[i]);
        expect("{{#x}}a{{/x}}{{?x}}b{{/x}}{{^x}}c{{/x}}", json, BERTH_TEMPLATE_PROSE, "c");
    }
    for (size_t i = 0; i < sizeof SOMETHING / sizeof *SOMETHING; i++) {
        snprintf(json, sizeof json, "{\"x\":%s}", SOMETHING[i]);
        expect("{{#x}}a{{/x}}{{?x}}b{{/x}}{{^x}}c{{/x}}", json, BERTH_TEMPLATE_PROSE, "ab");
    }
}

static void test_prose(void **state)
{
    (void)state;
    expect("\n  {{#no}}gone{{/no}}\nIt has {{#no}}none {{/no}}\n\n one{{#no}} two{{/no}} "
           "({{#no}}x{{/no}}in)\n, so\n.\n",
           "{}", BERTH_TEMPLATE_PROSE, "It has one (in), so.");
    expect("a {{x}} b", "{\"x\":\"two  blanks \\\"and\\\" \\u000a\"}", BERTH_TEMPLATE_PROSE,
           "a two  blanks \"and\" \n b");
}

static void test_scripts(void **state)
{
    (void)state;
    expect("load(\"{{x}}\")\n", "{\"x\":\"a\\\"; quit \\\\ \\u000ab\\u00e9\"}",
           BERTH_TEMPLATE_SCRIPT, "load(\"a\\x22; quit \\x5c \\x0ab\xc3\xa9\")\n");
    expect("one\n{{#list}}\n  item {{.}}\n{{/list}}\n{{?no}}\nnot\n{{/no}}\ntwo\n",
           "{\"list\":[1,2]}", BERTH_TEMPLATE_SCRIPT, "one\n  item 1\n  item 2\ntwo\n");
}

/* What is cut off or closed wrongly ends somewhere. */
static void test_broken(void **state)
{
    (void)state;
    expect("a {{#x}}b", "{\"x\":1}", BERTH_TEMPLATE_PROSE, "a b");
    expect("a {{x", "{\"x\":1}", BERTH_TEMPLATE_PROSE, "a {{x");
    expect("a {{/x}}b {{x}}", "{\"x\":[1", BERTH_TEMPLATE_PROSE, "a b 1");
    expect("{{x}}", "{\"x", BERTH_TEMPLATE_PROSE, "");
}

/* What ships closes each section that it opens. */
static void test_embedded(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"methods.txt", "pymol.pml", "chimerax.cxc"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *open[32], *text = berth_embedded_text(NAMES[i]);
        size_t depth = 0;
        for (const char *at = text; (at = strstr(at, "{{")) != NULL; at += 2) {
            const size_t length = strcspn(at + 3, "|}");
            if (strchr("#?^", at[2])) {
                assert_in_range(depth, 0, 31);
                open[depth++] = at + 3;
            } else if (at[2] == '/') {
                assert_in_range(depth, 1, 32);
                assert_int_equal(strncmp(open[--depth], at + 3, length), 0);
            }
        }
        assert_int_equal(depth, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_prose),  cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_broken), cmocka_unit_test(test_embedded)};
    return cmocka_run_group_tests_name("template", tests, NULL, NULL);
}

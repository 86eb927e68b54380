/* JSON of others: what is read of it, and what is refused, with the place. */
#include "io_support.h"

#include "format/json_reader.h"

static struct berth_json_tree tree_of(const char *text)
{
    struct berth_json_tree tree;
    struct berth_error error;
    if (berth_json_read(text, strlen(text), &tree, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    return tree;
}

static void reads_values(void **state)
{
    (void)state;
    struct berth_json_tree tree =
        tree_of(" {\"id\" : -1.5e+3, \"list\": [true, [false, null], \"x\"], \"o\": {}, "
                "\"id\": 2}\r\n");
    const struct berth_json_value *root = tree.values, *value, *inner;
    assert_int_equal(root->kind, BERTH_JSON_OBJECT);
    assert_null(root->name);
    assert_string_equal(berth_json_member(root, "id")->text, "-1.5e+3");
    value = berth_json_member(root, "list");
    assert_int_equal(value->kind, BERTH_JSON_LIST);
    inner = berth_json_next(value, NULL);
    assert_int_equal(inner->kind, BERTH_JSON_TRUE);
    inner = berth_json_next(value, inner);
    assert_true(inner->kind == BERTH_JSON_LIST && inner->inside == 2);
    inner = berth_json_next(value, inner);
    assert_string_equal(inner->text, "x");
    assert_null(berth_json_next(value, inner));
    value = berth_json_member(root, "o");
    assert_true(value->kind == BERTH_JSON_OBJECT && !berth_json_next(value, NULL));
    assert_null(berth_json_member(root, "x"));
    assert_null(berth_json_member(berth_json_member(root, "list"), "x"));
    berth_json_tree_clear(&tree);
}

static void reads_texts(void **state)
{
    (void)state;
    struct berth_json_tree tree =
        tree_of("\"\\\"\\\\\\/\\b\\f\\n\\r\\t \\u00e9\\u20AC\\ud83d\\ude00 \xc3\xa9/\"");
    assert_string_equal(tree.values->text,
                        "\"\\/\b\f\n\r\t \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xc3\xa9/");
    berth_json_tree_clear(&tree);
    tree = tree_of("0");
    assert_string_equal(tree.values->text, "0");
    berth_json_tree_clear(&tree);
}

static void refuses(void **state)
{
    static const char *const WRONG[] = {"",
                                        "  ",
                                        "{",
                                        "[1,]",
                                        "{\"a\":1,}",
                                        "{a:1}",
                                        "{\"a\" 1}",
                                        "[1 2]",
                                        "1 2",
                                        "01",
                                        "1.",
                                        ".5",
                                        "1e",
                                        "+1",
                                        "-",
                                        "tru",
                                        "nul",
                                        "NaN",
                                        "\"a",
                                        "\"\\x\"",
                                        "\"\\u12\"",
                                        "\"a\nb\"",
                                        "\"\xff\"",
                                        "\"\xc3\"",
                                        "\"\\ud83d\"",
                                        "\"\\ude00\"",
                                        "\"\\u0000\"",
                                        "'a'",
                                        "[1}",
                                        "\"\\ud83d\\u0041\""};
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        struct berth_json_tree tree;
        struct berth_error error;
        if (berth_json_read(WRONG[i], strlen(WRONG[i]), &tree, &error) != BERTH_E_FORMAT) {
            fail_msg("is taken: %s", WRONG[i]);
        }
        assert_memory_equal(error.message, "no JSON: byte ", 14);
        berth_json_tree_clear(&tree);
    }
}

/* Levels are bounded, as each is a call; and bytes that are 0 end nothing. */
static void is_bounded(void **state)
{
    char deep[1000];
    struct berth_json_tree tree;
    struct berth_error error;
    (void)state;
    memset(deep, '[', sizeof deep);
    assert_int_equal(berth_json_read(deep, sizeof deep, &tree, &error), BERTH_E_FORMAT);
    assert_string_equal(error.message, "no JSON: byte 65: values are too deep in one another");
    berth_json_tree_clear(&tree);
    memset(deep + 63, ']', 63);
    assert_int_equal(berth_json_read(deep, 126, &tree, &error), BERTH_OK);
    assert_int_equal(tree.count, 63);
    berth_json_tree_clear(&tree);
    assert_int_equal(berth_json_read("[1]\0", 4, &tree, &error), BERTH_E_FORMAT);
    assert_string_equal(error.message, "no JSON: byte 4: something stands behind the value");
    berth_json_tree_clear(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_values),
                                       cmocka_unit_test(reads_texts), cmocka_unit_test(refuses),
                                       cmocka_unit_test(is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

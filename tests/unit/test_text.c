/* Text of others, made fit to be shown. */
#include "io_support.h"

#include "base/text.h"

static void knows_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } CASES[] = {{"", 0},
                 {"a", 1},
                 {"\033", 1},
                 {"\xc3\xa9", 2},
                 {"\xe2\x82\xac", 3},
                 {"\xf0\x9f\x98\x80", 4},
                 {"\x80", 0},
                 {"\xc3", 0},
                 {"\xc3(", 0},
                 {"\xc0\x80", 0},         /* longer than it need be */
                 {"\xe0\x9f\xbf", 0},     /* the same */
                 {"\xed\xa0\x80", 0},     /* half of a pair of UTF-16 */
                 {"\xf0\x8f\xbf\xbf", 0}, /* longer than it need be */
                 {"\xf4\x90\x80\x80", 0}, /* beyond the last */
                 {"\xff", 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(berth_text_utf8(CASES[i].text), CASES[i].size);
    }
}

static void demand(const char *text, const char *plain, const char *shown)
{
    char *escaped = berth_text_escape(text, plain);
    assert_non_null(escaped);
    assert_string_equal(escaped, shown);
    berth_text_unescape(escaped);
    assert_string_equal(escaped, text);
    free(escaped);
}

static void escapes_controls(void **state)
{
    (void)state;
    demand("", "", "");
    demand("aspirin \xc3\xa9 C/C=C\\C", "", "aspirin \xc3\xa9 C/C=C\\C");
    demand("\033]0;title\007\177", "", "\\x1b]0;title\\x07\\x7f");
    demand("a\tb\nc\rd", "", "a\\x09b\\x0ac\\x0dd");
    demand("a\tb\nc\rd", "\t\n", "a\tb\nc\\x0dd");
    demand("\xc2\x9b"
           "31m\xc2\xa0",
           "", "\\xc2\\x9b31m\xc2\xa0");
    demand("\xe9t\xe9", "", "\\xe9t\\xe9");
    demand("\\x41 \\x4 \\xg0 \\\\x41", "", "\\x5cx41 \\x4 \\xg0 \\\\x5cx41");
}

/* Whatever the bytes: what is shown is one line of characters, and the text comes back. */
static void brings_any_text_back(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (int round = 0; round < 2000; round++) {
        static const char OFTEN[] = "\\x1b4";
        char text[24];
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 1664525u + 1013904223u;
            const unsigned draw = seed >> 16;
            text[i] = draw & 1 ? OFTEN[(draw >> 1) % 5] : (char)(draw >> 8);
        }
        text[sizeof text - 1] = '\0';
        char *escaped = berth_text_escape(text, "");
        for (const char *c = escaped; *c;) {
            const size_t size = berth_text_utf8(c);
            assert_true(size && (unsigned char)*c >= ' ' && *c != 0x7F);
            c += size;
        }
        berth_text_unescape(escaped);
        assert_string_equal(escaped, text);
        free(escaped);
    }
}

/* What of a reason stays beside its ligand's name. */
static void demand_alone(const char *reason, const char *name, const char *alone)
{
    char text[80];
    snprintf(text, sizeof text, "%s", reason);
    berth_text_drop_name(text, name);
    assert_string_equal(text, alone);
}

static void leaves_names_out(void **state)
{
    (void)state;
    demand_alone("cpd1: atom 7 is B", "cpd1", "atom 7 is B");
    demand_alone("a.smi, record 5: cpd1: atom 7: cpd1: B", "cpd1",
                 "a.smi, record 5: atom 7: cpd1: B");
    demand_alone("x.mol2:1: molecule cpd1: flat", "cpd1", "x.mol2:1: flat");
    demand_alone("cpd10: flat", "cpd1", "cpd10: flat");
    demand_alone("cpd1", "cpd1", "cpd1");
    demand_alone("a.smi: flat", "", "a.smi: flat");
}

static void demand_trimmed(const char *list, const char *expected)
{
    char text[64];
    snprintf(text, sizeof text, "%s", list);
    berth_text_trim_list(text);
    assert_string_equal(text, expected);
}

static void trims_lists(void **state)
{
    (void)state;
    demand_trimmed("vina, plp", "vina,plp");
    demand_trimmed("  vina ,\tmax(a, b) ,  a + b ", "vina,max(a,b),a + b");
    demand_trimmed(" , a,", ",a,");
    demand_trimmed("  ", "");
    demand_trimmed("", "");
}

static void finds_in_lists(void **state)
{
    (void)state;
    assert_true(berth_text_lists("smi sdf mol2", ' ', "smi"));
    assert_true(berth_text_lists("smi sdf mol2", ' ', "mol2"));
    assert_true(berth_text_lists("heavy atoms,mass", ',', "heavy atoms"));
    assert_false(berth_text_lists("smi sdf mol2", ' ', "mol"));
    assert_false(berth_text_lists("smi sdf mol2", ' ', "df"));
    assert_false(berth_text_lists("smi sdf mol2", ' ', "smi sdf"));
    assert_true(berth_text_lists(" C.3 N.3 ", ' ', "N.3"));
    assert_false(berth_text_lists(" C.3 N.3 ", ' ', "O.3"));
    assert_false(berth_text_lists("smi sdf mol2", ' ', ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_characters), cmocka_unit_test(leaves_names_out),
        cmocka_unit_test(trims_lists),      cmocka_unit_test(finds_in_lists),
        cmocka_unit_test(escapes_controls), cmocka_unit_test(brings_any_text_back)};
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}

/* Cutting files into records, formulas, and sets of texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_set.h"
#include "format/records.h"
#include "chem/molecule.h"

/* What came of a text: "title|line|text;" for each record, "!message;" for each failure. */
static void expect(enum berth_record_kind kind, const char *text, const char *expected)
{
    struct berth_bytes bytes = {0};
    struct berth_records *records;
    struct berth_record record = {0};
    struct berth_error error;
    char got[4096] = "";
    berth_bytes_put(&bytes, text, strlen(text));
    assert_int_equal(berth_records_create_memory("f", &bytes, kind, &records, &error), BERTH_OK);
    for (bool end = false;;) {
        const enum berth_status status = berth_records_next(records, &record, &end, &error);
        if (end) {
            break;
        }
        const size_t length = strlen(got);
        if (status) {
            snprintf(got + length, sizeof got - length, "!%s;", error.message);
        } else {
            snprintf(got + length, sizeof got - length, "%s|%zu|%.*s;", record.title, record.line,
                     (int)record.text.count, (const char *)record.text.data);
        }
    }
    assert_string_equal(got, expected);
    berth_record_clear(&record);
    berth_records_destroy(records);
    berth_bytes_clear(&bytes);
}

static void test_smiles(void **state)
{
    (void)state;
    expect(BERTH_RECORD_SMILES, "", "");
    expect(BERTH_RECORD_SMILES, "CCO ethanol\nC\n\n# no molecule\nCC\ta b \tc\r\n  O  water",
           "ethanol|1|CCO;|2|C;a b|5|CC;water|6|O;");
    expect(BERTH_RECORD_SMILES,
           "CC |a:1,$x y$|\tname\tm\nCC |o1:1| two words\nCC |&1:1|\nC |cut off\n",
           "name|1|CC |a:1,$x y$|;two words|2|CC |o1:1|;|3|CC |&1:1|;off|4|C |cut;");
    expect(BERTH_RECORD_SMILES, "C caf\xc3\xa9\n", "caf\xc3\xa9|1|C;");
}

static void test_sdf(void **state)
{
    (void)state;
    expect(BERTH_RECORD_SDF, "one \n\n\nM  END\n$$$$\ntwo\r\n\r\n\r\nM  END\r\n$$$$\r\n\n\n",
           "one|1|one \n\n\nM  END\n$$$$\n;two|6|two\n\n\nM  END\n$$$$\n;");
    expect(BERTH_RECORD_SDF, "mol\n\n\nM  END\n", "mol|1|mol\n\n\nM  END\n;");
    expect(BERTH_RECORD_SDF, "ok\nM  END\n$$$$\ncut\n\n  0\n",
           "ok|1|ok\nM  END\n$$$$\n;!f:4: the record is cut off: it has no \"M  END\";");
}

#define COUNTS     "  0  0  0  0  0  0  0  0  0  0999 V2000\n"
#define HEAD(name) name "\n\n\n" COUNTS "M  END\n"

/* Marks that are missing, short or indented. */
static void test_sdf_without_ends(void **state)
{
    (void)state;
    expect(BERTH_RECORD_SDF, HEAD("a") HEAD("b"), "a|1|" HEAD("a") ";b|6|" HEAD("b") ";");
    expect(BERTH_RECORD_SDF, HEAD("a") "$$$\n" HEAD("b") " $$$$\n" HEAD("c"),
           "a|1|" HEAD("a") "$$$$\n;b|7|" HEAD("b") "$$$$\n;c|13|" HEAD("c") ";");
    expect(BERTH_RECORD_SDF, HEAD("a") "> <i>\n1\n$$\n" HEAD("b") "> <i>\n$$\n\n$$$$\n",
           "a|1|" HEAD("a") "> <i>\n1\n;b|9|" HEAD("b") "> <i>\n$$\n\n$$$$\n;");
    expect(BERTH_RECORD_SDF, "a\n\n\n" COUNTS HEAD("b"),
           "!f:1: the record is cut off: it has no \"M  END\";b|5|" HEAD("b") ";");
    expect(BERTH_RECORD_SDF, HEAD("a") "$$$$\n\n\n" HEAD("b"),
           "a|1|" HEAD("a") "$$$$\n;b|9|" HEAD("b") ";");
    expect(BERTH_RECORD_SDF, "a\n\n\n  1  0\nM  END\nb\n\n\n  1  0\nM  END\n",
           "a|1|a\n\n\n  1  0\nM  END\n;b|6|b\n\n\n  1  0\nM  END\n;");
}

static void test_mol2(void **state)
{
    (void)state;
    expect(BERTH_RECORD_MOL2, "# x\n@<TRIPOS>MOLECULE\na\n1\n@<TRIPOS>MOLECULE\nb\n",
           "a|2|@<TRIPOS>MOLECULE\na\n1\n;b|5|@<TRIPOS>MOLECULE\nb\n;");
    expect(BERTH_RECORD_MOL2, "nothing\n", "!f: no molecule (no @<TRIPOS>MOLECULE);");
}

static void test_a_bad_line_costs_its_record(void **state)
{
    (void)state;
    char *text = malloc(400000);
    memset(text, 'C', 300000);
    strcpy(text + 300000, " long\nCC next\n");
    expect(BERTH_RECORD_SMILES, text,
           "!f:1: a line of more than 65536 bytes; this is not a text file of a supported "
           "format;next|2|CC;");
    memcpy(text, "long\n\n\n", 7);
    strcpy(text + 300000, "\nM  END\n$$$$\nnext\nM  END\n$$$$\n");
    expect(BERTH_RECORD_SDF, text,
           "!f:4: a line of more than 65536 bytes; this is not a text file of a supported "
           "format;next|7|next\nM  END\n$$$$\n;");
    free(text);
}

static void test_too_large(void **state)
{
    (void)state;
    const size_t size = BERTH_RECORD_MAX + 4096;
    char *text = malloc(size + 64);
    for (size_t i = 0; i < size; i++) {
        text[i] = i % 64 == 63 ? '\n' : 'x';
    }
    strcpy(text + size, "M  END\n$$$$\nb\nM  END\n$$$$\n");
    expect(BERTH_RECORD_SDF, text, "!f:1: a record above 16 MiB;b|262211|b\nM  END\n$$$$\n;");
    free(text);
}

static void test_formats(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {{"a.SDF.gz", "sdf"}, {"x/y.d/name", ""},
                                           {"a.smi", "smi"},    {".gz", ""},
                                           {"-", ""},           {"a.tar.Mol2", "mol2"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char format[16];
        berth_format_of(CASES[i][0], format, sizeof format);
        assert_string_equal(format, CASES[i][1]);
    }
    assert_int_equal(berth_record_kind_of("smiles"), BERTH_RECORD_SMILES);
    assert_int_equal(berth_record_kind_of("MOL"), BERTH_RECORD_SDF);
    assert_int_equal(berth_record_kind_of("pdb"), BERTH_RECORD_OTHER);
}

static void test_composition(void **state)
{
    (void)state;
    struct berth_composition composition;
    assert_true(berth_composition_parse("C8H10N4O2", &composition));
    assert_int_equal(berth_composition_heavy(&composition), 14);
    assert_true(fabs(berth_composition_mass(&composition) - 194.19) < 0.02); /* caffeine */
    assert_true(berth_composition_parse("C2H2Cl2FeO4--", &composition));
    assert_int_equal(composition.counts[17], 2);
    assert_int_equal(composition.counts[26], 1);
    static const char *const BAD[] = {"", "c6", "C6H6x", "Xq2", "6C", "+"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        assert_false(berth_composition_parse(BAD[i], &composition));
    }
}

static void test_text_set(void **state)
{
    (void)state;
    struct berth_text_set set = {0};
    struct berth_error error;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5000; i++) {
            char text[16];
            bool met;
            uint64_t number = (uint64_t)(i + 7 * round);
            snprintf(text, sizeof text, "C%d", i);
            assert_int_equal(berth_text_set_add(&set, text, &number, &met, &error), BERTH_OK);
            assert_int_equal(met, round);
            assert_int_equal(number, i);
        }
    }
    assert_int_equal(set.count, 5000);
    berth_text_set_clear(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_smiles),
                                       cmocka_unit_test(test_sdf),
                                       cmocka_unit_test(test_sdf_without_ends),
                                       cmocka_unit_test(test_mol2),
                                       cmocka_unit_test(test_a_bad_line_costs_its_record),
                                       cmocka_unit_test(test_too_large),
                                       cmocka_unit_test(test_formats),
                                       cmocka_unit_test(test_composition),
                                       cmocka_unit_test(test_text_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

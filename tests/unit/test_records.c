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
static void expect_of(enum berth_record_kind kind, struct berth_columns_wanted wanted,
                      const char *text, const char *expected)
{
    struct berth_bytes bytes = {0};
    struct berth_records *records;
    struct berth_record record = {0};
    struct berth_error error;
    char got[4096] = "";
    berth_bytes_put(&bytes, text, strlen(text));
    assert_int_equal(berth_records_create_memory("f", &bytes, kind, &records, &error), BERTH_OK);
    berth_records_choose(records, wanted);
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

static void expect(enum berth_record_kind kind, const char *text, const char *expected)
{
    expect_of(kind, (struct berth_columns_wanted){NULL, NULL}, text, expected);
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

/* Lines of names in front of lines of SMILES: what parts them, and what is no such line. */
static void test_smiles_header(void **state)
{
    (void)state;
    const enum berth_record_kind smi = BERTH_RECORD_SMILES;
    expect(smi, "# x\nsmiles name\nCC two words\nC\n  CCC |a:1,$x y$| p\n",
           "two words|3|CC;!f:4: 1 field, but there are 2 columns;p|5|CCC |a:1,$x y$|;");
    expect(smi, "SMILES,ID\nCC |&1:1,2|,a b\n,x\nC,y,z\nC,\"q\"\nO,\n",
           "a b|2|CC |&1:1,2|;!f:3: no SMILES: an empty field;!f:4: 3 fields, but there are 2 "
           "columns;!f:5: a field in quotes: this is CSV; give format csv, or name the file so;"
           "|6|O;");
    expect(smi, "Catalog ID\tCanonical SMILES\nZ 1\tCC |o1:1|\nZ 2\tC C\n",
           "Z 1|2|CC |o1:1|;!f:3: more than SMILES in their column;");
    expect(smi, "CC smiles\nC x\n", "smiles|1|CC;x|2|C;");
    expect(smi, "C1CC bad_smiles\nC x\n", "bad_smiles|1|C1CC;x|2|C;");
    expect(smi, " smiles x\n", "x|1|smiles;");
    expect_of(smi, (struct berth_columns_wanted){"2", "1"}, "a CC\nb C\n", "a|1|CC;b|2|C;");
    expect_of(smi, (struct berth_columns_wanted){"1", "2"}, "mol id\nCC a\n", "a|2|CC;");
    expect_of(smi, (struct berth_columns_wanted){"1", "2"}, "CC a b c\nC d e\n",
              "a b c|1|CC;d e|2|C;");
    expect_of(smi, (struct berth_columns_wanted){"mol", NULL}, "CC a\n",
              "!f:1: smiles_column: there is no column 'mol'; there are 1 'CC', 2 'a';");
}

static void test_table(void **state)
{
    (void)state;
    const enum berth_record_kind table = BERTH_RECORD_TABLE;
    const struct berth_columns_wanted none = {NULL, NULL};
    expect(table,
           "molecule_chembl_id,canonical_smiles,x\r\n\"A, \"\"b\"\"\",CC,1\r\n\r\nB,C\nD\n,O,2\n"
           "E,,3\nF,N,4,5\n\"G\nH\",C,6\n",
           "A, \"b\"|2|CC;B|4|C;!f:5: 1 field, but there are 3 columns;|6|O;"
           "!f:7: no SMILES: an empty field;!f:8: 4 fields, but there are 3 columns;"
           "!f:9: a field of several lines; is the end of a quotation missing?;");
    expect(table, "\"ChEMBL ID\";\"a, b\";\"Smiles\"\nX;1;\"CC |a:1,$x y$|\"\n",
           "X|2|CC |a:1,$x y$|;");
    expect(table, "SMILES\tzinc_id\nCC\t\"Z\n",
           "!f:2: a quoted field has no end, and what is behind it is not read; is a "
           "quotation mark missing, or the file cut off?;");
    expect_of(table, (struct berth_columns_wanted){"1", "2"}, "CC,a\nC,b\n", "a|1|CC;b|2|C;");
    expect_of(table, (struct berth_columns_wanted){"Structure", "2"}, "structure,no\nC,b\n",
              "b|2|C;");
    expect_of(table, (struct berth_columns_wanted){NULL, "7"}, "smiles,no\nC,b\n",
              "!f:1: name_column: there is no column '7'; there are 1 'smiles', 2 'no';");
    expect_of(table, none, "CC,a\n",
              "!f:1: smiles_column: no column is called SMILES; choose one of 1 'CC', 2 'a';");
    expect_of(table, none, "smiles,iso_smiles,id\n",
              "!f:1: smiles_column: 2 columns may be meant; choose one of 1 'smiles', 2 "
              "'iso_smiles';");
    expect_of(table, none, "id,name,smiles\n",
              "!f:1: name_column: 2 columns may be meant; choose one of 1 'id', 2 'name';");
    expect_of(table, none, "",
              "!f:1: an empty file; a table begins with the names of its columns;");
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

#define COUNTS_LINE "  0  0  0  0  0  0  0  0  0  0999 V2000"
#define COUNTS      COUNTS_LINE "\n"
#define HEAD(name)  name "\n\n\n" COUNTS "M  END\n"

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
    /* Counts in the head of others: one record, and not the same lines for ever. */
    expect(BERTH_RECORD_SDF, COUNTS_LINE "\nx\n\n" COUNTS "M  END\n",
           COUNTS_LINE "|1|" COUNTS_LINE "\nx\n\n" COUNTS "M  END\n;");
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
    /* one in the head of a record that nothing parts from the one before: its place counts */
    strcpy(text, HEAD("a"));
    const size_t head = strlen(text);
    memset(text + head, 'C', 300000);
    strcpy(text + head + 300000, "\n\n\n" COUNTS "M  END\n$$$$\n");
    expect(BERTH_RECORD_SDF, text,
           "!f:6: a line of more than 65536 bytes; this is not a text file of a supported "
           "format;|6|\n\n\n" COUNTS "M  END\n$$$$\n;");
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
                                       cmocka_unit_test(test_smiles_header),
                                       cmocka_unit_test(test_table),
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

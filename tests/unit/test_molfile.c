/* Bonds without an order in SDF records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/sdf/sdf.h"

#define V2000                                                                                      \
    "name\n  program\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"                                 \
    "    0.0000    0.0000    0.0000 C   0  0\n    1.0000    0.0000    0.0000 C   0  0\n"           \
    "    2.0000    0.0000    0.0000 C   0  0\n"
#define V3000                                                                                      \
    "name\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n"                       \
    "M  V30 COUNTS 2 1 0 0 0\nM  V30 BEGIN ATOM\nM  V30 1 9 0 0 0 0\nM  V30 END ATOM\n"            \
    "M  V30 BEGIN BOND\n"
#define SAID " (coordination, zero order or a query), which has no valence to give hydrogens by; "

/* Checks a copy that ends where the text ends, so that reading on is seen. */
static enum berth_status check(const char *text, size_t size, struct berth_error *error)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    const enum berth_status status = berth_molfile_check(copy, size, error);
    free(copy);
    return status;
}

static void accept(const char *text)
{
    struct berth_error error;
    assert_int_equal(check(text, strlen(text), &error), BERTH_OK);
}

static void refuse(const char *text, const char *begin)
{
    struct berth_error error = {0};
    assert_int_equal(check(text, strlen(text), &error), BERTH_E_FORMAT);
    if (strncmp(error.message, begin, strlen(begin)) != 0 || !strstr(error.message, SAID)) {
        fail_msg("'%s' does not begin with '%s'", error.message, begin);
    }
}

static void takes_bonds_with_an_order(void **state)
{
    (void)state;
    accept(V2000 "  1  2  1  0\n  2  3  4  0\nM  END\n$$$$\n");
    accept(V2000 "  1  2  2\n  2  3  3\nM  END");
    accept(V3000 "M  V30 1 1 1 2\nM  V30 2 4 1 2 CFG=1\nM  V30 END BOND\nM  V30 1 9 1 2\n");
    accept(V2000 "  1  2  1  0\n  2  3  1  0\nA    1\nCH3\nM  CHG  1   1   1\nM  END\n> <x>\n1\n");
}

static void names_bonds_without(void **state)
{
    (void)state;
    refuse(V2000 "  1  2  1  0\n  2  3  0  0\nM  END\n", "bond 2 is of type 0 ");
    refuse(V2000 "  1  2  8  0\n  2  3  9  0\nM  END\n", "bond 1 is of type 8 ");
    refuse(V2000 "  1  2  1  0\n  2  3 10", "bond 2 is of type 10 ");
    refuse(V3000 "M  V30 1 1 1 2\nM  V30 7 9 1 2\n", "bond 7 is of type 9 ");
}

static void leaves_the_unreadable_to_others(void **state)
{
    (void)state;
    accept("");
    accept("name");
    accept("\n\n\n\n");
    accept("\n\n\n -1 -1\n  1  2  8\n");
    accept(V2000 "  1  2\n  x  y  z\n");
    accept(V3000 "M  V30 BEGIN BOND\nM  V30 x\n");
}

/* Programs read one atom here, and say nothing of the others. */
static void refuses_wrong_counts(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        "\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n"
        "    1.0000    0.0000    0.0000 C   0  0\nM  END\n",
        V2000 "  1  2  1  0\nM  END\n",
        V2000 "  1  2  1  0\n  2  3  1  0\n  1  3  1  0\nM  END\n",
        V2000,
        "\n\n\n  4  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM "
        " END\n",
        "\n\n\n999999\n"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        struct berth_error error = {0};
        assert_int_equal(check(TEXTS[i], strlen(TEXTS[i]), &error), BERTH_E_FORMAT);
        assert_non_null(strstr(error.message, "and has other lines of them"));
    }
}

static void says(const char *text, const char *wanted)
{
    struct berth_error error = {0};
    assert_int_equal(check(text, strlen(text), &error), BERTH_E_FORMAT);
    if (!strstr(error.message, wanted)) {
        fail_msg("'%s' does not say '%s'", error.message, wanted);
    }
}

#define ROWS                                                                                       \
    "    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.1000 C   0  0\n"           \
    "    9.0000    0.0000    0.2000 Cl  0  0\n"

/* What programs read as another molecule. */
static void refuses_what_is_another_molecule(void **state)
{
    (void)state;
    says(V2000 "  1  2  1  0\n  2  3  1  0\nA    2\nOMe\nM  END\n", "atom 2 (C)");
    says("name\n\n\n  3  0  0  0  0  0  0  0  0  0999 V2000\n" ROWS "M  END\n", "no bonds");
    says("name\n\n\n  3  1  0  0  0  0  0  0  0  0999 V2000\n" ROWS "  1  3  1\nM  END\n",
         "atoms 1 (C1) and 2 (C2)");
    accept("name\n\n\n  3  1  0  0  0  0  0  0  0  0999 V2000\n" ROWS "  1  2  1\nM  END\n");
    says("name\n\n  3  0  0  0  0  0  0  0  0  0999 V2000\n" ROWS "M  END\n", "line 3 of");
    says("name\n\nx\ny\n  3  0  0  0  0  0  0  0  0  0999 V2000\n" ROWS "M  END\n", "line 5 of");
    says("name\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n"
         "M  V30 COUNTS 2 0 0 0 0\n",
         "no bonds");
}

static void reads_atoms_and_bonds(void **state)
{
    (void)state;
    static const char TEXT[] = V2000 "  1  2  2  0\n  2  3  4  0\nM  END\n";
    struct berth_molecule molecule;
    struct berth_error error;
    assert_int_equal(berth_molfile_read(TEXT, sizeof TEXT - 1, &molecule, &error), BERTH_OK);
    assert_int_equal(molecule.atom_count, 3);
    assert_int_equal(molecule.bond_count, 2);
    assert_string_equal(molecule.atoms[2].name, "C3");
    assert_int_equal(molecule.atoms[2].element, 6);
    assert_true(molecule.atoms[2].position[0] == 2.0);
    assert_int_equal(molecule.bonds[1].first, 1);
    assert_string_equal(molecule.bonds[0].type, "2");
    assert_string_equal(molecule.bonds[1].type, "ar");
    berth_molecule_clear(&molecule);
    static const char WRONG[] = V2000 "  1  2  2  0\n  2  4  1  0\nM  END\n";
    assert_int_equal(berth_molfile_read(WRONG, sizeof WRONG - 1, &molecule, &error),
                     BERTH_E_FORMAT);
}

static void reads_charges(void **state)
{
    (void)state;
    static const char TEXT[] = V2000 "  1  2  2  0\n  2  3  1  0\nM  ISO  1   1   2\n"
                                     "M  CHG  2   1   1   3  -1\nM  CHG  1   9   5\nM  END\n";
    struct berth_molecule molecule;
    struct berth_error error;
    assert_int_equal(berth_molfile_read(TEXT, sizeof TEXT - 1, &molecule, &error), BERTH_OK);
    assert_int_equal(molecule.atoms[0].charge, 1);
    assert_int_equal(molecule.atoms[1].charge, 0);
    assert_int_equal(molecule.atoms[2].charge, -1);
    berth_molecule_clear(&molecule);
    /* without such lines, as old programs write them */
    static const char OLD[] = "\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
                              "    0.0000    0.0000    0.0000 O   0  5  0\nM  END\n";
    assert_int_equal(berth_molfile_read(OLD, sizeof OLD - 1, &molecule, &error), BERTH_OK);
    assert_int_equal(molecule.atoms[0].charge, -1);
    berth_molecule_clear(&molecule);
}

/* Any cut and any changed byte: nothing beyond the end is read. */
static void survives_damage(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {V2000 "  1  2  1  0\n  2  3  9  0\nM  END\n",
                                        V3000 "M  V30 1 1 1 2\nM  V30 7 9 1 2\nM  V30 END BOND\n"};
    const unsigned seed = (unsigned)time(NULL);
    print_message("# seed %u\n", seed);
    srand(seed);
    for (int t = 0; t < 2; t++) {
        const size_t size = strlen(TEXTS[t]);
        for (size_t cut = 0; cut < size; cut++) {
            char text[512];
            struct berth_error error;
            memcpy(text, TEXTS[t], size);
            (void)check(text, cut, &error);
            text[(size_t)rand() % size] = (char)rand();
            text[(size_t)rand() % size] = "09 -\n"[rand() % 5];
            const enum berth_status status = check(text, size, &error);
            assert_true(status == BERTH_OK || status == BERTH_E_FORMAT);
            struct berth_molecule molecule;
            (void)berth_molfile_read(text, size, &molecule, &error);
            berth_molecule_clear(&molecule);
        }
    }
}

static void cuts_out_data_items(void **state)
{
    (void)state;
    static const char text[] =
        "title\n  program\n\nM  END\n> 25 <one> (1)\nfirst\nsecond\n\n>  <none>\n\n"
        "> no name\n\n> <bare>\nvalue\n> <empty>\n> <last>\nend\n$$$$\n";
    static const char *const ITEMS[][2] = {
        {"one", "first\nsecond"}, {"none", ""}, {"bare", "value"}, {"empty", ""}, {"last", "end"}};
    const size_t count = sizeof ITEMS / sizeof *ITEMS;
    struct berth_sdf_tags tags = {.count = 0};
    struct berth_error error;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(berth_sdf_tags_read(text, sizeof text - 1, &tags, &error), BERTH_OK);
        assert_int_equal(tags.count, count);
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(tags.items[i].name, ITEMS[i][0]);
            assert_string_equal(tags.items[i].value, ITEMS[i][1]);
            assert_string_equal(berth_sdf_tags_find(&tags, ITEMS[i][0]), ITEMS[i][1]);
        }
    }
    assert_string_equal(berth_sdf_tags_find(&tags, "two"), "");
    berth_sdf_tags_clear(&tags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_bonds_with_an_order),
                                       cmocka_unit_test(names_bonds_without),
                                       cmocka_unit_test(leaves_the_unreadable_to_others),
                                       cmocka_unit_test(refuses_wrong_counts),
                                       cmocka_unit_test(refuses_what_is_another_molecule),
                                       cmocka_unit_test(reads_atoms_and_bonds),
                                       cmocka_unit_test(reads_charges),
                                       cmocka_unit_test(cuts_out_data_items),
                                       cmocka_unit_test(survives_damage)};
    return cmocka_run_group_tests_name("molfile", tests, NULL, NULL);
}

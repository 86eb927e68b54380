/* Which molecules are conformers of one ligand, and under which name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/memory.h"
#include "chem/ligand.h"

/* Carbon monoxide under this title; the test clears it. */
static struct berth_molecule make(const char *title)
{
    struct berth_molecule molecule = {.title = berth_copy_text(title),
                                      .atoms = berth_alloc(2, sizeof(struct berth_atom)),
                                      .atom_count = 2,
                                      .bonds = berth_alloc(1, sizeof(struct berth_bond)),
                                      .bond_count = 1};
    assert_true(molecule.title && molecule.atoms && molecule.bonds);
    strcpy(molecule.atoms[0].name, "C1");
    strcpy(molecule.atoms[0].type, "C.1");
    strcpy(molecule.atoms[1].name, "O1");
    strcpy(molecule.atoms[1].type, "O.2");
    molecule.bonds[0].second = 1;
    strcpy(molecule.bonds[0].type, "3");
    return molecule;
}

static void expect_name(const char *title, const char *expected)
{
    assert_int_equal(berth_ligand_stem(title), strlen(expected));
    assert_memory_equal(title, expected, strlen(expected));
}

static void test_name(void **state)
{
    (void)state;
    expect_name("ZINC02227500_0_C0000", "ZINC02227500_0");
    expect_name("aspirin_conf12", "aspirin");
    expect_name("aspirin", "aspirin");
    expect_name("aspirin_C", "aspirin_C");
    expect_name("aspirin_12", "aspirin_12");
    expect_name("aspirinC12", "aspirinC12");
    expect_name("a_C1_C2", "a_C1");
    expect_name("_C1", "_C1");
    expect_name("_conf1", "_conf1");
    expect_name("17", "17");
    expect_name("", "");
}

static void expect_accepted(const struct berth_ligand *ligand, struct berth_molecule molecule,
                            bool expected)
{
    assert_int_equal(berth_ligand_accepts(ligand, &molecule), expected);
    berth_molecule_clear(&molecule);
}

static void test_accepts(void **state)
{
    (void)state;
    struct berth_error error;
    struct berth_ligand ligand = {0};
    expect_accepted(&ligand, make("co_C1"), false);
    struct berth_molecule first = make("co_C1");
    assert_int_equal(berth_ligand_add(&ligand, &first, false, &error), BERTH_OK);
    assert_null(first.atoms);
    assert_string_equal(ligand.name, "co");
    expect_accepted(&ligand, make("co_C2"), true);
    expect_accepted(&ligand, make("co"), true);
    expect_accepted(&ligand, make("co2_C2"), false);
    struct berth_molecule other = make("co_C2");
    other.atoms[1].position[2] = 3;
    expect_accepted(&ligand, other, true);
    other = make("co_C2");
    strcpy(other.atoms[1].type, "N.1");
    expect_accepted(&ligand, other, false);
    other = make("co_C2");
    strcpy(other.atoms[1].name, "O2");
    expect_accepted(&ligand, other, false);
    other = make("co_C2");
    strcpy(other.bonds[0].type, "2");
    expect_accepted(&ligand, other, false);
    other = make("co_C2");
    other.bond_count = 0;
    expect_accepted(&ligand, other, false);
    berth_ligand_clear(&ligand);
    assert_null(ligand.name);
}

static void test_add(void **state)
{
    (void)state;
    struct berth_error error;
    struct berth_ligand ligand = {0};
    for (int i = 0; i < 20; i++) {
        struct berth_molecule molecule = make("co_conf7");
        molecule.line = (size_t)i;
        assert_int_equal(berth_ligand_add(&ligand, &molecule, true, &error), BERTH_OK);
    }
    assert_string_equal(ligand.name, "co_conf7");
    assert_int_equal(ligand.conformer_count, 20);
    assert_int_equal(ligand.conformers[19].line, 19);
    berth_ligand_clear(&ligand);
    berth_ligand_clear(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_name), cmocka_unit_test(test_accepts),
                                       cmocka_unit_test(test_add)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which rings are aromatic: molecules made by hand, as RDKit and Open Babel draw them, and what
 * their types, bonds and SMILES become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chem/bonds.h"
#include "chem/features.h"
#include "chem/stereo.h"
#include "chem/torsion.h"
#include "chem/type_rules.h"
#include "format/smiles/smiles.h"
#include "sketch.h"

#define URACIL                                                                                     \
    "N.ar C.ar C.ar C.ar O.2 N.ar C.ar O.2 H H H H; 1:2 2:3 3:4 4=5 4:6 6:7 7=8 7:1 1-9 2-10 "     \
    "3-11 6-12"
#define HYPOXANTHINE                                                                               \
    "N.ar C.ar N.ar C.ar C.ar C.ar O.2 N.ar C.ar N.ar H H H H; 1:2 2:3 3:4 4:5 5:6 6:1 6=7 5:8 "   \
    "8:9 9:10 10:4 1-11 2-12 9-13 10-14"
#define IMIDAZOLIUM "N.ar C.ar N.ar C.ar C.ar H H H H H; 1:2 2:3 3:4 4:5 5:1 1-6 2-7 3-8 4-9 5-10"
#define TOLUENE                                                                                    \
    "C.3 C.ar C.ar C.ar C.ar C.ar C.ar H H H H H H H H; 1-2 2:3 3:4 4:5 5:6 6:7 7:2 1-8 1-9 1-10 " \
    "3-11 4-12 5-13 6-14 7-15"

/* The SMILES that is printed of the molecule. */
static void expect_smiles(const struct berth_molecule *molecule, const char *smiles)
{
    struct berth_bytes text = {0};
    struct berth_error error;
    struct berth_facts facts;
    bool known;
    size_t order[256];
    assert_int_equal(berth_facts_find(molecule, BERTH_FACT_AROMATIC, &facts, &error), BERTH_OK);
    assert_int_equal(berth_smiles_write(&facts, true, NULL, &text, order, &known, &error),
                     BERTH_OK);
    berth_facts_clear(&facts);
    assert_true(known);
    berth_bytes_put8(&text, 0);
    assert_string_equal((const char *)text.data, smiles);
    berth_bytes_clear(&text);
}

/* What the types and bonds of heavy atoms become, and the SMILES before and after that. */
static void expect(const char *drawn, const char *corrected, const char *smiles)
{
    struct berth_molecule molecule = sketch(drawn);
    struct berth_error error;
    char text[1024] = "";
    size_t length = 0;
    expect_smiles(&molecule, smiles);
    assert_int_equal(berth_types_correct(&molecule, &error), BERTH_OK);
    for (size_t i = 0; i < molecule.atom_count; i++) {
        if (molecule.atoms[i].heavy) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s ",
                                       molecule.atoms[i].type);
        }
    }
    for (size_t b = 0; b < molecule.bond_count; b++) {
        if (molecule.atoms[molecule.bonds[b].second].heavy) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s ",
                                       molecule.bonds[b].type);
        }
    }
    assert_string_equal(text, corrected);
    expect_smiles(&molecule, smiles);
    berth_molecule_clear(&molecule);
}

static void test_lactams_are_not(void **state)
{
    (void)state;
    expect(URACIL, "N.am C.2 C.2 C.2 O.2 N.am C.2 O.2 1 2 1 2 am am 2 am ", "N1C=CC(=O)NC1=O");
}

static void test_imidazole_beside_one_is(void **state)
{
    (void)state;
    expect(HYPOXANTHINE, "N.am C.2 N.2 C.2 C.2 C.2 O.2 N.2 C.2 N.pl3 1 2 1 ar 1 am 2 ar ar ar ar ",
           "N1C=Nc2c(C1=O)nc[nH]2");
}

static void test_charged_ones_are(void **state)
{
    (void)state;
    expect(IMIDAZOLIUM, "N.pl3 C.2 N.pl3 C.2 C.2 2 1 1 2 1 ", "[nH+]1c[nH]cc1");
}

static void test_benzene_is(void **state)
{
    (void)state;
    expect(TOLUENE, "C.3 C.ar C.ar C.ar C.ar C.ar C.ar 1 ar ar ar ar ar ar ", "Cc1ccccc1");
}

/* So many atoms, each bonded to all others. */
static struct berth_molecule all_bonded(size_t count, const char *atom, const char *bond)
{
    struct berth_molecule molecule = sketch("");
    molecule.atom_count = count;
    for (size_t i = 0; i < count; i++) {
        molecule.atoms[i] = (struct berth_atom){.element = 6, .heavy = true};
        snprintf(molecule.atoms[i].type, sizeof molecule.atoms[i].type, "%s", atom);
        molecule.atoms[i].position[0] = (double)i;
        for (size_t k = 0; k < i; k++) {
            struct berth_bond *made = &molecule.bonds[molecule.bond_count++];
            *made = (struct berth_bond){.first = k, .second = i};
            snprintf(made->type, sizeof made->type, "%s", bond);
        }
    }
    return molecule;
}

/* Ways round rings are not walked where no ring is aromatic or flat: of 20 atoms there are 10^11.
 */
static void test_all_bonded(void **state)
{
    static const char *const TYPES[][2] = {{"C.ar", "ar"}, {"C.2", "1"}, {"C.2", "2"}};
    struct berth_error error;
    (void)state;
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        struct berth_molecule molecule = all_bonded(20, TYPES[i][0], TYPES[i][1]);
        struct berth_featured featured;
        struct berth_torsion_tree tree;
        struct berth_stereo stereo = {0};
        struct berth_facts facts;
        assert_int_equal(berth_facts_find(&molecule, BERTH_FACT_AROMATIC, &facts, &error),
                         BERTH_OK);
        berth_facts_clear(&facts);
        assert_int_equal(berth_features_find(&molecule, &featured, &error), BERTH_OK);
        assert_int_equal(berth_torsion_tree_find(&molecule, &tree, &error), BERTH_OK);
        assert_int_equal(berth_stereo_find(&molecule, NULL, &stereo, &error), BERTH_OK);
        assert_int_equal(berth_types_correct(&molecule, &error), BERTH_OK);
        assert_int_equal(tree.count, 0);
        berth_featured_clear(&featured);
        berth_torsion_tree_clear(&tree);
        berth_stereo_clear(&stereo);
        berth_molecule_clear(&molecule);
    }
    struct berth_molecule molecule = all_bonded(22, "C.3", "1");
    struct berth_adjacency adjacency;
    assert_int_equal(berth_adjacency_find(&molecule, &adjacency, &error), BERTH_E_FORMAT);
    assert_non_null(strstr(error.message, "has 21 bonds"));
    berth_molecule_clear(&molecule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lactams_are_not), cmocka_unit_test(test_imidazole_beside_one_is),
        cmocka_unit_test(test_charged_ones_are), cmocka_unit_test(test_benzene_is),
        cmocka_unit_test(test_all_bonded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

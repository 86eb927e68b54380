/* The largest part that two molecules have in common, of pairs where it is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "chem/common_core.h"
#include "prep/patterns.h"
#include "unit/sketch.h"

#define BENZENE  "C.ar C.ar C.ar C.ar C.ar C.ar"
#define AROMATIC "1:2 2:3 3:4 4:5 5:6 6:1"

static struct berth_facts facts_of(const struct berth_molecule *molecule)
{
    struct berth_facts facts;
    struct berth_error error;
    assert_int_equal(berth_facts_find(molecule, BERTH_PATTERN_FACTS, &facts, &error), BERTH_OK);
    return facts;
}

/* What a pair has in common is a map that keeps elements and bonds. */
static void expect_map(const struct berth_molecule *reference, const struct berth_molecule *ligand,
                       const struct berth_common_core *core)
{
    for (size_t i = 0; i < core->count; i++) {
        assert_int_equal(reference->atoms[core->reference[i]].element,
                         ligand->atoms[core->ligand[i]].element);
        for (size_t k = 0; k < i; k++) {
            bool bonded[2] = {false, false};
            const size_t *atoms[2] = {core->reference, core->ligand};
            const struct berth_molecule *molecules[2] = {reference, ligand};
            for (int side = 0; side < 2; side++) {
                for (size_t b = 0; b < molecules[side]->bond_count; b++) {
                    const struct berth_bond *bond = &molecules[side]->bonds[b];
                    const size_t x = atoms[side][i], y = atoms[side][k];
                    bonded[side] = bonded[side] || (bond->first == x && bond->second == y) ||
                                   (bond->first == y && bond->second == x);
                }
            }
            assert_int_equal(bonded[0], bonded[1]);
        }
    }
}

static bool count_way(void *context, const size_t *atoms)
{
    (void)atoms;
    ++*(size_t *)context;
    return true;
}

/* How many atoms they have in common; *ways: how these can lie on the reference's. */
static size_t common(const struct berth_molecule *reference, const struct berth_molecule *ligand,
                     size_t *ways)
{
    struct berth_facts facts[2] = {facts_of(reference), facts_of(ligand)};
    struct berth_common_core core;
    struct berth_error error;
    assert_int_equal(berth_common_core_find(&facts[0], &facts[1], &core, &error), BERTH_OK);
    expect_map(reference, ligand, &core);
    *ways = 0;
    assert_int_equal(berth_common_core_ways(&facts[0], &facts[1], &core, count_way, ways, &error),
                     BERTH_OK);
    berth_facts_clear(&facts[0]);
    berth_facts_clear(&facts[1]);
    return core.count;
}

/* Numbers the atoms otherwise, and names bonds from their other end. */
static void shuffle(uint64_t *random, struct berth_molecule *molecule)
{
    size_t to[256] = {0};
    struct berth_atom atoms[256];
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const size_t other = berth_random_bits(random) % (i + 1);
        to[i] = i;
        const size_t last = to[other];
        to[other] = to[i];
        to[i] = last;
        atoms[i] = molecule->atoms[i];
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        molecule->atoms[to[i]] = atoms[i];
    }
    for (size_t b = 0; b < molecule->bond_count; b++) {
        struct berth_bond *bond = &molecule->bonds[b];
        const size_t first = bond->first;
        bond->first = to[bond->second];
        bond->second = to[first];
    }
}

static const char TOLUENE[] = BENZENE " C.3 H H H; " AROMATIC " 1-7 7-8 7-9 7-10";
static const char NAPHTHALENE[] =
    BENZENE " C.ar C.ar C.ar C.ar; " AROMATIC " 1:7 7:8 8:9 9:10 10:2";
/* Two rings with an ether between, and what hangs on the second. */
#define ETHER  BENZENE " O.3 " BENZENE
#define JOINED AROMATIC " 1-7 7-8 8:9 9:10 10:11 11:12 12:13 13:8"

static void test_pairs(void **state)
{
    static const struct {
        const char *what, *reference, *ligand;
        size_t atoms, ways;
    } PAIRS[] = {
        {"a molecule with itself", TOLUENE, TOLUENE, 7, 2},
        {"a ring", BENZENE "; " AROMATIC, BENZENE "; " AROMATIC, 6, 12},
        {"another element on a ring", TOLUENE, BENZENE " O.3; " AROMATIC " 1-7", 6, 12},
        {"a ring of two that share a bond", BENZENE "; " AROMATIC, NAPHTHALENE, 6, 12},
        {"no part of a ring", "C.3 C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5 5-6 6-1",
         "C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5 5-1", 1, 1},
        {"a chain is no ring", "C.3 C.3 C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5 5-6 6-1",
         "C.3 C.3 C.3 C.3; 1-2 2-3 3-4", 0, 1},
        {"of two parts the larger one", ETHER "; " JOINED,
         BENZENE " N.3 C.3 C.3; " AROMATIC " 1-7 7-8 8-9", 6, 12},
        {"both rings with what joins them", ETHER " F; " JOINED " 9-14",
         ETHER " Cl; " JOINED " 2-14", 13, 8},
        {"orders of bonds may differ", "C.3 C.2 O.2 N.am; 1-2 2=3 2~4",
         "C.3 C.2 O.3 N.2; 1-2 2-3 2=4", 4, 1},
        {"an acid's other oxygen", "C.3 C.2 O.co2 O.co2; 1-2 2=3 2-4",
         "C.3 C.2 O.2 N.am; 1-2 2=3 2~4", 3, 2},
        {"a branch", "C.3 C.3 C.3 N.3 C.3; 1-2 2-3 3-4 2-5", "C.3 C.3 N.3; 1-2 2-3", 3, 1}};
    uint64_t random = 20261125;
    (void)state;
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        struct berth_molecule reference = sketch(PAIRS[i].reference);
        struct berth_molecule ligand = sketch(PAIRS[i].ligand);
        for (int numbering = 0; numbering < 20; numbering++) {
            size_t ways;
            const size_t atoms = common(&reference, &ligand, &ways);
            if (atoms != PAIRS[i].atoms || ways != PAIRS[i].ways) {
                fail_msg("%s: %zu atoms in %zu ways, not %zu in %zu", PAIRS[i].what, atoms, ways,
                         PAIRS[i].atoms, PAIRS[i].ways);
            }
            shuffle(&random, numbering % 2 ? &reference : &ligand);
        }
        berth_molecule_clear(&reference);
        berth_molecule_clear(&ligand);
    }
}

/* A molecule and what is left of it without its last atoms: all of that, however they are numbered
 * and although there are many ways to begin. */
static void test_large(void **state)
{
    char text[2048] = "", bonds[1024] = "";
    uint64_t random = 7;
    (void)state;
    for (int i = 0; i < 40; i++) { /* a chain of carbons with nitrogens here and there */
        strcat(text, i % 7 == 2 ? "N.3 " : "C.3 ");
        if (i) {
            snprintf(bonds + strlen(bonds), 16, "%d-%d ", i, i + 1);
        }
    }
    text[strlen(text) - 1] = ';';
    strcat(strcat(text, " "), bonds);
    struct berth_molecule whole = sketch(text), part = sketch(text);
    part.atom_count -= 12;
    part.bond_count -= 12;
    for (int numbering = 0; numbering < 5; numbering++) {
        size_t ways;
        assert_int_equal(common(&whole, &part, &ways), 28);
        assert_int_equal(ways, 1);
        shuffle(&random, &whole);
        shuffle(&random, &part);
    }
    berth_molecule_clear(&whole);
    berth_molecule_clear(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

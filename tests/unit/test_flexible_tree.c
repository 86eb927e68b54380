/* What turns in a ligand whose torsion tree is known and whose bonds are not, as in a library: the
 * same as with its bonds.  Trees that are none.  The seed is fresh and printed; BERTH_TEST_SEED
 * repeats one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flexible_support.h"
#include "format/mol2/mol2.h"

enum { TRIALS = 40 };

/* The tree over the heavy atoms alone, as a library stores it; the caller clears it. */
static struct berth_torsion_tree heavy_tree(const struct berth_molecule *molecule)
{
    struct berth_torsion_tree tree;
    struct berth_error error;
    uint32_t heavy_of[1000] = {0}, heavy = 0;
    assert_int_equal(berth_torsion_tree_find(molecule, &tree, &error), BERTH_OK);
    assert_true(molecule->atom_count <= 1000);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        heavy_of[i] = molecule->atoms[i].heavy ? heavy++ : UINT32_MAX;
    }
    tree.moved_count = 0;
    for (size_t t = 0; t < tree.count; t++) {
        struct berth_torsion *torsion = &tree.torsions[t];
        const size_t start = torsion->moved_start, end = start + torsion->moved_count;
        uint32_t *moved = berth_alloc(torsion->moved_count, sizeof *moved);
        assert_non_null(moved);
        torsion->first = heavy_of[torsion->first];
        torsion->second = heavy_of[torsion->second];
        torsion->moved_count = 0;
        for (size_t i = start; i < end; i++) {
            if (heavy_of[tree.moved[i]] != UINT32_MAX) {
                moved[torsion->moved_count++] = heavy_of[tree.moved[i]];
            }
        }
        memcpy(tree.moved + start, moved, torsion->moved_count * sizeof *moved);
        free(moved);
        tree.moved_count = end > tree.moved_count ? end : tree.moved_count;
    }
    return tree;
}

/* The heavy atoms as a library keeps them, to 0.001 Å; the caller clears them. */
static struct berth_heavy_atoms heavy_atoms(const struct berth_molecule *molecule)
{
    struct berth_heavy_atoms heavy = {berth_alloc(molecule->atom_count, sizeof *heavy.atoms), 0};
    assert_non_null(heavy.atoms);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        for (int k = 0; molecule->atoms[i].heavy && k < 3; k++) {
            heavy.atoms[heavy.count].position[k] =
                round(molecule->atoms[i].position[k] * 1000) / 1000;
        }
        heavy.count += molecule->atoms[i].heavy;
    }
    return heavy;
}

static void expect_same(const struct berth_flexible *a, const struct berth_flexible *b)
{
    assert_int_equal(a->atom_count, b->atom_count);
    assert_int_equal(a->words, b->words);
    assert_int_equal(a->fixed, b->fixed);
    assert_int_equal(a->tree.count, b->tree.count);
    assert_int_equal(a->tree.moved_count, b->tree.moved_count);
    for (size_t t = 0; t < a->tree.count; t++) {
        const struct berth_torsion *p = &a->tree.torsions[t], *q = &b->tree.torsions[t];
        assert_true(p->first == q->first && p->second == q->second &&
                    p->moved_start == q->moved_start && p->moved_count == q->moved_count);
    }
    assert_memory_equal(a->tree.moved, b->tree.moved, a->tree.moved_count * sizeof *a->tree.moved);
    assert_memory_equal(a->far, b->far, a->atom_count * a->words * sizeof *a->far);
}

/* With and without bonds it is the same. */
static void expect_bonds_found(const struct berth_molecule *molecule)
{
    struct berth_flexible with_bonds, without;
    struct berth_error error;
    struct berth_torsion_tree tree = heavy_tree(molecule);
    struct berth_heavy_atoms heavy = heavy_atoms(molecule);
    assert_int_equal(berth_flexible_find(molecule, 4, &with_bonds, &error), BERTH_OK);
    const enum berth_status status = berth_flexible_from_tree(&heavy, &tree, 4, &without, &error);
    if (status) {
        fail_msg("%s: %s", molecule->title, error.message);
    }
    expect_same(&with_bonds, &without);
    berth_flexible_clear(&with_bonds);
    berth_flexible_clear(&without);
    berth_torsion_tree_clear(&tree);
    berth_heavy_atoms_clear(&heavy);
}

static void test_random(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct berth_molecule molecule = random_molecule(6 + below(ATOMS - 6));
        expect_bonds_found(&molecule);
        berth_molecule_clear(&molecule);
    }
}

static void test_drugs(void **state)
{
    (void)state;
    struct berth_mol2_reader *reader;
    struct berth_molecule molecule = {0};
    struct berth_error error;
    size_t count = 0;
    assert_int_equal(berth_mol2_reader_create("data/demo/ten_drugs.mol2.gz", &reader, &error),
                     BERTH_OK);
    for (bool end = false;; count++) {
        assert_int_equal(berth_mol2_next(reader, &molecule, &end, &error), BERTH_OK);
        if (end) {
            break;
        }
        expect_bonds_found(&molecule);
    }
    assert_true(count >= 10);
    berth_molecule_clear(&molecule);
    berth_mol2_reader_destroy(reader);
}

static void expect_bonds_found_at(const char *molecule_text, const double (*places)[3])
{
    struct berth_molecule molecule = sketch(molecule_text);
    for (size_t i = 0; i < molecule.atom_count; i++) {
        memcpy(molecule.atoms[i].position, places[i], sizeof places[i]);
    }
    expect_bonds_found(&molecule);
    berth_molecule_clear(&molecule);
}

/* Iodine is farther from its carbon than two atoms of a tetrazole are that have one between them.
 */
static void test_long_and_short(void **state)
{
    (void)state;
    const double iodide[5][3] = {
        {2.14, 0, 0}, {0, 0, 0}, {-0.5, 1.45, 0}, {-2.03, 1.45, 0.1}, {-2.6, 2.9, 0}};
    expect_bonds_found_at("I C.3 C.3 C.3 C.3; 1-2 2-3 3-4 4-5", iodide);
    double tetrazole[8][3] = {{0}};
    for (size_t i = 0; i < 5; i++) { /* sides of 1.32 Å, 2.13 Å across */
        tetrazole[i][0] = 1.123 * cos(0.4 * PI * (double)i);
        tetrazole[i][1] = 1.123 * sin(0.4 * PI * (double)i);
    }
    const double ethyl[3][3] = {{2.6, 0, 0}, {3.1, 1.4, 0}, {4.6, 1.4, 0.2}};
    memcpy(tetrazole + 5, ethyl, sizeof ethyl);
    expect_bonds_found_at("C.2 N.2 N.2 N.2 N.2 C.3 C.3 C.3; 1:2 2:3 3:4 4:5 5:1 1-6 6-7 7-8",
                          (const double(*)[3])tetrazole);
}

/* --- Trees that are none --- */

/* A chain of six: 3>4 moves 5, 6; 3>2 moves 1; 4>5 moves 6; counted from 0 here. */
struct chain_tree {
    struct berth_torsion torsions[4];
    uint32_t moved[8];
    struct berth_torsion_tree tree;
};

static enum berth_status try_tree(struct chain_tree *chain_tree, size_t count)
{
    struct berth_molecule molecule = chain(6);
    struct berth_heavy_atoms heavy = heavy_atoms(&molecule);
    struct berth_flexible flexible;
    struct berth_error error;
    memset(&flexible, 0xa5, sizeof flexible);
    chain_tree->tree = (struct berth_torsion_tree){.torsions = chain_tree->torsions,
                                                   .count = count,
                                                   .moved = chain_tree->moved,
                                                   .moved_count = 8};
    const enum berth_status status =
        berth_flexible_from_tree(&heavy, &chain_tree->tree, 4, &flexible, &error);
    if (status) { /* cleared */
        assert_null(flexible.far);
        assert_null(flexible.tree.torsions);
    }
    berth_flexible_clear(&flexible);
    berth_heavy_atoms_clear(&heavy);
    berth_molecule_clear(&molecule);
    return status;
}

static void test_bad_trees(void **state)
{
    (void)state;
    const struct chain_tree good = {.torsions = {{2, 3, 0, 2}, {2, 1, 2, 1}, {3, 4, 3, 1}},
                                    .moved = {4, 5, 0, 5, 4, 1, 2, 3}};
    const struct {
        size_t number;
        struct berth_torsion torsion;
    } bad[] = {
        {0, {6, 3, 0, 2}},        /* no such atom */
        {0, {2, 7, 0, 2}},        /* nor this */
        {0, {3, 3, 0, 2}},        /* no axis */
        {2, {3, 4, 8, 1}},        /* moves atoms beyond the list */
        {2, {3, 4, SIZE_MAX, 2}}, /* and where the sum is a small number */
        {2, {3, 4, 4, 1}},        /* its own axis */
        {1, {3, 4, 3, 1}},        /* twice the same */
        {2, {4, 3, 2, 1}},        /* the other side, with the axis of what came before */
        {0, {3, 4, 3, 1}},        /* an outer bond first */
        {1, {4, 0, 5, 1}},        /* an axis from one side to the other */
        {1, {0, 1, 6, 1}},        /* moves the axis of what came before */
        {2, {1, 2, 7, 1}},        /* its other atom */
        {2, {3, 4, 2, 1}},        /* what lies apart */
    };
    struct chain_tree chain_tree = good;
    assert_int_equal(try_tree(&chain_tree, 3), BERTH_OK);
    assert_int_equal(try_tree(&chain_tree, 0), BERTH_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        chain_tree = good;
        chain_tree.torsions[bad[i].number] = bad[i].torsion;
        if (bad[i].number == 0 && bad[i].torsion.first == 3 && bad[i].torsion.second == 4) {
            chain_tree.torsions[2] = good.torsions[0];
        }
        if (try_tree(&chain_tree, 3) != BERTH_E_FORMAT) {
            fail_msg("tree %zu is taken", i);
        }
    }
    chain_tree = good;
    assert_int_equal(try_tree(&chain_tree, 6), BERTH_E_FORMAT); /* more bonds than a tree has */
}

int main(void)
{
    seed_random();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_drugs),
                                       cmocka_unit_test(test_long_and_short),
                                       cmocka_unit_test(test_bad_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

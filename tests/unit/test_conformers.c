/* Conformers of molecules made by hand, and the RMSD that tells them apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "chem/conformers.h"
#include "chem/geometry.h"
#include "sketch.h"

/* A zigzag chain of carbons, 1.53 Å and 112 degrees. */
static struct berth_molecule chain(size_t count)
{
    char text[512] = "", bonds[512] = "";
    for (size_t i = 0; i < count; i++) {
        strcat(text, i + 1 < count ? "C.3 " : "C.3; ");
        if (i) {
            sprintf(bonds + strlen(bonds), "%zu-%zu ", i, i + 1);
        }
    }
    strcat(text, bonds);
    struct berth_molecule molecule = sketch(text);
    for (size_t i = 0; i < count; i++) {
        molecule.atoms[i].position[0] = 1.27 * (double)i;
        molecule.atoms[i].position[1] = i % 2 ? 0.855 : 0;
        molecule.atoms[i].position[2] = 0.001 * (double)(i % 3);
    }
    return molecule;
}

static struct berth_conformers find(const struct berth_molecule *molecule, size_t count,
                                    double min_rmsd)
{
    struct berth_torsion_tree tree;
    struct berth_conformers conformers;
    const struct berth_conformer_search search = {
        .pool = 20 * count, .count = count, .min_rmsd = min_rmsd, .seed = 1};
    struct berth_error error;
    assert_int_equal(berth_torsion_tree_find(molecule, &tree, &error), BERTH_OK);
    assert_int_equal(berth_conformers_find(molecule, &tree, &search, &conformers, &error),
                     BERTH_OK);
    berth_torsion_tree_clear(&tree);
    return conformers;
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void test_superposition(void **state)
{
    (void)state;
    double a[5][3] = {{0, 0, 0}, {1.5, 0, 0}, {2, 1.4, 0}, {3, 2, 1}, {0.3, -1, 2}}, b[5][3];
    const double turn = 2.1;
    for (int i = 0; i < 5; i++) { /* about z, then shifted */
        b[i][0] = cos(turn) * a[i][0] - sin(turn) * a[i][1] + 7;
        b[i][1] = sin(turn) * a[i][0] + cos(turn) * a[i][1] - 3;
        b[i][2] = a[i][2] + 11;
    }
    berth_center(a, 5);
    berth_center(b, 5);
    const double(*p)[3] = (const double(*)[3])a, (*q)[3] = (const double(*)[3])b;
    assert_true(berth_superposed_rmsd(p, q, 5) < 1e-5);
    for (int i = 0; i < 5; i++) { /* the mirror image is no rotation */
        b[i][2] = -b[i][2];
    }
    assert_true(berth_superposed_rmsd(p, q, 5) > 0.3);
    /* two pairs of atoms of lengths 2 and 3 along different axes: each is off by half the
     * difference */
    double c[2][3] = {{-1, 0, 0}, {1, 0, 0}}, d[2][3] = {{0, -1.5, 0}, {0, 1.5, 0}};
    /* atoms on a line make a double root, where Newton's method is half as exact */
    assert_true(fabs(berth_superposed_rmsd((const double(*)[3])c, (const double(*)[3])d, 2) - 0.5) <
                1e-4);
    assert_true(berth_superposed_rmsd(NULL, NULL, 0) == 0);
}

static void test_geometry_is_kept(void **state)
{
    (void)state;
    struct berth_molecule molecule = chain(8);
    struct berth_conformers conformers = find(&molecule, 10, 0.5);
    assert_int_equal(conformers.count, 10);
    for (size_t k = 0; k < conformers.count; k++) {
        const double(*shape)[3] = (const double(*)[3])conformers.positions + 8 * k;
        for (size_t i = 0; i + 2 < 8; i++) { /* bonds, and angles as 1-3 distances */
            for (size_t reach = 1; reach <= 2; reach++) {
                assert_true(fabs(distance(shape[i], shape[i + reach]) -
                                 distance(molecule.atoms[i].position,
                                          molecule.atoms[i + reach].position)) < 1e-9);
            }
        }
        for (size_t i = 0; i < 8; i++) { /* no clash: 0.8 of two radii of 1.7 Å */
            for (size_t j = i + 4; j < 8; j++) {
                assert_true(distance(shape[i], shape[j]) >= 0.8 * 3.4);
            }
        }
    }
    for (size_t i = 0; i < 8; i++) { /* the first is the molecule as it stands */
        assert_true(distance(conformers.positions[i], molecule.atoms[i].position) < 1e-9);
    }
    berth_conformers_clear(&conformers);
    berth_molecule_clear(&molecule);
}

static void test_spacing_and_count(void **state)
{
    (void)state;
    struct berth_molecule molecule = chain(7);
    struct berth_conformers conformers = find(&molecule, 30, 0.7);
    assert_true(conformers.count > 3 && conformers.count < 30);
    for (size_t a = 0; a < conformers.count; a++) {
        for (size_t b = 0; b < a; b++) {
            double p[7][3], q[7][3], reversed[7][3];
            memcpy(p, conformers.positions + 7 * a, sizeof p);
            memcpy(q, conformers.positions + 7 * b, sizeof q);
            for (int i = 0; i < 7; i++) {
                memcpy(reversed[i], q[6 - i], sizeof q[0]);
            }
            berth_center(p, 7);
            berth_center(q, 7);
            berth_center(reversed, 7);
            assert_true(berth_superposed_rmsd((const double(*)[3])p, (const double(*)[3])q, 7) >=
                        0.7);
            assert_true(berth_superposed_rmsd((const double(*)[3])p, (const double(*)[3])reversed,
                                              7) >= 0.7);
        }
    }
    struct berth_conformers again = find(&molecule, 30, 0.7);
    assert_int_equal(again.count, conformers.count);
    assert_memory_equal(again.positions, conformers.positions,
                        7 * conformers.count * sizeof *again.positions);
    berth_conformers_clear(&again);
    berth_conformers_clear(&conformers);
    berth_molecule_clear(&molecule);
}

static void test_rigid(void **state)
{
    (void)state;
    struct berth_molecule molecule = chain(3);
    struct berth_conformers conformers = find(&molecule, 20, 0);
    assert_int_equal(conformers.count, 1);
    berth_conformers_clear(&conformers);
    berth_molecule_clear(&molecule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_superposition), cmocka_unit_test(test_geometry_is_kept),
        cmocka_unit_test(test_spacing_and_count), cmocka_unit_test(test_rigid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Open coordination sites of metals: ideal ones, and angles as crystals have them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "chem/coordination.h"
#include "chem/vectors.h"

enum { C = 6, N = 7, O = 8, S = 16, MG = 12, CA = 20, FE = 26, ZN = 30, ATOMS = 16 };

static struct berth_atom atoms[ATOMS];
static struct berth_molecule receptor;

static void start(int metal)
{
    memset(atoms, 0, sizeof atoms);
    receptor = (struct berth_molecule){.atoms = atoms, .atom_count = 1};
    atoms[0] = (struct berth_atom){.element = metal, .heavy = true, .position = {3, -4, 5}};
}

/* An atom at a distance (Å) from the metal along a direction. */
static void add(int element, double distance, double x, double y, double z)
{
    struct berth_atom *atom = &atoms[receptor.atom_count++];
    double direction[3] = {x, y, z};
    *atom = (struct berth_atom){.element = element, .heavy = true};
    berth_normalise(direction);
    berth_add_scaled(atoms[0].position, distance, direction, atom->position);
}

/* Degrees between an open vertex and the nearest to this direction. */
static double off(const struct berth_coordination *found, double x, double y, double z)
{
    const double direction[3] = {x, y, z};
    double least = 180;
    for (size_t i = 0; i < found->open_count; i++) {
        assert_true(fabs(berth_length(found->open[i]) - 1) < 1e-9);
        least = fmin(least, berth_angle(found->open[i], direction));
    }
    return least;
}

static struct berth_coordination find(void)
{
    struct berth_coordination found;
    assert_true(berth_coordination_find(&receptor, 0, &found));
    return found;
}

/* Zinc with three donors has one open vertex, wherever they are on the tetrahedron. */
static void test_tetrahedron(void **state)
{
    (void)state;
    start(ZN);
    add(N, 2.0, 1, 1, 1);
    add(N, 2.1, 1, -1, -1);
    add(S, 2.3, -1, 1, -1);
    struct berth_coordination found = find();
    assert_int_equal(found.polyhedron, BERTH_TETRAHEDRON);
    assert_int_equal(found.taken, 3);
    assert_int_equal(found.open_count, 1);
    assert_true(found.off < 1e-6 && off(&found, -1, -1, 1) < 1e-3);
    /* three histidines of carbonic anhydrase are 100 degrees apart: off by little */
    start(ZN);
    for (int i = 0; i < 3; i++) {
        add(N, 2.05, sin(1.084) * cos(2.0944 * i), sin(1.084) * sin(2.0944 * i), cos(1.084));
    }
    found = find();
    assert_int_equal(found.polyhedron, BERTH_TETRAHEDRON);
    assert_true(found.open_count == 1 && off(&found, 0, 0, -1) < 1e-3);
    /* a fourth donor closes it */
    add(O, 2.0, 0, 0, -1);
    assert_int_equal(find().open_count, 0);
}

/* Both oxygens of a carboxylate take one vertex, in their middle; a far one has no say. */
static void test_carboxylate(void **state)
{
    (void)state;
    start(ZN);
    add(N, 2.05, 1, 1, 1);
    add(N, 2.05, 1, -1, -1);
    add(O, 2.15, -1 + 0.40, 1 + 0.40, -1);
    add(O, 2.15, -1 - 0.40, 1 - 0.40, -1);
    add(C, 2.5, -1, 1, -1);
    assert_true(berth_distance(atoms[3].position, atoms[4].position) < 2.4);
    struct berth_coordination found = find();
    assert_int_equal(found.taken, 3);
    assert_true(found.open_count == 1 && off(&found, -1, -1, 1) < 1e-3);
    start(ZN);
    add(N, 2.05, 1, 1, 1);
    add(N, 2.05, 1, -1, -1);
    add(O, 2.0, -1, 1, -1);
    add(O, 2.55, -1.9, 0.2, -1);
    assert_true(berth_distance(atoms[3].position, atoms[4].position) < 2.4);
    found = find();
    assert_true(found.taken == 3 && off(&found, -1, -1, 1) < 1e-3);
}

/* Octahedra: magnesium with three donors, calcium with four, haem. */
static void test_octahedron(void **state)
{
    (void)state;
    start(MG);
    add(O, 2.0, 1, 0, 0);
    add(O, 2.1, 0, 1, 0);
    add(O, 2.1, 0, 0, 1);
    struct berth_coordination found = find();
    assert_int_equal(found.polyhedron, BERTH_OCTAHEDRON);
    assert_int_equal(found.open_count, 3);
    assert_true(off(&found, -1, 0, 0) < 1e-3 && off(&found, 0, -1, 0) < 1e-3 &&
                off(&found, 0, 0, -1) < 1e-3);
    /* one of them is in another atom's way */
    add(C, 2.4, -1, 0, 0);
    found = find();
    assert_true(found.open_count == 2 && off(&found, -1, 0, 0) > 80);
    start(FE);
    add(N, 2.0, 1, 1, 0.1);
    add(N, 2.0, 1, -1, 0.1);
    add(N, 2.0, -1, 1, 0.1);
    add(N, 2.0, -1, -1, 0.1);
    add(S, 2.3, 0, 0, 1);
    found = find();
    assert_int_equal(found.polyhedron, BERTH_OCTAHEDRON);
    assert_true(found.open_count == 1 && off(&found, 0, 0, -1) < 1e-3);
}

/* Two vertices at right angles to an axis, and one on it: zinc with 90 and 120 degrees. */
static void test_bipyramid(void **state)
{
    (void)state;
    start(ZN);
    add(N, 2.0, 0, 0, 1);
    add(O, 2.1, 0, 0, -1);
    add(N, 2.0, 1, 0, 0);
    add(N, 2.0, -0.5, sqrt(0.75), 0);
    const struct berth_coordination found = find();
    assert_int_equal(found.polyhedron, BERTH_BIPYRAMID);
    assert_true(found.open_count == 1 && off(&found, -0.5, -sqrt(0.75), 0) < 1e-3);
}

/* Vertices that cannot be known are not made up; nor are those of other elements. */
static void test_unknown(void **state)
{
    struct berth_coordination found;
    (void)state;
    start(CA);
    assert_false(berth_coordination_find(&receptor, 0, &found));
    add(O, 2.4, 0, 0, 1);
    assert_false(berth_coordination_find(&receptor, 0, &found));
    add(O, 2.4, 0.1, 0, -1);
    assert_false(berth_coordination_find(&receptor, 0, &found));
    add(O, 3.3, 1, 0, 0); /* too far to be a donor */
    assert_false(berth_coordination_find(&receptor, 0, &found));
    assert_false(berth_coordination_find(&receptor, 1, &found));
    start(ZN); /* metals that share donors */
    add(N, 2.0, 1, 1, 1);
    add(N, 2.0, 1, -1, -1);
    add(N, 2.0, -1, 1, -1);
    assert_int_equal(find().open_count, 1);
    add(ZN, 3.3, -1, -1, 1);
    assert_false(berth_coordination_find(&receptor, 0, &found));
    assert_true(berth_coordination_length(ZN, S) > berth_coordination_length(ZN, O));
    assert_true(berth_coordination_length(MG, S) == 0 && berth_coordination_length(C, O) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tetrahedron), cmocka_unit_test(test_carboxylate),
        cmocka_unit_test(test_octahedron), cmocka_unit_test(test_bipyramid),
        cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

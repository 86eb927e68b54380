/* Hydrogens that crowd are moved aside, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chem/hydrogens.h"
#include "chem/vectors.h"
#include "unit/sketch.h"

enum { ATOMS = 6 };

/* C1-C2-C3-C4 bent so that a hydrogen of C1 and one of C4 are `apart` Å from each other. */
static void place(double apart, double positions[ATOMS][3])
{
    const double places[ATOMS][3] = {{0, 0, 0},
                                     {0.7, 1.35, 0},
                                     {2.3, 1.35, 0},
                                     {3.0, 0, 0},
                                     {1.5 - apart / 2, -0.3, 0},
                                     {1.5 + apart / 2, -0.3, 0}};
    memcpy(positions, places, sizeof places);
}

static struct berth_molecule chain(void)
{
    return sketch("C.3 C.3 C.3 C.3 H H; 1-2 2-3 3-4 1-5 4-6");
}

static bool crowd(const struct berth_molecule *molecule, double positions[ATOMS][3])
{
    struct berth_error error;
    bool crowded = false;
    assert_int_equal(
        berth_hydrogens_crowd(molecule, (const double(*)[3])positions, &crowded, &error), BERTH_OK);
    return crowded;
}

static void crowded_hydrogens(void **state)
{
    (void)state;
    struct berth_molecule molecule = chain();
    struct berth_error error;
    double positions[ATOMS][3], before[ATOMS][3];
    place(1.0, positions);
    memcpy(before, positions, sizeof before);
    assert_true(crowd(&molecule, positions));
    assert_int_equal(berth_hydrogens_settle(&molecule, positions, &error), BERTH_OK);
    assert_false(crowd(&molecule, positions));
    /* The angle gives way a little. */
    assert_true(fabs(berth_distance(positions[4], positions[1]) -
                     berth_distance(before[4], before[1])) < 0.5);
    assert_memory_equal(positions, before, 4 * sizeof *positions); /* heavy atoms stay */
    assert_true(fabs(berth_distance(positions[4], positions[0]) -
                     berth_distance(before[4], before[0])) < 1e-9);
    berth_molecule_clear(&molecule);
}

/* An amine's hydrogen 1.8 Å from an oxygen is a hydrogen bond, and is not pushed onto a carbon. */
static void hydrogen_bonds_stay(void **state)
{
    (void)state;
    struct berth_molecule molecule = sketch("N.pl3 C.ar C.ar C.ar O.2 H; 1-2 1-3 3-4 4-5 1-6");
    struct berth_error error;
    double positions[ATOMS][3] = {{0, 0, 0},     {-1.2, -0.7, 0},  {1.2, -0.7, 0},
                                  {2.4, 0.1, 0}, {1.5, 1.95, 0.3}, {0, 1.01, 0}};
    assert_int_equal(berth_hydrogens_settle(&molecule, positions, &error), BERTH_OK);
    assert_true(berth_distance(positions[5], positions[4]) < 1.95);
    assert_true(berth_distance(positions[5], positions[1]) > 1.95);
    assert_true(berth_distance(positions[5], positions[2]) > 1.95);
    berth_molecule_clear(&molecule);
}

static void others_are_left_alone(void **state)
{
    (void)state;
    struct berth_molecule molecule = chain();
    double positions[ATOMS][3];
    place(1.7, positions);
    assert_false(crowd(&molecule, positions));
    molecule.bond_count = 0; /* nothing says what is near by right */
    place(1.0, positions);
    assert_false(crowd(&molecule, positions));
    berth_molecule_clear(&molecule);
}

/* Hydrogens of one carbon, and of neighbours, are near by nature. */
static void near_by_nature(void **state)
{
    (void)state;
    struct berth_molecule molecule = sketch("C.3 H H C.3 H; 1-2 1-3 1-4 4-5");
    double positions[ATOMS][3] = {
        {0, 0, 0}, {0.8, 0.7, 0}, {-0.8, 0.7, 0}, {0, -1.5, 0}, {0.8, -0.7, 0}};
    assert_false(crowd(&molecule, positions));
    berth_molecule_clear(&molecule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crowded_hydrogens), cmocka_unit_test(hydrogen_bonds_stay),
        cmocka_unit_test(others_are_left_alone), cmocka_unit_test(near_by_nature)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The floor's count of operations on a scoring made by hand, and what bounds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "instruments/floor.h"

/* A neutral atom without hydrophobic potential, a charged one, two non-polar ones (one charged),
 * and a polar one. */
static const struct berth_type TYPES[] = {{'-', 1.5, 0, 30, 6, 1, 0},
                                          {'F', 1.5, 0, 30, 6, 1, 0.5},
                                          {'-', 1.5, -0.5, 30, 6, 1, 0},
                                          {'F', 1.5, -0.5, 30, 6, 1, -0.5},
                                          {'D', 1.5, 0.5, 30, 6, 1, 0}};
enum { NEUTRAL, CHARGED, GREASY, BOTH, POLAR };

static struct berth_scoring scoring;

static int set_up(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"a", "b", "c", "d", "e"};
    struct berth_forcefield forcefield = {0};
    struct berth_error error;
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        if (berth_forcefield_add(&forcefield, "WLD", NAMES[i], &TYPES[i], &error)) {
            return -1;
        }
    }
    return berth_scoring_of(&forcefield, &scoring, &error) ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    berth_scoring_clear(&scoring);
    return 0;
}

static struct berth_work work_of(struct berth_heavy_atom *receptor, size_t receptor_count,
                                 struct berth_heavy_atom *ligand, size_t ligand_count)
{
    const struct berth_heavy_atoms first = {receptor, receptor_count};
    const struct berth_heavy_atoms second = {ligand, ligand_count};
    struct berth_work work;
    berth_work_count(&scoring, &first, &second, &work);
    return work;
}

/* Receptor types down, ligand types across:
 *              CHARGED        BOTH           GREASY
 *   NEUTRAL    steric         steric         steric
 *   CHARGED    electrostatic  electrostatic  steric
 *   BOTH       electrostatic  both           desolvation
 *   POLAR      steric         desolvation    desolvation
 *   POLAR      likewise */
static struct berth_work example(void)
{
    struct berth_heavy_atom receptor[] = {
        {{0}, NEUTRAL, 0}, {{0}, CHARGED, 0}, {{0}, BOTH, 0}, {{0}, POLAR, 0}, {{0}, POLAR, 0}};
    struct berth_heavy_atom ligand[] = {{{0}, CHARGED, 0}, {{0}, BOTH, 0}, {{0}, GREASY, 0}};
    return work_of(receptor, 5, ligand, 3);
}

static void test_count(void **state)
{
    (void)state;
    const struct berth_work work = example();
    assert_int_equal(work.count, 4);
    assert_string_equal(work.names[0], "steric");
    assert_true(work.pairs[0] == 6);
    assert_string_equal(work.names[1], "steric+electrostatic");
    assert_true(work.pairs[1] == 3);
    assert_string_equal(work.names[2], "steric+desolvation");
    assert_true(work.pairs[2] == 5);
    assert_string_equal(work.names[3], "steric+electrostatic+desolvation");
    assert_true(work.pairs[3] == 1);
}

static void expect(struct berth_floor floor, double operations, double multipliers, double rate)
{
    assert_true(fabs(floor.operations - operations) <= 1e-12);
    assert_true(fabs(floor.multipliers - multipliers) <= 1e-12);
    assert_true(fabs(floor.interactions_per_s - rate) <= 1e-9 * rate);
}

/* 15 pairs have 10 further ramps.  Saturating: 4 + 2 + 2 * 10 / 15 and a root; clamped: 4 + 3 + 3 *
 * 10 / 15 and a root. */
static void test_operations(void **state)
{
    (void)state;
    const struct berth_work work = example();
    const struct berth_ceiling ceiling = {1e12, 1e12, {1e12, 0, 0, 0}};
    double operations = 4 + 1 + 2 + 20.0 / 15, multipliers = 3 + 1 + 10.0 / 15;
    struct berth_floor floor = berth_floor_of(&work, &ceiling, true);
    expect(floor, operations, multipliers, 1e12 / operations);
    assert_string_equal(floor.bound, "operations");

    operations = 4 + 1 + 3 + 30.0 / 15;
    multipliers = 3 + 10.0 / 15;
    floor = berth_floor_of(&work, &ceiling, false);
    expect(floor, operations, multipliers, 1e12 / operations);
}

/* Steric pairs alone: 4 + 1 + 2 operations where the device clamps for nothing; 4 of them multiply.
 */
static void test_bounds(void **state)
{
    (void)state;
    struct berth_heavy_atom atom[] = {{{0}, NEUTRAL, 0}};
    const struct berth_work work = work_of(atom, 1, atom, 1);

    const struct berth_ceiling slow_roots = {8e12, 8e12, {1e11, 0, 0, 0}};
    struct berth_floor floor = berth_floor_of(&work, &slow_roots, true);
    expect(floor, 7, 4, 1e11);
    assert_string_equal(floor.bound, "square roots");

    const struct berth_ceiling few_multipliers = {2e12, 8e12, {8e12, 0, 0, 0}};
    floor = berth_floor_of(&work, &few_multipliers, true);
    expect(floor, 7, 4, 5e11);
    assert_string_equal(floor.bound, "multiply-adds");
}

/* The way to a root that gives the highest floor counts, with the operations that it takes. */
static void test_ways(void **state)
{
    (void)state;
    struct berth_heavy_atom atom[] = {{{0}, NEUTRAL, 0}};
    const struct berth_work work = work_of(atom, 1, atom, 1);
    const struct berth_ceiling ceiling = {1e12, 2e12, {1e10, 5e10, 4e11, 0}};
    const struct berth_floor floor = berth_floor_of(&work, &ceiling, false);
    assert_int_equal(floor.way, 2);
    expect(floor, 4 + 3 + 4, 3 + 3, 1e12 / 6);
    assert_string_equal(berth_root_name(floor.way), "x86 estimate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_count),
                                       cmocka_unit_test(test_operations),
                                       cmocka_unit_test(test_bounds), cmocka_unit_test(test_ways)};
    return cmocka_run_group_tests_name("floor", tests, set_up, tear_down);
}

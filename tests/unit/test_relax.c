/* The relaxer: downhill alone, to minima that are known, as a rigid body. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "eval/redock/redock_internal.h"

enum { PLAIN_CARBON, CATION, ANION };

/* Carbon touches carbon at 3 Å, and is drawn to it by 0.25 up to there. */
static const struct berth_type TYPES[] = {
    {'-', 1.5, -0.25, 20, 6, 1, 0}, {'F', 1.5, 0.5, 30, 6, 2, 1}, {'F', 1.5, 0.5, 30, 6, 2, -1}};
static struct berth_scoring scoring;

static int set_up(void **state)
{
    (void)state;
    struct berth_error error;
    struct berth_forcefield forcefield = {.types = berth_alloc(3, sizeof *TYPES), .type_count = 3};
    assert_non_null(forcefield.types);
    memcpy(forcefield.types, TYPES, sizeof TYPES);
    return (int)berth_scoring_of(&forcefield, &scoring, &error);
}

static int tear_down(void **state)
{
    (void)state;
    berth_scoring_clear(&scoring);
    return 0;
}

static double energy_of(struct berth_heavy_atoms receptor, struct berth_heavy_atoms ligand)
{
    const struct berth_terms terms = berth_score_ref(&scoring, &receptor, &ligand);
    return berth_terms_sum(&terms);
}

/* Relaxes; the energy that is given must be that of the atoms as they lie, and no higher than
 * before. */
static double relax(struct berth_heavy_atoms receptor, struct berth_heavy_atoms ligand)
{
    struct berth_error error;
    double energy = NAN;
    const double before = energy_of(receptor, ligand);
    assert_int_equal(berth_relax_rigid(&scoring, &receptor, &ligand, &energy, &error), BERTH_OK);
    assert_true(fabs(energy_of(receptor, ligand) - energy) < 1e-9);
    assert_true(energy <= before);
    return energy;
}

static double distance(const struct berth_heavy_atom *a, const struct berth_heavy_atom *b)
{
    return hypot(hypot(a->position[0] - b->position[0], a->position[1] - b->position[1]),
                 a->position[2] - b->position[2]);
}

/* Out of an overlap, up to contact and no further. */
static void test_overlap(void **state)
{
    (void)state;
    struct berth_heavy_atom wall[] = {{{0, 0, 0}, PLAIN_CARBON, 0}},
                            atom[] = {{{0.4, 1.2, 0.5}, PLAIN_CARBON, 0}};
    const double energy =
        relax((struct berth_heavy_atoms){wall, 1}, (struct berth_heavy_atoms){atom, 1});
    assert_true(energy < -0.249 && energy >= -0.25);
    assert_true(distance(wall, atom) > 2.98 && distance(wall, atom) < 3.02);
}

/* A rod between two charges turns until each end lies at its partner. */
static void test_turn(void **state)
{
    (void)state;
    struct berth_heavy_atom ends[] = {{{0, 0, 0}, ANION, 0}, {{10, 0, 0}, CATION, 0}};
    struct berth_heavy_atom rod[] = {{{4.2, -1.8, 0.5}, CATION, 0}, {{6.2, 2.1, 0}, ANION, 0}};
    const double length = distance(&rod[0], &rod[1]);
    const double energy =
        relax((struct berth_heavy_atoms){ends, 2}, (struct berth_heavy_atoms){rod, 2});
    assert_true(fabs(distance(&rod[0], &rod[1]) - length) < 1e-9);
    assert_true(energy < -44.9); /* 22.5 each, whole where they touch */
}

/* What is in a minimum, or out of all reach, stays where it is. */
static void test_stays(void **state)
{
    (void)state;
    struct berth_heavy_atom wall[] = {{{0, 0, 0}, PLAIN_CARBON, 0}},
                            far[] = {{{40, 0, 0}, PLAIN_CARBON, 0}};
    struct berth_heavy_atom at[] = {{{3, 0, 0}, PLAIN_CARBON, 0}};
    assert_true(relax((struct berth_heavy_atoms){wall, 1}, (struct berth_heavy_atoms){far, 1}) ==
                0);
    assert_true(far[0].position[0] == 40);
    assert_true(fabs(relax((struct berth_heavy_atoms){wall, 1}, (struct berth_heavy_atoms){at, 1}) +
                     0.25) < 1e-12);
    assert_true(at[0].position[0] == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_overlap), cmocka_unit_test(test_turn),
                                       cmocka_unit_test(test_stays)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

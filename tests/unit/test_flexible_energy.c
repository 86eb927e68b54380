/* Ligands whose bonds turn: energies of random poses, and the strain.  The seed is fresh and
 * printed; BERTH_TEST_SEED repeats one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flexible_support.h"

enum { TRIALS = 40 };

static struct berth_scoring scoring;

static int set_up(void **state)
{
    struct berth_error error;
    struct berth_forcefield forcefield = {.types = berth_alloc(TYPES, sizeof *types),
                                          .type_count = TYPES};
    (void)state;
    assert_non_null(forcefield.types);
    memcpy(forcefield.types, types, sizeof types);
    return (int)berth_scoring_of(&forcefield, &scoring, &error);
}

static int tear_down(void **state)
{
    (void)state;
    berth_scoring_clear(&scoring);
    return 0;
}

static struct berth_flexible_energy energy_of(const struct fixture *fixture)
{
    const struct berth_flexible_system system = {
        &scoring, &fixture->receptor, &fixture->flexible, &fixture->conformer, NULL, NULL};
    return berth_flexible_energy(&system, &fixture->placed);
}

/* With angles of 0, and of whole turns, it is the rigid pose. */
static void test_rigid(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct fixture f;
        struct berth_heavy_atom rigid[ATOMS];
        double centroid[3];
        fixture_random(&f, 6 + below(80));
        assert_true(berth_heavy_centroid(&f.molecule, centroid));
        memset(f.angles, 0, sizeof f.angles);
        place(&f);
        for (size_t i = 0; i < f.conformer.count; i++) {
            rigid[i].type = f.conformer_atoms[i].type;
            berth_transform_apply(&f.transform, centroid, f.conformer_atoms[i].position,
                                  rigid[i].position);
            assert_true(distance(rigid[i].position, f.placed_atoms[i].position) < 1e-12);
        }
        const struct berth_heavy_atoms rigid_atoms = {rigid, f.conformer.count};
        const struct berth_flexible_energy energy = energy_of(&f);
        struct berth_terms terms = berth_score_ref(&scoring, &f.receptor, &f.placed);
        assert_memory_equal(&energy.terms, &terms, sizeof terms);
        terms = berth_score_ref(&scoring, &f.receptor, &rigid_atoms);
        assert_true(fabs(berth_flexible_total(&energy) - berth_terms_sum(&terms)) < 1e-9);
        assert_true(fabs(energy.parts[BERTH_PART_INTRA]) < 1e-9);
        for (size_t t = 0; t < TORSIONS; t++) {
            f.angles[t] = (t % 2 ? 2 : -4) * PI;
        }
        place(&f);
        for (size_t i = 0; i < f.conformer.count; i++) {
            assert_true(distance(rigid[i].position, f.placed_atoms[i].position) < 1e-9);
        }
        fixture_clear(&f);
    }
}

/* The strain of a pentane whose end is turned, worked out from its only far pair. */
static void test_strain(void **state)
{
    (void)state;
    struct fixture f;
    fixture_of(&f, chain(5));
    assert_int_equal(f.flexible.tree.count, 2);
    place(&f);
    double pair[2];
    const struct berth_heavy_atom *ends[2] = {f.conformer_atoms, f.placed_atoms};
    for (int k = 0; k < 2; k++) {
        const double r = distance(ends[k][0].position, ends[k][4].position);
        const struct berth_terms terms =
            berth_score_ref_pair(&scoring, ends[k][0].type, ends[k][4].type, r);
        pair[k] = berth_terms_sum(&terms);
    }
    assert_true(fabs(energy_of(&f).parts[BERTH_PART_INTRA] - (pair[1] - pair[0])) < 1e-12);
    fixture_clear(&f);
}

int main(void)
{
    seed_random();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigid), cmocka_unit_test(test_strain)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

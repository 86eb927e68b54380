/* Ligands whose bonds turn: energies of random poses, the strain, and the gradient against
 * differences of the energy.  The seed is fresh and printed; BERTH_TEST_SEED repeats one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flexible_support.h"

enum { TRIALS = 40 };

static struct berth_flexible_energy energy_of(const struct fixture *fixture)
{
    const struct berth_flexible_system system = {&SCORING, &fixture->receptor, &fixture->flexible,
                                                 &fixture->conformer};
    return berth_flexible_energy(&system, &fixture->placed);
}

static double total_of(const struct fixture *fixture)
{
    const struct berth_flexible_energy energy = energy_of(fixture);
    return berth_flexible_total(&energy);
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
        struct berth_terms terms = berth_score_ref(&SCORING, &f.receptor, &f.placed);
        assert_memory_equal(&energy.terms, &terms, sizeof terms);
        terms = berth_score_ref(&SCORING, &f.receptor, &rigid_atoms);
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
            berth_score_ref_pair(&SCORING, ends[k][0].type, ends[k][4].type, r);
        pair[k] = berth_terms_sum(&terms);
    }
    assert_true(fabs(energy_of(&f).parts[BERTH_PART_INTRA] - (pair[1] - pair[0])) < 1e-12);
    fixture_clear(&f);
}

/* --- The gradient --- */

/* The total where this degree of freedom has gone on by `step`. */
static double total_at(struct fixture *f, size_t freedom, double step)
{
    const double *t = (double[3]){f->transform.x, f->transform.y, f->transform.z};
    const size_t axis = freedom % 3, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double turned = freedom >= 6 ? f->angles[freedom - 6] : 0;
    if (freedom >= 6) {
        f->angles[freedom - 6] += step;
    }
    place(f);
    for (size_t i = 0; freedom < 6 && i < f->placed.count; i++) {
        double *x = f->placed_atoms[i].position;
        if (freedom < 3) {
            x[axis] += step;
        } else {
            const double a = x[u] - t[u], b = x[v] - t[v];
            x[u] = t[u] + a * cos(step) - b * sin(step);
            x[v] = t[v] + a * sin(step) + b * cos(step);
        }
    }
    if (freedom >= 6) {
        f->angles[freedom - 6] = turned;
    }
    return total_of(f);
}

/* The difference to one side, exact to the second order: (-3 E(0) + 4 E(h) - E(2h)) / 2h. */
static double difference(struct fixture *f, size_t freedom, double step)
{
    return (-3 * total_at(f, freedom, 0) + 4 * total_at(f, freedom, step) -
            total_at(f, freedom, 2 * step)) /
           (2 * step);
}

/* How the components of gradients compared. */
struct tally {
    size_t smooth, kinked, unclear;
};

static void compare_gradient(struct fixture *f, struct tally *tally)
{
    const struct berth_flexible_system system = {&SCORING, &f->receptor, &f->flexible,
                                                 &f->conformer};
    const double origin[3] = {f->transform.x, f->transform.y, f->transform.z};
    const double step = 2e-6; /* Å or rad */
    double gradient[6 + TORSIONS];
    memset(gradient, 0xa5, sizeof gradient);
    place(f);
    berth_flexible_gradient(&system, &f->placed, origin, gradient);
    for (size_t k = 0; k < 6 + f->flexible.tree.count; k++) {
        const double ahead = difference(f, k, step), behind = difference(f, k, -step);
        const double close = 1e-4 + 1e-6 * fabs(gradient[k]);
        /* The sides agree, and the gradient with them; or a kink lies to one side, and it agrees
         * with the other; or, seldom, there is one to either side. */
        if (fabs(ahead - behind) < close) {
            tally->smooth++;
            assert_true(fabs(gradient[k] - (ahead + behind) / 2) < close);
        } else if (fabs(gradient[k] - ahead) < close || fabs(gradient[k] - behind) < close) {
            tally->kinked++;
        } else {
            tally->unclear++;
        }
    }
}

static void test_gradient(void **state)
{
    (void)state;
    struct tally tally = {0, 0, 0};
    for (int trial = 0; trial < TRIALS; trial++) {
        struct fixture f;
        fixture_random(&f, 6 + below(60));
        compare_gradient(&f, &tally);
        fixture_clear(&f);
    }
    const size_t all = tally.smooth + tally.kinked + tally.unclear;
    print_message("# gradient: %zu smooth, %zu beside a kink, %zu between two\n", tally.smooth,
                  tally.kinked, tally.unclear);
    assert_true(tally.smooth > all * 9 / 10);
    assert_true(tally.unclear * 200 <= all);
}

int main(void)
{
    seed_random();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigid), cmocka_unit_test(test_strain),
                                       cmocka_unit_test(test_gradient)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

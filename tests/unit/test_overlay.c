/* Laying conformers onto each other: moves that are known, symmetries, mirror images, edge cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "chem/overlay.h"

enum { ATOMS = 5 };

/* Five places that no rotation maps onto their mirror image. */
static const double SHAPE[ATOMS][3] = {
    {0, 0, 0}, {1.5, 0, 0}, {0, 2, 0.3}, {-0.4, 0.2, 2.5}, {3, 1, -1}};

/* The same atoms in this order; "rows" matches. */
static struct berth_matches matches_of(size_t *atoms, size_t rows, size_t count)
{
    return (struct berth_matches){count, rows, atoms, true};
}

/* Turns by these angles (rad) about x, then z, and shifts. */
static void move(double to[3], const double from[3], double a, double c)
{
    const double y = cos(a) * from[1] - sin(a) * from[2];
    const double z = sin(a) * from[1] + cos(a) * from[2];
    to[0] = cos(c) * from[0] - sin(c) * y + 10;
    to[1] = sin(c) * from[0] + cos(c) * y - 20;
    to[2] = z + 30;
}

static struct berth_overlay find(const struct berth_matches *matches, const double (*a)[3],
                                 const double (*b)[3])
{
    struct berth_overlay overlay;
    struct berth_error error;
    assert_int_equal(berth_overlay_find(matches, a, b, &overlay, &error), BERTH_OK);
    return overlay;
}

static void expect_moved(const struct berth_overlay *overlay, const double from[3],
                         const double to[3])
{
    double at[3];
    memcpy(at, from, sizeof at);
    berth_overlay_apply(overlay, at);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(at[k] - to[k]) < 1e-6);
    }
}

static void test_moves(void **state)
{
    (void)state;
    size_t identity[ATOMS] = {0, 1, 2, 3, 4};
    const struct berth_matches matches = matches_of(identity, 1, ATOMS);
    for (int step = 0; step < 64; step++) { /* half turns among them */
        double moved[ATOMS][3];
        for (int i = 0; i < ATOMS; i++) {
            move(moved[i], SHAPE[i], 0.785398163397448 * (step % 8),
                 0.785398163397448 * (step / 8));
        }
        const struct berth_overlay overlay = find(&matches, SHAPE, (const double(*)[3])moved);
        assert_true(overlay.rmsd < 1e-5);
        for (int i = 0; i < ATOMS; i++) {
            expect_moved(&overlay, SHAPE[i], moved[i]);
        }
    }
}

static void test_symmetry(void **state)
{
    (void)state;
    size_t both[2 * ATOMS] = {0, 1, 2, 3, 4, 0, 1, 2, 4, 3};
    double swapped[ATOMS][3];
    memcpy(swapped, SHAPE, sizeof swapped);
    memcpy(swapped[3], SHAPE[4], sizeof *swapped);
    memcpy(swapped[4], SHAPE[3], sizeof *swapped);
    struct berth_matches matches = matches_of(both, 1, ATOMS);
    assert_true(find(&matches, SHAPE, (const double(*)[3])swapped).rmsd > 0.5);
    matches.count = 2;
    const struct berth_overlay overlay = find(&matches, SHAPE, (const double(*)[3])swapped);
    assert_true(overlay.rmsd < 1e-5);
    expect_moved(&overlay, SHAPE[3], swapped[4]);
    matches.count = 0;
    assert_true(isinf(find(&matches, SHAPE, SHAPE).rmsd));
}

/* A reflection is no rotation. */
static void test_mirror(void **state)
{
    (void)state;
    size_t identity[ATOMS] = {0, 1, 2, 3, 4};
    const struct berth_matches matches = matches_of(identity, 1, ATOMS);
    double mirror[ATOMS][3];
    for (int i = 0; i < ATOMS; i++) {
        memcpy(mirror[i], SHAPE[i], sizeof *mirror);
        mirror[i][0] *= -1;
    }
    const struct berth_overlay overlay = find(&matches, SHAPE, (const double(*)[3])mirror);
    double sum = 0;
    assert_true(overlay.rmsd > 0.3);
    for (int i = 0; i < ATOMS; i++) { /* the move leaves just the RMSD that was said */
        double at[3];
        memcpy(at, SHAPE[i], sizeof at);
        berth_overlay_apply(&overlay, at);
        for (int k = 0; k < 3; k++) {
            sum += (at[k] - mirror[i][k]) * (at[k] - mirror[i][k]) / ATOMS;
        }
    }
    assert_true(fabs(sqrt(sum) - overlay.rmsd) < 1e-6);
}

/* One atom, and two in a line: any turn about it will do. */
static void test_few_atoms(void **state)
{
    (void)state;
    size_t identity[2] = {0, 1};
    static const double LINE[2][3] = {{0, 0, 0}, {0, 3, 0}}, FAR[2][3] = {{5, 5, 5}, {9, 5, 5}};
    struct berth_matches matches = matches_of(identity, 1, 2);
    struct berth_overlay overlay = find(&matches, LINE, FAR);
    static const double LEFT[3] = {5.5, 5, 5};
    assert_true(fabs(overlay.rmsd - 0.5) < 1e-6);
    expect_moved(&overlay, LINE[0], LEFT);
    matches.heavy_count = 1;
    overlay = find(&matches, LINE, FAR);
    assert_true(overlay.rmsd < 1e-9);
    expect_moved(&overlay, LINE[0], FAR[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves), cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_mirror), cmocka_unit_test(test_few_atoms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

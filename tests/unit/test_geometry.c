/* Rotations, transforms and the RMSD of rigid poses against coordinates spelt out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "chem/geometry.h"

static const double ORIGIN[3] = {0, 0, 0};
static const float QUARTER = 1.57079633f; /* pi / 2 */

/* Uniform in -1 .. 1, the same every run (Knuth's MMIX generator). */
static double draw(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (double)(*random >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static struct berth_transform draw_transform(uint64_t *random)
{
    struct berth_transform transform = {(float)(4 * draw(random)),  (float)(4 * draw(random)),
                                        (float)(4 * draw(random)),  (float)(10 * draw(random)),
                                        (float)(10 * draw(random)), (float)(10 * draw(random))};
    return transform;
}

static void expect_image(struct berth_transform transform, const double from[3], double x, double y,
                         double z)
{
    double to[3];
    berth_transform_apply(&transform, ORIGIN, from, to);
    assert_true(fabs(to[0] - x) < 1e-6 && fabs(to[1] - y) < 1e-6 && fabs(to[2] - z) < 1e-6);
}

static void test_axes(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    expect_image((struct berth_transform){.a = QUARTER}, y, 0, 0, 1);
    expect_image((struct berth_transform){.a = QUARTER}, z, 0, -1, 0);
    expect_image((struct berth_transform){.b = QUARTER}, z, 1, 0, 0);
    expect_image((struct berth_transform){.b = QUARTER}, x, 0, 0, -1);
    expect_image((struct berth_transform){.c = QUARTER}, x, 0, 1, 0);
    expect_image((struct berth_transform){.c = QUARTER}, y, -1, 0, 0);
    /* About x first, then about z: y goes to z and stays there; z goes to -y, then to x. */
    expect_image((struct berth_transform){.a = QUARTER, .c = QUARTER}, y, 0, 0, 1);
    expect_image((struct berth_transform){.a = QUARTER, .c = QUARTER}, z, 1, 0, 0);
    expect_image((struct berth_transform){.x = 1, .y = 2, .z = 3}, x, 2, 2, 3);
}

static void test_rotation_is_one(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int n = 0; n < 100; n++) {
        struct berth_transform transform = draw_transform(&random);
        double r[9];
        berth_rotation_of(&transform, r);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                double dot =
                    r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2];
                assert_true(fabs(dot - (i == j)) < 1e-14);
            }
        }
        double determinant = r[0] * (r[4] * r[8] - r[5] * r[7]) -
                             r[1] * (r[3] * r[8] - r[5] * r[6]) +
                             r[2] * (r[3] * r[7] - r[4] * r[6]);
        assert_true(fabs(determinant - 1) < 1e-14);
    }
}

static void test_apply(void **state)
{
    (void)state;
    struct berth_transform transform = {.c = QUARTER, .x = 10};
    const double origin[3] = {1, 1, 1};
    double point[3] = {3, 1, 2};
    berth_transform_apply(&transform, origin, point, point); /* in place */
    assert_true(fabs(point[0] - 10) < 1e-6);
    assert_true(fabs(point[1] - 2) < 1e-6);
    assert_true(fabs(point[2] - 1) < 1e-6);
}

static void test_gyration(void **state)
{
    (void)state;
    const double positions[2][3] = {{1, 2, 3}, {3, 2, 7}};
    const double centroid[3] = {2, 2, 5};
    double g[6];
    berth_gyration_of(positions, 2, centroid, g);
    const double expected[6] = {1, 0, 4, 0, 2, 0};
    for (int k = 0; k < 6; k++) {
        assert_true(g[k] == expected[k]);
    }
    berth_gyration_of(NULL, 0, centroid, g);
    assert_true(g[0] == 0 && g[5] == 0);
}

/* Draws count points and their centroid. */
static void draw_points(uint64_t *random, double (*points)[3], size_t count, double centroid[3])
{
    for (int k = 0; k < 3; k++) {
        centroid[k] = 0;
        for (size_t i = 0; i < count; i++) {
            points[i][k] = 5 + 5 * draw(random);
            centroid[k] += points[i][k] / (double)count;
        }
    }
}

static void test_rigid_rmsd(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (size_t n = 0; n < 200; n++) {
        double points[30][3], centroid[3], gyration[6];
        size_t count = 1 + n % 30;
        draw_points(&random, points, count, centroid);
        struct berth_transform a = draw_transform(&random), b = draw_transform(&random);
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            double p[3], q[3];
            berth_transform_apply(&a, centroid, points[i], p);
            berth_transform_apply(&b, centroid, points[i], q);
            sum += (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                   (p[2] - q[2]) * (p[2] - q[2]);
        }
        berth_gyration_of((const double(*)[3])points, count, centroid, gyration);
        assert_true(fabs(berth_rigid_rmsd(gyration, &a, &b) - sqrt(sum / (double)count)) < 1e-12);
        assert_true(berth_rigid_rmsd(gyration, &a, &a) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes), cmocka_unit_test(test_rotation_is_one),
        cmocka_unit_test(test_apply), cmocka_unit_test(test_gyration),
        cmocka_unit_test(test_rigid_rmsd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

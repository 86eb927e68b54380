/* What docking of proteins is made of: rotations, surfaces, rays, interfaces, PDB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chem/geometry.h"
#include "chem/surface.h"
#include "chem/vectors.h"
#include "protein/interface.h"
#include "protein/protein_starts.h"
#include "format/pdb/pdb.h"

#define PI 3.14159265358979323846

/* The angle of the rotation between two, degrees. */
static double angle_between(const double p[4], const double q[4])
{
    const double cosine = fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
    return 2 * acos(fmin(cosine, 1)) * 180 / PI;
}

/* Every rotation has one of the set within the spacing, and no two of the set nearly coincide. */
static void test_rotations_are_even(void **state)
{
    (void)state;
    const double spacing = 20;
    const size_t count = berth_rotations_count(spacing);
    double worst = 0, least = 360;
    assert_in_range(count, 1800, 1900);
    for (size_t i = 0; i < 4001; i++) {
        double any[4], nearest = 360;
        berth_rotation_at(i, 4001, any);
        for (size_t k = 0; k < count; k++) {
            double own[4];
            berth_rotation_at(k, count, own);
            nearest = fmin(nearest, angle_between(any, own));
        }
        worst = fmax(worst, nearest);
    }
    for (size_t i = 0; i < count; i += 7) {
        for (size_t k = 0; k < count; k++) {
            double a[4], b[4];
            berth_rotation_at(i, count, a);
            berth_rotation_at(k, count, b);
            least = k == i ? least : fmin(least, angle_between(a, b));
        }
    }
    assert_true(worst < spacing);
    assert_true(least > spacing / 3);
}

static void test_angles_and_quaternions_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < 50; i++) {
        double own[4], angles[3], again[4], inverse[4], product[4];
        berth_rotation_at(i, 50, own);
        berth_rotation_angles(own, angles);
        berth_rotation_of_angles(angles, again);
        assert_true(angle_between(own, again) < 1e-4);
        for (int k = 0; k < 4; k++) {
            inverse[k] = k < 3 ? -own[k] : own[k];
        }
        berth_rotation_product(own, inverse, product);
        assert_true(fabs(fabs(product[3]) - 1) < 1e-9);
        const struct berth_transform transform = {
            (float)angles[0], (float)angles[1], (float)angles[2], 0, 0, 0};
        double matrix[9];
        berth_rotation_of(&transform, matrix);
        assert_true(fabs(matrix[1] - 2 * (own[0] * own[1] - own[3] * own[2])) < 1e-6);
    }
}

/* Two atoms of these radii so far apart. */
static struct berth_spheres two_spheres(double first, double second, double apart)
{
    struct berth_spheres spheres = {calloc(2, sizeof *spheres.centers),
                                    calloc(2, sizeof *spheres.radii), 2};
    assert_non_null(spheres.centers);
    assert_non_null(spheres.radii);
    spheres.centers[1][0] = apart;
    spheres.radii[0] = first;
    spheres.radii[1] = second;
    return spheres;
}

/* The cap that a sphere of radius r loses to one of radius s whose centre is so far away. */
static double cap(double r, double s, double apart)
{
    return 2 * PI * r * (r - (apart * apart + r * r - s * s) / (2 * apart));
}

static void test_areas(void **state)
{
    (void)state;
    struct berth_error error;
    double areas[2];
    struct berth_spheres spheres = two_spheres(1.7, 1.5, 3);
    assert_int_equal(berth_surface_areas(&spheres, 1.4, areas, &error), BERTH_OK);
    const double r = 3.1, s = 2.9;
    assert_true(fabs(areas[0] - (4 * PI * r * r - cap(r, s, 3))) < 0.03 * areas[0]);
    assert_true(fabs(areas[1] - (4 * PI * s * s - cap(s, r, 3))) < 0.03 * areas[1]);
    berth_spheres_clear(&spheres);
}

static void test_buried(void **state)
{
    (void)state;
    struct berth_error error;
    struct berth_spheres spheres = two_spheres(1.7, 1.5, 4);
    struct berth_spheres a = {spheres.centers, spheres.radii, 1};
    struct berth_spheres b = {spheres.centers + 1, spheres.radii + 1, 1};
    double buried;
    assert_int_equal(berth_surface_buried(&a, &b, 1.4, &buried, &error), BERTH_OK);
    const double expected = cap(3.1, 2.9, 4) + cap(2.9, 3.1, 4);
    assert_true(fabs(buried - expected) < 0.1 * expected);
    spheres.centers[1][0] = 7;
    assert_int_equal(berth_surface_buried(&a, &b, 1.4, &buried, &error), BERTH_OK);
    assert_true(buried == 0);
    berth_spheres_clear(&spheres);
}

/* Places on the surface of two atoms: none is nearer to an atom than the probe, no two are nearer
 * to each other than the spacing, and no part of the surface is without one. */
static void test_surface_points(void **state)
{
    (void)state;
    struct berth_error error;
    struct berth_spheres spheres = two_spheres(1.7, 1.5, 6);
    struct berth_surface_points points;
    assert_int_equal(berth_surface_points(&spheres, 6, 4, &points, &error), BERTH_OK);
    for (size_t i = 0; i < points.count; i++) {
        const struct berth_surface_point *point = &points.points[i];
        for (size_t k = 0; k < 2; k++) {
            assert_true(berth_distance(point->place, spheres.centers[k]) >
                        spheres.radii[k] + 6 - 1e-9);
        }
        for (size_t k = 0; k < i; k++) {
            assert_true(berth_distance(point->place, points.points[k].place) >= 4);
        }
    }
    for (size_t i = 0; i < 500; i++) {
        double place[3], nearest = INFINITY;
        berth_sphere_point(i, 500, place);
        berth_add_scaled(spheres.centers[0], 7.7, place, place);
        if (berth_distance(place, spheres.centers[1]) < 7.5) {
            continue;
        }
        for (size_t k = 0; k < points.count; k++) {
            nearest = fmin(nearest, berth_distance(place, points.points[k].place));
        }
        assert_true(nearest < 5);
    }
    berth_surface_points_clear(&points);
    berth_spheres_clear(&spheres);
}

/* Rays begin at an atom and lead away from it through what is free. */
static void test_rays(void **state)
{
    (void)state;
    struct berth_error error;
    struct berth_spheres spheres = two_spheres(1.7, 1.5, 6);
    const double center[3] = {3, 1, 0};
    struct berth_ray *rays;
    size_t count;
    assert_int_equal(berth_protein_rays(&spheres, 6, 4, center, &rays, &count, &error), BERTH_OK);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        const float *at = rays[i].origin, *way = rays[i].direction;
        assert_true(fabsf(fabsf(at[0]) - 3) < 1e-5F && at[1] == -1 && at[2] == 0);
        assert_true(fabsf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2] - 1) < 1e-5F);
    }
    free(rays);
    berth_spheres_clear(&spheres);
}

/* Of starts in a row, 1 Å apart, those stay that are far enough from a better one. */
static void test_distinct_starts(void **state)
{
    (void)state;
    const double gyration[6] = {10, 10, 10, 0, 0, 0};
    struct berth_protein_start starts[10];
    for (size_t i = 0; i < 10; i++) {
        starts[i] =
            (struct berth_protein_start){.energy = i < 5 ? 0 : -1, .transform = {.x = (float)i}};
    }
    berth_protein_sort(starts, 10);
    assert_true(starts[0].transform.x == 5 && starts[5].transform.x == 0);
    assert_int_equal(berth_protein_distinct(starts, 10, gyration, 2.5, 10), 3);
    assert_true(starts[0].transform.x == 5 && starts[1].transform.x == 8);
    assert_true(starts[2].transform.x == 0);
    assert_int_equal(berth_protein_distinct(starts, 3, gyration, 2.5, 2), 2);
}

/* Atoms that are near in either placement count, the others do not. */
static void test_interface_rmsd(void **state)
{
    (void)state;
    const double a[3][3] = {{0, 0, 0}, {5, 0, 0}, {50, 0, 0}};
    const double b[3][3] = {{0, 3, 0}, {5, 4, 0}, {50, 90, 0}};
    const bool near_a[3] = {true, false, false}, near_b[3] = {false, true, false};
    const bool none[3] = {false, false, false};
    assert_true(fabs(berth_interface_rmsd(a, near_a, b, near_b, 3) - sqrt(12.5)) < 1e-12);
    assert_true(isinf(berth_interface_rmsd(a, none, b, none, 3)));
}

/* Chains with long names, or a partner's, get letters that are free; TER is between chains. */
static void test_pdb(void **state)
{
    (void)state;
    struct berth_atom atoms[3] = {{.name = "CA", .residue_id = 1, .element = 6, .heavy = true},
                                  {.name = "HG11", .residue_id = 2, .element = 1, .heavy = false},
                                  {.name = "ZN", .residue_id = 3, .element = 30, .heavy = true}};
    const struct berth_residue_id residues[3] = {
        {"ALA", "AA", 7, 'B'}, {"VAL", "A", 8, 0}, {"ZN", "A", -1, 0}};
    const struct berth_molecule molecule = {.atoms = atoms, .atom_count = 3};
    const struct berth_pdb_source source = {&molecule, residues, 3, NULL};
    int serial = 0;
    const double places[2][3] = {{1, -2, 3.4567}, {100, 200, -300}};
    struct berth_output *output;
    struct berth_error error;
    char *text;
    size_t size;
    assert_int_equal(berth_output_create_memory(&text, &size, &output, &error), BERTH_OK);
    berth_pdb_write_atoms(output, &source, places, &serial);
    assert_int_equal(serial, 2);
    assert_int_equal(berth_output_commit(output, &error), BERTH_OK);
    assert_string_equal(
        text, "ATOM      1  CA  ALA B   7B      1.000  -2.000   3.457  1.00  0.00           C\n"
              "TER\n"
              "HETATM    2 ZN    ZN A  -1     100.000 200.000-300.000  1.00  0.00          Zn\n"
              "TER\n");
    free(text);
    /* beside that one, which has taken B for AA, and A: AA becomes C, A becomes D */
    char letters[BERTH_PDB_LETTERS];
    berth_pdb_letters(&source, letters);
    assert_string_equal(letters, "BA");
    const struct berth_pdb_source beside = {&molecule, residues, 3, letters};
    assert_int_equal(berth_pdb_chain(&beside, 0), 'C');
    assert_int_equal(berth_pdb_chain(&beside, 1), 'D');
    assert_int_equal(berth_pdb_chain(&beside, 2), 'D');
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rotations_are_even),
                                       cmocka_unit_test(test_angles_and_quaternions_agree),
                                       cmocka_unit_test(test_areas),
                                       cmocka_unit_test(test_buried),
                                       cmocka_unit_test(test_surface_points),
                                       cmocka_unit_test(test_rays),
                                       cmocka_unit_test(test_distinct_starts),
                                       cmocka_unit_test(test_interface_rmsd),
                                       cmocka_unit_test(test_pdb)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Docking to a whole surface: the places that cover it, the parts they are put into, the pockets
 * that poses are brought together in, and where ligands agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/pockets.h"
#include "surface/surface_pockets.h"
#include "surface/surface_scan.h"

static char title[] = "block";

/* A block of atoms 2 Å apart, so many along each axis, with a hole down to its middle. */
static struct berth_molecule make_block(int x_count, int y_count, int z_count)
{
    struct berth_molecule block = {.title = title};
    block.atoms = berth_alloc((size_t)(x_count * y_count * z_count), sizeof *block.atoms);
    assert_non_null(block.atoms);
    for (int x = 0; x < x_count; x++) {
        for (int y = 0; y < y_count; y++) {
            for (int z = 0; z < z_count; z++) {
                const double at[3] = {2.0 * x, 2.0 * y, 2.0 * z};
                if (hypot(at[0] - x_count, at[1] - y_count) > 5 || z < z_count / 2) {
                    memcpy(block.atoms[block.atom_count].position, at, sizeof at);
                    block.atoms[block.atom_count++].heavy = true;
                }
            }
        }
    }
    return block;
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double nearest_atom(const struct berth_molecule *molecule, const double at[3])
{
    double least = INFINITY;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        least = fmin(least, apart(molecule->atoms[i].position, at));
    }
    return least;
}

/* Every accessible point is near a place, no two places are near each other, and the first one is
 * in the hole. */
static void test_cover(void **state)
{
    enum { SPACING = 6 };
    (void)state;
    struct berth_molecule block = make_block(12, 12, 8);
    struct berth_error error;
    double(*places)[3];
    size_t count;
    assert_int_equal(berth_cover_find(&block, SPACING, &places, &count, &error), BERTH_OK);
    assert_true(hypot(places[0][0] - 12, places[0][1] - 12) < 4 && places[0][2] < 13);
    for (size_t i = 0; i < count; i++) {
        const double clear = nearest_atom(&block, places[i]);
        assert_true(clear >= 2.8 && clear <= 5.9); /* as points of a grid go */
        for (size_t j = 0; j < i; j++) {
            assert_true(apart(places[i], places[j]) > SPACING);
        }
    }
    for (double x = -4; x <= 26; x++) {
        for (double y = -4; y <= 26; y++) {
            for (double z = -4; z <= 18; z++) {
                const double at[3] = {x, y, z}, clear = nearest_atom(&block, at);
                double least = INFINITY;
                for (size_t i = 0; i < count; i++) {
                    least = fmin(least, apart(at, places[i]));
                }
                assert_true(clear < 2.8 || clear > 4.1 || least <= SPACING);
            }
        }
    }
    free(places);
    free(block.atoms);
}

static void test_cover_of_nothing(void **state)
{
    (void)state;
    struct berth_molecule nothing = {.title = title};
    struct berth_error error;
    double(*places)[3];
    size_t count = 1;
    assert_int_equal(berth_cover_find(&nothing, 6, &places, &count, &error), BERTH_E_FORMAT);
    assert_null(places);
    assert_int_equal(count, 0);
}

/* A small receptor is one part; a long one is several, each place in one of them, and inside it. */
static void test_parts(void **state)
{
    (void)state;
    struct berth_molecule small = make_block(8, 8, 8), large = make_block(160, 12, 40);
    struct berth_surface surface;
    struct berth_error error;
    assert_int_equal(berth_surface_create(&small, 19, &surface, &error), BERTH_OK);
    assert_int_equal(surface.part_count, 1);
    assert_int_equal(surface.parts[0].count, surface.place_count);
    assert_true(surface.bytes > 19 * 8 * pow(20 / 0.5, 3) && surface.bytes < 768 * 1048576.0);
    assert_memory_equal(&surface.parts[0].site, &surface.site, sizeof surface.site);
    berth_surface_clear(&surface);

    assert_int_equal(berth_surface_create(&large, 19, &surface, &error), BERTH_OK);
    assert_true(surface.part_count > 1);
    size_t count = 0;
    for (size_t p = 0; p < surface.part_count; p++) {
        const struct berth_surface_part *part = &surface.parts[p];
        const struct berth_site *site = &part->site;
        /* points of 0.5 Å, of 8 bytes */
        assert_true(site->size[0] * site->size[1] * site->size[2] * 8 * 19 * 8 <= 768 * 1048576.0);
        count += part->count;
        for (size_t i = part->first; i < part->first + part->count; i++) {
            for (int k = 0; k < 3; k++) {
                assert_true(fabs(surface.places[i][k] - site->center[k]) < site->size[k] / 2 - 5);
            }
        }
        for (size_t q = 0; q < p; q++) { /* no place twice */
            const struct berth_surface_part *other = &surface.parts[q];
            assert_true(part->first >= other->first + other->count ||
                        other->first >= part->first + part->count);
        }
    }
    assert_int_equal(count, surface.place_count);
    berth_surface_clear(&surface);
    berth_surface_clear(&surface);
    free(small.atoms);
    free(large.atoms);
}

/* A mode of a ligand of two atoms 2 Å apart about x. */
static struct berth_pose mode_at(double x, double value)
{
    struct berth_pose mode = {.value = value, .energy = 2 * value};
    mode.positions = berth_alloc(2, sizeof *mode.positions);
    assert_non_null(mode.positions);
    mode.positions[0][0] = x - 1;
    mode.positions[1][0] = x + 1;
    return mode;
}

static void test_pockets(void **state)
{
    (void)state;
    static const double PLACES[][2] = {{0, -9}, {20, -8}, {5.9, -7}, {6.1, -6}, {25, -5}, {11, -4}};
    enum { COUNT = sizeof PLACES / sizeof *PLACES };
    struct berth_molecule pair = {.title = title, .atom_count = 2};
    pair.atoms = berth_alloc(2, sizeof *pair.atoms);
    assert_non_null(pair.atoms);
    pair.atoms[0].heavy = pair.atoms[1].heavy = true;
    const struct berth_ligand ligand = {.conformers = &pair, .conformer_count = 1};
    struct berth_modes modes = {.modes = berth_alloc(COUNT, sizeof *modes.modes), .count = COUNT};
    assert_non_null(modes.modes);
    for (size_t i = 0; i < COUNT; i++) {
        modes.modes[i] = mode_at(PLACES[i][0], PLACES[i][1]);
    }
    struct berth_surface_pockets found;
    struct berth_error error;
    assert_int_equal(berth_surface_pockets_find(&ligand, &modes, &found, &error), BERTH_OK);
    /* near the best one, not near others of the pocket: 5.9 is of the first, 11 of the third */
    static const size_t OF[COUNT] = {0, 1, 0, 2, 1, 2}, POSES[] = {2, 2, 2}, BEST[] = {0, 1, 3};
    assert_int_equal(found.count, 3);
    assert_memory_equal(found.of, OF, sizeof OF);
    for (size_t p = 0; p < found.count; p++) {
        const struct berth_surface_pocket *pocket = &found.pockets[p];
        assert_int_equal(pocket->poses, POSES[p]);
        assert_int_equal(pocket->mode, BEST[p]);
        assert_true(pocket->value == PLACES[BEST[p]][1] && pocket->energy == 2 * pocket->value);
        assert_float_equal(pocket->box.center[0], PLACES[BEST[p]][0], 1e-9);
        assert_float_equal(pocket->box.size[0], 9, 1e-9);
        assert_float_equal(pocket->box.size[1], 8, 1e-9);
    }
    berth_surface_pockets_keep(&found, 2, &modes);
    assert_int_equal(modes.count, 2);
    assert_true(modes.modes[0].value == -9 && modes.modes[1].value == -8);
    berth_surface_pockets_clear(&found);
    berth_surface_pockets_clear(&found);
    berth_modes_clear(&modes);
    free(pair.atoms);
}

static struct berth_ligand_pocket pocket_of(size_t ligand, size_t rank, double x, double value)
{
    return (struct berth_ligand_pocket){.ligand = ligand,
                                        .rank = rank,
                                        .value = value,
                                        .note = 10 * ligand + rank,
                                        .box.center = {x}};
}

/* Three ligands agree on 30, two on 0; a ligand counts once, however many pockets it has there. */
static void test_agreement(void **state)
{
    (void)state;
    struct berth_ligand_pocket pockets[] = {pocket_of(0, 1, 0, -9),    pocket_of(0, 2, 30, -8),
                                            pocket_of(0, 3, 35.5, -7), pocket_of(1, 1, 1, -5),
                                            pocket_of(1, 2, 32, -4),   pocket_of(2, 1, 60, -12),
                                            pocket_of(2, 3, 28, -10)};
    enum { COUNT = sizeof pockets / sizeof *pockets };
    struct berth_agreed_pocket agreed[COUNT];
    assert_int_equal(berth_surface_agree(pockets, COUNT, agreed), 4);
    assert_int_equal(agreed[0].ligands, 3);
    assert_float_equal(agreed[0].mean_rank, 7.0 / 3, 1e-9);
    assert_true(agreed[0].value == -10 && agreed[0].best == 2);
    assert_true(agreed[0].box.center[0] == 30 && agreed[0].note == 2);
    assert_int_equal(agreed[1].ligands, 2);
    assert_true(agreed[1].value == -9 && agreed[1].best == 0 && agreed[1].mean_rank == 1);
    assert_true(agreed[2].ligands == 1 && agreed[2].value == -12);
    assert_true(agreed[3].ligands == 1 && agreed[3].box.center[0] == 35.5);
}

static void test_levels(void **state)
{
    (void)state;
    assert_null(berth_surface_level("published"));
    assert_true(berth_surface_level("fastest")->generations <
                berth_surface_level("fast")->generations);
    assert_true(berth_surface_level("fast")->poses < berth_surface_level("balanced")->poses);
    assert_true(berth_surface_level("balanced")->poses < berth_surface_level("thorough")->poses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cover),     cmocka_unit_test(test_cover_of_nothing),
        cmocka_unit_test(test_parts),     cmocka_unit_test(test_pockets),
        cmocka_unit_test(test_agreement), cmocka_unit_test(test_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Bodies with a fixed root beside a ligand: where their atoms are, and their pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "flexible_support.h"
#include "score/bodies.h"

/* A ligand and two bodies, joined. */
struct scene {
    struct fixture parts[3];
    struct berth_flexible joined;
    struct berth_heavy_atoms heavy;
    size_t count; /* of the parts, from the last on */
};

static void make_scene(struct scene *scene, size_t parts, size_t free)
{
    struct berth_body bodies[3];
    struct berth_error error;
    scene->count = parts;
    for (size_t b = 0; b < parts; b++) {
        fixture_of(&scene->parts[b], chain(6 + b));
        bodies[b] = (struct berth_body){&scene->parts[b].flexible, &scene->parts[b].conformer};
        assert_true(scene->parts[b].flexible.tree.count > 0);
    }
    assert_int_equal(berth_bodies_join(bodies, parts, free, &scene->joined, &scene->heavy, &error),
                     BERTH_OK);
}

static void clear_scene(struct scene *scene)
{
    for (size_t b = 0; b < scene->count; b++) {
        fixture_clear(&scene->parts[b]);
    }
    berth_flexible_clear(&scene->joined);
    berth_heavy_atoms_clear(&scene->heavy);
}

static double apart_of(const struct scene *scene, const struct berth_heavy_atom *placed, size_t i)
{
    return distance(placed[i].position, scene->heavy.atoms[i].position);
}

/* Translation and rotation move the ligand alone; torsions move all atoms of the others, and no
 * still atom. */
static void test_place(void **state)
{
    (void)state;
    struct scene scene;
    struct berth_heavy_atom room[ATOMS];
    struct berth_heavy_atoms placed = {room, 0};
    const struct berth_transform far = {1, 2, 0.5F, 40, 50, 60};
    double angles[TORSIONS] = {0};
    make_scene(&scene, 3, 1);
    const struct berth_flexible *joined = &scene.joined;
    assert_int_equal(joined->free_count, scene.parts[0].conformer.count);
    const size_t moving = joined->atom_count - joined->still_count;
    assert_true(joined->still_count > 0 && moving > joined->free_count);
    assert_int_equal(joined->atom_count, 6 + 7 + 8);
    berth_flexible_place(joined, &scene.heavy, &far, angles, &placed);
    for (size_t i = 0; i < joined->atom_count; i++) {
        assert_true((apart_of(&scene, room, i) > 30) == (i < joined->free_count));
        assert_true(i < joined->free_count || apart_of(&scene, room, i) == 0);
    }
    for (size_t t = 0; t < joined->tree.count; t++) {
        angles[t] = 0.9 + 0.05 * (double)t;
    }
    berth_flexible_place(joined, &scene.heavy, &far, angles, &placed);
    for (size_t i = joined->free_count; i < joined->atom_count; i++) {
        assert_true((apart_of(&scene, room, i) > 1e-3) == (i < moving));
    }
    clear_scene(&scene);
}

/* All pairs of a ligand and a body are far, those inside one as they were, and those of two bodies
 * unless both are still. */
static void test_pairs(void **state)
{
    (void)state;
    struct scene scene;
    make_scene(&scene, 3, 1);
    const struct berth_flexible *joined = &scene.joined, *ligand = &scene.parts[0].flexible;
    const size_t moving = joined->atom_count - joined->still_count;
    size_t near = 0;
    for (size_t i = moving; i < joined->atom_count; i++) {
        for (size_t j = moving; j < joined->atom_count; j++) {
            assert_false(berth_flexible_is_far(joined, i, j));
        }
    }
    for (size_t i = 0; i < joined->free_count; i++) {
        for (size_t j = 0; j < joined->atom_count; j++) {
            const bool far = berth_flexible_is_far(joined, i, j);
            assert_true(far == berth_flexible_is_far(joined, j, i));
            assert_true(far == (j >= joined->free_count || berth_flexible_is_far(ligand, i, j)));
            near += !far;
        }
    }
    assert_true(near > 0);
    clear_scene(&scene);
}

static void test_too_many(void **state)
{
    (void)state;
    struct fixture fixture;
    struct berth_body bodies[20];
    struct berth_flexible joined;
    struct berth_heavy_atoms heavy;
    struct berth_error error;
    fixture_of(&fixture, chain(20));
    for (size_t b = 0; b < 20; b++) {
        bodies[b] = (struct berth_body){&fixture.flexible, &fixture.conformer};
    }
    assert_int_equal(berth_bodies_join(bodies, 20, 1, &joined, &heavy, &error), BERTH_E_USAGE);
    assert_non_null(strstr(error.message, "there is room for 1000 and 48"));
    fixture_clear(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_place), cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_too_many)};
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Clashes: overlaps of pairs worked out by hand, and of poses with a receptor of a few atoms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "chem/elements.h"
#include "dock/clash.h"
#include "dock/modes.h"
#include "screen/records.h"
#include "score/scoring.h"

static void assert_near(double value, double wanted)
{
    if (!(fabs(value - wanted) < 1e-6)) {
        fail_msg("%.9f instead of %.9f", value, wanted);
    }
}

static void overlaps_of_pairs(void **state)
{
    (void)state;
    assert_near(berth_overlap(6, 6, 1.69), 1.71);   /* that of issue 13 */
    assert_near(berth_overlap(6, 8, 3.00), 0.22);   /* 1.70 + 1.52 - 3.00 */
    assert_near(berth_overlap(8, 6, 3.50), -0.28);  /* apart */
    assert_near(berth_overlap(7, 8, 2.60), 0.07);   /* a hydrogen bond: 0.4 less */
    assert_near(berth_overlap(8, 9, 2.59), 0);      /* and one to fluorine */
    assert_near(berth_overlap(16, 8, 3.00), 0.32);  /* sulfur has none */
    assert_near(berth_overlap(30, 6, 2.70), 0.39);  /* zinc and carbon */
    assert_true(isinf(berth_overlap(30, 7, 2.0)));  /* coordinated */
    assert_true(isinf(berth_overlap(16, 12, 2.0))); /* either way round */
    assert_near(berth_overlap(0, 53, 3.60), 0.08);  /* an unknown one is as carbon */
    assert_true(2 * berth_vdw_radius(53) <= BERTH_OVERLAP_REACH);
}

/* A receptor of atoms with types of the built-in forcefield. */
struct scene {
    struct berth_scoring scoring;
    struct berth_heavy_atom atoms[2];
    struct berth_heavy_atoms receptor;
    struct berth_target target;
    struct berth_receptor_shape *shape;
};

static int type_of(const struct scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->scoring.forcefield.entry_count; i++) {
        if (strcmp(scene->scoring.forcefield.entries[i].name, name) == 0) {
            return scene->scoring.forcefield.entries[i].type;
        }
    }
    fail_msg("there is no type %s", name);
    return -1;
}

static int set_up(void **state)
{
    static struct scene scene;
    struct berth_error error;
    const struct berth_scoring_choice choice = berth_scoring_published();
    if (berth_scoring_read(&choice, NULL, &scene.scoring, &error)) {
        return -1;
    }
    scene.atoms[0] = (struct berth_heavy_atom){{100, -50, 20}, type_of(&scene, "C.3"), 0};
    scene.atoms[1] = (struct berth_heavy_atom){{104, -50, 20}, type_of(&scene, "O.2"), 0};
    scene.receptor = (struct berth_heavy_atoms){scene.atoms, 2};
    scene.target = (struct berth_target){
        &scene.scoring, &scene.receptor, {{100, -50, 20}, {10, 10, 10}, false}, NULL};
    *state = &scene;
    return berth_receptor_shape_create(&scene.target, &scene.shape, &error) ? -1 : 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    berth_receptor_shape_destroy(scene->shape);
    berth_scoring_clear(&scene->scoring);
    return 0;
}

/* A conformer of a carbon and a nitrogen 1.4 Å apart along x, about their middle. */
static void pack(const struct scene *scene, struct berth_packed_conformer *packed)
{
    struct berth_error error;
    struct berth_heavy_atom atoms[2] = {{{6, 7, 8}, type_of(scene, "C.ar"), 0},
                                        {{7.4, 7, 8}, type_of(scene, "N.am"), 0}};
    const struct berth_heavy_atoms heavy = {atoms, 2};
    assert_int_equal(berth_pack_conformer(&heavy, 0, 1, packed, &error), BERTH_OK);
}

static double clash_at(const struct scene *scene, const struct berth_transform *transform)
{
    struct berth_packed_conformer packed;
    struct berth_error error;
    double clash = -1;
    pack(scene, &packed);
    const struct berth_pose pose = {.transform = *transform};
    assert_int_equal(berth_clash_of_pose(scene->shape, &packed, &pose, &clash, &error), BERTH_OK);
    berth_packed_conformer_clear(&packed);
    return clash;
}

static void clashes_of_poses(void **state)
{
    const struct scene *scene = *state;
    /* 5 Å off along y: nothing overlaps. */
    assert_near(clash_at(scene, &(struct berth_transform){.y = 5}), 0);
    /* C at x = -2.7 and N at -1.3 from the receptor's carbon: 1.70 + 1.55 - 1.3. */
    assert_near(clash_at(scene, &(struct berth_transform){.x = -2}), 1.95);
    /* Turned by half about y, N at 1.3 from the oxygen, which a hydrogen bond may be; C at 2.7. */
    assert_near(clash_at(scene, &(struct berth_transform){.b = 3.14159265f, .x = 6}),
                1.55 + 1.52 - 0.4 - 1.3);
    /* N at 2.9 from it, as in a hydrogen bond. */
    assert_near(clash_at(scene, &(struct berth_transform){.b = 3.14159265f, .x = 7.6f}), 0);
}

static void where_a_molecule_stands(void **state)
{
    const struct scene *scene = *state;
    struct berth_packed_conformer packed;
    struct berth_error error;
    double clash = -1;
    pack(scene, &packed);
    assert_int_equal(berth_clash_where_it_stands(scene->shape, &packed, &clash, &error), BERTH_OK);
    assert_near(clash, 0);
    packed.centroid[0] = 98;
    packed.centroid[1] = -50;
    packed.centroid[2] = 20;
    assert_int_equal(berth_clash_where_it_stands(scene->shape, &packed, &clash, &error), BERTH_OK);
    assert_near(clash, 1.95);
    berth_packed_conformer_clear(&packed);
}

/* Of a function whose types are Vina's, radii come from those. */
static void types_of_vina(void **state)
{
    static const struct berth_scoring_choice CHOICE = {.scoring = "vina"};
    struct berth_error error;
    struct scene scene = {.atoms = {{{0, 0, 0}, 0, 0}, {{9, 0, 0}, 0, 0}}};
    const struct berth_traits traits = {.hydrogens = 1, .acceptor = true};
    (void)state;
    assert_int_equal(berth_vina_element("Cl_H"), 17);
    assert_int_equal(berth_vina_element("C_P"), 6);
    assert_int_equal(berth_vina_element("Met_D"), 30);
    assert_int_equal(berth_vina_element("elsewhere"), 0);
    assert_int_equal(berth_scoring_read(&CHOICE, NULL, &scene.scoring, &error), BERTH_OK);
    struct berth_atom atom = {.element = 8, .traits = traits};
    scene.atoms[0].type = berth_scoring_type(&scene.scoring, &atom, NULL, "oxygen");
    atom.element = 16;
    scene.atoms[1].type = berth_scoring_type(&scene.scoring, &atom, NULL, "sulfur");
    assert_true(scene.atoms[0].type >= 0 && scene.atoms[1].type >= 0);
    scene.receptor = (struct berth_heavy_atoms){scene.atoms, 2};
    scene.target =
        (struct berth_target){&scene.scoring, &scene.receptor, {{0}, {10, 10, 10}, false}, NULL};
    assert_int_equal(berth_receptor_shape_create(&scene.target, &scene.shape, &error), BERTH_OK);

    const struct berth_heavy_atoms sulfur = {scene.atoms + 1, 1};
    struct berth_packed_conformer packed;
    double clash = -1;
    assert_int_equal(berth_pack_conformer(&sulfur, 0, 1, &packed, &error), BERTH_OK);
    const struct berth_pose pose = {.transform = {.x = 3}};
    assert_int_equal(berth_clash_of_pose(scene.shape, &packed, &pose, &clash, &error), BERTH_OK);
    assert_near(clash, 1.80 + 1.52 - 3);
    berth_packed_conformer_clear(&packed);
    berth_receptor_shape_destroy(scene.shape);
    berth_scoring_clear(&scene.scoring);
}

/* What leaves poses out: more than the limit, not as much. */
static void leaving_out(void **state)
{
    (void)state;
    struct berth_pose kept[3] = {{.clash = 0.7}, {.clash = 0.5}, {.clash = 0}};
    struct berth_result result = {.modes = {.modes = kept, .count = 3}};
    struct berth_run_records records = {.max_clash = 0.5};
    berth_run_records_leave_out(&records, &result);
    assert_int_equal(result.modes.count, 2);
    assert_int_equal(records.left_out, 1);
    assert_null(result.failure);
    assert_near(kept[0].clash, 0.5);
    kept[0].clash = kept[1].clash = 0.6;
    berth_run_records_leave_out(&records, &result);
    assert_int_equal(result.modes.count, 0);
    assert_int_equal(records.left_out, 3);
    assert_non_null(strstr(
        result.failure,
        "every pose that was kept (num_modes) clashes with the receptor by more than the 0.5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_of_pairs),
        cmocka_unit_test_setup_teardown(clashes_of_poses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(where_a_molecule_stands, set_up, tear_down),
        cmocka_unit_test(types_of_vina), cmocka_unit_test(leaving_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Modes: picked over all conformers of a ligand, symmetric poses being one, within an energy range
 * of the best. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/modes.h"
#include "dock/verdict.h"

enum { STRIDE = 5, CONFORMERS = 2 };

/* Site's centre, so that frames that are mixed up are found out. */
static const double CENTER[3] = {100, -50, 20};

struct scene {
    struct berth_ligand ligand;
    struct berth_packed_conformer packed[CONFORMERS];
    struct berth_pose poses[CONFORMERS * STRIDE];
    size_t counts[CONFORMERS];
    struct berth_torsion_tree tree;
    struct berth_modes modes;
};

/* The molecule of heavy atoms "C O ..." at positions with the bonds "0-1 1-2 ...". */
static struct berth_molecule make(const char *atoms, const char *bonds, const double (*at)[3])
{
    struct berth_molecule molecule = {.title = berth_copy_text("test"),
                                      .atoms = berth_alloc(strlen(atoms), sizeof *molecule.atoms),
                                      .bonds = berth_alloc(strlen(bonds), sizeof *molecule.bonds)};
    assert_true(molecule.title && molecule.atoms && molecule.bonds);
    int used;
    for (char type[8]; sscanf(atoms, "%7s%n", type, &used) == 1; atoms += used) {
        struct berth_atom *atom = &molecule.atoms[molecule.atom_count];
        atom->element = berth_element_of_type(type);
        atom->heavy = true;
        memcpy(atom->position, at[molecule.atom_count++], sizeof atom->position);
    }
    struct berth_bond bond = {.type = "1"};
    for (; sscanf(bonds, "%zu-%zu%n", &bond.first, &bond.second, &used) == 2; bonds += used) {
        molecule.bonds[molecule.bond_count++] = bond;
    }
    return molecule;
}

static void begin(struct scene *scene, size_t conformers, const char *atoms, const char *bonds,
                  const double (*at)[3])
{
    memset(scene, 0, sizeof *scene);
    for (size_t c = 0; c < conformers; c++) {
        struct berth_error error;
        struct berth_molecule molecule = make(atoms, bonds, at);
        berth_heavy_centroid(&molecule, scene->packed[c].centroid);
        assert_int_equal(berth_ligand_add(&scene->ligand, &molecule, false, &error), BERTH_OK);
    }
}

/* By BUDE's function a pose is ranked by its energy and its strain. */
static struct berth_scoring scoring;

static int set_up(void **state)
{
    struct berth_error error;
    const struct berth_scoring_choice choice = berth_scoring_published();
    (void)state;
    return (int)berth_scoring_read(&choice, NULL, &scoring, &error);
}

static int tear_down(void **state)
{
    (void)state;
    berth_scoring_clear(&scoring);
    return 0;
}

/* Adds a pose of conformer c: rotated about z by degrees, shifted along x (Å). */
static void add(struct scene *scene, size_t c, double degrees, float x, float energy)
{
    const float angle = (float)(degrees * 0.017453292519943295);
    scene->poses[c * STRIDE + scene->counts[c]++] = (struct berth_pose){
        .transform = {0, 0, angle, x, 0, 0}, .terms = {{energy}}, .refined = scene->tree.count > 0};
}

static size_t find_by(struct scene *scene, struct berth_mode_settings settings)
{
    struct berth_error error;
    settings.scoring = settings.scoring ? settings.scoring : &scoring;
    memcpy(settings.center, CENTER, sizeof CENTER);
    struct berth_docked_poses found[CONFORMERS];
    const struct berth_docked docked = {.conformers = scene->packed,
                                        .found = found,
                                        .count = scene->ligand.conformer_count,
                                        .receptors = 1,
                                        .seeds = 1,
                                        .with = {0, 1},
                                        .torsions = scene->tree.count,
                                        .ligand = &scene->ligand,
                                        .tree = &scene->tree};
    for (size_t c = 0; c < CONFORMERS; c++) {
        found[c] = (struct berth_docked_poses){scene->poses + c * STRIDE, scene->counts[c]};
    }
    berth_modes_clear(&scene->modes);
    assert_int_equal(berth_modes_find(&docked, &settings, &scene->modes, &error), BERTH_OK);
    return scene->modes.count;
}

/* Finds the modes; how many there are. */
static size_t find(struct scene *scene, size_t count, double min_rmsd, double range,
                   const struct berth_molecule *reference)
{
    return find_by(scene,
                   (struct berth_mode_settings){
                       .choice = {.num_modes = count, .min_rmsd = min_rmsd, .energy_range = range},
                       .reference = reference});
}

static void end(struct scene *scene)
{
    berth_modes_clear(&scene->modes);
    berth_ligand_clear(&scene->ligand);
}

/* Both conformers' poses stand in one list; the range counts from the best of both. */
static void test_over_conformers(void **state)
{
    (void)state;
    static const double AT[2][3] = {{1, 0, 0}, {-1, 0, 0}};
    struct scene scene;
    begin(&scene, 2, "C O", "0-1", AT);
    add(&scene, 0, 0, 0, -10);
    add(&scene, 0, 0, 4, -7);
    add(&scene, 1, 0, 8, -12);
    add(&scene, 1, 0, 12, -9);
    add(&scene, 1, 0, 16, -1);
    assert_int_equal(find(&scene, 9, 1, INFINITY, NULL), 5);
    static const double ENERGIES[] = {-12, -10, -9, -7, -1};
    static const size_t FROM[] = {1, 0, 1, 0, 1};
    for (size_t i = 0; i < 5; i++) {
        assert_true(scene.modes.modes[i].energy == ENERGIES[i]);
        assert_int_equal(scene.modes.modes[i].conformer, FROM[i]);
        assert_true(scene.modes.modes[i].rmsd < 0);
    }
    assert_true(fabs(scene.modes.modes[0].positions[0][0] - (CENTER[0] + 8 + 1)) < 1e-5);
    assert_int_equal(find(&scene, 9, 1, 5, NULL), 4); /* -7 is just within */
    assert_int_equal(find(&scene, 9, 1, 4.9, NULL), 3);
    assert_int_equal(find(&scene, 9, 1, 1.9, NULL), 1); /* conformer 0 has none */
    assert_int_equal(find(&scene, 9, 1, 0, NULL), 1);
    assert_int_equal(find(&scene, 2, 1, INFINITY, NULL), 2);
    end(&scene);
}

/* Poses of two conformers in one place are one mode, the better one's. */
static void test_near_poses(void **state)
{
    (void)state;
    static const double AT[2][3] = {{1, 0, 0}, {-1, 0, 0}};
    struct scene scene;
    begin(&scene, 2, "C O", "0-1", AT);
    add(&scene, 0, 0, 0, -10);
    add(&scene, 1, 0, 0.9F, -12);
    add(&scene, 1, 0, 2, -11);
    assert_int_equal(find(&scene, 9, 1, INFINITY, NULL), 2);
    assert_true(scene.modes.modes[0].energy == -12 && scene.modes.modes[1].energy == -11);
    assert_int_equal(find(&scene, 9, 0.85, INFINITY, NULL), 3);
    end(&scene);
}

/* Poses that meet what is required come first, by energy; of others those that are lowest with what
 * the restraints cost.  A distance to a place that the receptor lacks is none. */
static void test_restrained(void **state)
{
    (void)state;
    static const double AT[2][3] = {{1, 0, 0}, {-1, 0, 0}};
    static const struct {
        float energy, cost;
        size_t unmet;
    } POSES[] = {{-12, 9, 1}, {-8, 2, 1}, {-6, 0, 0}, {-7, 0.5F, 0}, {-20, 1, 2}};
    static const double ENERGIES[] = {-7, -6, -8, -12, -20};
    const struct berth_restrained restrained = {.count = 1};
    struct scene scene;
    begin(&scene, 1, "C O", "0-1", AT);
    scene.packed[0].restrained = &restrained;
    for (size_t i = 0; i < 5; i++) {
        add(&scene, 0, 0, (float)(4 * i), POSES[i].energy);
        scene.poses[i].parts[BERTH_PART_RESTRAINT] = POSES[i].cost;
        scene.poses[i].unmet = POSES[i].unmet;
        scene.poses[i].distances[0] = i ? 1.5F : 19997;
    }
    assert_int_equal(find(&scene, 9, 1, INFINITY, NULL), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_true(scene.modes.modes[i].energy == ENERGIES[i]);
        assert_int_equal(isnan(scene.modes.modes[i].distances[0]), ENERGIES[i] == -12);
    }
    end(&scene);
}

/* A weight on strain changes the ranking and the range, not the energies; without it, or where a
 * strain is unknown, energies alone rank. */
static void test_strain(void **state)
{
    (void)state;
    static const double AT[2][3] = {{1, 0, 0}, {-1, 0, 0}};
    struct scene scene;
    begin(&scene, 2, "C O", "0-1", AT);
    add(&scene, 0, 0, 0, -10);
    add(&scene, 1, 0, 8, -12);
    add(&scene, 1, 0, 16, -7);
    double strains[] = {1, 6};
    struct berth_mode_settings settings = {
        .choice = {.num_modes = 9, .min_rmsd = 1, .energy_range = 5}, .strains = strains};
    assert_int_equal(find_by(&scene, settings), 3);
    assert_true(scene.modes.modes[0].energy == -12 && scene.modes.modes[0].conformer_strain == 6);
    assert_true(scene.modes.modes[1].conformer_strain == 1);
    settings.choice.strain_weight = 0.5; /* -9.5, -9, -4 */
    assert_int_equal(find_by(&scene, settings), 2);
    assert_true(scene.modes.modes[0].energy == -10 && scene.modes.modes[0].conformer == 0);
    assert_true(scene.modes.modes[1].energy == -12 && scene.modes.modes[1].conformer_strain == 6);
    strains[0] = NAN;
    assert_int_equal(find_by(&scene, settings), 3);
    assert_true(scene.modes.modes[0].energy == -12);
    assert_true(isnan(scene.modes.modes[1].conformer_strain));
    settings.strains = NULL;
    assert_int_equal(find_by(&scene, settings), 3);
    assert_true(isnan(scene.modes.modes[0].conformer_strain));
    end(&scene);
}

/* A turn by which the molecule falls onto itself makes no new mode, half of it does. */
static void expect_symmetry(const char *atoms, const char *bonds, const double (*at)[3],
                            double degrees)
{
    struct scene scene;
    begin(&scene, 1, atoms, bonds, at);
    add(&scene, 0, 0, 0, -10);
    add(&scene, 0, degrees, 0, -9);
    assert_int_equal(find(&scene, 9, 0.1, INFINITY, NULL), 1);
    add(&scene, 0, degrees / 2, 0, -8);
    assert_int_equal(find(&scene, 9, 0.1, INFINITY, NULL), 2);
    end(&scene);
}

/* Strains of torsions count from the least that a conformer begins at, and the atoms are where
 * the torsions put them. */
static void test_torsions(void **state)
{
    (void)state;
    static const double AT[][3] = {{0, 1, 0}, {0, 0, 0}, {1.5, 0, 0}, {1.5, 1, 0}};
    uint32_t moved[] = {3};
    struct berth_torsion torsion = {1, 2, 0, 1};
    struct scene scene;
    begin(&scene, 2, "C C C O", "0-1 1-2 2-3", AT);
    scene.tree = (struct berth_torsion_tree){&torsion, 1, 1, moved, 1, 1};
    add(&scene, 0, 0, 0, -10);
    add(&scene, 1, 0, 0, -8);
    scene.poses[0].begun[BERTH_PART_INTRA] = 5;
    scene.poses[STRIDE].parts[BERTH_PART_INTRA] = 1;
    scene.poses[STRIDE].angles[0] = 3.14159265f;
    assert_int_equal(find(&scene, 2, 0.5, INFINITY, NULL), 2);
    const struct berth_pose *modes = scene.modes.modes;
    assert_int_equal(modes[0].conformer, 1);
    assert_true(modes[0].energy == -8 && modes[0].parts[BERTH_PART_INTRA] == 1);
    assert_true(modes[1].energy == -10 && modes[1].parts[BERTH_PART_INTRA] == 5);
    /* Half a turn takes the last atom across the axis, the x axis here; the centroid was at y 0.5.
     */
    assert_true(fabs(modes[0].positions[3][1] - (CENTER[1] - 1.5)) < 1e-6);
    assert_true(fabs(modes[1].positions[3][1] - (CENTER[1] + 0.5)) < 1e-6);
    end(&scene);
}

/* By Vina's function the pose is first that is lowest with what the ligand has inside; its score
 * is without that, and the others' are by what theirs is above it. */
static void test_unbound(void **state)
{
    (void)state;
    static const double AT[][3] = {{0, 1, 0}, {0, 0, 0}, {1.5, 0, 0}, {1.5, 1, 0}};
    static const struct berth_scoring_choice VINA = {.scoring = "vina"};
    uint32_t moved[] = {3};
    struct berth_torsion torsion = {1, 2, 0, 1};
    struct berth_scoring vina;
    struct berth_error error;
    struct scene scene;
    assert_int_equal(berth_scoring_read(&VINA, NULL, &vina, &error), BERTH_OK);
    begin(&scene, 1, "C C C O", "0-1 1-2 2-3", AT);
    scene.tree = (struct berth_torsion_tree){&torsion, 1, 1, moved, 1, 1};
    scene.packed[0].rotors = 2;
    add(&scene, 0, 0, 0, -10);
    add(&scene, 0, 0, 8, -9.75F);
    scene.poses[0].parts[BERTH_PART_INTRA] = 0.5F;
    scene.poses[1].parts[BERTH_PART_INTRA] = -0.25F;
    const struct berth_mode_settings settings = {
        .choice = {.num_modes = 2, .min_rmsd = 1, .energy_range = INFINITY}, .scoring = &vina};
    assert_int_equal(find_by(&scene, settings), 2);
    const struct berth_pose *modes = scene.modes.modes;
    assert_true(modes[0].energy == -9.75 && modes[0].parts[BERTH_PART_INTRA] == -0.25);
    assert_true(fabs(modes[0].value + 9.75 / (1 + 2 * 0.05846)) < 1e-9);
    assert_true(fabs(modes[1].value + 9.25 / (1 + 2 * 0.05846)) < 1e-9);
    end(&scene);
    berth_scoring_clear(&vina);
}

static void test_symmetry(void **state)
{
    (void)state;
    static const double H = 0.8660254037844386;
    const double benzene[6][3] = {{1.4, 0, 0},  {0.7, 1.4 * H, 0},   {-0.7, 1.4 * H, 0},
                                  {-1.4, 0, 0}, {-0.7, -1.4 * H, 0}, {0.7, -1.4 * H, 0}};
    expect_symmetry("C C C C C C", "0-1 1-2 2-3 3-4 4-5 5-0", benzene, 60);
    const double butyl[5][3] = {
        {0, 0, 1.4}, {0, 0, 0}, {1.4, 0, -0.5}, {-0.7, 1.4 * H, -0.5}, {-0.7, -1.4 * H, -0.5}};
    expect_symmetry("O C C C C", "0-1 1-2 1-3 1-4", butyl, 120);
    /* methylguanidinium about its C-N(methyl) axis: the amines change places */
    const double guanidinium[5][3] = {
        {0, 0, 2.8}, {0, 0, 1.4}, {0, 0, 0}, {1.15, 0, -0.7}, {-1.15, 0, -0.7}};
    expect_symmetry("C N C N N", "0-1 1-2 2-3 2-4", guanidinium, 180);
    static const double ACETATE[4][3] = {{0, 0, 1.5}, {0, 0, 0}, {1.1, 0, -0.7}, {-1.1, 0, -0.7}};
    expect_symmetry("C C O O", "0-1 1-2 1-3", ACETATE, 180);
}

/* RMSDs are to the nearest image of the reference, in the receptor's frame; a reference that is
 * another molecule gives none. */
static void test_reference(void **state)
{
    (void)state;
    static const double AT[4][3] = {{0, 0, 1.5}, {0, 0, 0}, {1.1, 0, -0.7}, {-1.1, 0, -0.7}};
    double there[4][3];
    struct scene scene;
    begin(&scene, 1, "C C O O", "0-1 1-2 1-3", AT);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            there[i][k] = AT[i][k] - scene.packed[0].centroid[k] + CENTER[k];
        }
    }
    struct berth_molecule reference = make("C C O O", "0-1 1-2 1-3", (const double(*)[3])there);
    add(&scene, 0, 180, 3, -10);
    add(&scene, 0, 0, 0, -9);
    assert_int_equal(find(&scene, 9, 1, INFINITY, &reference), 2);
    assert_true(fabs(scene.modes.modes[0].rmsd - 3) < 1e-5);
    assert_true(scene.modes.modes[1].rmsd < 1e-5);
    reference.atoms[3].element = 7;
    assert_int_equal(find(&scene, 9, 1, INFINITY, &reference), 2);
    assert_true(scene.modes.modes[0].rmsd < 0);
    berth_molecule_clear(&reference);
    end(&scene);
}

/* A pose whose total is not finite is no mode, wherever it stands among the others; where none has
 * a finite one, there is no mode. */
static void test_totals_that_are_not_finite(void **state)
{
    (void)state;
    static const double AT[2][3] = {{1, 0, 0}, {-1, 0, 0}};
    static const struct {
        const char *total;
        size_t count;
        double energies[4];
    } ROWS[] = {{"log(inter)", 0, {0}},
                {"-sqrt(-inter - 8)", 2, {-11, -10}},
                {"sqrt(-inter - 8) - 1 / (inter + 11)", 1, {-10}},
                {"1 / (inter + 7)", 3, {-10, -11, -1}}};
    struct scene scene;
    begin(&scene, 1, "C O", "0-1", AT);
    add(&scene, 0, 0, 0, -7);
    add(&scene, 0, 0, 4, -10);
    add(&scene, 0, 0, 8, -1);
    add(&scene, 0, 0, 12, -11);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char text[300];
        struct berth_scoring own;
        struct berth_error error;
        snprintf(text, sizeof text,
                 "unit X\ncutoff 5\ntypes vina\nparameters a\n  C_H 1\nterm t = r\ntotal = %s\n",
                 ROWS[i].total);
        const struct berth_scoring_choice choice = {.scoring = "own", .text = text};
        if (berth_scoring_read(&choice, NULL, &own, &error)) {
            fail_msg("%s", error.message);
        }
        const struct berth_mode_settings settings = {
            .choice = {.num_modes = 9, .min_rmsd = 1, .energy_range = INFINITY}, .scoring = &own};
        assert_int_equal(find_by(&scene, settings), ROWS[i].count);
        for (size_t k = 0; k < ROWS[i].count; k++) {
            assert_true(scene.modes.modes[k].energy == ROWS[i].energies[k]);
        }
        berth_scoring_clear(&own);
    }
    end(&scene);
}

static void expect_verdict(const struct scene *scene, const char *wanted)
{
    struct berth_error error;
    char text[BERTH_VERDICT];
    assert_int_equal(berth_verdict(&scene->modes, &scene->ligand.conformers[0], text, &error),
                     BERTH_OK);
    assert_string_equal(text, wanted);
}

/* What is said of modes 3 Å and 1.5 Å from the first: those as good as it that lie elsewhere. */
static void test_verdict(void **state)
{
    (void)state;
    static const double AT[2][3] = {{1, 0, 0}, {-1, 0, 0}};
    struct scene scene;
    begin(&scene, 1, "C O", "0-1", AT);
    add(&scene, 0, 0, 0, -12);
    add(&scene, 0, 0, 3, -11);
    add(&scene, 0, 0, -1.5F, -10);
    assert_int_equal(find(&scene, 9, 1, INFINITY, NULL), 3);
    struct berth_pose *modes = scene.modes.modes;
    expect_verdict(&scene, "");
    modes[1].value = -11.9;
    expect_verdict(&scene, "modes 1 and 2 lie within 0.2 of each other: a tie");
    modes[2].value = -11.85; /* is in the place of the first */
    expect_verdict(&scene, "modes 1 and 2 lie within 0.2 of each other: a tie");
    modes[1].ranking = -20.2; /* the ranking's count where there are any */
    modes[0].ranking = -20.5;
    expect_verdict(&scene, "");
    modes[0].confidence = 0.826;
    modes[0].rotors = 14.5;
    expect_verdict(&scene, "first pose: 83 % likely to be within 2 Å of the crystal pose");
    modes[0].confidence = 0.9999;
    modes[0].ranking = -20.3;
    modes[0].rotors = 15;
    expect_verdict(&scene,
                   "first pose: 99 % likely to be within 2 Å of the crystal pose; modes 1 and "
                   "2 lie within 0.2 of each other: a tie; 15 rotors: rarely right");
    modes[1].unmet = 1; /* which is why it comes behind */
    modes[0].confidence = NAN;
    expect_verdict(&scene, "15 rotors: rarely right");
    end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_over_conformers),
                                       cmocka_unit_test(test_near_poses),
                                       cmocka_unit_test(test_restrained),
                                       cmocka_unit_test(test_strain),
                                       cmocka_unit_test(test_torsions),
                                       cmocka_unit_test(test_unbound),
                                       cmocka_unit_test(test_symmetry),
                                       cmocka_unit_test(test_reference),
                                       cmocka_unit_test(test_totals_that_are_not_finite),
                                       cmocka_unit_test(test_verdict)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* The search as a whole: what crosses the bus, that nothing but seed and device decides the
 * result, that generation zero is uniform, and that given poses are scored exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dock/docking.h"
#include "check/reference.h"
#include "dock/in_place.h"
#include "score/forcefield.h"
#include "format/mol2/mol2.h"

enum { CONFORMERS = 5, POSES = 1500, PARENTS = 40, ATOMS = 35, REFINED = 7 };

/* The demo complex on the first device; conformers that differ in nothing but their number. */
struct fixture {
    struct berth_devices devices;
    struct berth_device twice[2]; /* the first device: two equal ones */
    struct berth_scoring scoring;
    struct berth_heavy_atoms receptor, ligand;
    struct berth_flexible flexible;
    struct berth_packed_flexible words;
    struct berth_packed_conformer conformers[CONFORMERS];
};

/* What a docking of all conformers gave. */
struct docked {
    struct berth_pose poses[CONFORMERS * PARENTS];
    size_t counts[CONFORMERS];
};

/* flexible: NULL, or gets what turns. */
static void read_typed(const char *path, const struct berth_scoring *scoring,
                       struct berth_heavy_atoms *heavy, struct berth_flexible *flexible)
{
    struct berth_molecule molecule = {0};
    struct berth_error error;
    if (berth_mol2_read_one(path, true, &molecule, &error) ||
        berth_scoring_assign(scoring, &molecule, NULL, heavy, &error) ||
        (flexible && berth_flexible_find(&molecule, 4, flexible, &error))) {
        fail_msg("%s", error.message);
    }
    berth_molecule_clear(&molecule);
}

static const struct berth_scoring_choice BUDE = {.scoring = "bude"};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct berth_error error;
    if (!fixture || berth_devices_enumerate("all", NULL, &fixture->devices, &error) ||
        berth_scoring_read(&BUDE, NULL, &fixture->scoring, &error)) {
        return -1;
    }
    fixture->twice[0] = fixture->twice[1] = fixture->devices.devices[0];
    read_typed("data/demo/1hpv_receptor.mol2", &fixture->scoring, &fixture->receptor, NULL);
    read_typed("data/demo/1hpv_ligand.mol2", &fixture->scoring, &fixture->ligand,
               &fixture->flexible);
    if (berth_pack_flexible(&fixture->flexible, &fixture->ligand, &fixture->words, &error)) {
        return -1;
    }
    for (uint32_t i = 0; i < CONFORMERS; i++) {
        if (berth_pack_conformer(&fixture->ligand, 7, i + 1, &fixture->conformers[i], &error)) {
            return -1;
        }
    }
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < CONFORMERS; i++) {
        berth_packed_conformer_clear(&fixture->conformers[i]);
    }
    berth_flexible_clear(&fixture->flexible);
    berth_packed_flexible_clear(&fixture->words);
    berth_heavy_atoms_clear(&fixture->receptor);
    berth_heavy_atoms_clear(&fixture->ligand);
    berth_scoring_clear(&fixture->scoring);
    berth_devices_clear(&fixture->devices);
    free(fixture);
    return 0;
}

static struct berth_docking_setup setup_of(const struct fixture *fixture)
{
    struct berth_docking_setup setup = {.targets = {{&fixture->scoring,
                                                     &fixture->receptor,
                                                     {{9.9, 16.2, 8.8}, {12, 12, 15}, false},
                                                     NULL}},
                                        .target_count = 1,
                                        .search = berth_search_published(),
                                        .devices = fixture->twice,
                                        .device_count = 1,
                                        .variant = berth_variant_unset()};
    setup.search.poses = POSES;
    setup.search.generations = 5;
    setup.search.parents = PARENTS;
    return setup;
}

static struct docked dock(const struct fixture *fixture, const struct berth_docking_setup *setup)
{
    struct docked docked;
    struct berth_docking *docking;
    struct berth_error error;
    struct berth_found found;
    memset(&docked, 0, sizeof docked);
    if (berth_docking_create(setup, &docking, &error) ||
        berth_found_create(&setup->search, CONFORMERS, &found, &error) ||
        berth_docking_run(docking, fixture->conformers, CONFORMERS, &found, &error)) {
        fail_msg("%s", error.message);
    }
    memcpy(docked.poses, found.poses, CONFORMERS * found.stride * sizeof *docked.poses);
    memcpy(docked.counts, found.counts, sizeof docked.counts);
    berth_found_clear(&found);
    berth_docking_destroy(docking);
    return docked;
}

static void test_result_does_not_depend_on_the_launch(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_docking_setup setup = setup_of(fixture);
    const struct docked plain = dock(fixture, &setup);
    struct docked other = dock(fixture, &setup);
    assert_memory_equal(&plain, &other, sizeof plain);

    setup.search.batch = 2;
    other = dock(fixture, &setup);
    assert_memory_equal(&plain, &other, sizeof plain);

    setup.device_count = 2;
    other = dock(fixture, &setup);
    assert_memory_equal(&plain, &other, sizeof plain);

    setup = setup_of(fixture);
    setup.variant.wgsize = 8;
    setup.variant.ppwi = 1;
    setup.variant.select_wgsize = 32;
    other = dock(fixture, &setup);
    assert_memory_equal(&plain, &other, sizeof plain);

    setup = setup_of(fixture);
    setup.search.seed++;
    other = dock(fixture, &setup);
    assert_memory_not_equal(&plain, &other, sizeof plain);
}

static void test_poses_are_ranked_distinct_and_inside(void **state)
{
    const struct fixture *fixture = *state;
    const struct berth_docking_setup setup = setup_of(fixture);
    const struct docked docked = dock(fixture, &setup);
    for (size_t c = 0; c < CONFORMERS; c++) {
        const struct berth_pose *poses = docked.poses + c * PARENTS;
        assert_in_range(docked.counts[c], 2, PARENTS);
        for (size_t i = 0; i < docked.counts[c]; i++) {
            assert_true(fabsf(poses[i].transform.x) <= 6 && fabsf(poses[i].transform.y) <= 6 &&
                        fabsf(poses[i].transform.z) <= 7.5f);
            assert_true(i == 0 || berth_pose_energy(&poses[i]) >= berth_pose_energy(&poses[i - 1]));
        }
    }
}

/* Lets the torsions of all conformers turn in a refinement. */
static void set_turning(struct fixture *fixture, bool turning)
{
    for (size_t i = 0; i < CONFORMERS; i++) {
        fixture->conformers[i].flexible = turning ? &fixture->words : NULL;
    }
}

static struct berth_docking_setup refining_setup_of(const struct fixture *fixture)
{
    struct berth_docking_setup setup = setup_of(fixture);
    setup.search.refine.poses = REFINED;
    setup.search.refine.evaluations = 60;
    return setup;
}

/* The pose has the energy that the oracle finds there, to 0.002 kJ/mol. */
static void expect_energy(const struct fixture *fixture, const struct berth_pose *pose)
{
    struct berth_heavy_atom room[ATOMS];
    struct berth_heavy_atoms placed = {room, ATOMS};
    const struct berth_docking_setup setup = setup_of(fixture);
    const struct berth_flexible_system system = {
        &fixture->scoring, &fixture->receptor, &fixture->flexible, &fixture->ligand, NULL, NULL};
    double turned[BERTH_TORSIONS];
    for (size_t t = 0; t < BERTH_TORSIONS; t++) {
        turned[t] = pose->angles[t];
    }
    berth_flexible_place(&fixture->flexible, &fixture->ligand, &pose->transform, turned, &placed);
    for (size_t i = 0; i < ATOMS; i++) {
        for (int k = 0; k < 3; k++) {
            room[i].position[k] += setup.targets[0].site.center[k];
        }
    }
    const struct berth_flexible_energy energy = berth_flexible_energy(&system, &placed);
    assert_true(fabs(energy.terms.values[0] - pose->terms.values[0]) < 0.002);
    assert_true(fabs(energy.terms.values[1] - pose->terms.values[1]) < 0.002);
    assert_true(fabs(energy.terms.values[2] - pose->terms.values[2]) < 0.002);
    assert_true(fabs(energy.parts[BERTH_PART_INTRA] - pose->parts[BERTH_PART_INTRA]) < 0.002);
}

/* What a docking of all conformers in one batch sends to and fro. */
static struct berth_traffic traffic_of(const struct fixture *fixture,
                                       struct berth_docking_setup setup)
{
    setup.search.batch = CONFORMERS;
    struct berth_docking *docking;
    struct berth_error error;
    struct berth_found found;
    assert_int_equal(berth_docking_create(&setup, &docking, &error), BERTH_OK);
    assert_int_equal(berth_found_create(&setup.search, CONFORMERS, &found, &error), BERTH_OK);
    const struct berth_traffic before = berth_docking_traffic(docking);
    assert_int_equal(berth_docking_run(docking, fixture->conformers, CONFORMERS, &found, &error),
                     BERTH_OK);
    const struct berth_traffic after = berth_docking_traffic(docking);
    berth_found_clear(&found);
    berth_docking_destroy(docking);
    return (struct berth_traffic){.writes = after.writes - before.writes,
                                  .bytes_written = after.bytes_written - before.bytes_written,
                                  .reads = after.reads - before.reads,
                                  .bytes_read = after.bytes_read - before.bytes_read};
}

/* Two transfers there, three back, each of known size; nothing in between. */
static void test_only_atoms_and_best_poses_cross_the_bus(void **state)
{
    const struct fixture *fixture = *state;
    const struct berth_traffic traffic = traffic_of(fixture, setup_of(fixture));
    assert_int_equal(fixture->ligand.count, ATOMS);
    assert_int_equal(traffic.writes, 2);
    assert_int_equal(traffic.bytes_written,
                     CONFORMERS * (sizeof(struct berth_device_conformer) + 16 * ATOMS));
    assert_int_equal(traffic.reads, 3);
    assert_int_equal(traffic.bytes_read, CONFORMERS * (4 + PARENTS * 9 * 4));
}

/* Refinement sends what turns in the ligand, once for all conformers, and gives its poses alone. */
static void test_refinement_stays_on_the_device(void **state)
{
    struct fixture *fixture = *state;
    set_turning(fixture, true);
    const struct berth_traffic traffic = traffic_of(fixture, refining_setup_of(fixture));
    set_turning(fixture, false);
    assert_int_equal(traffic.writes, 3);
    assert_int_equal(traffic.bytes_written,
                     CONFORMERS * (sizeof(struct berth_device_conformer) + 16 * ATOMS) +
                         4 * fixture->words.count);
    assert_int_equal(traffic.reads, 2);
    assert_int_equal(traffic.bytes_read, CONFORMERS * (4 + REFINED * (28 + 8 * BERTH_PART_COUNT +
                                                                      4 * (8 + BERTH_TORSIONS))));
}

/* Refined poses do not depend on the launch, lie in the site, have the energies that the oracle
 * finds there, best first, and the best is better than without. */
static void test_refined_poses(void **state)
{
    struct fixture *fixture = *state;
    struct berth_docking_setup setup = setup_of(fixture);
    const struct docked rigid = dock(fixture, &setup);
    set_turning(fixture, true);
    setup = refining_setup_of(fixture);
    setup.search.refine.hops = 1;
    const struct docked plain = dock(fixture, &setup);
    setup.search.batch = 2;
    setup.device_count = 2;
    const struct docked other = dock(fixture, &setup);
    set_turning(fixture, false);
    assert_memory_equal(&plain, &other, sizeof plain);
    for (size_t c = 0; c < CONFORMERS; c++) {
        const struct berth_pose *poses = plain.poses + c * REFINED;
        assert_in_range(plain.counts[c], 2, REFINED);
        assert_true(berth_pose_total(poses) < berth_pose_energy(&rigid.poses[c * PARENTS]));
        for (size_t i = 0; i < plain.counts[c]; i++) {
            const struct berth_transform *at = &poses[i].transform;
            assert_true(fabsf(at->x) <= 6 && fabsf(at->y) <= 6 && fabsf(at->z) <= 7.5f);
            assert_true(i == 0 || berth_pose_total(&poses[i]) >= berth_pose_total(&poses[i - 1]));
            expect_energy(fixture, &poses[i]);
        }
    }
}

static int by_size(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Kolmogorov-Smirnov distance between values that should be uniform in [0, 1) and that. */
static double distance_from_uniform(double *values, size_t count)
{
    double largest = 0;
    qsort(values, count, sizeof *values, by_size);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmax(values[i] - (double)i / (double)count,
                                     (double)(i + 1) / (double)count - values[i]));
    }
    return largest;
}

/* transforms[6][count] of generation zero, from the kernel alone. */
static void generation_zero(const struct fixture *fixture, float *transforms, int count)
{
    struct berth_error error;
    struct berth_context *context = NULL;
    struct berth_program *program = NULL;
    struct berth_kernel *kernel = NULL;
    struct berth_buffer *constants = NULL, *conformer = NULL, *planes = NULL;
    const struct berth_device *device = &fixture->devices.devices[0];
    const struct berth_variant variant = berth_variant_default(device);
    const size_t width = (size_t)variant.vector_width, items = ((size_t)count + width - 1) / width;
    const struct berth_device_search search = {.seed_low = 2026,
                                               .poses = count,
                                               .parents = 1,
                                               .granule = 1,
                                               .half_x = 5,
                                               .half_y = 6,
                                               .half_z = 7};
    const struct berth_device_conformer *head = &fixture->conformers[0].device;
    const size_t size = (size_t)count * 6 * sizeof *transforms;
    if (berth_context_create(device, &context, &error) ||
        berth_variant_build(context, &variant, &fixture->scoring, NULL, &program, &error) ||
        berth_kernel_create(program, "generation_zero", &kernel, &error) ||
        berth_buffer_create(context, sizeof search, &constants, &error) ||
        berth_buffer_create(context, sizeof *head, &conformer, &error) ||
        berth_buffer_create(context, size, &planes, &error) ||
        berth_buffer_write(constants, &search, sizeof search, &error) ||
        berth_buffer_write(conformer, head, sizeof *head, &error)) {
        fail_msg("%s", error.message);
    }
    berth_kernel_set_buffer(kernel, 0, constants);
    berth_kernel_set_buffer(kernel, 1, conformer);
    berth_kernel_set_buffer(kernel, 2, planes);
    if (berth_kernel_launch(kernel, items, 1, (size_t)variant.wgsize, NULL, &error) ||
        berth_buffer_read(planes, transforms, size, &error)) {
        fail_msg("%s", error.message);
    }
    berth_buffer_destroy(planes);
    berth_buffer_destroy(conformer);
    berth_buffer_destroy(constants);
    berth_kernel_destroy(kernel);
    berth_program_destroy(program);
    berth_context_destroy(context);
}

/* Rotation matrices uniform in SO(3): every element has mean 0 and mean square 1/3, and the angle
 * θ has the distribution (θ - sin θ) / π; translations are uniform along each edge.  The seed is
 * fixed; 1.95 / sqrt(n) is exceeded by chance once in a thousand. */
static void test_generation_zero_is_uniform(void **state)
{
    enum { COUNT = 30011 };
    static float transforms[6 * COUNT];
    static double angles[COUNT], shifts[3][COUNT];
    double mean[9] = {0}, square[9] = {0};
    generation_zero(*state, transforms, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const struct berth_reference_pose pose = berth_reference_pose_at(transforms, COUNT, i);
        for (int k = 0; k < 9; k++) {
            mean[k] += pose.rotation[k] / COUNT;
            square[k] += pose.rotation[k] * pose.rotation[k] / COUNT;
        }
        const double trace = pose.rotation[0] + pose.rotation[4] + pose.rotation[8];
        const double angle = acos(fmin(fmax((trace - 1) / 2, -1), 1));
        angles[i] = (angle - sin(angle)) / 3.14159265358979;
        for (int k = 0; k < 3; k++) {
            shifts[k][i] = (pose.shift[k] / (5 + k) + 1) / 2;
        }
    }
    for (int k = 0; k < 9; k++) {
        assert_true(fabs(mean[k]) < 4 * sqrt(1.0 / 3 / COUNT));
        assert_true(fabs(square[k] - 1.0 / 3) < 4 * sqrt(4.0 / 45 / COUNT));
    }
    assert_true(distance_from_uniform(angles, COUNT) < 1.95 / sqrt(COUNT));
    for (int k = 0; k < 3; k++) {
        assert_true(distance_from_uniform(shifts[k], COUNT) < 1.95 / sqrt(COUNT));
    }
}

/* Random molecules of 1 to 100 atoms, no atom nearer than 1 Å to another: the terms agree with the
 * oracle to 0.01 kJ/mol. */
static void random_molecule(struct berth_random *random, size_t count, double half,
                            const struct berth_heavy_atoms *others, struct berth_heavy_atoms *made)
{
    made->count = 0;
    while (made->count < count) {
        struct berth_heavy_atom atom = {.type = (int)berth_random_below(random, 30)};
        bool free_place = true;
        for (int k = 0; k < 3; k++) {
            atom.position[k] = berth_random_between(random, -half, half);
        }
        for (size_t i = 0; others && i < others->count; i++) {
            const double *p = others->atoms[i].position, *q = atom.position;
            free_place = free_place && hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) > 1;
        }
        if (free_place) {
            made->atoms[made->count++] = atom;
        }
    }
}

static void test_given_poses_are_scored_exactly(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_error error;
    struct berth_random random = {(uint64_t)time(NULL), 0};
    print_message("# seed %llu\n", (unsigned long long)random.seed);
    static struct berth_heavy_atom receptor_atoms[900], ligand_atoms[100][100];
    struct berth_heavy_atoms receptor = {receptor_atoms, 0}, ligands[100];
    static struct berth_packed_conformer packed[100];
    random_molecule(&random, 900, 14, NULL, &receptor);
    for (size_t i = 0; i < 100; i++) {
        ligands[i].atoms = ligand_atoms[i];
        random_molecule(&random, i + 1, 9, &receptor, &ligands[i]);
        assert_int_equal(berth_pack_conformer(&ligands[i], 0, 0, &packed[i], &error), BERTH_OK);
    }
    const struct berth_docking_setup setup = {
        .targets = {{&fixture->scoring, &receptor, {{1, 2, -3}, {0}, false}, NULL}}};
    const struct berth_search_settings one = {.parents = 1};
    struct berth_in_place *standing;
    struct berth_found found;
    if (berth_found_create(&one, 100, &found, &error) ||
        berth_in_place_create(&fixture->devices.devices[0], &setup, &standing, &error) ||
        berth_in_place_run(standing, packed, 100, &found, &error)) {
        fail_msg("%s", error.message);
    }
    for (size_t i = 0; i < 100; i++) {
        const struct berth_terms exact = berth_score_ref(&fixture->scoring, &receptor, &ligands[i]);
        for (size_t k = 0; k < 3; k++) {
            assert_true(fabs(found.poses[i].terms.values[k] - exact.values[k]) <= 0.01);
        }
        berth_packed_conformer_clear(&packed[i]);
    }
    berth_in_place_destroy(standing);
    berth_found_clear(&found);
}

static void test_site_far_from_the_receptor_is_refused(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_docking_setup setup = setup_of(fixture);
    struct berth_docking *docking;
    struct berth_error error;
    setup.targets[0].site.center[0] = 500;
    assert_int_equal(berth_docking_create(&setup, &docking, &error), BERTH_E_USAGE);
    assert_null(docking);
    assert_non_null(strstr(error.message, " 15 Å "));
}

/* Neither is written or read behind the end of a buffer, whatever the driver would say. */
static void test_transfers_stay_inside_buffers(void **state)
{
    const struct fixture *fixture = *state;
    const char bytes[8] = {0};
    char read[8];
    for (size_t i = 0; i < fixture->devices.count; i++) {
        struct berth_context *context = NULL;
        struct berth_buffer *buffer = NULL;
        struct berth_event *event;
        struct berth_error error;
        assert_int_equal(berth_context_create(&fixture->devices.devices[i], &context, &error),
                         BERTH_OK);
        assert_int_equal(berth_buffer_upload(context, bytes, 7, &buffer, &error), BERTH_OK);
        assert_int_equal(berth_buffer_write(buffer, bytes, 8, &error), BERTH_E_DEVICE);
        assert_string_equal(error.message, "8 bytes for a buffer of 7");
        assert_int_equal(berth_buffer_read(buffer, read, 8, &error), BERTH_E_DEVICE);
        assert_string_equal(error.message, "8 bytes from a buffer of 7");
        assert_int_equal(berth_buffer_start_read(buffer, read, 8, &event, &error), BERTH_E_DEVICE);
        assert_null(event);
        berth_buffer_destroy(buffer);
        berth_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result_does_not_depend_on_the_launch),
        cmocka_unit_test(test_poses_are_ranked_distinct_and_inside),
        cmocka_unit_test(test_only_atoms_and_best_poses_cross_the_bus),
        cmocka_unit_test(test_transfers_stay_inside_buffers),
        cmocka_unit_test(test_refinement_stays_on_the_device),
        cmocka_unit_test(test_refined_poses),
        cmocka_unit_test(test_generation_zero_is_uniform),
        cmocka_unit_test(test_given_poses_are_scored_exactly),
        cmocka_unit_test(test_site_far_from_the_receptor_is_refused)};
    return cmocka_run_group_tests_name("search", tests, set_up, tear_down);
}

/* The search on maps as a whole: that nothing but seed and device decides the result, what crosses
 * the bus, that a global minimum that is known is found, and what is refused; and how a ligand's
 * branches and pairs are packed for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dock/docking.h"
#include "engine/mapped.h"
#include "format/mol2/mol2.h"
#include "score/flexible.h"

enum { CONFORMERS = 3, REFINED = 4, ATOMS = 35 };

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
    struct berth_pose poses[CONFORMERS * REFINED];
    size_t counts[CONFORMERS];
    struct berth_traffic traffic;
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

static int set_up(void **state)
{
    static const struct berth_scoring_choice PLP = {.scoring = "plp"};
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct berth_error error;
    if (!fixture || berth_devices_enumerate("all", NULL, &fixture->devices, &error) ||
        berth_scoring_read(&PLP, NULL, &fixture->scoring, &error)) {
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
        fixture->conformers[i].flexible = i ? &fixture->words : NULL; /* the first is rigid */
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
                                        .search = berth_search_at(berth_search_level_find("fast")),
                                        .devices = fixture->twice,
                                        .device_count = 1,
                                        .variant = berth_variant_unset()};
    setup.search.mapped.poses = 12;
    setup.search.mapped.parents = 5;
    setup.search.mapped.generations = 3;
    setup.search.mapped.hops = 1;
    setup.search.mapped.evaluations = 8;
    setup.search.refine.poses = REFINED;
    setup.search.refine.evaluations = 20;
    setup.search.refine.hops = 0;
    return setup;
}

static struct docked dock(const struct berth_docking_setup *setup,
                          const struct berth_packed_conformer *conformers, size_t count)
{
    struct docked docked;
    struct berth_docking *docking;
    struct berth_error error;
    struct berth_found found;
    memset(&docked, 0, sizeof docked);
    if (berth_docking_create(setup, &docking, &error) ||
        berth_found_create(&setup->search, count, &found, &error)) {
        fail_msg("%s", error.message);
    }
    const struct berth_traffic before = berth_docking_traffic(docking);
    if (berth_docking_run(docking, conformers, count, &found, &error)) {
        fail_msg("%s", error.message);
    }
    const struct berth_traffic after = berth_docking_traffic(docking);
    assert_int_equal(found.stride, REFINED);
    memcpy(docked.poses, found.poses, count * REFINED * sizeof *docked.poses);
    memcpy(docked.counts, found.counts, count * sizeof *docked.counts);
    docked.traffic.writes = after.writes - before.writes;
    docked.traffic.bytes_written = after.bytes_written - before.bytes_written;
    docked.traffic.reads = after.reads - before.reads;
    docked.traffic.bytes_read = after.bytes_read - before.bytes_read;
    berth_found_clear(&found);
    berth_docking_destroy(docking);
    return docked;
}

static void expect_same(const struct docked *a, const struct docked *b, bool same)
{
    const bool equal = memcmp(a->poses, b->poses, sizeof a->poses) == 0 &&
                       memcmp(a->counts, b->counts, sizeof a->counts) == 0;
    assert_int_equal(equal, same);
}

static void test_result_does_not_depend_on_the_launch(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_docking_setup setup = setup_of(fixture);
    const struct docked plain = dock(&setup, fixture->conformers, CONFORMERS);
    struct docked other = dock(&setup, fixture->conformers, CONFORMERS);
    expect_same(&plain, &other, true);
    for (size_t c = 0; c < CONFORMERS; c++) {
        const struct berth_pose *poses = plain.poses + c * REFINED;
        assert_in_range(plain.counts[c], 1, REFINED);
        for (size_t i = 0; i < plain.counts[c]; i++) {
            const struct berth_transform *at = &poses[i].transform;
            assert_true(fabsf(at->x) <= 6 && fabsf(at->y) <= 6 && fabsf(at->z) <= 7.5f);
            assert_true(i == 0 || berth_pose_total(&poses[i]) >= berth_pose_total(&poses[i - 1]));
        }
    }
    setup.search.batch = 1;
    other = dock(&setup, fixture->conformers, CONFORMERS);
    expect_same(&plain, &other, true);
    setup.search.batch = 2;
    setup.device_count = 2;
    other = dock(&setup, fixture->conformers, CONFORMERS);
    expect_same(&plain, &other, true);
    setup.search.seed++;
    other = dock(&setup, fixture->conformers, CONFORMERS);
    expect_same(&plain, &other, false);
}

/* Two conformers of a ligand have half its poses each, and find what half as many find alone. */
static void test_conformers_share_a_search(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_docking_setup setup = setup_of(fixture);
    struct berth_packed_conformer both[CONFORMERS - 1];
    memcpy(both, fixture->conformers + 1, sizeof both);
    setup.search.mapped.poses = 2 * BERTH_POSES_LEAST + 2;
    setup.search.refine.poses = REFINED;
    const struct docked each = dock(&setup, both, CONFORMERS - 1);
    both[0].device.conformers = both[1].device.conformers = 2;
    const struct docked shared = dock(&setup, both, CONFORMERS - 1);
    both[0].device.conformers = both[1].device.conformers = 1;
    setup.search.mapped.poses = BERTH_POSES_LEAST + 1;
    const struct docked half = dock(&setup, both, CONFORMERS - 1);
    expect_same(&shared, &half, true);
    expect_same(&shared, &each, false);
}

/* Of many conformers each has a quarter; none has fewer than some, or more than there are; a third
 * of its poses are parents, at most; and of what is refined, two thirds are distinct, or all. */
static void test_shares(void **state)
{
    (void)state;
    assert_int_equal(BERTH_POSES_OF(256, 1), 256);
    assert_int_equal(BERTH_POSES_OF(256, 3), 85);
    assert_int_equal(BERTH_POSES_OF(256, 20), 64);
    assert_int_equal(BERTH_POSES_OF(96, 20), BERTH_POSES_LEAST);
    assert_int_equal(BERTH_POSES_OF(12, 20), 12);
    assert_int_equal(BERTH_PARENTS_OF(32, 32, 1), 32);
    assert_int_equal(BERTH_PARENTS_OF(32, 256, 2), 32);
    assert_int_equal(BERTH_PARENTS_OF(32, 64, 2), 22);
    assert_int_equal(BERTH_KEPT_OF(12, 2), 6);
    assert_int_equal(BERTH_KEPT_OF(12, 20), BERTH_KEPT_LEAST);
    assert_int_equal(BERTH_KEPT_OF(3, 20), 3);
    assert_int_equal(BERTH_KEPT_OF(48, 20), 12);
    assert_int_equal(BERTH_DISTINCT_OF(18, false), 18);
    assert_int_equal(BERTH_DISTINCT_OF(18, true), 12);
    assert_int_equal(BERTH_DISTINCT_OF(4, true), 3);
    assert_int_equal(BERTH_DISTINCT_OF(1, true), 1);
}

/* Conformers, what turns in them, and once the types that maps are made for; back come the poses
 * and how many there are.  A search makes no further round trip. */
static void test_only_ligands_and_best_poses_cross_the_bus(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_docking_setup setup = setup_of(fixture);
    setup.search.batch = CONFORMERS;
    const struct docked docked = dock(&setup, fixture->conformers, CONFORMERS);
    size_t types = 0;
    for (size_t i = 0; i < ATOMS; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++) {
            seen = seen || fixture->ligand.atoms[j].type == fixture->ligand.atoms[i].type;
        }
        types += !seen;
    }
    assert_int_equal(docked.traffic.writes, 4);
    assert_int_equal(docked.traffic.bytes_written,
                     CONFORMERS * (sizeof(struct berth_device_conformer) + 16 * ATOMS) +
                         4 * fixture->words.count + 4 * types);
    assert_int_equal(docked.traffic.reads, 2);
    assert_int_equal(docked.traffic.bytes_read,
                     CONFORMERS * (4 + REFINED * sizeof(struct berth_device_refined)));
}

/* The lowest energy of a pair of atoms at any distance. */
static double lowest_of_pair(const struct berth_scoring *scoring, int receptor, int ligand)
{
    double lowest = 0;
    for (int i = 50; i < 12000; i++) {
        const struct berth_terms terms = berth_score_ref_pair(scoring, receptor, ligand, i * 1e-3);
        double sum = 0;
        for (size_t k = 0; k < scoring->terms.count; k++) {
            sum += terms.values[k];
        }
        lowest = fmin(lowest, sum);
    }
    return lowest;
}

/* The lowest energy that is found for a ligand beside one receptor atom, in a site of 16 Å. */
static double dock_beside(const struct fixture *fixture, struct berth_heavy_atom *one,
                          const struct berth_heavy_atoms *ligand)
{
    const struct berth_heavy_atoms receptor = {one, 1};
    struct berth_packed_conformer packed;
    struct berth_error error;
    assert_int_equal(berth_pack_conformer(ligand, 3, 1, &packed, &error), BERTH_OK);
    struct berth_docking_setup setup = setup_of(fixture);
    setup.targets[0] =
        (struct berth_target){&fixture->scoring, &receptor, {{0, 0, 0}, {16, 16, 16}, false}, NULL};
    setup.search.mapped.poses = 40;
    setup.search.mapped.evaluations = 30;
    setup.search.refine.evaluations = 200;
    const struct docked docked = dock(&setup, &packed, 1);
    berth_packed_conformer_clear(&packed);
    return berth_pose_total(docked.poses);
}

/* Two bonded atoms can both be where one receptor atom attracts them most. */
static void test_finds_a_global_minimum(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_heavy_atom one = {.type = fixture->ligand.atoms[0].type, .position = {1, 2, 3}};
    struct berth_heavy_atom pair[2] = {{.type = one.type}, {.type = one.type}};
    pair[1].position[0] = 1.5;
    const struct berth_heavy_atoms ligand = {pair, 2};
    const double expected = 2 * lowest_of_pair(&fixture->scoring, one.type, one.type);
    assert_true(expected < -0.1);
    assert_true(fabs(dock_beside(fixture, &one, &ligand) - expected) < 0.01);
}

/* A long ligand in a small site: its centroid is in it, and its end finds what is beyond the
 * margin. */
static void test_reaches_beyond_the_site(void **state)
{
    enum { COUNT = 9 };
    const struct fixture *fixture = *state;
    struct berth_heavy_atom one = {.type = fixture->ligand.atoms[0].type, .position = {15.5, 0, 0}};
    struct berth_heavy_atom rod[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rod[i] = (struct berth_heavy_atom){.type = one.type, .position = {1.2 * i, 0, 0}};
    }
    const struct berth_heavy_atoms ligand = {rod, COUNT};
    const double expected = lowest_of_pair(&fixture->scoring, one.type, one.type);
    assert_true(dock_beside(fixture, &one, &ligand) < expected - 0.01);
}

/* Poses begin about the place that their conformer names, all over the cube about it: without a
 * step downhill they stay there. */
static void test_begins_where_it_is_told(void **state)
{
    static const float STARTS[CONFORMERS][3] = {{15, -20, 10}, {-18, 0, 12}, {4, 5, -6}};
    const struct fixture *fixture = *state;
    struct berth_docking_setup setup = setup_of(fixture);
    struct berth_packed_conformer conformers[CONFORMERS];
    for (int k = 0; k < 3; k++) {
        setup.targets[0].site.size[k] = 60;
    }
    setup.search.mapped.maps.spacing = 1;
    setup.search.mapped.start = 3;
    setup.search.mapped.poses = 60;
    setup.search.mapped.generations = 1;
    setup.search.mapped.evaluations = 1;
    setup.search.refine.evaluations = 1;
    for (size_t c = 0; c < CONFORMERS; c++) {
        conformers[c] = fixture->conformers[c];
        conformers[c].device.start_x = STARTS[c][0];
        conformers[c].device.start_y = STARTS[c][1];
        conformers[c].device.start_z = STARTS[c][2];
    }
    const struct docked docked = dock(&setup, conformers, CONFORMERS);
    float farthest = 0;
    for (size_t c = 0; c < CONFORMERS; c++) {
        assert_int_equal(docked.counts[c], REFINED);
        for (size_t i = 0; i < REFINED; i++) {
            const struct berth_transform *at = &docked.poses[c * REFINED + i].transform;
            const float shift[3] = {at->x, at->y, at->z};
            for (int k = 0; k < 3; k++) {
                farthest = fmaxf(farthest, fabsf(shift[k] - STARTS[c][k]));
            }
        }
    }
    assert_true(farthest <= 3.001f && farthest > 1.5f);
}

/* An evaluator of the fixture's complex in a variant, and its context. */
static struct berth_evaluator *make_evaluator(const struct fixture *fixture, const char *text,
                                              struct berth_context **context)
{
    const struct berth_device *device = &fixture->devices.devices[0];
    struct berth_variant given = berth_variant_unset();
    struct berth_error error;
    struct berth_evaluator *evaluator = NULL;
    const struct berth_docking_setup setup = setup_of(fixture);
    if (berth_variant_parse(text, &given, &error) ||
        berth_context_create(device, context, &error)) {
        fail_msg("%s", error.message);
    }
    const struct berth_variant variant = berth_variant_with(device, &given);
    if (berth_evaluator_create(*context, &variant, NULL, &setup.targets[0], &evaluator, &error)) {
        fail_msg("%s", error.message);
    }
    return evaluator;
}

static void expect_refused(struct berth_evaluator *evaluator, const double size[3],
                           struct berth_mapped_settings settings, const char *why)
{
    struct berth_mapped_setup setup = {
        .settings = settings, .size = {size[0], size[1], size[2]}, .conformers = 1, .kept = 1};
    struct berth_mapped *mapped = NULL;
    struct berth_error error;
    enum berth_status status =
        berth_maps_create(evaluator, size, &settings.maps, &setup.maps, &error);
    BERTH_THEN(berth_mapped_create(evaluator, &setup, &mapped, &error));
    assert_int_equal(status, BERTH_E_USAGE);
    assert_null(mapped);
    berth_maps_destroy(setup.maps);
    if (!strstr(error.message, why)) {
        fail_msg("%s", error.message);
    }
}

static void test_refuses_what_cannot_be(void **state)
{
    static const double SMALL[3] = {10, 10, 10}, LARGE[3] = {3000, 3000, 3000};
    const struct fixture *fixture = *state;
    struct berth_context *context;
    struct berth_evaluator *evaluator = make_evaluator(fixture, "", &context);
    struct berth_mapped_settings settings = berth_mapped_defaults();
    settings.poses = 1;
    /* 2 + ceil((3000 + 4) / 0.375) points along each axis, two floats for each of all types. */
    const double bytes = pow(2 + ceil(3004 / 0.375), 3) * (double)fixture->scoring.type_count * 8;
    char expected[128];
    snprintf(expected, sizeof expected, "a site of 3000 x 3000 x 3000 Å: its maps take %.0f bytes",
             bytes);
    expect_refused(evaluator, LARGE, settings, expected);
    settings.maps.spacing = 0.01f;
    expect_refused(evaluator, SMALL, settings, "maps with a spacing of 0.01 Å");
    settings.maps = berth_maps_defaults();
    settings.maps.margin = NAN;
    expect_refused(evaluator, SMALL, settings, "maps with a margin of nan Å: 0 to 9 are possible");
    settings.maps = berth_maps_defaults();
    settings.poses = 65537;
    expect_refused(evaluator, SMALL, settings, "at most 65536 poses are possible");
    settings.poses = 1;
    settings.hops = 0;
    expect_refused(evaluator, SMALL, settings, "0 hops");
    berth_evaluator_destroy(evaluator);
    berth_context_destroy(context);
}

/* Lists of pairs have room for so many types: of more no list is made. */
static void test_does_without_lists(void **state)
{
    const struct fixture *fixture = *state;
    struct berth_context *context;
    struct berth_evaluator *evaluator =
        make_evaluator(fixture, "vector_width=1 refine_wgsize=1", &context);
    struct berth_batch batch = {0};
    struct berth_error error;
    struct berth_mapped_room room;
    assert_int_equal(berth_batch_fill(&batch, context, fixture->conformers, CONFORMERS, &error),
                     BERTH_OK);
    assert_int_equal(berth_mapped_memory(evaluator, &batch, 0, CONFORMERS, &room, &error),
                     BERTH_OK);
    assert_true(room.listed);
    const size_t bytes = room.bytes;
    berth_int32 *pairs = batch.host_words + batch.host_conformers[1].flexible +
                         BERTH_FLEXIBLE_PAIRS(fixture->words.torsions, ATOMS);
    pairs[1] = BERTH_PAIR_TYPES + 1; /* too many for a list */
    assert_int_equal(berth_mapped_memory(evaluator, &batch, 0, CONFORMERS, &room, &error),
                     BERTH_OK);
    assert_false(room.listed);
    assert_true(room.bytes < bytes);
    assert_int_equal(berth_context_finish(context, &error), BERTH_OK);
    berth_batch_clear(&batch);
    berth_evaluator_destroy(evaluator);
    berth_context_destroy(context);
}

/* Every atom stands once in the order of branches, where those that a torsion moves, and no others,
 * lie between its ends. */
static void test_packs_branches(void **state)
{
    const struct fixture *fixture = *state;
    const size_t torsions = fixture->words.torsions;
    const berth_int32 *words = fixture->words.words;
    const berth_int32 *moved = words + BERTH_FLEXIBLE_MOVED(torsions);
    const berth_int32 *order = words + BERTH_FLEXIBLE_BRANCHES(torsions, ATOMS);
    const berth_int32 *ends = words + BERTH_FLEXIBLE_ENDS(torsions, ATOMS);
    bool there[ATOMS] = {0};
    assert_true(torsions > 3);
    for (size_t i = 0; i < ATOMS; i++) {
        assert_in_range(order[i], 0, ATOMS - 1);
        assert_false(there[order[i]]);
        there[order[i]] = true;
        for (size_t t = 0; t < torsions; t++) {
            const bool between = (size_t)ends[2 * t] <= i && i < (size_t)ends[2 * t + 1];
            assert_int_equal(between, moved[order[i]] >> t & 1);
        }
        assert_int_equal(moved[ATOMS + i], 0); /* of torsions from number 32 on */
    }
}

/* Each far pair is there once, with its types, and not beside one with an atom of its own where
 * that can be. */
static void test_packs_pairs(void **state)
{
    const struct fixture *fixture = *state;
    const berth_int32 *words =
        fixture->words.words + BERTH_FLEXIBLE_PAIRS(fixture->words.torsions, ATOMS);
    const size_t count = (size_t)words[0], types = (size_t)words[1];
    const berth_int32 *pairs = words + 2 + types;
    bool listed[ATOMS][ATOMS] = {{0}};
    size_t far = 0, beside = 0, last_i = ATOMS, last_j = ATOMS;
    for (size_t k = 0; k < count; k++) {
        const uint32_t word = (uint32_t)pairs[k];
        const size_t i = word & 1023, j = word >> 10 & 1023, place = word >> 20;
        assert_true(i < j && j < ATOMS && !listed[i][j]);
        assert_int_equal(words[2 + place / types], fixture->ligand.atoms[i].type);
        assert_int_equal(words[2 + place % types], fixture->ligand.atoms[j].type);
        listed[i][j] = true;
        beside += i == last_i || i == last_j || j == last_i || j == last_j;
        last_i = i;
        last_j = j;
    }
    for (size_t i = 0; i < ATOMS; i++) {
        for (size_t j = i + 1; j < ATOMS; j++) {
            far += berth_flexible_is_far(&fixture->flexible, i, j);
            assert_int_equal(listed[i][j], berth_flexible_is_far(&fixture->flexible, i, j));
        }
    }
    assert_int_equal(far, count);
    assert_true(beside < ATOMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_result_does_not_depend_on_the_launch),
        cmocka_unit_test(test_conformers_share_a_search),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_only_ligands_and_best_poses_cross_the_bus),
        cmocka_unit_test(test_begins_where_it_is_told),
        cmocka_unit_test(test_finds_a_global_minimum),
        cmocka_unit_test(test_reaches_beyond_the_site),
        cmocka_unit_test(test_refuses_what_cannot_be),
        cmocka_unit_test(test_does_without_lists),
        cmocka_unit_test(test_packs_branches),
        cmocka_unit_test(test_packs_pairs)};
    return cmocka_run_group_tests_name("search on maps", tests, set_up, tear_down);
}

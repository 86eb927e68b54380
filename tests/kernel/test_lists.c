/* Neighbour lists change nothing: energies are those of all receptor atoms, bit for bit, whatever
 * the work-groups, for poses that lie together and for poses that do not.  The seed is fresh and
 * printed; BERTH_TEST_SEED repeats one. */
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

#include "engine/evaluator.h"
#include "check/reference.h"
#include "score/forcefield.h"
#include "support/slice.h"

enum { POSES = 1009, LIGANDS = 3 };

/* A receptor at a protein's density, ligands of which one is larger than the site's margin, and
 * poses. */
struct fixture {
    struct berth_devices devices;
    struct berth_scoring scoring;
    struct berth_random random;
    struct berth_heavy_atoms receptor;
    struct berth_packed_conformer packed[LIGANDS];
    float transforms[LIGANDS * 6 * POSES];
};

static void random_atoms(struct fixture *fixture, size_t count, double half,
                         struct berth_heavy_atoms *heavy)
{
    heavy->count = count;
    heavy->atoms = calloc(count, sizeof *heavy->atoms);
    for (size_t i = 0; i < count; i++) {
        heavy->atoms[i].type =
            (int)berth_random_below(&fixture->random, fixture->scoring.type_count);
        for (int k = 0; k < 3; k++) {
            heavy->atoms[i].position[k] = berth_random_between(&fixture->random, -half, half);
        }
    }
}

/* Poses about a few parents, nearer to them from family to family: from 8 Å to a hundredth. */
static void random_poses(struct fixture *fixture)
{
    enum { FAMILY = 73 };
    for (int c = 0; c < LIGANDS * 6; c++) {
        const double half = c % 6 < 3 ? 3 : 8;
        double parent = 0;
        for (int i = 0; i < POSES; i++) {
            if (i % FAMILY == 0) {
                parent = berth_random_between(&fixture->random, -half, half);
            }
            const double step = pow(0.5, i / FAMILY);
            const double value =
                parent + step * berth_random_between(&fixture->random, -half, half);
            fixture->transforms[c * POSES + i] = (float)fmax(-half, fmin(half, value));
        }
    }
}

static const struct berth_scoring_choice BUDE = {.scoring = "bude"};

static int set_up(void **state)
{
    static const double RADII[LIGANDS] = {4, 14, 0.1};
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct berth_error error;
    const char *seed = getenv("BERTH_TEST_SEED");
    if (!fixture || berth_devices_enumerate("all", NULL, &fixture->devices, &error) ||
        berth_scoring_read(&BUDE, NULL, &fixture->scoring, &error)) {
        return -1;
    }
    fixture->random.seed = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    print_message("# seed %llu\n", (unsigned long long)fixture->random.seed);
    random_atoms(fixture, 3000, 19, &fixture->receptor);
    for (uint32_t i = 0; i < LIGANDS; i++) {
        struct berth_heavy_atoms ligand;
        random_atoms(fixture, 17 + i, RADII[i], &ligand);
        if (berth_pack_conformer(&ligand, i, 0, &fixture->packed[i], &error)) {
            return -1;
        }
        berth_heavy_atoms_clear(&ligand);
    }
    random_poses(fixture);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < LIGANDS; i++) {
        berth_packed_conformer_clear(&fixture->packed[i]);
    }
    berth_heavy_atoms_clear(&fixture->receptor);
    berth_devices_clear(&fixture->devices);
    berth_scoring_clear(&fixture->scoring);
    free(fixture);
    return 0;
}

/* energies[LIGANDS][POSES] in a variant; with count, the receptor atoms that each pose met. */
static void evaluate(const struct fixture *fixture, const struct berth_device *device,
                     const char *variant_text, bool count, float *energies)
{
    struct berth_error error;
    struct berth_context *context = NULL;
    struct berth_evaluator *evaluator = NULL;
    struct berth_buffer *transforms = NULL, *result = NULL;
    struct berth_batch batch = {0};
    struct berth_variant variant = berth_variant_unset();
    const struct berth_target target = {
        &fixture->scoring, &fixture->receptor, {{0.25, -1, 2}, {16, 16, 16}, false}, NULL};
    const size_t bytes = sizeof fixture->transforms;
    if (berth_variant_parse(variant_text, &variant, &error) ||
        berth_context_create(device, &context, &error)) {
        fail_msg("%s", error.message);
    }
    variant = berth_variant_with(device, &variant);
    if (berth_evaluator_create(context, &variant, count ? "-DBERTH_COUNT" : NULL, &target,
                               &evaluator, &error) ||
        berth_batch_fill(&batch, context, fixture->packed, LIGANDS, &error) ||
        berth_buffer_create(context, bytes, &transforms, &error) ||
        berth_buffer_create(context, bytes / 6, &result, &error) ||
        berth_buffer_write(transforms, fixture->transforms, bytes, &error)) {
        fail_msg("%s", error.message);
    }
    const struct berth_evaluation evaluation = {
        .batch = &batch, .transforms = transforms, .result = result, .poses = POSES, .softness = 1};
    if (berth_evaluator_run(evaluator, &evaluation, NULL, &error) ||
        berth_buffer_read(result, energies, bytes / 6, &error)) {
        fail_msg("%s", error.message);
    }
    berth_buffer_destroy(transforms);
    berth_buffer_destroy(result);
    berth_batch_clear(&batch);
    berth_evaluator_destroy(evaluator);
    berth_context_destroy(context);
}

/* False for vectors on a device that has none. */
static bool can_do(const struct berth_device *device, const char *variant_text)
{
    struct berth_variant variant = berth_variant_unset();
    struct berth_error error;
    assert_int_equal(berth_variant_parse(variant_text, &variant, &error), BERTH_OK);
    variant = berth_variant_with(device, &variant);
    return berth_variant_check(&variant, device, &error) == BERTH_OK;
}

static void test_energies_are_the_same_bit_for_bit(void **state)
{
    static const char *const VARIANTS[] = {"",
                                           "wgsize=8 vector_width=1 ppwi=2",
                                           "wgsize=5 vector_width=4 ppwi=1",
                                           "wgsize=1 ppwi=3",
                                           "wgsize=1 vector_width=1 ppwi=1",
                                           "expanded=0"};
    const size_t count = in_slice("variants") ? sizeof VARIANTS / sizeof *VARIANTS : 2;
    static float all[LIGANDS * POSES], listed[LIGANDS * POSES];
    const struct fixture *fixture = *state;
    for (size_t d = 0; d < fixture->devices.count; d++) {
        for (size_t i = 0; i < count; i++) {
            char text[128];
            if (!can_do(&fixture->devices.devices[d], VARIANTS[i])) {
                continue;
            }
            snprintf(text, sizeof text, "%s lists=0 tile=0", VARIANTS[i]);
            evaluate(fixture, &fixture->devices.devices[d], text, false, all);
            snprintf(text, sizeof text, "%s lists=1", VARIANTS[i]);
            evaluate(fixture, &fixture->devices.devices[d], text, false, listed);
            for (size_t k = 0; k < LIGANDS * POSES; k++) {
                if (memcmp(&all[k], &listed[k], sizeof *all) != 0) {
                    fail_msg("%s, %s: pose %zu has energy %.9g, not %.9g",
                             fixture->devices.devices[d].name, VARIANTS[i], k, listed[k], all[k]);
                }
            }
        }
    }
}

/* Poses that lie within a hundredth of an Å meet a small part of the receptor; poses all over the
 * site, and conformers beyond its margin, as much as there is. */
static void test_lists_are_short(void **state)
{
    static float met[LIGANDS * POSES];
    const struct fixture *fixture = *state;
    const struct berth_packed_conformer *small = &fixture->packed[0];
    evaluate(fixture, &fixture->devices.devices[0], "lists=1 wgsize=1", true, met);
    const float all = (float)(fixture->receptor.count * (size_t)small->device.atom_count);
    assert_true(met[POSES - 1] > 0);
    assert_true(met[POSES - 1] < all / 8);
    assert_true(met[0] <= all);
    assert_true(met[0] > met[POSES - 1]);
    evaluate(fixture, &fixture->devices.devices[0], "lists=0", true, met);
    assert_true(met[0] == all && met[POSES - 1] == all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energies_are_the_same_bit_for_bit),
                                       cmocka_unit_test(test_lists_are_short)};
    return cmocka_run_group_tests_name("lists", tests, set_up, tear_down);
}

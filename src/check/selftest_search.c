/* Checks of whole runs: a rigid search, generation by generation, against one that the oracle makes
 * with the same random numbers; and a docking, whose poses are to have the oracle's energies and
 * nowhere further down to go, whatever is searched together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/selftest_internal.h"
#include "dock/docking.h"

/* The function's unit: what a small step may gain in a refined pose; where it began it is tens. */
#define LOWER      0.3
#define LOWER_PART 0.01 /* and so much of the sizes of its parts */

/* Å: half edges of the site and of the cube that the receptor fills; how far a pose may be from the
 * oracle's same (its translation, and elements of its rotation). */
#define HALF     5.0
#define REACH    8.0
#define SAME     2e-3
#define DISTINCT 0.9f

enum { CONFORMERS = 3, KEPT = 64, RECEPTOR_ATOMS = 60, LIGAND_ATOMS = 5 };

struct rigid {
    struct selftest *test;
    struct berth_heavy_atoms receptor, ligand;
    struct berth_target target;
    struct berth_packed_conformer packed[CONFORMERS];
    struct berth_evaluator *evaluator;
    struct berth_search_settings settings;
    struct berth_device_search constants; /* as the search has them */
};

static enum berth_status make_rigid(struct rigid *rigid, size_t poses, float distinct,
                                    struct berth_error *error)
{
    struct selftest *test = rigid->test;
    struct berth_search_settings *settings = &rigid->settings;
    enum berth_status status = selftest_atoms(test, RECEPTOR_ATOMS, REACH, &rigid->receptor, error);
    BERTH_THEN(selftest_atoms(test, LIGAND_ATOMS, 2, &rigid->ligand, error));
    for (uint32_t c = 0; !status && c < CONFORMERS; c++) {
        status = berth_pack_conformer(&rigid->ligand, 7, c, &rigid->packed[c], error);
    }
    rigid->target = (struct berth_target){
        test->setup->scoring, &rigid->receptor, {{0}, {2 * HALF, 2 * HALF, 2 * HALF}}};
    BERTH_THEN(berth_evaluator_create(test->context, &test->setup->variant,
                                      test->setup->build_options, &rigid->target, &rigid->evaluator,
                                      error));
    *settings = berth_search_published();
    settings->seed = test->setup->seed;
    settings->poses = poses;
    settings->parents = KEPT;
    settings->batch = CONFORMERS;
    settings->distinct_first = settings->distinct_last = settings->distinct_modes = distinct;
    settings->niche = 0;
    settings->steric_first = 1;
    rigid->constants = (struct berth_device_search){.seed_low = (uint32_t)settings->seed,
                                                    .seed_high = (uint32_t)(settings->seed >> 32),
                                                    .poses = (berth_int32)poses,
                                                    .parents = KEPT,
                                                    .half_x = (float)HALF,
                                                    .half_y = (float)HALF,
                                                    .half_z = (float)HALF,
                                                    .exchange = settings->exchange,
                                                    .granule = 1};
    while (4 * (size_t)rigid->constants.granule * KEPT <= poses && rigid->constants.granule < 64) {
        rigid->constants.granule *= 2;
    }
    return status;
}

static void clear_rigid(struct rigid *rigid)
{
    for (size_t c = 0; c < CONFORMERS; c++) {
        berth_packed_conformer_clear(&rigid->packed[c]);
    }
    berth_evaluator_destroy(rigid->evaluator);
    berth_heavy_atoms_clear(&rigid->ligand);
    berth_heavy_atoms_clear(&rigid->receptor);
}

static enum berth_status search(struct rigid *rigid, size_t generations, struct berth_found *found,
                                struct berth_error *error)
{
    static const double SIZE[3] = {2 * HALF, 2 * HALF, 2 * HALF};
    struct berth_search_settings settings = rigid->settings;
    struct berth_search *made = NULL;
    settings.generations = generations;
    enum berth_status status = berth_found_create(&settings, CONFORMERS, found, error);
    BERTH_THEN(berth_search_create(rigid->evaluator, SIZE, &settings, NULL, &made, error));
    BERTH_THEN(berth_search_start(made, rigid->packed, CONFORMERS, error));
    BERTH_THEN(berth_search_finish(made, found, 0, error));
    berth_search_destroy(made);
    return status;
}

/* A pose of the oracle's search; INFINITY: it was rejected. */
struct member {
    struct berth_reference_pose pose;
    double energy;
};

static int compare_members(const void *a, const void *b)
{
    const struct member *first = a, *second = b;
    return (first->energy > second->energy) - (first->energy < second->energy);
}

/* Leaves of conformer c's best BERTH_KEEP those that are distinct, and counts them: as the device
 * does with a bin, whose poses are duplicates of better ones also where those are duplicates. */
static size_t select_members(const struct rigid *rigid, size_t c, struct member *members)
{
    const double distinct = rigid->settings.distinct_modes;
    bool near[BERTH_KEEP] = {false};
    size_t count = 0;
    qsort(members, rigid->settings.poses, sizeof *members, compare_members);
    for (size_t i = 0; i < rigid->settings.poses && i < BERTH_KEEP; i++) {
        near[i] = !(members[i].energy < INFINITY);
        for (size_t j = 0; j < i && !near[i]; j++) {
            near[i] = berth_reference_mean_square(&rigid->packed[c].device, &members[i].pose,
                                                  &members[j].pose) < distinct * distinct;
        }
    }
    for (size_t i = 0; i < rigid->settings.poses && i < BERTH_KEEP && count < KEPT; i++) {
        if (!near[i]) {
            members[count++] = members[i];
        }
    }
    return count;
}

static struct berth_reference_pose pose_of(const struct berth_transform *t)
{
    const float planes[6] = {t->a, t->b, t->c, t->x, t->y, t->z};
    return berth_reference_pose_at(planes, 1, 0);
}

/* The first pose that was found of conformer c is as good as the oracle's best: single precision
 * may take another of its energy, but neither thins nor rejects the best of all. */
static enum berth_status compare_best(const struct rigid *rigid, const struct berth_found *found,
                                      size_t c, const struct member *best,
                                      struct berth_error *error)
{
    const struct berth_terms terms =
        berth_reference_terms(&rigid->target, &rigid->packed[c], &best->pose);
    const struct berth_terms doubt =
        berth_reference_doubt(&rigid->target, &rigid->packed[c], &best->pose, &terms);
    const double energy =
        found->counts[c] ? berth_pose_energy(&found->poses[c * found->stride]) : INFINITY;
    if (energy > best->energy + berth_terms_sum(&doubt) &&
        !berth_reference_agrees(energy, best->energy, &terms)) {
        return berth_fail(error, BERTH_E_RESULT,
                          "the best pose of conformer %zu has energy %.4f, not %.4f", c, energy,
                          best->energy);
    }
    return BERTH_OK;
}

/* Of conformer c were found the oracle's poses, with its energies, the best first; one or two may
 * be missing, which single precision took for another's duplicate, or rejected. */
static enum berth_status compare_found(const struct rigid *rigid, const struct berth_found *found,
                                       size_t c, const struct member *members, size_t count,
                                       struct berth_error *error)
{
    const struct berth_pose *poses = &found->poses[c * found->stride];
    size_t missing = 0;
    for (size_t k = 0; k < found->counts[c]; k++) {
        const struct berth_reference_pose at = pose_of(&poses[k].transform);
        const struct berth_terms terms =
            berth_reference_terms(&rigid->target, &rigid->packed[c], &at);
        const struct berth_terms doubt =
            berth_reference_doubt(&rigid->target, &rigid->packed[c], &at, &terms);
        const double expected = berth_terms_sum(&terms), energy = berth_pose_energy(&poses[k]);
        if (!berth_reference_agrees(energy, expected, &terms) &&
            !(fabs(energy - expected) <= berth_terms_sum(&doubt))) {
            return berth_fail(error, BERTH_E_RESULT,
                              "pose %zu of conformer %zu has energy %.4f, not %.4f", k, c, energy,
                              expected);
        }
        for (size_t j = 0; j < k; j++) {
            const struct berth_reference_pose better = pose_of(&poses[j].transform);
            const double apart =
                sqrt(berth_reference_mean_square(&rigid->packed[c].device, &at, &better));
            if (!(apart >= (double)rigid->settings.distinct_modes - SAME) ||
                memcmp(&poses[k].transform, &poses[j].transform, sizeof poses->transform) == 0 ||
                (j + 1 == k &&
                 berth_pose_energy(&poses[j]) > energy + 0.01 + 1e-4 * fabs(energy))) {
                return berth_fail(error, BERTH_E_RESULT, "pose %zu of conformer %zu is %s", k, c,
                                  apart < 1 ? "near a better one"
                                            : "better than the one before it");
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        bool there = false;
        for (size_t k = 0; k < found->counts[c] && !there; k++) {
            const struct berth_reference_pose at = pose_of(&poses[k].transform);
            there = berth_reference_distance(&at, &members[i].pose) < SAME;
        }
        missing += !there;
    }
    if (missing > 1 + count / 32) {
        return berth_fail(error, BERTH_E_RESULT,
                          "of the %zu best poses of conformer %zu %zu were not found", count, c,
                          missing);
    }
    return count ? compare_best(rigid, found, c, &members[0], error) : BERTH_OK;
}

static double energy_of(const struct rigid *rigid, size_t c,
                        const struct berth_reference_pose *pose)
{
    const struct berth_terms terms = berth_reference_terms(&rigid->target, &rigid->packed[c], pose);
    return berth_terms_sum(&terms);
}

/* Generation zero of a conformer, by the oracle. */
static void draw_members(const struct rigid *rigid, size_t c, struct member *members)
{
    for (size_t i = 0; i < rigid->settings.poses; i++) {
        members[i].pose =
            berth_reference_generation_zero(&rigid->constants, &rigid->packed[c].device, (int)i);
        members[i].energy = energy_of(rigid, c, &members[i].pose);
    }
}

/* The generation that comes of the poses that were found, by the oracle. */
static void breed_members(const struct rigid *rigid, size_t c, const struct berth_found *found,
                          struct member *members)
{
    const struct berth_search_settings *settings = &rigid->settings;
    const struct berth_device_conformer *conformer = &rigid->packed[c].device;
    float parents[6 * KEPT] = {0};
    const size_t count = found->counts[c];
    for (size_t k = 0; k < count; k++) {
        const struct berth_transform *t = &found->poses[c * found->stride + k].transform;
        const float numbers[6] = {t->a, t->b, t->c, t->x, t->y, t->z};
        for (size_t i = 0; i < 6; i++) {
            parents[i * KEPT + k] = numbers[i];
        }
    }
    const struct berth_reference_birth birth = {&rigid->constants,  conformer, parents,
                                                (int)count,         1,         settings->shift_last,
                                                settings->turn_last};
    double head = 0;
    for (int i = 0; i < (int)settings->poses; i++) {
        bool first;
        const int parent = berth_reference_parent(&rigid->constants, i, (int)count, &first);
        struct member *member = &members[i];
        member->pose = first ? berth_reference_pose_at(parents, KEPT, (size_t)parent)
                             : berth_reference_child(&birth, i);
        member->energy = energy_of(rigid, c, &member->pose);
        head = first ? member->energy : head;
        double units[4];
        berth_reference_draw(&rigid->constants, conformer, 1, i, 0, units);
        const double rise = member->energy - head;
        if (!first && rise > 0 && !(units[0] < exp(-rise / settings->temperature_last))) {
            member->energy = INFINITY;
        }
    }
}

/* A search of one or two generations. */
static enum berth_status check_rigid(struct selftest *test, size_t poses, float distinct,
                                     size_t generations, struct berth_error *error)
{
    struct rigid rigid = {.test = test};
    struct berth_found found[2] = {{0}};
    struct member *members;
    enum berth_status status = berth_make(&members, poses, sizeof *members, NULL, error);
    BERTH_THEN(make_rigid(&rigid, poses, distinct, error));
    BERTH_THEN(search(&rigid, 1, &found[0], error));
    if (generations == 2) {
        BERTH_THEN(search(&rigid, 2, &found[1], error));
    }
    for (size_t c = 0; !status && c < CONFORMERS; c++) {
        generations == 2 ? breed_members(&rigid, c, &found[0], members)
                         : draw_members(&rigid, c, members);
        const size_t count = select_members(&rigid, c, members);
        status = compare_found(&rigid, &found[generations - 1], c, members, count, error);
    }
    berth_found_clear(&found[0]);
    berth_found_clear(&found[1]);
    clear_rigid(&rigid);
    free(members);
    return status;
}

/* All that are kept of several bins, and of one bin those that are distinct. */
enum berth_status selftest_selection(struct selftest *test, struct berth_error *error)
{
    const enum berth_status status =
        check_rigid(test, test->setup->small ? 1100 : 5003, 0, 1, error);
    return status ? status : check_rigid(test, test->setup->small ? 131 : 1013, DISTINCT, 1, error);
}

enum berth_status selftest_evolution(struct selftest *test, struct berth_error *error)
{
    return check_rigid(test, test->setup->small ? 131 : 1013, DISTINCT, 2, error);
}

/* Ligands that are docked, a conformer each. */
enum { LIGANDS = 6 };

static enum berth_status dock(struct selftest *test, const struct berth_target *target,
                              const struct berth_search_settings *search,
                              const struct berth_packed_conformer *packed,
                              struct berth_found *found, struct berth_error *error)
{
    const struct berth_docking_setup setup = {.targets = {*target},
                                              .target_count = 1,
                                              .search = *search,
                                              .devices = test->setup->device,
                                              .device_count = 1,
                                              .variant = test->setup->variant,
                                              .build_options = test->setup->build_options};
    struct berth_docking *docking = NULL;
    enum berth_status status = berth_found_create(search, LIGANDS, found, error);
    BERTH_THEN(berth_docking_create(&setup, &docking, error));
    BERTH_THEN(berth_docking_run(docking, packed, LIGANDS, found, error));
    berth_docking_destroy(docking);
    return status;
}

/* The oracle's energy of a pose, and how much lower it gets along the oracle's gradient. */
static struct berth_flexible_energy judge(const struct selftest_system *system,
                                          const struct berth_pose *pose, double *gain)
{
    static const double STEPS[] = {0.002, 0.006, 0.02}; /* Å */
    const double origin[3] = {pose->transform.x, pose->transform.y, pose->transform.z};
    struct berth_heavy_atom room[2][BERTH_LIGAND_FLEXIBLE_MAX];
    const struct selftest_ligand *ligand = system->ligand;
    struct berth_heavy_atoms placed = {room[0], 0};
    double gradient[SELFTEST_FREEDOMS], turned[BERTH_TORSIONS] = {0}, square = 0;
    const size_t torsions = ligand->flexible.tree.count;
    for (size_t t = 0; t < torsions; t++) {
        turned[t] = pose->angles[t];
    }
    berth_flexible_place(&ligand->flexible, &ligand->heavy, &pose->transform, turned, &placed);
    selftest_gradient(system, &placed, origin, gradient);
    const struct berth_flexible_energy energy = selftest_exact_energy(system, &placed);
    for (size_t k = 0; k < 6 + torsions; k++) {
        gradient[k] /= selftest_mass(ligand, k);
        square += gradient[k] * gradient[k] * selftest_mass(ligand, k);
    }
    *gain = 0;
    struct berth_heavy_atoms moved = {room[1], placed.count};
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        memcpy(room[1], room[0], sizeof room[0]);
        for (size_t k = 6 + torsions; square > 0 && k-- > 0;) {
            selftest_displace(ligand, origin, k, -STEPS[i] * gradient[k] / sqrt(square), &moved);
        }
        *gain = fmax(*gain, berth_flexible_total(&energy) - selftest_total(system, &moved));
    }
    return energy;
}

/* Each pose has the oracle's energy and is not below the one before it; half of them may get lower
 * by a small step, where a descent had no evaluations left or stands in a kink. */
static enum berth_status compare_docked(struct selftest *test, const struct berth_target *target,
                                        const struct selftest_ligand *ligands,
                                        const struct berth_found *found, struct berth_error *error)
{
    size_t poses = 0, moving = 0;
    for (size_t n = 0; n < LIGANDS; n++) {
        const struct selftest_system system = {&ligands[n], test->setup->scoring, target->receptor,
                                               NULL};
        for (size_t k = 0; k < found->counts[n]; k++) {
            const size_t at = n * found->stride + k;
            const struct berth_pose *pose = &found->poses[at];
            double gain;
            const struct berth_flexible_energy energy = judge(&system, pose, &gain);
            const double right = berth_flexible_total(&energy), given = berth_pose_total(pose);
            const double better = k ? berth_pose_total(pose - 1) : given;
            if (!berth_reference_agrees(given, right, &energy.terms) || !(given >= better)) {
                return berth_fail(error, BERTH_E_RESULT,
                                  "pose %zu of ligand %zu has energy %.4f, behind one of %.4f; the "
                                  "reference gives it %.4f",
                                  k, n, given, better, right);
            }
            poses++;
            double size = 0;
            for (size_t p = 0; p < BERTH_PART_COUNT; p++) {
                size += fabs(energy.parts[p]);
            }
            for (size_t t = 0; t < BERTH_TERMS_MAX; t++) {
                size += fabs(energy.terms.values[t]);
            }
            moving += gain > LOWER + LOWER_PART * size;
        }
    }
    if (!poses || moving * 2 > poses) {
        return berth_fail(error, BERTH_E_RESULT, "%zu of %zu refined poses have further down to go",
                          moving, poses);
    }
    return BERTH_OK;
}

/* True where what the device found of a pose is the same, to the bit. */
static bool is_same(const struct berth_pose *a, const struct berth_pose *b)
{
    return memcmp(&a->transform, &b->transform, sizeof a->transform) == 0 &&
           memcmp(&a->terms, &b->terms, sizeof a->terms) == 0 &&
           memcmp(a->parts, b->parts, sizeof a->parts) == 0 &&
           memcmp(a->angles, b->angles, sizeof a->angles) == 0;
}

/* The same poses, to the bit, for each ligand. */
static enum berth_status compare_batches(const struct berth_found found[2],
                                         struct berth_error *error)
{
    for (size_t n = 0; n < LIGANDS; n++) {
        bool same = found[0].counts[n] == found[1].counts[n];
        for (size_t k = 0; same && k < found->counts[n]; k++) {
            const size_t at = n * found->stride + k;
            same = is_same(&found[0].poses[at], &found[1].poses[at]);
        }
        if (!same) {
            return berth_fail(error, BERTH_E_RESULT,
                              "the poses of ligand %zu depend on what is docked with it", n);
        }
    }
    return BERTH_OK;
}

static enum berth_status check_docking(struct selftest *test, const char *level, size_t poses,
                                       struct berth_error *error)
{
    static const size_t ATOMS[LIGANDS] = {3, 4, 6, 8, 9, 12};
    struct berth_search_settings settings = berth_search_at(berth_search_level_find(level));
    struct berth_heavy_atoms receptor = {0};
    struct selftest_ligand ligands[LIGANDS] = {0};
    struct berth_packed_conformer packed[LIGANDS];
    struct berth_found found[2] = {{0}};
    enum berth_status status = selftest_atoms(test, 3 * RECEPTOR_ATOMS, REACH, &receptor, error);
    const struct berth_target target = {
        test->setup->scoring, &receptor, {{0}, {2 * HALF, 2 * HALF, 2 * HALF}}};
    for (uint32_t n = 0; !status && n < LIGANDS; n++) {
        status = selftest_ligand(test, ATOMS[n], n, &ligands[n], error);
        packed[n] = ligands[n].packed;
    }
    settings.seed = test->setup->seed;
    settings.poses = poses;
    settings.mapped.poses = settings.mapped.poses ? poses : 0;
    settings.refine.torsions = true;
    settings.refine.evaluations = 300;
    for (size_t i = 0; !status && i < 2; i++) {
        settings.batch = i ? LIGANDS : 2;
        status = dock(test, &target, &settings, packed, &found[i], error);
    }
    BERTH_THEN(compare_docked(test, &target, ligands, &found[0], error));
    BERTH_THEN(compare_batches(found, error));
    for (size_t n = 0; n < LIGANDS; n++) {
        selftest_ligand_clear(&ligands[n]);
    }
    berth_found_clear(&found[0]);
    berth_found_clear(&found[1]);
    berth_heavy_atoms_clear(&receptor);
    return status;
}

enum berth_status selftest_docking(struct selftest *test, struct berth_error *error)
{
    const enum berth_status status = check_docking(test, "fast", 64, error);
    return status ? status : check_docking(test, "rigid_fast", 1024, error);
}

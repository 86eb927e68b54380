/* Check of a docking: its poses are to have the oracle's energies and nowhere further down to go,
 * whatever is searched together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "dock/docking.h"

/* The function's unit: what a small step may gain in a refined pose; where it began it is tens. */
#define LOWER      0.3
#define LOWER_PART 0.01 /* and so much of the sizes of its parts */

/* Å: half edges of the site and of the cube that the receptor fills. */
#define HALF  5.0
#define REACH 8.0

enum { RECEPTOR_ATOMS = 180 };

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
    enum berth_status status = selftest_atoms(test, RECEPTOR_ATOMS, REACH, &receptor, error);
    const struct berth_target target = {
        test->setup->scoring, &receptor, {{0}, {2 * HALF, 2 * HALF, 2 * HALF}, false}, NULL};
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

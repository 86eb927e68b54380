/* Checks of rigid searches: what was found has the oracle's energies, lies in the site, is distinct
 * and in order, and all of it comes of the poses that were there before.  (tests/kernel/checks
 * holds each kernel against what it is to compute.) */
#include <math.h>
#include <string.h>

#include "check/selftest_internal.h"
#include "chem/vectors.h"
#include "dock/docking.h"

/* Å: half edges of the site and of the cube that the receptor fills; two poses that are near. */
#define HALF     5.0
#define REACH    8.0
#define DISTINCT 0.9f

/* Å and rad: of children; at most twice as far from a parent.  No child has a higher energy at so
 * low a temperature. */
#define SHIFT 0.1f
#define TURN  0.08f
#define COLD  1e-6f

enum { CONFORMERS = 3, KEPT = 64, RECEPTOR_ATOMS = 60, LIGAND_ATOMS = 5 };

struct rigid {
    struct selftest *test;
    struct berth_heavy_atoms receptor, ligand;
    struct berth_target target;
    struct berth_packed_conformer packed[CONFORMERS];
    struct berth_evaluator *evaluator;
    struct berth_found found[2]; /* by searches of one and of two generations */
    float distinct;              /* Å */
};

static enum berth_status make_rigid(struct rigid *rigid, struct berth_error *error)
{
    struct selftest *test = rigid->test;
    enum berth_status status = selftest_atoms(test, RECEPTOR_ATOMS, REACH, &rigid->receptor, error);
    BERTH_THEN(selftest_atoms(test, LIGAND_ATOMS, 2, &rigid->ligand, error));
    for (uint32_t c = 0; !status && c < CONFORMERS; c++) {
        status = berth_pack_conformer(&rigid->ligand, 7, c, &rigid->packed[c], error);
    }
    rigid->target = (struct berth_target){
        test->setup->scoring, &rigid->receptor, {{0}, {2 * HALF, 2 * HALF, 2 * HALF}, false}, NULL};
    BERTH_THEN(berth_evaluator_create(test->context, &test->setup->variant,
                                      test->setup->build_options, &rigid->target, &rigid->evaluator,
                                      error));
    return status;
}

static void clear_rigid(struct rigid *rigid)
{
    for (size_t c = 0; c < CONFORMERS; c++) {
        berth_packed_conformer_clear(&rigid->packed[c]);
    }
    berth_found_clear(&rigid->found[0]);
    berth_found_clear(&rigid->found[1]);
    berth_evaluator_destroy(rigid->evaluator);
    berth_heavy_atoms_clear(&rigid->ligand);
    berth_heavy_atoms_clear(&rigid->receptor);
}

static enum berth_status search(struct rigid *rigid, size_t poses, size_t generations,
                                struct berth_error *error)
{
    static const double SIZE[3] = {2 * HALF, 2 * HALF, 2 * HALF};
    struct berth_search_settings settings = berth_search_published();
    struct berth_found *found = &rigid->found[generations - 1];
    struct berth_search *made = NULL;
    settings.seed = rigid->test->setup->seed;
    settings.poses = poses;
    settings.generations = generations;
    settings.parents = KEPT;
    settings.batch = CONFORMERS;
    settings.shift_first = settings.shift_last = SHIFT;
    settings.turn_first = settings.turn_last = TURN;
    settings.temperature_first = settings.temperature_last = COLD;
    settings.distinct_first = settings.distinct_last = settings.distinct_modes = rigid->distinct;
    settings.niche = 0;
    settings.steric_first = 1;
    enum berth_status status = berth_found_create(&settings, CONFORMERS, found, error);
    BERTH_THEN(berth_search_create(rigid->evaluator, SIZE, &settings, NULL, &made, error));
    BERTH_THEN(berth_search_start(made, rigid->packed, CONFORMERS, error));
    BERTH_THEN(berth_search_finish(made, found, 0, error));
    berth_search_destroy(made);
    return status;
}

static struct berth_reference_pose pose_of(const struct berth_pose *pose)
{
    const struct berth_transform *t = &pose->transform;
    const float planes[6] = {t->a, t->b, t->c, t->x, t->y, t->z};
    return berth_reference_pose_at(planes, 1, 0);
}

static double slack(double energy)
{
    return 0.01 + 1e-4 * fabs(energy);
}

/* Pose k of conformer c lies in the site, has the oracle's energy, none lower than the pose before
 * it, and is none of the better ones again. */
static enum berth_status compare_pose(const struct rigid *rigid, const struct berth_found *found,
                                      size_t c, size_t k, struct berth_error *error)
{
    const struct berth_pose *poses = &found->poses[c * found->stride];
    const struct berth_reference_pose at = pose_of(&poses[k]);
    const struct berth_terms terms = berth_reference_terms(&rigid->target, &rigid->packed[c], &at);
    const struct berth_terms doubt =
        berth_reference_doubt(&rigid->target, &rigid->packed[c], &at, &terms);
    const double expected = berth_terms_sum(&terms), energy = berth_pose_energy(&poses[k]);
    bool well = fabs(at.shift[0]) <= HALF && fabs(at.shift[1]) <= HALF && fabs(at.shift[2]) <= HALF;
    if (!berth_reference_agrees(energy, expected, &terms) &&
        !(fabs(energy - expected) <= berth_terms_sum(&doubt))) {
        return berth_fail(error, BERTH_E_RESULT,
                          "pose %zu of conformer %zu has energy %.4f, not %.4f", k, c, energy,
                          expected);
    }
    for (size_t j = 0; well && j < k; j++) {
        const struct berth_reference_pose better = pose_of(&poses[j]);
        const double apart =
            sqrt(berth_reference_mean_square(&rigid->packed[c].device, &at, &better));
        well = apart >= (double)rigid->distinct - 2e-3 &&
               memcmp(&poses[k].transform, &poses[j].transform, sizeof poses->transform) != 0 &&
               (j + 1 < k || berth_pose_energy(&poses[j]) <= energy + slack(energy));
    }
    return well ? BERTH_OK
                : berth_fail(error, BERTH_E_RESULT,
                             "pose %zu of conformer %zu is near a better one, better than the one "
                             "before it, or not in the site",
                             k, c);
}

/* All poses that a search of so many generations found; `least` of each conformer. */
static enum berth_status compare_found(const struct rigid *rigid, size_t generations, size_t least,
                                       struct berth_error *error)
{
    const struct berth_found *found = &rigid->found[generations - 1];
    for (size_t c = 0; c < CONFORMERS; c++) {
        if (found->counts[c] < least) {
            return berth_fail(error, BERTH_E_RESULT, "of conformer %zu only %zu poses were found",
                              c, (size_t)found->counts[c]);
        }
        for (size_t k = 0; k < found->counts[c]; k++) {
            BERTH_TRY(compare_pose(rigid, found, c, k, error));
        }
    }
    return BERTH_OK;
}

/* All that are kept: of few poses, of several bins, and of one bin those that are distinct. */
enum berth_status selftest_selection(struct selftest *test, struct berth_error *error)
{
    const struct {
        size_t poses, least;
        float distinct;
    } TRIALS[] = {{KEPT, KEPT, 0},
                  {test->setup->small ? 1100 : 5003, KEPT, 0},
                  {test->setup->small ? 131 : 1013, 1, DISTINCT}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof TRIALS / sizeof *TRIALS; i++) {
        struct rigid rigid = {.test = test, .distinct = TRIALS[i].distinct};
        status = make_rigid(&rigid, error);
        BERTH_THEN(search(&rigid, TRIALS[i].poses, 1, error));
        BERTH_THEN(compare_found(&rigid, 1, TRIALS[i].least, error));
        clear_rigid(&rigid);
    }
    return status;
}

/* Whether a pose could be a child of this parent, which it is nearly turned as, or the parent. */
static bool is_child(const struct berth_reference_pose *pose, double energy,
                     const struct berth_reference_pose *parent, double limit)
{
    double trace = 0;
    for (int k = 0; k < 9; k++) {
        trace += pose->rotation[k] * parent->rotation[k];
    }
    return energy <= limit + slack(limit) && acos(fmin((trace - 1) / 2, 1)) <= 2.1 * (double)TURN;
}

/* Each pose of conformer c that generation 1 brought is a child of one of the poses before it,
 * whose place, or another one's, it is near. */
static enum berth_status compare_children(const struct rigid *rigid, size_t c, size_t *children,
                                          struct berth_error *error)
{
    const struct berth_pose *parents = &rigid->found[0].poses[c * rigid->found[0].stride];
    const struct berth_pose *poses = &rigid->found[1].poses[c * rigid->found[1].stride];
    for (size_t k = 0; k < rigid->found[1].counts[c]; k++) {
        const struct berth_reference_pose at = pose_of(&poses[k]);
        bool old = false, born = false, placed = false;
        for (size_t i = 0; i < rigid->found[0].counts[c]; i++) {
            const struct berth_reference_pose parent = pose_of(&parents[i]);
            old = old ||
                  memcmp(&poses[k].transform, &parents[i].transform, sizeof poses->transform) == 0;
            born = born || is_child(&at, berth_pose_energy(&poses[k]), &parent,
                                    berth_pose_energy(&parents[i]));
            placed = placed || berth_distance(at.shift, parent.shift) <= 2.1 * (double)SHIFT;
        }
        *children += !old;
        if (!old && !(born && placed)) {
            return berth_fail(error, BERTH_E_RESULT,
                              "pose %zu of conformer %zu is no child of any parent, or worse than "
                              "its parent",
                              k, c);
        }
    }
    return BERTH_OK;
}

/* Few poses, among which a child that is worse than its parent is kept; many, in larger families.
 */
enum berth_status selftest_evolution(struct selftest *test, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < (test->setup->small ? 1 : 2); i++) {
        const size_t poses = i ? 1013 : 3 * KEPT;
        struct rigid rigid = {.test = test};
        size_t children = 0;
        status = make_rigid(&rigid, error);
        BERTH_THEN(search(&rigid, poses, 1, error));
        BERTH_THEN(search(&rigid, poses, 2, error));
        BERTH_THEN(compare_found(&rigid, 2, 1, error));
        for (size_t c = 0; !status && c < CONFORMERS; c++) {
            status = compare_children(&rigid, c, &children, error);
        }
        if (!status && !children) {
            status = berth_fail(error, BERTH_E_RESULT, "no child was better than its parent");
        }
        clear_rigid(&rigid);
    }
    return status;
}

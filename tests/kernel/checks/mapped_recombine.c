/* Checks of mapped_recombine and mapped_choose, on random populations in which poses are near each
 * other, energies are equal, infinite or not numbers. */
#include <math.h>
#include <string.h>

#include "mapped.h"

enum { POSES = 41, PARENTS = 6, CHOSEN = 9, CLUSTERS = 8, ROW = BERTH_ROW_WORDS(BERTH_TORSIONS) };

/* Å²: where a mean square distance is so near to the limit, single precision may decide otherwise.
 */
#define MARGIN 1e-3

/* True where number k of a pose turns what stands beside the ligand. */
static bool is_beside(const struct berth_flexible *flexible, size_t k)
{
    const struct berth_torsion_tree *tree = &flexible->tree;
    return flexible->free_count && k >= 7 &&
           tree->moved[tree->torsions[k - 7].moved_start] >= flexible->free_count;
}

/* A random pose in a row, or one near it: of a ligand, whatever else turns. */
static void draw_pose(struct selftest *test, const struct berth_flexible *flexible,
                      const float *near, float *row)
{
    const double spread = berth_random_between(&test->random, 0.01, 0.2);
    double length = 0;
    for (size_t k = 0; k < 7 + flexible->tree.count; k++) {
        const double width = near && !is_beside(flexible, k) ? spread : 4;
        row[BERTH_ROW_POINT + k] = (float)(berth_random_between(&test->random, -width, width) +
                                           (near ? near[BERTH_ROW_POINT + k] : 0));
    }
    float *q = row + BERTH_ROW_POINT + 3;
    for (int k = 0; k < 4; k++) {
        length += (double)q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) {
        q[k] = (float)(q[k] / sqrt(length));
    }
}

/* Energies of which some are equal, and a few are none. */
static float draw_energy(struct selftest *test, bool none)
{
    static const float ODD[] = {INFINITY, NAN, -INFINITY};
    const size_t kind = berth_random_below(&test->random, 20);
    if (none || kind < 3) {
        return ODD[none ? kind % 2 : kind];
    }
    return kind < 8 ? -5 - (float)kind : (float)berth_random_between(&test->random, -9, 3);
}

/* Conformer 1 has no pose at all. */
static enum berth_status draw_rows(struct mapped_trial *trial, struct selftest_array *rows,
                                   struct berth_error *error)
{
    struct selftest *test = trial->test;
    for (size_t c = 0; c < MAPPED_CONFORMERS; c++) {
        for (size_t i = 0; i < POSES; i++) {
            float *row = mapped_row(trial, rows, c, i);
            const float *near = i < CLUSTERS ? NULL : mapped_row(trial, rows, c, i % CLUSTERS);
            draw_pose(test, &trial->ligands[c].flexible, i % 5 ? near : NULL, row);
            row[BERTH_ROW_ENERGY] = draw_energy(test, c == 1);
            row[BERTH_ROW_PARTS + BERTH_PART_INTRA] = 0.25f;
            row[BERTH_ROW_SPENT] = (float)(i % 7);
        }
    }
    return selftest_upload(rows, error);
}

/* Poses of a conformer that the reference chooses. */
struct choice {
    const struct mapped_trial *trial;
    const struct selftest_array *rows;
    size_t c;
    size_t numbers[POSES], count;
    bool unclear; /* a distance is too near to the limit */
};

static bool is_far(struct choice *choice, size_t pose, double limit)
{
    const struct mapped_trial *trial = choice->trial;
    for (size_t k = 0; k < choice->count; k++) {
        const double square =
            mapped_mean_square(&trial->ligands[choice->c],
                               mapped_row(trial, choice->rows, choice->c, choice->numbers[k]),
                               mapped_row(trial, choice->rows, choice->c, pose));
        choice->unclear = choice->unclear || fabs(square - limit) < MARGIN;
        if (square < limit) {
            return false;
        }
    }
    return true;
}

/* Adds the lowest poses that are `distance` (Å) from all that are chosen, until there are `most`.
 */
static void add_lowest(struct choice *choice, double distance, size_t most)
{
    bool seen[POSES] = {0};
    while (choice->count < most) {
        size_t lowest = POSES;
        float least = INFINITY;
        for (size_t i = 0; i < POSES; i++) {
            const float energy = *mapped_row(choice->trial, choice->rows, choice->c, i);
            if (!seen[i] && energy < least) {
                lowest = i;
                least = energy;
            }
        }
        if (lowest == POSES) {
            return;
        }
        seen[lowest] = true;
        if (is_far(choice, lowest, distance * distance)) {
            choice->numbers[choice->count++] = lowest;
        }
    }
}

/* Rows that are sorted and poses that are placed, as the kernels leave them: what they hold does
 * not matter. */
struct workspace {
    struct selftest_array placed, sorted;
};

static enum berth_status make_workspace(const struct mapped_trial *trial, struct workspace *space,
                                        struct berth_error *error)
{
    enum { MOST = PARENTS > CHOSEN ? PARENTS : CHOSEN };
    const size_t words = (size_t)MAPPED_CONFORMERS * MOST * 3 * trial->batch.most_atoms;
    enum berth_status status =
        selftest_poisoned(trial->test, words * sizeof(float), &space->placed, error);
    return status ? status
                  : selftest_poisoned(trial->test, MAPPED_CONFORMERS * POSES * sizeof(berth_int32),
                                      &space->sorted, error);
}

/* first: the number of the first argument of those that put poses in order. */
static enum berth_status launch(struct mapped_trial *trial, struct berth_kernel *kernel,
                                unsigned first, struct berth_error *error)
{
    const size_t group = (size_t)trial->evaluator->variant.refine_wgsize;
    struct workspace space = {0};
    size_t memory;
    enum berth_status status =
        berth_mapped_scratch(trial->evaluator, &trial->batch, &memory, error);
    BERTH_THEN(make_workspace(trial, &space, error));
    if (status) {
        selftest_clear(&space.placed);
        selftest_clear(&space.sorted);
        return status;
    }
    const struct berth_buffer *buffers[] = {trial->batch.conformers, trial->batch.atoms,
                                            trial->batch.words, trial->constants.buffer};
    for (unsigned i = 0; i < 4; i++) {
        berth_kernel_set_buffer(kernel, i, buffers[i]);
    }
    berth_kernel_set_buffer(kernel, first, space.placed.buffer);
    berth_kernel_set_int(kernel, first + 1, (int32_t)trial->batch.most_atoms);
    berth_kernel_set_buffer(kernel, first + 2, space.sorted.buffer);
    berth_kernel_set_local(kernel, first + 3, POSES * sizeof(berth_int32));
    berth_kernel_set_local(kernel, first + 4, memory);
    status = berth_kernel_launch(kernel, group, MAPPED_CONFORMERS, group, NULL, error);
    struct berth_error ignored; /* that of the launch counts */
    const enum berth_status ended =
        berth_context_finish(trial->evaluator->context, status ? &ignored : error);
    selftest_clear(&space.placed);
    selftest_clear(&space.sorted);
    return status ? status : ended;
}

static bool same_words(const float *a, const float *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

/* A population, and what became of it. */
struct population {
    const float (*before)[ROW];
    size_t parents[PARENTS], count;
    size_t children, anew;
    size_t own, others; /* torsions that children have of the parent that gave the place, or not */
};

/* The child has the place of a parent, and each torsion of that or of one other. */
static bool is_child(struct population *population, size_t torsions, const float *row)
{
    const size_t count = population->count;
    for (size_t n = 0; n < count * count; n++) {
        const float *a = population->before[population->parents[n / count]];
        const float *b = population->before[population->parents[n % count]];
        bool made = same_words(row + BERTH_ROW_POINT, a + BERTH_ROW_POINT, 7);
        size_t own = 0;
        for (size_t k = BERTH_ROW_POINT + 7; made && k < BERTH_ROW_POINT + 7 + torsions; k++) {
            const bool of_a = same_words(&row[k], &a[k], 1);
            made = of_a || same_words(&row[k], &b[k], 1);
            own += of_a;
        }
        if (made) {
            population->own += own;
            population->others += torsions - own;
            return true;
        }
    }
    return false;
}

/* The row was born, and has nothing that was not written for it. */
static bool is_born(struct population *population, size_t torsions, const float *row,
                    const float *before)
{
    const size_t end = BERTH_ROW_POINT + 7 + torsions;
    const bool anew = row[BERTH_ROW_BORN] == BERTH_BORN_ANEW;
    population->anew += anew;
    population->children += !anew;
    return row[BERTH_ROW_ENERGY] == INFINITY && same_words(row + end, before + end, ROW - end) &&
           (anew ||
            (row[BERTH_ROW_BORN] == BERTH_BORN_CHILD && is_child(population, torsions, row)));
}

static enum berth_status compare_population(const struct mapped_trial *trial, size_t c,
                                            struct population *population,
                                            struct berth_error *error)
{
    for (size_t i = 0; i < POSES; i++) {
        const float *row = mapped_row(trial, &trial->kept, c, i), *before = population->before[i];
        bool parent = false;
        for (size_t k = 0; k < population->count; k++) {
            parent = parent || population->parents[k] == i;
        }
        if (parent ? !same_words(row, before, ROW)
                   : !is_born(population, trial->ligands[c].flexible.tree.count, row, before)) {
            return berth_fail(error, BERTH_E_RESULT, "pose %zu of conformer %zu is no %s", i, c,
                              parent ? "parent as it was" : "child of the parents");
        }
    }
    return BERTH_OK;
}

/* Those born anew are the share that was asked for, and torsions come from both parents. */
static enum berth_status compare_births(const struct mapped_trial *trial,
                                        const struct population *populations,
                                        struct berth_error *error)
{
    size_t anew = 0, born = 0, own = 0, others = 0;
    for (size_t c = 0; c < MAPPED_CONFORMERS; c++) {
        const struct population *population = &populations[c];
        if (!population->count && population->children) {
            return berth_fail(error, BERTH_E_RESULT, "conformer %zu has children of nobody", c);
        }
        anew += population->count ? population->anew : 0;
        born += population->count ? population->anew + population->children : 0;
        own += population->own;
        others += population->others;
    }
    const double share = trial->settings.fresh, expected = share * (double)born;
    if (fabs((double)anew - expected) > 5 * sqrt(expected * (1 - share)) + 1) {
        return berth_fail(error, BERTH_E_RESULT, "%zu of %zu poses began anew, not about %.0f",
                          anew, born, expected);
    }
    if (own + others > 200 && (own < 20 || others < 20)) {
        return berth_fail(error, BERTH_E_RESULT, "%zu torsions of one parent and %zu of another",
                          own, others);
    }
    return BERTH_OK;
}

/* Of conformer 1 no pose is one, so that all begin anew. */
static enum berth_status try_recombination(struct mapped_trial *trial, bool *unclear,
                                           struct berth_error *error)
{
    float before[MAPPED_CONFORMERS][POSES][ROW];
    struct population populations[MAPPED_CONFORMERS] = {0};
    struct berth_kernel *kernel = NULL;
    enum berth_status status = draw_rows(trial, &trial->kept, error);
    memcpy(before, trial->kept.host, sizeof before);
    for (size_t c = 0; c < MAPPED_CONFORMERS; c++) {
        populations[c].before = (const float(*)[ROW])before[c];
        struct choice choice = {.trial = trial, .rows = &trial->kept, .c = c};
        add_lowest(&choice, (double)trial->settings.distinct, PARENTS);
        memcpy(populations[c].parents, choice.numbers, sizeof populations[c].parents);
        populations[c].count = choice.count;
        *unclear = *unclear || choice.unclear;
    }
    BERTH_THEN(berth_evaluator_maps_kernel(trial->evaluator, "mapped_recombine", &kernel, error));
    if (!status) {
        berth_kernel_set_int(kernel, 4, 1 + (int32_t)berth_random_below(&trial->test->random, 50));
        berth_kernel_set_buffer(kernel, 5, trial->kept.buffer);
        status = launch(trial, kernel, 6, error);
    }
    BERTH_THEN(selftest_download(&trial->kept, error));
    for (size_t c = 0; !status && c < MAPPED_CONFORMERS; c++) {
        status = compare_population(trial, c, &populations[c], error);
    }
    berth_kernel_destroy(kernel);
    return status ? status : compare_births(trial, populations, error);
}

/* The record has the pose of the row. */
static bool has_pose(const struct mapped_trial *trial, size_t c, const float *row,
                     const struct berth_device_refined *record)
{
    const struct selftest_ligand *ligand = &trial->ligands[c];
    const size_t torsions = ligand->flexible.tree.count;
    struct berth_heavy_atom room[2][BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed[2] = {{room[0], ligand->heavy.count},
                                          {room[1], ligand->heavy.count}};
    const float *t = record->transform;
    const struct berth_transform transform = {t[0], t[1], t[2], t[3], t[4], t[5]};
    double point[MAPPED_POINT] = {0}, farthest = 0;
    bool same = true;
    mapped_point(row, torsions, point);
    for (size_t k = 0; k < BERTH_TORSIONS; k++) {
        same = same && record->angles[k] == (k < torsions ? row[BERTH_ROW_POINT + 7 + k] : 0);
    }
    mapped_place(ligand, point, &placed[0]);
    berth_flexible_place(&ligand->flexible, &ligand->heavy, &transform, point + 7, &placed[1]);
    for (size_t i = 0; i < 3 * ligand->heavy.count; i++) {
        farthest =
            fmax(farthest, fabs(room[0][i / 3].position[i % 3] - room[1][i / 3].position[i % 3]));
    }
    return same && farthest < 2e-3; /* Euler angles are not exact near a pole */
}

/* What the search spent on a conformer's poses. */
static berth_int32 count_spent(const struct mapped_trial *trial, size_t c)
{
    berth_int32 spent = 0;
    for (size_t i = 0; i < POSES; i++) {
        spent += (berth_int32)mapped_row(trial, &trial->best, c, i)[BERTH_ROW_SPENT];
    }
    return spent;
}

/* Of a search that longer descents close, a third of the poses are no farther than beside others.
 */
static void choose(struct choice *choice)
{
    const struct berth_device_mapped *settings = &choice->trial->settings;
    const bool closes = settings->last > 0;
    add_lowest(choice, (double)settings->distinct, closes ? (2 * CHOSEN + 2) / 3 : CHOSEN);
    if (closes) {
        add_lowest(choice, (double)BERTH_NEARBY, CHOSEN);
    }
}

static enum berth_status compare_choice(const struct mapped_trial *trial,
                                        const struct selftest_array *counts,
                                        const struct selftest_array *records, bool *unclear,
                                        struct berth_error *error)
{
    for (size_t c = 0; c < MAPPED_CONFORMERS; c++) {
        struct choice choice = {.trial = trial, .rows = &trial->best, .c = c};
        choose(&choice);
        const size_t count = choice.count;
        *unclear = *unclear || choice.unclear;
        const berth_int32 found = ((const berth_int32 *)counts->host)[c];
        if (found != (berth_int32)count) {
            return berth_fail(error, BERTH_E_RESULT, "%d poses of conformer %zu, not %zu",
                              (int)found, c, count);
        }
        const berth_int32 spent = count_spent(trial, c);
        for (size_t k = 0; k < CHOSEN; k++) {
            const struct berth_device_refined *record =
                (const struct berth_device_refined *)records->host + c * CHOSEN + k;
            const berth_int32 evaluations = k >= count ? -1 : k == 0 ? spent : 0;
            if (record->evaluations != evaluations ||
                (k < count &&
                 !has_pose(trial, c, mapped_row(trial, &trial->best, c, choice.numbers[k]),
                           record))) {
                return berth_fail(error, BERTH_E_RESULT, "choice %zu of conformer %zu is not %s", k,
                                  c, k < count ? "the next lowest pose that is distinct" : "none");
            }
        }
    }
    return BERTH_OK;
}

static enum berth_status try_choice(struct mapped_trial *trial, bool *unclear,
                                    struct berth_error *error)
{
    struct selftest_array counts = {0}, records = {0};
    struct berth_kernel *kernel = NULL;
    enum berth_status status = draw_rows(trial, &trial->best, error);
    if (!status) {
        status =
            selftest_poisoned(trial->test, MAPPED_CONFORMERS * sizeof(berth_int32), &counts, error);
    }
    BERTH_THEN(selftest_poisoned(trial->test,
                                 MAPPED_CONFORMERS * CHOSEN * sizeof(struct berth_device_refined),
                                 &records, error));
    BERTH_THEN(berth_evaluator_maps_kernel(trial->evaluator, "mapped_choose", &kernel, error));
    if (!status) {
        berth_kernel_set_buffer(kernel, 4, trial->best.buffer);
        berth_kernel_set_buffer(kernel, 5, counts.buffer);
        berth_kernel_set_buffer(kernel, 6, records.buffer);
        status = launch(trial, kernel, 7, error);
    }
    BERTH_THEN(selftest_download(&counts, error));
    BERTH_THEN(selftest_download(&records, error));
    BERTH_THEN(compare_choice(trial, &counts, &records, unclear, error));
    berth_kernel_destroy(kernel);
    selftest_clear(&counts);
    selftest_clear(&records);
    return status;
}

/* Repeats a comparison with new random inputs as long as it fails and is unclear.  last: of the
 * search, 0 where no longer descents close it. */
static enum berth_status check(struct selftest *test, berth_int32 last,
                               enum berth_status (*compare)(struct mapped_trial *trial,
                                                            bool *unclear,
                                                            struct berth_error *error),
                               struct berth_error *error)
{
    bool unclear = true;
    enum berth_status status = BERTH_OK;
    for (int draw = 0; unclear && draw < 5; draw++) {
        struct mapped_trial trial = {.test = test,
                                     .half = {3, 4, 5},
                                     .reach = 5,
                                     .atoms = 20,
                                     .most_atoms = test->setup->small ? 6 : 40,
                                     .grid = {.spacing = 2, .wall = 7, .most = 40},
                                     .settings = {.poses = POSES,
                                                  .distinct = 1.5f,
                                                  .parents = PARENTS,
                                                  .kept = CHOSEN,
                                                  .last = last,
                                                  .fresh = 0.3f}};
        bool near = false;
        status = mapped_trial_make(&trial, error);
        BERTH_THEN(mapped_trial_make_rows(&trial, error));
        BERTH_THEN(compare(&trial, &near, error));
        unclear = status == BERTH_E_RESULT && near;
        mapped_trial_clear(&trial);
    }
    return status;
}

enum berth_status selftest_mapped_recombine(struct selftest *test, struct berth_error *error)
{
    return check(test, 0, try_recombination, error);
}

enum berth_status selftest_mapped_choose(struct selftest *test, struct berth_error *error)
{
    BERTH_TRY(check(test, 0, try_choice, error));
    return check(test, 3, try_choice, error);
}

/* Checks of mapped_generation: energies against the oracle in the poses that come back, the
 * gradient by where a descent's first step goes, and which poses are kept. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mapped.h"

/* The length of a difference, in units of a freedom. */
#define DIFFERENCE 1e-6

/* What a check does with a trial. */
typedef enum berth_status generation_check(struct mapped_trial *trial, struct berth_error *error);

enum { POSES = 7, SEVERAL_HOPS = 15 };

/* Runs a generation of count conformers, from number first on, and reads the rows back. */
static enum berth_status run(struct mapped_trial *trial, int generation, size_t first, size_t count,
                             struct berth_error *error)
{
    struct berth_evaluator *evaluator = trial->evaluator;
    const size_t group = (size_t)evaluator->variant.refine_wgsize;
    const struct berth_buffer *buffers[] = {trial->maps->grid,       trial->maps->halves,
                                            trial->batch.conformers, trial->batch.atoms,
                                            trial->batch.words,      trial->constants.buffer};
    struct berth_kernel *kernel;
    struct berth_mapped_room room;
    enum berth_status status =
        berth_mapped_memory(evaluator, &trial->batch, first, count, &room, error);
    BERTH_THEN(berth_evaluator_maps_kernel(evaluator, "mapped_generation", &kernel, error));
    if (status) {
        return status;
    }
    for (unsigned i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        berth_kernel_set_buffer(kernel, 2 + i, buffers[i]);
    }
    berth_kernel_set_buffer(kernel, 0, berth_maps_pairs(trial->maps));
    berth_kernel_set_int(kernel, 1, (int32_t)trial->maps->types);
    berth_kernel_set_int(kernel, 8, generation);
    berth_kernel_set_int(kernel, 9, (int32_t)first);
    berth_kernel_set_int(kernel, 10, room.listed);
    berth_kernel_set_buffer(kernel, 11, trial->kept.buffer);
    berth_kernel_set_buffer(kernel, 12, trial->best.buffer);
    berth_evaluator_set_places(evaluator, kernel, 13);
    berth_kernel_set_local(kernel, 14, room.bytes);
    const size_t groups = berth_mapped_groups(evaluator, (size_t)trial->settings.poses);
    status = berth_kernel_launch(kernel, groups * group, count, group, NULL, error);
    berth_kernel_destroy(kernel);
    BERTH_THEN(selftest_download(&trial->kept, error));
    return status ? status : selftest_download(&trial->best, error);
}

/* Generation zero of all conformers, in so many evaluations of so many hops. */
static enum berth_status run_zero(struct mapped_trial *trial, int hops, int evaluations,
                                  struct berth_error *error)
{
    trial->settings.hops = hops;
    trial->settings.evaluations = evaluations;
    memset(trial->kept.host, 0xFF, trial->kept.size);
    memset(trial->best.host, 0xFF, trial->best.size);
    enum berth_status status = mapped_trial_set(trial, error);
    BERTH_THEN(selftest_upload(&trial->kept, error));
    BERTH_THEN(selftest_upload(&trial->best, error));
    return status ? status : run(trial, 0, 0, MAPPED_CONFORMERS, error);
}

/* The row's energy is the oracle's in its pose, which lies in the site; nothing is written behind
 * it. */
static enum berth_status compare_row(const struct mapped_trial *trial, size_t c, size_t pose,
                                     const float *row, struct berth_error *error)
{
    const struct selftest_ligand *ligand = &trial->ligands[c];
    const size_t torsions = ligand->flexible.tree.count;
    double point[MAPPED_POINT], length = 0;
    mapped_point(row, torsions, point);
    const struct selftest_map_energy expected = mapped_energy_at(trial, ligand, point);
    const double total = row[BERTH_ROW_ENERGY];
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        const double part = row[BERTH_ROW_PARTS + k];
        if (!(fabs(total - expected.total) <= expected.tolerance) ||
            !(fabs(part - expected.parts[k]) <= expected.tolerance)) {
            return berth_fail(error, BERTH_E_RESULT,
                              "pose %zu of conformer %zu has energy %.4f, %s %.4f, not %.4f, %.4f "
                              "(%.4f is allowed)",
                              pose, c, total, BERTH_PART_NAMES[k], part, expected.total,
                              expected.parts[k], expected.tolerance);
        }
    }
    for (int k = 0; k < 3; k++) {
        if (!(fabs(point[k]) <= (double)(float)trial->half[k])) {
            return berth_fail(error, BERTH_E_RESULT, "pose %zu of conformer %zu left the site",
                              pose, c);
        }
    }
    for (int k = 3; k < 7; k++) {
        length += point[k] * point[k];
    }
    const size_t behind = BERTH_ROW_POINT + 7 + torsions;
    bool poisoned = true;
    for (size_t k = behind; k < (size_t)trial->settings.row; k++) {
        poisoned = poisoned && memcmp(&row[k], "\xFF\xFF\xFF\xFF", sizeof *row) == 0;
    }
    if (!(fabs(length - 1) < 1e-5) || !poisoned) {
        return berth_fail(error, BERTH_E_RESULT, "pose %zu of conformer %zu %s", pose, c,
                          poisoned ? "has no unit quaternion" : "wrote behind its row");
    }
    return BERTH_OK;
}

/* All rows are right, and no best one is above the kept one of its pose, or above what it was
 * before (NULL: nothing). */
static enum berth_status compare_rows(const struct mapped_trial *trial, const float *before,
                                      struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t n = 0; !status && n < MAPPED_CONFORMERS * POSES; n++) {
        const size_t c = n / POSES, pose = n % POSES;
        const float *kept = mapped_row(trial, &trial->kept, c, pose);
        const float *best = mapped_row(trial, &trial->best, c, pose);
        status = compare_row(trial, c, pose, kept, error);
        BERTH_THEN(compare_row(trial, c, pose, best, error));
        const float most = before ? before[n] : INFINITY;
        const double slack = 1e-6 * fabs((double)*kept);
        if (!status && !(*best <= (double)*kept + slack && *best <= (double)most + slack)) {
            status = berth_fail(error, BERTH_E_RESULT,
                                "pose %zu of conformer %zu has been at %.4f, is kept at %.4f, and "
                                "its best is %.4f",
                                pose, c, (double)most, (double)*kept, (double)*best);
        }
    }
    return status;
}

/* Turns a unit quaternion by a rotation vector, to first order and beyond. */
static void turn(double *q, const double by[3])
{
    const double angle = sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
    const double s = angle > 0 ? sin(angle / 2) / angle : 0, w = cos(angle / 2);
    const double t[3] = {s * by[0], s * by[1], s * by[2]}, from[4] = {q[0], q[1], q[2], q[3]};
    q[0] = w * from[0] + t[0] * from[3] + t[1] * from[2] - t[2] * from[1];
    q[1] = w * from[1] + t[1] * from[3] + t[2] * from[0] - t[0] * from[2];
    q[2] = w * from[2] + t[2] * from[3] + t[0] * from[1] - t[1] * from[0];
    q[3] = w * from[3] - t[0] * from[0] - t[1] * from[1] - t[2] * from[2];
}

static double energy_beside(const struct mapped_trial *trial, const struct selftest_ligand *ligand,
                            const double *point, size_t freedom, double step)
{
    double beside[MAPPED_POINT];
    memcpy(beside, point, sizeof beside);
    if (freedom >= 3 && freedom < 6) {
        double by[3] = {0};
        by[freedom - 3] = step;
        turn(beside + 3, by);
    } else {
        beside[freedom < 3 ? freedom : freedom + 1] += step;
    }
    return mapped_energy_at(trial, ligand, beside).total;
}

/* The step from one pose to another in all freedoms; turns by A. Cayley's map, as the kernel takes
 * them. */
static void step_between(const double *from, const double *to, size_t freedoms, double *step)
{
    const double *p = from + 3, *q = to + 3;
    /* to = turn from: the turn is to times the conjugate of from. */
    const double w = q[3] * p[3] + q[0] * p[0] + q[1] * p[1] + q[2] * p[2];
    const double t[3] = {q[0] * p[3] - q[3] * p[0] - q[1] * p[2] + q[2] * p[1],
                         q[1] * p[3] - q[3] * p[1] - q[2] * p[0] + q[0] * p[2],
                         q[2] * p[3] - q[3] * p[2] - q[0] * p[1] + q[1] * p[0]};
    for (size_t k = 0; k < freedoms; k++) {
        step[k] = k < 3 ? to[k] - from[k] : k < 6 ? 2 * t[k - 3] / w : to[k + 1] - from[k + 1];
    }
}

/* The first step went down the oracle's gradient. */
static enum berth_status compare_step(const struct mapped_trial *trial, size_t c,
                                      const float *first, const float *second,
                                      struct berth_error *error)
{
    const struct selftest_ligand *ligand = &trial->ligands[c];
    const size_t freedoms = 6 + ligand->flexible.tree.count;
    double from[MAPPED_POINT] = {0}, to[MAPPED_POINT] = {0};
    double gradient[SELFTEST_FREEDOMS], step[SELFTEST_FREEDOMS];
    mapped_point(first, ligand->flexible.tree.count, from);
    mapped_point(second, ligand->flexible.tree.count, to);
    step_between(from, to, freedoms, step);
    for (size_t k = 0; k < freedoms; k++) {
        gradient[k] = (energy_beside(trial, ligand, from, k, DIFFERENCE) -
                       energy_beside(trial, ligand, from, k, -DIFFERENCE)) /
                      (2 * DIFFERENCE);
    }
    return selftest_compare_step(ligand, c, gradient, step, error);
}

static bool at_wall(const struct mapped_trial *trial, const float *row)
{
    bool there = false;
    for (int k = 0; k < 3; k++) {
        there = there || fabsf(row[BERTH_ROW_POINT + k]) >= (float)trial->half[k];
    }
    return there;
}

/* How many steps each conformer took, and how many of them otherwise than the oracle says; and how
 * many were not looked at, since a slope inside the ligand is steeper than the search follows. */
struct steps {
    size_t taken[MAPPED_CONFORMERS], differ[MAPPED_CONFORMERS], steep;
};

static bool is_steep(const struct mapped_trial *trial, size_t c, const float *row)
{
    const struct selftest_ligand *ligand = &trial->ligands[c];
    double point[MAPPED_POINT];
    mapped_point(row, ligand->flexible.tree.count, point);
    return mapped_energy_at(trial, ligand, point).steepest > 0.99 * SELFTEST_SLOPE_MOST;
}

static enum berth_status try_steps(struct mapped_trial *trial, struct steps *steps,
                                   struct berth_error *error)
{
    float before[MAPPED_CONFORMERS * POSES][BERTH_ROW_WORDS(BERTH_TORSIONS)];
    trial->settings.seed_low++;
    enum berth_status status = run_zero(trial, 1, 1, error);
    if (!status) {
        memcpy(before, trial->kept.host, sizeof before);
        status = run_zero(trial, 1, 2, error);
    }
    for (size_t n = 0; !status && n < MAPPED_CONFORMERS * POSES; n++) {
        const size_t c = n / POSES;
        const float *row = mapped_row(trial, &trial->kept, c, n % POSES);
        const bool one_hop = trial->ligands[c].flexible.tree.count <= SEVERAL_HOPS;
        const size_t words = 7 + trial->ligands[c].flexible.tree.count;
        const bool moved =
            memcmp(row + BERTH_ROW_POINT, before[n] + BERTH_ROW_POINT, words * sizeof *row) != 0;
        if (is_steep(trial, c, before[n])) {
            steps->steep++;
        } else if (one_hop && moved && !at_wall(trial, row) && !at_wall(trial, before[n])) {
            steps->taken[c]++;
            steps->differ[c] += compare_step(trial, c, before[n], row, error) != BERTH_OK;
        }
    }
    return status;
}

/* Gradients jump where an atom leaves its cell, and at kinks of the function, so some steps may
 * differ; and those that raise the energy are not taken. */
static enum berth_status compare_steps(struct mapped_trial *trial, struct berth_error *error)
{
    enum { ROUNDS = 8 };
    struct steps steps = {0};
    enum berth_status status = BERTH_OK;
    for (int i = 0; !status && i < ROUNDS; i++) {
        status = try_steps(trial, &steps, error);
    }
    size_t taken = 0, differ = 0;
    for (size_t c = 0; !status && c < MAPPED_CONFORMERS; c++) {
        taken += steps.taken[c];
        differ += steps.differ[c];
        /* other ligands fold onto themselves, where the search may follow no steeper slope */
        const bool bodies = trial->ligands[c].flexible.still_count != 0;
        status = bodies && steps.differ[c] * 2 > steps.taken[c] ? BERTH_E_RESULT : BERTH_OK;
    }
    if (!status && taken + steps.steep < POSES) {
        return berth_fail(error, BERTH_E_RESULT, "only %zu of %d poses went anywhere", taken,
                          ROUNDS * MAPPED_CONFORMERS * POSES);
    }
    return status ? status : differ * 3 > taken ? BERTH_E_RESULT : BERTH_OK;
}

static void note_energies(const struct mapped_trial *trial, const struct selftest_array *rows,
                          float energies[MAPPED_CONFORMERS * POSES])
{
    for (size_t n = 0; n < MAPPED_CONFORMERS * POSES; n++) {
        energies[n] = *mapped_row(trial, rows, n / POSES, n % POSES);
    }
}

/* Hops where there are `most`: two for a simulator, which takes minutes for nine. */
static int several_hops(const struct mapped_trial *trial, int most)
{
    return trial->test->setup->small ? 2 : most;
}

/* Evaluations of a hop where there are `most`: three for a simulator. */
static int several_evaluations(const struct mapped_trial *trial, int most)
{
    return trial->test->setup->small ? 3 : most;
}

/* Energies where poses begin, where short descents end, and behind several hops. */
static enum berth_status check_descents(struct mapped_trial *trial, struct berth_error *error)
{
    float first[MAPPED_CONFORMERS * POSES];
    enum berth_status status = run_zero(trial, 1, 1, error);
    if (!status) {
        note_energies(trial, &trial->best, first);
        status = compare_rows(trial, NULL, error);
    }
    BERTH_THEN(run_zero(trial, 1, several_evaluations(trial, 13), error));
    for (size_t n = 0; !status && n < MAPPED_CONFORMERS * POSES; n++) {
        /* of the others the first of several hops has gone elsewhere */
        first[n] =
            trial->ligands[n / POSES].flexible.tree.count <= SEVERAL_HOPS ? first[n] : INFINITY;
    }
    BERTH_THEN(compare_rows(trial, first, error));
    BERTH_THEN(run_zero(trial, several_hops(trial, 9), several_evaluations(trial, 13), error));
    return status ? status : compare_rows(trial, first, error);
}

/* Rows do not depend on what is launched with them; a further generation goes on from them, or
 * from what is born, and at no temperature never up. */
static enum berth_status check_generations(struct mapped_trial *trial, struct berth_error *error)
{
    float kept[MAPPED_CONFORMERS * POSES], best[MAPPED_CONFORMERS * POSES];
    struct selftest_array *rows = &trial->kept;
    trial->settings.temperature = 0;
    enum berth_status status =
        run_zero(trial, several_hops(trial, 4), several_evaluations(trial, 6), error);
    if (status) {
        return status;
    }
    note_energies(trial, rows, kept);
    note_energies(trial, &trial->best, best);
    for (size_t c = 0; c < MAPPED_CONFORMERS; c++) { /* a child, and one that begins anew */
        float *child = mapped_row(trial, rows, c, 2), *anew = mapped_row(trial, rows, c, 5);
        child[BERTH_ROW_ENERGY] = anew[BERTH_ROW_ENERGY] = INFINITY;
        child[BERTH_ROW_BORN] = BERTH_BORN_CHILD;
        anew[BERTH_ROW_BORN] = BERTH_BORN_ANEW;
        kept[c * POSES + 2] = kept[c * POSES + 5] = INFINITY;
    }
    status = selftest_upload(rows, error);
    BERTH_THEN(run(trial, 1, 0, MAPPED_CONFORMERS, error));
    BERTH_THEN(compare_rows(trial, best, error));
    for (size_t n = 0; !status && n < MAPPED_CONFORMERS * POSES; n++) {
        const float now = *mapped_row(trial, rows, n / POSES, n % POSES);
        if (!(now <= kept[n] + 1e-6f * fabsf(kept[n]))) {
            status = berth_fail(error, BERTH_E_RESULT,
                                "pose %zu of conformer %zu went up from %.4f to %.4f without any "
                                "temperature",
                                n % POSES, n / POSES, (double)kept[n], (double)now);
        }
    }
    return status;
}

/* A generation that closes the search goes on from the best that each pose has been, wherever it
 * stands, and never up, whatever the temperature. */
static enum berth_status check_closing(struct mapped_trial *trial, struct berth_error *error)
{
    float best[MAPPED_CONFORMERS * POSES];
    trial->settings.temperature = 1000;
    trial->settings.last = 1;
    enum berth_status status =
        run_zero(trial, several_hops(trial, 9), several_evaluations(trial, 6), error);
    if (!status) {
        note_energies(trial, &trial->best, best);
        status = run(trial, 1, 0, MAPPED_CONFORMERS, error);
    }
    trial->settings.last = 0;
    BERTH_THEN(compare_rows(trial, best, error));
    for (size_t n = 0; !status && n < MAPPED_CONFORMERS * POSES; n++) {
        const float now = *mapped_row(trial, &trial->kept, n / POSES, n % POSES);
        if (!(now <= best[n] + 1e-6f * fabsf(best[n]))) {
            status = berth_fail(error, BERTH_E_RESULT,
                                "pose %zu of conformer %zu, which had been at %.4f, is at %.4f "
                                "where the search was closed",
                                n % POSES, n / POSES, (double)best[n], (double)now);
        }
    }
    return status;
}

/* The same seed gives the same bytes, whatever is launched together; another one does not. */
static enum berth_status check_repeats(struct mapped_trial *trial, struct berth_error *error)
{
    float before[MAPPED_CONFORMERS * POSES * BERTH_ROW_WORDS(BERTH_TORSIONS)];
    trial->settings.temperature = 0.2f;
    enum berth_status status = run_zero(trial, 4, 6, error);
    if (!status) {
        memcpy(before, trial->kept.host, sizeof before);
        memset(trial->kept.host, 0xFF, trial->kept.size);
        status = selftest_upload(&trial->kept, error);
    }
    BERTH_THEN(run(trial, 0, 0, 1, error));
    BERTH_THEN(run(trial, 0, 1, MAPPED_CONFORMERS - 1, error));
    if (!status && memcmp(before, trial->kept.host, sizeof before) != 0) {
        status = berth_fail(error, BERTH_E_RESULT, "rows depend on the launch");
    }
    trial->settings.seed_high ^= 1;
    BERTH_THEN(run_zero(trial, 4, 6, error));
    if (!status && memcmp(before, trial->kept.host, sizeof before) == 0) {
        status = berth_fail(error, BERTH_E_RESULT, "rows do not depend on the seed");
    }
    return status;
}

enum berth_status selftest_mapped_generation(struct selftest *test, struct berth_error *error)
{
    static const struct {
        double half[3], reach;
        size_t atoms, most_atoms;
    } SIZES[] = {{{2.5, 3, 3.5}, 5, 60, 6}, {{4, 5, 3}, 8, 200, 17}, {{6, 7, 5}, 10, 400, 100}};
    const bool small = test->setup->small;
    const size_t trials = small ? 1 : sizeof SIZES / sizeof *SIZES;
    generation_check *const CHECKS[] = {check_descents, check_generations, check_closing,
                                        compare_steps, check_repeats};
    /* what the others show, a simulator would not show otherwise */
    const size_t few = test->how & SELFTEST_RESTRAINED ? 1 : 3;
    const size_t checks = small ? few : sizeof CHECKS / sizeof *CHECKS;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < trials; i++) {
        struct mapped_trial trial = {
            .test = test,
            .half = {SIZES[i].half[0], SIZES[i].half[1], SIZES[i].half[2]},
            .reach = SIZES[i].reach,
            .atoms = small ? 20 : SIZES[i].atoms,
            .most_atoms = SIZES[i].most_atoms,
            .grid = {.spacing = small ? 1.1f : 0.61f, .margin = 1.3f, .wall = 7, .most = 40},
            .settings = {.poses = POSES, .temperature = 0.1f, .distinct = 1}};
        status = mapped_trial_make(&trial, error);
        BERTH_THEN(berth_maps_complete(trial.maps, &trial.batch, error));
        BERTH_THEN(mapped_trial_read_maps(&trial, error));
        BERTH_THEN(mapped_trial_make_rows(&trial, error));
        for (size_t k = 0; !status && k < checks; k++) {
            status = CHECKS[k](&trial, error);
        }
        mapped_trial_clear(&trial);
    }
    return status;
}

/* Checks of refine_begin, refine_again and refine.
 *
 * The second evaluation of a descent lies on its first step, which has a given length and points
 * down the gradient, with each freedom weighed: so the gradient is seen in where it goes.  A whole
 * descent must give the energy that the oracle finds in its last pose, and none above that of its
 * first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/refine.h"
#include "checks.h"
#include "score/flexible.h"

/* Å: kinks as narrow as the oracle has them. */
#define NARROW 1e-6f

/* Beside the last conformer but one stand bodies with a fixed root; the last is such bodies alone.
 */
enum { CONFORMERS = 5, BESIDE_BODIES = 3, BODIES_ALONE = 4, POSES = 11 };

/* A random receptor, some random flexible ligands, and a refiner. */
struct trial {
    struct selftest *test;
    bool large; /* by the kernel for large ligands, in small tiles; nothing turns */
    size_t evaluations;
    double half; /* Å: half edge of the site, which the receptor fills */
    struct berth_heavy_atoms receptor;
    struct selftest_ligand ligands[CONFORMERS];
    struct berth_place places[SELFTEST_PLACES];
    struct berth_places all; /* these, where ligands are restrained */
    struct berth_evaluator *evaluator;
    struct berth_batch batch;
    struct berth_refiner *refiner;
    struct berth_device_refined before[CONFORMERS * POSES];
};

static enum berth_status make_molecules(struct trial *trial, struct berth_error *error)
{
    struct selftest *test = trial->test;
    /* About the density of a protein's heavy atoms: one in 20 Å³. */
    const size_t atoms = 1 + (size_t)(trial->half * trial->half * trial->half * 8 / 20);
    enum berth_status status = selftest_atoms(test, atoms, trial->half, &trial->receptor, error);
    if (test->how & SELFTEST_RESTRAINED) {
        selftest_places(test, trial->half, trial->places);
        trial->all = (struct berth_places){trial->places, SELFTEST_PLACES};
    }
    for (size_t c = 0; !status && c < CONFORMERS; c++) {
        const bool bodies = c >= BESIDE_BODIES && !trial->large;
        const size_t most = test->setup->small || bodies ? 8 : 70;
        const size_t count = c == 0 ? 1 : 2 + berth_random_below(&test->random, most);
        struct selftest_ligand *ligand = &trial->ligands[c];
        if (!bodies || c != BODIES_ALONE) {
            status = selftest_ligand(test, count, (uint32_t)c, ligand, error);
        }
        if (!status && bodies) {
            status = selftest_bodies(test, ligand, error);
        }
        if (!status && trial->all.count) {
            status = selftest_restrain(test, &trial->all, ligand, error);
        }
        if (!status && trial->large) {
            berth_torsion_tree_clear(&ligand->flexible.tree);
            memset(ligand->flexible.far, 0,
                   count * ligand->flexible.words * sizeof *ligand->flexible.far);
        }
    }
    return status;
}

/* Random poses, some with torsions as in the conformer, some none, and guards that must come back.
 */
static void draw_records(struct trial *trial)
{
    struct berth_random *random = &trial->test->random;
    struct berth_device_refined *records = trial->refiner->on_host;
    memset(records, 0xFF, sizeof trial->before);
    for (size_t i = 0; i < CONFORMERS * POSES; i++) {
        for (int k = 0; k < 6; k++) {
            const double bound = k < 3 ? 3.1 : trial->half - 2 * SELFTEST_STEP_FIRST;
            records[i].transform[k] = (float)berth_random_between(random, -bound, bound);
        }
        for (int t = 0; t < BERTH_TORSIONS; t++) {
            records[i].angles[t] = i % 3 ? (float)berth_random_between(random, -3.1, 3.1) : 0;
        }
        records[i].evaluations = i % POSES == 7 ? -1 : 0;
    }
    memcpy(trial->before, records, sizeof trial->before);
}

static enum berth_status make_refiner(struct trial *trial, struct berth_error *error)
{
    struct selftest *test = trial->test;
    const double edge = 2 * trial->half;
    const struct berth_target target = {test->setup->scoring,
                                        &trial->receptor,
                                        {{0}, {edge, edge, edge}, false},
                                        trial->all.count ? &trial->all : NULL};
    struct berth_refine_setup setup = {.settings = berth_refine_defaults(),
                                       .seed = test->setup->seed,
                                       .size = {edge, edge, edge},
                                       .conformers = CONFORMERS};
    setup.settings.torsions = true;
    setup.settings.poses = POSES;
    setup.settings.evaluations = trial->evaluations;
    setup.settings.width = trial->evaluations > 2 ? setup.settings.width : NARROW;
    setup.settings.hops = trial->evaluations > 2 ? 1 : 0;
    char *options = NULL;
    enum berth_status status = selftest_options(test, trial->large, &options, error);
    BERTH_THEN(berth_evaluator_create(test->context, &test->setup->variant, options, &target,
                                      &trial->evaluator, error));
    free(options);
    struct berth_packed_conformer packed[CONFORMERS];
    for (size_t c = 0; c < CONFORMERS; c++) {
        packed[c] = trial->ligands[c].packed;
    }
    BERTH_THEN(berth_batch_fill(&trial->batch, test->context, packed, CONFORMERS, error));
    trial->batch.large = trial->large;
    return status ? status : berth_refiner_create(trial->evaluator, &setup, &trial->refiner, error);
}

/* Refines fresh random poses. */
static enum berth_status refine(struct trial *trial, struct berth_error *error)
{
    draw_records(trial);
    enum berth_status status = berth_refiner_write(trial->refiner, CONFORMERS, error);
    BERTH_THEN(berth_refiner_run(trial->refiner, &trial->batch, NULL, error));
    struct berth_event *event = NULL;
    BERTH_THEN(berth_refiner_start_read(trial->refiner, CONFORMERS, &event, error));
    return status ? status : berth_event_wait(event, error);
}

/* A pose, and its energy by the oracle. */
struct opinion {
    struct selftest_system system;
    struct berth_flexible_energy energy;
    struct berth_heavy_atoms placed;
    struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
};

static void judge(const struct trial *trial, size_t c, const struct berth_device_refined *record,
                  struct opinion *opinion)
{
    const struct selftest_ligand *ligand = &trial->ligands[c];
    const float *t = record->transform;
    const struct berth_transform transform = {t[0], t[1], t[2], t[3], t[4], t[5]};
    double angles[BERTH_TORSIONS] = {0};
    for (size_t k = 0; k < BERTH_TORSIONS; k++) {
        angles[k] = record->angles[k];
    }
    opinion->system =
        (struct selftest_system){ligand, trial->test->setup->scoring, &trial->receptor, NULL};
    opinion->placed.atoms = opinion->room;
    berth_flexible_place(&ligand->flexible, &ligand->heavy, &transform, angles, &opinion->placed);
    opinion->energy = selftest_exact_energy(&opinion->system, &opinion->placed);
}

/* The first step of pose i of conformer c went down the oracle's gradient. */
static enum berth_status compare_step(const struct trial *trial, size_t c, size_t i,
                                      const struct berth_device_refined *after,
                                      struct berth_error *error)
{
    const struct berth_device_refined *before = &trial->before[c * POSES + i];
    const double origin[3] = {before->transform[3], before->transform[4], before->transform[5]};
    double gradient[SELFTEST_FREEDOMS], step[SELFTEST_FREEDOMS];
    struct opinion opinion;
    judge(trial, c, before, &opinion);
    selftest_gradient(&opinion.system, &opinion.placed, origin, gradient);
    selftest_step_between(before, after, step);
    return selftest_compare_step(&trial->ligands[c], c, gradient, step, SELFTEST_STEP_EXACT, error);
}

static bool has_moved(const struct berth_device_refined *before,
                      const struct berth_device_refined *after, size_t torsions)
{
    return memcmp(after->transform + 3, before->transform + 3, 3 * sizeof(float)) != 0 ||
           memcmp(after->angles, before->angles, torsions * sizeof(float)) != 0;
}

/* An atom may lie on a kink of a ramp for one of the two and beside it for the other, so a few
 * steps may differ.  Those that raise the energy are not taken: some 20 of 33, by chance, so that a
 * few rounds are looked at. */
static enum berth_status compare_steps(struct trial *trial, struct berth_error *error)
{
    const size_t rounds = trial->test->setup->small ? 2 : 6;
    const struct berth_device_refined *records = trial->refiner->on_host;
    size_t taken[CONFORMERS] = {0}, differ[CONFORMERS] = {0}, all = 0, wrong = 0;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < rounds * CONFORMERS * POSES; i++) {
        const size_t n = i % (CONFORMERS * POSES);
        if (n == 0) {
            status = refine(trial, error);
        }
        const size_t c = n / POSES, torsions = trial->ligands[c].flexible.tree.count;
        if (!status && records[n].evaluations >= 2 &&
            has_moved(&trial->before[n], &records[n], torsions)) {
            taken[c]++;
            differ[c] += compare_step(trial, c, n % POSES, &records[n], error) != BERTH_OK;
        }
    }
    for (size_t c = 0; !status && c < CONFORMERS; c++) {
        all += taken[c];
        wrong += differ[c];
        status = differ[c] * 2 > taken[c] + 2 ? BERTH_E_RESULT : BERTH_OK;
    }
    if (!status && all < POSES) {
        return berth_fail(error, BERTH_E_RESULT, "only %zu of %zu poses went anywhere", all,
                          rounds * CONFORMERS * POSES);
    }
    return status ? status : wrong * 5 > all ? BERTH_E_RESULT : BERTH_OK;
}

/* The energies are the oracle's in the pose that came out, and not above those that went in; the
 * pose lies in the site. */
static enum berth_status compare_energy(const struct trial *trial, size_t c, size_t i,
                                        struct berth_error *error)
{
    const struct berth_device_refined *record = &trial->refiner->on_host[c * POSES + i];
    struct opinion before, after;
    judge(trial, c, &trial->before[c * POSES + i], &before);
    judge(trial, c, record, &after);
    const struct berth_terms terms = after.energy.terms;
    const double first = berth_flexible_total(&before.energy);
    const double last = berth_flexible_total(&after.energy);
    for (size_t k = 0; k < BERTH_TERMS_MAX + BERTH_PART_COUNT; k++) {
        const bool term = k < BERTH_TERMS_MAX;
        const size_t part = term ? 0 : k - BERTH_TERMS_MAX;
        const double expected = term ? terms.values[k] : after.energy.parts[part];
        const double found = term ? record->terms[k] : record->parts[part];
        if (!berth_reference_agrees(found, expected, &terms)) {
            return berth_fail(error, BERTH_E_RESULT,
                              "term %zu of pose %zu of conformer %zu is %.4f, not %.4f", k, i, c,
                              found, expected);
        }
    }
    if (last > first && !berth_reference_agrees(last, first, &terms)) {
        return berth_fail(error, BERTH_E_RESULT,
                          "pose %zu of conformer %zu was raised from %.4f to %.4f", i, c, first,
                          last);
    }
    for (int k = 3; k < 6; k++) {
        if (!(fabsf(record->transform[k]) <= (float)trial->half)) {
            return berth_fail(error, BERTH_E_RESULT, "pose %zu of conformer %zu left the site", i,
                              c);
        }
    }
    return BERTH_OK;
}

static enum berth_status compare_energies(struct trial *trial, struct berth_error *error)
{
    const struct berth_device_refined *records = trial->refiner->on_host;
    enum berth_status status = refine(trial, error);
    for (size_t n = 0; !status && n < CONFORMERS * POSES; n++) {
        if (trial->before[n].evaluations < 0) {
            if (memcmp(&records[n], &trial->before[n], sizeof *records) != 0) {
                status = berth_fail(error, BERTH_E_RESULT, "a pose that is none was written to");
            }
        } else {
            status = compare_energy(trial, n / POSES, n % POSES, error);
        }
    }
    return status;
}

static void clear_trial(struct trial *trial)
{
    for (size_t c = 0; c < CONFORMERS; c++) {
        selftest_ligand_clear(&trial->ligands[c]);
    }
    berth_heavy_atoms_clear(&trial->receptor);
    berth_batch_clear(&trial->batch);
    berth_refiner_destroy(trial->refiner);
    berth_evaluator_destroy(trial->evaluator);
}

enum berth_status selftest_refine(struct selftest *test, struct berth_error *error)
{
    static const struct {
        size_t evaluations;
        double half;
    } SIZES[] = {{2, 5}, {12, 4}, {2, 12}, {60, 12}};
    const size_t trials = test->setup->small ? 2 : sizeof SIZES / sizeof *SIZES;
    const size_t most = test->setup->small ? 5 : SIZE_MAX;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < trials; i++) {
        const size_t evaluations = SIZES[i].evaluations;
        struct trial trial = {.test = test,
                              .large = test->how & SELFTEST_LARGE,
                              .evaluations = evaluations < most ? evaluations : most,
                              .half = SIZES[i].half};
        status = make_molecules(&trial, error);
        BERTH_THEN(make_refiner(&trial, error));
        BERTH_THEN((trial.evaluations == 2 ? compare_steps : compare_energies)(&trial, error));
        clear_trial(&trial);
    }
    return status;
}

/* What refine_begin takes and gives. */
struct beginning {
    struct selftest_array constants, parents, counts, records;
};

enum { BEGIN_STRIDE = 23 };

static enum berth_status run_beginning(struct selftest *test, struct beginning *arrays,
                                       struct berth_error *error)
{
    struct berth_kernel *kernel;
    enum berth_status status = berth_kernel_create(test->program, "refine_begin", &kernel, error);
    if (status) {
        return status;
    }
    berth_kernel_set_buffer(kernel, 0, arrays->constants.buffer);
    berth_kernel_set_buffer(kernel, 1, arrays->parents.buffer);
    berth_kernel_set_buffer(kernel, 2, arrays->counts.buffer);
    berth_kernel_set_int(kernel, 3, BEGIN_STRIDE);
    berth_kernel_set_buffer(kernel, 4, arrays->records.buffer);
    status = berth_kernel_launch(kernel, POSES, CONFORMERS, 0, NULL, error);
    berth_kernel_destroy(kernel);
    return status ? status : selftest_download(&arrays->records, error);
}

static enum berth_status fill_beginning(struct selftest *test, struct beginning *arrays,
                                        struct berth_error *error)
{
    const struct berth_device_refine constants = {.poses = POSES};
    const int32_t counts[CONFORMERS] = {BEGIN_STRIDE, 0, POSES - 1};
    const size_t records = CONFORMERS * POSES * sizeof(struct berth_device_refined);
    const size_t parents = CONFORMERS * 6 * BEGIN_STRIDE * sizeof(float);
    enum berth_status status = selftest_poisoned(test, sizeof constants, &arrays->constants, error);
    BERTH_THEN(selftest_poisoned(test, parents, &arrays->parents, error));
    BERTH_THEN(selftest_poisoned(test, sizeof counts, &arrays->counts, error));
    BERTH_THEN(selftest_poisoned(test, records, &arrays->records, error));
    if (status) {
        return status;
    }
    memcpy(arrays->constants.host, &constants, sizeof constants);
    memcpy(arrays->counts.host, counts, sizeof counts);
    selftest_poses(test, CONFORMERS, BEGIN_STRIDE, 9, arrays->parents.host);
    struct selftest_array *inputs[] = {&arrays->constants, &arrays->parents, &arrays->counts};
    for (int i = 0; !status && i < 3; i++) {
        status = selftest_upload(inputs[i], error);
    }
    return status;
}

static enum berth_status compare_beginning(const struct beginning *arrays,
                                           struct berth_error *error)
{
    const struct berth_device_refined *records = arrays->records.host;
    const float *parents = arrays->parents.host;
    const int32_t *counts = arrays->counts.host;
    for (int n = 0; n < CONFORMERS * POSES; n++) {
        const int c = n / POSES, i = n % POSES;
        if (records[n].evaluations != (i < counts[c] ? 0 : -1)) {
            return berth_fail(error, BERTH_E_RESULT, "record %d of conformer %d begins with %d", i,
                              c, (int)records[n].evaluations);
        }
        for (int k = 0; k < 6; k++) {
            if (memcmp(&records[n].transform[k], &parents[(c * 6 + k) * BEGIN_STRIDE + i],
                       sizeof *parents) != 0) {
                return berth_fail(error, BERTH_E_RESULT, "record %d of conformer %d is no parent",
                                  i, c);
            }
        }
        for (int t = 0; t < BERTH_TORSIONS; t++) {
            if (records[n].angles[t] != 0) {
                return berth_fail(error, BERTH_E_RESULT, "record %d of conformer %d begins rotated",
                                  i, c);
            }
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_refine_begin(struct selftest *test, struct berth_error *error)
{
    struct beginning arrays;
    memset(&arrays, 0, sizeof arrays);
    enum berth_status status = fill_beginning(test, &arrays, error);
    BERTH_THEN(run_beginning(test, &arrays, error));
    BERTH_THEN(compare_beginning(&arrays, error));
    selftest_clear(&arrays.constants);
    selftest_clear(&arrays.parents);
    selftest_clear(&arrays.counts);
    selftest_clear(&arrays.records);
    return status;
}

/* Records whose numbers are random; some are no poses. */
static void fill_ended(struct selftest *test, struct berth_device_refined *records, int count)
{
    for (int n = 0; n < count; n++) {
        for (int k = 0; k < 6; k++) {
            records[n].transform[k] = (float)berth_random_between(&test->random, -9, 9);
        }
        for (int t = 0; t < BERTH_TORSIONS; t++) {
            records[n].angles[t] = (float)berth_random_between(&test->random, -9, 9);
        }
        records[n].evaluations = (berth_int32)berth_random_below(&test->random, 9) - 1;
    }
}

/* Each record begins where the other refinement has ended, and is no pose where that had none. */
static enum berth_status compare_again(const struct berth_device_refined *ended,
                                       const struct berth_device_refined *begun, int count,
                                       struct berth_error *error)
{
    for (int n = 0; n < count; n++) {
        if (memcmp(begun[n].transform, ended[n].transform, sizeof ended[n].transform) != 0 ||
            memcmp(begun[n].angles, ended[n].angles, sizeof ended[n].angles) != 0) {
            return berth_fail(error, BERTH_E_RESULT, "record %d begins elsewhere", n);
        }
        if (begun[n].evaluations != (ended[n].evaluations < 0 ? -1 : 0)) {
            return berth_fail(error, BERTH_E_RESULT, "record %d begins with %d", n,
                              (int)begun[n].evaluations);
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_refine_again(struct selftest *test, struct berth_error *error)
{
    enum { ENDED = 37, GIVEN = 41 }; /* the last ones belong to nobody, and stay as they are */
    struct selftest_array ended = {0}, begun = {0};
    struct berth_kernel *kernel = NULL;
    unsigned char *untouched = NULL;
    const size_t size = sizeof(struct berth_device_refined), rest = (GIVEN - ENDED) * size;
    enum berth_status status = selftest_poisoned(test, ENDED * size, &ended, error);
    BERTH_THEN(selftest_poisoned(test, GIVEN * size, &begun, error));
    BERTH_THEN(berth_make(&untouched, rest, 1, NULL, error));
    BERTH_THEN(berth_kernel_create(test->program, "refine_again", &kernel, error));
    if (!status) {
        memcpy(untouched, (unsigned char *)begun.host + ENDED * size, rest);
        fill_ended(test, ended.host, ENDED);
        berth_kernel_set_buffer(kernel, 0, ended.buffer);
        berth_kernel_set_int(kernel, 1, ENDED);
        berth_kernel_set_buffer(kernel, 2, begun.buffer);
    }
    BERTH_THEN(selftest_upload(&ended, error));
    BERTH_THEN(berth_kernel_launch(kernel, GIVEN, 1, 0, NULL, error));
    BERTH_THEN(selftest_download(&begun, error));
    BERTH_THEN(compare_again(ended.host, begun.host, ENDED, error));
    if (!status && memcmp(untouched, (unsigned char *)begun.host + ENDED * size, rest) != 0) {
        status = berth_fail(error, BERTH_E_RESULT, "a record beyond the last is written");
    }
    berth_kernel_destroy(kernel);
    free(untouched);
    selftest_clear(&ended);
    selftest_clear(&begun);
    return status;
}

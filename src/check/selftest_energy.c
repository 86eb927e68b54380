/* Checks of philox_words, energy and energy_terms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/evaluator.h"
#include "check/selftest_internal.h"
#include "score/score_ref.h"

/* Known answers for Philox4x32-10 from its authors' library, Random123 (kat_vectors):
 * four words of counter, two of key, four of result. */
static const uint32_t KNOWN[][10] = {
    {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
    {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e,
     0xa20bc7c6, 0x6d5451fd},
    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb,
     0x5001e420, 0x24126ea1}};

enum { KNOWN_COUNT = sizeof KNOWN / sizeof *KNOWN, PHILOX_COUNT = 1013 };

static enum berth_status compare_words(const uint32_t *counters, const uint32_t *keys,
                                       const uint32_t *words, struct berth_error *error)
{
    for (size_t i = 0; i < PHILOX_COUNT; i++) {
        uint32_t expected[4];
        berth_reference_philox(counters + 4 * i, keys + 2 * i, expected);
        if (i < KNOWN_COUNT && memcmp(expected, KNOWN[i] + 6, sizeof expected) != 0) {
            return berth_fail(error, BERTH_E_RESULT, "the reference misses known answer %zu", i);
        }
        if (memcmp(expected, words + 4 * i, sizeof expected) != 0) {
            return berth_fail(error, BERTH_E_RESULT, "number %zu is %08x..., not %08x...", i,
                              (unsigned)words[4 * i], (unsigned)expected[0]);
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_philox(struct selftest *test, struct berth_error *error)
{
    struct selftest_array counters = {0}, keys = {0}, words = {0};
    struct berth_kernel *kernel = NULL;
    enum berth_status status = selftest_poisoned(test, PHILOX_COUNT * 16, &counters, error);
    BERTH_THEN(selftest_poisoned(test, PHILOX_COUNT * 8, &keys, error));
    BERTH_THEN(selftest_poisoned(test, PHILOX_COUNT * 16, &words, error));
    BERTH_THEN(berth_kernel_create(test->program, "philox_words", &kernel, error));
    if (!status) {
        uint32_t *counter = counters.host, *key = keys.host;
        for (size_t i = 0; i < PHILOX_COUNT * 4; i++) {
            counter[i] = i / 4 < KNOWN_COUNT
                             ? KNOWN[i / 4][i % 4]
                             : (uint32_t)berth_random_below(&test->random, UINT32_MAX);
        }
        for (size_t i = 0; i < PHILOX_COUNT * 2; i++) {
            key[i] = i / 2 < KNOWN_COUNT ? KNOWN[i / 2][4 + i % 2]
                                         : (uint32_t)berth_random_below(&test->random, UINT32_MAX);
        }
        status = selftest_upload(&counters, error);
    }
    BERTH_THEN(selftest_upload(&keys, error));
    if (!status) {
        berth_kernel_set_buffer(kernel, 0, counters.buffer);
        berth_kernel_set_buffer(kernel, 1, keys.buffer);
        berth_kernel_set_buffer(kernel, 2, words.buffer);
        status = berth_kernel_launch(kernel, PHILOX_COUNT, 1, 0, NULL, error);
    }
    BERTH_THEN(selftest_download(&words, error));
    BERTH_THEN(compare_words(counters.host, keys.host, words.host, error));
    berth_kernel_destroy(kernel);
    selftest_clear(&counters);
    selftest_clear(&keys);
    selftest_clear(&words);
    return status;
}

/* Weight of the softened term. */
#define SOFTNESS 0.75f

/* One comparison of energies: a random receptor, some random conformers, random poses. */
struct trial {
    struct selftest *test;
    bool terms;
    bool large; /* by the kernels for large ligands */
    size_t conformers, poses;
    size_t atoms; /* of a large conformer; 0: a random number */
    double half;  /* Å: half edge of the cube that the receptor fills */
    struct berth_heavy_atoms receptor;
    struct berth_target target;
    struct berth_heavy_atoms *ligands;     /* [conformers] */
    struct berth_packed_conformer *packed; /* [conformers] */
    struct berth_evaluator *evaluator;
    struct berth_batch batch;
    struct selftest_array transforms, result;
};

/* Atoms of a conformer. */
static size_t draw_size(const struct trial *trial)
{
    struct selftest *test = trial->test;
    if (trial->atoms && !test->setup->small) {
        return trial->atoms;
    }
    const bool large = trial->large && !test->setup->small;
    return (large ? BERTH_LIGAND_FLEXIBLE_MAX : 0) + 1 +
           berth_random_below(&test->random, test->setup->small ? 5 : 100);
}

static enum berth_status make_molecules(struct trial *trial, struct berth_error *error)
{
    struct selftest *test = trial->test;
    /* About the density of a protein's heavy atoms: one in 20 Å³. */
    const size_t atoms = 1 + (size_t)(trial->half * trial->half * trial->half * 8 / 20);
    enum berth_status status = selftest_atoms(test, atoms, trial->half, &trial->receptor, error);
    BERTH_THEN(berth_make(&trial->ligands, trial->conformers, sizeof *trial->ligands, NULL, error));
    BERTH_THEN(berth_make(&trial->packed, trial->conformers, sizeof *trial->packed, NULL, error));
    for (size_t c = 0; !status && c < trial->conformers; c++) {
        const size_t count = draw_size(trial);
        const double room = trial->large ? 1.36 : 0.7; /* as dense as a protein, or denser */
        status = selftest_atoms(test, count, room * cbrt((double)count) + 0.1, &trial->ligands[c],
                                error);
        BERTH_THEN(berth_pack_conformer(&trial->ligands[c], 1, 1, &trial->packed[c], error));
    }
    return status;
}

/* Moves poses next to the first of their dozen, each dozen closer together than the one before, so
 * that work-groups need neighbour lists of every level. */
static void draw_together(struct trial *trial)
{
    enum { DOZEN = 12 };
    float *planes = trial->transforms.host;
    for (size_t k = 0; k < 6 * trial->conformers; k++) {
        for (size_t i = 0; i < trial->poses; i++) {
            const size_t dozen = i / DOZEN;
            const float first = planes[k * trial->poses + dozen * DOZEN];
            float *value = &planes[k * trial->poses + i];
            *value = first + (*value - first) * powf(0.5f, (float)dozen);
        }
    }
}

static enum berth_status evaluate(struct trial *trial, struct berth_error *error)
{
    struct selftest *test = trial->test;
    const double edge = 2 * trial->half;
    trial->target = (struct berth_target){test->setup->scoring,
                                          &trial->receptor,
                                          {{0.5, -0.25, 0.125}, {edge, edge, edge}, false},
                                          NULL};
    char *options = NULL;
    enum berth_status status =
        selftest_options(test, trial->large && test->setup->small, &options, error);
    BERTH_THEN(berth_evaluator_create(test->context, &test->setup->variant, options, &trial->target,
                                      &trial->evaluator, error));
    free(options);
    BERTH_THEN(
        berth_batch_fill(&trial->batch, test->context, trial->packed, trial->conformers, error));
    trial->batch.large = trial->large; /* small ones can be asked for, too */
    const size_t poses = trial->conformers * trial->poses;
    BERTH_THEN(selftest_poisoned(test, poses * 6 * sizeof(float), &trial->transforms, error));
    if (!status) {
        selftest_poses(test, trial->conformers, trial->poses, trial->half, trial->transforms.host);
        draw_together(trial);
        status = selftest_upload(&trial->transforms, error);
    }
    const size_t planes = trial->terms ? berth_scoring_pair_terms(test->setup->scoring) : 1;
    BERTH_THEN(selftest_poisoned(test, poses * planes * sizeof(float), &trial->result, error));
    const struct berth_evaluation evaluation = {.batch = &trial->batch,
                                                .transforms = trial->transforms.buffer,
                                                .result = trial->result.buffer,
                                                .poses = trial->poses,
                                                .terms = trial->terms,
                                                .softness = SOFTNESS};
    BERTH_THEN(berth_evaluator_run(trial->evaluator, &evaluation, NULL, error));
    BERTH_THEN(selftest_download(&trial->result, error));
    return status;
}

/* The sum of terms, one of them softened. */
static double sum_of(const struct berth_scoring *scoring, const struct berth_terms *terms)
{
    double sum = 0;
    for (size_t k = 0; k < berth_scoring_pair_terms(scoring); k++) {
        const bool softened = (int)k == scoring->definition->softened;
        sum += (softened ? SOFTNESS : 1) * terms->values[k];
    }
    return sum;
}

/* Compares what the kernel found with the expected terms, or their sum, each of them in doubt by so
 * much. */
static enum berth_status compare_pose(const struct trial *trial, size_t c, size_t pose,
                                      const struct berth_terms *expected,
                                      const struct berth_terms *doubt, struct berth_error *error)
{
    const struct berth_scoring *scoring = trial->target.scoring;
    const float *found = trial->result.host;
    const size_t poses = trial->poses, terms = berth_scoring_pair_terms(scoring);
    const double sum = sum_of(scoring, expected), energy = found[c * poses + pose];
    if (!trial->terms && !berth_reference_agrees(energy, sum, expected) &&
        !(fabs(energy - sum) <= sum_of(scoring, doubt))) {
        return berth_fail(error, BERTH_E_RESULT,
                          "pose %zu of conformer %zu has energy %.4f, not %.4f", pose, c, energy,
                          sum);
    }
    for (size_t k = 0; trial->terms && k < terms; k++) {
        const double term = found[(c * terms + k) * poses + pose];
        if (!berth_reference_agrees(term, expected->values[k], expected) &&
            !(fabs(term - expected->values[k]) <= doubt->values[k])) {
            return berth_fail(error, BERTH_E_RESULT,
                              "term %s of pose %zu of conformer %zu is %.4f, not %.4f",
                              scoring->terms.names[k], pose, c, term, expected->values[k]);
        }
    }
    return BERTH_OK;
}

static enum berth_status compare_energies(const struct trial *trial, struct berth_error *error)
{
    const size_t poses = trial->poses;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < trial->conformers * poses; i++) {
        const size_t c = i / poses, pose = i % poses;
        const struct berth_packed_conformer *packed = &trial->packed[c];
        const struct berth_reference_pose at = berth_reference_pose_at(
            (const float *)trial->transforms.host + c * 6 * poses, poses, pose);
        const struct berth_terms terms = berth_reference_terms(&trial->target, packed, &at);
        struct berth_terms doubt = {{0}};
        status = compare_pose(trial, c, pose, &terms, &doubt, error);
        if (status) {
            doubt = berth_reference_doubt(&trial->target, packed, &at, &terms);
            status = compare_pose(trial, c, pose, &terms, &doubt, error);
        }
    }
    return status;
}

static void clear_trial(struct trial *trial)
{
    for (size_t c = 0; c < trial->conformers; c++) {
        if (trial->ligands) {
            berth_heavy_atoms_clear(&trial->ligands[c]);
        }
        if (trial->packed) {
            berth_packed_conformer_clear(&trial->packed[c]);
        }
    }
    free(trial->ligands);
    free(trial->packed);
    berth_heavy_atoms_clear(&trial->receptor);
    berth_batch_clear(&trial->batch);
    berth_evaluator_destroy(trial->evaluator);
    selftest_clear(&trial->transforms);
    selftest_clear(&trial->result);
}

/* A size of a comparison. */
struct size {
    size_t conformers, poses, atoms;
    double half;
};

enum berth_status selftest_energy(struct selftest *test, struct berth_error *error)
{
    static const struct size SIZES[2][4] = {
        {{2, 37, 0, 4}, {1, 1, 0, 1}, {3, 131, 0, 9}, {2, 67, 0, 21}},
        {{2, 5, 0, 6}, {1, 1, 0, 1}, {1, 1, BERTH_LIGAND_ATOMS_MAX, 9}, {1, 3, 0, 17}}};
    const bool large = test->how & SELFTEST_LARGE;
    const size_t trials = test->setup->small ? 2 : sizeof *SIZES / sizeof **SIZES;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < trials; i++) {
        const struct size *size = &SIZES[large][i];
        struct trial trial = {.test = test,
                              .terms = test->how & SELFTEST_TERMS,
                              .large = large,
                              .conformers = size->conformers,
                              .poses = size->poses,
                              .atoms = size->atoms,
                              .half = size->half};
        status = make_molecules(&trial, error);
        BERTH_THEN(evaluate(&trial, error));
        BERTH_THEN(compare_energies(&trial, error));
        clear_trial(&trial);
    }
    return status;
}

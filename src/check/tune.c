#include "check/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/bench.h"
#include "check/reference.h"

/* The workload: a ball of atoms about a pocket, at a protein's density (one heavy atom in 20 Å³).
 */
#define RECEPTOR_RADIUS 22.0 /* Å */
#define POCKET_RADIUS   6.0  /* Å */
#define SITE_EDGE       16.0 /* Å */
#define ATOM_VOLUME     20.0 /* Å³ */
#define LIGAND_RADIUS   5.0  /* Å */

enum {
    LIGAND_ATOMS = 28,
    CONFORMERS = 16,
    FAMILY = 64,  /* poses of one parent */
    CHECKED = 48, /* energies that are compared with the oracle's */
    REPEATS = 5,  /* timed launches, after one that is not */
    VALUES_MAX = 6
};

/* Gain below which the variant that was there stays. */
#define WORTHWHILE 1.01

/* Values to try for each tunable, in this order; -1 ends them. */
struct choice {
    size_t offset; /* in struct berth_variant */
    int values[VALUES_MAX];
};

#define CHOICE(field, ...)                                                                         \
    {                                                                                              \
        offsetof(struct berth_variant, field),                                                     \
        {                                                                                          \
            __VA_ARGS__, -1                                                                        \
        }                                                                                          \
    }

static const struct choice FOR_GPU[] = {CHOICE(square_root, 0, 1, 3), CHOICE(wgsize, 32, 64, 128),
                                        CHOICE(ppwi, 1, 2, 4),        CHOICE(unroll, 1, 4, 8, 16),
                                        CHOICE(expanded, 0, 1),       CHOICE(saturate, 0, 1),
                                        CHOICE(wgsize, 32, 64, 128),  CHOICE(lists, 0, 1)};
static const struct choice FOR_CPU[] = {
    CHOICE(square_root, 0, 1, 2), CHOICE(vector_width, 4, 8, 16), CHOICE(ppwi, 1, 2, 4),
    CHOICE(square_root, 0, 2),    CHOICE(expanded, 0, 1),         CHOICE(saturate, 0, 1),
    CHOICE(lists, 0, 1)};

struct tuner {
    const struct berth_tune_setup *setup;
    struct berth_random random;
    struct berth_heavy_atoms receptor;
    struct berth_packed_conformer packed[CONFORMERS];
    size_t poses; /* of a conformer */
    float *transforms, *energies;
    struct berth_workload workload;
    struct berth_timer *timer;
};

/* The types that most atoms of proteins and ligands have, about as often as they do. */
static int common_type(struct tuner *tuner)
{
    static const char *const NAMES[] = {"C.3",   "C.3",  "C.3",  "C.2",   "C.2", "C.ar",
                                        "C.ar",  "N.am", "N.am", "N.pl3", "O.2", "O.2",
                                        "O.co2", "O.3",  "N.4",  "S.3"};
    const struct berth_scoring *scoring = tuner->setup->scoring;
    const char *name = NAMES[berth_random_below(&tuner->random, sizeof NAMES / sizeof *NAMES)];
    for (size_t i = 0; i < scoring->forcefield.entry_count; i++) {
        if (strcmp(scoring->forcefield.entries[i].name, name) == 0) {
            return scoring->forcefield.entries[i].type;
        }
    }
    return 0;
}

/* Atoms uniform between two spheres. */
static enum berth_status random_atoms(struct tuner *tuner, size_t count, const double radii[2],
                                      struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    BERTH_TRY(berth_make(&heavy->atoms, count, sizeof *heavy->atoms, NULL, error));
    while (heavy->count < count) {
        struct berth_heavy_atom *atom = &heavy->atoms[heavy->count];
        double square = 0;
        for (int k = 0; k < 3; k++) {
            atom->position[k] = berth_random_between(&tuner->random, -radii[1], radii[1]);
            square += atom->position[k] * atom->position[k];
        }
        atom->type = common_type(tuner);
        heavy->count += square >= radii[0] * radii[0] && square <= radii[1] * radii[1];
    }
    return BERTH_OK;
}

static enum berth_status make_molecules(struct tuner *tuner, struct berth_error *error)
{
    static const double BALL[2] = {POCKET_RADIUS, RECEPTOR_RADIUS}, LIGAND[2] = {0, LIGAND_RADIUS};
    const double volume = 4.18879 * (pow(BALL[1], 3) - pow(BALL[0], 3));
    enum berth_status status =
        random_atoms(tuner, (size_t)(volume / ATOM_VOLUME), BALL, &tuner->receptor, error);
    for (uint32_t c = 0; !status && c < CONFORMERS; c++) {
        struct berth_heavy_atoms ligand = {0};
        status = random_atoms(tuner, LIGAND_ATOMS, LIGAND, &ligand, error);
        BERTH_THEN(berth_pack_conformer(&ligand, c, 0, &tuner->packed[c], error));
        berth_heavy_atoms_clear(&ligand);
    }
    return status;
}

/* Poses in families, as in the middle of a docking: within half an Å and a third of a radian. */
static void make_poses(struct tuner *tuner)
{
    for (size_t plane = 0; plane < CONFORMERS * 6; plane++) {
        const double half = plane % 6 < 3 ? 3.14159 : SITE_EDGE / 2;
        const double step = plane % 6 < 3 ? 0.3 : 0.5;
        double parent = 0;
        for (size_t i = 0; i < tuner->poses; i++) {
            if (i % FAMILY == 0) {
                parent = berth_random_between(&tuner->random, -half, half);
            }
            const double value = parent + berth_random_between(&tuner->random, -step, step);
            tuner->transforms[plane * tuner->poses + i] = (float)fmax(-half, fmin(half, value));
        }
    }
}

static enum berth_status prepare(struct tuner *tuner, struct berth_error *error)
{
    const struct berth_device *device = tuner->setup->device;
    tuner->poses =
        device->kind == BERTH_DEVICE_GPU ? 65536 : 1024 * device->compute_units / 2 + 512;
    const size_t count = tuner->poses * CONFORMERS;
    BERTH_TRY(berth_make(&tuner->transforms, count * 6, sizeof *tuner->transforms, NULL, error));
    BERTH_TRY(berth_make(&tuner->energies, count, sizeof *tuner->energies, NULL, error));
    BERTH_TRY(make_molecules(tuner, error));
    make_poses(tuner);
    tuner->workload =
        (struct berth_workload){.target = {tuner->setup->scoring,
                                           &tuner->receptor,
                                           {{0}, {SITE_EDGE, SITE_EDGE, SITE_EDGE}, false},
                                           NULL},
                                .packed = tuner->packed,
                                .conformers = CONFORMERS,
                                .transforms = tuner->transforms,
                                .poses = tuner->poses,
                                .repeats = REPEATS};
    return berth_timer_create(device, &tuner->workload, &tuner->timer, error);
}

/* Compares some energies with the oracle's. */
static void verify(const struct tuner *tuner, struct berth_candidate *candidate)
{
    for (size_t i = 0; i < CHECKED; i++) {
        const size_t c = i % CONFORMERS, pose = i * (tuner->poses - 1) / (CHECKED - 1);
        const struct berth_reference_pose at =
            berth_reference_pose_at(tuner->transforms + c * 6 * tuner->poses, tuner->poses, pose);
        const struct berth_terms terms =
            berth_reference_terms(&tuner->workload.target, &tuner->packed[c], &at);
        const double expected = berth_terms_sum(&terms);
        const double found = tuner->energies[c * tuner->poses + pose];
        candidate->largest_error = fmax(candidate->largest_error, fabs(found - expected));
        if (!berth_reference_agrees(found, expected, &terms)) {
            const struct berth_terms doubt =
                berth_reference_doubt(&tuner->workload.target, &tuner->packed[c], &at, &terms);
            if (fabs(found - expected) <= berth_terms_sum(&doubt)) {
                continue;
            }
            snprintf(candidate->refusal, sizeof candidate->refusal, "wrong energies");
        }
    }
}

/* Tries a variant; a device that cannot build it refuses it, which is no error. */
static struct berth_candidate try(struct tuner *tuner, const struct berth_variant *variant)
{
    struct berth_candidate candidate = {.variant = *variant};
    struct berth_bench_result result = {0};
    struct berth_error error;
    if (berth_timer_run(tuner->timer, variant, NULL, tuner->energies, &result, &error)) {
        /* The first line; a build log may follow it. */
        snprintf(candidate.refusal, sizeof candidate.refusal, "%.*s",
                 (int)strcspn(error.message, "\n"), error.message);
    } else {
        verify(tuner, &candidate);
    }
    candidate.interactions_per_s = *candidate.refusal ? 0 : result.interactions_per_s;
    tuner->setup->report(tuner->setup->context, &candidate);
    return candidate;
}

static int *value_of(struct berth_variant *variant, const struct choice *choice)
{
    return (int *)(void *)((char *)variant + choice->offset);
}

static void search(struct tuner *tuner, struct berth_candidate *best)
{
    const bool gpu = tuner->setup->device->kind == BERTH_DEVICE_GPU;
    const struct choice *choices = gpu ? FOR_GPU : FOR_CPU;
    const size_t count = gpu ? sizeof FOR_GPU / sizeof *FOR_GPU : sizeof FOR_CPU / sizeof *FOR_CPU;
    for (size_t i = 0; i < count; i++) {
        const struct berth_variant start = best->variant;
        for (const int *value = choices[i].values; *value >= 0; value++) {
            struct berth_variant variant = start;
            if (*value_of(&variant, &choices[i]) == *value) {
                continue;
            }
            *value_of(&variant, &choices[i]) = *value;
            struct berth_error ignored;
            if (!berth_variant_check(&variant, tuner->setup->device, &ignored)) {
                const struct berth_candidate tried = try(tuner, &variant);
                if (tried.interactions_per_s > WORTHWHILE * best->interactions_per_s) {
                    *best = tried;
                }
            }
        }
    }
}

static void clear(struct tuner *tuner)
{
    berth_timer_destroy(tuner->timer);
    for (size_t c = 0; c < CONFORMERS; c++) {
        berth_packed_conformer_clear(&tuner->packed[c]);
    }
    berth_heavy_atoms_clear(&tuner->receptor);
    free(tuner->transforms);
    free(tuner->energies);
}

enum berth_status berth_tune_run(const struct berth_tune_setup *setup, struct berth_candidate *best,
                                 struct berth_error *error)
{
    struct tuner tuner = {.setup = setup, .random = {.seed = 1}};
    enum berth_status status = prepare(&tuner, error);
    if (!status) {
        const struct berth_variant start = berth_variant_default(setup->device);
        *best = try(&tuner, &start);
        search(&tuner, best);
        if (*best->refusal) {
            status = berth_fail(error, BERTH_E_RESULT,
                                "device %zu (%s): no variant gives right energies; run `berth "
                                "selftest`",
                                setup->device->index, setup->device->name);
        }
    }
    clear(&tuner);
    return status;
}

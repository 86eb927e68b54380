#include "check/bench.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "check/deck.h"
#include "format/mol2/mol2.h"
#include "format/output.h"
#include "prep/posed.h"
#include "score/score_ref.h"

/* An energy agrees with its reference within either of these (%, kJ/mol). */
#define AGREE_PERCENT  0.05
#define AGREE_ABSOLUTE 0.01

struct berth_timer {
    const struct berth_workload *workload;
    struct berth_context *context;
    struct berth_batch batch;
    struct berth_buffer *transforms, *energies;
};

enum berth_status berth_timer_create(const struct berth_device *device,
                                     const struct berth_workload *workload,
                                     struct berth_timer **timer, struct berth_error *error)
{
    const size_t bytes = workload->conformers * workload->poses * sizeof(float);
    struct berth_timer *made;
    *timer = NULL;
    BERTH_TRY(berth_make(&made, 1, sizeof *made, NULL, error));
    made->workload = workload;
    enum berth_status status = berth_context_create(device, &made->context, error);
    BERTH_THEN(berth_batch_fill(&made->batch, made->context, workload->packed, workload->conformers,
                                error));
    BERTH_THEN(berth_buffer_create(made->context, bytes * 6, &made->transforms, error));
    BERTH_THEN(berth_buffer_create(made->context, bytes, &made->energies, error));
    BERTH_THEN(berth_buffer_write(made->transforms, workload->transforms, bytes * 6, error));
    if (status) {
        berth_timer_destroy(made);
    } else {
        *timer = made;
    }
    return status;
}

static int by_size(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void sum_up(const struct berth_timer *timer, uint64_t *times, size_t count,
                   struct berth_bench_result *result)
{
    qsort(times, count, sizeof *times, by_size);
    result->ms_min = 1e-6 * (double)times[0];
    result->ms_median = 0.5e-6 * ((double)times[(count - 1) / 2] + (double)times[count / 2]);
    result->interactions_per_s = (double)timer->workload->poses * (double)timer->batch.atom_count *
                                 (double)timer->workload->target.receptor->count /
                                 (1e-3 * result->ms_median);
}

enum berth_status berth_timer_run(struct berth_timer *timer, const struct berth_variant *variant,
                                  const char *options, float *energies,
                                  struct berth_bench_result *result, struct berth_error *error)
{
    const struct berth_workload *workload = timer->workload;
    const struct berth_evaluation evaluation = {.batch = &timer->batch,
                                                .transforms = timer->transforms,
                                                .result = timer->energies,
                                                .poses = workload->poses,
                                                .softness = 1};
    struct berth_evaluator *evaluator = NULL;
    uint64_t *times;
    BERTH_TRY(berth_make(&times, workload->repeats + 1, sizeof *times, NULL, error));
    enum berth_status status = berth_evaluator_create(timer->context, variant, options,
                                                      &workload->target, &evaluator, error);
    for (size_t i = 0; !status && i <= workload->repeats; i++) {
        status = berth_evaluator_run(evaluator, &evaluation, &times[i], error);
    }
    if (!status) {
        sum_up(timer, times + 1, workload->repeats, result);
    }
    berth_evaluator_destroy(evaluator);
    free(times);
    BERTH_THEN(berth_buffer_read(timer->energies, energies,
                                 workload->conformers * workload->poses * sizeof *energies, error));
    return status;
}

void berth_timer_destroy(struct berth_timer *timer)
{
    if (timer) {
        berth_batch_clear(&timer->batch);
        berth_buffer_destroy(timer->transforms);
        berth_buffer_destroy(timer->energies);
        berth_context_destroy(timer->context);
        free(timer);
    }
}

struct berth_bench_setup berth_bench_of_deck(const struct berth_deck *deck, size_t poses,
                                             size_t repeats)
{
    return (struct berth_bench_setup){
        .target = {&deck->scoring, &deck->protein, {{0}, {0}, false}, NULL},
        .ligand = &deck->ligand,
        .poses = deck->poses,
        .pose_count = deck->pose_count,
        .energies = deck->energies,
        .energy_count = deck->energy_count,
        .poses_wanted = poses ? poses : deck->pose_count,
        .repeats = repeats};
}

/* The ligand about its own origin, as the decks have it (not about its centroid). */
static enum berth_status pack_ligand(const struct berth_heavy_atoms *ligand,
                                     struct berth_packed_conformer *packed,
                                     struct berth_error *error)
{
    BERTH_TRY(berth_pack_conformer(ligand, 0, 0, packed, error));
    for (size_t i = 0; i < ligand->count; i++) {
        packed->atoms[i].x = (float)ligand->atoms[i].position[0];
        packed->atoms[i].y = (float)ligand->atoms[i].position[1];
        packed->atoms[i].z = (float)ligand->atoms[i].position[2];
    }
    return BERTH_OK;
}

void berth_bench_verify(const struct berth_bench_setup *setup, const float *energies,
                        struct berth_bench_result *result)
{
    result->valid = setup->energy_count > 0;
    result->max_diff_pct = 0;
    for (size_t i = 0; i < setup->poses_wanted; i++) {
        const size_t pose = i % setup->pose_count;
        if (pose >= setup->energy_count) {
            continue;
        }
        const double reference = setup->energies[pose];
        const double difference = fabs(energies[i] - reference);
        const double percent = 100 * difference / fabs(reference);
        if (!(difference <= AGREE_ABSOLUTE || percent <= AGREE_PERCENT)) {
            result->valid = false;
        }
        if (fabs(reference) >= 1 && !(percent <= result->max_diff_pct)) {
            result->max_diff_pct = percent;
        }
    }
}

enum berth_status berth_bench_run(const struct berth_device *device,
                                  const struct berth_bench_setup *setup,
                                  struct berth_bench_result *result, struct berth_error *error)
{
    const size_t wanted = setup->poses_wanted;
    struct berth_packed_conformer packed;
    struct berth_timer *timer = NULL;
    float *numbers; /* the transforms, and behind them the energies */
    BERTH_TRY(berth_make(&numbers, wanted, 7 * sizeof *numbers, "poses", error));
    for (size_t i = 0; i < 6 * wanted; i++) {
        const size_t plane = i / wanted, pose = i % wanted % setup->pose_count;
        numbers[i] = setup->poses[plane * setup->pose_count + pose];
    }
    enum berth_status status = pack_ligand(setup->ligand, &packed, error);
    const struct berth_workload workload = {setup->target, &packed, 1,
                                            numbers,       wanted,  setup->repeats};
    BERTH_THEN(berth_timer_create(device, &workload, &timer, error));
    BERTH_THEN(berth_timer_run(timer, &setup->variant, setup->build_options, numbers + 6 * wanted,
                               result, error));
    if (!status) {
        berth_bench_verify(setup, numbers + 6 * wanted, result);
    }
    berth_timer_destroy(timer);
    berth_packed_conformer_clear(&packed);
    free(numbers);
    return status;
}

/* --- The demo --- */

static const double PI = 3.14159265358979323846;

/* Poses of the demo's deck: as many as the oracle works out in a second. */
enum { DECK_POSES = 512 };

/* Å: about the ligand, as `berth dock --autobox_add` has it by default. */
static const double SITE_MARGIN = 4;

/* The folder of the demo data: `data`, else where `make install` or the sources have it beside the
 * program. */
static enum berth_status find_folder(const char *data, char folder[PATH_MAX],
                                     struct berth_error *error)
{
    static const char *const PLACES[] = {"../share/berth/demo", "../data/demo"};
    if (data) {
        snprintf(folder, PATH_MAX, "%s", data);
        return BERTH_OK;
    }
    char program[PATH_MAX], probe[PATH_MAX];
    enum berth_status status = berth_program_folder(program, error);
    for (size_t i = 0; !status && i < sizeof PLACES / sizeof *PLACES; i++) {
        status = berth_path_in(program, PLACES[i], folder, PATH_MAX, error);
        BERTH_THEN(berth_path_in(folder, "1hpv_receptor.mol2", probe, PATH_MAX, error));
        if (!status && access(probe, R_OK) == 0) {
            return BERTH_OK;
        }
    }
    return status ? status
                  : berth_fail_option(error, BERTH_E_IO, "data",
                                      "the demo data are neither in %s/%s nor in %s/%s: name their "
                                      "folder, or another deck",
                                      program, PLACES[0], program, PLACES[1]);
}

/* The box about the ligand at path. */
static enum berth_status read_site(const char *path, struct berth_site *site,
                                   struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    enum berth_status status = berth_posed_read(path, &molecule, error);
    if (!status && !berth_site_about(&molecule, SITE_MARGIN, false, site)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no heavy atoms to put a box about", path);
    }
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status berth_demo_read(const char *data, const struct berth_scoring_choice *scoring,
                                  const struct berth_log *log, struct berth_demo *demo,
                                  struct berth_error *error)
{
    memset(demo, 0, sizeof *demo);
    char folder[PATH_MAX], receptor[PATH_MAX], ligand[PATH_MAX];
    enum berth_status status = find_folder(data, folder, error);
    if (!status) {
        demo->folder = berth_copy_text(folder);
        status = demo->folder ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(berth_path_in(folder, "1hpv_receptor.mol2", receptor, PATH_MAX, error));
    BERTH_THEN(berth_path_in(folder, "1hpv_ligand.mol2", ligand, PATH_MAX, error));
    BERTH_THEN(berth_typed_receptor_read(scoring, receptor, NULL, log, &demo->receptor, error));
    return status ? status : read_site(ligand, &demo->site, error);
}

void berth_demo_clear(struct berth_demo *demo)
{
    berth_typed_receptor_clear(&demo->receptor);
    free(demo->folder);
    memset(demo, 0, sizeof *demo);
}

float *berth_random_poses(const double size[3], size_t count)
{
    uint64_t state = 1;
    float *planes = berth_alloc(count, 6 * sizeof *planes);
    for (size_t i = 0; planes && i < count; i++) {
        planes[i] = (float)(2 * PI * berth_random_uniform(&state));
        planes[count + i] =
            (float)asin(2 * berth_random_uniform(&state) - 1); /* uniform over the sphere */
        planes[2 * count + i] = (float)(2 * PI * berth_random_uniform(&state));
        for (size_t k = 0; k < 3; k++) {
            planes[(3 + k) * count + i] = (float)((berth_random_uniform(&state) - 0.5) * size[k]);
        }
    }
    return planes;
}

/* Makes atoms relative to center. */
static void shift(struct berth_heavy_atoms *heavy, const double center[3])
{
    for (size_t i = 0; i < heavy->count; i++) {
        for (int k = 0; k < 3; k++) {
            heavy->atoms[i].position[k] -= center[k];
        }
    }
}

/* The oracle's energy of the deck's ligand in one pose, kJ/mol. */
static double energy_of(const struct berth_deck *deck, size_t pose,
                        struct berth_heavy_atoms *placed)
{
    static const double ORIGIN[3] = {0, 0, 0};
    const float *at = deck->poses + pose;
    const size_t count = deck->pose_count;
    const struct berth_transform transform = {at[0],         at[count],     at[2 * count],
                                              at[3 * count], at[4 * count], at[5 * count]};
    for (size_t i = 0; i < placed->count; i++) {
        berth_transform_apply(&transform, ORIGIN, deck->ligand.atoms[i].position,
                              placed->atoms[i].position);
    }
    const struct berth_terms terms = berth_score_ref(&deck->scoring, &deck->protein, placed);
    return berth_terms_sum(&terms);
}

/* Poses in a box with these edges, and their energies. */
static enum berth_status fill_poses(const double size[3], struct berth_deck *deck,
                                    struct berth_error *error)
{
    struct berth_heavy_atoms placed = {.count = deck->ligand.count};
    deck->poses = berth_random_poses(size, DECK_POSES);
    deck->pose_count = DECK_POSES;
    BERTH_TRY(deck->poses ? BERTH_OK : berth_out_of_memory(error, NULL));
    BERTH_TRY(berth_make(&deck->energies, DECK_POSES, sizeof *deck->energies, NULL, error));
    const enum berth_status status =
        berth_make(&placed.atoms, placed.count, sizeof *placed.atoms, NULL, error);
    if (!status) {
        memcpy(placed.atoms, deck->ligand.atoms, placed.count * sizeof *placed.atoms);
        while (deck->energy_count < deck->pose_count) {
            deck->energies[deck->energy_count] = energy_of(deck, deck->energy_count, &placed);
            deck->energy_count++;
        }
    }
    berth_heavy_atoms_clear(&placed);
    return status;
}

static enum berth_status read_ligand(const struct berth_demo *demo, struct berth_heavy_atoms *heavy,
                                     struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_molecule molecule = {0};
    enum berth_status status =
        berth_path_in(demo->folder, "1hpv_ligand.mol2", path, PATH_MAX, error);
    BERTH_THEN(berth_mol2_read_one(path, true, &molecule, error));
    if (!status && berth_scoring_assign(&demo->receptor.scoring, &molecule, NULL, heavy, error)) {
        status = berth_fail_in(error, path);
    }
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status berth_demo_deck(const char *data, const struct berth_scoring_choice *scoring,
                                  const struct berth_log *log, struct berth_deck *deck,
                                  struct berth_error *error)
{
    memset(deck, 0, sizeof *deck);
    struct berth_demo demo;
    enum berth_status status = berth_demo_read(data, scoring, log, &demo, error);
    BERTH_THEN(read_ligand(&demo, &deck->ligand, error));
    if (!status) {
        deck->scoring = demo.receptor.scoring; /* these two move to the deck */
        deck->protein = demo.receptor.heavy;
        memset(&demo.receptor.scoring, 0, sizeof demo.receptor.scoring);
        memset(&demo.receptor.heavy, 0, sizeof demo.receptor.heavy);
        shift(&deck->protein, demo.site.center); /* the ligand's centroid, too */
        shift(&deck->ligand, demo.site.center);
        status = fill_poses(demo.site.size, deck, error);
    }
    berth_demo_clear(&demo);
    if (status) {
        berth_deck_clear(deck);
    }
    return status;
}

/* Checks of maps, of the search on them and of refinement: a random receptor and random flexible
 * ligands, by the same calls as a docking.  What is in the maps, which way descents go and what
 * they end with is held against the oracle; of a whole search it is checked what it may never do.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/selftest_internal.h"
#include "chem/geometry.h"
#include "chem/vectors.h"
#include "engine/mapped.h"
#include "engine/starts.h"

/* Å: how far a child may be from its parent along an axis (kernels/mapped.cl). */
#define CHILD_REACH 0.51f

/* Å: what single precision leaves of the way to a core's place. */
#define CORE_OFF 0.01

enum {
    LIGANDS = 3,
    CONFORMERS = 24, /* of the ligands in turn: these differ in their random numbers alone */
    POSES = 48,
    PARENTS = 4,
    PLACES = 2 * (2 + 7 + 15) /* two for each atom of the ligands */
};

/* How large everything is. */
struct extent {
    double half, reach; /* Å: half edges of the site, and of the cube that the receptor fills */
    size_t atoms[LIGANDS];
    size_t with_bodies; /* which of them has bodies beside it, where there are any; */
    bool alone;         /* or gives way to them */
};

static const struct extent USUAL = {4, 7, {2, 7, 15}, 1, false},
                           WIDE = {12, 12, {1, 40, 70}, 0, true};

struct trial {
    struct selftest *test;
    const struct extent *of; /* NULL: the usual one */
    double size[3];          /* Å: full edges of the site */
    bool large; /* refinement by the kernel for large ligands, in small tiles; nothing turns */
    struct berth_heavy_atoms receptor;
    struct selftest_ligand ligands[LIGANDS];
    struct berth_place places[PLACES];
    struct berth_places all; /* these, where ligands are restrained */
    struct berth_evaluator *evaluator;
    struct berth_batch batch;
    struct berth_maps *maps;
    uint16_t *halves; /* owned; of the maps; NULL: energies are exact */
    struct selftest_maps read;
    uint64_t seed;
};

static enum berth_status make_molecules(struct trial *trial, struct berth_error *error)
{
    struct selftest *test = trial->test;
    /* as dense as a protein: one in 20 Å³ */
    const size_t atoms = (size_t)(trial->of->reach * trial->of->reach * trial->of->reach * 8 / 20);
    enum berth_status status =
        selftest_atoms(test, atoms, trial->of->reach, &trial->receptor, error);
    if (test->how & SELFTEST_RESTRAINED) {
        selftest_places(test, trial->of->half, trial->places);
        trial->all = (struct berth_places){trial->places, SELFTEST_PLACES};
    }
    for (uint32_t i = 0; !status && i < LIGANDS; i++) {
        struct selftest_ligand *ligand = &trial->ligands[i];
        const bool bodies = test->how & SELFTEST_BODIES && i == trial->of->with_bodies;
        status = bodies && trial->of->alone
                     ? BERTH_OK
                     : selftest_ligand(test, trial->of->atoms[i], i, ligand, error);
        if (!status && bodies) {
            status = selftest_bodies(test, ligand, error);
        }
        if (!status && test->how & SELFTEST_HANGING) {
            ligand->flexible.held = true;
            ligand->words.words[BERTH_FLEXIBLE_HELD] = 1;
        }
        if (!status && test->how & SELFTEST_HELD) {
            const size_t first = trial->all.count;
            trial->all = (struct berth_places){trial->places, first + 2 * ligand->heavy.count};
            status = selftest_hold(test, trial->of->half / 2, trial->places + first, first, ligand,
                                   error);
        } else if (!status && trial->all.count) {
            status = selftest_restrain(test, &trial->all, ligand, error);
        }
        if (!status && trial->large) {
            berth_torsion_tree_clear(&ligand->flexible.tree);
            ligand->flexible.dihedral_count = 0;
            memset(ligand->flexible.far, 0,
                   ligand->heavy.count * ligand->flexible.words * sizeof *ligand->flexible.far);
        }
    }
    return status;
}

static enum berth_status make_trial(struct trial *trial, struct berth_error *error)
{
    struct selftest *test = trial->test;
    struct berth_packed_conformer packed[CONFORMERS];
    char *options = NULL;
    trial->of = trial->of ? trial->of : &USUAL;
    for (int k = 0; k < 3; k++) {
        trial->size[k] = 2 * trial->of->half;
    }
    enum berth_status status = make_molecules(trial, error);
    const double *size = trial->size;
    const struct berth_target target = {test->setup->scoring,
                                        &trial->receptor,
                                        {{0}, {size[0], size[1], size[2]}, false},
                                        trial->all.count ? &trial->all : NULL};
    BERTH_THEN(selftest_options(test, trial->large, &options, error));
    BERTH_THEN(berth_evaluator_create(test->context, &test->setup->variant, options, &target,
                                      &trial->evaluator, error));
    free(options);
    for (uint32_t n = 0; n < CONFORMERS; n++) {
        packed[n] = trial->ligands[n % LIGANDS].packed;
        packed[n].device.number = n;
    }
    BERTH_THEN(berth_batch_fill(&trial->batch, test->context, packed, CONFORMERS, error));
    trial->batch.large = trial->large;
    trial->seed = test->setup->seed;
    return status;
}

static enum berth_status make_maps(struct trial *trial, struct berth_error *error)
{
    static const struct berth_map_settings GRID = {
        .spacing = 0.61f, .margin = 1.3f, .wall = 7, .most = 40};
    const struct berth_scoring *scoring = trial->test->setup->scoring;
    BERTH_TRY(berth_maps_create(trial->evaluator, trial->size, &GRID, &trial->maps, error));
    BERTH_TRY(berth_maps_complete(trial->maps, &trial->batch, error));
    trial->read.scoring = scoring;
    trial->read.layout = trial->maps->layout;
    trial->read.curves = trial->maps->pieces ? &trial->maps->curves : NULL;
    const size_t numbers = scoring->type_count * selftest_map_numbers(&trial->read.layout);
    BERTH_TRY(berth_make(&trial->halves, numbers, sizeof *trial->halves, NULL, error));
    trial->read.halves = trial->halves;
    return berth_buffer_read(trial->maps->halves, trial->halves, numbers * sizeof *trial->halves,
                             error);
}

static void clear_trial(struct trial *trial)
{
    for (size_t i = 0; i < LIGANDS; i++) {
        selftest_ligand_clear(&trial->ligands[i]);
    }
    berth_heavy_atoms_clear(&trial->receptor);
    berth_batch_clear(&trial->batch);
    berth_maps_destroy(trial->maps);
    berth_evaluator_destroy(trial->evaluator);
    free(trial->halves);
}

enum berth_status selftest_maps(struct selftest *test, struct berth_error *error)
{
    enum { POINTS = 5000 };
    struct trial trial = {.test = test};
    enum berth_status status = make_trial(&trial, error);
    BERTH_THEN(make_maps(&trial, error));
    for (size_t i = 0; !status && i < (test->setup->small ? POINTS / 50 : POINTS); i++) {
        const size_t atom = berth_random_below(&test->random, trial.batch.atom_count);
        const size_t points = (size_t)trial.read.layout.points;
        status =
            selftest_compare_point(&trial.read, &trial.receptor, trial.batch.host_atoms[atom].type,
                                   berth_random_below(&test->random, points), error);
    }
    clear_trial(&trial);
    return status;
}

/* Poses of all conformers, `kept` of each, the best first; -1 evaluations: none. */
struct records {
    struct berth_device_refined *first; /* owned */
    size_t kept;
};

static enum berth_status make_records(size_t kept, struct records *records,
                                      struct berth_error *error)
{
    records->kept = kept;
    return berth_make(&records->first, CONFORMERS * kept, sizeof *records->first, NULL, error);
}

static const struct berth_device_refined *record_of(const struct records *records, size_t c,
                                                    size_t k)
{
    return &records->first[c * records->kept + k];
}

/* Searches on maps, and takes what it would refine. */
static enum berth_status search_maps(struct trial *trial,
                                     const struct berth_mapped_settings *settings,
                                     struct records *records, struct berth_error *error)
{
    const double *size = trial->size;
    const struct berth_mapped_setup setup = {.settings = *settings,
                                             .seed = trial->seed,
                                             .size = {size[0], size[1], size[2]},
                                             .conformers = CONFORMERS,
                                             .kept = records->kept,
                                             .maps = trial->maps};
    const size_t bytes = CONFORMERS * records->kept * sizeof *records->first;
    struct selftest_array buffer = {0}, counts = {0};
    struct berth_mapped *mapped = NULL;
    enum berth_status status = selftest_poisoned(trial->test, bytes, &buffer, error);
    BERTH_THEN(selftest_poisoned(trial->test, CONFORMERS * sizeof(int32_t), &counts, error));
    BERTH_THEN(berth_mapped_create(trial->evaluator, &setup, &mapped, error));
    BERTH_THEN(berth_mapped_run(mapped, &trial->batch, buffer.buffer, counts.buffer, error));
    BERTH_THEN(selftest_download(&buffer, error));
    BERTH_THEN(selftest_download(&counts, error));
    if (!status) {
        memcpy(records->first, buffer.host, bytes);
    }
    berth_mapped_destroy(mapped);
    selftest_clear(&buffer);
    selftest_clear(&counts);
    return status;
}

/* Refines poses in place. */
static enum berth_status refine(struct trial *trial, const struct berth_refine_settings *settings,
                                struct records *records, struct berth_error *error)
{
    const double *size = trial->size;
    const struct berth_refine_setup setup = {.settings = *settings,
                                             .seed = trial->seed,
                                             .size = {size[0], size[1], size[2]},
                                             .conformers = CONFORMERS};
    const size_t bytes = CONFORMERS * records->kept * sizeof *records->first;
    struct berth_refiner *refiner = NULL;
    struct berth_event *event = NULL;
    enum berth_status status = berth_refiner_create(trial->evaluator, &setup, &refiner, error);
    if (!status) {
        memcpy(refiner->on_host, records->first, bytes);
        status = berth_refiner_write(refiner, CONFORMERS, error);
    }
    BERTH_THEN(berth_refiner_run(refiner, &trial->batch, NULL, error));
    BERTH_THEN(berth_refiner_start_read(refiner, CONFORMERS, &event, error));
    BERTH_THEN(berth_event_wait(event, error));
    if (!status) {
        memcpy(records->first, refiner->on_host, bytes);
    }
    berth_refiner_destroy(refiner);
    return status;
}

static void place(const struct selftest_ligand *ligand, const struct berth_device_refined *record,
                  struct berth_heavy_atoms *placed)
{
    const float *t = record->transform;
    const struct berth_transform transform = {t[0], t[1], t[2], t[3], t[4], t[5]};
    double angles[BERTH_TORSIONS];
    for (size_t k = 0; k < BERTH_TORSIONS; k++) {
        angles[k] = record->angles[k];
    }
    berth_flexible_place(&ligand->flexible, &ligand->heavy, &transform, angles, placed);
}

static struct selftest_system system_of(const struct trial *trial, size_t c)
{
    return (struct selftest_system){&trial->ligands[c % LIGANDS], trial->test->setup->scoring,
                                    &trial->receptor, trial->halves ? &trial->read : NULL};
}

/* A first step went down the oracle's gradient. */
static enum berth_status compare_step(const struct trial *trial, size_t c,
                                      const struct berth_device_refined *before,
                                      const struct berth_device_refined *after,
                                      struct berth_error *error)
{
    const struct selftest_system system = system_of(trial, c);
    const float *t = before->transform;
    const double origin[3] = {t[3], t[4], t[5]};
    double gradient[SELFTEST_FREEDOMS], step[SELFTEST_FREEDOMS];
    struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed = {room, 0};
    place(system.ligand, before, &placed);
    selftest_gradient(&system, &placed, origin, gradient);
    selftest_step_between(before, after, step);
    return selftest_compare_step(system.ligand, c, gradient, step, error);
}

static bool is_inside(const struct trial *trial, const struct berth_device_refined *record)
{
    bool inside = true;
    for (int k = 3; k < 6; k++) {
        inside = inside && fabsf(record->transform[k]) <= (float)trial->of->half;
    }
    return inside;
}

/* Where a step cannot be compared: at a face of the site, or where a slope inside the ligand is
 * steeper than the search on maps follows. */
static bool is_odd(const struct trial *trial, size_t c, const struct berth_device_refined *record)
{
    bool odd = false;
    for (int k = 3; k < 6; k++) {
        odd = odd || fabsf(record->transform[k]) >= (float)trial->of->half;
    }
    if (trial->halves && !odd) {
        const struct selftest_ligand *ligand = &trial->ligands[c % LIGANDS];
        struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
        struct berth_heavy_atoms placed = {room, ligand->heavy.count};
        place(ligand, record, &placed);
        odd = selftest_energy_on_maps(&trial->read, ligand, &placed).steepest >
              0.99 * SELFTEST_SLOPE_MOST;
    }
    return odd;
}

/* How many steps each ligand took, and how many of them otherwise than the oracle says. */
struct steps {
    size_t taken[LIGANDS], differ[LIGANDS], odd;
};

static void note_steps(const struct trial *trial, const struct records *before,
                       const struct records *after, struct steps *steps, struct berth_error *error)
{
    for (size_t n = 0; n < CONFORMERS * before->kept; n++) {
        const size_t c = n / before->kept;
        const struct berth_device_refined *from = &before->first[n], *to = &after->first[n];
        if (is_odd(trial, c, from) || is_odd(trial, c, to)) {
            steps->odd++;
        } else if (memcmp(from->transform + 3, to->transform + 3, 3 * sizeof(float)) != 0 ||
                   memcmp(from->angles, to->angles, sizeof from->angles) != 0) {
            steps->taken[c % LIGANDS]++;
            steps->differ[c % LIGANDS] += compare_step(trial, c, from, to, error) != BERTH_OK;
        }
    }
}

/* Steps that were taken, or cannot be compared. */
static size_t count_steps(const struct steps *steps)
{
    size_t count = steps->odd;
    for (size_t i = 0; i < LIGANDS; i++) {
        count += steps->taken[i];
    }
    return count;
}

/* Gradients jump at kinks of the function and where an atom leaves its cell of a map, so some steps
 * may differ; those that raise the energy are not taken. */
static enum berth_status judge_steps(const struct steps *steps, struct berth_error *error)
{
    size_t taken = 0, differ = 0;
    bool wrong = false;
    for (size_t i = 0; i < LIGANDS; i++) {
        taken += steps->taken[i];
        differ += steps->differ[i];
        wrong = wrong || steps->differ[i] * 2 > steps->taken[i] + 2;
    }
    if (count_steps(steps) < CONFORMERS / 2) {
        return berth_fail(error, BERTH_E_RESULT, "only %zu poses went anywhere", taken);
    }
    return wrong || differ * 3 > taken ? BERTH_E_RESULT : BERTH_OK;
}

/* Poses where they begin, and behind one evaluation more: the first step, where it went down. */
enum berth_status selftest_map_slopes(struct selftest *test, struct berth_error *error)
{
    enum { ROUNDS = 8 };
    struct trial trial = {.test = test};
    struct records before = {0}, after = {0};
    struct steps steps = {0};
    struct berth_mapped_settings settings = berth_mapped_defaults();
    settings.poses = settings.parents = settings.generations = settings.hops = 1;
    enum berth_status status = make_trial(&trial, error);
    BERTH_THEN(make_maps(&trial, error));
    BERTH_THEN(make_records(1, &before, error));
    BERTH_THEN(make_records(1, &after, error));
    /* a step uphill is not taken, so that small checks may need another round */
    for (size_t i = 0;
         !status && i < ROUNDS && !(test->setup->small && count_steps(&steps) >= CONFORMERS / 2);
         i++) {
        trial.seed++;
        settings.evaluations = 1;
        status = search_maps(&trial, &settings, &before, error);
        settings.evaluations = 2;
        BERTH_THEN(search_maps(&trial, &settings, &after, error));
        if (!status) {
            note_steps(&trial, &before, &after, &steps, error);
        }
    }
    BERTH_THEN(judge_steps(&steps, error));
    free(before.first);
    free(after.first);
    clear_trial(&trial);
    return status;
}

/* How far a pose's atoms lie from the places of a way, Å. */
static double distance_from(const struct trial *trial, size_t c, size_t way,
                            const struct berth_device_refined *record)
{
    const struct selftest_ligand *ligand = &trial->ligands[c % LIGANDS];
    struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed = {room, ligand->heavy.count};
    double farthest = 0;
    place(ligand, record, &placed);
    for (size_t i = 0; i < placed.count; i++) {
        const size_t at = ligand->restrained.ways[way * placed.count + i];
        farthest = fmax(farthest, berth_distance(room[i].position, trial->places[at].position));
    }
    return farthest;
}

/* Of the poses of a conformer, numbered through, each third begins with its core in one of two
 * ways, or anywhere: all atoms, whose torsions all turn. */
static enum berth_status check_core_starts(const struct trial *trial, const struct records *begun,
                                           size_t c, struct berth_error *error)
{
    enum { WAYS = 3 };
    size_t in_way[WAYS] = {0};
    for (size_t k = 0; k < POSES; k++) {
        const double first = distance_from(trial, c, 0, record_of(begun, c, k));
        const double second = distance_from(trial, c, 1, record_of(begun, c, k));
        in_way[!(fmin(first, second) < CORE_OFF) ? 2 : second < first]++;
    }
    for (size_t way = 0; way < WAYS; way++) {
        if (in_way[way] != (POSES - way + WAYS - 1) / WAYS) {
            return berth_fail(
                error, BERTH_E_RESULT,
                "of conformer %zu %zu poses begin with the core in one way, %zu in the "
                "other and %zu anywhere",
                c, in_way[0], in_way[1], in_way[2]);
        }
    }
    return BERTH_OK;
}

enum berth_status selftest_core_starts(struct selftest *test, struct berth_error *error)
{
    struct trial trial = {.test = test};
    struct records begun = {0};
    struct berth_mapped_settings settings = berth_mapped_defaults();
    settings.poses = settings.parents = POSES;
    settings.distinct = 0;
    settings.generations = settings.hops = settings.evaluations = 1;
    enum berth_status status = make_trial(&trial, error);
    BERTH_THEN(make_maps(&trial, error));
    BERTH_THEN(make_records(POSES, &begun, error));
    BERTH_THEN(search_maps(&trial, &settings, &begun, error));
    for (size_t c = 0; !status && c < CONFORMERS; c++) {
        status = check_core_starts(&trial, &begun, c, error);
    }
    free(begun.first);
    clear_trial(&trial);
    return status;
}

/* The poses of a conformer lie in the site, the best first, no two of them nearer than distinct
 * (Å); nothing turns that there is not. */
static enum berth_status compare_poses(const struct trial *trial, const struct records *records,
                                       size_t c, double distinct, struct berth_error *error)
{
    const struct selftest_ligand *ligand = &trial->ligands[c % LIGANDS];
    struct berth_heavy_atom room[POSES][16] = {{{{0}, 0, 0}}};
    double last = -INFINITY;
    for (size_t k = 0; k < records->kept && record_of(records, c, k)->evaluations >= 0; k++) {
        const struct berth_device_refined *record = record_of(records, c, k);
        struct berth_heavy_atoms placed = {room[k], ligand->heavy.count};
        place(ligand, record, &placed);
        const struct selftest_map_energy energy =
            selftest_energy_on_maps(&trial->read, ligand, &placed);
        if (!(energy.total >= last - 2 * energy.tolerance)) {
            return berth_fail(error, BERTH_E_RESULT,
                              "pose %zu of conformer %zu has %.4f, the better one before it %.4f",
                              k, c, energy.total, last);
        }
        last = energy.total;
        bool well = is_inside(trial, record);
        for (size_t i = ligand->flexible.tree.count; i < BERTH_TORSIONS; i++) {
            well = well && record->angles[i] == 0;
        }
        for (size_t i = 0; ligand->flexible.held && i < 6; i++) {
            well = well && record->transform[i] == 0;
        }
        for (size_t j = 0; j < k; j++) {
            double sum = 0;
            for (size_t i = 0; i < 3 * placed.count; i++) {
                const double apart =
                    room[k][i / 3].position[i % 3] - room[j][i / 3].position[i % 3];
                sum += apart * apart;
            }
            well = well && sqrt(sum / (double)placed.count) >= distinct - 1e-3;
        }
        if (!well) {
            return berth_fail(
                error, BERTH_E_RESULT,
                "pose %zu of conformer %zu is near a better one, or not in the site, or came off",
                k, c);
        }
    }
    return BERTH_OK;
}

static bool are_equal(const struct records *a, const struct records *b, size_t c, size_t i,
                      size_t j)
{
    return memcmp(record_of(a, c, i)->transform, record_of(b, c, j)->transform,
                  sizeof a->first->transform) == 0;
}

/* Of the poses that generation 1 brought all but the parents' own are near one of the parents:
 * those that generation 0 ended with. */
static enum berth_status compare_children(const struct records *parents,
                                          const struct records *children, struct berth_error *error)
{
    for (size_t c = 0; c < CONFORMERS; c++) {
        size_t astray = 0;
        for (size_t k = 0; k < POSES; k++) {
            const float *at = record_of(children, c, k)->transform + 3;
            bool old = false;
            for (size_t i = 0; i < POSES && !old; i++) {
                const float *parent = record_of(parents, c, i)->transform + 3;
                const bool near = fabsf(at[0] - parent[0]) < CHILD_REACH &&
                                  fabsf(at[1] - parent[1]) < CHILD_REACH &&
                                  fabsf(at[2] - parent[2]) < CHILD_REACH;
                old = are_equal(children, parents, c, k, i) || (i < PARENTS && near);
            }
            astray += !old;
        }
        if (astray > PARENTS) {
            return berth_fail(error, BERTH_E_RESULT,
                              "%zu children of conformer %zu are far from any parent", astray, c);
        }
    }
    return BERTH_OK;
}

/* Poses where they begin, all of them, in order, and their children. */
static enum berth_status check_generations(struct trial *trial, struct records found[2],
                                           struct berth_error *error)
{
    struct berth_mapped_settings settings = berth_mapped_defaults();
    settings.poses = POSES;
    settings.parents = PARENTS;
    settings.fresh = settings.temperature = settings.distinct = 0;
    settings.generations = settings.hops = settings.evaluations = 1;
    enum berth_status status = search_maps(trial, &settings, &found[0], error);
    settings.generations = 2;
    BERTH_THEN(search_maps(trial, &settings, &found[1], error));
    for (size_t n = 0; !status && n < 2 * CONFORMERS; n++) {
        status = compare_poses(trial, &found[n % 2], n / 2, 0, error);
    }
    return status ? status : compare_children(&found[0], &found[1], error);
}

/* Searches in two ways; the best poses of all conformers are to be alike, or not all of them. */
static enum berth_status compare_searches(struct trial *trial,
                                          const struct berth_mapped_settings ways[2], bool alike,
                                          struct records found[2], struct berth_error *error)
{
    enum berth_status status = search_maps(trial, &ways[0], &found[0], error);
    BERTH_THEN(search_maps(trial, &ways[1], &found[1], error));
    size_t same = 0;
    for (size_t c = 0; !status && c < CONFORMERS; c++) {
        status = compare_poses(trial, &found[0], c, (double)ways[0].distinct, error);
        BERTH_THEN(compare_poses(trial, &found[1], c, (double)ways[1].distinct, error));
        same += are_equal(&found[0], &found[1], c, 0, 0);
    }
    if (!status && alike != (same == CONFORMERS)) {
        status = berth_fail(error, BERTH_E_RESULT,
                            alike ? "thinning left out the best of a search"
                                  : "neither temperature nor how a search closes changes a search");
    }
    return status;
}

/* Whole searches: thinning leaves the best of all; temperature and how they close count. */
static enum berth_status check_searches(struct trial *trial, struct records found[2],
                                        struct berth_error *error)
{
    struct berth_mapped_settings ways[2] = {berth_mapped_defaults()};
    ways[0].poses = ways[0].parents = POSES; /* no children, which would differ, too */
    ways[0].generations = 3;
    ways[0].hops = 6;
    ways[0].evaluations = 8;
    ways[0].distinct = ways[0].temperature = 0;
    ways[1] = ways[0];
    ways[1].distinct = 1.5f;
    enum berth_status status = compare_searches(trial, ways, true, found, error);
    if (trial->test->how & SELFTEST_HANGING) {
        return status; /* torsions alone are so few that every search ends at the bottom */
    }
    ways[1] = ways[0];
    ways[1].temperature = 1e6f;
    BERTH_THEN(compare_searches(trial, ways, false, found, error));
    ways[1] = ways[0];
    ways[1].closes = true;
    return status ? status : compare_searches(trial, ways, false, found, error);
}

enum berth_status selftest_map_search(struct selftest *test, struct berth_error *error)
{
    struct trial trial = {.test = test};
    struct records found[2] = {{0}};
    enum berth_status status = make_trial(&trial, error);
    BERTH_THEN(make_maps(&trial, error));
    BERTH_THEN(make_records(POSES, &found[0], error));
    BERTH_THEN(make_records(POSES, &found[1], error));
    BERTH_THEN(check_generations(&trial, found, error));
    BERTH_THEN(check_searches(&trial, found, error));
    free(found[0].first);
    free(found[1].first);
    clear_trial(&trial);
    return status;
}

/* Random poses, some with torsions as in the conformer; the last is none. */
static void draw_poses(struct trial *trial, struct records *records)
{
    struct berth_random *random = &trial->test->random;
    for (size_t n = 0; n < CONFORMERS * records->kept; n++) {
        struct berth_device_refined *record = &records->first[n];
        const struct selftest_ligand *ligand = &trial->ligands[n / records->kept % LIGANDS];
        memset(record, 0, sizeof *record);
        for (int k = 0; k < 6; k++) {
            const double bound = k < 3 ? 3.1 : trial->of->half - 2 * SELFTEST_STEP_FIRST;
            record->transform[k] = (float)berth_random_between(random, -bound, bound);
        }
        for (size_t t = 0; n % 3 && t < ligand->flexible.tree.count; t++) {
            record->angles[t] = (float)berth_random_between(random, -3.1, 3.1);
        }
        record->evaluations = n % records->kept + 1 == records->kept ? -1 : 0;
    }
}

/* The energies of a refined pose are the oracle's, and not above those that it began with. */
static enum berth_status compare_energy(const struct trial *trial, size_t c,
                                        const struct berth_device_refined *before,
                                        const struct berth_device_refined *after,
                                        struct berth_error *error)
{
    const struct selftest_system system = system_of(trial, c);
    struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed = {room, 0};
    place(system.ligand, before, &placed);
    const double first = selftest_total(&system, &placed);
    place(system.ligand, after, &placed);
    const struct berth_flexible_energy energy = selftest_exact_energy(&system, &placed);
    bool right = is_inside(trial, after);
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        right = right && berth_reference_agrees(after->parts[k], energy.parts[k], &energy.terms);
    }
    for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
        right =
            right && berth_reference_agrees(after->terms[k], energy.terms.values[k], &energy.terms);
    }
    const double last = berth_flexible_total(&energy);
    if (!right || (last > first && !berth_reference_agrees(last, first, &energy.terms))) {
        return berth_fail(error, BERTH_E_RESULT,
                          "a pose of conformer %zu went from %.4f to %.4f, out of the site, or has "
                          "other terms or parts",
                          c, first, last);
    }
    return BERTH_OK;
}

static enum berth_status check_refinement(struct selftest *test, const struct extent *extent,
                                          struct berth_error *error)
{
    enum { KEPT = 7 };
    struct trial trial = {.test = test, .of = extent, .large = test->how & SELFTEST_LARGE};
    struct records before = {0}, after = {0};
    struct steps steps = {0};
    struct berth_refine_settings settings = berth_refine_defaults();
    settings.torsions = true;
    settings.poses = KEPT;
    enum berth_status status = make_trial(&trial, error);
    BERTH_THEN(make_records(KEPT, &before, error));
    BERTH_THEN(make_records(KEPT, &after, error));
    for (int whole = 0; !status && whole < 2; whole++) {
        struct berth_refine_settings one = settings;
        one.evaluations = whole ? 40 : 2;
        one.hops = whole;
        one.width = whole ? settings.width : 1e-6f; /* kinks as narrow as the oracle has them */
        draw_poses(&trial, &before);
        memcpy(after.first, before.first, CONFORMERS * KEPT * sizeof *before.first);
        status = refine(&trial, &one, &after, error);
        if (!status && !whole) {
            note_steps(&trial, &before, &after, &steps, error);
            status = judge_steps(&steps, error);
        }
        for (size_t n = 0; !status && whole && n < CONFORMERS * KEPT; n++) {
            if (before.first[n].evaluations < 0) {
                status = memcmp(&before.first[n], &after.first[n], sizeof *before.first) == 0
                             ? BERTH_OK
                             : berth_fail(error, BERTH_E_RESULT, "a pose that is none was refined");
            } else {
                status = compare_energy(&trial, n / KEPT, &before.first[n], &after.first[n], error);
            }
        }
    }
    free(before.first);
    free(after.first);
    clear_trial(&trial);
    return status;
}

enum berth_status selftest_refinement(struct selftest *test, struct berth_error *error)
{
    enum berth_status status = check_refinement(test, &USUAL, error);
    BERTH_THEN(test->how & SELFTEST_WIDE && !test->setup->small
                   ? check_refinement(test, &WIDE, error)
                   : BERTH_OK);
    return status;
}

/* Where protein-protein docking begins: energies on maps, by the nearest points. */
enum berth_status selftest_starts(struct selftest *test, struct berth_error *error)
{
    enum { STARTS = 101 };
    static const struct berth_ray RAY = {{0}, {0, 0, 1}};
    struct trial trial = {.test = test};
    float planes[6 * STARTS], energies[STARTS];
    struct berth_starts *starts = NULL;
    enum berth_status status = make_trial(&trial, error);
    BERTH_THEN(make_maps(&trial, error));
    const struct selftest_ligand *ligand = &trial.ligands[LIGANDS - 1];
    const struct berth_starts_setup setup = {.maps = trial.maps,
                                             .atoms = ligand->packed.atoms,
                                             .atom_count = ligand->heavy.count,
                                             .rays = &RAY,
                                             .ray_count = 1,
                                             .steps = 1,
                                             .step = 1,
                                             .rotations = 1,
                                             .poses = STARTS};
    BERTH_THEN(berth_starts_create(trial.evaluator, &setup, &starts, error));
    selftest_poses(test, 1, STARTS, trial.of->reach, planes);
    BERTH_THEN(berth_starts_score(starts, planes, STARTS, energies, error));
    for (size_t i = 0; !status && i < STARTS; i++) {
        const float *at = planes + i;
        const struct berth_transform pose = {at[0],          at[STARTS],     at[2 * STARTS],
                                             at[3 * STARTS], at[4 * STARTS], at[5 * STARTS]};
        const double centre[3] = {pose.x, pose.y, pose.z};
        double rotation[9];
        berth_rotation_of(&pose, rotation);
        const double expected = selftest_start_energy(&trial.read, ligand, rotation, centre);
        if (!isnan(expected) && !(fabs((double)energies[i] - expected) < 0.01)) {
            status = berth_fail(error, BERTH_E_RESULT, "start %zu has energy %.4f, not %.4f", i,
                                (double)energies[i], expected);
        }
    }
    berth_starts_destroy(starts);
    clear_trial(&trial);
    return status;
}

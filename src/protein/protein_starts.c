#include "protein/protein_starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "chem/geometry.h"

/* Starts of one launch, so that what is asked in between is asked often enough. */
enum { LAUNCH = 1 << 18 };

/* What rotations and rays came to so far: a start is known by their numbers. */
struct candidate {
    float energy, distance;
    uint32_t rotation, ray;
};

struct gathering {
    const struct berth_protein_approach *approach;
    struct candidate *candidates; /* owned; [2 kept] */
    size_t count, kept, rotations;
    float worst; /* what is not below it is none of the best */
};

enum berth_status berth_protein_rays(const struct berth_spheres *receptor, double distance,
                                     double spacing, const double center[3],
                                     struct berth_ray **rays, size_t *count,
                                     struct berth_error *error)
{
    struct berth_surface_points points;
    *rays = NULL;
    *count = 0;
    BERTH_TRY(berth_surface_points(receptor, distance, spacing, &points, error));
    enum berth_status status =
        points.count ? berth_make(rays, points.count, sizeof **rays, NULL, error)
                     : berth_fail(error, BERTH_E_FORMAT, "no atom of the receptor has a surface");
    for (size_t i = 0; !status && i < points.count; i++) {
        const struct berth_surface_point *point = &points.points[i];
        const double *origin = receptor->centers[point->atom];
        struct berth_ray *ray = &(*rays)[(*count)++];
        for (int k = 0; k < 3; k++) {
            ray->origin[k] = (float)(origin[k] - center[k]);
            ray->direction[k] = (float)point->normal[k];
        }
    }
    berth_surface_points_clear(&points);
    return status;
}

/* By energy, and where that is equal by number, so that the order is always the same. */
static int by_energy(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->energy != b->energy) {
        return a->energy < b->energy ? -1 : 1;
    }
    if (a->rotation != b->rotation) {
        return a->rotation < b->rotation ? -1 : 1;
    }
    return a->ray < b->ray ? -1 : a->ray > b->ray;
}

static void keep_best(struct gathering *gathering)
{
    qsort(gathering->candidates, gathering->count, sizeof *gathering->candidates, by_energy);
    if (gathering->count >= gathering->kept) {
        gathering->count = gathering->kept;
        gathering->worst = gathering->candidates[gathering->kept - 1].energy;
    }
}

static void gather(struct gathering *gathering, const struct berth_starts_found *found,
                   size_t first, size_t rotations)
{
    const size_t rays = gathering->approach->setup.ray_count;
    for (size_t i = 0; i < rotations * rays; i++) {
        if (found->energies[i] < gathering->worst) {
            gathering->candidates[gathering->count++] =
                (struct candidate){found->energies[i], found->distances[i],
                                   (uint32_t)(first + i / rays), (uint32_t)(i % rays)};
            if (gathering->count == 2 * gathering->kept) {
                keep_best(gathering);
            }
        }
    }
}

static struct berth_transform rotated(size_t i, size_t count)
{
    double quaternion[4], angles[3];
    berth_rotation_at(i, count, quaternion);
    berth_rotation_angles(quaternion, angles);
    return (struct berth_transform){
        .a = (float)angles[0], .b = (float)angles[1], .c = (float)angles[2]};
}

static enum berth_status try_rotations(struct gathering *gathering, struct berth_starts *starts,
                                       float (*matrices)[9], size_t at_a_time,
                                       struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t first = 0; !status && first < gathering->rotations; first += at_a_time) {
        const size_t left = gathering->rotations - first;
        const size_t count = left < at_a_time ? left : at_a_time;
        for (size_t i = 0; i < count; i++) {
            const struct berth_transform transform = rotated(first + i, gathering->rotations);
            double matrix[9];
            berth_rotation_of(&transform, matrix);
            for (int k = 0; k < 9; k++) {
                matrices[i][k] = (float)matrix[k];
            }
        }
        struct berth_starts_found found;
        status = berth_starts_run(starts, (const float(*)[9])matrices, count, &found, error);
        if (!status) {
            gather(gathering, &found, first, count);
            status = berth_check_stop(gathering->approach->stop, error);
        }
    }
    keep_best(gathering);
    return status;
}

size_t berth_protein_distinct(struct berth_protein_start *starts, size_t count,
                              const double gyration[6], double distinct, size_t wanted)
{
    size_t kept = 0;
    for (size_t i = 0; i < count && kept < wanted; i++) {
        bool is_distinct = true;
        for (size_t k = 0; is_distinct && k < kept; k++) {
            const struct berth_transform *a = &starts[i].transform, *b = &starts[k].transform;
            const double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y;
            const double z = (double)a->z - (double)b->z;
            is_distinct = x * x + y * y + z * z >= distinct * distinct ||
                          berth_rigid_rmsd(gyration, a, b) >= distinct;
        }
        if (is_distinct) {
            starts[kept++] = starts[i];
        }
    }
    return kept;
}

static int by_start(const void *left, const void *right)
{
    const struct berth_protein_start *a = left, *b = right;
    if (a->energy != b->energy) {
        return a->energy < b->energy ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

void berth_protein_sort(struct berth_protein_start *starts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        starts[i].number = i;
    }
    if (count) { /* else starts may be NULL */
        qsort(starts, count, sizeof *starts, by_start);
    }
}

/* The candidates as poses. */
static enum berth_status make_starts(const struct gathering *gathering,
                                     struct berth_protein_starts *starts, struct berth_error *error)
{
    BERTH_TRY(berth_make(&starts->starts, gathering->count, sizeof *starts->starts, NULL, error));
    for (size_t i = 0; i < gathering->count; i++) {
        const struct candidate *candidate = &gathering->candidates[i];
        const struct berth_ray *ray = &gathering->approach->setup.rays[candidate->ray];
        struct berth_transform transform = rotated(candidate->rotation, gathering->rotations);
        transform.x = ray->origin[0] + candidate->distance * ray->direction[0];
        transform.y = ray->origin[1] + candidate->distance * ray->direction[1];
        transform.z = ray->origin[2] + candidate->distance * ray->direction[2];
        starts->starts[i] =
            (struct berth_protein_start){.energy = candidate->energy, .transform = transform};
    }
    return BERTH_OK;
}

#define PI 3.14159265358979323846

/* Steps of the first and the last generation: Å along each axis and degrees about it, at most. */
#define SHIFT_FIRST 4.0
#define SHIFT_LAST  0.4
#define TURN_FIRST  15.0
#define TURN_LAST   1.5

enum { GENERATIONS = 12, CHILDREN = 32, PARENTS = BERTH_PROTEIN_POSES / CHILDREN };

/* The parents that are worked on, and their children. */
struct climb {
    struct berth_starts *device; /* borrowed */
    struct berth_protein_start *parents;
    size_t count;
    float *planes;      /* owned; [6][count CHILDREN] */
    float *energies;    /* owned; [count CHILDREN] */
    double shift, turn; /* Å, rad: of this generation */
};

static double uniform(uint64_t *random, double most)
{
    return most * (2 * berth_random_uniform(random) - 1);
}

static struct berth_transform make_child(const struct berth_transform *parent,
                                         const struct climb *climb, uint64_t *random)
{
    double own[4], step[4] = {0, 0, 0, 1}, product[4],
                   angles[3] = {parent->a, parent->b, parent->c};
    for (int k = 0; k < 3; k++) {
        step[k] = uniform(random, climb->turn / 2);
    }
    const double length = sqrt(1 + step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    for (int k = 0; k < 4; k++) {
        step[k] /= length;
    }
    berth_rotation_of_angles(angles, own);
    berth_rotation_product(step, own, product);
    berth_rotation_angles(product, angles);
    return (struct berth_transform){(float)angles[0],
                                    (float)angles[1],
                                    (float)angles[2],
                                    parent->x + (float)uniform(random, climb->shift),
                                    parent->y + (float)uniform(random, climb->shift),
                                    parent->z + (float)uniform(random, climb->shift)};
}

static void make_children(struct climb *climb, uint64_t seed)
{
    const size_t count = climb->count * CHILDREN;
    for (size_t i = 0; i < count; i++) {
        uint64_t random = seed + i;
        random = berth_random_bits(&random);
        const struct berth_transform child =
            make_child(&climb->parents[i / CHILDREN].transform, climb, &random);
        const float values[6] = {child.a, child.b, child.c, child.x, child.y, child.z};
        for (size_t k = 0; k < 6; k++) {
            climb->planes[k * count + i] = values[k];
        }
    }
}

static void take_better(struct climb *climb)
{
    const size_t count = climb->count * CHILDREN;
    for (size_t i = 0; i < count; i++) {
        struct berth_protein_start *parent = &climb->parents[i / CHILDREN];
        if (climb->energies[i] < parent->energy) {
            const float *at = climb->planes + i;
            parent->energy = climb->energies[i];
            parent->transform = (struct berth_transform){
                at[0], at[count], at[2 * count], at[3 * count], at[4 * count], at[5 * count]};
        }
    }
}

/* All generations of some parents, of which the first is number `first`. */
static enum berth_status climb_some(struct climb *climb, uint64_t seed, size_t first,
                                    struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t g = 0; !status && g < GENERATIONS; g++) {
        const double part = (double)g / (GENERATIONS - 1);
        climb->shift = SHIFT_FIRST * pow(SHIFT_LAST / SHIFT_FIRST, part);
        climb->turn = TURN_FIRST * pow(TURN_LAST / TURN_FIRST, part) * PI / 180;
        make_children(climb, seed + ((uint64_t)g << 40) + first * CHILDREN);
        status = berth_starts_score(climb->device, climb->planes, climb->count * CHILDREN,
                                    climb->energies, error);
        if (!status) {
            take_better(climb);
        }
    }
    return status;
}

/* Moves each of count starts on the maps to lower energies, by random steps that grow smaller: of a
 * generation's children the best takes the place of its parent where it is better.  Every start is
 * a population of its own, so that none is lost to another.  The same seed gives the same. */
static enum berth_status climb_all(struct berth_starts *device, unsigned long long seed,
                                   const atomic_bool *stop, struct berth_protein_start *starts,
                                   size_t count, struct berth_error *error)
{
    struct climb climb = {.device = device,
                          .planes = berth_alloc(6 * BERTH_PROTEIN_POSES, sizeof *climb.planes),
                          .energies = berth_alloc(BERTH_PROTEIN_POSES, sizeof *climb.energies)};
    enum berth_status status =
        climb.planes && climb.energies ? BERTH_OK : berth_out_of_memory(error, NULL);
    uint64_t state = seed;
    const uint64_t key = berth_random_bits(&state);
    for (size_t first = 0; !status && first < count; first += PARENTS) {
        climb.parents = starts + first;
        climb.count = count - first < PARENTS ? count - first : PARENTS;
        status = climb_some(&climb, key, first, error);
        BERTH_THEN(berth_check_stop(stop, error));
    }
    free(climb.planes);
    free(climb.energies);
    return status;
}

/* From candidates to the best of what they climb to. */
static enum berth_status choose(struct gathering *gathering, struct berth_starts *device,
                                struct berth_protein_starts *starts, struct berth_error *error)
{
    const struct berth_protein_approach *approach = gathering->approach;
    BERTH_TRY(make_starts(gathering, starts, error));
    starts->climbing = berth_protein_distinct(starts->starts, gathering->count, approach->gyration,
                                              approach->distinct, approach->climbing);
    BERTH_TRY(
        climb_all(device, approach->seed, approach->stop, starts->starts, starts->climbing, error));
    berth_protein_sort(starts->starts, starts->climbing);
    starts->count = berth_protein_distinct(starts->starts, starts->climbing, approach->gyration,
                                           approach->distinct / 2, approach->wanted);
    return BERTH_OK;
}

enum berth_status berth_protein_starts_find(const struct berth_protein_approach *approach,
                                            struct berth_protein_starts *starts,
                                            struct berth_error *error)
{
    struct gathering gathering = {.approach = approach,
                                  .kept = approach->kept,
                                  .rotations = berth_rotations_count(approach->rotation_spacing)};
    *starts = (struct berth_protein_starts){.rotations = gathering.rotations,
                                            .places = approach->setup.ray_count};
    struct berth_starts_setup setup = approach->setup;
    const size_t at_a_time = 1 + LAUNCH / setup.ray_count;
    setup.rotations = at_a_time < gathering.rotations ? at_a_time : gathering.rotations;
    setup.poses = BERTH_PROTEIN_POSES;
    struct berth_starts *device = NULL;
    float(*matrices)[9] = berth_alloc(setup.rotations, sizeof *matrices);
    gathering.candidates = berth_alloc(2 * approach->kept, sizeof *gathering.candidates);
    enum berth_status status =
        matrices && gathering.candidates
            ? berth_starts_create(approach->evaluator, &setup, &device, error)
            : berth_out_of_memory(error, NULL);
    BERTH_THEN(try_rotations(&gathering, device, matrices, setup.rotations, error));
    BERTH_THEN(choose(&gathering, device, starts, error));
    berth_starts_destroy(device);
    free(matrices);
    free(gathering.candidates);
    return status;
}

/* Evolution on maps: every start is a population of its own, so that none is lost to another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "chem/geometry.h"
#include "dock/protein/starts.h"

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
            *parent = (struct berth_protein_start){
                climb->energies[i],
                {at[0], at[count], at[2 * count], at[3 * count], at[4 * count], at[5 * count]}};
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

enum berth_status berth_protein_climb(struct berth_starts *device, unsigned long long seed,
                                      enum berth_status (*check)(struct berth_error *error),
                                      struct berth_protein_start *starts, size_t count,
                                      struct berth_error *error)
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
        if (!status && check) {
            status = check(error);
        }
    }
    free(climb.planes);
    free(climb.energies);
    return status;
}

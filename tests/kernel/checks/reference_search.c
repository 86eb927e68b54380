#include "reference_search.h"

#include <math.h>
#include <string.h>

#include "chem/geometry.h"
#include "chem/vectors.h"

static const double PI = 3.14159265358979323846;

void berth_reference_draw(const struct berth_device_search *search,
                          const struct berth_device_conformer *conformer, int generation, int pose,
                          int draw, double units[4])
{
    const uint32_t counter[4] = {(uint32_t)pose,
                                 (uint32_t)(generation * BERTH_DRAWS_PER_GENERATION + draw),
                                 conformer->number, conformer->ligand};
    const uint32_t key[2] = {search->seed_low, search->seed_high};
    uint32_t words[4];
    berth_reference_philox(counter, key, words);
    for (int k = 0; k < 4; k++) {
        units[k] = (words[k] >> 8) / 16777216.0;
    }
}

static void direction_of(double u, double v, double direction[3])
{
    const double z = 2 * u - 1, radius = sqrt(fmax(1 - z * z, 0));
    direction[0] = radius * cos(2 * PI * v);
    direction[1] = radius * sin(2 * PI * v);
    direction[2] = z;
}

struct berth_reference_pose
berth_reference_generation_zero(const struct berth_device_search *search,
                                const struct berth_device_conformer *conformer, int pose)
{
    double u[4], v[4];
    berth_reference_draw(search, conformer, 0, pose, 0, u);
    berth_reference_draw(search, conformer, 0, pose, 1, v);
    const double s = sqrt(1 - u[0]), t = sqrt(u[0]);
    const double q[4] = {s * sin(2 * PI * u[1]), s * cos(2 * PI * u[1]), t * sin(2 * PI * u[2]),
                         t * cos(2 * PI * u[2])};
    const double half[3] = {search->half_x, search->half_y, search->half_z};
    struct berth_reference_pose made;
    berth_rotation_matrix(q, made.rotation);
    /* The pose's point of Morton's curve: bit 3 i + k of it is bit i of the cell's number along k.
     */
    const uint64_t along = ((uint64_t)pose << 32) + ((uint64_t)(u[3] * 16777216) << 8);
    const uint64_t point = along / (uint64_t)search->poses >> 2;
    for (int k = 0; k < 3; k++) {
        int cell = 0;
        for (int i = 0; i < 10; i++) {
            cell |= (int)(point >> (3 * i + k) & 1) << i;
        }
        made.shift[k] = (2 * (cell + v[k]) / 1024 - 1) * half[k];
    }
    return made;
}

/* floor(count (pose / poses)²), exactly. */
static int rank_of(int pose, int poses, int count)
{
    int rank = 0;
    while ((uint64_t)(rank + 1) * (uint64_t)poses * (uint64_t)poses <=
           (uint64_t)count * (uint64_t)pose * (uint64_t)pose) {
        rank++;
    }
    return rank;
}

int berth_reference_parent(const struct berth_device_search *search, int pose, int count,
                           bool *first)
{
    const int granule = search->granule;
    const int rank = rank_of(pose / granule * granule, search->poses, count);
    *first = pose == 0 || rank_of((pose - 1) / granule * granule, search->poses, count) != rank;
    return rank;
}

static double reflect(double x, double half)
{
    if (x > half) {
        x = 2 * half - x;
    }
    if (x < -half) {
        x = -2 * half - x;
    }
    return fmin(fmax(x, -half), half);
}

/* product = turn of `angle` about `axis`, after rotation. */
static void turn_by(const double axis[3], double angle, const double rotation[9], double product[9])
{
    const double q[4] = {sin(angle / 2) * axis[0], sin(angle / 2) * axis[1],
                         sin(angle / 2) * axis[2], cos(angle / 2)};
    double turn[9];
    berth_rotation_matrix(q, turn);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double column[3] = {rotation[j], rotation[3 + j], rotation[6 + j]};
            product[3 * i + j] = berth_dot(turn + 3 * i, column);
        }
    }
}

struct berth_reference_pose berth_reference_child(const struct berth_reference_birth *birth,
                                                  int pose)
{
    const struct berth_device_search *search = birth->search;
    const size_t stride = (size_t)search->parents;
    bool first;
    const int parent = berth_reference_parent(search, pose, birth->count, &first);
    double u[4], v[4], w[4];
    berth_reference_draw(search, birth->conformer, birth->generation, pose, 1, u);
    berth_reference_draw(search, birth->conformer, birth->generation, pose, 2, v);
    berth_reference_draw(search, birth->conformer, birth->generation,
                         pose / search->granule * search->granule, 3, w);
    const struct berth_reference_pose start =
        berth_reference_pose_at(birth->parents, stride, (size_t)parent);
    struct berth_reference_pose child = start;
    if (w[0] < search->exchange) {
        const size_t other =
            (size_t)fmin(floor((float)w[1] * (float)birth->count), birth->count - 1);
        const struct berth_reference_pose giver =
            berth_reference_pose_at(birth->parents, stride, other);
        memcpy(child.shift, giver.shift, sizeof child.shift);
    }
    double direction[3], axis[3];
    direction_of(u[0], u[1], direction);
    direction_of(v[0], v[1], axis);
    const double angle = fmin(birth->turn * pow(2, 2 * v[2] - 1), PI) * cbrt(v[3]);
    turn_by(axis, angle, start.rotation, child.rotation);
    const double half[3] = {search->half_x, search->half_y, search->half_z};
    for (int k = 0; k < 3; k++) {
        const double moved =
            child.shift[k] + birth->shift * pow(2, 2 * u[2] - 1) * cbrt(u[3]) * direction[k];
        child.shift[k] = reflect(moved, half[k]);
    }
    return child;
}

double berth_reference_distance(const struct berth_reference_pose *a,
                                const struct berth_reference_pose *b)
{
    double largest = 0;
    for (int k = 0; k < 9; k++) {
        largest = fmax(largest, fabs(a->rotation[k] - b->rotation[k]));
    }
    for (int k = 0; k < 3; k++) {
        largest = fmax(largest, fabs(a->shift[k] - b->shift[k]));
    }
    return largest;
}

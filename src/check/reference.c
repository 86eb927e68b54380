#include "check/reference.h"

#include <math.h>
#include <string.h>

#include "chem/geometry.h"
#include "chem/vectors.h"

static const double PI = 3.14159265358979323846;

void berth_reference_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t words[4])
{
    uint32_t c[4], k0 = key[0], k1 = key[1];
    memcpy(c, counter, sizeof c);
    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = (uint64_t)0xD2511F53u * c[0], p1 = (uint64_t)0xCD9E8D57u * c[2];
        const uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1,
                                  (uint32_t)(p0 >> 32) ^ c[3] ^ k1, (uint32_t)p0};
        memcpy(c, next, sizeof c);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    memcpy(words, c, sizeof c);
}

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

struct berth_reference_pose berth_reference_pose_at(const float *planes, size_t stride,
                                                    size_t index)
{
    const float *at = planes + index;
    const struct berth_transform transform = {at[0],          at[stride],     at[2 * stride],
                                              at[3 * stride], at[4 * stride], at[5 * stride]};
    struct berth_reference_pose pose;
    berth_rotation_of(&transform, pose.rotation);
    pose.shift[0] = transform.x;
    pose.shift[1] = transform.y;
    pose.shift[2] = transform.z;
    return pose;
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

struct berth_terms berth_reference_terms(const struct berth_target *target,
                                         const struct berth_packed_conformer *packed,
                                         const struct berth_reference_pose *pose)
{
    struct berth_terms sum = {{0}};
    for (int i = 0; i < packed->device.atom_count; i++) {
        const struct berth_device_atom *atom = &packed->atoms[i];
        const double from[3] = {atom->x, atom->y, atom->z};
        struct berth_heavy_atom at = {.type = atom->type};
        const struct berth_heavy_atoms placed = {&at, 1};
        for (int k = 0; k < 3; k++) {
            at.position[k] = pose->shift[k] + target->site.center[k];
            for (int j = 0; j < 3; j++) {
                at.position[k] += pose->rotation[3 * k + j] * from[j];
            }
        }
        const struct berth_terms terms =
            berth_score_ref(target->scoring, target->receptor, &placed);
        for (size_t t = 0; t < BERTH_TERMS_MAX; t++) {
            sum.values[t] += terms.values[t];
        }
    }
    return sum;
}

bool berth_reference_agrees(double found, double expected, const struct berth_terms *terms)
{
    double largest = fabs(expected);
    for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
        largest = fmax(largest, fabs(terms->values[k]));
    }
    return fabs(found - expected) <= 0.01 + 1e-4 * largest;
}

struct berth_terms berth_reference_doubt(const struct berth_target *target,
                                         const struct berth_packed_conformer *packed,
                                         const struct berth_reference_pose *pose,
                                         const struct berth_terms *terms)
{
    static const double NEAR = 1e-4; /* Å */
    struct berth_terms doubt = {{0}};
    for (int side = 0; side < 6; side++) {
        struct berth_reference_pose beside = *pose;
        beside.shift[side / 2] += side % 2 ? NEAR : -NEAR;
        const struct berth_terms there = berth_reference_terms(target, packed, &beside);
        for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
            doubt.values[k] = fmax(doubt.values[k], fabs(there.values[k] - terms->values[k]));
        }
    }
    return doubt;
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

double berth_reference_mean_square(const struct berth_device_conformer *conformer,
                                   const struct berth_reference_pose *a,
                                   const struct berth_reference_pose *b)
{
    /* G = <x xᵀ> back from the inertia tr(G) 1 - G, whose trace is 2 tr(G). */
    const float *inertia = conformer->inertia;
    const double trace = ((double)inertia[0] + inertia[1] + inertia[2]) / 2;
    const double g[9] = {trace - inertia[0], -inertia[3],        -inertia[4],
                         -inertia[3],        trace - inertia[1], -inertia[5],
                         -inertia[4],        -inertia[5],        trace - inertia[2]};
    /* <|D x|²> = sum over the rows d of D = A - B of dᵀ G d. */
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) {
            d[k] = a->rotation[3 * i + k] - b->rotation[3 * i + k];
        }
        for (int j = 0; j < 9; j++) {
            sum += d[j / 3] * g[j] * d[j % 3];
        }
        sum += (a->shift[i] - b->shift[i]) * (a->shift[i] - b->shift[i]);
    }
    return sum;
}

static uint64_t random_word(struct berth_random *random)
{
    const uint32_t counter[4] = {(uint32_t)random->next, (uint32_t)(random->next >> 32), 0, 0};
    const uint32_t key[2] = {(uint32_t)random->seed, (uint32_t)(random->seed >> 32)};
    uint32_t words[4];
    berth_reference_philox(counter, key, words);
    random->next++;
    return (uint64_t)words[0] << 32 | words[1];
}

double berth_random_between(struct berth_random *random, double low, double high)
{
    return low + (high - low) * ((double)(random_word(random) >> 11) / 9007199254740992.0);
}

size_t berth_random_below(struct berth_random *random, size_t count)
{
    return (size_t)(random_word(random) % count);
}

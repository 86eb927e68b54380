#include "check/reference.h"

#include <math.h>
#include <string.h>

#include "chem/geometry.h"

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

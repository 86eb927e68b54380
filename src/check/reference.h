/* Double-precision references of what devices compute, for checking them.  Written from the
 * definitions (Philox's paper), not from the kernels' code.  Slow on purpose. */
#ifndef BERTH_CHECK_REFERENCE_H
#define BERTH_CHECK_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/pack.h"
#include "score/score_ref.h"
#include "shared.h"

/* Philox4x32-10: words = philox(counter, key). */
void berth_reference_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t words[4]);

/* A pose as a rotation matrix (by rows) and a translation (Å). */
struct berth_reference_pose {
    double rotation[9], shift[3];
};

/* The pose of six numbers: Euler angles (rad) and translation, `stride` floats apart. */
struct berth_reference_pose berth_reference_pose_at(const float *planes, size_t stride,
                                                    size_t index);

/* Mean square distance (Å²) of two poses from the conformer's inertia. */
double berth_reference_mean_square(const struct berth_device_conformer *conformer,
                                   const struct berth_reference_pose *a,
                                   const struct berth_reference_pose *b);

/* The oracle's terms of a packed conformer in a pose. */
struct berth_terms berth_reference_terms(const struct berth_target *target,
                                         const struct berth_packed_conformer *packed,
                                         const struct berth_reference_pose *pose);

/* True where an energy or term in single precision is as near to the oracle's as that can be asked
 * to be: 0.01, or a ten-thousandth of the largest of the energy's terms, or of itself, where atoms
 * overlap (there the expanded square of a tiny distance loses digits). */
bool berth_reference_agrees(double found, double expected, const struct berth_terms *terms);

/* What single precision may make of each of these terms beside what berth_reference_agrees grants:
 * by how much it changes within 1e-4 Å of the pose.  The expanded square of a distance is that good
 * at worst, which tells where atoms overlap in a function that is steep there, or has a step. */
struct berth_terms berth_reference_doubt(const struct berth_target *target,
                                         const struct berth_packed_conformer *packed,
                                         const struct berth_reference_pose *pose,
                                         const struct berth_terms *terms);

/* A pseudo-random stream for tests: Philox keyed by seed, counted up. */
struct berth_random {
    uint64_t seed, next;
};

/* Uniform in [low, high). */
double berth_random_between(struct berth_random *random, double low, double high);

/* Uniform in 0 .. count - 1. */
size_t berth_random_below(struct berth_random *random, size_t count);

#endif

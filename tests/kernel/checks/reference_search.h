/* Double-precision references of the rigid search's kernels: written from the formulas in the
 * comments of kernels/search.cl, not from their code.  Slow on purpose. */
#ifndef TESTS_KERNEL_CHECKS_REFERENCE_SEARCH_H
#define TESTS_KERNEL_CHECKS_REFERENCE_SEARCH_H

#include "check/reference.h"

/* Four numbers in [0, 1): draw `draw` of a pose in a generation. */
void berth_reference_draw(const struct berth_device_search *search,
                          const struct berth_device_conformer *conformer, int generation, int pose,
                          int draw, double units[4]);

/* Pose number `pose` of generation zero. */
struct berth_reference_pose
berth_reference_generation_zero(const struct berth_device_search *search,
                                const struct berth_device_conformer *conformer, int pose);

/* Rank of the parent whose family a pose is in; *first: it is the family's first. */
int berth_reference_parent(const struct berth_device_search *search, int pose, int count,
                           bool *first);

/* What a child is made from. */
struct berth_reference_birth {
    const struct berth_device_search *search;
    const struct berth_device_conformer *conformer;
    const float *parents; /* [6][search->parents]: transforms */
    int count;            /* parents that there are */
    int generation;
    double shift, turn; /* Å, rad */
};

/* Pose number `pose` of the next generation, where it is a child. */
struct berth_reference_pose berth_reference_child(const struct berth_reference_birth *birth,
                                                  int pose);

/* Largest difference of any element of two poses (rotation elements, Å). */
double berth_reference_distance(const struct berth_reference_pose *a,
                                const struct berth_reference_pose *b);

#endif

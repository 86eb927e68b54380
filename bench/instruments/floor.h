/* The floor: the least time that a device's measured ceilings allow for the energy's interactions.
 *
 * An interaction (one receptor atom × one ligand atom × one pose) is taken for this many operations
 * of each lane, of which this many need a multiplier:
 *
 *                                                          operations  multipliers
 *   squared distance, expanded |L|² + |P|² - 2 L·P                  4            3
 *   root, by an instruction of its own                              1            0
 *     or x86's estimate with a Newton step                          4            3
 *   the parts of the scoring function that the pair has: counted in the code that is made for them
 *     (struct berth_score_cost), a multiply-add being one operation
 *
 * Pairs of types have the same code where they have the same parts: a class.  With the means over
 * all pairs of atoms,
 *
 *   floor = least over the device's ways to a root of
 *           max(multipliers / multiply-add rate, operations / operation rate, roots / root rate)
 *
 * in seconds an interaction; exponentials, logarithms and divisions count as roots where a device
 * has instructions for them.  Loads, loop counters and placing the ligand are left out, so no
 * kernel that computes all interactions in this form gets below it. */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdbool.h>

#include "ceiling.h"
#include "score/language/program.h"
#include "score/scoring.h"

enum { BERTH_CLASSES_MAX = BERTH_BODIES_MAX, BERTH_CLASS_NAME = 200 };

/* What an interaction takes, the distance apart: operations (a multiply-add is one), those of them
 * that need a multiplier, and special functions, which a GPU has beside them. */
struct berth_score_cost {
    double operations, multipliers, functions;
};

/* Pairs of atoms (interactions of one pose) in each class. */
struct berth_work {
    size_t count;                                    /* of classes */
    unsigned parts[BERTH_CLASSES_MAX];               /* ascending; what makes a class */
    char names[BERTH_CLASSES_MAX][BERTH_CLASS_NAME]; /* "steric+desolvation" */
    double pairs[BERTH_CLASSES_MAX];
    struct berth_score_cost costs[BERTH_CLASSES_MAX][2]; /* [1]: the device clamps for nothing */
};

/* Counts the pairs of receptor and ligand, both typed by scoring. */
void berth_work_count(const struct berth_scoring *scoring, const struct berth_heavy_atoms *receptor,
                      const struct berth_heavy_atoms *ligand, struct berth_work *work);

struct berth_floor {
    double interactions_per_s;      /* at the floor */
    double operations, multipliers; /* of an interaction, the mean */
    int way;                        /* to a square root: see BERTH_ROOT_WAYS */
    const char *bound;              /* "multiply-adds", "operations" or "square roots" */
};

/* The floor of this work with one way to a root, as BERTH_SQRT in kernels/variant.cl numbers them;
 * saturates: the device clamps to 0 .. 1 for nothing. */
struct berth_floor berth_floor_by(const struct berth_work *work,
                                  const struct berth_ceiling *ceiling, bool saturates, int way);

/* The floor with the best way. */
struct berth_floor berth_floor_of(const struct berth_work *work,
                                  const struct berth_ceiling *ceiling, bool saturates);

#endif

/* What an energy is the sum of: a scoring function's terms, what each adds and is called, and the
 * parts beside them. */
#ifndef BERTH_SCORE_TERMS_H
#define BERTH_SCORE_TERMS_H

#include <stddef.h>

#include "shared.h"

enum { BERTH_TERMS_MAX = 8, BERTH_TERM_NAME_SIZE = 24, BERTH_UNIT_SIZE = 16 };

/* In the order of the scoring function's terms, in its unit; those that it has not are 0. */
struct berth_terms {
    double values[BERTH_TERMS_MAX];
};

struct berth_term_names {
    size_t count; /* 1 .. BERTH_TERMS_MAX */
    char names[BERTH_TERMS_MAX][BERTH_TERM_NAME_SIZE];
};

/* The energy: the sum, first term first. */
double berth_terms_sum(const struct berth_terms *terms);

/* What a scoring function's total calls the parts (BERTH_POSE_PARTS). */
extern const char *const BERTH_PART_NAMES[BERTH_PART_COUNT];

#endif

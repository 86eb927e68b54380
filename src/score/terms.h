/* The terms that an energy is the sum of: what each adds, and what they are called. */
#ifndef BERTH_SCORE_TERMS_H
#define BERTH_SCORE_TERMS_H

#include <stddef.h>

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

#endif

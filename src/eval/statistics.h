/* The rate behind a count of successes; numbers in order. */
#ifndef BERTH_EVAL_STATISTICS_H
#define BERTH_EVAL_STATISTICS_H

#include <stddef.h>

/* A share, 0 to 1, with the bounds of its confidence interval. */
struct berth_share {
    double value, low, high;
};

/* The share of successes in trials with Wilson's 95 % interval (E. B. Wilson, J. Am. Stat. Assoc.
 * 22 (1927) 209), which holds for few trials and for shares of 0 and 1 too.  Without trials nothing
 * is known: 0, between 0 and 1. */
struct berth_share berth_share_of(size_t successes, size_t trials);

/* For qsort: numbers (double), ascending. */
int berth_compare_numbers(const void *a, const void *b);

#endif

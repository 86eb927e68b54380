/* What samples say: the rate behind a count of successes, the mean behind some numbers; numbers in
 * order. */
#ifndef BERTH_EVAL_STATISTICS_H
#define BERTH_EVAL_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A share, 0 to 1, with the bounds of its confidence interval. */
struct berth_share {
    double value, low, high;
};

/* The share of successes in trials with Wilson's 95 % interval (E. B. Wilson, J. Am. Stat. Assoc.
 * 22 (1927) 209), which holds for few trials and for shares of 0 and 1 too.  Without trials nothing
 * is known: 0, between 0 and 1. */
struct berth_share berth_share_of(size_t successes, size_t trials);

/* A value, and the bounds of its 95 % confidence interval. */
struct berth_estimate {
    double value, low, high;
};

/* The mean of numbers, by percentiles of as many resamples; decided by the seed.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_mean_of(const double *values, size_t count, size_t resamples, uint64_t seed,
                                struct berth_estimate *mean, struct berth_error *error);

/* Of ascending values, interpolated; share: 0 .. 1. */
double berth_percentile(const double *values, size_t count, double share);

/* For qsort: numbers (double), ascending. */
int berth_compare_numbers(const void *a, const void *b);

#endif

#include "eval/statistics.h"

#include <math.h>

/* The standard normal distribution's quantile of 97.5 %. */
static const double Z = 1.959963984540054;

struct berth_share berth_share_of(size_t successes, size_t trials)
{
    if (!trials) {
        return (struct berth_share){0, 0, 1};
    }
    const double n = (double)trials, p = (double)successes / n;
    const double center = (p + Z * Z / (2 * n)) / (1 + Z * Z / n);
    const double half = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
    /* at 0 and 1 the interval ends there, but for rounding */
    return (struct berth_share){p, successes == 0 ? 0 : center - half,
                                successes == trials ? 1 : center + half};
}

int berth_compare_numbers(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

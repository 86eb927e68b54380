#include "eval/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

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

enum berth_status berth_mean_of(const double *values, size_t count, size_t resamples, uint64_t seed,
                                struct berth_estimate *mean, struct berth_error *error)
{
    double *draws;
    BERTH_TRY(berth_make(&draws, resamples, sizeof *draws, NULL, error));
    mean->value = 0;
    for (size_t i = 0; i < count; i++) {
        mean->value += values[i] / (double)count;
    }
    for (size_t k = 0; k < resamples; k++) {
        for (size_t i = 0; i < count; i++) {
            const size_t drawn = (size_t)(berth_random_uniform(&seed) * (double)count);
            draws[k] += values[drawn] / (double)count;
        }
    }
    qsort(draws, resamples, sizeof *draws, berth_compare_numbers);
    mean->low = berth_percentile(draws, resamples, 0.025);
    mean->high = berth_percentile(draws, resamples, 0.975);
    free(draws);
    return BERTH_OK;
}

double berth_percentile(const double *values, size_t count, double share)
{
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place;
    const double next = below + 1 < count ? values[below + 1] : values[below];
    return values[below] + (place - (double)below) * (next - values[below]);
}

int berth_compare_numbers(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

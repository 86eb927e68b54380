#include "report/show/sample.h"

#include <stdlib.h>

#include "base/random.h"

void berth_sample_add(struct berth_sample *sample, double value)
{
    size_t place = sample->count++;
    if (place >= BERTH_SAMPLE_MAX) {
        place = (size_t)(berth_random_uniform(&sample->random) * (double)sample->count);
    }
    if (place < BERTH_SAMPLE_MAX) {
        sample->values[place] = value;
    }
}

static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

void berth_sample_bins(struct berth_sample *sample, size_t bins, double *shares, double *low,
                       double *high)
{
    const size_t count = sample->count < BERTH_SAMPLE_MAX ? sample->count : BERTH_SAMPLE_MAX;
    qsort(sample->values, count, sizeof *sample->values, ascending);
    *low = count ? sample->values[0] : 0;
    *high = count ? sample->values[(count - 1) * 99 / 100] : 0;
    for (size_t i = 0; i < bins; i++) {
        shares[i] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        const double place =
            *high > *low ? (sample->values[i] - *low) / (*high - *low) * (double)bins : 0;
        shares[place < (double)bins ? (size_t)place : bins - 1] += 1 / (double)count;
    }
}

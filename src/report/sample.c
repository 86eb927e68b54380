#include "report/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "eval/statistics.h"

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

void berth_sample_bins(struct berth_sample *sample, struct berth_bins *bins)
{
    const size_t count = sample->count < BERTH_SAMPLE_MAX ? sample->count : BERTH_SAMPLE_MAX;
    qsort(sample->values, count, sizeof *sample->values, berth_compare_numbers);
    memset(bins->shares, 0, sizeof bins->shares);
    bins->low = count ? sample->values[0] : 0;
    bins->high = count ? sample->values[(count * 99 + 99) / 100 - 1] : 0;
    bins->most = count ? sample->values[count - 1] : 0;
    const double width = bins->high - bins->low, steps = (double)bins->count;
    for (size_t i = 0; i < count; i++) {
        const double place = width > 0 ? (sample->values[i] - bins->low) / width * steps : 0;
        bins->shares[place < steps ? (size_t)place : bins->count - 1] += 1 / (double)count;
    }
}

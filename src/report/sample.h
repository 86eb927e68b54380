/* How values are distributed, of however many. */
#ifndef BERTH_REPORT_SAMPLE_H
#define BERTH_REPORT_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

enum { BERTH_SAMPLE_MAX = 20000 };

/* A sample of the values, drawn as they come (algorithm R, J. S. Vitter, ACM Trans. Math. Softw. 11
 * (1985) 37).  A zeroed one is empty, and the same values in the same order give the same one. */
struct berth_sample {
    double values[BERTH_SAMPLE_MAX];
    size_t count; /* of all values that were added */
    uint64_t random;
};

void berth_sample_add(struct berth_sample *sample, double value);

/* Equal steps from `low` to `high`, which are the smallest value and the 99th percentile; what is
 * above, up to `most`, counts in the last one. */
enum { BERTH_BINS_MOST = 20 };
struct berth_bins {
    size_t count;
    double shares[BERTH_BINS_MOST]; /* 0 .. 1: of the values in each step */
    double low, high, most;
};

/* Counts a sample into bins->count steps.  Sorts the sample, to which nothing may be added any
 * more. */
void berth_sample_bins(struct berth_sample *sample, struct berth_bins *bins);

#endif

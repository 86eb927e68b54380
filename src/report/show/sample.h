/* How values are distributed, of however many: a sample of them, drawn as they come (algorithm R,
 * J. S. Vitter, ACM Trans. Math. Softw. 11 (1985) 37), and their bounds. */
#ifndef BERTH_REPORT_SHOW_SAMPLE_H
#define BERTH_REPORT_SHOW_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

enum { BERTH_SAMPLE_MAX = 20000 };

/* A zeroed sample is empty, and the same values in the same order give the same one. */
struct berth_sample {
    double values[BERTH_SAMPLE_MAX];
    size_t count; /* of all values that were added */
    uint64_t random;
};

void berth_sample_add(struct berth_sample *sample, double value);

/* Counts the share of values in each of `bins` equal steps from *low to *high, which are the
 * smallest and the 99th percentile of the sample; what is above counts in the last.  Sorts the
 * sample, to which nothing may be added any more. */
void berth_sample_bins(struct berth_sample *sample, size_t bins, double *shares, double *low,
                       double *high);

#endif

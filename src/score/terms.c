#include "score/terms.h"

_Static_assert(BERTH_DEVICE_TERMS == BERTH_TERMS_MAX, "the kernels have as many terms");

#define NAME_OF_PART(part, name, column, relative, added) [BERTH_PART_##part] = #name,
const char *const BERTH_PART_NAMES[BERTH_PART_COUNT] = {BERTH_POSE_PARTS(NAME_OF_PART)};

double berth_terms_sum(const struct berth_terms *terms)
{
    double sum = terms->values[0];
    for (size_t i = 1; i < BERTH_TERMS_MAX; i++) {
        sum += terms->values[i];
    }
    return sum;
}

#include "score/terms.h"

double berth_terms_sum(const struct berth_terms *terms)
{
    double sum = terms->values[0];
    for (size_t i = 1; i < BERTH_TERMS_MAX; i++) {
        sum += terms->values[i];
    }
    return sum;
}

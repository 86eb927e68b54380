/* Where expressions end: from which distance on a node is the same number. */
#ifndef BERTH_SCORE_LANGUAGE_TAIL_H
#define BERTH_SCORE_LANGUAGE_TAIL_H

#include "score/language/expression.h"

struct berth_tail {
    double from; /* Å; infinite: never */
    double value;
};

/* Writes the tails of nodes [0, end) to tails[end].  values: of those that do not vary; distance:
 * the node of r. */
void berth_find_tails(const struct berth_graph *graph, const double *values, int distance, int end,
                      struct berth_tail *tails);

#endif

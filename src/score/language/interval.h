/* Expressions over intervals: bounds of what they can be where a symbol is anything between two
 * numbers. */
#ifndef BERTH_SCORE_LANGUAGE_INTERVAL_H
#define BERTH_SCORE_LANGUAGE_INTERVAL_H

#include "score/language/expression.h"

struct berth_interval {
    double low, high; /* may be infinite */
    bool undefined;   /* may be no number at all, as log(-1) is */
};

/* The interval of one number. */
struct berth_interval berth_interval_at(double number);

/* True where all in it are finite numbers. */
bool berth_interval_is_finite(const struct berth_interval *interval);

/* Writes bounds of the nodes [0, end) to bounds[end].  symbols: what symbols can be; only, single:
 * as in struct berth_graph_evaluation.  Bounds hold for rounded results, too. */
struct berth_interval_evaluation {
    const struct berth_interval *symbols;
    const bool *only;
    bool single;
};
void berth_evaluate_intervals(const struct berth_graph *graph,
                              const struct berth_interval_evaluation *evaluation, int end,
                              struct berth_interval *bounds);

/* Halves a range until nodes are finite on all of its pieces.  Gives false, and *where, at a piece
 * of `width` or less on which one is not, or where it would take more than *left operations, of
 * which it takes off what it took.  Everything is borrowed. */
struct berth_interval_search {
    const struct berth_graph *graph;
    const int *nodes;
    size_t node_count;
    const struct berth_interval *symbols;
    /* Sets the symbols for a piece. */
    void (*set)(void *context, double low, double high);
    void *context;
    bool single;
    double width;
    size_t *left;
};
struct berth_interval_place {
    double low, high;
    size_t node; /* which of `nodes` */
    bool narrow; /* false: there were no pieces left */
};
bool berth_interval_search(const struct berth_interval_search *search, double low, double high,
                           struct berth_interval_place *where);

#endif

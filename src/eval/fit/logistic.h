/* Weights of few terms that tell right from wrong: logistic regression with weights that are not
 * negative and a penalty on their squares (S. le Cessie, J. C. van Houwelingen, Appl. Stat. 41
 * (1992) 191), by Newton's method. */
#ifndef BERTH_EVAL_FIT_LOGISTIC_H
#define BERTH_EVAL_FIT_LOGISTIC_H

#include <stdbool.h>
#include <stddef.h>

enum { BERTH_FIT_TERMS_MAX = 16 };

struct berth_example {
    double x[BERTH_FIT_TERMS_MAX]; /* of the terms that there are */
    double weight;                 /* what it counts for, above 0 */
    size_t unit;
    bool positive; /* x . weights is to be high */
};

/* What weights are learned from. */
struct berth_examples {
    struct berth_example *items; /* [count] */
    size_t count, terms;         /* terms: 1 .. BERTH_FIT_TERMS_MAX */
    bool intercept;              /* there is one, which has no penalty */
};

/* Which examples: those whose unit is in this fold, or those that are in another. */
struct berth_fold {
    const size_t *of; /* [units], borrowed; SIZE_MAX: in none, never taken */
    size_t number;
    bool others;
};

/* The mean of log(1 + exp(-sum)) over positive examples and log(1 + exp(sum)) over others, where
 * sum = x . weights + intercept; both kinds count alike, however many there are.  weights: [terms +
 * 1], the intercept last. */
double berth_logistic_loss(const struct berth_examples *examples, const struct berth_fold *fold,
                           const double *weights);

/* Finds the weights of the least loss + penalty / 2 x the sum of their squares.  penalty: above 0.
 */
void berth_logistic_fit(const struct berth_examples *examples, const struct berth_fold *fold,
                        double penalty, double *weights);

#endif

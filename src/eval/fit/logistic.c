#include "eval/fit/logistic.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SIZE = BERTH_FIT_TERMS_MAX + 1, STEPS = 50, SWEEPS = 1000, HALVINGS = 12 };

/* A step that changes no weight by more is the last one. */
static const double CONVERGED = 1e-10;

/* The loss at some weights, and how it changes with them. */
struct slope {
    double value, gradient[SIZE], hessian[SIZE][SIZE];
};

static bool is_in(const struct berth_example *example, const struct berth_fold *fold)
{
    const size_t of = fold->of[example->unit];
    return of != SIZE_MAX && (of == fold->number) != fold->others;
}

/* Adds an example of this share. */
static void add_example(const struct berth_examples *examples, size_t i, double share,
                        const double *weights, struct slope *slope)
{
    const size_t terms = examples->terms;
    const double sign = examples->items[i].positive ? 1 : -1;
    double x[SIZE], margin = 0;
    memcpy(x, examples->items[i].x, terms * sizeof *x);
    x[terms] = examples->intercept;
    for (size_t k = 0; k <= terms; k++) {
        margin += sign * x[k] * weights[k];
    }
    const double wrong = 1 / (1 + exp(margin)), curve = share * wrong * (1 - wrong);
    slope->value += share * (margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin);
    for (size_t k = 0; k <= terms; k++) {
        slope->gradient[k] -= share * sign * wrong * x[k];
        for (size_t j = 0; j <= terms; j++) {
            slope->hessian[k][j] += curve * x[k] * x[j];
        }
    }
}

static void find_slope(const struct berth_examples *examples, const struct berth_fold *fold,
                       double penalty, const double *weights, struct slope *slope)
{
    double shares[2];
    /* What an example of each kind, negative and positive, counts for. */
    double sums[2] = {0, 0};
    for (size_t i = 0; i < examples->count; i++) {
        const struct berth_example *example = &examples->items[i];
        sums[example->positive] += is_in(example, fold) ? example->weight : 0;
    }
    const int kinds = (sums[0] > 0) + (sums[1] > 0);
    for (int kind = 0; kind < 2; kind++) {
        shares[kind] = sums[kind] > 0 ? 1 / (sums[kind] * kinds) : 0;
    }
    memset(slope, 0, sizeof *slope);
    for (size_t i = 0; i < examples->count; i++) {
        const struct berth_example *example = &examples->items[i];
        if (is_in(example, fold)) {
            add_example(examples, i, shares[example->positive] * example->weight, weights, slope);
        }
    }
    for (size_t k = 0; k < examples->terms; k++) {
        slope->value += penalty / 2 * weights[k] * weights[k];
        slope->gradient[k] += penalty * weights[k];
        slope->hessian[k][k] += penalty;
    }
}

double berth_logistic_loss(const struct berth_examples *examples, const struct berth_fold *fold,
                           const double *weights)
{
    struct slope slope;
    find_slope(examples, fold, 0, weights, &slope);
    return slope.value;
}

/* The step to the least of the slope's parabola that leaves no weight below 0, one weight after the
 * other. */
static void find_step(const struct slope *slope, const double *weights, size_t terms,
                      double step[SIZE])
{
    double change = INFINITY;
    memset(step, 0, SIZE * sizeof *step);
    for (int sweep = 0; sweep < SWEEPS && change > CONVERGED / 10; sweep++) {
        change = 0;
        for (size_t k = 0; k <= terms; k++) {
            double rest = slope->gradient[k];
            for (size_t j = 0; j <= terms; j++) {
                rest += j != k ? slope->hessian[k][j] * step[j] : 0;
            }
            double best = slope->hessian[k][k] > 0 ? -rest / slope->hessian[k][k] : 0;
            best = k < terms ? fmax(best, -weights[k]) : best;
            change = fmax(change, fabs(best - step[k]));
            step[k] = best;
        }
    }
}

void berth_logistic_fit(const struct berth_examples *examples, const struct berth_fold *fold,
                        double penalty, double *weights)
{
    const size_t terms = examples->terms;
    double change = INFINITY;
    struct slope here, there;
    memset(weights, 0, (terms + 1) * sizeof *weights);
    find_slope(examples, fold, penalty, weights, &here);
    for (int i = 0; i < STEPS && change > CONVERGED; i++) {
        double step[SIZE], moved[SIZE], length = 1;
        find_step(&here, weights, terms, step);
        change = 0;
        for (int halving = 0; halving < HALVINGS && change == 0; halving++, length /= 2) {
            for (size_t k = 0; k <= terms; k++) {
                moved[k] = weights[k] + length * step[k];
                moved[k] = k < terms ? fmax(moved[k], 0) : moved[k]; /* of rounding */
            }
            find_slope(examples, fold, penalty, moved, &there);
            for (size_t k = 0; there.value < here.value && k <= terms; k++) {
                change = fmax(change, fabs(moved[k] - weights[k]));
            }
        }
        if (change > 0) {
            memcpy(weights, moved, (terms + 1) * sizeof *weights);
            here = there;
        }
    }
}

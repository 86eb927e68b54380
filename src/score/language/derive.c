#include "score/language/derive.h"

#include <math.h>

static int number(const struct berth_derivation *d, double value)
{
    return berth_number(d->graph, value);
}

static int times(const struct berth_derivation *d, int a, int b)
{
    return berth_multiply(d->graph, a, b);
}

/* 0 below a kink, 1 above it, `past` being how far above it is (Å); it changes over 1 / sharpness,
 * from `from` of that width below. */
static int blend(const struct berth_derivation *d, int past, double from)
{
    const int width = times(d, past, d->sharpness);
    return berth_unary(d->graph, BERTH_SATURATE, berth_add(d->graph, width, number(d, from)));
}

/* Whether the node is a line in r, or in max(r, k) or min(r, k): then *slope is what it has in
 * terms of that. */
static bool is_line(const struct berth_derivation *d, int node, int *slope)
{
    if (!d->graph->nodes[node].varies) {
        return false;
    }
    const struct berth_affine affine = berth_take_apart(d->graph, node);
    const struct berth_node *base = &d->graph->nodes[affine.base];
    *slope = affine.factor;
    return affine.base == d->distance ||
           ((base->operation == BERTH_MAX || base->operation == BERTH_MIN) &&
            (base->a == d->distance || base->b == d->distance));
}

/* The derivative of min(a, b) or max(a, b). */
static int derive_choice(const struct berth_derivation *d, int node)
{
    const struct berth_node choice = d->graph->nodes[node];
    const bool greatest = choice.operation == BERTH_MAX;
    const bool fixed_a = !d->graph->nodes[choice.a].varies;
    const int fixed = fixed_a ? choice.a : choice.b, moving = fixed_a ? choice.b : choice.a;
    int slope, counts;
    if (!d->sharpness || d->graph->nodes[fixed].varies || !is_line(d, moving, &slope) ||
        (moving != d->distance && fixed != 0)) {
        const int less = berth_binary(d->graph, BERTH_LESS, choice.a, choice.b);
        const int low = berth_derive(d, choice.a), high = berth_derive(d, choice.b);
        return berth_select(d->graph, less, greatest ? high : low, greatest ? low : high);
    }
    if (moving == d->distance) {
        const int past = berth_subtract(d->graph, moving, fixed);
        return blend(d, greatest ? past : berth_negative(d->graph, past), 0.5);
    }
    const int per = berth_reciprocal(d->graph, berth_unary(d->graph, BERTH_ABS, slope));
    counts = times(d, greatest ? node : berth_negative(d->graph, node), per); /* Å from the end */
    return times(d, berth_binary(d->graph, BERTH_MIN, times(d, counts, d->sharpness), number(d, 1)),
                 berth_derive(d, moving));
}

static int derive_ramp(const struct berth_derivation *d, int x)
{
    struct berth_graph *graph = d->graph;
    const int slope = berth_derive(d, x), one = number(d, 1);
    int factor;
    if (!d->sharpness || !is_line(d, x, &factor)) {
        const int within = berth_binary(graph, BERTH_AND, berth_binary(graph, BERTH_LESS, 0, x),
                                        berth_binary(graph, BERTH_LESS, x, one));
        return berth_select(graph, within, slope, 0);
    }
    const int least = berth_binary(graph, BERTH_MIN, x, berth_subtract(graph, one, x));
    const int per = berth_reciprocal(graph, berth_unary(graph, BERTH_ABS, factor));
    return times(d, blend(d, times(d, least, per), 0), slope);
}

/* n a to the power of n - 1, times the derivative of a.  Where a = min(u, 0) or max(u, 0), it is 0
 * where its own derivative would be. */
static int derive_power(const struct berth_derivation *d, const struct berth_node *power)
{
    const struct berth_node base = d->graph->nodes[power->a];
    int inner = power->a;
    if ((base.operation == BERTH_MIN || base.operation == BERTH_MAX) &&
        (base.a == 0 || base.b == 0)) {
        inner = base.a == 0 ? base.b : base.a;
    }
    const int slope = berth_derive(d, inner);
    const int less = berth_power(d->graph, power->a, (int)power->number - 1);
    return times(d, number(d, power->number), times(d, less, slope));
}

static int derive_symbol(const struct berth_derivation *d, int node)
{
    if (node == d->distance) {
        return number(d, 1);
    }
    if (node == d->inverse) {
        return berth_negative(d->graph, berth_power(d->graph, node, 2));
    }
    return times(d, number(d, 2), d->distance); /* r² */
}

/* The derivative of a function of one operand, by that operand. */
static int outer_slope(const struct berth_derivation *d, int node)
{
    struct berth_graph *graph = d->graph;
    const struct berth_node made = graph->nodes[node];
    switch (made.operation) {
    case BERTH_RECIPROCAL:
        return berth_negative(graph, berth_power(graph, node, 2));
    case BERTH_ABS:
        return berth_select(graph, berth_binary(graph, BERTH_LESS, made.a, 0), number(d, -1),
                            number(d, 1));
    case BERTH_SQRT:
        return times(d, number(d, 0.5), berth_reciprocal(graph, node));
    case BERTH_EXP2:
        return times(d, number(d, log(2)), node);
    case BERTH_SIN:
        return berth_unary(graph, BERTH_COS, made.a);
    case BERTH_COS:
        return berth_negative(graph, berth_unary(graph, BERTH_SIN, made.a));
    default: /* BERTH_LOG2 */
        return times(d, number(d, 1 / log(2)), berth_reciprocal(graph, made.a));
    }
}

static int derive_anew(const struct berth_derivation *d, int node)
{
    struct berth_graph *graph = d->graph;
    const struct berth_node made = graph->nodes[node];
    switch (made.operation) {
    case BERTH_SYMBOL:
        return derive_symbol(d, node);
    case BERTH_ADD:
        return berth_add(graph, berth_derive(d, made.a), berth_derive(d, made.b));
    case BERTH_MULTIPLY:
        return berth_add(graph, times(d, berth_derive(d, made.a), made.b),
                         times(d, made.a, berth_derive(d, made.b)));
    case BERTH_AFFINE:
        return times(d, made.b, berth_derive(d, made.a));
    case BERTH_POWER:
        return derive_power(d, &made);
    case BERTH_MIN:
    case BERTH_MAX:
        return derive_choice(d, node);
    case BERTH_SATURATE:
        return derive_ramp(d, made.a);
    case BERTH_SELECT:
        return berth_select(graph, made.a, berth_derive(d, made.b), berth_derive(d, made.c));
    case BERTH_LESS:
    case BERTH_AT_MOST:
    case BERTH_EQUAL:
    case BERTH_AND:
    case BERTH_OR:
    case BERTH_NOT:
        return 0;
    default:
        return times(d, outer_slope(d, node), berth_derive(d, made.a));
    }
}

int berth_derive(const struct berth_derivation *d, int node)
{
    if (!d->graph->nodes[node].varies) {
        return 0;
    }
    if (!d->known[node]) {
        d->known[node] = derive_anew(d, node) + 1;
    }
    return d->known[node] - 1;
}

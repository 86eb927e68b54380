#include "score/language/interval.h"

#include <float.h>
#include <math.h>

#define HALF_TURN 3.14159265358979323846

struct berth_interval berth_interval_at(double number)
{
    return isnan(number) ? (struct berth_interval){0, 0, true}
                         : (struct berth_interval){number, number, false};
}

bool berth_interval_is_finite(const struct berth_interval *interval)
{
    return !interval->undefined && isfinite(interval->low) && isfinite(interval->high);
}

static bool is_point(const struct berth_interval *x)
{
    return !x->undefined && x->low == x->high;
}

static bool holds(const struct berth_interval *x, double number)
{
    return x->low <= number && x->high >= number;
}

/* As a condition: 0 for certain, or something else for certain. */
static bool is_false(const struct berth_interval *x)
{
    return is_point(x) && x->low == 0;
}

static bool is_true(const struct berth_interval *x)
{
    return !x->undefined && !holds(x, 0);
}

static struct berth_interval truth(bool can_be_false, bool can_be_true, bool undefined)
{
    return (struct berth_interval){can_be_false ? 0 : 1, can_be_true ? 1 : 0, undefined};
}

static struct berth_interval join(const struct berth_interval *x, const struct berth_interval *y)
{
    return (struct berth_interval){fmin(x->low, y->low), fmax(x->high, y->high),
                                   x->undefined || y->undefined};
}

static struct berth_interval add(const struct berth_interval *x, const struct berth_interval *y)
{
    struct berth_interval sum = {x->low + y->low, x->high + y->high, x->undefined || y->undefined};
    const bool opposite = (x->high == INFINITY && y->low == -INFINITY) ||
                          (x->low == -INFINITY && y->high == INFINITY);
    sum.undefined = sum.undefined || opposite;
    sum.low = isnan(sum.low) ? -INFINITY : sum.low;
    sum.high = isnan(sum.high) ? INFINITY : sum.high;
    return sum;
}

static struct berth_interval multiply(const struct berth_interval *x,
                                      const struct berth_interval *y)
{
    const double products[] = {x->low * y->low, x->low * y->high, x->high * y->low,
                               x->high * y->high};
    const bool infinite_x = isinf(x->low) || isinf(x->high);
    const bool infinite_y = isinf(y->low) || isinf(y->high);
    struct berth_interval product = {INFINITY, -INFINITY, x->undefined || y->undefined};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        const double value = isnan(products[i]) ? 0 : products[i];
        product.low = fmin(product.low, value);
        product.high = fmax(product.high, value);
    }
    product.undefined =
        product.undefined || (infinite_x && holds(y, 0)) || (infinite_y && holds(x, 0));
    return product;
}

static struct berth_interval reciprocal(const struct berth_interval *x)
{
    if (x->low < 0 && x->high > 0) {
        return (struct berth_interval){-INFINITY, INFINITY, x->undefined};
    }
    /* Beside 0, the sign is that of the other side. */
    return (struct berth_interval){x->high == 0 ? -INFINITY : 1 / x->high,
                                   x->low == 0 ? INFINITY : 1 / x->low,
                                   x->undefined || (x->low == 0 && x->high == 0)};
}

static struct berth_interval absolute(const struct berth_interval *x)
{
    return (struct berth_interval){holds(x, 0) ? 0 : fmin(fabs(x->low), fabs(x->high)),
                                   fmax(fabs(x->low), fabs(x->high)), x->undefined};
}

static struct berth_interval power(const struct berth_interval *x, double n)
{
    const struct berth_interval base = fmod(n, 2) == 0 ? absolute(x) : *x;
    return (struct berth_interval){pow(base.low, n), pow(base.high, n), x->undefined};
}

/* A function that rises with its operand, and is none below `least`. */
static struct berth_interval rise(double (*function)(double), const struct berth_interval *x,
                                  double least)
{
    const bool outside = x->low < least;
    return (struct berth_interval){function(fmax(x->low, least)), function(fmax(x->high, least)),
                                   x->undefined || outside};
}

/* cos(x + shift): it has its greatest and least values at whole half turns. */
static struct berth_interval cosine(const struct berth_interval *x, double shift)
{
    const double low = x->low + shift, high = x->high + shift;
    if (!isfinite(low) || !isfinite(high) || high - low >= 2 * HALF_TURN) {
        return (struct berth_interval){-1, 1, x->undefined || isinf(x->low) || isinf(x->high)};
    }
    struct berth_interval found = {fmin(cos(low), cos(high)), fmax(cos(low), cos(high)),
                                   x->undefined};
    for (double k = ceil(low / HALF_TURN); k * HALF_TURN <= high; k++) {
        found.low = fmod(k, 2) == 0 ? found.low : -1;
        found.high = fmod(k, 2) == 0 ? 1 : found.high;
    }
    return found;
}

static struct berth_interval compare(enum berth_operation operation, const struct berth_interval *x,
                                     const struct berth_interval *y)
{
    const bool undefined = x->undefined || y->undefined;
    switch (operation) {
    case BERTH_LESS:
        return truth(x->high >= y->low, x->low < y->high, undefined);
    case BERTH_AT_MOST:
        return truth(x->high > y->low, x->low <= y->high, undefined);
    default:
        return truth(!(is_point(x) && is_point(y) && x->low == y->low),
                     x->low <= y->high && y->low <= x->high, undefined);
    }
}

/* What is decided by one side is so whatever the other one is. */
static struct berth_interval combine(enum berth_operation operation, const struct berth_interval *x,
                                     const struct berth_interval *y)
{
    const bool undefined = x->undefined || y->undefined;
    if (operation == BERTH_AND) {
        return is_false(x) || is_false(y) ? truth(true, false, false)
                                          : truth(!(is_true(x) && is_true(y)), true, undefined);
    }
    return is_true(x) || is_true(y) ? truth(false, true, false)
                                    : truth(true, !(is_false(x) && is_false(y)), undefined);
}

static struct berth_interval choose(const struct berth_interval *condition,
                                    const struct berth_interval *x, const struct berth_interval *y)
{
    if (is_true(condition) || is_false(condition)) {
        return is_true(condition) ? *x : *y;
    }
    struct berth_interval either = join(x, y);
    either.undefined = either.undefined || condition->undefined;
    return either;
}

static struct berth_interval clamp(double low, double high, const struct berth_interval *x)
{
    return (struct berth_interval){fmin(fmax(x->low, low), high), fmin(fmax(x->high, low), high),
                                   x->undefined};
}

/* What an operation makes of its operands. */
static struct berth_interval operate(const struct berth_node *node, const struct berth_interval *a,
                                     const struct berth_interval *b, const struct berth_interval *c)
{
    const bool undefined = a->undefined || b->undefined;
    switch (node->operation) {
    case BERTH_NUMBER:
    case BERTH_SYMBOL:
        return berth_interval_at(node->number);
    case BERTH_ADD:
        return add(a, b);
    case BERTH_MULTIPLY:
        return multiply(a, b);
    case BERTH_AFFINE: {
        const struct berth_interval product = multiply(a, b);
        return add(&product, c);
    }
    case BERTH_RECIPROCAL:
        return reciprocal(a);
    case BERTH_POWER:
        return power(a, node->number);
    case BERTH_MIN:
        return (struct berth_interval){fmin(a->low, b->low), fmin(a->high, b->high), undefined};
    case BERTH_MAX:
        return (struct berth_interval){fmax(a->low, b->low), fmax(a->high, b->high), undefined};
    case BERTH_ABS:
        return absolute(a);
    case BERTH_SQRT:
        return rise(sqrt, a, 0);
    case BERTH_EXP2:
        return rise(exp2, a, -INFINITY);
    case BERTH_LOG2:
        return rise(log2, a, 0);
    case BERTH_SIN:
        return cosine(a, -HALF_TURN / 2);
    case BERTH_COS:
        return cosine(a, 0);
    case BERTH_SATURATE:
        return clamp(0, 1, a);
    case BERTH_LESS:
    case BERTH_AT_MOST:
    case BERTH_EQUAL:
        return compare(node->operation, a, b);
    case BERTH_AND:
    case BERTH_OR:
        return combine(node->operation, a, b);
    case BERTH_NOT:
        return truth(!is_false(a), !is_true(a), a->undefined);
    case BERTH_SELECT:
        return choose(a, b, c);
    }
    return (struct berth_interval){-INFINITY, INFINITY, true};
}

/* The bounds of what an operation rounds: infinite beyond the largest number, and 0 before the
 * least one, which devices may take for 0. */
static struct berth_interval outward(struct berth_interval x, bool single)
{
    const double by = single ? FLT_EPSILON : DBL_EPSILON, most = single ? FLT_MAX : DBL_MAX;
    const double least = single ? FLT_MIN : DBL_MIN;
    x.low -= isfinite(x.low) ? fabs(x.low) * by : 0;
    x.high += isfinite(x.high) ? fabs(x.high) * by : 0;
    x.low = x.low < -most ? -INFINITY : x.low;
    x.high = x.high > most ? INFINITY : x.high;
    x.low = x.low > 0 && x.low < least ? 0 : x.low;
    x.high = x.high < 0 && x.high > -least ? 0 : x.high;
    return x;
}

/* True where the operation gives what it is given, or 0 or 1. */
static bool is_exact(enum berth_operation operation)
{
    switch (operation) {
    case BERTH_ADD:
    case BERTH_MULTIPLY:
    case BERTH_AFFINE:
    case BERTH_RECIPROCAL:
    case BERTH_POWER:
    case BERTH_SQRT:
    case BERTH_EXP2:
    case BERTH_LOG2:
        return false;
    default: /* and sines, which stay within -1 and 1 */
        return true;
    }
}

/* What is one number exactly needs no bounds: what a device has of it. */
static struct berth_interval round_point(struct berth_interval x, bool single)
{
    return single ? berth_interval_at((float)x.low) : x;
}

void berth_evaluate_intervals(const struct berth_graph *graph,
                              const struct berth_interval_evaluation *evaluation, int end,
                              struct berth_interval *bounds)
{
    for (int i = 0; i < end; i++) {
        const struct berth_node *node = &graph->nodes[i];
        if (evaluation->only && !evaluation->only[i]) {
            continue;
        }
        if (node->operation == BERTH_SYMBOL) {
            const struct berth_interval *symbol = &evaluation->symbols[node->a];
            bounds[i] = is_point(symbol) ? round_point(*symbol, evaluation->single)
                                         : outward(*symbol, evaluation->single);
            continue;
        }
        const struct berth_interval *a = &bounds[node->a], *b = &bounds[node->b];
        const struct berth_interval *c = &bounds[node->c];
        const int operands = berth_operand_count(node->operation);
        const bool points = (operands < 1 || is_point(a)) && (operands < 2 || is_point(b)) &&
                            (operands < 3 || is_point(c));
        bounds[i] =
            points ? round_point(berth_interval_at(berth_operate(node, a->low, b->low, c->low)),
                                 evaluation->single)
                   : operate(node, a, b, c);
        if (!points && !is_exact(node->operation)) {
            bounds[i] = outward(bounds[i], evaluation->single);
        }
    }
}

/* A search that is under way. */
struct searching {
    const struct berth_interval_search *search;
    struct berth_interval_evaluation evaluation;
    size_t cost; /* operations for each piece */
    struct berth_interval bounds[BERTH_NODES_MAX];
};

static bool halve(struct searching *searching, double low, double high,
                  struct berth_interval_place *where)
{
    const struct berth_interval_search *search = searching->search;
    *where = (struct berth_interval_place){.low = low, .high = high};
    if (*search->left < searching->cost) {
        return false;
    }
    *search->left -= searching->cost;
    search->set(search->context, low, high);
    berth_evaluate_intervals(search->graph, &searching->evaluation, search->graph->count,
                             searching->bounds);
    while (where->node < search->node_count &&
           berth_interval_is_finite(&searching->bounds[search->nodes[where->node]])) {
        where->node++;
    }
    if (where->node == search->node_count) {
        return true;
    }
    where->narrow = high - low <= search->width;
    const double middle = low + (high - low) / 2;
    return !where->narrow && halve(searching, low, middle, where) &&
           halve(searching, middle, high, where);
}

bool berth_interval_search(const struct berth_interval_search *search, double low, double high,
                           struct berth_interval_place *where)
{
    bool only[BERTH_NODES_MAX] = {false};
    struct searching searching = {.search = search,
                                  .evaluation = {search->symbols, only, search->single}};
    for (size_t i = 0; i < search->node_count; i++) {
        berth_mark(search->graph, search->nodes[i], only);
    }
    for (int i = 0; i < search->graph->count; i++) {
        searching.cost += only[i];
    }
    return halve(&searching, low, high, where);
}

#include "score/language/expression.h"

#include <math.h>
#include <string.h>

void berth_graph_begin(struct berth_graph *graph)
{
    memset(graph, 0, sizeof *graph);
    graph->count = 1; /* the number 0 */
}

int berth_operand_count(enum berth_operation operation)
{
#define ROW(name, operands, value, bounds, rounds, text) operands,
    static const int OPERANDS[] = {BERTH_OPERATIONS(ROW)};
#undef ROW
    return OPERANDS[operation];
}

static const struct berth_node *at(const struct berth_graph *graph, int node)
{
    return &graph->nodes[node];
}

static bool varies(const struct berth_graph *graph, int node)
{
    return at(graph, node)->varies;
}

static bool is(const struct berth_graph *graph, int node, enum berth_operation operation)
{
    return at(graph, node)->operation == operation;
}

/* The node like this one: there already, or added. */
static int find(struct berth_graph *graph, struct berth_node node)
{
    const int operands = berth_operand_count(node.operation);
    node.varies = node.varies || (operands > 0 && varies(graph, node.a)) ||
                  (operands > 1 && varies(graph, node.b)) ||
                  (operands > 2 && varies(graph, node.c));
    for (int i = graph->count - 1; i >= 0; i--) {
        const struct berth_node *other = at(graph, i);
        if (other->operation == node.operation && other->a == node.a && other->b == node.b &&
            other->c == node.c &&
            (other->number == node.number || (isnan(other->number) && isnan(node.number)))) {
            return i;
        }
    }
    if (graph->count == BERTH_NODES_MAX) {
        graph->full = true;
        return 0;
    }
    graph->nodes[graph->count] = node;
    return graph->count++;
}

int berth_number(struct berth_graph *graph, double number)
{
    return find(graph, (struct berth_node){.operation = BERTH_NUMBER, .number = number});
}

int berth_symbol(struct berth_graph *graph, int symbol, bool varies)
{
    return find(graph,
                (struct berth_node){.operation = BERTH_SYMBOL, .a = symbol, .varies = varies});
}

bool berth_is_number(const struct berth_graph *graph, int node, double number)
{
    return is(graph, node, BERTH_NUMBER) && at(graph, node)->number == number;
}

double berth_operate(const struct berth_node *node, double a, double b, double c)
{
    switch (node->operation) {
#define ROW(name, operands, value, bounds, rounds, text)                                           \
    case BERTH_##name:                                                                             \
        return value;
        BERTH_OPERATIONS(ROW)
#undef ROW
    }
    return NAN;
}

/* The node of an operation on operands; a number where they are all numbers. */
static int make_node(struct berth_graph *graph, struct berth_node node)
{
    const int operands = berth_operand_count(node.operation);
    const int given[3] = {node.a, node.b, node.c};
    double values[3] = {0, 0, 0};
    for (int i = 0; i < operands; i++) {
        if (!is(graph, given[i], BERTH_NUMBER)) {
            return find(graph, node);
        }
        values[i] = at(graph, given[i])->number;
    }
    return berth_number(graph, berth_operate(&node, values[0], values[1], values[2]));
}

static int make(struct berth_graph *graph, enum berth_operation operation, int a, int b, int c)
{
    return make_node(graph, (struct berth_node){.operation = operation, .a = a, .b = b, .c = c});
}

static int make_ordered(struct berth_graph *graph, enum berth_operation operation, int a, int b)
{
    return make(graph, operation, a < b ? a : b, a < b ? b : a, 0);
}

struct berth_affine berth_take_apart(struct berth_graph *graph, int node)
{
    if (!varies(graph, node)) {
        return (struct berth_affine){.offset = node};
    }
    if (is(graph, node, BERTH_AFFINE)) {
        return (struct berth_affine){at(graph, node)->a, at(graph, node)->b, at(graph, node)->c};
    }
    return (struct berth_affine){.base = node, .factor = berth_number(graph, 1)};
}

static int put_together(struct berth_graph *graph, struct berth_affine affine)
{
    if (affine.base == 0 || berth_is_number(graph, affine.factor, 0)) {
        return affine.offset;
    }
    if (berth_is_number(graph, affine.factor, 1) && affine.offset == 0) {
        return affine.base;
    }
    return find(graph, (struct berth_node){.operation = BERTH_AFFINE,
                                           .a = affine.base,
                                           .b = affine.factor,
                                           .c = affine.offset});
}

static int add_fixed(struct berth_graph *graph, int a, int b)
{
    return a == 0 ? b : b == 0 ? a : make_ordered(graph, BERTH_ADD, a, b);
}

static int multiply_fixed(struct berth_graph *graph, int a, int b)
{
    if (a == 0 || b == 0) {
        return 0;
    }
    if (berth_is_number(graph, a, 1) || berth_is_number(graph, b, 1)) {
        return berth_is_number(graph, a, 1) ? b : a;
    }
    const int number = is(graph, a, BERTH_NUMBER) ? a : b, other = number == a ? b : a;
    const struct berth_node product = *at(graph, other);
    if (is(graph, number, BERTH_NUMBER) && product.operation == BERTH_MULTIPLY) {
        /* Numbers come first, so that two of them become one. */
        const int inner = is(graph, product.a, BERTH_NUMBER) ? product.a : product.b;
        if (is(graph, inner, BERTH_NUMBER)) {
            const double both = at(graph, number)->number * at(graph, inner)->number;
            return multiply_fixed(graph, berth_number(graph, both),
                                  inner == product.a ? product.b : product.a);
        }
    }
    return make_ordered(graph, BERTH_MULTIPLY, a, b);
}

int berth_negative(struct berth_graph *graph, int a)
{
    return berth_multiply(graph, berth_number(graph, -1), a);
}

int berth_subtract(struct berth_graph *graph, int a, int b)
{
    return berth_add(graph, a, berth_negative(graph, b));
}

static int scaled(struct berth_graph *graph, int base, int factor)
{
    return put_together(graph, (struct berth_affine){.base = base, .factor = factor});
}

int berth_add(struct berth_graph *graph, int a, int b)
{
    if (!varies(graph, a) && !varies(graph, b)) {
        return add_fixed(graph, a, b);
    }
    const struct berth_affine x = berth_take_apart(graph, a), y = berth_take_apart(graph, b);
    struct berth_affine sum = {.offset = add_fixed(graph, x.offset, y.offset)};
    if (!x.base || !y.base) {
        sum.base = x.base ? x.base : y.base;
        sum.factor = x.base ? x.factor : y.factor;
    } else if (x.base == y.base) {
        sum.base = x.base;
        sum.factor = add_fixed(graph, x.factor, y.factor);
    } else if (x.factor == y.factor) {
        sum.base = make_ordered(graph, BERTH_ADD, x.base, y.base);
        sum.factor = x.factor;
    } else if (x.factor == berth_negative(graph, y.factor)) {
        sum.base =
            make_ordered(graph, BERTH_ADD, x.base, scaled(graph, y.base, berth_number(graph, -1)));
        sum.factor = x.factor;
    } else {
        sum.base = make_ordered(graph, BERTH_ADD, scaled(graph, x.base, x.factor),
                                scaled(graph, y.base, y.factor));
        sum.factor = berth_number(graph, 1);
    }
    return put_together(graph, sum);
}

/* Powers at most: those of a power beyond stay powers of it, so that none is too large a number. */
enum { POWER_MAX = 1 << 20 };

/* A base and the power that it is raised to. */
struct powered {
    int base, power;
};

static struct powered as_power(const struct berth_graph *graph, int node)
{
    if (is(graph, node, BERTH_POWER)) {
        return (struct powered){at(graph, node)->a, (int)at(graph, node)->number};
    }
    return (struct powered){node, 1};
}

static int make_power(struct berth_graph *graph, int base, int power)
{
    if (power == 1) {
        return base;
    }
    if (power > 2) {
        make_power(graph, base, power % 2 ? power - 1 : power / 2);
    }
    return make_node(graph,
                     (struct berth_node){.operation = BERTH_POWER, .a = base, .number = power});
}

/* The product of two nodes that vary and are bases. */
static int multiply_bases(struct berth_graph *graph, int a, int b)
{
    const struct powered x = as_power(graph, a), y = as_power(graph, b);
    if (x.base == y.base && x.power + y.power <= POWER_MAX) {
        return make_power(graph, x.base, x.power + y.power);
    }
    if (b == berth_reciprocal(graph, a)) {
        return berth_number(graph, 1);
    }
    return make_ordered(graph, BERTH_MULTIPLY, a, b);
}

/* A node that does not vary as a number times what is left. */
static double number_in(const struct berth_graph *graph, int node, int *left)
{
    const struct berth_node *made = at(graph, node);
    *left = node;
    if (made->operation == BERTH_NUMBER) {
        *left = 0;
        return made->number;
    }
    for (int k = 0; made->operation == BERTH_MULTIPLY && k < 2; k++) {
        if (is(graph, k ? made->b : made->a, BERTH_NUMBER)) {
            *left = k ? made->a : made->b;
            return at(graph, k ? made->b : made->a)->number;
        }
    }
    return 1;
}

/* An earlier node that this one, which has an offset, is *ratio times of; itself where there is
 * none. */
static int find_multiple(const struct berth_graph *graph, int node, double *ratio)
{
    const struct berth_node *made = at(graph, node);
    int factor, offset;
    const double f = number_in(graph, made->b, &factor), o = number_in(graph, made->c, &offset);
    for (int i = 1; i < node; i++) {
        const struct berth_node *other = at(graph, i);
        if (other->operation != BERTH_AFFINE || other->a != made->a || other->c == 0) {
            continue;
        }
        int left_factor, left_offset;
        *ratio = f / number_in(graph, other->b, &left_factor);
        const double offsets = o / number_in(graph, other->c, &left_offset);
        if (factor == left_factor && offset == left_offset &&
            fabs(*ratio - offsets) <= 1e-14 * fabs(offsets)) {
            return i;
        }
    }
    *ratio = 1;
    return node;
}

/* What is left of a node when its factor is taken out: the node itself where it has an offset. */
static int without_factor(struct berth_graph *graph, int node, int *factor)
{
    const struct berth_affine affine = berth_take_apart(graph, node);
    *factor = affine.offset == 0 ? affine.factor : berth_number(graph, 1);
    return affine.offset == 0 ? affine.base : node;
}

/* The same, but one with an offset has the factor that makes it one that there is already. */
static int as_multiple(struct berth_graph *graph, int node, int *factor)
{
    double ratio = 1;
    if (berth_take_apart(graph, node).offset == 0) {
        return without_factor(graph, node, factor);
    }
    const int left = find_multiple(graph, node, &ratio);
    *factor = berth_number(graph, ratio);
    return left;
}

int berth_multiply(struct berth_graph *graph, int a, int b)
{
    if (!varies(graph, a) && !varies(graph, b)) {
        return multiply_fixed(graph, a, b);
    }
    if (varies(graph, a) && varies(graph, b)) {
        int x, y;
        const int base_a = as_multiple(graph, a, &x), base_b = as_multiple(graph, b, &y);
        return berth_multiply(graph, multiply_fixed(graph, x, y),
                              multiply_bases(graph, base_a, base_b));
    }
    const int fixed = varies(graph, a) ? b : a;
    struct berth_affine product = berth_take_apart(graph, varies(graph, a) ? a : b);
    product.factor = multiply_fixed(graph, fixed, product.factor);
    product.offset = multiply_fixed(graph, fixed, product.offset);
    return put_together(graph, product);
}

int berth_reciprocal(struct berth_graph *graph, int a)
{
    int factor;
    if (is(graph, a, BERTH_RECIPROCAL)) {
        return at(graph, a)->a;
    }
    if (!varies(graph, a)) {
        return make(graph, BERTH_RECIPROCAL, a, 0, 0);
    }
    const int base = without_factor(graph, a, &factor);
    if (base != a) {
        return berth_multiply(graph, berth_reciprocal(graph, factor),
                              berth_reciprocal(graph, base));
    }
    if (is(graph, a, BERTH_POWER)) {
        const struct powered powered = as_power(graph, a);
        return berth_power(graph, berth_reciprocal(graph, powered.base), powered.power);
    }
    if (is(graph, a, BERTH_EXP2)) {
        return berth_unary(graph, BERTH_EXP2, berth_negative(graph, at(graph, a)->a));
    }
    return make(graph, BERTH_RECIPROCAL, a, 0, 0);
}

int berth_divide(struct berth_graph *graph, int a, int b)
{
    return a == b && varies(graph, a) ? berth_number(graph, 1)
                                      : berth_multiply(graph, a, berth_reciprocal(graph, b));
}

int berth_power(struct berth_graph *graph, int a, int n)
{
    if (n == 0) {
        return berth_number(graph, 1);
    }
    if (n < 0) {
        return berth_power(graph, berth_reciprocal(graph, a), -n);
    }
    if (!varies(graph, a)) {
        return make_power(graph, a, n);
    }
    int factor;
    const int base = without_factor(graph, a, &factor);
    if (base != a) {
        return berth_multiply(graph, berth_power(graph, factor, n), berth_power(graph, base, n));
    }
    if (is(graph, a, BERTH_SQRT) && n % 2 == 0) {
        return berth_power(graph, at(graph, a)->a, n / 2);
    }
    const struct powered powered = as_power(graph, a);
    return n <= POWER_MAX / powered.power ? make_power(graph, powered.base, n * powered.power)
                                          : make_power(graph, a, n);
}

int berth_raise(struct berth_graph *graph, int a, int b)
{
    const double power = at(graph, b)->number;
    if (is(graph, b, BERTH_NUMBER) && power == rint(power) && fabs(power) <= 64) {
        return berth_power(graph, a, (int)power);
    }
    if (berth_is_number(graph, b, 0.5)) {
        return berth_unary(graph, BERTH_SQRT, a);
    }
    return berth_unary(graph, BERTH_EXP2,
                       berth_multiply(graph, b, berth_unary(graph, BERTH_LOG2, a)));
}

int berth_unary(struct berth_graph *graph, enum berth_operation operation, int a)
{
    return make(graph, operation, a, 0, 0);
}

int berth_binary(struct berth_graph *graph, enum berth_operation operation, int a, int b)
{
    if (operation == BERTH_LESS || operation == BERTH_AT_MOST) {
        return make(graph, operation, a, b, 0);
    }
    if (a == b && (operation == BERTH_MIN || operation == BERTH_MAX)) {
        return a;
    }
    return make_ordered(graph, operation, a, b);
}

static int select_fixed(struct berth_graph *graph, int condition, int a, int b)
{
    if (is(graph, condition, BERTH_NUMBER)) {
        return at(graph, condition)->number != 0 ? a : b;
    }
    return a == b ? a : make(graph, BERTH_SELECT, condition, a, b);
}

static int opposite(struct berth_graph *graph, int condition)
{
    const struct berth_node made = *at(graph, condition);
    if (made.operation == BERTH_LESS) {
        return berth_binary(graph, BERTH_AT_MOST, made.b, made.a);
    }
    if (made.operation == BERTH_AT_MOST) {
        return berth_binary(graph, BERTH_LESS, made.b, made.a);
    }
    return berth_unary(graph, BERTH_NOT, condition);
}

/* A node where the condition holds, else 0.  Its factor stands outside; and where it is a choice
 * with a 0 of its own, the two conditions become one. */
static int select_or_zero(struct berth_graph *graph, int condition, int node)
{
    const struct berth_affine affine = berth_take_apart(graph, node);
    if (affine.base && affine.base != node && affine.offset == 0) {
        return berth_multiply(graph, affine.factor, select_or_zero(graph, condition, affine.base));
    }
    const struct berth_node made = *at(graph, node);
    if (made.operation == BERTH_SELECT && made.c == 0) {
        return select_fixed(graph, berth_binary(graph, BERTH_AND, condition, made.a), made.b, 0);
    }
    if (made.operation == BERTH_SELECT && made.b == 0) {
        const int both = berth_binary(graph, BERTH_AND, condition, opposite(graph, made.a));
        return select_fixed(graph, both, made.c, 0);
    }
    return select_fixed(graph, condition, node, 0);
}

/* A condition on types alone chooses coefficients, so that what it excludes is not worked out. */
int berth_select(struct berth_graph *graph, int condition, int a, int b)
{
    if (varies(graph, condition) && varies(graph, a) && b == 0) {
        return select_or_zero(graph, condition, a);
    }
    if (varies(graph, condition) && varies(graph, b) && a == 0) {
        return select_or_zero(graph, opposite(graph, condition), b);
    }
    if (varies(graph, condition) || (!varies(graph, a) && !varies(graph, b)) || a == b ||
        is(graph, condition, BERTH_NUMBER)) {
        return select_fixed(graph, condition, a, b);
    }
    struct berth_affine x = berth_take_apart(graph, a), y = berth_take_apart(graph, b);
    x.factor = select_fixed(graph, condition, x.factor, 0);
    x.offset = select_fixed(graph, condition, x.offset, 0);
    y.factor = select_fixed(graph, condition, 0, y.factor);
    y.offset = select_fixed(graph, condition, 0, y.offset);
    return berth_add(graph, put_together(graph, x), put_together(graph, y));
}

int berth_rebuild(struct berth_graph *graph, const struct berth_node *node, int a, int b, int c)
{
    switch (node->operation) {
    case BERTH_NUMBER:
        return berth_number(graph, node->number);
    case BERTH_SYMBOL:
        return berth_symbol(graph, node->a, node->varies);
    case BERTH_ADD:
        return berth_add(graph, a, b);
    case BERTH_MULTIPLY:
        return berth_multiply(graph, a, b);
    case BERTH_AFFINE:
        return berth_add(graph, berth_multiply(graph, a, b), c);
    case BERTH_RECIPROCAL:
        return berth_reciprocal(graph, a);
    case BERTH_POWER:
        return berth_power(graph, a, (int)node->number);
    case BERTH_SELECT:
        return berth_select(graph, a, b, c);
    default:
        return berth_operand_count(node->operation) == 1
                   ? berth_unary(graph, node->operation, a)
                   : berth_binary(graph, node->operation, a, b);
    }
}

void berth_evaluate(const struct berth_graph *graph, const double *symbols, bool single, int end,
                    double *values)
{
    for (int i = 0; i < end; i++) {
        const struct berth_node *node = at(graph, i);
        values[i] = is(graph, i, BERTH_SYMBOL)
                        ? symbols[node->a]
                        : berth_operate(node, values[node->a], values[node->b], values[node->c]);
        values[i] = single ? (float)values[i] : values[i];
    }
}

void berth_mark(const struct berth_graph *graph, int node, bool *flags)
{
    const struct berth_node *marked = at(graph, node);
    const int operands[3] = {marked->a, marked->b, marked->c};
    if (flags[node]) {
        return;
    }
    flags[node] = true;
    for (int i = 0; i < berth_operand_count(marked->operation); i++) {
        berth_mark(graph, operands[i], flags);
    }
}

/* --- Derivatives --- */

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

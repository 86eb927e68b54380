#include "score/language/tail.h"

#include <math.h>

static const struct berth_tail NEVER = {INFINITY, 0};

/* A line in r. */
struct line {
    bool is;
    double slope, offset;
};

struct finder {
    const struct berth_graph *graph;
    const double *values;
    int distance;
    struct berth_tail *tails;
};

static struct line line_of(const struct finder *finder, int node)
{
    const struct berth_node *made = &finder->graph->nodes[node];
    if (node == finder->distance) {
        return (struct line){true, 1, 0};
    }
    if (made->operation == BERTH_AFFINE && made->a == finder->distance) {
        return (struct line){true, finder->values[made->b], finder->values[made->c]};
    }
    return (struct line){false, 0, 0};
}

/* Å: where the line is at a height. */
static double where(const struct line *line, double height)
{
    return fmax((height - line->offset) / line->slope, 0);
}

static struct berth_tail ramp_tail(const struct finder *finder, int x)
{
    const struct line line = line_of(finder, x);
    if (!line.is || line.slope == 0) {
        return NEVER;
    }
    return line.slope < 0 ? (struct berth_tail){where(&line, 0), 0}
                          : (struct berth_tail){where(&line, 1), 1};
}

/* Of min, max and comparisons of a line and what has ended. */
static struct berth_tail compared_tail(const struct finder *finder, const struct berth_node *node)
{
    struct line line = line_of(finder, node->a);
    const bool first = line.is;
    const struct berth_tail other = finder->tails[first ? node->b : node->a];
    if (!first) {
        line = line_of(finder, node->b);
    }
    if (!line.is || line.slope == 0 || isinf(other.from)) {
        return NEVER;
    }
    const double from = fmax(other.from, where(&line, other.value));
    const bool rises = line.slope > 0;
    switch (node->operation) {
    case BERTH_MIN:
        return rises ? (struct berth_tail){from, other.value} : NEVER;
    case BERTH_MAX:
        return rises ? NEVER : (struct berth_tail){from, other.value};
    case BERTH_EQUAL:
        return (struct berth_tail){nextafter(from, INFINITY), 0};
    default: /* a < b, a <= b */
        return (struct berth_tail){nextafter(from, INFINITY), first != rises};
    }
}

/* Of an operation on what has ended. */
static struct berth_tail ended(const struct finder *finder, const struct berth_node *node)
{
    const int operands[3] = {node->a, node->b, node->c};
    double from = 0, values[3] = {0, 0, 0};
    for (int i = 0; i < berth_operand_count(node->operation); i++) {
        from = fmax(from, finder->tails[operands[i]].from);
        values[i] = finder->tails[operands[i]].value;
    }
    return (struct berth_tail){from, berth_operate(node, values[0], values[1], values[2])};
}

static struct berth_tail product_tail(const struct finder *finder, const struct berth_node *node)
{
    struct berth_tail tail = ended(finder, node);
    const struct berth_tail factors[2] = {finder->tails[node->a], finder->tails[node->b]};
    for (int i = 0; i < 2; i++) {
        if (factors[i].value == 0 && factors[i].from < tail.from) {
            tail = factors[i];
        }
    }
    return tail;
}

static struct berth_tail tail_of(const struct finder *finder, const struct berth_node *node)
{
    struct berth_tail tail = ended(finder, node);
    if (node->operation == BERTH_MULTIPLY) {
        tail = product_tail(finder, node);
    } else if (node->operation == BERTH_AFFINE && finder->values[node->b] == 0) {
        tail = (struct berth_tail){0, finder->values[node->c]};
    } else if (node->operation == BERTH_SELECT && !isinf(finder->tails[node->a].from)) {
        const struct berth_tail condition = finder->tails[node->a];
        tail = finder->tails[condition.value != 0 ? node->b : node->c];
        tail.from = fmax(tail.from, condition.from);
    } else if (isinf(tail.from) && node->operation == BERTH_SATURATE) {
        tail = ramp_tail(finder, node->a);
    } else if (isinf(tail.from) &&
               (node->operation == BERTH_MIN || node->operation == BERTH_MAX ||
                node->operation == BERTH_LESS || node->operation == BERTH_AT_MOST ||
                node->operation == BERTH_EQUAL)) {
        tail = compared_tail(finder, node);
    }
    return isnan(tail.from) || isnan(tail.value) ? NEVER : tail;
}

void berth_find_tails(const struct berth_graph *graph, const double *values, int distance, int end,
                      struct berth_tail *tails)
{
    const struct finder finder = {graph, values, distance, tails};
    for (int i = 0; i < end; i++) {
        const struct berth_node *node = &graph->nodes[i];
        if (!node->varies) {
            tails[i] = (struct berth_tail){0, values[i]};
        } else {
            tails[i] = node->operation == BERTH_SYMBOL ? NEVER : tail_of(&finder, node);
        }
    }
}

/* Expressions of a scoring function: a graph of operations in which equal expressions are one node,
 * so that what is shared is worked out once.
 *
 * A node is its number in the graph; operands come before what is made of them, so that going
 * through the numbers in order is an evaluation.  The functions that make nodes simplify as they
 * go: numbers are worked out, and every node that varies with the distance is kept as
 *     factor * base + offset
 * of a base without factor or offset of its own, and of two nodes that do not vary.
 *
 * A graph that has run out of room gives node 0, and is `full` from then on.
 */
#ifndef BERTH_SCORE_LANGUAGE_EXPRESSION_H
#define BERTH_SCORE_LANGUAGE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* All operations: name, number of operands; the value, and bounds of it (check.c), from those of
 * the operands a, b and c; whether it is rounded; how it is written in code (source.c), with @ for
 * an operand of an operator, $ for one of a function, ~ for a condition.
 *
 * SYMBOL: number a.  AFFINE: a varies, b and c do not.  POWER: the node's number is whole and at
 * least 2; its half, or the power before an odd one, is a node, too. */
#define BERTH_OPERATIONS(ROW)                                                                      \
    ROW(NUMBER, 0, node->number, at(node->number), false, NULL)                                    \
    ROW(SYMBOL, 0, node->number, at(node->number), false, NULL)                                    \
    ROW(ADD, 2, a + b, add(a, b), true, NULL)                                                      \
    ROW(MULTIPLY, 2, (a * b), multiply(a, b), true, "(@ * @)")                                     \
    ROW(AFFINE, 3, (a * b + c), multiply_add(a, b, c), true, NULL)                                 \
    ROW(RECIPROCAL, 1, 1 / a, reciprocal(a), true, "native_recip($)")                              \
    ROW(POWER, 1, pow(a, node->number), power(a, node->number), true, "(@ * @)")                   \
    ROW(MIN, 2, b < a ? b : a, lesser(a, b), false, "min($, $)")                                   \
    ROW(MAX, 2, b > a ? b : a, greater(a, b), false, "max($, $)")                                  \
    ROW(ABS, 1, fabs(a), absolute(a), false, "fabs($)")                                            \
    ROW(SQRT, 1, sqrt(a), rise(sqrt, a, 0), true, "native_sqrt($)")                                \
    ROW(EXP2, 1, exp2(a), rise(exp2, a, -INFINITY), true, "fast_exp2($)")                          \
    ROW(LOG2, 1, log2(a), rise(log2, a, 0), true, "native_log2($)")                                \
    ROW(SIN, 1, sin(a), cosine(a, -HALF_TURN / 2), false, "angle_sin($)")                          \
    ROW(COS, 1, cos(a), cosine(a, 0), false, "angle_cos($)")                                       \
    ROW(SATURATE, 1, (a < 0 ? 0 : a > 1 ? 1 : a), saturated(a), false, "clamp($, 0.0f, 1.0f)")     \
    ROW(LESS, 2, a < b, compare(BERTH_LESS, a, b), false, "(@ < @)")                               \
    ROW(AT_MOST, 2, a <= b, compare(BERTH_AT_MOST, a, b), false, "(@ <= @)")                       \
    ROW(EQUAL, 2, a == b, compare(BERTH_EQUAL, a, b), false, "(@ == @)")                           \
    ROW(AND, 2, a != 0 && b != 0, both(a, b), false, "(~ && ~)")                                   \
    ROW(OR, 2, a != 0 || b != 0, either(a, b), false, "(~ || ~)")                                  \
    ROW(NOT, 1, a == 0, neither(a), false, "(@ == 0)")                                             \
    ROW(SELECT, 3, a != 0 ? b : c, choose(a, b, c), false, "(~ ? $ : $)")

enum berth_operation {
#define ROW(name, operands, value, bounds, rounds, text) BERTH_##name,
    BERTH_OPERATIONS(ROW)
#undef ROW
};

struct berth_node {
    enum berth_operation operation;
    int a, b, c; /* operands; 0 where there is none */
    double number;
    bool varies; /* with the distance of the atoms */
};

/* Nodes of a graph at most: beyond, an expression is too large for a kernel. */
enum { BERTH_NODES_MAX = 2048 };

struct berth_graph {
    struct berth_node nodes[BERTH_NODES_MAX]; /* node 0 is the number 0 */
    int count;                                /* at least 1, once begun */
    bool full;
};

void berth_graph_begin(struct berth_graph *graph);

/* How many operands a node of this kind has: 0 to 3. */
int berth_operand_count(enum berth_operation operation);

/* Numbers, and symbols: what a symbol stands for is given when expressions are evaluated. */
int berth_number(struct berth_graph *graph, double number);
int berth_symbol(struct berth_graph *graph, int symbol, bool varies);

bool berth_is_number(const struct berth_graph *graph, int node, double number);

int berth_add(struct berth_graph *graph, int a, int b);
int berth_negative(struct berth_graph *graph, int a);
int berth_subtract(struct berth_graph *graph, int a, int b);
int berth_multiply(struct berth_graph *graph, int a, int b);
int berth_reciprocal(struct berth_graph *graph, int a);
int berth_divide(struct berth_graph *graph, int a, int b);

/* a to the power of n, of any sign. */
int berth_power(struct berth_graph *graph, int a, int n);

/* a to the power of b: by multiplications where b is a whole number up to 64. */
int berth_raise(struct berth_graph *graph, int a, int b);

/* Any operation of one operand: BERTH_ABS, BERTH_SQRT, BERTH_EXP2, BERTH_LOG2, BERTH_SIN,
 * BERTH_COS, BERTH_SATURATE, BERTH_NOT. */
int berth_unary(struct berth_graph *graph, enum berth_operation operation, int a);

/* BERTH_MIN, BERTH_MAX, a comparison, BERTH_AND or BERTH_OR. */
int berth_binary(struct berth_graph *graph, enum berth_operation operation, int a, int b);

int berth_select(struct berth_graph *graph, int condition, int a, int b);

/* A node taken apart: factor * base + offset.  Where it does not vary, base is 0 and offset it. */
struct berth_affine {
    int base, factor, offset;
};

struct berth_affine berth_take_apart(struct berth_graph *graph, int node);

/* The node of an operation like node's on other operands, in this graph or another one. */
int berth_rebuild(struct berth_graph *graph, const struct berth_node *node, int a, int b, int c);

/* Writes the values of nodes [0, end) to values[end].  symbols: what symbols stand for.  single:
 * rounds every result to single precision, as a device does. */
void berth_evaluate(const struct berth_graph *graph, const double *symbols, bool single, int end,
                    double *values);

/* What an operation makes of the values of its operands; symbols have none. */
double berth_operate(const struct berth_node *node, double a, double b, double c);

/* Sets flags[i] for the node and all that it is made of. */
void berth_mark(const struct berth_graph *graph, int node, bool *flags);

/* Derivatives of expressions by the distance of the two atoms.
 *
 * At a kink the derivative is that of one side.  A descent wants more: near a corner of the energy,
 * where minima are, a slope that points to where the energy falls on all sides.  With a sharpness
 * (1/Å) the slope does not jump there, but changes over 1 / sharpness Å:
 *     max(r, k) or min(r, k): half of it on either side of k;
 *     max(x, 0) or min(x, 0) with x a line in r: within where x counts, so that beyond its end
 *     there is nothing;
 *     a ramp: likewise, at both of its ends.
 * Kinks of other expressions stay as they are.
 */
struct berth_derivation {
    struct berth_graph *graph;
    int distance;  /* node of the symbol r */
    int inverse;   /* node of the symbol that stands for 1 / r; 0: there is none */
    int square;    /* node of the symbol that stands for r²; 0: there is none */
    int sharpness; /* node; 0: slopes jump at kinks */
    int *known;    /* borrowed; [BERTH_NODES_MAX], zeroed at first: derivatives so far, plus 1 */
};

/* The derivative of node. */
int berth_derive(const struct berth_derivation *derivation, int node);

#endif

/* Expressions of a scoring function: a graph of operations in which equal expressions are one node,
 * so that what is shared is worked out once.
 *
 * A node is its number in the graph; operands come before what is made of them, so that going
 * through the numbers in order is an evaluation.  The functions that make nodes simplify as they
 * go: numbers are worked out, and every node that varies with the distance is kept as
 *     factor * base + offset
 * of a base without factor or offset of its own, and of two nodes that do not vary.
 *
 * A graph that has run out of room gives node 0, and says so from then on (berth_graph_is_full).
 */
#ifndef BERTH_SCORE_LANGUAGE_EXPRESSION_H
#define BERTH_SCORE_LANGUAGE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum berth_operation {
    BERTH_NUMBER,     /* its number */
    BERTH_SYMBOL,     /* symbol number a */
    BERTH_ADD,        /* a + b */
    BERTH_MULTIPLY,   /* a b */
    BERTH_AFFINE,     /* b a + c; a varies, b and c do not */
    BERTH_RECIPROCAL, /* 1 / a */
    BERTH_POWER,      /* a to the power of its number, which is whole and at least 2; its half, or
                         the power before an odd one, is a node, too */
    BERTH_MIN,
    BERTH_MAX,
    BERTH_ABS,
    BERTH_SQRT,
    BERTH_EXP2,
    BERTH_LOG2,
    BERTH_SIN,
    BERTH_COS,
    BERTH_SATURATE, /* min(max(a, 0), 1) */
    BERTH_LESS,     /* 1 where a < b, else 0 */
    BERTH_AT_MOST,  /* 1 where a <= b, else 0 */
    BERTH_EQUAL,    /* 1 where a = b, else 0 */
    BERTH_AND,      /* 1 where neither a nor b is 0, else 0 */
    BERTH_OR,
    BERTH_NOT,
    BERTH_SELECT /* b where a is not 0, else c */
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
    struct berth_node *nodes; /* owned; [BERTH_NODES_MAX]; node 0 is the number 0 */
    int count;
    bool full;
};

/* The caller clears *graph.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_graph_create(struct berth_graph *graph, struct berth_error *error);

/* Frees what it owns and zeroes it. */
void berth_graph_clear(struct berth_graph *graph);

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
int berth_put_together(struct berth_graph *graph, struct berth_affine affine);

/* The node of an operation like node's on other operands, in this graph or another one. */
int berth_rebuild(struct berth_graph *graph, const struct berth_node *node, int a, int b, int c);

/* Writes the values of nodes [0, end) to values[end].  symbols: what symbols stand for.  only:
 * NULL, or flags of the nodes that are wanted, operands included.  single: rounds every result to
 * single precision, as a device does. */
struct berth_graph_evaluation {
    const double *symbols;
    const bool *only;
    bool single;
};
void berth_evaluate(const struct berth_graph *graph,
                    const struct berth_graph_evaluation *evaluation, int end, double *values);

/* What an operation makes of the values of its operands; symbols have none. */
double berth_operate(const struct berth_node *node, double a, double b, double c);

/* Sets flags[i] for the node and all that it is made of. */
void berth_mark(const struct berth_graph *graph, int node, bool *flags);

#endif

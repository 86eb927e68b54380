/* A scoring function ready for use: what its file says and the parameters of its types, compiled.
 *
 * Terms are taken apart into parts, each a weight, which depends on the types alone, times a
 * function of the distance.  What depends on types alone is worked out once for each pair of types
 * (the constants); what is left is code, in which ramps that fall with the distance have the form
 *     slope * max(end - max(r, knee), 0),   or   slope * (max(r, end) - r)   without a knee,
 * so that ramps with one knee share it.  Where clamping is free they stay as they are: loop bodies
 * have both forms.
 */
#ifndef BERTH_SCORE_LANGUAGE_PROGRAM_H
#define BERTH_SCORE_LANGUAGE_PROGRAM_H

#include <stdio.h>

#include "score/language/definition.h"

/* Parts of all terms, and constants of a pair of types, at most; no pair is nearer than LEAST Å:
 * what is counts as so far. */
enum { BERTH_PARTS_MAX = 12, BERTH_CONSTANTS_MAX = 64, BERTH_BODIES_MAX = 8 };
#define BERTH_DISTANCE_LEAST 0.01

/* 1/Å: the sharpness that a function is tried with. */
#define BERTH_TRIED_SHARPNESS 4

/* Symbols of the code. */
enum berth_code_symbol {
    BERTH_CODE_DISTANCE, /* r, Å */
    BERTH_CODE_SCALED,   /* r times scale: how loops over runs have it */
    BERTH_CODE_SCALE,
    BERTH_CODE_INVERSE,   /* 1 / r */
    BERTH_CODE_SQUARE,    /* r² */
    BERTH_CODE_SHARPNESS, /* see struct berth_derivation */
    BERTH_CODE_CONSTANTS  /* the first one's */
};

/* A way to write the parts in code: nodes of the program's code. */
struct berth_code_form {
    int weights[BERTH_PARTS_MAX], bases[BERTH_PARTS_MAX];
};

/* How terms and slopes are worked out in double precision (evaluate.c): what does not vary with the
 * distance stands ready for each pair of types, what varies is a row of operations.  A value's
 * number is below fixed_count one of the former, from there on the step that gives it. */
struct berth_score_steps {
    struct berth_node *steps;   /* owned; [count]; operands are numbers of values */
    size_t energy_count, count; /* the first are all that terms need */
    double *fixed;              /* owned; [pairs][fixed_count] */
    size_t fixed_count;
    int weights[BERTH_PARTS_MAX], bases[BERTH_PARTS_MAX], slopes[BERTH_PARTS_MAX];
};

struct berth_score_program {
    const struct berth_definition *definition; /* borrowed */
    size_t pairs;                              /* type_count squared */
    size_t part_count;
    size_t terms[BERTH_PARTS_MAX];            /* of which term each part is */
    int weights[BERTH_PARTS_MAX];             /* nodes of the definition's graph */
    int bases[BERTH_PARTS_MAX];               /* the same */
    struct berth_graph graph;                 /* the definition's, and what compiling adds to it */
    int slope_nodes[BERTH_PARTS_MAX];         /* in it: the derivatives of the bases */
    int distance;                             /* in it: r */
    struct berth_score_steps steps;           /* of graph */
    struct berth_graph code;                  /* of the device */
    size_t constant_count;                    /* that the device is given of a pair */
    size_t shared_from;                       /* code shares constants from this one on */
    size_t slope_constants;                   /* the first so many are all but the clamped loops' */
    double *constants;                        /* owned; [constant_count][pairs] */
    struct berth_code_form pair, knee, clamp; /* in r; for loops: in r times scale */
    int energy, slope, soft_slope;            /* sum over all parts, and its derivatives */
    unsigned *masks;                          /* owned; [pairs]: bit k: part k's weight is not 0 */
    unsigned bodies[BERTH_BODIES_MAX];        /* masks that have a loop body of their own */
    size_t body_count;
    double *reach; /* owned; [pairs]: Å: nothing but 0 from here on */
    double far;    /* Å: what r becomes from the cutoff on, so that all parts are 0; 0: no need */
    bool floored;  /* r is BERTH_DISTANCE_LEAST at least: something is not finite at 0 */
    bool inverted; /* the code asks for 1 / r */
};

/* Compiles the definition, whose types and values are there; it is borrowed and must stay where it
 * is.  The caller clears *program.  Errors: BERTH_E_FORMAT (too large a function), BERTH_E_MEMORY.
 */
enum berth_status berth_score_compile(const struct berth_definition *definition,
                                      struct berth_score_program *program,
                                      struct berth_error *error);

/* Tries the program on all pairs of types up to the cutoff, as a device does it: at many distances,
 * and by bounds at all of them.  Errors: BERTH_E_FORMAT (which term is not finite, or
 * another one when the atoms change places: for which types, at which r). */
enum berth_status berth_score_check(const struct berth_score_program *program,
                                    struct berth_error *error);

/* The terms of a pair of types at r (Å), and their derivatives by r; either may be NULL. */
void berth_score_evaluate(const struct berth_score_program *program, int first, int second,
                          double r, struct berth_terms *terms, struct berth_terms *slopes);

/* Constants that the device is given of a pair of types: BERTH_PAIR_CONSTANTS of its code. */
size_t berth_score_constant_count(const struct berth_score_program *program);

/* Writes the constants of a pair of types: constants[berth_score_constant_count]. */
void berth_score_constants(const struct berth_score_program *program, int first, int second,
                           float *constants);

/* Å: all terms of the pair are 0 from there on; at most the cutoff. */
double berth_score_reach(const struct berth_score_program *program, int first, int second);

/* The longest of all pairs. */
double berth_score_longest_reach(const struct berth_score_program *program);

/* The mask of the loop body that the pair takes. */
unsigned berth_score_body(const struct berth_score_program *program, int first, int second);

/* Writes the values of the code's nodes, values[code.count], for a pair of types at r, in single
 * precision as on a device; r is not clamped. */
void berth_score_run(const struct berth_score_program *program, size_t pair, double r,
                     double *values);

/* For compiling: readies what berth_score_evaluate goes through.  columns: as below.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_score_find_steps(struct berth_score_program *program,
                                         double *const *columns, struct berth_error *error);

/* For compiling: works out the reach of each pair from the parts and masks.  columns: for each node
 * of the graph that does not vary its value for each pair of types.  Gives whether all pairs end
 * before the cutoff by themselves. */
bool berth_score_find_reach(struct berth_score_program *program, double *const *columns);

/* Frees what it owns and zeroes it; NULL and a zeroed one are accepted. */
void berth_score_clear(struct berth_score_program *program);

/* --- The function as OpenCL C (source.c) --- */

/* Definitions that stand before all kernels; the caller frees them, NULL when out of memory:
 *     BERTH_TERMS, BERTH_PARTS           how many there are
 *     BERTH_PAIR_CONSTANTS               constants of a pair of types
 *     BERTH_SLOPE_CONSTANTS              the first so many are all that slopes need
 *     BERTH_SOFTENED                     the term that a search softens at first, or -1
 *     BERTH_INVERTED                     1: the function asks for 1 / r
 *     BERTH_CUTOFF_SQUARE, BERTH_FAR_SQUARE   r² from the first on counts as the second, Å²
 *     BERTH_LEAST_SQUARE                 r² below counts as this, Å²; not there: no need
 *     BERTH_TORSIONAL                    there where the function has a torsional term
 *     BERTH_FOR_EACH_BODY(BODY)          BODY(mask) of each loop body */
char *berth_score_definitions(const struct berth_score_program *program);

/* The functions, which stand behind kernels/vector.cl and distance.cl; likewise.  T is float, or
 * (in the functions with _v) vector, each lane a pair of its own; c: constants, in private memory:
 *     T pair_energy(T r, const T *c)
 *     T pair_energy_slope(T r, const T *c, T *slope)       slope: dE/dr
 *     void add_slopes(...)         adds parts to sums, and the softened dE/dr of all
 *     void weigh_slopes(...)       adds the sums, weighted, to terms
 *     void add_parts(...)          one receptor atom of a run: c is the same for all lanes
 *     void weigh_parts(...)        adds what a run came to, weighted, to terms */
char *berth_score_functions(const struct berth_score_program *program);

/* The torsional term of a function that has one, which stands behind kernels/torsional.cl;
 * likewise: real torsional_energy(int row, real phi, real *slope)    phi: within half a turn, rad
 */
char *berth_score_torsional(const struct berth_score_program *program);

/* How the code is written down, node by node; also for what counts the operations of the text
 * (bench/instruments/floor.c).  What varies with the distance has the type "vector" or
 * "float", the rest the type of the constants. */
struct berth_writer {
    FILE *file; /* borrowed */
    const struct berth_graph *code;
    const char *type, *constant_type;
    const char *angle; /* what the one symbol is called, where it is an angle; else NULL */
    int uses[BERTH_NODES_MAX];
};

/* Counts the uses of the node and of all that it is made of. */
void berth_writer_count_uses(struct berth_writer *writer, int node);

/* A factor and what it is multiplied with, where a node is a product that has no name. */
bool berth_writer_as_product(const struct berth_writer *writer, int node, int product[2]);

#endif

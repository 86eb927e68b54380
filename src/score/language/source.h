/* A scoring function as OpenCL C. */
#ifndef BERTH_SCORE_LANGUAGE_SOURCE_H
#define BERTH_SCORE_LANGUAGE_SOURCE_H

#include <stdio.h>

#include "score/language/program.h"

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

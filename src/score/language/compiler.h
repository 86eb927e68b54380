/* What compiling a scoring function goes through, inside of src/score/language. */
#ifndef BERTH_SCORE_LANGUAGE_COMPILER_H
#define BERTH_SCORE_LANGUAGE_COMPILER_H

#include "score/language/program.h"

/* What compiling works on: see program.h. */
struct berth_compiler {
    struct berth_score_program *program;
    struct berth_graph *graph; /* the program's */
    double **columns;          /* owned; [BERTH_NODES_MAX]: values of the graph's nodes that do
                                  not vary, [pairs] each; NULL of others */
    double *row;               /* owned; [BERTH_NODES_MAX] */
    int *map;                  /* owned; [BERTH_NODES_MAX]: what nodes became, plus 1 */
    int distance;              /* the graph's node of r */
    int knee_weights[BERTH_PARTS_MAX], knee_bases[BERTH_PARTS_MAX]; /* in the graph */
    int clamp_weights[BERTH_PARTS_MAX], clamp_bases[BERTH_PARTS_MAX];
};

/* Works out the columns of nodes that have none.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_fill_columns(struct berth_compiler *compiler, struct berth_error *error);

/* Writes each part of the graph in the forms that code has. */
void berth_shape_parts(struct berth_compiler *compiler);

/* Makes the code and its constants of the shaped parts.  Errors: BERTH_E_FORMAT (too large),
 * BERTH_E_MEMORY. */
enum berth_status berth_make_code(struct berth_compiler *compiler, struct berth_error *error);

/* Makes of weight * base, whose base may have a factor, the same without that. */
void berth_move_factor(struct berth_graph *graph, int *weight, int *base);

#endif

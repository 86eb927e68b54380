/* How a program's code is written down, node by node: for source.c, and for what counts the
 * operations of the text (bench/instruments/floor.c). */
#ifndef BERTH_SCORE_LANGUAGE_WRITER_H
#define BERTH_SCORE_LANGUAGE_WRITER_H

#include "score/language/program.h"

struct text;

/* What varies with the distance has the type "vector" or "float", the rest the type of the
 * constants. */
struct writer {
    struct text *text;
    const struct berth_graph *code;
    const char *type, *constant_type;
    const char *angle; /* what the one symbol is called, where it is an angle; else NULL */
    int uses[BERTH_NODES_MAX];
};

/* Counts the uses of the node and of all that it is made of. */
void berth_writer_count_uses(struct writer *writer, int node);

/* A factor and what it is multiplied with, where a node is a product that has no name. */
bool berth_writer_as_product(const struct writer *writer, int node, int product[2]);

#endif

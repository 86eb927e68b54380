/* Reads expressions: + - * / ^, comparisons, and, or, not, functions, names.  docs/scoring.md has
 * the grammar. */
#ifndef BERTH_SCORE_LANGUAGE_PARSER_H
#define BERTH_SCORE_LANGUAGE_PARSER_H

#include "score/language/expression.h"
#include "score/language/lexer.h"

/* What a name stands for; everything is borrowed. */
struct berth_scope {
    struct berth_graph *graph;
    /* Finds the node of a name, or says no. */
    bool (*find)(void *context, const char *name, size_t length, int *node);
    void *context;
    const char *names; /* which names there are, for messages */
    bool angular;      /* sin and cos are functions here */
};

/* Reads an expression from the current word on, as far as it goes.  Errors: BERTH_E_FORMAT (with
 * line and column). */
enum berth_status berth_parse_expression(struct berth_lexer *lexer, const struct berth_scope *scope,
                                         int *node, struct berth_error *error);

/* True where the language has a use of its own for the name. */
bool berth_is_reserved(const char *name, size_t length);

#endif

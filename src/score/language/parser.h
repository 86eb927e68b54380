/* Reads .score files: words, and the expressions that they make.  docs/scoring.md has the grammar.
 *
 * A statement begins at the beginning of a line; lines that begin with a blank go on with it.  '#'
 * begins a comment.  Blank lines say nothing.
 *
 * The first mistake ends the text: its message is kept, and what is read after it is the end, and
 * nodes that nobody needs. */
#ifndef BERTH_SCORE_LANGUAGE_PARSER_H
#define BERTH_SCORE_LANGUAGE_PARSER_H

#include "score/language/expression.h"

enum berth_word_kind {
    BERTH_WORD_NAME,   /* letters, digits and '_', a letter first */
    BERTH_WORD_NUMBER, /* as C writes decimal numbers, without a sign */
    BERTH_WORD_MARK,   /* + - * / ^ ( ) , = < <= > >= == != */
    BERTH_WORD_END     /* of the statement */
};

struct berth_word {
    enum berth_word_kind kind;
    const char *text; /* borrowed; not ended by 0 */
    size_t length;
    double number; /* of a BERTH_WORD_NUMBER */
    size_t line, column;
};

/* Where reading is; everything is borrowed.  A copy of it can be read from again. */
struct berth_lexer {
    const char *file; /* its name, for messages */
    const char *at;   /* in a text that ends with 0 */
    const char *line_begin;
    size_t line;
    struct berth_word word;    /* the one to be looked at */
    struct berth_error *error; /* gets the first mistake */
    enum berth_status status;  /* of the first mistake: BERTH_E_FORMAT, FILE:LINE:COLUMN: what */
};

void berth_lexer_begin(const char *file, const char *text, struct berth_error *error,
                       struct berth_lexer *lexer);

/* Goes to the first word of the next statement; false where the text ends. */
bool berth_lexer_next_statement(struct berth_lexer *lexer);

/* Goes on to the next word of the statement, or to its end.  A character that no word begins with
 * is a mistake, and a number that is none. */
void berth_lexer_next(struct berth_lexer *lexer);

/* Goes on behind the current word where it is this one. */
bool berth_lexer_skip(struct berth_lexer *lexer, const char *text);

/* Goes on behind a mark that must be there. */
void berth_lexer_skip_mark(struct berth_lexer *lexer, const char *mark);

/* Reads the current word again as one that stands between blanks, whatever it is made of: the kind
 * is BERTH_WORD_NAME. */
void berth_lexer_plain(struct berth_lexer *lexer);

/* What stands on the line behind the current word, without blanks or comment at its end; the next
 * word is the one behind that. */
void berth_lexer_rest(struct berth_lexer *lexer, const char **text, size_t *length);

bool berth_word_is(const struct berth_word *word, const char *text);

/* A mistake at the current word. */
void berth_lexer_fail(struct berth_lexer *lexer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same: `expected`, and what is there instead. */
void berth_lexer_expected(struct berth_lexer *lexer, const char *expected);

/* Ends the text with a status whose message is there. */
void berth_lexer_stop(struct berth_lexer *lexer, enum berth_status status);

/* What a name stands for; everything is borrowed. */
struct berth_scope {
    struct berth_graph *graph;
    /* Finds the node of a name, or says no. */
    bool (*find)(void *context, const struct berth_word *name, int *node);
    void *context;
    const char *names; /* which names there are, for messages */
    bool angular;      /* sin and cos are functions here */
    /* NULL, or z and rank are functions here: the node of what is to be gathered of the argument
     * over all rows. */
    int (*gather)(void *context, bool ranks, int argument);
};

/* Reads an expression from the current word on, as far as it goes; gives its node. */
int berth_parse_expression(struct berth_lexer *lexer, const struct berth_scope *scope);

/* True where the language has a use of its own for the name. */
bool berth_is_reserved(const struct berth_word *name);

#endif

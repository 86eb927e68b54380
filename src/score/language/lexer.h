/* The words of a .score file.
 *
 * A statement begins at the beginning of a line; lines that begin with a blank go on with it.  '#'
 * begins a comment.  Blank lines say nothing. */
#ifndef BERTH_SCORE_LANGUAGE_LEXER_H
#define BERTH_SCORE_LANGUAGE_LEXER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

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
    struct berth_word word; /* the one to be looked at */
};

void berth_lexer_begin(const char *file, const char *text, struct berth_lexer *lexer);

/* True where the text ends.  Errors are those of berth_lexer_next, for a statement's first word. */
enum berth_status berth_lexer_next_statement(struct berth_lexer *lexer, bool *there,
                                             struct berth_error *error);

/* Goes on to the next word of the statement, or to its end.  Errors: BERTH_E_FORMAT (a character
 * that no word begins with, a number that is none). */
enum berth_status berth_lexer_next(struct berth_lexer *lexer, struct berth_error *error);

/* The same for words that stand between blanks, whatever they are made of: the kind is
 * BERTH_WORD_NAME.  The word that was to be looked at is read again. */
void berth_lexer_plain(struct berth_lexer *lexer);

/* What stands on the line behind the current word, without blanks or comment at its end; the next
 * word is the one behind that. */
void berth_lexer_rest(struct berth_lexer *lexer, const char **text, size_t *length);

bool berth_word_is(const struct berth_word *word, const char *text);

/* FILE:LINE:COLUMN: message, at the current word. */
enum berth_status berth_lexer_fail(const struct berth_lexer *lexer, struct berth_error *error,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same: `expected`, and what is there instead. */
enum berth_status berth_lexer_expected(const struct berth_lexer *lexer, const char *expected,
                                       struct berth_error *error);

#endif

#include "score/language/lexer.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters of a word that a message shows at most. */
enum { SHOWN = 40 };

void berth_lexer_begin(const char *file, const char *text, struct berth_lexer *lexer)
{
    *lexer = (struct berth_lexer){.file = file, .at = text, .line_begin = text, .line = 1};
}

enum berth_status berth_lexer_fail(const struct berth_lexer *lexer, struct berth_error *error,
                                   const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return berth_fail(error, BERTH_E_FORMAT, "%s:%zu:%zu: %s", lexer->file, lexer->word.line,
                      lexer->word.column, text);
}

enum berth_status berth_lexer_expected(const struct berth_lexer *lexer, const char *expected,
                                       struct berth_error *error)
{
    const struct berth_word *word = &lexer->word;
    if (word->kind == BERTH_WORD_END) {
        return berth_lexer_fail(lexer, error, "expected %s, but the statement ends here", expected);
    }
    return berth_lexer_fail(lexer, error, "expected %s, not '%.*s'", expected,
                            (int)(word->length < SHOWN ? word->length : SHOWN), word->text);
}

/* True where the text goes on with a character of a word, and not of a comment. */
static bool skip_blanks(struct berth_lexer *lexer)
{
    lexer->at += strspn(lexer->at, " \t");
    if (*lexer->at == '#') {
        lexer->at += strcspn(lexer->at, "\n");
    }
    return *lexer->at && *lexer->at != '\n';
}

/* Goes to the first word of the next line that has one; false at the end of the text. */
static bool skip_lines(struct berth_lexer *lexer)
{
    while (!skip_blanks(lexer)) {
        if (!*lexer->at) {
            return false;
        }
        lexer->line_begin = ++lexer->at;
        lexer->line++;
    }
    return true;
}

/* Begins the next word of the statement; false at its end. */
static bool begin_word(struct berth_lexer *lexer)
{
    struct berth_lexer ahead = *lexer;
    bool there = skip_blanks(lexer);
    if (!there) {
        ahead = *lexer;
        there = skip_lines(&ahead) && ahead.at > ahead.line_begin;
        if (there) {
            *lexer = ahead;
        }
    }
    lexer->word = (struct berth_word){.kind = there ? BERTH_WORD_NAME : BERTH_WORD_END,
                                      .text = lexer->at,
                                      .line = lexer->line,
                                      .column = (size_t)(lexer->at - lexer->line_begin) + 1};
    return there;
}

static enum berth_status read_number(struct berth_lexer *lexer, struct berth_error *error)
{
    const char *text = lexer->at;
    size_t length = strspn(text, "0123456789.");
    if (text[length] == 'e' || text[length] == 'E') {
        const size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        length += 1 + sign + strspn(text + length + 1 + sign, "0123456789");
    }
    char digits[64], *end = digits;
    const bool fits = length < sizeof digits;
    if (fits) {
        memcpy(digits, text, length);
        digits[length] = '\0';
        lexer->word.number = strtod(digits, &end);
    }
    lexer->word.kind = BERTH_WORD_NUMBER;
    lexer->word.length = length;
    lexer->at += length;
    if (!fits || *end || isalpha((unsigned char)*lexer->at) || *lexer->at == '_' ||
        !isfinite(lexer->word.number)) {
        return berth_lexer_expected(lexer, "a number", error);
    }
    return BERTH_OK;
}

enum berth_status berth_lexer_next(struct berth_lexer *lexer, struct berth_error *error)
{
    static const char MARKS[] = "+-*/^(),=<>!";
    if (!begin_word(lexer)) {
        return BERTH_OK;
    }
    struct berth_word *word = &lexer->word;
    const unsigned char first = (unsigned char)*lexer->at, second = (unsigned char)lexer->at[1];
    if (isalpha(first)) {
        while (isalnum((unsigned char)lexer->at[word->length]) || lexer->at[word->length] == '_') {
            word->length++;
        }
    } else if (isdigit(first) || (first == '.' && isdigit(second))) {
        return read_number(lexer, error);
    } else if (strchr(MARKS, first)) {
        word->kind = BERTH_WORD_MARK;
        word->length = second == '=' && strchr("=<>!", first) ? 2 : 1;
    } else {
        word->length = 1;
        if (first < ' ' || first > '~') {
            return berth_lexer_fail(
                lexer, error, "a character of code %u, which the language has no use for", first);
        }
        return berth_lexer_expected(lexer, "a name, a number or an operator", error);
    }
    lexer->at += word->length;
    return BERTH_OK;
}

void berth_lexer_plain(struct berth_lexer *lexer)
{
    lexer->at = lexer->word.text;
    if (!begin_word(lexer)) {
        return;
    }
    lexer->word.length = strcspn(lexer->at, " \t\n#");
    lexer->at += lexer->word.length;
}

void berth_lexer_rest(struct berth_lexer *lexer, const char **text, size_t *length)
{
    skip_blanks(lexer);
    *text = lexer->at;
    *length = strcspn(*text, "#\n");
    lexer->at += *length;
    while (*length && isspace((unsigned char)(*text)[*length - 1])) {
        --*length;
    }
    begin_word(lexer);
}

enum berth_status berth_lexer_next_statement(struct berth_lexer *lexer, bool *there,
                                             struct berth_error *error)
{
    *there = skip_lines(lexer);
    if (!*there) {
        return BERTH_OK;
    }
    const bool indented = lexer->at > lexer->line_begin;
    enum berth_status status = berth_lexer_next(lexer, error);
    if (!status && indented) {
        return berth_lexer_fail(lexer, error, "expected a statement at the beginning of the line");
    }
    return status;
}

bool berth_word_is(const struct berth_word *word, const char *text)
{
    return word->kind != BERTH_WORD_END && strlen(text) == word->length &&
           memcmp(word->text, text, word->length) == 0;
}

#include "score/language/parser.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "score/terms.h"

/* Characters of a word that a message shows at most; and expressions within expressions: reading
 * them takes the stack. */
enum { SHOWN = 40, DEPTH_MAX = 100, ARGUMENTS_MAX = 3 };

/* --- Words --- */

void berth_lexer_begin(const char *file, const char *text, struct berth_error *error,
                       struct berth_lexer *lexer)
{
    *lexer = (struct berth_lexer){
        .file = file, .at = text, .line_begin = text, .line = 1, .error = error};
}

static int shown(const struct berth_word *word)
{
    return (int)(word->length < SHOWN ? word->length : SHOWN);
}

void berth_lexer_stop(struct berth_lexer *lexer, enum berth_status status)
{
    lexer->status = status;
    lexer->at += strlen(lexer->at);
    lexer->word.kind = BERTH_WORD_END;
}

void berth_lexer_fail(struct berth_lexer *lexer, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (lexer->status) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    berth_lexer_stop(lexer, berth_fail(lexer->error, BERTH_E_FORMAT, "%s:%zu:%zu: %s", lexer->file,
                                       lexer->word.line, lexer->word.column, text));
}

void berth_lexer_expected(struct berth_lexer *lexer, const char *expected)
{
    const struct berth_word *word = &lexer->word;
    if (word->kind == BERTH_WORD_END) {
        berth_lexer_fail(lexer, "expected %s, but the statement ends here", expected);
    } else {
        berth_lexer_fail(lexer, "expected %s, not '%.*s'", expected, shown(word), word->text);
    }
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

static void read_number(struct berth_lexer *lexer)
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
        berth_lexer_expected(lexer, "a number");
    }
}

void berth_lexer_next(struct berth_lexer *lexer)
{
    static const char MARKS[] = "+-*/^(),=<>!";
    if (!begin_word(lexer)) {
        return;
    }
    struct berth_word *word = &lexer->word;
    const unsigned char first = (unsigned char)*lexer->at, second = (unsigned char)lexer->at[1];
    if (isalpha(first)) {
        while (isalnum((unsigned char)lexer->at[word->length]) || lexer->at[word->length] == '_') {
            word->length++;
        }
    } else if (isdigit(first) || (first == '.' && isdigit(second))) {
        read_number(lexer);
        return;
    } else if (strchr(MARKS, first)) {
        word->kind = BERTH_WORD_MARK;
        word->length = second == '=' && strchr("=<>!", first) ? 2 : 1;
    } else {
        word->length = 1;
        if (first < ' ' || first > '~') {
            berth_lexer_fail(lexer, "a character of code %u, which the language has no use for",
                             first);
        }
        berth_lexer_expected(lexer, "a name, a number or an operator");
        return;
    }
    lexer->at += word->length;
}

bool berth_lexer_skip(struct berth_lexer *lexer, const char *text)
{
    const bool there = berth_word_is(&lexer->word, text);
    if (there) {
        berth_lexer_next(lexer);
    }
    return there;
}

void berth_lexer_skip_mark(struct berth_lexer *lexer, const char *mark)
{
    char expected[8];
    snprintf(expected, sizeof expected, "'%s'", mark);
    if (!berth_lexer_skip(lexer, mark)) {
        berth_lexer_expected(lexer, expected);
    }
}

void berth_lexer_plain(struct berth_lexer *lexer)
{
    if (lexer->status) {
        return;
    }
    lexer->at = lexer->word.text;
    if (begin_word(lexer)) {
        lexer->word.length = strcspn(lexer->at, " \t\n#");
        lexer->at += lexer->word.length;
    }
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

bool berth_lexer_next_statement(struct berth_lexer *lexer)
{
    if (!skip_lines(lexer)) {
        return false;
    }
    const bool indented = lexer->at > lexer->line_begin;
    berth_lexer_next(lexer);
    if (indented) {
        berth_lexer_fail(lexer, "expected a statement at the beginning of the line");
    }
    return !lexer->status;
}

bool berth_word_is(const struct berth_word *word, const char *text)
{
    return word->kind != BERTH_WORD_END && strlen(text) == word->length &&
           memcmp(word->text, text, word->length) == 0;
}

/* --- Expressions --- */

struct parser {
    struct berth_lexer *lexer;
    const struct berth_scope *scope;
    struct berth_graph *graph; /* the scope's */
    int depth;
};

/* Operators between two operands, from those that bind the least to those that bind the most;
 * between `and` and comparisons stands `not`. */
enum level { OR, AND, NOT, COMPARED, SUM, PRODUCT, SIGNED };

static const struct infix {
    const char *mark;
    enum level level;
    int (*make)(struct berth_graph *graph, int a, int b); /* NULL: berth_binary */
    enum berth_operation operation;
    bool swaps, negates; /* its operands, and what comes of it */
} INFIXES[] = {{"or", OR, NULL, BERTH_OR, false, false},
               {"and", AND, NULL, BERTH_AND, false, false},
               {"<", COMPARED, NULL, BERTH_LESS, false, false},
               {"<=", COMPARED, NULL, BERTH_AT_MOST, false, false},
               {">", COMPARED, NULL, BERTH_LESS, true, false},
               {">=", COMPARED, NULL, BERTH_AT_MOST, true, false},
               {"==", COMPARED, NULL, BERTH_EQUAL, false, false},
               {"!=", COMPARED, NULL, BERTH_EQUAL, false, true},
               {"+", SUM, berth_add, BERTH_ADD, false, false},
               {"-", SUM, berth_subtract, BERTH_ADD, false, false},
               {"*", PRODUCT, berth_multiply, BERTH_MULTIPLY, false, false},
               {"/", PRODUCT, berth_divide, BERTH_MULTIPLY, false, false}};

/* Functions, and how their arguments make a node. */
enum function { F_UNARY, F_BINARY, F_EXP, F_LOG, F_RAMP, F_STEP, F_SELECT };

static const struct function_row {
    const char *name;
    int arguments;
    enum function function;
    enum berth_operation operation;
} FUNCTIONS[] = {{"min", 2, F_BINARY, BERTH_MIN},       {"max", 2, F_BINARY, BERTH_MAX},
                 {"abs", 1, F_UNARY, BERTH_ABS},        {"sqrt", 1, F_UNARY, BERTH_SQRT},
                 {"exp", 1, F_EXP, BERTH_EXP2},         {"log", 1, F_LOG, BERTH_LOG2},
                 {"ramp", 3, F_RAMP, BERTH_NUMBER},     {"step", 1, F_STEP, BERTH_NUMBER},
                 {"select", 3, F_SELECT, BERTH_SELECT}, {"sin", 1, F_UNARY, BERTH_SIN},
                 {"cos", 1, F_UNARY, BERTH_COS}};

/* Those from ANGULAR_FIRST on are functions of angles alone. */
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS, ANGULAR_FIRST = FUNCTION_COUNT - 2 };

static const struct function_row *find_function(const struct berth_word *name, bool angular)
{
    for (size_t i = 0; i < (angular ? FUNCTION_COUNT : ANGULAR_FIRST); i++) {
        if (berth_word_is(name, FUNCTIONS[i].name)) {
            return &FUNCTIONS[i];
        }
    }
    return NULL;
}

bool berth_is_reserved(const struct berth_word *name)
{
    static const char *const WORDS[] = {"r", "and", "or", "not", "inter", "unbound", "torsions"};
    bool reserved = find_function(name, false) != NULL;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        reserved = reserved || berth_word_is(name, WORDS[i]);
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        reserved = reserved || berth_word_is(name, BERTH_PART_NAMES[k]);
    }
    return reserved;
}

static int call(struct berth_graph *graph, const struct function_row *row, const int *x)
{
    switch (row->function) {
    case F_UNARY:
        return berth_unary(graph, row->operation, x[0]);
    case F_BINARY:
        return berth_binary(graph, row->operation, x[0], x[1]);
    case F_EXP:
        return berth_unary(graph, BERTH_EXP2,
                           berth_multiply(graph, x[0], berth_number(graph, 1 / log(2))));
    case F_LOG:
        return berth_multiply(graph, berth_number(graph, log(2)),
                              berth_unary(graph, BERTH_LOG2, x[0]));
    case F_RAMP:
        return berth_unary(graph, BERTH_SATURATE,
                           berth_divide(graph, berth_subtract(graph, x[0], x[1]),
                                        berth_subtract(graph, x[2], x[1])));
    case F_STEP:
        return berth_binary(graph, BERTH_AT_MOST, 0, x[0]);
    case F_SELECT:
        return berth_select(graph, x[0], x[1], x[2]);
    }
    return 0;
}

static int parse_level(struct parser *parser, enum level level);

/* A call, from the bracket on. */
static int parse_call(struct parser *parser, const struct function_row *row)
{
    int arguments[ARGUMENTS_MAX];
    for (int i = 0; i < row->arguments; i++) {
        if (!berth_lexer_skip(parser->lexer, i ? "," : "(")) {
            char expected[80];
            snprintf(expected, sizeof expected, "'%s' (%s takes %d argument%s)", i ? "," : "(",
                     row->name, row->arguments, row->arguments > 1 ? "s" : "");
            berth_lexer_expected(parser->lexer, expected);
        }
        arguments[i] = parse_level(parser, OR);
    }
    berth_lexer_skip_mark(parser->lexer, ")");
    return call(parser->graph, row, arguments);
}

/* z(...) or rank(...), from the bracket on. */
static int parse_gathering(struct parser *parser, bool ranks)
{
    berth_lexer_skip_mark(parser->lexer, "(");
    const int argument = parse_level(parser, OR);
    berth_lexer_skip_mark(parser->lexer, ")");
    return parser->scope->gather(parser->scope->context, ranks, argument);
}

/* A number, a name, a call or an expression in brackets. */
static int parse_primary(struct parser *parser)
{
    struct berth_lexer *lexer = parser->lexer;
    const struct berth_word word = lexer->word;
    int node = 0;
    if (word.kind == BERTH_WORD_NUMBER) {
        berth_lexer_next(lexer);
        return berth_number(parser->graph, word.number);
    }
    if (word.kind == BERTH_WORD_NAME) {
        const bool ranks = berth_word_is(&word, "rank");
        if (parser->scope->gather && (ranks || berth_word_is(&word, "z"))) {
            berth_lexer_next(lexer);
            return parse_gathering(parser, ranks);
        }
        const struct function_row *row = find_function(&word, parser->scope->angular);
        if (!row && !parser->scope->find(parser->scope->context, &word, &node)) {
            berth_lexer_fail(lexer, "there is no '%.*s' here; there is %s", shown(&word), word.text,
                             parser->scope->names);
        }
        berth_lexer_next(lexer);
        return row ? parse_call(parser, row) : node;
    }
    if (!berth_lexer_skip(lexer, "(")) {
        berth_lexer_expected(lexer, "a number, a name or '('");
        return 0;
    }
    node = parse_level(parser, OR);
    if (!berth_lexer_skip(lexer, ")")) {
        berth_lexer_expected(lexer, "')' or an operator");
    }
    return node;
}

/* What may stand within itself without end is counted. */
static void enter(struct parser *parser)
{
    if (parser->depth++ == DEPTH_MAX) {
        berth_lexer_fail(parser->lexer,
                         "more than %d expressions within each other; name some by let", DEPTH_MAX);
    }
}

static int parse_signed(struct parser *parser)
{
    int node;
    enter(parser);
    if (berth_lexer_skip(parser->lexer, "-")) {
        node = berth_negative(parser->graph, parse_signed(parser));
    } else if (berth_lexer_skip(parser->lexer, "+")) {
        node = parse_signed(parser);
    } else {
        node = parse_primary(parser);
        if (berth_lexer_skip(parser->lexer, "^")) {
            node = berth_raise(parser->graph, node, parse_signed(parser));
        }
    }
    parser->depth--;
    return node;
}

static int parse_not(struct parser *parser)
{
    enter(parser);
    const int node = berth_lexer_skip(parser->lexer, "not")
                         ? berth_unary(parser->graph, BERTH_NOT, parse_not(parser))
                         : parse_level(parser, COMPARED);
    parser->depth--;
    return node;
}

/* The operator of a level that the current word is; NULL: none. */
static const struct infix *find_infix(const struct parser *parser, enum level level)
{
    for (size_t i = 0; i < sizeof INFIXES / sizeof *INFIXES; i++) {
        if (INFIXES[i].level == level && berth_word_is(&parser->lexer->word, INFIXES[i].mark)) {
            return &INFIXES[i];
        }
    }
    return NULL;
}

/* An expression whose operators bind as much as this level's, or more. */
static int parse_level(struct parser *parser, enum level level)
{
    struct berth_graph *graph = parser->graph;
    if (level == NOT || level == SIGNED) {
        return level == NOT ? parse_not(parser) : parse_signed(parser);
    }
    int node = parse_level(parser, level + 1);
    const struct infix *infix = find_infix(parser, level);
    while (infix) {
        berth_lexer_next(parser->lexer);
        const int other = parse_level(parser, level + 1);
        node = infix->make    ? infix->make(graph, node, other)
               : infix->swaps ? berth_binary(graph, infix->operation, other, node)
                              : berth_binary(graph, infix->operation, node, other);
        node = infix->negates ? berth_unary(graph, BERTH_NOT, node) : node;
        infix = level == COMPARED ? NULL : find_infix(parser, level);
    }
    return node;
}

int berth_parse_expression(struct berth_lexer *lexer, const struct berth_scope *scope)
{
    struct parser parser = {lexer, scope, scope->graph, 0};
    const int node = parse_level(&parser, OR);
    if (scope->graph->full) {
        berth_lexer_fail(lexer,
                         "the expressions are too large for a kernel: more than %d operations",
                         BERTH_NODES_MAX);
    }
    return node;
}

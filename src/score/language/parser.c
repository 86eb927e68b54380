#include "score/language/parser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "score/terms.h"

/* Expressions within expressions, at most: reading them takes the stack. */
enum { DEPTH_MAX = 100, ARGUMENTS_MAX = 3 };

struct parser {
    struct berth_lexer *lexer;
    const struct berth_scope *scope;
    struct berth_error *error;
    int depth;
};

static enum berth_status parse_condition(struct parser *parser, int *node);
static enum berth_status parse_signed(struct parser *parser, int *node);

static bool next_is(const struct parser *parser, const char *text)
{
    return berth_word_is(&parser->lexer->word, text);
}

static enum berth_status go_on(struct parser *parser)
{
    return berth_lexer_next(parser->lexer, parser->error);
}

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

static const struct function_row *find_function(const char *name, size_t length, bool angular)
{
    for (size_t i = 0; i < (angular ? FUNCTION_COUNT : ANGULAR_FIRST); i++) {
        if (strlen(FUNCTIONS[i].name) == length && memcmp(FUNCTIONS[i].name, name, length) == 0) {
            return &FUNCTIONS[i];
        }
    }
    return NULL;
}

static bool is_word(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && memcmp(word, name, length) == 0;
}

bool berth_is_reserved(const char *name, size_t length)
{
    static const char *const WORDS[] = {"r", "and", "or", "not", "inter", "unbound", "torsions"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (is_word(WORDS[i], name, length)) {
            return true;
        }
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        if (is_word(BERTH_PART_NAMES[k], name, length)) {
            return true;
        }
    }
    return find_function(name, length, false) != NULL;
}

static int apply(struct berth_graph *graph, const struct function_row *row, const int *x)
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

/* A call, from the bracket on. */
static enum berth_status parse_call(struct parser *parser, const struct function_row *row,
                                    int *node)
{
    int arguments[ARGUMENTS_MAX];
    enum berth_status status = BERTH_OK;
    for (int i = 0; !status && i < row->arguments; i++) {
        if (!next_is(parser, i ? "," : "(")) {
            char expected[80];
            snprintf(expected, sizeof expected, "'%s' (%s takes %d argument%s)", i ? "," : "(",
                     row->name, row->arguments, row->arguments > 1 ? "s" : "");
            return berth_lexer_expected(parser->lexer, expected, parser->error);
        }
        status = go_on(parser);
        status = status ? status : parse_condition(parser, &arguments[i]);
    }
    if (!status && !next_is(parser, ")")) {
        status = berth_lexer_expected(parser->lexer, "')'", parser->error);
    }
    if (!status) {
        *node = apply(parser->scope->graph, row, arguments);
        status = go_on(parser);
    }
    return status;
}

static enum berth_status parse_name(struct parser *parser, int *node)
{
    const struct berth_word word = parser->lexer->word;
    const struct function_row *row = find_function(word.text, word.length, parser->scope->angular);
    if (row) {
        const enum berth_status status = go_on(parser);
        return status ? status : parse_call(parser, row, node);
    }
    if (!parser->scope->find(parser->scope->context, word.text, word.length, node)) {
        return berth_lexer_fail(
            parser->lexer, parser->error, "there is no '%.*s' here; there is %s",
            (int)(word.length < 40 ? word.length : 40), word.text, parser->scope->names);
    }
    return go_on(parser);
}

static enum berth_status parse_primary(struct parser *parser, int *node)
{
    const struct berth_word *word = &parser->lexer->word;
    if (word->kind == BERTH_WORD_NUMBER) {
        *node = berth_number(parser->scope->graph, word->number);
        return go_on(parser);
    }
    if (word->kind == BERTH_WORD_NAME) {
        return parse_name(parser, node);
    }
    if (!next_is(parser, "(")) {
        return berth_lexer_expected(parser->lexer, "a number, a name or '('", parser->error);
    }
    enum berth_status status = go_on(parser);
    BERTH_THEN(parse_condition(parser, node));
    if (!status && !next_is(parser, ")")) {
        status = berth_lexer_expected(parser->lexer, "')' or an operator", parser->error);
    }
    return status ? status : go_on(parser);
}

static enum berth_status parse_raised(struct parser *parser, int *node)
{
    enum berth_status status = parse_primary(parser, node);
    if (!status && next_is(parser, "^")) {
        int power;
        status = go_on(parser);
        status = status ? status : parse_signed(parser, &power);
        *node = status ? 0 : berth_raise(parser->scope->graph, *node, power);
    }
    return status;
}

/* What may stand within itself without end is counted. */
static enum berth_status enter(struct parser *parser)
{
    if (parser->depth == DEPTH_MAX) {
        return berth_lexer_fail(parser->lexer, parser->error,
                                "more than %d expressions within each other; name some by let",
                                DEPTH_MAX);
    }
    parser->depth++;
    return BERTH_OK;
}

static enum berth_status parse_signed(struct parser *parser, int *node)
{
    enum berth_status status = enter(parser);
    const bool minus = next_is(parser, "-");
    if (!status && (minus || next_is(parser, "+"))) {
        status = go_on(parser);
        status = status ? status : parse_signed(parser, node);
        *node = status || !minus ? *node : berth_negative(parser->scope->graph, *node);
    } else if (!status) {
        status = parse_raised(parser, node);
    }
    parser->depth--;
    return status;
}

static enum berth_status parse_product(struct parser *parser, int *node)
{
    enum berth_status status = parse_signed(parser, node);
    while (!status && (next_is(parser, "*") || next_is(parser, "/"))) {
        const bool divides = next_is(parser, "/");
        int by;
        status = go_on(parser);
        status = status ? status : parse_signed(parser, &by);
        if (!status) {
            *node = divides ? berth_divide(parser->scope->graph, *node, by)
                            : berth_multiply(parser->scope->graph, *node, by);
        }
    }
    return status;
}

static enum berth_status parse_sum(struct parser *parser, int *node)
{
    enum berth_status status = parse_product(parser, node);
    while (!status && (next_is(parser, "+") || next_is(parser, "-"))) {
        const bool takes = next_is(parser, "-");
        int other;
        status = go_on(parser);
        status = status ? status : parse_product(parser, &other);
        if (!status) {
            *node = takes ? berth_subtract(parser->scope->graph, *node, other)
                          : berth_add(parser->scope->graph, *node, other);
        }
    }
    return status;
}

static enum berth_status parse_comparison(struct parser *parser, int *node)
{
    static const struct {
        const char *mark;
        enum berth_operation operation;
        bool swaps, negates;
    } MARKS[] = {{"<", BERTH_LESS, false, false},   {"<=", BERTH_AT_MOST, false, false},
                 {">", BERTH_LESS, true, false},    {">=", BERTH_AT_MOST, true, false},
                 {"==", BERTH_EQUAL, false, false}, {"!=", BERTH_EQUAL, false, true}};
    struct berth_graph *graph = parser->scope->graph;
    enum berth_status status = parse_sum(parser, node);
    for (size_t i = 0; !status && i < sizeof MARKS / sizeof *MARKS; i++) {
        if (next_is(parser, MARKS[i].mark)) {
            int other;
            status = go_on(parser);
            status = status ? status : parse_sum(parser, &other);
            if (!status) {
                *node = MARKS[i].swaps ? berth_binary(graph, MARKS[i].operation, other, *node)
                                       : berth_binary(graph, MARKS[i].operation, *node, other);
                *node = MARKS[i].negates ? berth_unary(graph, BERTH_NOT, *node) : *node;
            }
            break;
        }
    }
    return status;
}

static enum berth_status parse_not(struct parser *parser, int *node)
{
    enum berth_status status = enter(parser);
    if (!status && next_is(parser, "not")) {
        status = go_on(parser);
        status = status ? status : parse_not(parser, node);
        *node = status ? 0 : berth_unary(parser->scope->graph, BERTH_NOT, *node);
    } else if (!status) {
        status = parse_comparison(parser, node);
    }
    parser->depth--;
    return status;
}

static enum berth_status parse_and(struct parser *parser, int *node)
{
    enum berth_status status = parse_not(parser, node);
    while (!status && next_is(parser, "and")) {
        int other;
        status = go_on(parser);
        status = status ? status : parse_not(parser, &other);
        *node = status ? 0 : berth_binary(parser->scope->graph, BERTH_AND, *node, other);
    }
    return status;
}

static enum berth_status parse_condition(struct parser *parser, int *node)
{
    enum berth_status status = parse_and(parser, node);
    while (!status && next_is(parser, "or")) {
        int other;
        status = go_on(parser);
        status = status ? status : parse_and(parser, &other);
        *node = status ? 0 : berth_binary(parser->scope->graph, BERTH_OR, *node, other);
    }
    return status;
}

enum berth_status berth_parse_expression(struct berth_lexer *lexer, const struct berth_scope *scope,
                                         int *node, struct berth_error *error)
{
    struct parser parser = {lexer, scope, error, 0};
    *node = 0;
    const enum berth_status status = parse_condition(&parser, node);
    if (!status && scope->graph->full) {
        return berth_lexer_fail(lexer, error,
                                "the expressions are too large for a kernel: more than %d "
                                "operations",
                                BERTH_NODES_MAX);
    }
    return status;
}

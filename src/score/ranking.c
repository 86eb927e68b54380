#include "score/ranking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "score/language/parser.h"

enum { COLUMNS_MAX = 64, GATHERINGS_MAX = 32 };

/* z or rank of an expression, which stands for a symbol behind those of the columns. */
struct gathering {
    int argument; /* node */
    bool ranks;
};

struct berth_ranking {
    struct berth_graph graph;
    int node;
    size_t columns[COLUMNS_MAX], column_count; /* those that are looked at */
    struct gathering gatherings[GATHERINGS_MAX];
    size_t gathering_count;
};

/* --- Reading --- */

/* What names stand for while the expression is read. */
struct reading {
    struct berth_ranking *ranking;
    const char *const *names; /* [count]; NULL: any name stands for a column */
    size_t count;
    bool uses[COLUMNS_MAX];
    struct berth_lexer lexer;
};

/* Symbols are numbers of columns until all is read. */
static bool find_column(void *context, const struct berth_word *name, int *node)
{
    struct reading *reading = context;
    if (!reading->names) {
        *node = berth_symbol(&reading->ranking->graph, 0, false);
        return true;
    }
    for (size_t i = 0; i < reading->count; i++) {
        if (berth_word_is(name, reading->names[i])) {
            reading->uses[i] = true;
            *node = berth_symbol(&reading->ranking->graph, (int)i, false);
            return true;
        }
    }
    return false;
}

static int gather(void *context, bool ranks, int argument)
{
    struct reading *reading = context;
    struct berth_ranking *ranking = reading->ranking;
    const size_t number = ranking->gathering_count;
    if (number == GATHERINGS_MAX) {
        berth_lexer_fail(&reading->lexer, "z and rank more than %d times", GATHERINGS_MAX);
        return 0;
    }
    ranking->gatherings[ranking->gathering_count++] = (struct gathering){argument, ranks};
    return berth_symbol(&ranking->graph, (int)(COLUMNS_MAX + number), false);
}

/* Reads all of the text. */
static enum berth_status read_all(struct reading *reading, const char *file, const char *text,
                                  struct berth_error *error)
{
    struct berth_lexer *lexer = &reading->lexer;
    char names[512] = "";
    for (size_t i = 0, used = 0; i < reading->count && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 reading->names[i]);
    }
    const struct berth_scope scope = {
        &reading->ranking->graph, find_column, reading, names, false, gather, NULL};
    berth_lexer_begin(file, text, error, lexer);
    if (!berth_lexer_next_statement(lexer) && !lexer->status) {
        return berth_fail(error, BERTH_E_USAGE, "%s: there is no expression", file);
    }
    reading->ranking->node = berth_parse_expression(lexer, &scope);
    if (lexer->word.kind != BERTH_WORD_END) {
        berth_lexer_expected(lexer, "an operator or the end");
    }
    if (berth_lexer_next_statement(lexer)) {
        berth_lexer_expected(lexer, "the end");
    }
    return lexer->status;
}

/* Lists the columns that are looked at, which symbols count then. */
static void number_columns(struct reading *reading)
{
    struct berth_ranking *ranking = reading->ranking;
    int places[COLUMNS_MAX];
    for (size_t i = 0; i < reading->count; i++) {
        places[i] = (int)ranking->column_count;
        if (reading->uses[i]) {
            ranking->columns[ranking->column_count++] = i;
        }
    }
    for (int i = 0; i < ranking->graph.count; i++) {
        struct berth_node *node = &ranking->graph.nodes[i];
        if (node->operation == BERTH_SYMBOL) {
            node->a = node->a < COLUMNS_MAX ? places[node->a]
                                            : (int)ranking->column_count + node->a - COLUMNS_MAX;
        }
    }
}

enum berth_status berth_ranking_create(const char *file, const char *text, const char *const *names,
                                       size_t count, struct berth_ranking **ranking,
                                       struct berth_error *error)
{
    struct berth_ranking *made;
    BERTH_TRY(berth_make(ranking, 1, sizeof *made, NULL, error));
    made = *ranking;
    struct reading reading = {
        .ranking = made, .names = names, .count = count < COLUMNS_MAX ? count : COLUMNS_MAX};
    berth_graph_begin(&made->graph);
    const enum berth_status status = read_all(&reading, file, text, error);
    if (status) {
        berth_ranking_destroy(made);
        *ranking = NULL;
        return status;
    }
    if (names) {
        number_columns(&reading);
    }
    return BERTH_OK;
}

void berth_ranking_destroy(struct berth_ranking *ranking)
{
    free(ranking);
}

size_t berth_ranking_columns(const struct berth_ranking *ranking, const size_t **columns)
{
    *columns = ranking->columns;
    return ranking->column_count;
}

bool berth_ranking_is_plain(const struct berth_ranking *ranking)
{
    return !ranking->gathering_count;
}

/* --- Working out --- */

/* A row's number, as it is sorted. */
struct placed {
    double value;
    size_t row;
};

static int by_value(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return a->value < b->value ? -1 : a->value > b->value;
}

/* Numbers become their ranks. */
static enum berth_status rank(double *values, size_t rows, struct berth_error *error)
{
    struct placed *placed;
    size_t count = 0;
    BERTH_TRY(berth_make(&placed, rows, sizeof *placed, NULL, error));
    for (size_t i = 0; i < rows; i++) {
        if (isfinite(values[i])) {
            placed[count++] = (struct placed){values[i], i};
        }
    }
    qsort(placed, count, sizeof *placed, by_value);
    for (size_t i = 0, end; i < count; i = end) {
        end = i + 1;
        while (end < count && placed[end].value == placed[i].value) {
            end++;
        }
        for (size_t k = i; k < end; k++) {
            values[placed[k].row] = (double)(i + 1 + end) / 2;
        }
    }
    free(placed);
    return BERTH_OK;
}

/* Numbers become standard deviations from their mean. */
static void standardise(double *values, size_t rows)
{
    double sum = 0, squares = 0, count = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < rows; i++) {
        if (isfinite(values[i])) {
            sum += values[i];
            count++;
            low = fmin(low, values[i]);
            high = fmax(high, values[i]);
        }
    }
    const double mean = sum / count;
    for (size_t i = 0; i < rows; i++) {
        squares += isfinite(values[i]) ? (values[i] - mean) * (values[i] - mean) : 0;
    }
    const double deviation = sqrt(squares / count);
    for (size_t i = 0; i < rows; i++) {
        if (isfinite(values[i])) {
            values[i] = low < high ? (values[i] - mean) / deviation : 0;
        }
    }
}

/* Evaluates a node in each row; gathered: [gatherings][rows], those before this one. */
static void evaluate(const struct berth_ranking *ranking, int node, const double *cells,
                     const double *gathered, size_t rows, double *to)
{
    const size_t columns = ranking->column_count;
    double symbols[COLUMNS_MAX + GATHERINGS_MAX] = {0}, values[BERTH_NODES_MAX];
    for (size_t i = 0; i < rows; i++) {
        memcpy(symbols, cells + i * columns, columns * sizeof *symbols);
        for (size_t k = 0; k < ranking->gathering_count; k++) {
            symbols[columns + k] = gathered[k * rows + i];
        }
        berth_evaluate(&ranking->graph, symbols, false, node + 1, values);
        to[i] = isfinite(values[node]) ? values[node] : NAN;
    }
}

enum berth_status berth_ranking_values(const struct berth_ranking *ranking, const double *cells,
                                       size_t rows, double *values, struct berth_error *error)
{
    double *gathered;
    enum berth_status status =
        berth_make(&gathered, ranking->gathering_count * rows, sizeof *gathered, NULL, error);
    for (size_t k = 0; !status && k < ranking->gathering_count; k++) {
        double *of = gathered + k * rows;
        evaluate(ranking, ranking->gatherings[k].argument, cells, gathered, rows, of);
        if (ranking->gatherings[k].ranks) {
            status = rank(of, rows, error);
        } else {
            standardise(of, rows);
        }
    }
    if (!status) {
        evaluate(ranking, ranking->node, cells, gathered, rows, values);
    }
    free(gathered);
    return status;
}

#include "report/show/filter.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "score/language/parser.h"

/* What names stand for while the condition is read. */
struct scope {
    struct berth_row_filter *filter;
    const struct berth_csv *csv;
};

static bool find(void *context, const struct berth_word *name, int *node)
{
    const struct scope *scope = context;
    struct berth_row_filter *filter = scope->filter;
    for (size_t i = 0; i < berth_csv_columns(scope->csv); i++) {
        const char *column = berth_csv_column(scope->csv, i);
        if (!berth_word_is(name, column)) {
            continue;
        }
        size_t symbol = 0;
        while (symbol < filter->count && filter->columns[symbol] != i) {
            symbol++;
        }
        if (symbol == filter->count) {
            filter->columns[filter->count++] = i;
        }
        *node = berth_symbol(&filter->graph, (int)symbol, false);
        return true;
    }
    return false;
}

/* "ligand, score, energy": as much of the columns' names as fits. */
static void list_columns(const struct berth_csv *csv, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < berth_csv_columns(csv) && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 berth_csv_column(csv, i));
    }
}

/* Reads all of the text as one condition. */
static enum berth_status parse(const char *text, const struct berth_csv *csv,
                               struct berth_row_filter *filter, struct berth_error *error)
{
    struct scope context = {filter, csv};
    struct berth_lexer lexer;
    char names[256];
    list_columns(csv, names, sizeof names);
    const struct berth_scope scope = {&filter->graph, find, &context, names, false};
    berth_lexer_begin("--filter", text, error, &lexer);
    if (!berth_lexer_next_statement(&lexer) && !lexer.status) {
        return berth_fail(error, BERTH_E_USAGE, "--filter: there is no condition");
    }
    filter->node = berth_parse_expression(&lexer, &scope);
    if (lexer.word.kind != BERTH_WORD_END) {
        berth_lexer_expected(&lexer, "and, or, or the end");
    }
    if (berth_lexer_next_statement(&lexer)) {
        berth_lexer_expected(&lexer, "the end");
    }
    return lexer.status;
}

enum berth_status berth_row_filter_create(const char *text, const struct berth_csv *csv,
                                          struct berth_row_filter *filter,
                                          struct berth_error *error)
{
    memset(filter, 0, sizeof *filter);
    if (!text) {
        return BERTH_OK;
    }
    enum berth_status status;
    berth_graph_begin(&filter->graph);
    filter->columns = berth_alloc(berth_csv_columns(csv), sizeof *filter->columns);
    status = filter->columns ? parse(text, csv, filter, error) : berth_out_of_memory(error, NULL);
    if (!status) {
        filter->symbols = berth_alloc(filter->count, sizeof *filter->symbols);
        filter->values = berth_alloc((size_t)filter->node + 1, sizeof *filter->values);
        status = filter->symbols && filter->values ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    return status;
}

enum berth_status berth_row_filter_apply(struct berth_row_filter *filter,
                                         const struct berth_csv *csv, bool *passes,
                                         struct berth_error *error)
{
    if (!filter->graph.count) {
        *passes = true;
        return BERTH_OK;
    }
    for (size_t i = 0; i < filter->count; i++) {
        const char *cell = berth_csv_field(csv, filter->columns[i]);
        if (berth_csv_real(csv, filter->columns[i], &filter->symbols[i])) {
            continue;
        }
        if (*cell) {
            return berth_fail(error, BERTH_E_FORMAT,
                              "--filter: line %zu of the table has '%.60s' as %s, and a condition "
                              "compares numbers: take another column",
                              berth_csv_line(csv), cell, berth_csv_column(csv, filter->columns[i]));
        }
        filter->symbols[i] = NAN;
    }
    berth_evaluate(&filter->graph, filter->symbols, false, filter->node + 1, filter->values);
    const double value = filter->values[filter->node];
    *passes = value != 0 && !isnan(value);
    return BERTH_OK;
}

void berth_row_filter_clear(struct berth_row_filter *filter)
{
    free(filter->columns);
    free(filter->symbols);
    free(filter->values);
    memset(filter, 0, sizeof *filter);
}

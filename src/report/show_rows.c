#include "report/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/memory.h"
#include "base/random.h"
#include "score/language/parser.h"
#include "score/fields.h"
#include "eval/statistics.h"

/* --- Conditions --- */

/* What names stand for while the condition is read. */
struct scope {
    struct berth_row_filter *filter;
    const struct berth_csv *csv;
};

/* The node of a column as a number (text NULL), or of whether it is a text. */
static bool find_cell(const struct scope *scope, const struct berth_word *name,
                      struct berth_filter_text text, int *node)
{
    struct berth_row_filter *filter = scope->filter;
    for (size_t i = 0; i < berth_csv_columns(scope->csv); i++) {
        if (!berth_word_is(name, berth_csv_column(scope->csv, i))) {
            continue;
        }
        size_t symbol = 0;
        while (symbol < filter->count &&
               (filter->columns[symbol] != i || text.text || filter->texts[symbol].text)) {
            symbol++;
        }
        if (symbol == filter->count) {
            filter->columns[symbol] = i;
            filter->texts[symbol] = text;
            filter->count++;
        }
        *node = berth_symbol(&filter->graph, (int)symbol, false);
        return true;
    }
    return false;
}

static bool find_symbol(void *context, const struct berth_word *name, int *node)
{
    return find_cell(context, name, (struct berth_filter_text){NULL, 0}, node);
}

static bool is_text(void *context, const struct berth_word *name, const struct berth_word *text,
                    int *node)
{
    const struct berth_filter_text inside = {text->text + 1, text->length - 2};
    return find_cell(context, name, inside, node);
}

void berth_columns_list(const struct berth_csv *csv, char *text, size_t size)
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
    berth_columns_list(csv, names, sizeof names);
    const struct berth_scope scope = {.graph = &filter->graph,
                                      .find = find_symbol,
                                      .context = &context,
                                      .names = names,
                                      .is_text = is_text};
    berth_lexer_begin("filter", text, error, &lexer);
    if (!berth_lexer_next_statement(&lexer) && !lexer.status) {
        return berth_fail(error, BERTH_E_USAGE, "filter: there is no condition");
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
    size_t most = berth_csv_columns(csv); /* each as a number, and once for each text */
    for (const char *at = text; *at; at++) {
        most += *at == '\'' || *at == '"';
    }
    berth_graph_begin(&filter->graph);
    BERTH_TRY(berth_make(&filter->columns, most, sizeof *filter->columns, NULL, error));
    BERTH_TRY(berth_make(&filter->texts, most, sizeof *filter->texts, NULL, error));
    const enum berth_status status = parse(text, csv, filter, error);
    if (status) {
        error->option = "filter";
        return status;
    }
    BERTH_TRY(berth_make(&filter->symbols, filter->count, sizeof *filter->symbols, NULL, error));
    BERTH_TRY(berth_make(&filter->lacking, filter->count, sizeof *filter->lacking, NULL, error));
    return berth_make(&filter->values, (size_t)filter->node + 1, sizeof *filter->values, NULL,
                      error);
}

static bool is_same(const char *cell, const struct berth_filter_text *text)
{
    return strlen(cell) == text->length && memcmp(cell, text->text, text->length) == 0;
}

/* Whether the symbols meet the condition. */
static bool is_met(struct berth_row_filter *filter)
{
    berth_evaluate(&filter->graph, filter->symbols, false, filter->node + 1, filter->values);
    const double value = filter->values[filter->node];
    return value != 0 && !isnan(value);
}

static double blank_of(const struct berth_csv *csv, size_t column)
{
    return berth_column_blank(berth_csv_column(csv, column));
}

/* Counts the row, which the condition left out, if 0 or a number beyond all others in its empty
 * cells met it. */
static void count_lacking(struct berth_row_filter *filter, const struct berth_csv *csv)
{
    static const double TRIED[] = {-1e300, 0, 1e300};
    size_t first = SIZE_MAX;
    bool met = false;
    for (size_t k = 0; !met && k < sizeof TRIED / sizeof *TRIED; k++) {
        for (size_t i = filter->count; i-- > 0;) {
            if (!filter->texts[i].text && !*berth_csv_field(csv, filter->columns[i]) &&
                isnan(blank_of(csv, filter->columns[i]))) {
                filter->symbols[i] = TRIED[k];
                first = i;
            }
        }
        met = first != SIZE_MAX && is_met(filter);
    }
    if (met) {
        filter->lacking[first]++;
    }
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
        const struct berth_filter_text *text = &filter->texts[i];
        if (text->text) {
            filter->symbols[i] = is_same(cell, text);
            continue;
        }
        filter->symbols[i] = blank_of(csv, filter->columns[i]);
        if (!berth_csv_real(csv, filter->columns[i], &filter->symbols[i]) && *cell) {
            return berth_fail_option(
                error, BERTH_E_FORMAT, "filter",
                "filter: line %zu of the table has '%.60s' as %s, which is no number: take another "
                "column, or compare it with a text in quotes (%s == 'NAME')",
                berth_csv_line(csv), cell, berth_csv_column(csv, filter->columns[i]),
                berth_csv_column(csv, filter->columns[i]));
        }
    }
    *passes = is_met(filter);
    if (!*passes) {
        count_lacking(filter, csv);
    }
    return BERTH_OK;
}

/* Whether the node may hold: one side of an "and" that does not is enough to tell, but for what the
 * fields that are still unknown are in. */
static bool may_hold(const struct berth_row_filter *filter, int node, size_t first, size_t count)
{
    const struct berth_node *at = &filter->graph.nodes[node];
    if (at->operation == BERTH_AND) {
        return may_hold(filter, at->a, first, count) && may_hold(filter, at->b, first, count);
    }
    bool flags[BERTH_NODES_MAX] = {false};
    berth_mark(&filter->graph, node, flags);
    for (int i = 0; i <= node; i++) {
        const struct berth_node *used = &filter->graph.nodes[i];
        if (flags[i] && used->operation == BERTH_SYMBOL) {
            const size_t column = filter->columns[(size_t)used->number];
            if (column >= first && column < first + count) {
                return true;
            }
        }
    }
    return filter->values[node] != 0;
}

bool berth_row_filter_may(struct berth_row_filter *filter, const struct berth_csv *csv,
                          size_t first, size_t count)
{
    for (size_t i = 0; i < filter->count; i++) {
        const size_t column = filter->columns[i];
        const bool unknown = column >= first && column < first + count;
        const char *cell = berth_csv_field(csv, column);
        const struct berth_filter_text *text = &filter->texts[i];
        filter->symbols[i] = text->text && is_same(cell, text) ? 1 : 0;
        if (!unknown && !text->text && !berth_csv_real(csv, column, &filter->symbols[i])) {
            return true; /* what is no number is for berth_row_filter_apply to tell */
        }
    }
    if (!filter->graph.count) {
        return true;
    }
    berth_evaluate(&filter->graph, filter->symbols, false, filter->node + 1, filter->values);
    return may_hold(filter, filter->node, first, count);
}

void berth_row_filter_tell(const struct berth_row_filter *filter, const struct berth_csv *csv,
                           const struct berth_log *log)
{
    for (size_t i = 0; i < filter->count; i++) {
        if (filter->lacking[i]) {
            berth_warn(log, NULL, "%zu row%s no %s, and %s left out", filter->lacking[i],
                       filter->lacking[i] == 1 ? " has" : "s have",
                       berth_csv_column(csv, filter->columns[i]),
                       filter->lacking[i] == 1 ? "is" : "are");
        }
    }
}

void berth_row_filter_clear(struct berth_row_filter *filter)
{
    free(filter->columns);
    free(filter->texts);
    free(filter->symbols);
    free(filter->values);
    free(filter->lacking);
    memset(filter, 0, sizeof *filter);
}

/* --- The first rows --- */

/* The order of rows: numbers first, then texts by their letters, then empty cells; of equal ones as
 * they were read. */
static int compare_rows(const void *left, const void *right)
{
    const struct berth_kept_row *a = left, *b = right;
    const bool texts = isnan(a->key) && isnan(b->key);
    const bool end_a = texts ? !*a->sorted_by : isnan(a->key);
    const bool end_b = texts ? !*b->sorted_by : isnan(b->key);
    if (end_a != end_b) {
        return end_a ? 1 : -1;
    }
    const int order =
        texts ? strcmp(a->sorted_by, b->sorted_by) : (a->key > b->key) - (a->key < b->key);
    return order == 0      ? (a->number > b->number) - (a->number < b->number)
           : a->descending ? -order
                           : order;
}

static void clear_row(struct berth_kept_row *row)
{
    free(row->text);
    free(row->cells);
}

static bool copy_row(const struct berth_csv *csv, struct berth_kept_row *row)
{
    const size_t columns = berth_csv_columns(csv);
    size_t size = 0;
    for (size_t i = 0; i < columns; i++) {
        size += strlen(berth_csv_field(csv, i)) + 1;
    }
    row->text = berth_alloc(size, 1);
    row->cells = berth_alloc(columns, sizeof *row->cells);
    if (!row->text || !row->cells) {
        clear_row(row);
        return false;
    }
    char *at = row->text;
    for (size_t i = 0; i < columns; i++) {
        const size_t length = strlen(berth_csv_field(csv, i)) + 1;
        row->cells[i] = memcpy(at, berth_csv_field(csv, i), length);
        at += length;
    }
    return true;
}

void berth_kept_rows_cut(struct berth_kept_rows *rows, size_t count)
{
    while (rows->count > count) {
        clear_row(&rows->rows[--rows->count]);
    }
}

void berth_kept_rows_sort(struct berth_kept_rows *rows)
{
    if (rows->count) {
        qsort(rows->rows, rows->count, sizeof *rows->rows, compare_rows);
    }
    if (rows->most) {
        berth_kept_rows_cut(rows, rows->most);
    }
    rows->last = rows->most && rows->count == rows->most ? rows->rows[rows->most - 1].key : NAN;
}

enum berth_status berth_kept_rows_offer(struct berth_kept_rows *rows, const struct berth_csv *csv,
                                        struct berth_error *error)
{
    enum { ROOM = 1000 }; /* rows beyond those that are kept, until they are sorted */
    struct berth_kept_row row = {
        .key = NAN, .number = rows->seen++, .descending = rows->descending};
    if (!berth_csv_real(csv, rows->column, &row.key)) {
        row.key = NAN;
    }
    if (row.number == 0) {
        rows->last = NAN;
    }
    if (!isnan(rows->last) &&
        (isnan(row.key) || (rows->descending ? row.key <= rows->last : row.key >= rows->last))) {
        return BERTH_OK; /* it cannot come in among the first ones: told without a copy */
    }
    BERTH_TRY(
        berth_reserve(&rows->rows, &rows->capacity, rows->count + 1, sizeof *rows->rows, error));
    if (!copy_row(csv, &row)) {
        return berth_out_of_memory(error, NULL);
    }
    row.sorted_by = row.cells[rows->column];
    rows->rows[rows->count++] = row;
    if (rows->most && rows->count >= 2 * rows->most + ROOM) {
        berth_kept_rows_sort(rows);
    }
    return BERTH_OK;
}

/* --- A row a molecule --- */

/* Those of a molecule together, the best one first. */
static int compare_molecules(const void *left, const void *right)
{
    const struct berth_kept_row *a = left, *b = right;
    const int order = strcmp(a->molecule, b->molecule);
    return order ? order : compare_rows(left, right);
}

static int compare_numbers(const void *left, const void *right)
{
    const struct berth_kept_row *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

/* Gives the row the key that it is sorted by. */
static void set_key(struct berth_kept_row *row, size_t column, bool descending)
{
    const struct berth_field field = {row->cells[column], strlen(row->cells[column])};
    row->sorted_by = row->cells[column];
    row->descending = descending;
    if (!berth_field_real(&field, &row->key)) {
        row->key = NAN;
    }
}

enum berth_status berth_kept_rows_fold(struct berth_kept_rows *rows,
                                       const struct berth_molecule_columns *columns,
                                       struct berth_error *error)
{
    BERTH_TRY(berth_make(&rows->states, rows->count, sizeof *rows->states, NULL, error));
    for (size_t i = 0; i < rows->count; i++) {
        struct berth_kept_row *row = &rows->rows[i];
        const char *state_of = columns->state_of == SIZE_MAX ? "" : row->cells[columns->state_of];
        row->molecule = *state_of ? state_of : row->cells[columns->ligand];
        set_key(row, columns->ranking, false);
    }
    if (rows->count) {
        qsort(rows->rows, rows->count, sizeof *rows->rows, compare_molecules);
    }
    size_t kept = 0;
    for (size_t i = 0, next; i < rows->count; i = next) {
        struct berth_kept_row best = rows->rows[i];
        for (next = i + 1;
             next < rows->count && strcmp(rows->rows[next].molecule, best.molecule) == 0; next++) {
            clear_row(&rows->rows[next]);
        }
        snprintf(rows->states[kept], sizeof *rows->states, "%zu", next - i);
        best.cells[columns->states] = rows->states[kept];
        set_key(&best, rows->column, rows->descending);
        rows->rows[kept++] = best;
    }
    rows->count = kept;
    if (kept) {
        qsort(rows->rows, kept, sizeof *rows->rows, compare_numbers);
    }
    return BERTH_OK;
}

void berth_kept_rows_clear(struct berth_kept_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        clear_row(&rows->rows[i]);
    }
    free(rows->states);
    free(rows->added);
    free(rows->rows);
    rows->rows = NULL;
    rows->count = rows->capacity = 0;
}

/* --- Distributions --- */

void berth_sample_add(struct berth_sample *sample, double value)
{
    size_t place = sample->count++;
    if (place >= BERTH_SAMPLE_MAX) {
        place = (size_t)(berth_random_uniform(&sample->random) * (double)sample->count);
    }
    if (place < BERTH_SAMPLE_MAX) {
        sample->values[place] = value;
    }
}

void berth_sample_bins(struct berth_sample *sample, struct berth_bins *bins)
{
    const size_t count = sample->count < BERTH_SAMPLE_MAX ? sample->count : BERTH_SAMPLE_MAX;
    qsort(sample->values, count, sizeof *sample->values, berth_compare_numbers);
    memset(bins->shares, 0, sizeof bins->shares);
    bins->low = count ? sample->values[0] : 0;
    bins->high = count ? sample->values[(count * 99 + 99) / 100 - 1] : 0;
    bins->most = count ? sample->values[count - 1] : 0;
    const double width = bins->high - bins->low, steps = (double)bins->count;
    for (size_t i = 0; i < count; i++) {
        const double place = width > 0 ? (sample->values[i] - bins->low) / width * steps : 0;
        bins->shares[place < steps ? (size_t)place : bins->count - 1] += 1 / (double)count;
    }
}

#include "score/ranking.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "score/language/parser.h"
#include "score/terms.h"

enum { COLUMNS_MAX = 256, GATHERINGS_MAX = 32 };

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
        &reading->ranking->graph, find_column, reading, names, false, gather};
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

/* --- Rankings as files --- */

/* What a user names a ranking by: one that ships with berth (data/ranking), a file of their own, or
 * an expression. */

/* The line without comment and blanks at its ends. */
static char *trim(char *line)
{
    line[strcspn(line, "#\r\n")] = '\0';
    line += strspn(line, " \t");
    for (size_t end = strlen(line); end && strchr(" \t", line[end - 1]); end--) {
        line[end - 1] = '\0';
    }
    return line;
}

/* Takes a line. */
static enum berth_status take_line(char *line, const char *path, size_t number,
                                   struct berth_ranking_texts *texts, struct berth_error *error)
{
    const struct {
        const char *name;
        char **text;
    } known[] = {
        {"scoring", &texts->scoring},       {"pool", &texts->pool},
        {"poses", &texts->poses},           {"ligands", &texts->ligands},
        {"confidence", &texts->confidence},
    };
    char *name = trim(line), *value = strchr(name, '=');
    if (!*name) {
        return BERTH_OK;
    }
    if (value) {
        *value++ = '\0';
        name = trim(name);
        value = trim(value);
    }
    for (size_t i = 0; value && *value && i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0 && !*known[i].text) {
            if (known[i].text == &texts->scoring || known[i].text == &texts->pool) {
                berth_text_trim_list(value);
            }
            *known[i].text = berth_copy_text(value);
            return *known[i].text ? BERTH_OK : berth_out_of_memory(error, path);
        }
    }
    return berth_fail(
        error, BERTH_E_FORMAT,
        "%s:%zu: expected one line each of `scoring = FUNCTIONS`, `pool = FUNCTIONS`, "
        "`poses = EXPRESSION`, `ligands = EXPRESSION` and `confidence = "
        "EXPRESSION`",
        path, number);
}

static enum berth_status read_lines(struct berth_text_reader *reader, const char *path,
                                    struct berth_ranking_texts *texts, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    size_t number = 0;
    char *line = NULL;
    do {
        status = berth_text_reader_next(reader, &line, error);
        if (!status && line) {
            status = take_line(line, path, ++number, texts, error);
        }
    } while (!status && line);
    if (!status && (!texts->poses || !texts->ligands)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: there is no line `%s = EXPRESSION`", path,
                            texts->poses ? "ligands" : "poses");
    }
    return status;
}

enum berth_status berth_ranking_find(const char *rank, struct berth_ranking_texts *texts,
                                     struct berth_error *error)
{
    const struct berth_embedded *built_in = berth_embedded_rankings;
    const size_t length = strlen(rank);
    struct berth_text_reader *reader = NULL;
    memset(texts, 0, sizeof *texts);
    while (built_in->name && strcmp(built_in->name, rank) != 0) {
        built_in++;
    }
    if (!built_in->name && (length < 6 || strcmp(rank + length - 5, ".rank") != 0)) {
        texts->poses = berth_copy_text(rank);
        texts->ligands = berth_copy_text(rank);
        return texts->poses && texts->ligands ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    enum berth_status status =
        built_in->name
            ? berth_text_reader_create_memory(rank, built_in->text, built_in->size, &reader, error)
            : berth_text_reader_create(rank, &reader, error);
    BERTH_THEN(read_lines(reader, rank, texts, error));
    berth_text_reader_destroy(reader);
    return status;
}

void berth_ranking_names(char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (const struct berth_embedded *file = berth_embedded_rankings; file->name && used < size;
         file++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", file->name);
    }
}

void berth_ranking_texts_clear(struct berth_ranking_texts *texts)
{
    free(texts->scoring);
    free(texts->pool);
    free(texts->poses);
    free(texts->ligands);
    free(texts->confidence);
    memset(texts, 0, sizeof *texts);
}

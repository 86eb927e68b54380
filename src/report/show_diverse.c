/* Of the best rows those whose molecules differ, with properties: a list to buy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/worker.h"
#include "report/show.h"
#include "score/fields.h"

/* Seconds of processor time for all. */
static const double LIMIT = 600;

const char *const BERTH_PROPERTIES[BERTH_PROPERTY_COUNT] = {
    "mw", "logp", "donors", "acceptors", "tpsa", "rotatable_bonds", "qed", "pains", "brenk"};

struct berth_property_source {
    struct berth_rdkit rdkit;
    struct berth_worker *worker; /* owned */
};

enum berth_status berth_diverse_begin(struct berth_shown *shown, struct berth_error *error)
{
    struct berth_diverse_columns *columns = &shown->diverse;
    columns->smiles = berth_csv_find(shown->csv, BERTH_COLUMN_SMILES);
    columns->input_smiles = berth_csv_find(shown->csv, BERTH_COLUMN_INPUT_SMILES);
    if (columns->smiles == SIZE_MAX && columns->input_smiles == SIZE_MAX) {
        const char *option = shown->settings->diverse  ? "diverse"
                             : shown->settings->filter ? "filter"
                                                       : "sort";
        return berth_fail_option(error, BERTH_E_USAGE, option,
                                 "%s: %s has no SMILES: there are none of ligands that were "
                                 "docked as Mol2",
                                 option, shown->path);
    }
    columns->first = berth_csv_columns(shown->csv);
    for (size_t k = 0; k < BERTH_PROPERTY_COUNT; k++) {
        if (shown->settings->diverse || columns->early[k]) {
            BERTH_TRY(berth_csv_add_column(shown->csv, BERTH_PROPERTIES[k], error));
            columns->count++;
        }
    }
    return BERTH_OK;
}

bool berth_diverse_computes(const char *name)
{
    bool computed = false;
    for (size_t k = 0; k < BERTH_PROPERTY_COUNT; k++) {
        computed = computed || strcmp(name, BERTH_PROPERTIES[k]) == 0;
    }
    return computed;
}

/* The SMILES of a row by its cells, NULL where there is no such column: those of the input where
 * they are known.  The caller frees them. */
static char *smiles_of(const char *input, const char *docked)
{
    return berth_csv_unescape(input && *input ? input : docked ? docked : "");
}

/* A line for each row: its SMILES. */
static enum berth_status list_smiles(const struct berth_shown *shown, struct berth_bytes *text,
                                     struct berth_error *error)
{
    const struct berth_diverse_columns *columns = &shown->diverse;
    for (size_t i = 0; i < shown->rows.count; i++) {
        char *const *cells = shown->rows.rows[i].cells;
        char *smiles =
            smiles_of(columns->input_smiles != SIZE_MAX ? cells[columns->input_smiles] : NULL,
                      columns->smiles != SIZE_MAX ? cells[columns->smiles] : NULL);
        if (!smiles) {
            return berth_out_of_memory(error, NULL);
        }
        berth_bytes_put(text, smiles, strlen(smiles));
        berth_bytes_put(text, "\n", 1);
        free(smiles);
    }
    return text->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

static enum berth_status open_worker(struct berth_diverse_columns *columns,
                                     struct berth_error *error)
{
    if (columns->source) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&columns->source, 1, sizeof *columns->source, NULL, error));
    const struct berth_worker_setup setup = {.rdkit = &columns->source->rdkit};
    BERTH_TRY(berth_rdkit_find(&columns->source->rdkit, error));
    return berth_worker_create(&setup, &columns->source->worker, error);
}

void berth_diverse_end(struct berth_diverse_columns *columns)
{
    if (columns->source) {
        berth_worker_destroy(columns->source->worker);
    }
    free(columns->source);
}

static enum berth_status ask(struct berth_shown *shown, struct berth_answer *answer,
                             struct berth_error *error)
{
    struct berth_bytes text = {0};
    char options[40];
    double used = 0;
    snprintf(options, sizeof options, "count=%zu\n", shown->settings->diverse);
    enum berth_status status = list_smiles(shown, &text, error);
    BERTH_THEN(open_worker(&shown->diverse, error));
    if (!status) {
        const struct berth_request request = {.fields = {berth_text_field("diverse"),
                                                         berth_text_field(options),
                                                         {text.data, text.count}},
                                              .count = 3,
                                              .limit = LIMIT,
                                              .used = &used};
        status = berth_worker_ask(shown->diverse.source->worker, &request, answer, error);
    }
    berth_bytes_clear(&text);
    return status;
}

/* The text up to the separator, which becomes its end; *rest goes behind it. */
static char *cut(char **rest, const char *separator)
{
    char *begin = *rest, *end = begin + strcspn(begin, separator);
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return begin;
}

/* Asks for the properties of one molecule that are wanted early, tabs between them, in the order of
 * their columns. */
static enum berth_status ask_early(struct berth_diverse_columns *columns, const char *smiles,
                                   struct berth_answer *answer, struct berth_error *error)
{
    char options[128] = "names=";
    double used = 0;
    for (size_t k = 0; k < BERTH_PROPERTY_COUNT; k++) {
        if (columns->early[k]) {
            strcat(strcat(options, options[6] ? "," : ""), BERTH_PROPERTIES[k]);
        }
    }
    strcat(options, "\n");
    BERTH_TRY(open_worker(columns, error));
    const struct berth_request request = {.fields = {berth_text_field("properties"),
                                                     berth_text_field(options),
                                                     berth_text_field(smiles)},
                                          .count = 3,
                                          .limit = LIMIT,
                                          .used = &used};
    return berth_worker_ask(columns->source->worker, &request, answer, error);
}

enum berth_status berth_properties_set(struct berth_shown *shown, struct berth_error *error)
{
    struct berth_diverse_columns *columns = &shown->diverse;
    struct berth_csv *csv = shown->csv;
    struct berth_answer answer = {0};
    char *smiles = smiles_of(
        columns->input_smiles != SIZE_MAX ? berth_csv_field(csv, columns->input_smiles) : NULL,
        columns->smiles != SIZE_MAX ? berth_csv_field(csv, columns->smiles) : NULL);
    enum berth_status status =
        smiles ? ask_early(columns, smiles, &answer, error) : berth_out_of_memory(error, NULL);
    free(smiles);
    char *text = !status && answer.count > 1 ? berth_copy_text(answer.fields[1].data) : NULL;
    char *rest = text;
    size_t column = columns->first;
    for (size_t k = 0; text && !status && k < BERTH_PROPERTY_COUNT; k++) {
        if (columns->early[k]) {
            status = berth_csv_set(csv, column, cut(&rest, "\t"), error);
        }
        column += shown->settings->diverse || columns->early[k];
    }
    free(text);
    berth_answer_clear(&answer);
    return status == BERTH_E_FORMAT ? BERTH_OK : status; /* the molecule's: it has none */
}

enum berth_status berth_properties_tag(const struct berth_shown *shown, const char *const *cells,
                                       struct berth_bytes *tags, struct berth_error *error)
{
    const struct berth_diverse_columns *columns = &shown->diverse;
    for (size_t i = columns->first; i < columns->first + columns->count; i++) {
        const char *name = berth_csv_column(shown->csv, i);
        if (!*cells[i] || berth_csv_find(shown->csv, name) != i) {
            continue;
        }
        char *value = berth_csv_unescape(cells[i]);
        const char *const parts[] = {">  <", name, ">\n", value, "\n\n"};
        for (size_t k = 0; value && k < sizeof parts / sizeof *parts; k++) {
            berth_bytes_put(tags, parts[k], strlen(parts[k]));
        }
        const bool fits = value && !tags->failed;
        free(value);
        if (!fits) {
            return berth_out_of_memory(error, NULL);
        }
    }
    return BERTH_OK;
}

/* The row that a line is about, with its properties; NULL where there is no such row. */
static struct berth_kept_row *read_line(const struct berth_shown *shown, char *line)
{
    char *rest = line;
    const size_t number = strtoul(cut(&rest, "\t"), NULL, 10);
    struct berth_kept_row *row = number < shown->rows.count ? &shown->rows.rows[number] : NULL;
    for (size_t k = 0; row && k < BERTH_PROPERTY_COUNT; k++) {
        row->cells[shown->diverse.first + k] = cut(&rest, "\t");
    }
    return row;
}

enum berth_status berth_diverse_choose(struct berth_shown *shown, struct berth_error *error)
{
    struct berth_kept_rows *rows = &shown->rows;
    struct berth_answer answer = {0};
    enum berth_status status = ask(shown, &answer, error);
    if (!status && answer.count > 1) {
        rows->added = berth_copy_text(answer.fields[1].data);
    }
    if (!status && !rows->added) {
        status = berth_out_of_memory(error, NULL);
    }
    berth_answer_clear(&answer);
    char *rest = rows->added;
    size_t kept = 0;
    while (!status && *rest) {
        const struct berth_kept_row *row = read_line(shown, cut(&rest, "\n"));
        if (!row || row < rows->rows + kept) {
            return berth_fail(error, BERTH_E_IO,
                              "the RDKit worker gave an answer that makes no sense");
        }
        const struct berth_kept_row chosen = *row, left = rows->rows[kept];
        rows->rows[row - rows->rows] = left;
        rows->rows[kept++] = chosen;
    }
    if (!status) {
        berth_kept_rows_cut(rows, kept);
    }
    return status;
}

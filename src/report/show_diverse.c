/* Of the best rows those whose molecules differ, with properties: a list to buy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/worker.h"
#include "report/show.h"
#include "score/terms.h"

/* Seconds of processor time for all. */
static const double LIMIT = 600;

/* What tools/rdkit/diverse.py says of each. */
static const char *const PROPERTIES[] = {
    "mw", "logp", "donors", "acceptors", "tpsa", "rotatable_bonds", "qed", "pains"};
enum { PROPERTY_COUNT = sizeof PROPERTIES / sizeof *PROPERTIES };

enum berth_status berth_diverse_begin(struct berth_shown *shown, struct berth_error *error)
{
    struct berth_diverse_columns *columns = &shown->diverse;
    columns->smiles = berth_csv_find(shown->csv, BERTH_COLUMN_NAMES[BERTH_COLUMN_SMILES]);
    columns->input_smiles =
        berth_csv_find(shown->csv, BERTH_COLUMN_NAMES[BERTH_COLUMN_INPUT_SMILES]);
    if (columns->smiles == SIZE_MAX && columns->input_smiles == SIZE_MAX) {
        return berth_fail_option(error, BERTH_E_USAGE, "diverse",
                                 "diverse: %s has no SMILES: there are none of ligands that were "
                                 "docked as Mol2",
                                 shown->path);
    }
    columns->first = berth_csv_columns(shown->csv);
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        BERTH_TRY(berth_csv_add_column(shown->csv, PROPERTIES[k], error));
    }
    columns->count = PROPERTY_COUNT;
    return BERTH_OK;
}

bool berth_diverse_computes(const char *name)
{
    bool computed = false;
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        computed = computed || strcmp(name, PROPERTIES[k]) == 0;
    }
    return computed;
}

bool berth_diverse_has(const struct berth_diverse_columns *columns, size_t column)
{
    return column >= columns->first && column < columns->first + columns->count;
}

/* A line for each row: its SMILES, those of the input where they are known. */
static enum berth_status list_smiles(const struct berth_shown *shown, struct berth_bytes *text,
                                     struct berth_error *error)
{
    const struct berth_diverse_columns *columns = &shown->diverse;
    for (size_t i = 0; i < shown->rows.count; i++) {
        char *const *cells = shown->rows.rows[i].cells;
        const char *cell = columns->input_smiles != SIZE_MAX ? cells[columns->input_smiles] : "";
        if (!*cell && columns->smiles != SIZE_MAX) {
            cell = cells[columns->smiles];
        }
        char *smiles = berth_csv_unescape(cell);
        if (!smiles) {
            return berth_out_of_memory(error, NULL);
        }
        berth_bytes_put_text(text, smiles);
        berth_bytes_put_text(text, "\n");
        free(smiles);
    }
    return text->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

static enum berth_status ask(const struct berth_shown *shown, struct berth_answer *answer,
                             struct berth_error *error)
{
    struct berth_rdkit rdkit;
    struct berth_worker *worker = NULL;
    struct berth_bytes text = {0};
    char options[40];
    double used = 0;
    const struct berth_worker_setup setup = {.rdkit = &rdkit};
    snprintf(options, sizeof options, "count=%zu\n", shown->settings->diverse);
    enum berth_status status = list_smiles(shown, &text, error);
    BERTH_THEN(berth_rdkit_find(&rdkit, error));
    BERTH_THEN(berth_worker_create(&setup, &worker, error));
    if (!status) {
        const struct berth_request request = {.fields = {berth_text_field("diverse"),
                                                         berth_text_field(options),
                                                         {text.data, text.count}},
                                              .count = 3,
                                              .limit = LIMIT,
                                              .used = &used};
        status = berth_worker_ask(worker, &request, answer, error);
    }
    berth_worker_destroy(worker);
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

/* The row that a line is about, with its properties; NULL where there is no such row. */
static struct berth_kept_row *read_line(const struct berth_shown *shown, char *line)
{
    char *rest = line;
    const size_t number = strtoul(cut(&rest, "\t"), NULL, 10);
    struct berth_kept_row *row = number < shown->rows.count ? &shown->rows.rows[number] : NULL;
    for (size_t k = 0; row && k < PROPERTY_COUNT; k++) {
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

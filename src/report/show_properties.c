/* Properties of molecules, which RDKit computes, and of the best rows those whose molecules differ:
 * a list to buy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/csv.h"
#include "prep/worker.h"
#include "report/show_internal.h"
#include "score/fields.h"

/* Seconds of processor time for all. */
static const double LIMIT = 600;

const char *const PROPERTIES[PROPERTY_COUNT] = {
    "mw", "logp", "donors", "acceptors", "tpsa", "rotatable_bonds", "qed", "pains", "brenk"};

bool properties_have(const char *name)
{
    bool computed = false;
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        computed = computed || strcmp(name, PROPERTIES[k]) == 0;
    }
    return computed;
}

void properties_clear(struct properties *properties)
{
    berth_worker_destroy(properties->worker);
    free(properties->rdkit);
    free(properties->of);
    free(properties->answer);
}

/* Asks the worker; *text becomes what it says, which the caller frees.  Errors: BERTH_E_FORMAT
 * where RDKit cannot read the molecule; those of finding and running the worker. */
static enum berth_status ask(struct properties *properties, const char *what, const char *options,
                             const char *smiles, char **text, struct berth_error *error)
{
    struct berth_answer answer = {0};
    double used = 0;
    enum berth_status status = BERTH_OK;
    if (!properties->rdkit) {
        BERTH_TRY(berth_make(&properties->rdkit, 1, sizeof *properties->rdkit, NULL, error));
        const struct berth_worker_setup setup = {.rdkit = properties->rdkit};
        status = berth_rdkit_find(properties->rdkit, error);
        BERTH_THEN(berth_worker_create(&setup, &properties->worker, error));
    }
    const struct berth_request request = {
        .fields = {berth_text_field(what), berth_text_field(options), berth_text_field(smiles)},
        .count = 3,
        .limit = LIMIT,
        .used = &used};
    BERTH_THEN(berth_worker_ask(properties->worker, &request, &answer, error));
    if (!status) {
        *text = berth_copy_text(answer.count > 1 ? answer.fields[1].data : "");
        status = *text ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    berth_answer_clear(&answer);
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

/* --- Of each row as it is read --- */

/* Computes those that are asked for, tabs between them, unless the last row had this SMILES. */
static enum berth_status compute(struct properties *properties, const char *smiles,
                                 struct berth_error *error)
{
    char options[128] = "names=";
    if (properties->of && strcmp(properties->of, smiles) == 0) {
        return BERTH_OK;
    }
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        if (properties->early[k]) {
            strcat(strcat(options, options[6] ? "," : ""), PROPERTIES[k]);
        }
    }
    strcat(options, "\n");
    free(properties->of);
    free(properties->answer);
    properties->answer = NULL;
    properties->of = berth_copy_text(smiles);
    BERTH_TRY(properties->of ? BERTH_OK : berth_out_of_memory(error, NULL));
    const enum berth_status status =
        ask(properties, "properties", options, smiles, &properties->answer, error);
    return status == BERTH_E_FORMAT ? BERTH_OK : status; /* the molecule's: it has none */
}

/* property(number, as text, SMILES of the input, SMILES): that of the molecule, of the SMILES of
 * the input where they are known; NULL, or an empty text, where RDKit cannot read it. */
static enum berth_status property(void *context, const struct berth_sql_call *call,
                                  struct berth_error *error)
{
    struct properties *properties = context;
    const int64_t number = berth_call_integer(call, 0);
    const char *input = berth_call_text(call, 2);
    BERTH_TRY(compute(properties, *input ? input : berth_call_text(call, 3), error));
    const char *text = properties->answer ? properties->answer : "";
    for (int64_t k = 0; k < number; k++) {
        const char *tab = properties->early[k] ? strchr(text, '\t') : NULL;
        text = !properties->early[k] ? text : tab ? tab + 1 : "";
    }
    char *copy = berth_sql_text("%.*s", (int)strcspn(text, "\t"), text), *end;
    if (!copy) {
        return berth_out_of_memory(error, NULL);
    }
    const double value = strtod(copy, &end);
    const bool as_text = berth_call_integer(call, 1);
    if (!as_text && *copy && !*end) {
        berth_call_give_real(call, value);
    } else if (as_text || *copy) {
        berth_call_give_text(call, copy);
    }
    free(copy);
    return BERTH_OK;
}

static enum berth_status add_property(struct show *show, size_t k, struct berth_error *error)
{
    const struct properties *properties = &show->properties;
    const size_t columns[] = {properties->input_smiles, properties->smiles};
    const char *smiles[2];
    for (int i = 0; i < 2; i++) {
        smiles[i] = columns[i] == SIZE_MAX ? "NULL" : show->table.columns[columns[i]].value;
    }
    const bool early = properties->early[k];
    char *value = early ? berth_sql_text("property(%zu, 0, %s, %s)", k, smiles[0], smiles[1])
                        : berth_sql_text("NULL");
    char *cell = early ? berth_sql_text("property(%zu, 1, %s, %s)", k, smiles[0], smiles[1])
                       : berth_sql_text("''");
    const enum berth_status status =
        value && cell ? berth_table_add(&show->table, PROPERTIES[k], value, cell, error)
                      : berth_out_of_memory(error, NULL);
    free(value);
    free(cell);
    return status;
}

enum berth_status properties_add(struct show *show, struct berth_error *error)
{
    const struct berth_show_settings *settings = show->settings;
    struct properties *properties = &show->properties;
    bool by_them = false; /* a condition or an order is */
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        const char *name = PROPERTIES[k];
        const bool used = berth_text_has_word(settings->filter, name) ||
                          berth_text_has_word(settings->sort, name);
        const bool lacks = berth_table_find(&show->table, name) == SIZE_MAX;
        properties->early[k] = lacks && show_asks_for(show, name);
        by_them = by_them || (lacks && used);
    }
    if (!by_them && !settings->diverse) {
        return BERTH_OK;
    }
    properties->smiles = berth_table_find(&show->table, BERTH_COLUMN_SMILES);
    properties->input_smiles = berth_table_find(&show->table, BERTH_COLUMN_INPUT_SMILES);
    if (properties->smiles == SIZE_MAX && properties->input_smiles == SIZE_MAX) {
        const char *option = settings->diverse ? "diverse" : settings->filter ? "filter" : "sort";
        return berth_fail_option(error, BERTH_E_USAGE, option,
                                 "%s: %s has no SMILES: there are none of ligands that were "
                                 "docked as Mol2",
                                 option, show->path);
    }
    properties->first = show->table.count;
    enum berth_status status =
        berth_sqlite_add_function(show->sqlite, "property", property, properties, error);
    for (size_t k = 0; !status && k < PROPERTY_COUNT; k++) {
        if (settings->diverse || properties->early[k]) {
            status = add_property(show, k, error);
            properties->count++;
        }
    }
    return status;
}

/* --- Of those that differ --- */

enum berth_status properties_select(struct show *show, struct berth_error *error)
{
    const struct properties *properties = &show->properties;
    BERTH_TRY(show_select(show, properties->input_smiles, error));
    BERTH_TRY(show_select(show, properties->smiles, error));
    for (size_t i = 0; i < properties->count; i++) {
        BERTH_TRY(show_select(show, properties->first + i, error));
    }
    return BERTH_OK;
}

/* The cell of a row in that column, "" where there is none. */
static const char *cell_of(const struct berth_shown *shown, size_t row, size_t column)
{
    for (size_t i = 0; column != SIZE_MAX && i < shown->width; i++) {
        if (shown->show->selected[i] == column) {
            return shown->rows[row][i];
        }
    }
    return "";
}

/* A line for each row: its SMILES. */
static enum berth_status list_smiles(const struct berth_shown *shown, struct berth_bytes *text,
                                     struct berth_error *error)
{
    const struct properties *properties = &shown->show->properties;
    for (size_t i = 0; i < shown->count; i++) {
        const char *input = cell_of(shown, i, properties->input_smiles);
        char *smiles = berth_csv_unescape(*input ? input : cell_of(shown, i, properties->smiles));
        if (!smiles) {
            return berth_out_of_memory(error, NULL);
        }
        berth_bytes_put(text, smiles, strlen(smiles));
        berth_bytes_put(text, "\n", 1);
        free(smiles);
    }
    berth_bytes_put8(text, 0);
    return text->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Sets the properties of a row, as a line has them. */
static void set_properties(struct berth_shown *shown, const char **row, char *line)
{
    const struct show *show = shown->show;
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        char *value = cut(&line, "\t");
        for (size_t i = 0; i < shown->width; i++) {
            if (show->selected[i] == show->properties.first + k) {
                row[i] = value;
            }
        }
    }
}

enum berth_status properties_choose(struct berth_shown *shown, struct berth_error *error)
{
    struct properties *properties = &shown->show->properties;
    struct berth_bytes smiles = {0};
    char options[40];
    snprintf(options, sizeof options, "count=%zu\n", shown->show->settings->diverse);
    free(properties->answer);
    properties->answer = NULL;
    enum berth_status status = list_smiles(shown, &smiles, error);
    BERTH_THEN(
        ask(properties, "diverse", options, (const char *)smiles.data, &properties->answer, error));
    berth_bytes_clear(&smiles);
    char *rest = properties->answer;
    size_t kept = 0;
    while (!status && *rest) {
        char *line = cut(&rest, "\n");
        const size_t number = strtoul(cut(&line, "\t"), NULL, 10);
        if (number < kept || number >= shown->count) {
            return berth_fail(error, BERTH_E_IO,
                              "the RDKit worker gave an answer that makes no sense");
        }
        const char **const chosen = shown->rows[number];
        set_properties(shown, chosen, line);
        shown->rows[number] = shown->rows[kept];
        shown->rows[kept++] = chosen;
    }
    while (!status && shown->count > kept) {
        free(shown->rows[--shown->count]);
    }
    return status;
}

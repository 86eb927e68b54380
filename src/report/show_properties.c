/* What RDKit computes of molecules: properties, as columns and as functions of SQL, what is like
 * them and what they hold, and of the best rows those whose molecules differ: a list to buy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/csv.h"
#include "prep/worker.h"
#include "report/show_internal.h"
#include "score/fields.h"

/* Seconds of processor time for a question: of a molecule, or of a diverse choice. */
static const double LIMIT = 600;

/* Properties, and functions that compare a molecule with another one, or with a pattern. */
static const struct {
    const char *name, *unit, *about;
} NAMES[PROPERTY_COUNT + COMPARISON_COUNT] = {
    {"mw", "g/mol", "molar mass, by RDKit, of the molecule as vendors list it"},
    {"logp", "", "likewise: Crippen's logarithm of the octanol-water partition"},
    {"donors", "", "likewise: donors of hydrogen bonds"},
    {"acceptors", "", "likewise: acceptors of hydrogen bonds"},
    {"tpsa", "Å²", "likewise: topological polar surface"},
    {"rotatable_bonds", "", "likewise"},
    {"qed", "", "likewise: quantitative estimate of drug-likeness, 0 to 1"},
    {"pains", "", "likewise: the first alert of PAINS; empty: there is none"},
    {"brenk", "", "likewise: the first of Brenk's alerts; empty: there is none"},
    {"scaffold", "", "likewise: Bemis and Murcko's scaffold; empty: there is no ring"},
    {"similarity", NULL, NULL},
    {"substructure", NULL, NULL}};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

void properties_list(berth_column_taker *take)
{
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        take(NAMES[k].name, NAMES[k].unit, NAMES[k].about);
    }
}

bool properties_have(const struct show *show, size_t column)
{
    return column - show->properties.first < show->properties.count;
}

bool properties_name(const char *name, size_t length)
{
    bool some = false;
    for (size_t k = 0; k < NAME_COUNT; k++) {
        some = some ||
               (strlen(NAMES[k].name) == length && strncasecmp(NAMES[k].name, name, length) == 0);
    }
    return some;
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
                             const char *smiles, const char *other, char **text,
                             struct berth_error *error)
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
        .fields = {berth_text_field(what), berth_text_field(options), berth_text_field(smiles),
                   berth_text_field(other ? other : "")},
        .count = other ? 4 : 3,
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

/* --- Of each row as it is looked at --- */

/* Computes those that are asked for, each behind a tab, unless the last row had this SMILES. */
static enum berth_status compute(struct properties *properties, const char *smiles,
                                 struct berth_error *error)
{
    char options[160] = "names=";
    if (properties->of && strcmp(properties->of, smiles) == 0) {
        return BERTH_OK;
    }
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        if (properties->asked[k]) {
            strcat(strcat(options, options[6] ? "," : ""), NAMES[k].name);
        }
    }
    strcat(options, "\n");
    free(properties->of);
    free(properties->answer);
    properties->answer = NULL;
    properties->of = berth_copy_text(smiles);
    BERTH_TRY(properties->of ? BERTH_OK : berth_out_of_memory(error, NULL));
    const enum berth_status status =
        ask(properties, "properties", options, smiles, NULL, &properties->answer, error);
    const bool none = status == BERTH_E_FORMAT || (!status && !*properties->answer);
    properties->unreadable += none;
    return none ? BERTH_OK : status; /* the molecule's: it has none */
}

/* Gives a text, which is a number where it is wholly one and not asked for as text; NULL where it
 * is empty, and a text is not asked for. */
static enum berth_status give(const struct berth_sql_call *call, const char *text, size_t length,
                              bool as_text, struct berth_error *error)
{
    char *copy = berth_sql_text("%.*s", (int)length, text), *end;
    if (!copy) {
        return berth_out_of_memory(error, NULL);
    }
    const double value = strtod(copy, &end);
    if (!as_text && *copy && !*end) {
        berth_call_give_real(call, value);
    } else {
        berth_call_give_text(call, copy);
    }
    free(copy);
    return BERTH_OK;
}

/* NAME(SMILES, as text): that property of the molecule; NULL where RDKit cannot read it. */
static enum berth_status give_property(const struct property_function *function,
                                       const struct berth_sql_call *call, struct berth_error *error)
{
    struct properties *properties = function->properties;
    if (!properties->asked[function->number]) { /* the table has its own, or capitals hid it */
        properties->asked[function->number] = true;
        free(properties->of);
        properties->of = NULL;
    }
    BERTH_TRY(compute(properties, berth_call_text(call, 0), error));
    const char *text = properties->answer;
    for (size_t k = 0; text && *text && k < function->number; k++) {
        text += properties->asked[k] ? 1 + strcspn(text + 1, "\t") : 0;
    }
    if (!text || !*text) {
        return BERTH_OK;
    }
    const bool as_text = call->count > 1 && berth_call_integer(call, 1);
    return give(call, text + 1, strcspn(text + 1, "\t"), as_text, error);
}

/* NAME(SMILES, other): a number; NULL where RDKit cannot read SMILES. */
static enum berth_status give_comparison(const struct property_function *function,
                                         const struct berth_sql_call *call,
                                         struct berth_error *error)
{
    char *answer = NULL;
    enum berth_status status =
        ask(function->properties, NAMES[function->number].name, "", berth_call_text(call, 0),
            berth_call_text(call, 1), &answer, error);
    function->properties->unreadable += !status && !*answer;
    if (!status && *answer) {
        status = give(call, answer, strlen(answer), false, error);
    }
    free(answer);
    if (status == BERTH_E_FORMAT) { /* what it is compared with makes no sense */
        const char *option = function->properties->option;
        const struct berth_error why = *error;
        return berth_fail_option(error, BERTH_E_USAGE, option, "%s: %s", option, why.message);
    }
    return status;
}

static enum berth_status call_function(void *context, const struct berth_sql_call *call,
                                       struct berth_error *error)
{
    const struct property_function *function = context;
    const bool compares = function->number >= PROPERTY_COUNT;
    if (call->count < (compares ? 2 : 1) || call->count > 2) {
        const char *option = function->properties->option;
        return berth_fail_option(error, BERTH_E_USAGE, option, "%s: %s takes %s", option,
                                 NAMES[function->number].name,
                                 compares ? "a column of SMILES and a text" : "a column of SMILES");
    }
    return (compares ? give_comparison : give_property)(function, call, error);
}

/* Adds the column of a property: unless it is asked for, empty. */
static enum berth_status add_column(struct show *show, size_t k, struct berth_error *error)
{
    const struct properties *properties = &show->properties;
    const size_t columns[] = {properties->input_smiles, properties->smiles};
    const char *smiles[2];
    for (int i = 0; i < 2; i++) {
        smiles[i] = columns[i] == SIZE_MAX ? "NULL" : show->table.columns[columns[i]].value;
    }
    const bool asked = properties->asked[k];
    char *value = asked ? berth_sql_text("nullif(%s(coalesce(%s, %s)), '')", NAMES[k].name,
                                         smiles[0], smiles[1])
                        : berth_sql_text("NULL");
    char *cell =
        asked ? berth_sql_text("%s(coalesce(%s, %s), 1)", NAMES[k].name, smiles[0], smiles[1])
              : berth_sql_text("''");
    return berth_table_add(&show->table, NAMES[k].name, value, cell, error);
}

/* The option that asks for a property, or for all of them. */
static const char *option_of(const struct berth_show_settings *settings, const char *name)
{
    return berth_text_has_word(settings->filter, name)    ? "filter"
           : berth_text_has_word(settings->sort, name)    ? "sort"
           : berth_text_has_word(settings->columns, name) ? "columns"
           : berth_text_has_word(settings->group, name)   ? "group"
                                                          : "diverse";
}

/* Adds columns of those that are asked for and that the table does not have. */
static enum berth_status add_columns(struct show *show, struct berth_error *error)
{
    const struct berth_show_settings *settings = show->settings;
    struct properties *properties = &show->properties;
    enum berth_status status = BERTH_OK;
    properties->smiles = berth_table_find(&show->table, BERTH_COLUMN_SMILES);
    properties->input_smiles = berth_table_find(&show->table, BERTH_COLUMN_INPUT_SMILES);
    properties->first = show->table.count;
    for (size_t k = 0; !status && k < PROPERTY_COUNT; k++) {
        if (!(settings->diverse && k < PROPERTIES_BOUGHT) && !properties->asked[k]) {
            continue;
        }
        if (properties->smiles == SIZE_MAX && properties->input_smiles == SIZE_MAX) {
            const char *option = option_of(settings, NAMES[k].name);
            return berth_fail_option(error, BERTH_E_USAGE, option,
                                     "%s: %s has no SMILES: there are none of ligands that were "
                                     "docked as Mol2",
                                     option, show->path);
        }
        status = add_column(show, k, error);
        properties->count++;
    }
    return status;
}

enum berth_status properties_add(struct show *show, struct berth_error *error)
{
    struct properties *properties = &show->properties;
    enum berth_status status = BERTH_OK;
    for (size_t k = 0; !status && k < NAME_COUNT; k++) {
        properties->functions[k] = (struct property_function){properties, k};
        status = berth_sqlite_add_function(show->sqlite, NAMES[k].name, call_function,
                                           &properties->functions[k], error);
    }
    for (size_t k = 0; k < PROPERTY_COUNT; k++) {
        properties->asked[k] = show_asks_for(show, NAMES[k].name) &&
                               berth_table_find(&show->table, NAMES[k].name) == SIZE_MAX;
    }
    properties->option = show->settings->sql ? "sql" : "filter";
    return status || show->settings->sql ? status : add_columns(show, error);
}

void properties_tell(const struct show *show)
{
    const size_t count = show->properties.unreadable;
    if (count) {
        berth_warn(show->settings->log, NULL,
                   "RDKit cannot read %zu SMILES, of which nothing is known", count);
    }
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
        berth_bytes_print(text, "%s\n", smiles);
        free(smiles);
    }
    berth_bytes_put8(text, 0);
    return text->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Sets the properties of a row, as a line has them. */
static void set_properties(struct berth_shown *shown, const char **row, char *line)
{
    const struct show *show = shown->show;
    for (size_t k = 0; k < PROPERTIES_BOUGHT; k++) {
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
    BERTH_THEN(ask(properties, "diverse", options, (const char *)smiles.data, NULL,
                   &properties->answer, error));
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

/* Rows as files. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/csv.h"
#include "format/output.h"
#include "format/records.h"
#include "report/show_internal.h"
#include "score/fields.h"

enum show_format { SHOW_CSV, SHOW_JSON, SHOW_SMILES, SHOW_STRUCTURES };

/* A file of rows on its way. */
struct writing {
    struct berth_shown *shown;
    struct show *show; /* its */
    struct berth_output *output;
    enum show_format format;
    size_t count;                                  /* cells that are written */
    char **names;                                  /* owned; of JSON: of these */
    size_t smiles, input_smiles, ligand, state_of; /* cells; SIZE_MAX: there is none */
    size_t ordinal, mode;                          /* likewise */
    size_t rows, lacking;                          /* written; without SMILES or structure */
};

static enum berth_status choose_format(const char *path, enum show_format *chosen,
                                       struct berth_error *error)
{
    static const char *const ENDINGS[] = {"csv", "json", "smi", "sdf"};
    char format[8];
    berth_format_of(path, format, sizeof format);
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        if (strcmp(format, ENDINGS[i]) == 0) {
            *chosen = (enum show_format)i;
            return BERTH_OK;
        }
    }
    *chosen = SHOW_CSV;
    return strcmp(path, "-") == 0
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "out",
                                   "out: %s ends with none of .csv, .json, .smi and .sdf", path);
}

static const char *behind_digits(const char *text)
{
    return text + strspn(text, "0123456789");
}

/* What JSON takes for a number. */
static bool is_json_number(const char *text)
{
    text += *text == '-';
    const char *end = *text == '0' ? text + 1 : behind_digits(text);
    bool good = end > text;
    if (*end == '.') {
        text = end + 1;
        end = behind_digits(text);
        good = good && end > text;
    }
    if (*end == 'e' || *end == 'E') {
        text = end + 1 + (end[1] == '-' || end[1] == '+');
        end = behind_digits(text);
        good = good && end > text;
    }
    return good && *end == '\0';
}

static void put(struct berth_output *output, const char *text)
{
    berth_output_bytes(output, text, strlen(text));
}

/* A cell; of CSV, what follows it, too. */
static bool put_cell(const struct writing *writing, const char *cell, char separator)
{
    const bool json = writing->format == SHOW_JSON;
    if (is_json_number(cell) || (json && !*cell)) {
        put(writing->output, *cell ? cell : "null");
        berth_output_bytes(writing->output, &separator, !json);
        return true;
    }
    char *text = berth_csv_unescape(cell);
    if (text && json) {
        berth_output_json(writing->output, text);
    } else if (text) {
        berth_output_csv(writing->output, text, separator);
    }
    free(text);
    return text != NULL;
}

static const char *cell_at(const char *const *cells, size_t place)
{
    return place != SIZE_MAX ? cells[place] : "";
}

/* A line: SMILES, blank, name; the SMILES of the input where they are known, and of a row that
 * stands for a molecule its name, not the state's: what a supplier has. */
static bool put_smiles(struct writing *writing, const char *const *cells)
{
    const char *input = cell_at(cells, writing->input_smiles);
    const char *smiles = *input ? input : cell_at(cells, writing->smiles);
    const char *state_of = cell_at(cells, writing->state_of);
    if (!*smiles) {
        writing->lacking++;
        return true;
    }
    char *text = berth_csv_unescape(smiles);
    char *name = berth_csv_unescape(*state_of ? state_of : cells[writing->ligand]);
    if (text && name) {
        berth_output_print(writing->output, "%s %s\n", text, name);
        writing->rows++;
    }
    free(text);
    free(name);
    return text && name;
}

static bool put_cells(struct writing *writing, const char *const *cells)
{
    const bool json = writing->format == SHOW_JSON;
    bool fits = true;
    if (json) {
        put(writing->output, writing->rows++ ? ",\n{" : "[\n{");
    }
    for (size_t i = 0; fits && i < writing->count; i++) {
        if (json) {
            put(writing->output, i ? ", " : "");
            berth_output_json(writing->output, writing->names[i]);
            put(writing->output, ": ");
        }
        fits = put_cell(writing, cells[i], i + 1 < writing->count ? ',' : '\n');
    }
    if (json) {
        put(writing->output, "}");
    }
    return fits;
}

/* Tags of an SDF record with the properties that were computed of the row. */
static enum berth_status list_tags(const struct writing *writing, const char *const *cells,
                                   struct berth_bytes *tags, struct berth_error *error)
{
    const struct show *show = writing->show;
    const struct properties *properties = &show->properties;
    for (size_t i = 0; properties->count && i < show->selected_count; i++) {
        const size_t column = show->selected[i];
        const char *name = show->shown->names[i];
        if (!properties_have(show, column) || !*cells[i] ||
            berth_table_find(&show->table, name) != column) {
            continue; /* what the table itself has is in the record */
        }
        char *value = berth_csv_unescape(cells[i]);
        berth_bytes_print(tags, ">  <%s>\n%s\n\n", name, value ? value : "");
        const bool fits = value && !tags->failed;
        free(value);
        if (!fits) {
            return berth_out_of_memory(error, NULL);
        }
    }
    return BERTH_OK;
}

static enum berth_status put_row(struct writing *writing, const char *const *cells,
                                 struct berth_error *error)
{
    if (writing->format == SHOW_STRUCTURES) {
        struct berth_bytes tags = {0};
        enum berth_status status = list_tags(writing, cells, &tags, error);
        BERTH_THEN(structures_choose(writing->show, cells[writing->ordinal], cells[writing->mode],
                                     &tags, error));
        berth_bytes_clear(&tags);
        writing->rows++;
        return status;
    }
    const bool fits =
        writing->format == SHOW_SMILES ? put_smiles(writing, cells) : put_cells(writing, cells);
    return fits ? berth_output_check(writing->output, error) : berth_out_of_memory(error, NULL);
}

static enum berth_status put_head(struct writing *writing, struct berth_error *error)
{
    if (writing->format == SHOW_CSV) {
        return put_row(writing, writing->shown->names, error);
    }
    if (writing->format != SHOW_JSON) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_make(&writing->names, writing->count, sizeof *writing->names, NULL, error));
    for (size_t i = 0; i < writing->count; i++) {
        writing->names[i] = berth_csv_unescape(writing->shown->names[i]);
        if (!writing->names[i]) {
            return berth_out_of_memory(error, NULL);
        }
    }
    return BERTH_OK;
}

/* Row by row, or those that were chosen. */
static enum berth_status put_rows(struct writing *writing, struct berth_error *error)
{
    struct berth_shown *shown = writing->shown;
    struct show *show = writing->show;
    enum berth_status status = put_head(writing, error);
    if (!status && show->settings->diverse) {
        status = shown_keep(shown, error);
        for (size_t i = 0; !status && i < shown->count; i++) {
            status = put_row(writing, shown->rows[i], error);
        }
    }
    const char **row;
    while (!status && !show->settings->diverse && !(status = show_next(show, &row, error)) && row) {
        status = put_row(writing, row, error);
        free(row);
    }
    if (!status && writing->format == SHOW_JSON) {
        berth_output_print(writing->output, writing->rows ? "\n]\n" : "[]\n");
    }
    return status;
}

/* Selects those columns of the table that a list of SMILES or a file of structures needs. */
static enum berth_status select_needed(const struct writing *writing, struct berth_error *error)
{
    static const char *const LISTED[] = {BERTH_COLUMN_SMILES,
                                         BERTH_COLUMN_INPUT_SMILES,
                                         BERTH_COLUMN_STATE_OF,
                                         BERTH_COLUMN_LIGAND,
                                         "name",
                                         NULL};
    static const char *const POSED[] = {BERTH_COLUMN_ORDINAL, BERTH_COLUMN_MODE, NULL};
    static const char *const *const NEEDED[] = {[SHOW_SMILES] = LISTED, [SHOW_STRUCTURES] = POSED};
    struct show *show = writing->show;
    const bool needs = !show->settings->sql &&
                       (writing->format == SHOW_SMILES || writing->format == SHOW_STRUCTURES);
    const char *const *name = needs ? NEEDED[writing->format] : NULL;
    for (; name && *name; name++) {
        BERTH_TRY(show_select(show, berth_table_find(&show->table, *name), error));
    }
    const bool tagged = show->settings->diverse || writing->format == SHOW_STRUCTURES;
    return tagged && show->properties.count ? properties_select(show, error) : BERTH_OK;
}

/* The place of a cell of this name in rows; SIZE_MAX: there is none. */
static size_t place_of(const struct show *show, const char *name)
{
    for (size_t i = 0; i < show->shown->width; i++) {
        if (strcmp(show->shown->names[i], name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Finds the cells that are needed. */
static enum berth_status find_needed(struct writing *writing, struct berth_error *error)
{
    struct show *show = writing->show;
    const char *of = show->settings->sql ? "what SQL selects" : show->path;
    const size_t ligand = place_of(show, BERTH_COLUMN_LIGAND);
    writing->ligand = ligand != SIZE_MAX ? ligand : place_of(show, "name");
    writing->smiles = place_of(show, BERTH_COLUMN_SMILES);
    writing->input_smiles = place_of(show, BERTH_COLUMN_INPUT_SMILES);
    writing->state_of =
        show->settings->molecules ? place_of(show, BERTH_COLUMN_STATE_OF) : SIZE_MAX;
    writing->ordinal = place_of(show, BERTH_COLUMN_ORDINAL);
    writing->mode = place_of(show, BERTH_COLUMN_MODE);
    const bool smiles = writing->smiles != SIZE_MAX || writing->input_smiles != SIZE_MAX;
    if (writing->format == SHOW_SMILES && (writing->ligand == SIZE_MAX || !smiles)) {
        return berth_fail_option(
            error, BERTH_E_USAGE, "out", "out: %s has no %s", of,
            show->settings->sql ? "columns ligand and smiles, or input_smiles"
                                : "SMILES: there are none of ligands that were docked as Mol2");
    }
    if (writing->format == SHOW_STRUCTURES &&
        (writing->ordinal == SIZE_MAX || writing->mode == SIZE_MAX)) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: %s has no columns ordinal and mode, by which poses are "
                                 "found",
                                 of);
    }
    return BERTH_OK;
}

/* Writes the structures of the rows, and says which rows have none. */
static enum berth_status put_structures(struct writing *writing, struct berth_error *error)
{
    const bool structures = writing->format == SHOW_STRUCTURES;
    if (structures) {
        BERTH_TRY(structures_write(writing->show, writing->output, &writing->lacking, error));
        writing->rows -= writing->lacking;
    }
    const char *what = !structures             ? "SMILES"
                       : writing->show->stored ? "structure in the database (a screen has those of "
                                                 "its --top)"
                                               : "pose beside the table (a screen writes those of "
                                                 "its --top)";
    if (writing->lacking && !writing->rows) {
        return berth_fail_option(error, BERTH_E_USAGE, "out", "out: none of %zu rows has %s %s",
                                 writing->lacking, structures ? "a" : "any", what);
    }
    if (writing->lacking) {
        berth_warn(writing->show->settings->log, NULL,
                   "%zu of %zu rows have no %s and are left out", writing->lacking,
                   writing->lacking + writing->rows, what);
    }
    return BERTH_OK;
}

enum berth_status berth_show_write(const struct berth_show_settings *settings,
                                   struct berth_error *error)
{
    struct berth_shown shown;
    struct writing writing = {.shown = &shown};
    BERTH_TRY(choose_format(settings->out, &writing.format, error));
    enum berth_status status = show_open(settings, true, &shown, error);
    writing.show = shown.show;
    writing.count = status ? 0 : shown.show->selected_count;
    BERTH_THEN(select_needed(&writing, error));
    BERTH_THEN(writing.format == SHOW_STRUCTURES ? structures_begin(shown.show, error) : BERTH_OK);
    BERTH_THEN(show_ask(shown.show, error));
    BERTH_THEN(find_needed(&writing, error));
    writing.count = settings->sql ? shown.width : writing.count;
    BERTH_THEN(berth_output_create(settings->out, &writing.output, error));
    BERTH_THEN(put_rows(&writing, error));
    BERTH_THEN(put_structures(&writing, error));
    for (size_t i = 0; writing.names && i < writing.count; i++) {
        free(writing.names[i]);
    }
    free(writing.names);
    berth_shown_clear(&shown);
    return berth_output_finish(writing.output, status, error);
}

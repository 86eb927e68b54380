#include "report/show.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/output.h"
#include "format/records.h"
#include "eval/screen/ligands.h"
#include "report/store/sqlite.h"
#include "report/store/store.h"
#include "score/fields.h"

/* --- Columns --- */

static enum berth_status find_column(const struct berth_shown *shown, const char *name,
                                     size_t *column, struct berth_error *error)
{
    char names[1024];
    *column = berth_csv_find(shown->csv, name);
    if (*column != SIZE_MAX) {
        return BERTH_OK;
    }
    berth_columns_list(shown->csv, names, sizeof names);
    const bool alone = strcmp(name, BERTH_COLUMN_RANKING) == 0;
    return berth_fail(error, BERTH_E_USAGE, "%s: no column %s%s; there is %s", shown->path, name,
                      alone ? " (of a run by one function, score ranks)" : "", names);
}

static enum berth_status take_named(struct berth_shown *shown, struct berth_error *error)
{
    char *list = berth_copy_text(shown->settings->columns);
    enum berth_status status = list ? BERTH_OK : berth_out_of_memory(error, NULL);
    char *rest = list;
    if (list) {
        berth_text_trim_list(list);
    }
    for (char *name; !status && (name = strtok_r(rest, ",", &rest));) {
        if (shown->column_count == berth_csv_columns(shown->csv)) {
            status = berth_fail_option(error, BERTH_E_USAGE, "columns",
                                       "columns: more names than %s has columns", shown->path);
            break;
        }
        const enum berth_status found =
            find_column(shown, name, &shown->columns[shown->column_count++], error);
        status = found && berth_diverse_computes(name)
                     ? berth_fail_option(error, BERTH_E_USAGE, "diverse",
                                         "diverse: %s has no column %s; it is computed of the rows "
                                         "that this option chooses, or where filter or sort have "
                                         "such a column",
                                         shown->path, name)
                     : found;
    }
    free(list);
    return status;
}

static void take_once(struct berth_shown *shown, size_t column)
{
    for (size_t i = 0; i < shown->column_count; i++) {
        if (shown->columns[i] == column) {
            return;
        }
    }
    if (column != SIZE_MAX) {
        shown->columns[shown->column_count++] = column;
    }
}

/* What one looks at first; what it is sorted and filtered by. */
static void take_usual(struct berth_shown *shown)
{
    const char *name;
    for (size_t i = 0; (name = berth_field_usual(i)); i++) {
        take_once(shown, berth_csv_find(shown->csv, name));
    }
    if (shown->settings->poses || shown->settings->require) {
        take_once(shown, shown->mode);
    }
    if (shown->settings->molecules) {
        take_once(shown, shown->fold.states);
    }
    for (size_t i = 0; i < shown->diverse.count; i++) {
        take_once(shown, shown->diverse.first + i);
    }
    if (shown->settings->free) {
        take_once(shown, shown->free.column);
    }
    take_once(shown, shown->rows.column);
    for (size_t i = 0; i < shown->filter.count; i++) {
        take_once(shown, shown->filter.columns[i]);
    }
}

/* all: of columns that were not named; of tables without scores they are. */
static enum berth_status choose_columns(struct berth_shown *shown, bool all,
                                        struct berth_error *error)
{
    const struct berth_show_settings *settings = shown->settings;
    /* what orders a ligand's poses compares no ligands: its values grow with their size */
    const size_t of_poses = settings->poses ? berth_csv_find(shown->csv, "pose_ranking") : SIZE_MAX;
    const size_t of_ligands = berth_csv_find(shown->csv, "ranking");
    const size_t ranking =
        of_poses != SIZE_MAX ? of_poses : berth_scores_ranking_column(shown->csv);
    shown->mode = berth_csv_find(shown->csv, "mode");
    shown->bar = ranking;
    shown->rows.column = of_ligands != SIZE_MAX ? of_ligands : ranking != SIZE_MAX ? ranking : 0;
    if (of_ligands != SIZE_MAX &&
        berth_csv_find(shown->csv, "rank") != SIZE_MAX) { /* a model may have ranked a part alone */
        shown->rows.column = berth_csv_find(shown->csv, "rank");
    }
    shown->fold.ranking = shown->rows.column;
    shown->rows.descending = settings->descending;
    shown->rows.most = settings->molecules ? 0 : settings->top; /* until they are folded */
    BERTH_TRY(berth_make(&shown->columns, berth_csv_columns(shown->csv), sizeof *shown->columns,
                         NULL, error));
    if (settings->sort) {
        BERTH_TRY(find_column(shown, settings->sort, &shown->rows.column, error));
    }
    if (settings->columns) {
        return take_named(shown, error);
    }
    if (all || ranking == SIZE_MAX) {
        for (size_t i = 0; i < berth_csv_columns(shown->csv); i++) {
            take_once(shown, i);
        }
    } else {
        take_usual(shown);
    }
    return BERTH_OK;
}

/* --- Rows --- */

/* table: where it is, with the poses beside it. */
static enum berth_status find_required(struct berth_shown *shown, const char *table,
                                       struct berth_error *error)
{
    shown->ordinal = berth_csv_find(shown->csv, "ordinal");
    if (!shown->settings->require) {
        return BERTH_OK;
    }
    return shown->ordinal == SIZE_MAX || berth_csv_find(shown->csv, "mode") == SIZE_MAX
               ? berth_fail_option(error, BERTH_E_USAGE, "require",
                                   "require: %s has no columns ordinal and mode", shown->path)
               : berth_required_poses_find(shown->settings, table, &shown->required, error);
}

/* Adds the column of how many states a molecule has. */
static enum berth_status add_states(struct berth_shown *shown, struct berth_error *error)
{
    const struct berth_show_settings *settings = shown->settings;
    if (!settings->molecules) {
        return BERTH_OK;
    }
    if (settings->poses) {
        return berth_fail_option(error, BERTH_E_USAGE, "molecules",
                                 "molecules: of a molecule one row is shown, without poses");
    }
    shown->fold.state_of = berth_csv_find(shown->csv, BERTH_COLUMN_STATE_OF);
    shown->fold.ligand = berth_scores_name_column(shown->csv);
    shown->fold.states = berth_csv_columns(shown->csv);
    return shown->fold.ligand == SIZE_MAX
               ? berth_fail(error, BERTH_E_FORMAT, "%s: no column ligand or name", shown->path)
               : berth_csv_add_column(shown->csv, "states", error);
}

/* Of a database: a copy. */
static enum berth_status open_store(const struct berth_show_settings *settings,
                                    struct berth_shown *shown, struct berth_error *error)
{
    const bool scores_alone = !settings->require && !shown->structures;
    snprintf(shown->path, sizeof shown->path, "%s", settings->results);
    BERTH_TRY(
        berth_store_unpack(settings->results, settings->run, scores_alone, shown->unpacked, error));
    BERTH_TRY(
        berth_path_in(shown->unpacked, "scores.csv", shown->table, sizeof shown->table, error));
    BERTH_TRY(berth_csv_open(shown->table, ',', &shown->csv, error));
    return find_required(shown, shown->table, error);
}

static enum berth_status open_scores(const struct berth_show_settings *settings,
                                     struct berth_shown *shown, struct berth_error *error)
{
    if (settings->run) {
        return berth_fail_option(error, BERTH_E_USAGE, "run",
                                 "run: %s is no database, of which it names a run",
                                 settings->results);
    }
    BERTH_TRY(berth_scores_find(settings->results, shown->path, error));
    BERTH_TRY(berth_csv_open(shown->path, ',', &shown->csv, error));
    snprintf(shown->table, sizeof shown->table, "%s", shown->path);
    return find_required(shown, shown->path, error);
}

/* Adds columns for properties: all for a diverse choice; of what a condition or an order is by,
 * those that are named, which are computed row by row. */
static enum berth_status add_properties(struct berth_shown *shown, struct berth_error *error)
{
    const struct berth_show_settings *settings = shown->settings;
    struct berth_diverse_columns *columns = &shown->diverse;
    bool by_them = false;
    for (size_t k = 0; k < BERTH_PROPERTY_COUNT; k++) {
        const char *name = BERTH_PROPERTIES[k];
        const bool used = berth_text_has_word(settings->filter, name) ||
                          berth_text_has_word(settings->sort, name);
        const bool lacks = berth_csv_find(shown->csv, name) == SIZE_MAX;
        columns->early[k] = lacks && (used || berth_text_has_word(settings->columns, name));
        by_them = by_them || (lacks && used);
    }
    columns->by_them = by_them;
    return by_them || settings->diverse ? berth_diverse_begin(shown, error) : BERTH_OK;
}

static enum berth_status open_table(const struct berth_show_settings *settings, bool all,
                                    struct berth_shown *shown, struct berth_error *error)
{
    shown->settings = settings;
    shown->last = NAN;
    BERTH_TRY(berth_sqlite_is_file(settings->results) ? open_store(settings, shown, error)
                                                      : open_scores(settings, shown, error));
    BERTH_TRY(add_states(shown, error));
    BERTH_TRY(add_properties(shown, error));
    BERTH_TRY(berth_torsions_add(shown, error));
    BERTH_TRY(berth_free_add(shown, error));
    BERTH_TRY(berth_row_filter_create(settings->filter, shown->csv, &shown->filter, error));
    BERTH_TRY(berth_shown_names_read(settings, "names", shown->csv, &shown->names, error));
    BERTH_TRY(
        berth_shown_names_read(settings, "exclude_names", shown->csv, &shown->excluded, error));
    return choose_columns(shown, all, error);
}

void berth_shown_clear(struct berth_shown *shown)
{
    berth_kept_rows_clear(&shown->rows);
    berth_required_poses_clear(&shown->required);
    free(shown->torsions.ligands);
    berth_free_clear(&shown->free);
    berth_row_filter_clear(&shown->filter);
    berth_shown_names_clear(&shown->names);
    berth_shown_names_clear(&shown->excluded);
    berth_diverse_end(&shown->diverse);
    berth_csv_close(shown->csv);
    free(shown->columns);
    free(shown->sample);
    if (*shown->unpacked) {
        berth_store_remove(shown->unpacked, shown->settings->log);
    }
}

/* Whether the row is of a pose to be looked at: one that makes what is required, a ligand's best
 * unless all are asked for. */
static bool is_wanted(const struct berth_shown *shown)
{
    double mode = 1, ordinal = 0;
    const bool has_mode = shown->mode != SIZE_MAX && berth_csv_real(shown->csv, shown->mode, &mode);
    if (!shown->settings->require) {
        return shown->settings->poses || !has_mode || mode <= 1;
    }
    return has_mode && berth_csv_real(shown->csv, shown->ordinal, &ordinal) &&
           berth_required_poses_have(&shown->required, ordinal, mode) &&
           (shown->settings->poses || ordinal != shown->last);
}

/* Whether the row is of a ligand that is wanted.  Both lists look at each row, whatever else leaves
 * it out, since they tell which of their names the table lacks. */
static bool is_named(struct berth_shown *shown)
{
    const bool named = berth_shown_names_have(&shown->names, shown->csv);
    const bool excluded =
        shown->excluded.seen && berth_shown_names_have(&shown->excluded, shown->csv);
    return named && !excluded;
}

/* Says how many ligands make what is required in a pose that the table has no row of: that of a
 * screen has but the best ones. */
static void tell_further(const struct berth_shown *shown)
{
    const struct berth_show_settings *settings = shown->settings;
    const size_t ligands = berth_required_poses_ligands(&shown->required);
    if (settings->require && !settings->poses && !shown->names.seen && !shown->excluded.seen &&
        ligands > shown->read) {
        berth_warn(settings->log, NULL,
                   "%zu more ligand%s it in a further pose, of which the table has no row: `berth "
                   "interactions --require` lists these",
                   ligands - shown->read, ligands - shown->read > 1 ? "s make" : " makes");
    }
}

/* Reads on to the next row that is wanted. */
static enum berth_status next_row(struct berth_shown *shown, bool *end, struct berth_error *error)
{
    enum berth_status status;
    while (!(status = berth_csv_next(shown->csv, end, error)) && !*end) {
        const bool named = is_named(shown);
        if (!named || !is_wanted(shown)) {
            continue;
        }
        shown->read++;
        bool passes;
        if (shown->has_torsions) {
            BERTH_TRY(berth_torsions_set(shown, error));
        }
        BERTH_TRY(berth_free_set(shown, error));
        if (shown->diverse.by_them &&
            berth_row_filter_may(&shown->filter, shown->csv, shown->diverse.first,
                                 shown->diverse.count)) {
            BERTH_TRY(berth_properties_set(shown, error));
        }
        BERTH_TRY(berth_row_filter_apply(&shown->filter, shown->csv, &passes, error));
        if (passes) {
            shown->last = NAN;
            if (shown->ordinal != SIZE_MAX) {
                berth_csv_real(shown->csv, shown->ordinal, &shown->last);
            }
            shown->passed++;
            return BERTH_OK;
        }
    }
    if (!status) {
        BERTH_TRY(berth_shown_names_tell(&shown->names, shown->settings->log, error));
        BERTH_TRY(berth_shown_names_tell(&shown->excluded, shown->settings->log, error));
        berth_row_filter_tell(&shown->filter, shown->csv, shown->settings->log);
        tell_further(shown);
    }
    return status;
}

/* Bars are of a column that is shown. */
static bool has_bars(const struct berth_shown *shown)
{
    bool is_shown = false;
    for (size_t i = 0; i < shown->column_count; i++) {
        is_shown = is_shown || shown->columns[i] == shown->bar;
    }
    return is_shown;
}

/* Leaves out the columns that are empty in all rows that were kept. */
static void drop_empty(struct berth_shown *shown)
{
    size_t kept = 0;
    for (size_t i = 0; i < shown->column_count; i++) {
        bool empty = shown->rows.count > 0;
        for (size_t k = 0; empty && k < shown->rows.count; k++) {
            empty = !*shown->rows.rows[k].cells[shown->columns[i]];
        }
        if (!empty) {
            shown->columns[kept++] = shown->columns[i];
        }
    }
    shown->column_count = kept;
}

/* Keeps the first rows, sorted. */
static enum berth_status keep_rows(struct berth_shown *shown, struct berth_error *error)
{
    enum berth_status status;
    bool end;
    while (!(status = next_row(shown, &end, error)) && !end) {
        double value;
        if (shown->sample && berth_csv_real(shown->csv, shown->bar, &value)) {
            berth_sample_add(shown->sample, value);
        }
        BERTH_TRY(berth_kept_rows_offer(&shown->rows, shown->csv, error));
    }
    if (!status && shown->settings->molecules) {
        status = berth_kept_rows_fold(&shown->rows, &shown->fold, error);
        shown->molecules = shown->rows.count;
        shown->rows.most = shown->settings->top;
    }
    if (!status && (shown->settings->sorted || !shown->settings->molecules)) {
        berth_kept_rows_sort(&shown->rows);
    }
    return !status && shown->settings->diverse ? berth_diverse_choose(shown, error) : status;
}

/* Says of how many rows the pose is not the one that ranks its ligand, which the column tells of.
 */
static void tell_modes(const struct berth_shown *shown)
{
    size_t others = 0;
    const struct berth_show_settings *settings = shown->settings;
    if (!settings->require || settings->poses ||
        berth_csv_find(shown->csv, "ranking") == SIZE_MAX) {
        return;
    }
    for (size_t i = 0; i < shown->rows.count; i++) {
        others += strtod(shown->rows.rows[i].cells[shown->mode], NULL) > 1;
    }
    if (others) {
        berth_warn(
            settings->log, NULL,
            "the pose of %zu of %zu rows is not its ligand's best (mode above 1): ranking is "
            "the best pose's, and what else is shown is that of the pose",
            others, shown->rows.count);
    }
}

enum berth_status berth_shown_read(const struct berth_show_settings *settings,
                                   struct berth_shown *shown, struct berth_error *error)
{
    memset(shown, 0, sizeof *shown);
    BERTH_TRY(open_table(settings, false, shown, error));
    if (has_bars(shown)) {
        BERTH_TRY(berth_make(&shown->sample, 1, sizeof *shown->sample, NULL, error));
    }
    BERTH_TRY(keep_rows(shown, error));
    tell_modes(shown);
    if (!settings->columns) {
        drop_empty(shown);
    }
    return BERTH_OK;
}

/* --- Files --- */

enum show_format { SHOW_CSV, SHOW_JSON, SHOW_SMILES, SHOW_STRUCTURES };

/* A file of rows on its way. */
struct writing {
    struct berth_shown *shown;
    struct berth_output *output;
    enum show_format format;
    char **names;                         /* owned; of JSON: of the columns that are shown */
    size_t smiles, input_smiles, ligand;  /* columns */
    struct berth_shown_structures wanted; /* poses of the rows */
    size_t rows, lacking;                 /* written; without SMILES or structure */
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

/* A line: SMILES, blank, name; the SMILES of the input where they are known, and of a row that
 * stands for a molecule its name, not the state's: what a supplier has. */
static bool put_smiles(struct writing *writing, const char *const *cells)
{
    const char *smiles = writing->input_smiles != SIZE_MAX ? cells[writing->input_smiles] : "";
    if (!*smiles && writing->smiles != SIZE_MAX) {
        smiles = cells[writing->smiles];
    }
    if (!*smiles) {
        writing->lacking++;
        return true;
    }
    const size_t state_of =
        writing->shown->settings->molecules ? writing->shown->fold.state_of : SIZE_MAX;
    const bool is_state = state_of != SIZE_MAX && *cells[state_of];
    char *text = berth_csv_unescape(smiles);
    char *name = berth_csv_unescape(cells[is_state ? state_of : writing->ligand]);
    if (text && name) {
        berth_output_print(writing->output, "%s %s\n", text, name);
        writing->rows++;
    }
    free(text);
    free(name);
    return text && name;
}

/* cells: of all columns of the table. */
static bool put_cells(struct writing *writing, const char *const *cells)
{
    const struct berth_shown *shown = writing->shown;
    const size_t count = shown->column_count;
    const bool json = writing->format == SHOW_JSON;
    bool fits = true;
    if (json) {
        put(writing->output, writing->rows++ ? ",\n{" : "[\n{");
    }
    for (size_t i = 0; fits && i < count; i++) {
        if (json) {
            put(writing->output, i ? ", " : "");
            berth_output_json(writing->output, writing->names[i]);
            put(writing->output, ": ");
        }
        fits = put_cell(writing, cells[shown->columns[i]], i + 1 < count ? ',' : '\n');
    }
    if (json) {
        put(writing->output, "}");
    }
    return fits;
}

static enum berth_status put_row(struct writing *writing, const char *const *cells,
                                 struct berth_error *error)
{
    const struct berth_shown *shown = writing->shown;
    if (writing->format == SHOW_STRUCTURES) {
        struct berth_shown_structures *wanted = &writing->wanted;
        BERTH_TRY(berth_structures_want(wanted, strtod(cells[shown->ordinal], NULL),
                                        strtod(cells[shown->mode], NULL), error));
        return berth_properties_tag(shown, cells, &wanted->items[wanted->count - 1].tags, error);
    }
    const bool fits =
        writing->format == SHOW_SMILES ? put_smiles(writing, cells) : put_cells(writing, cells);
    return fits ? berth_output_check(writing->output, error) : berth_out_of_memory(error, NULL);
}

static enum berth_status put_head(struct writing *writing, const char **cells,
                                  struct berth_error *error)
{
    const struct berth_shown *shown = writing->shown;
    for (size_t i = 0; i < berth_csv_columns(shown->csv); i++) {
        cells[i] = berth_csv_column(shown->csv, i);
    }
    if (writing->format == SHOW_CSV) {
        return put_row(writing, cells, error);
    }
    if (writing->format != SHOW_JSON) {
        return BERTH_OK;
    }
    BERTH_TRY(
        berth_make(&writing->names, shown->column_count, sizeof *writing->names, NULL, error));
    for (size_t i = 0; i < shown->column_count; i++) {
        writing->names[i] = berth_csv_unescape(cells[shown->columns[i]]);
        if (!writing->names[i]) {
            return berth_out_of_memory(error, NULL);
        }
    }
    return BERTH_OK;
}

/* Row by row, or those that were kept. */
static enum berth_status put_rows(struct writing *writing, const char **cells,
                                  struct berth_error *error)
{
    struct berth_shown *shown = writing->shown;
    const size_t columns = berth_csv_columns(shown->csv);
    enum berth_status status = put_head(writing, cells, error);
    bool end = false;
    if (!status && (shown->settings->sorted || shown->settings->molecules)) {
        status = keep_rows(shown, error);
        for (size_t i = 0; !status && i < shown->rows.count; i++) {
            status = put_row(writing, (const char *const *)shown->rows.rows[i].cells, error);
        }
    } else {
        while (!status && !(status = next_row(shown, &end, error)) && !end) {
            for (size_t i = 0; i < columns; i++) {
                cells[i] = berth_csv_field(shown->csv, i);
            }
            status = put_row(writing, cells, error);
        }
    }
    if (!status && writing->format == SHOW_JSON) {
        berth_output_print(writing->output, writing->rows ? "\n]\n" : "[]\n");
    }
    return status;
}

/* The columns that a list of SMILES or a file of structures needs. */
static enum berth_status find_needed(struct writing *writing, struct berth_error *error)
{
    const struct berth_shown *shown = writing->shown;
    writing->smiles = berth_csv_find(shown->csv, BERTH_COLUMN_SMILES);
    writing->input_smiles = berth_csv_find(shown->csv, BERTH_COLUMN_INPUT_SMILES);
    writing->ligand = berth_scores_name_column(shown->csv);
    const bool no_smiles = writing->ligand == SIZE_MAX ||
                           (writing->smiles == SIZE_MAX && writing->input_smiles == SIZE_MAX);
    if (writing->format == SHOW_SMILES && no_smiles) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: %s has no SMILES: there are none of ligands that were "
                                 "docked as Mol2",
                                 shown->path);
    }
    if (writing->format == SHOW_STRUCTURES &&
        (shown->ordinal == SIZE_MAX || shown->mode == SIZE_MAX)) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: %s has no columns ordinal and mode, by which poses are "
                                 "found",
                                 shown->path);
    }
    return BERTH_OK;
}

/* Writes the structures of the rows, and says which rows have none. */
static enum berth_status put_structures(struct writing *writing, struct berth_error *error)
{
    const struct berth_shown *shown = writing->shown;
    enum berth_status status = BERTH_OK;
    if (writing->format == SHOW_STRUCTURES) {
        status = berth_structures_write(&writing->wanted, shown, writing->output, error);
        writing->lacking = writing->wanted.lacking;
        writing->rows = writing->wanted.count - writing->wanted.lacking;
    }
    if (!status && writing->lacking) {
        berth_warn(shown->settings->log, NULL, "%zu of %zu rows have no %s and are left out",
                   writing->lacking, writing->lacking + writing->rows,
                   writing->format == SHOW_SMILES
                       ? "SMILES"
                       : "pose beside the table (a screen writes those of its --top)");
    }
    return status;
}

enum berth_status berth_show_write(const struct berth_show_settings *settings, const char *path,
                                   struct berth_error *error)
{
    struct berth_shown shown = {0};
    struct writing writing = {.shown = &shown};
    const char **cells = NULL;
    enum berth_status status = choose_format(path, &writing.format, error);
    shown.structures = writing.format == SHOW_STRUCTURES;
    BERTH_THEN(open_table(settings, true, &shown, error));
    BERTH_THEN(find_needed(&writing, error));
    BERTH_THEN(berth_make(&cells, berth_csv_columns(shown.csv), sizeof *cells, NULL, error));
    BERTH_THEN(berth_output_create(path, &writing.output, error));
    BERTH_THEN(put_rows(&writing, cells, error));
    BERTH_THEN(put_structures(&writing, error));
    free(cells);
    for (size_t i = 0; writing.names && i < shown.column_count; i++) {
        free(writing.names[i]);
    }
    free(writing.names);
    berth_structures_clear(&writing.wanted);
    berth_shown_clear(&shown);
    return berth_output_finish(writing.output, status, error);
}

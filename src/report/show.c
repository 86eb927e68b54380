#include "report/show_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/output.h"
#include "format/run_json.h"
#include "score/fields.h"

/* What statements call the table. */
static const char TABLE[] = "score";

bool show_asks_for(const struct show *show, const char *name)
{
    const struct berth_show_settings *settings = show->settings;
    return berth_text_has_word(settings->filter, name) ||
           berth_text_has_word(settings->sort, name) ||
           berth_text_has_word(settings->columns, name) ||
           berth_text_has_word(settings->group, name) || berth_text_has_word(settings->sql, name);
}

enum berth_status show_card(struct show *show, const char *file, struct berth_error *error)
{
    berth_run_card_clear(&show->card);
    berth_run_card_start(&show->card);
    return show->stored ? berth_store_card(show->sqlite, show->run, &show->card, error)
                        : berth_run_json_beside(file, &show->card, error);
}

static void list_columns(const struct berth_table *table, char *text, size_t size)
{
    for (size_t i = 0; i < table->count; i++) {
        berth_text_append(text, size, "%s%s", i ? ", " : "", table->columns[i].name);
    }
}

bool show_misses_column(const struct berth_error *error)
{
    return strstr(error->message, ": no such column: ") != NULL;
}

enum berth_status show_prepare(struct show *show, const char *text, const char *option,
                               struct berth_statement **statement, struct berth_error *error)
{
    const enum berth_status status =
        berth_sqlite_prepare_query(show->sqlite, text, option, statement, error);
    if (status && show_misses_column(error)) {
        berth_text_append(error->message, sizeof error->message, "; there is ");
        list_columns(&show->table, error->message, sizeof error->message);
    } else if (status && strstr(error->message, ": no such table: ")) {
        berth_text_append(error->message, sizeof error->message,
                          "; the table of RESULTS is score, beside which there are interaction, "
                          "structure and failure");
    }
    return status;
}

/* --- Opening --- */

/* A SELECT says itself what most settings say. */
static enum berth_status check_sql(const struct berth_show_settings *settings,
                                   struct berth_error *error)
{
    const bool others = settings->filter || settings->names || settings->exclude_names ||
                        settings->sort || settings->descending || settings->columns ||
                        settings->require || settings->free || settings->library ||
                        settings->group || settings->poses || settings->molecules ||
                        settings->diverse;
    return settings->sql && others
               ? berth_fail_option(
                     error, BERTH_E_USAGE, "sql",
                     "sql: its SELECT says which rows and columns there are, and in "
                     "which order; of the other options run, receptor, top and out go with it")
               : BERTH_OK;
}

/* Where SQL speaks of what a database has beside the table, makes one of the run's files. */
static enum berth_status load_run(struct show *show, struct berth_error *error)
{
    static const char *const FURTHER[] = {"interaction", "structure", "failure"};
    char poses[PATH_MAX];
    bool asked = false;
    for (size_t i = 0; i < sizeof FURTHER / sizeof *FURTHER; i++) {
        asked = asked || berth_text_has_word(show->settings->sql, FURTHER[i]);
    }
    BERTH_TRY(asked ? poses_find(show, "sql", poses, error) : BERTH_OK);
    const struct berth_store_run run = {.path = show->path,
                                        .command = "show",
                                        .folder = *show->folder ? show->folder : NULL,
                                        .poses = poses,
                                        .scores = show->path,
                                        .receptors = &show->settings->receptor,
                                        .receptor_count = show->settings->receptor != NULL,
                                        .instead = show->settings->receptor != NULL,
                                        .complete =
                                            berth_text_has_word(show->settings->sql, FURTHER[0]),
                                        .wait = {.log = show->settings->log}};
    return asked ? berth_store_load(show->sqlite, &run, error) : BERTH_OK;
}

static enum berth_status open_table(struct show *show, struct berth_error *error)
{
    const struct berth_show_settings *settings = show->settings;
    show->stored = berth_sqlite_is_file(settings->results);
    if (show->stored && settings->sql && settings->receptor) {
        return berth_fail_option(error, BERTH_E_USAGE, "receptor",
                                 "receptor: %s has its interactions, for which no receptor is read",
                                 settings->results);
    }
    if (show->stored) {
        snprintf(show->path, sizeof show->path, "%s", settings->results);
        BERTH_TRY(berth_store_open(show->path, settings->run, &show->sqlite, &show->run, error));
        return berth_store_table(show->sqlite, show->path, show->run, TABLE, &show->table, error);
    }
    if (settings->run) {
        return berth_fail_option(error, BERTH_E_USAGE, "run",
                                 "run: %s is no database, of which it names a run",
                                 settings->results);
    }
    BERTH_TRY(berth_scores_find(settings->results, show->path, error));
    const char *name = berth_file_name(show->path);
    if (strcmp(name, "scores.csv") == 0 || strcmp(name, "scores.csv.gz") == 0) {
        snprintf(show->folder, sizeof show->folder, "%.*s",
                 name > show->path ? (int)(name - show->path) - 1 : 1,
                 name > show->path ? show->path : ".");
    }
    BERTH_TRY(berth_sqlite_open("", true, NULL, &show->sqlite, error)); /* one of its own */
    BERTH_TRY(berth_table_open_file(show->sqlite, show->path, TABLE, settings->sql != NULL,
                                    &show->table, error));
    return load_run(show, error);
}

/* read(ordinal): whether the row, of a ligand that is wanted in a pose that may be, is looked at
 * further: of those that make what is required each ligand's first one that passes is enough. */
static enum berth_status count_read(void *context, const struct berth_sql_call *call,
                                    struct berth_error *error)
{
    struct show *show = context;
    (void)error;
    const bool first =
        !show->settings->require || show->settings->poses || berth_call_real(call, 0) != show->last;
    show->shown->read += first;
    berth_call_give_integer(call, first);
    return BERTH_OK;
}

/* passed(ordinal, value of the bars' column): 1. */
static enum berth_status count_passed(void *context, const struct berth_sql_call *call,
                                      struct berth_error *error)
{
    struct show *show = context;
    const enum berth_cell kind = berth_call_kind(call, 1);
    (void)error;
    show->shown->passed++;
    show->last = berth_call_real(call, 0);
    if (show->shown->sample && (kind == BERTH_CELL_INTEGER || kind == BERTH_CELL_REAL)) {
        berth_sample_add(show->shown->sample, berth_call_real(call, 1));
    }
    berth_call_give_integer(call, 1);
    return BERTH_OK;
}

/* molecule(place): whether the row is the first of its molecule. */
static enum berth_status count_molecule(void *context, const struct berth_sql_call *call,
                                        struct berth_error *error)
{
    struct show *show = context;
    const bool first = berth_call_integer(call, 0) == 1;
    (void)error;
    show->shown->molecules += first;
    berth_call_give_integer(call, first);
    return BERTH_OK;
}

/* fresh(text): whether no row that was shown is of this group; NULL is none's. */
static enum berth_status is_fresh(void *context, const struct berth_sql_call *call,
                                  struct berth_error *error)
{
    struct show *show = context;
    uint64_t number = 0;
    bool met = false;
    if (berth_call_kind(call, 0) != BERTH_CELL_NONE) {
        BERTH_TRY(
            berth_text_set_add(&show->groups, berth_call_text(call, 0), &number, &met, error));
    }
    berth_call_give_integer(call, !met);
    return BERTH_OK;
}

static enum berth_status add_functions(struct show *show, struct berth_error *error)
{
    const struct {
        const char *name;
        berth_sql_function call;
    } functions[] = {{"read", count_read},
                     {"passed", count_passed},
                     {"molecule", count_molecule},
                     {"fresh", is_fresh},
                     {"named", names_match}};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof functions / sizeof *functions; i++) {
        status = berth_sqlite_add_function(show->sqlite, functions[i].name, functions[i].call, show,
                                           error);
    }
    return status;
}

/* Adds the column of how many states a molecule has, which are counted in the end. */
static enum berth_status add_states(struct show *show, struct berth_error *error)
{
    const struct berth_show_settings *settings = show->settings;
    if (!settings->molecules) {
        return BERTH_OK;
    }
    if (settings->poses) {
        return berth_fail_option(error, BERTH_E_USAGE, "molecules",
                                 "molecules: of a molecule one row is shown, without poses");
    }
    show->states = show->table.count;
    return show->ligand == SIZE_MAX
               ? berth_fail(error, BERTH_E_FORMAT, "%s: no column ligand or name", show->path)
               : berth_table_add(&show->table, "states", berth_copy_text("NULL"),
                                 berth_copy_text("NULL"), error);
}

static size_t find_first(const struct berth_table *table, const char *const *names)
{
    size_t column = SIZE_MAX;
    for (; column == SIZE_MAX && *names; names++) {
        column = berth_table_find(table, *names);
    }
    return column;
}

/* Finds the columns that rows are told apart and ordered by. */
static void find_columns(struct show *show)
{
    static const char *const LIGANDS[] = {BERTH_COLUMN_LIGAND, "name", NULL};
    static const char *const RANKS[] = {BERTH_COLUMN_RANKING, BERTH_COLUMN_SCORE, "total",
                                        BERTH_COLUMN_ENERGY, NULL};
    const struct berth_table *table = &show->table;
    /* what orders a ligand's poses compares no ligands: its values grow with their size */
    const size_t of_poses =
        show->settings->poses ? berth_table_find(table, BERTH_COLUMN_POSE_RANKING) : SIZE_MAX;
    const size_t of_ligands = berth_table_find(table, BERTH_COLUMN_RANKING);
    const size_t rank = berth_table_find(table, BERTH_COLUMN_RANK);
    show->mode = berth_table_find(table, BERTH_COLUMN_MODE);
    show->ordinal = berth_table_find(table, BERTH_COLUMN_ORDINAL);
    show->state_of = berth_table_find(table, BERTH_COLUMN_STATE_OF);
    show->ligand = find_first(table, LIGANDS);
    show->bar = of_poses != SIZE_MAX ? of_poses : find_first(table, RANKS);
    show->ranking = of_ligands != SIZE_MAX ? of_ligands : show->bar != SIZE_MAX ? show->bar : 0;
    if (of_ligands != SIZE_MAX && rank != SIZE_MAX) { /* a model may have ranked a part alone */
        show->ranking = rank;
    }
    show->sorted_by = show->ranking;
}

/* --- Columns --- */

static enum berth_status find_column(const struct show *show, const char *name, size_t *column,
                                     struct berth_error *error)
{
    char names[1024] = "";
    *column = berth_table_find(&show->table, name);
    for (size_t i = 0; *column == SIZE_MAX && i < show->table.count; i++) { /* as in conditions */
        *column = strcasecmp(show->table.columns[i].name, name) == 0 ? i : SIZE_MAX;
    }
    if (*column != SIZE_MAX) {
        return BERTH_OK;
    }
    list_columns(&show->table, names, sizeof names);
    const bool alone = strcmp(name, BERTH_COLUMN_RANKING) == 0;
    return berth_fail(error, BERTH_E_USAGE, "%s: no column %s%s; there is %s", show->path, name,
                      alone ? " (of a run by one function, score ranks)" : "", names);
}

static enum berth_status select_column(struct show *show, size_t column, struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&show->selected, &show->capacity, show->selected_count + 1,
                            sizeof *show->selected, error));
    show->selected[show->selected_count++] = column;
    return BERTH_OK;
}

enum berth_status show_select(struct show *show, size_t column, struct berth_error *error)
{
    for (size_t i = 0; i < show->selected_count; i++) {
        if (show->selected[i] == column) {
            return BERTH_OK;
        }
    }
    return column == SIZE_MAX ? BERTH_OK : select_column(show, column, error);
}

/* A column is also known by what printed tables call it. */
static enum berth_status add_heads(struct show *show, struct berth_error *error)
{
    struct berth_table *table = &show->table;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < BERTH_FIELD_COUNT; i++) {
        const struct berth_pose_field *field = &BERTH_FIELDS[i];
        const size_t column = field->head ? berth_table_find(table, field->name) : SIZE_MAX;
        if (column != SIZE_MAX && show_asks_for(show, field->head) &&
            berth_table_find(table, field->head) == SIZE_MAX) {
            status =
                berth_table_add(table, field->head, berth_copy_text(table->columns[column].value),
                                berth_copy_text(table->columns[column].cell), error);
        }
    }
    return status;
}

static enum berth_status select_named(struct show *show, struct berth_error *error)
{
    char *list = berth_copy_text(show->settings->columns);
    enum berth_status status = list ? BERTH_OK : berth_out_of_memory(error, NULL);
    char *rest = list;
    if (list) {
        berth_text_trim_list(list);
    }
    for (char *name; !status && (name = strtok_r(rest, ",", &rest));) {
        size_t column;
        status = find_column(show, name, &column, error);
        BERTH_THEN(select_column(show, column, error));
    }
    free(list);
    return status;
}

/* What one looks at first; what rows are sorted and filtered by. */
static enum berth_status select_usual(struct show *show, struct berth_error *error)
{
    const struct berth_show_settings *settings = show->settings;
    const char *name;
    for (size_t i = 0; (name = berth_field_usual(i)); i++) {
        BERTH_TRY(show_select(show, berth_table_find(&show->table, name), error));
    }
    const size_t mode = settings->poses || settings->require ? show->mode : SIZE_MAX;
    BERTH_TRY(show_select(show, mode, error));
    BERTH_TRY(show_select(show, show->states, error));
    for (size_t i = 0; i < show->properties.count; i++) {
        BERTH_TRY(show_select(show, show->properties.first + i, error));
    }
    const size_t cost = settings->free ? berth_table_find(&show->table, "cost") : SIZE_MAX;
    BERTH_TRY(show_select(show, cost, error));
    BERTH_TRY(show_select(show, show->sorted_by, error));
    for (size_t i = 0; i < show->filter.used_count; i++) {
        BERTH_TRY(show_select(show, show->filter.used[i], error));
    }
    return BERTH_OK;
}

/* all: of columns that were not named; of tables without scores they are. */
static enum berth_status choose_columns(struct show *show, bool all, struct berth_error *error)
{
    const struct berth_show_settings *settings = show->settings;
    if (settings->sort) {
        BERTH_TRY(find_column(show, settings->sort, &show->sorted_by, error));
    }
    if (settings->group) {
        BERTH_TRY(find_column(show, settings->group, &show->grouped_by, error));
        BERTH_TRY(settings->molecules
                      ? berth_fail_option(error, BERTH_E_USAGE, "group",
                                          "group: molecules shows one row of each molecule; of "
                                          "these two options one can be given")
                      : BERTH_OK);
    }
    if (settings->columns) {
        return select_named(show, error);
    }
    if (!all && show->bar != SIZE_MAX) {
        return select_usual(show, error);
    }
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < show->table.count; i++) {
        status = select_column(show, i, error);
    }
    return status;
}

enum berth_status show_open(const struct berth_show_settings *settings, bool all,
                            struct berth_shown *shown, struct berth_error *error)
{
    struct show *show;
    *shown = (struct berth_shown){.bar = SIZE_MAX};
    BERTH_TRY(berth_make(&shown->show, 1, sizeof *shown->show, NULL, error));
    show = shown->show;
    *show = (struct show){.settings = settings,
                          .shown = shown,
                          .last = NAN,
                          .mode = SIZE_MAX,
                          .ordinal = SIZE_MAX,
                          .states = SIZE_MAX,
                          .grouped_by = SIZE_MAX,
                          .bar = SIZE_MAX};
    berth_run_card_start(&show->card);
    BERTH_TRY(check_sql(settings, error));
    BERTH_TRY(open_table(show, error));
    if (settings->sql) {
        return properties_add(show, error);
    }
    find_columns(show);
    BERTH_TRY(add_heads(show, error));
    BERTH_TRY(add_functions(show, error));
    BERTH_TRY(settings->require ? required_find(show, error) : BERTH_OK);
    BERTH_TRY(add_states(show, error));
    BERTH_TRY(properties_add(show, error));
    BERTH_TRY(torsions_add(show, error));
    BERTH_TRY(settings->free ? cost_add(show, error) : BERTH_OK);
    BERTH_TRY(filter_create(show, error));
    BERTH_TRY(names_read(show, "names", &show->asked, error));
    BERTH_TRY(names_read(show, "exclude_names", &show->excluded, error));
    return choose_columns(show, all, error);
}

static void close_show(struct show *show)
{
    berth_statement_end(show->statement);
    berth_statement_end(show->choose);
    berth_table_clear(&show->table);
    berth_sqlite_close(show->sqlite);
    berth_run_card_clear(&show->card);
    filter_clear(&show->filter);
    names_clear(&show->asked);
    names_clear(&show->excluded);
    berth_text_set_clear(&show->groups);
    free(show->torsions);
    properties_clear(&show->properties);
    free(show->selected);
    free(show);
}

/* --- The question --- */

static const char *value_of(const struct show *show, size_t column)
{
    return column != SIZE_MAX ? show->table.columns[column].value : "NULL";
}

/* Numbers first, then texts by their letters, then empty cells; of equal ones as they are in the
 * table. */
static void print_order(struct berth_output *output, const char *value, bool descending,
                        const char *row)
{
    berth_output_print(output,
                       "CASE typeof(%s) WHEN 'null' THEN 2 WHEN 'text' THEN 1 ELSE 0 END, %s%s, %s",
                       value, value, descending ? " DESC" : "", row);
}

/* Conditions, one by one: CASE, other than AND, says which is looked at first.  wanted: that a row
 * is of a ligand and in a pose that is asked for; passing: that it passes, which counts it. */
static void print_condition(const struct show *show, bool wanted, bool passing,
                            struct berth_output *output)
{
    const struct berth_show_settings *settings = show->settings;
    int depth = 0;
    if (wanted) {
        berth_output_print(output, "CASE WHEN named(%s, %s) THEN ", value_of(show, show->ligand),
                           value_of(show, show->state_of));
        depth++;
    }
    if (wanted && settings->require) {
        berth_output_print(output,
                           "CASE WHEN (ordinal, mode) IN (SELECT ordinal, mode FROM temp.required) "
                           "THEN ");
        depth++;
    } else if (wanted && !settings->poses && show->mode != SIZE_MAX) {
        berth_output_print(output, "CASE WHEN coalesce(%s <= 1, 1) THEN ",
                           value_of(show, show->mode));
        depth++;
    }
    if (passing) {
        berth_output_print(output, "CASE WHEN read(%s) THEN ", value_of(show, show->ordinal));
        depth++;
    }
    if (passing && show->filter.text) {
        berth_output_print(output, "CASE WHEN %s THEN ", show->filter.text);
        depth++;
    }
    if (passing) {
        berth_output_print(output, "passed(%s, %s) ", value_of(show, show->ordinal),
                           value_of(show, show->bar));
    } else {
        berth_output_print(output, "1 ");
    }
    while (depth--) {
        berth_output_print(output, "END ");
    }
}

static void print_cells(const struct show *show, struct berth_output *output, bool numbered)
{
    for (size_t i = 0; i < show->selected_count; i++) {
        berth_output_print(output, "%s%s", i ? ", " : "",
                           show->table.columns[show->selected[i]].cell);
        if (numbered) {
            berth_output_print(output, " AS c%zu", i);
        }
    }
}

/* Rows of which each molecule has the best one alone, with how many it has. */
static void print_molecules(const struct show *show, struct berth_output *output)
{
    const char *ligand = value_of(show, show->ligand), *of = value_of(show, show->state_of);
    const char *row = show->table.order, *key = value_of(show, show->sorted_by);
    berth_output_print(output, "SELECT ");
    for (size_t i = 0; i < show->selected_count; i++) {
        berth_output_print(output, "%s", i ? ", " : "");
        if (show->selected[i] == show->states) {
            berth_output_print(output, "states");
        } else {
            berth_output_print(output, "c%zu", i);
        }
    }
    berth_output_print(output, " FROM (SELECT ");
    print_cells(show, output, true);
    berth_output_print(output,
                       ", %s AS key, %s AS place, row_number() OVER molecule AS best, count(*) "
                       "OVER (molecule RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) "
                       "AS states FROM %s WHERE ",
                       key, row, TABLE);
    print_condition(show, true, true, output);
    berth_output_print(output, "WINDOW molecule AS (PARTITION BY coalesce(%s, %s) ORDER BY ", of,
                       ligand);
    print_order(output, value_of(show, show->ranking), false, row);
    berth_output_print(output, ")) WHERE molecule(best) ORDER BY ");
    if (show->settings->sorted) {
        print_order(output, show->sorted_by == show->states ? "states" : "key",
                    show->settings->descending, "place");
    } else {
        berth_output_print(output, "place");
    }
}

/* Rows in their order, of which RDKit is asked about no more than are shown: an outer SELECT takes
 * them one by one.  (OFFSET keeps SQLite from making one SELECT of both.) */
static void print_walked(const struct show *show, struct berth_output *output)
{
    const size_t top = show->settings->top;
    berth_output_print(output, "SELECT ");
    print_cells(show, output, false);
    berth_output_print(output, " FROM (SELECT *%s FROM %s WHERE ",
                       show->table.hidden ? show->table.hidden : "", TABLE);
    print_condition(show, true, !show->shown->walked, output);
    berth_output_print(output, "ORDER BY ");
    print_order(output, value_of(show, show->sorted_by), show->settings->descending,
                show->table.order);
    berth_output_print(output, " LIMIT %lld OFFSET 0) WHERE ",
                       top && !show->shown->walked && !show->settings->group ? (long long)top
                                                                             : -1LL);
    berth_output_print(output, "CASE WHEN ");
    print_condition(show, false, show->shown->walked, output);
    berth_output_print(
        output, "THEN fresh(%s) END ",
        !show->settings->group ? "NULL"
        : properties_have(show, show->grouped_by) /* an empty text is a scaffold, too */
            ? show->table.columns[show->grouped_by].cell
            : show->table.columns[show->grouped_by].value);
}

static void print_rows(const struct show *show, struct berth_output *output)
{
    berth_output_print(output, "SELECT ");
    print_cells(show, output, false);
    berth_output_print(output, " FROM %s WHERE ", TABLE);
    print_condition(show, true, true, output);
    if (show->settings->sorted) {
        berth_output_print(output, "ORDER BY ");
        print_order(output, value_of(show, show->sorted_by), show->settings->descending,
                    show->table.order);
    }
}

static bool selects_property(const struct show *show)
{
    bool some = false;
    for (size_t i = 0; i < show->selected_count; i++) {
        some = some || properties_have(show, show->selected[i]);
    }
    return some;
}

/* Which SELECT asks for the rows. */
static void print_question(struct show *show, struct berth_output *output)
{
    const struct berth_show_settings *settings = show->settings;
    const bool in_order = settings->sorted && !settings->molecules;
    /* of a ligand's poses that make what is required the first one counts, in the table's order */
    show->shown->walked = in_order && settings->top && show->filter.computed &&
                          !properties_have(show, show->sorted_by) &&
                          (settings->poses || !settings->require);
    if (settings->molecules) {
        print_molecules(show, output);
    } else if (show->shown->walked || settings->group || (in_order && selects_property(show))) {
        print_walked(show, output);
    } else {
        print_rows(show, output);
    }
    if (settings->top) {
        berth_output_print(output, " LIMIT %zu", settings->top);
    }
}

static enum berth_status prepare(struct show *show, struct berth_error *error)
{
    const struct berth_show_settings *settings = show->settings;
    struct berth_output *output = NULL;
    char *text = NULL;
    size_t size;
    if (settings->sql) {
        filter_warn_of_texts(settings->sql, settings->log);
        return show_prepare(show, settings->sql, "sql", &show->statement, error);
    }
    BERTH_TRY(berth_output_create_memory(&text, &size, &output, error));
    print_question(show, output);
    enum berth_status status = berth_output_finish(output, BERTH_OK, error);
    BERTH_THEN(show_prepare(show, text, "filter", &show->statement, error));
    free(text);
    return status;
}

/* What a SELECT gives is the table's columns. */
static enum berth_status take_results(struct show *show, struct berth_error *error)
{
    const int count = berth_statement_columns(show->statement);
    enum berth_status status = BERTH_OK;
    berth_table_clear(&show->table);
    for (int i = 0; !status && i < count; i++) {
        char *name = berth_output_csv_cell(berth_statement_column(show->statement, i));
        status = name ? berth_table_add(&show->table, name, berth_copy_text(""),
                                        berth_copy_text(""), error)
                      : berth_out_of_memory(error, NULL);
        BERTH_THEN(select_column(show, (size_t)i, error));
        free(name);
    }
    return status;
}

enum berth_status show_ask(struct show *show, struct berth_error *error)
{
    struct berth_shown *shown = show->shown;
    BERTH_TRY(prepare(show, error));
    BERTH_TRY(show->settings->sql ? take_results(show, error) : BERTH_OK);
    shown->width = show->selected_count;
    BERTH_TRY(berth_make(&shown->names, shown->width, sizeof *shown->names, NULL, error));
    for (size_t i = 0; i < shown->width; i++) {
        shown->names[i] = show->table.columns[show->selected[i]].name;
    }
    return BERTH_OK;
}

/* --- Rows --- */

/* Says how many ligands make what is required in a pose that the table has no row of: that of a
 * screen has but the best ones. */
static void tell_further(const struct show *show)
{
    const struct berth_show_settings *settings = show->settings;
    if (settings->require && !settings->poses && !show->asked.seen && !show->excluded.seen &&
        (size_t)show->required > show->shown->read) {
        const size_t more = (size_t)show->required - show->shown->read;
        berth_warn(settings->log, NULL,
                   "%zu more ligand%s it in a further pose, of which the table has no row: `berth "
                   "interactions --require` lists these",
                   more, more > 1 ? "s make" : " makes");
    }
}

/* Adds a cell, with a 0 behind it; what a SELECT of somebody's gives is made one. */
static enum berth_status put_cell(const struct show *show, size_t i, struct berth_bytes *cells,
                                  struct berth_error *error)
{
    const char *name = show->shown->names[i];
    const bool plain = show->settings->sql;
    if (plain && berth_statement_kind(show->statement, (int)i) == BERTH_CELL_BYTES) {
        return berth_fail_option(error, BERTH_E_USAGE, "sql",
                                 "sql: %s holds bytes, and no text; hex(%s) has them as one", name,
                                 name);
    }
    const char *text = berth_statement_text(show->statement, (int)i);
    char *cell = plain ? berth_output_csv_cell(text) : NULL;
    berth_bytes_put_text(cells, plain ? cell : text);
    cells->failed = cells->failed || (plain && !cell);
    free(cell);
    return BERTH_OK;
}

/* The row of the statement. */
static enum berth_status make_row(const struct show *show, const char ***row,
                                  struct berth_error *error)
{
    const size_t width = show->shown->width, head = width * sizeof **row;
    struct berth_bytes cells = {0};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < width; i++) {
        status = put_cell(show, i, &cells, error);
    }
    if (!status && cells.failed) {
        status = berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(berth_make(row, 1, head + cells.count, NULL, error));
    if (!status && width) {
        const char *at = memcpy((char *)*row + head, cells.data, cells.count);
        for (size_t i = 0; i < width; i++, at += strlen(at) + 1) {
            (*row)[i] = at;
        }
    }
    berth_bytes_clear(&cells);
    return status;
}

enum berth_status show_next(struct show *show, const char ***row, struct berth_error *error)
{
    bool end;
    *row = NULL;
    BERTH_TRY(berth_statement_next(show->statement, &end, error));
    if (!end) {
        show->shown->read += show->settings->sql != NULL;
        return make_row(show, row, error);
    }
    properties_tell(show);
    if (!show->settings->sql) {
        BERTH_TRY(names_tell(show, &show->asked, error));
        BERTH_TRY(names_tell(show, &show->excluded, error));
        filter_tell(show);
        tell_further(show);
    }
    return BERTH_OK;
}

/* --- Rows that are kept --- */

/* Leaves out the columns that are empty in all rows. */
static void drop_empty(struct berth_shown *shown)
{
    size_t kept = 0;
    for (size_t i = 0; i < shown->column_count; i++) {
        bool empty = shown->count > 0;
        for (size_t k = 0; empty && k < shown->count; k++) {
            empty = !*shown->rows[k][shown->columns[i]];
        }
        if (!empty) {
            shown->columns[kept++] = shown->columns[i];
        }
    }
    shown->column_count = kept;
}

/* Says of how many rows the pose is not the one that ranks its ligand, which the column tells of.
 */
static void tell_modes(const struct berth_shown *shown)
{
    size_t others = 0, mode = 0;
    while (shown->show->selected[mode] != shown->show->mode) {
        mode++;
    }
    for (size_t i = 0; i < shown->count; i++) {
        others += strtod(shown->rows[i][mode], NULL) > 1;
    }
    if (others) {
        berth_warn(
            shown->show->settings->log, NULL,
            "the pose of %zu of %zu rows is not its ligand's best (mode above 1): ranking is "
            "the best pose's, and what else is shown is that of the pose",
            others, shown->count);
    }
}

enum berth_status shown_keep(struct berth_shown *shown, struct berth_error *error)
{
    const struct berth_show_settings *settings = shown->show->settings;
    const size_t top = settings->sql && settings->top ? settings->top : SIZE_MAX;
    const char **row;
    BERTH_TRY(show_next(shown->show, &row, error));
    while (row) {
        if (shown->count < top) {
            const enum berth_status status = berth_reserve(
                &shown->rows, &shown->capacity, shown->count + 1, sizeof *shown->rows, error);
            if (status) {
                free(row);
                return status;
            }
            shown->rows[shown->count++] = row;
        } else {
            free(row);
        }
        BERTH_TRY(show_next(shown->show, &row, error));
    }
    return settings->diverse ? properties_choose(shown, error) : BERTH_OK;
}

enum berth_status berth_shown_read(const struct berth_show_settings *settings,
                                   struct berth_shown *shown, struct berth_error *error)
{
    BERTH_TRY(show_open(settings, false, shown, error));
    struct show *show = shown->show;
    shown->column_count = show->selected_count;
    for (size_t i = 0; i < show->selected_count && show->bar != SIZE_MAX; i++) {
        shown->bar = show->selected[i] == show->bar ? i : shown->bar;
    }
    const bool modes = settings->require && !settings->poses &&
                       berth_table_find(&show->table, BERTH_COLUMN_RANKING) != SIZE_MAX;
    BERTH_TRY(show_select(show, modes ? show->mode : SIZE_MAX, error));
    BERTH_TRY(settings->diverse ? properties_select(show, error) : BERTH_OK);
    if (shown->bar != SIZE_MAX) {
        BERTH_TRY(berth_make(&shown->sample, 1, sizeof *shown->sample, NULL, error));
    }
    BERTH_TRY(show_ask(show, error));
    shown->column_count = settings->sql ? show->selected_count : shown->column_count;
    BERTH_TRY(
        berth_make(&shown->columns, shown->column_count, sizeof *shown->columns, NULL, error));
    for (size_t i = 0; i < shown->column_count; i++) {
        shown->columns[i] = i;
    }
    BERTH_TRY(shown_keep(shown, error));
    if (modes) {
        tell_modes(shown);
    }
    if (!settings->columns && !settings->sql) {
        drop_empty(shown);
    }
    return BERTH_OK;
}

void berth_shown_clear(struct berth_shown *shown)
{
    for (size_t i = 0; i < shown->count; i++) {
        free(shown->rows[i]);
    }
    free(shown->rows);
    free(shown->columns);
    free(shown->sample);
    free(shown->names);
    if (shown->show) {
        close_show(shown->show);
    }
}

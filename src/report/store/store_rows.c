/* Rows of ligands and poses, whatever columns they have. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/output.h"
#include "report/store/store_internal.h"
#include "score/fields.h"

static const char *const PLACES[] = {"ligand", "pose"};

enum berth_status store_prepare(struct store *store, struct berth_statement **statement,
                                struct berth_error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return berth_sqlite_prepare(store->sqlite, text, statement, error);
}

/* --- Fields: what the run's table calls its columns, and where they stand --- */

/* Appends a name in quotes, as SQL has it. */
static void print_name(struct berth_output *output, const char *name)
{
    berth_output_print(output, "\"");
    for (; *name; name++) {
        berth_output_bytes(output, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    }
    berth_output_print(output, "\"");
}

static bool is_used(const struct store *store, enum place place, const char *column)
{
    for (size_t i = 0; i < store->count; i++) {
        if (store->fields[i].place == place && strcmp(store->fields[i].column, column) == 0) {
            return true;
        }
    }
    return false;
}

static enum berth_status add_column(struct store *store, enum place place, const char *column,
                                    struct berth_error *error)
{
    struct berth_output *output = NULL;
    char *text = NULL;
    size_t size;
    BERTH_TRY(berth_output_create_memory(&text, &size, &output, error));
    berth_output_print(output, "ALTER TABLE %s ADD COLUMN ", PLACES[place]);
    print_name(output, column);
    enum berth_status status = berth_output_finish(output, BERTH_OK, error);
    BERTH_THEN(berth_sqlite_run(store->sqlite, text, error));
    free(text);
    return status;
}

/* Finds the column of this name, or makes it; SQL knows no capitals, so that a name which differs
 * in these from another's gets a number. */
static enum berth_status find_column(struct store *store, enum place place, const char *name,
                                     char **column, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    const size_t size = strlen(name) + 24;
    BERTH_TRY(berth_make(column, size, 1, name, error));
    enum berth_status status = store_prepare(
        store, &statement, error,
        "SELECT name FROM pragma_table_info('%s') WHERE lower(name) = lower(?1)", PLACES[place]);
    bool found = false;
    for (int i = 1; !status && !found; i++) {
        bool end;
        snprintf(*column, size, i > 1 ? "%s_%d" : "%s", name, i);
        berth_statement_set_text(statement, 1, *column);
        status = berth_statement_next(statement, &end, error);
        if (!status && end) {
            found = true;
            status = add_column(store, place, *column, error);
        } else if (!status) {
            found = strcmp(berth_statement_text(statement, 0), *column) == 0 &&
                    !is_used(store, place, *column);
            status = berth_statement_run(statement, error);
        }
    }
    berth_statement_end(statement);
    return status;
}

/* The number of the field of this name, which is added where it is not there.  Columns behind
 * "device" are of the ligand, as those are that say so. */
static enum berth_status find_field(struct store *store, const char *name, enum place place,
                                    size_t *number, struct berth_error *error)
{
    for (*number = 0; *number < store->count; (*number)++) {
        if (strcmp(store->fields[*number].name, name) == 0) {
            return BERTH_OK;
        }
    }
    const struct berth_pose_field *known = berth_field_named(name);
    place = known && known->of ? LIGAND : place;
    BERTH_TRY(berth_reserve(&store->fields, &store->capacity, store->count + 1,
                            sizeof *store->fields, error));
    struct field field = {.name = berth_copy_text(name),
                          .place = place,
                          .is_text = known && known->of == BERTH_TEXT_OF_LIGAND};
    enum berth_status status = field.name ? find_column(store, place, name, &field.column, error)
                                          : berth_out_of_memory(error, name);
    store->fields[store->count++] = field;
    return status;
}

enum berth_status store_fields_write(struct store *store, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    enum berth_status status =
        store_prepare(store, &statement, error,
                      "INSERT INTO field (run, number, name, place, \"column\", decimals) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    for (size_t i = 0; !status && i < store->count; i++) {
        const struct field *field = &store->fields[i];
        berth_statement_set_integer(statement, 1, store->number);
        berth_statement_set_integer(statement, 2, (int64_t)i + 1);
        berth_statement_set_text(statement, 3, field->name);
        berth_statement_set_text(statement, 4, PLACES[field->place]);
        berth_statement_set_text(statement, 5, field->column);
        berth_statement_set_integer(statement, 6, field->decimals);
        status = berth_statement_run(statement, error);
    }
    berth_statement_end(statement);
    return status;
}

/* --- Rows: columns with names, from a table or from the tags of a pose --- */

void store_rows_end(struct rows *rows)
{
    berth_statement_end(rows->statements[LIGAND]);
    berth_statement_end(rows->statements[POSE]);
    free(rows->fields);
}

/* Ends the statement of a ligand: what a row lacked, such as the SMILES that dock writes to poses
 * alone, a later one adds. */
static void print_completion(const struct store *store, const struct rows *rows,
                             struct berth_output *output)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->fields[i] != SIZE_MAX && store->fields[rows->fields[i]].place == LIGAND) {
            const char *column = store->fields[rows->fields[i]].column;
            berth_output_print(output,
                               count++ ? ", " : " ON CONFLICT (run, ordinal) DO UPDATE SET ");
            print_name(output, column);
            berth_output_print(output, " = coalesce(");
            print_name(output, column);
            berth_output_print(output, ", excluded.");
            print_name(output, column);
            berth_output_print(output, ")");
        }
    }
}

/* The statement's parameters are the keys, ?1 to ?3, and behind them column i: ?(4 + i). */
static enum berth_status prepare_insert(struct store *store, struct rows *rows, enum place place,
                                        struct berth_error *error)
{
    struct berth_output *output = NULL;
    char *text = NULL;
    size_t size;
    BERTH_TRY(berth_output_create_memory(&text, &size, &output, error));
    berth_output_print(output, "INSERT%s INTO %s (run, ordinal%s",
                       place == POSE ? " OR IGNORE" : "", PLACES[place],
                       place == POSE ? ", mode" : "");
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->fields[i] != SIZE_MAX && store->fields[rows->fields[i]].place == place) {
            berth_output_print(output, ", ");
            print_name(output, store->fields[rows->fields[i]].column);
        }
    }
    berth_output_print(output, ") VALUES (?1, ?2%s", place == POSE ? ", ?3" : "");
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->fields[i] != SIZE_MAX && store->fields[rows->fields[i]].place == place) {
            berth_output_print(output, ", ?%zu", i + 4);
        }
    }
    berth_output_print(output, ")");
    if (place == LIGAND) {
        print_completion(store, rows, output);
    }
    enum berth_status status = berth_output_finish(output, BERTH_OK, error);
    BERTH_THEN(berth_sqlite_prepare(store->sqlite, text, &rows->statements[place], error));
    free(text);
    return status;
}

/* names: [count]; file: for messages. */
enum berth_status store_rows_begin(struct store *store, const char *file, const char *const *names,
                                   size_t count, struct rows *rows, struct berth_error *error)
{
    enum place place = POSE;
    *rows = (struct rows){.count = count, .ordinal = SIZE_MAX, .mode = SIZE_MAX};
    BERTH_TRY(berth_make(&rows->fields, count, sizeof *rows->fields, file, error));
    for (size_t i = 0; i < count; i++) {
        rows->fields[i] = SIZE_MAX;
        if (strcmp(names[i], BERTH_COLUMN_ORDINAL) == 0) {
            rows->ordinal = i;
        } else if (strcmp(names[i], BERTH_COLUMN_MODE) == 0) {
            rows->mode = i;
        } else if (strcmp(names[i], BERTH_COLUMN_SEED) !=
                   0) { /* a tag of poses, which is the run's */
            BERTH_TRY(find_field(store, names[i], place, &rows->fields[i], error));
        }
        place = strcmp(names[i], BERTH_COLUMN_DEVICE) == 0 ? LIGAND : place;
    }
    if (rows->ordinal == SIZE_MAX || rows->mode == SIZE_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: no ordinal and mode, which a database needs of each pose", file);
    }
    BERTH_TRY(prepare_insert(store, rows, LIGAND, error));
    return prepare_insert(store, rows, POSE, error);
}

/* A number that its decimals say wholly: "-7.1200" is one of four, "007" and "1e5" are texts. */
static bool read_number(const char *text, double *value, int *decimals)
{
    const char *digits = text + (*text == '-');
    const size_t whole = strspn(digits, "0123456789");
    const char *end = digits + whole;
    *decimals = 0;
    if (*end == '.') {
        *decimals = (int)strspn(end + 1, "0123456789");
        end += 1 + *decimals;
    }
    const bool plain = whole && !*end && (*digits != '0' || whole == 1) &&
                       whole + (size_t)*decimals <= 15 && (digits[whole] != '.' || *decimals);
    *value = plain ? strtod(text, NULL) : NAN;
    return plain && (*value != 0 || *text != '-');
}

static void set_value(struct berth_statement *statement, int number, struct field *field,
                      const char *text)
{
    double value;
    int decimals;
    if (!text || !*text) {
        berth_statement_set_text(statement, number, NULL);
    } else if (field->is_text || !read_number(text, &value, &decimals)) {
        berth_statement_set_text(statement, number, text);
    } else if (decimals) {
        field->decimals = decimals > field->decimals ? decimals : field->decimals;
        berth_statement_set_real(statement, number, value);
    } else {
        berth_statement_set_integer(statement, number, (int64_t)value);
    }
}

/* Adds a row where there is none of its keys; *key gets these. */
enum berth_status store_row_add(struct store *store, struct rows *rows, const char *const *texts,
                                struct key *key, struct berth_error *error)
{
    char *end_ordinal, *end_mode;
    key->ordinal = strtoll(texts[rows->ordinal], &end_ordinal, 10);
    key->mode = strtoll(texts[rows->mode], &end_mode, 10);
    if (!*texts[rows->ordinal] || *end_ordinal || !*texts[rows->mode] || *end_mode) {
        return berth_fail(error, BERTH_E_FORMAT, "'%s' and '%s' are no ordinal and mode",
                          texts[rows->ordinal], texts[rows->mode]);
    }
    for (int place = 0; place < 2; place++) {
        struct berth_statement *statement = rows->statements[place];
        berth_statement_set_integer(statement, 1, store->number);
        berth_statement_set_integer(statement, 2, key->ordinal);
        if (place == POSE) {
            berth_statement_set_integer(statement, 3, key->mode);
        }
        for (size_t i = 0; i < rows->count; i++) {
            if (rows->fields[i] != SIZE_MAX && (int)store->fields[rows->fields[i]].place == place) {
                set_value(statement, (int)i + 4, &store->fields[rows->fields[i]], texts[i]);
            }
        }
        BERTH_TRY(berth_statement_run(statement, error));
    }
    return BERTH_OK;
}

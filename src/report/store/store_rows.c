/* Rows of ligands and poses, whatever columns they have. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/store/store_internal.h"
#include "score/fields.h"

static const char *const PLACES[] = {"ligand", "pose"};

/* --- Fields: what the run's table calls its columns, and where they stand --- */

static bool is_used(const struct store *store, enum place place, const char *column)
{
    for (size_t i = 0; i < store->count; i++) {
        if (store->fields[i].place == place && strcmp(store->fields[i].column, column) == 0) {
            return true;
        }
    }
    return false;
}

/* Finds the field's column, of its name, or makes it; SQL knows no capitals, so that a name which
 * differs in these from another's gets a number. */
static enum berth_status find_column(struct store *store, struct field *field,
                                     struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    const char *table = PLACES[field->place];
    bool found = false, end = false;
    enum berth_status status = berth_sqlite_prepare(
        store->sqlite, &statement, error,
        "SELECT name FROM pragma_table_info('%s') WHERE lower(name) = lower(?1)", table);
    for (int i = 1; !status && !found; i++) {
        free(field->column);
        field->column =
            i > 1 ? berth_sql_text("%s_%d", field->name, i) : berth_copy_text(field->name);
        if (!field->column) {
            status = berth_out_of_memory(error, NULL);
            break;
        }
        berth_statement_set_text(statement, 1, field->column);
        status = berth_statement_next(statement, &end, error);
        found = end || (strcmp(berth_statement_text(statement, 0), field->column) == 0 &&
                        !is_used(store, field->place, field->column));
        BERTH_THEN(end ? BERTH_OK : berth_statement_run(statement, error));
    }
    berth_statement_end(statement);
    field->quoted = status ? NULL : berth_sql_name(field->column);
    status = status || field->quoted ? status : berth_out_of_memory(error, NULL);
    return !status && end ? berth_sqlite_run(store->sqlite, error, "ALTER TABLE %s ADD COLUMN %s",
                                             table, field->quoted)
                          : status;
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
    const enum berth_status status =
        field.name ? find_column(store, &field, error) : berth_out_of_memory(error, name);
    store->fields[store->count++] = field;
    return status;
}

enum berth_status store_fields_write(struct store *store, struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    enum berth_status status =
        berth_sqlite_prepare(store->sqlite, &statement, error,
                             "INSERT INTO field (run, number, name, place, \"column\", decimals) "
                             "VALUES (%lld, ?1, ?2, ?3, ?4, ?5)",
                             (long long)store->number);
    for (size_t i = 0; !status && i < store->count; i++) {
        const struct field *field = &store->fields[i];
        berth_statement_set_integer(statement, 1, (int64_t)i + 1);
        berth_statement_set_text(statement, 2, field->name);
        berth_statement_set_text(statement, 3, PLACES[field->place]);
        berth_statement_set_text(statement, 4, field->column);
        berth_statement_set_integer(statement, 5, field->decimals);
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

/* The field of column i; NULL: it stands in the other table, or in none. */
static struct field *field_of(const struct store *store, const struct rows *rows, size_t i,
                              enum place place)
{
    struct field *field = rows->fields[i] == SIZE_MAX ? NULL : &store->fields[rows->fields[i]];
    return field && field->place == place ? field : NULL;
}

/* The statement's parameters are the keys, ?1 and ?2, and behind them column i: ?(3 + i).  What a
 * ligand's row lacked, such as the SMILES that dock writes to poses alone, a later one adds. */
static enum berth_status prepare_insert(struct store *store, struct rows *rows, enum place place,
                                        struct berth_error *error)
{
    const char *before = " ON CONFLICT (run, ordinal) DO UPDATE SET ";
    const struct field *field;
    struct berth_bytes text = {0};
    berth_bytes_print(&text, "INSERT%s INTO %s (run, ordinal%s", place == POSE ? " OR IGNORE" : "",
                      PLACES[place], place == POSE ? ", mode" : "");
    for (size_t i = 0; i < rows->count; i++) {
        if ((field = field_of(store, rows, i, place))) {
            berth_bytes_print(&text, ", %s", field->quoted);
        }
    }
    berth_bytes_print(&text, ") VALUES (%lld, ?1%s", (long long)store->number,
                      place == POSE ? ", ?2" : "");
    for (size_t i = 0; i < rows->count; i++) {
        if (field_of(store, rows, i, place)) {
            berth_bytes_print(&text, ", ?%zu", i + 3);
        }
    }
    berth_bytes_print(&text, ")");
    for (size_t i = 0; place == LIGAND && i < rows->count; i++) {
        if ((field = field_of(store, rows, i, place))) {
            const char *column = field->quoted;
            berth_bytes_print(&text, "%s%s = coalesce(%s, excluded.%s)", before, column, column,
                              column);
            before = ", ";
        }
    }
    berth_bytes_put8(&text, 0);
    const enum berth_status status =
        text.failed ? berth_out_of_memory(error, NULL)
                    : berth_sqlite_prepare(store->sqlite, &rows->statements[place], error, "%s",
                                           (const char *)text.data);
    berth_bytes_clear(&text);
    return status;
}

/* cells: [count]; file: for messages. */
enum berth_status store_rows_begin(struct store *store, const char *file,
                                   const struct berth_tag *cells, size_t count, struct rows *rows,
                                   struct berth_error *error)
{
    enum place place = POSE;
    *rows = (struct rows){.count = count, .ordinal = SIZE_MAX, .mode = SIZE_MAX};
    BERTH_TRY(berth_make(&rows->fields, count, sizeof *rows->fields, file, error));
    for (size_t i = 0; i < count; i++) {
        rows->fields[i] = SIZE_MAX;
        if (strcmp(cells[i].name, BERTH_COLUMN_ORDINAL) == 0) {
            rows->ordinal = i;
        } else if (strcmp(cells[i].name, BERTH_COLUMN_MODE) == 0) {
            rows->mode = i;
        } else if (strcmp(cells[i].name, BERTH_COLUMN_SEED) !=
                   0) { /* a tag of poses, which is the run's */
            BERTH_TRY(find_field(store, cells[i].name, place, &rows->fields[i], error));
        }
        place = strcmp(cells[i].name, BERTH_COLUMN_DEVICE) == 0 ? LIGAND : place;
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

enum berth_status store_row_add(struct store *store, struct rows *rows,
                                const struct berth_tag *cells, struct berth_error *error)
{
    const char *ordinal = cells[rows->ordinal].value, *mode = cells[rows->mode].value;
    char *end_ordinal, *end_mode;
    rows->key[0] = strtoll(ordinal, &end_ordinal, 10);
    rows->key[1] = strtoll(mode, &end_mode, 10);
    if (!*ordinal || *end_ordinal || !*mode || *end_mode) {
        return berth_fail(error, BERTH_E_FORMAT, "'%s' and '%s' are no ordinal and mode", ordinal,
                          mode);
    }
    for (enum place place = LIGAND; place <= POSE; place++) {
        struct berth_statement *statement = rows->statements[place];
        struct field *field;
        berth_statement_set_integer(statement, 1, rows->key[0]);
        berth_statement_set_integer(statement, 2, rows->key[1]);
        for (size_t i = 0; i < rows->count; i++) {
            if ((field = field_of(store, rows, i, place))) {
                set_value(statement, (int)i + 3, field, cells[i].value);
            }
        }
        BERTH_TRY(berth_statement_run(statement, error));
    }
    return BERTH_OK;
}

#include "dock/score_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "format/poses.h"
#include "score/fields.h"

/* --- Its own columns --- */

/* The separator behind field i: a line's last one is followed by `count` properties. */
static char behind(size_t i, size_t last, size_t count)
{
    return i + 1 < last || count ? ',' : '\n';
}

static void print_properties(struct berth_output *output, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        berth_output_csv(output, texts[i] ? texts[i] : "", behind(i, count, 0));
    }
}

void berth_score_table_begin(struct berth_output *output, const struct berth_score_columns *columns,
                             const char *const *properties, size_t count)
{
    struct berth_known_field fields[BERTH_KNOWN_FIELDS];
    const size_t end = berth_fields_list(columns, columns->use, fields);
    for (size_t i = 0; i < end; i++) {
        berth_output_print(output, "%s%c", fields[i].name, behind(i, end, count));
    }
    print_properties(output, properties, count);
}

void berth_score_table_add(struct berth_output *output, const struct berth_score_row *row,
                           const char *const *values, size_t count)
{
    struct berth_known_field fields[BERTH_KNOWN_FIELDS];
    char number[BERTH_FIELD_NUMBER];
    const size_t end = berth_fields_list(row->run, row->run->use, fields);
    for (size_t i = 0; i < end; i++) {
        const char *text = berth_field_text(&fields[i], row, number);
        const char separator = behind(i, end, count);
        if (*number) { /* needs no quotes: tables of screens are long */
            berth_output_print(output, "%s%c", text, separator);
        } else {
            berth_output_csv(output, text, separator);
        }
    }
    print_properties(output, values, count);
}

/* --- What is known of ligands --- */

/* The column of a property; known->count where it has none.  Most ligands have the same properties
 * in the same order: hint is where to look first. */
static size_t find_column(const struct berth_known_columns *known, const char *name, size_t hint)
{
    if (hint < known->count && strcmp(known->names[hint], name) == 0) {
        return hint;
    }
    size_t i = 0;
    while (i < known->count && strcmp(known->names[i], name) != 0) {
        i++;
    }
    return i;
}

enum berth_status berth_known_columns_add(struct berth_known_columns *known,
                                          const struct berth_library_ligand *ligand,
                                          struct berth_error *error)
{
    known->smiles = known->smiles || (ligand->smiles && *ligand->smiles);
    for (size_t i = 0; i < ligand->property_count; i++) {
        const char *name = ligand->properties[i].name;
        if (find_column(known, name, i) < known->count) {
            continue;
        }
        BERTH_TRY(berth_reserve(&known->names, &known->capacity, known->count + 1,
                                sizeof *known->names, error));
        known->names[known->count] = berth_copy_text(name);
        if (!known->names[known->count]) {
            return berth_out_of_memory(error, NULL);
        }
        known->count++;
    }
    return BERTH_OK;
}

void berth_known_columns_clear(struct berth_known_columns *known)
{
    for (size_t i = 0; i < known->count; i++) {
        free(known->names[i]);
    }
    free(known->names);
    memset(known, 0, sizeof *known);
}

enum berth_status berth_known_table_begin(struct berth_output *output,
                                          const struct berth_score_columns *columns,
                                          const struct berth_known_columns *known,
                                          struct berth_error *error)
{
    const bool smiles = known->smiles;
    const char **names = berth_alloc(smiles + known->count, sizeof *names);
    char(*texts)[BERTH_COLUMN_SIZE] = berth_alloc(known->count, sizeof *texts);
    const bool good = names && texts;
    if (good && smiles) {
        names[0] = BERTH_COLUMN_SMILES;
    }
    for (size_t i = 0; good && i < known->count; i++) {
        berth_property_column(known->names[i], columns, texts[i]);
        names[smiles + i] = texts[i];
    }
    if (good) {
        berth_score_table_begin(output, columns, names, smiles + known->count);
    }
    free(names);
    free(texts);
    return good ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* Lists the properties' values by their columns; the caller frees *values. */
static enum berth_status list_values(const struct berth_known_columns *known,
                                     const struct berth_library_ligand *ligand, size_t first,
                                     const char ***values, struct berth_error *error)
{
    BERTH_TRY(berth_make(values, first + known->count, sizeof **values, NULL, error));
    for (size_t i = 0; i < ligand->property_count; i++) {
        const size_t column = find_column(known, ligand->properties[i].name, i);
        (*values)[first + column] = ligand->properties[i].value;
    }
    return BERTH_OK;
}

enum berth_status berth_known_table_add(struct berth_output *output,
                                        const struct berth_score_row *row,
                                        const struct berth_known_columns *known,
                                        const struct berth_library_ligand *ligand,
                                        struct berth_error *error)
{
    const char **values;
    BERTH_TRY(list_values(known, ligand, known->smiles, &values, error));
    if (known->smiles) {
        values[0] = ligand->smiles;
    }
    berth_score_table_add(output, row, values, known->smiles + known->count);
    free(values);
    return BERTH_OK;
}

/* --- Waiting rows --- */

static enum berth_status fail_waiting(const char *what, struct berth_error *error)
{
    return berth_io_error("a temporary file, which rows of scores wait in", what, errno, error);
}

enum berth_status berth_waiting_rows_create(struct berth_waiting_rows *rows,
                                            struct berth_error *error)
{
    memset(rows, 0, sizeof *rows);
    rows->file = tmpfile();
    return rows->file ? BERTH_OK : fail_waiting("create", error);
}

/* The row as a text, and as another one how many properties are known so far, ':', and the cells
 * of SMILES and these, each with a comma behind it. */
static void print_waiting(struct berth_output *output, const struct berth_score_row *row,
                          const struct berth_library_ligand *ligand, const char *const *values,
                          size_t count)
{
    berth_score_table_add(output, row, NULL, 0);
    berth_output_bytes(output, "", 1);
    berth_output_print(output, "%zu:", count);
    berth_output_csv(output, ligand->smiles ? ligand->smiles : "", ',');
    for (size_t i = 0; i < count; i++) {
        berth_output_csv(output, values[i] ? values[i] : "", ',');
    }
    berth_output_bytes(output, "", 1);
}

enum berth_status berth_waiting_rows_add(struct berth_waiting_rows *rows,
                                         const struct berth_score_row *row,
                                         const struct berth_library_ligand *ligand,
                                         struct berth_error *error)
{
    const char **values;
    char *text = NULL;
    size_t size = 0;
    struct berth_output *output = NULL;
    BERTH_TRY(berth_known_columns_add(&rows->known, ligand, error));
    BERTH_TRY(list_values(&rows->known, ligand, 0, &values, error));
    enum berth_status status = berth_output_create_memory(&text, &size, &output, error);
    if (!status) {
        print_waiting(output, row, ligand, values, rows->known.count);
        status = berth_output_commit(output, error);
    }
    if (!status && fwrite(text, 1, size, rows->file) != size) {
        status = fail_waiting("write", error);
    }
    free(text);
    free(values);
    return status;
}

/* A row as the table is to have it; its cells: see print_waiting. */
static void print_row(const struct berth_known_columns *known, const char *row, const char *cells,
                      struct berth_output *output)
{
    char *at;
    const size_t count = strtoul(cells, &at, 10);
    at += known->smiles ? 1 : 2; /* the ':'; and the empty cell of a SMILES that no ligand has */
    berth_output_bytes(output, row, strlen(row) - 1);
    if (*at) {
        berth_output_print(output, ",");
        berth_output_bytes(output, at, strlen(at) - 1);
    }
    for (size_t i = count; i < known->count; i++) {
        berth_output_print(output, ",");
    }
    berth_output_print(output, "\n");
}

enum berth_status berth_waiting_rows_write(struct berth_waiting_rows *rows,
                                           const struct berth_score_columns *columns,
                                           struct berth_output *output, struct berth_error *error)
{
    char *row = NULL, *cells = NULL;
    size_t row_size = 0, cells_size = 0;
    BERTH_TRY(berth_known_table_begin(output, columns, &rows->known, error));
    if (fflush(rows->file) != 0) {
        return fail_waiting("write", error);
    }
    rewind(rows->file);
    while (getdelim(&row, &row_size, '\0', rows->file) > 0 &&
           getdelim(&cells, &cells_size, '\0', rows->file) > 0) {
        print_row(&rows->known, row, cells, output);
    }
    free(row);
    free(cells);
    return ferror(rows->file) ? fail_waiting("read", error) : berth_output_check(output, error);
}

void berth_waiting_rows_clear(struct berth_waiting_rows *rows)
{
    if (rows->file) {
        fclose(rows->file);
    }
    berth_known_columns_clear(&rows->known);
    memset(rows, 0, sizeof *rows);
}

#include "format/csv.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"

enum { CHUNK = 1 << 16, END_OF_FILE = -1 };

/* A row's fields, one behind the other, each with a 0 behind it. */
struct row {
    struct berth_bytes text;         /* owned */
    size_t *begins, count, capacity; /* owned; [count]: where they begin in text */
};

struct berth_csv {
    char *path; /* owned */
    struct berth_input *input;
    char separator; /* of fields */
    size_t at, filled;
    size_t line, row_line; /* of what is read next; of the row */
    struct row head, row;
    unsigned char chunk[]; /* [CHUNK] */
};

static enum berth_status refuse_row(const struct berth_csv *csv, const char *what,
                                    struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s", csv->path, csv->row_line, what);
}

/* --- Bytes --- */

static enum berth_status fill_chunk(struct berth_csv *csv, struct berth_error *error)
{
    csv->at = 0;
    const enum berth_status status =
        berth_input_read(csv->input, csv->chunk, CHUNK, &csv->filled, error);
    return status ? berth_fail_in(error, csv->path) : BERTH_OK;
}

/* The next byte, which stays; END_OF_FILE behind the last one. */
static enum berth_status peek_byte(struct berth_csv *csv, int *byte, struct berth_error *error)
{
    const enum berth_status status = csv->at == csv->filled ? fill_chunk(csv, error) : BERTH_OK;
    *byte = status || csv->at == csv->filled ? END_OF_FILE : csv->chunk[csv->at];
    return status;
}

/* --- Rows --- */

static void put_byte(struct row *row, int byte)
{
    berth_bytes_put8(&row->text, (uint8_t)byte);
}

/* Takes a quoted field, from behind its first quote to its last one. */
static enum berth_status take_quoted(struct berth_csv *csv, struct row *row,
                                     struct berth_error *error)
{
    for (;;) {
        int byte;
        enum berth_status status = peek_byte(csv, &byte, error);
        if (status || byte == END_OF_FILE || row->text.count > BERTH_CSV_ROW_MAX) {
            return status ? status
                          : refuse_row(csv,
                                       "a quoted field has no end, and what is behind it is not "
                                       "read; is a quotation "
                                       "mark missing, or the file cut off?",
                                       error);
        }
        csv->at++;
        csv->line += byte == '\n';
        if (byte == '"') {
            status = peek_byte(csv, &byte, error);
            if (status || byte != '"') {
                return status;
            }
            csv->at++;
        } else if (byte == '\0') {
            return refuse_row(csv, "a NUL byte; this is no text", error);
        }
        put_byte(row, byte);
    }
}

/* Takes a field and what ends it, which is *separator: the table's, '\n' or END_OF_FILE. */
static enum berth_status take_field(struct berth_csv *csv, struct row *row, int *separator,
                                    struct berth_error *error)
{
    const size_t begin = row->text.count;
    bool plain = false; /* the last byte stood outside of quotes */
    BERTH_TRY(
        berth_reserve(&row->begins, &row->capacity, row->count + 1, sizeof *row->begins, error));
    enum berth_status status = BERTH_OK;
    row->begins[row->count++] = begin;
    while (!(status = peek_byte(csv, separator, error))) {
        const int byte = *separator;
        if (byte == END_OF_FILE) {
            break;
        }
        csv->at++;
        if (byte == csv->separator || byte == '\n') {
            break;
        }
        plain = byte != '"' || row->text.count > begin;
        if (!plain) {
            status = take_quoted(csv, row, error);
        } else if (byte == '\0') {
            status = refuse_row(csv, "a NUL byte; this is no text", error);
        } else {
            put_byte(row, byte);
        }
        if (!status && row->text.count > BERTH_CSV_ROW_MAX) {
            status = refuse_row(csv, "a row of more than 16 MiB; this is no table", error);
        }
        if (status) {
            return status;
        }
    }
    if (*separator != csv->separator && plain && row->text.data[row->text.count - 1] == '\r') {
        row->text.count--;
    }
    put_byte(row, '\0');
    return status ? status : row->text.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Takes a row that is not blank; of no fields at the end of the file. */
static enum berth_status take_row(struct berth_csv *csv, struct row *row, struct berth_error *error)
{
    int separator = '\n';
    do {
        csv->row_line = csv->line;
        row->text.count = row->count = 0;
        do {
            BERTH_TRY(take_field(csv, row, &separator, error));
        } while (separator == csv->separator);
        csv->line += separator == '\n';
    } while (separator == '\n' && row->count == 1 && row->text.count == 1);
    if (row->count == 1 && row->text.count == 1) {
        row->count = 0;
    }
    return BERTH_OK;
}

static const char *field_of(const struct row *row, size_t column)
{
    return (const char *)row->text.data + row->begins[column];
}

/* Finds the separator in the first line, as far as it was read at once. */
static enum berth_status find_separator(struct berth_csv *csv, struct berth_error *error)
{
    size_t counts[UCHAR_MAX + 1] = {0};
    int byte;
    BERTH_TRY(csv->separator ? BERTH_OK : peek_byte(csv, &byte, error));
    bool quoted = false;
    for (size_t i = csv->at; i < csv->filled && (quoted || csv->chunk[i] != '\n'); i++) {
        quoted = quoted != (csv->chunk[i] == '"');
        counts[csv->chunk[i]] += !quoted;
    }
    if (!csv->separator) {
        csv->separator = counts['\t'] ? '\t' : counts[';'] > counts[','] ? ';' : ',';
    }
    return BERTH_OK;
}

/* --- What others call --- */

/* Takes over the input, NULL where that could not be opened, as *error says. */
static enum berth_status open_over(const char *path, char separator, struct berth_input *input,
                                   struct berth_csv **csv, struct berth_error *error)
{
    *csv = NULL;
    if (!input) {
        return berth_fail_in(error, path);
    }
    struct berth_csv *made;
    enum berth_status status = berth_make(&made, 1, sizeof *made + CHUNK, NULL, error);
    if (status) {
        berth_input_close(input);
        return status;
    }
    made->line = 1;
    made->input = input;
    made->separator = separator;
    made->path = berth_copy_text(path);
    status = made->path ? find_separator(made, error) : berth_out_of_memory(error, NULL);
    BERTH_THEN(take_row(made, &made->head, error));
    if (!status && !made->head.count) {
        status =
            refuse_row(made, "an empty file; a table begins with the names of its columns", error);
    }
    if (status) {
        berth_csv_close(made);
        return status;
    }
    *csv = made;
    return BERTH_OK;
}

enum berth_status berth_csv_open(const char *path, char separator, struct berth_csv **csv,
                                 struct berth_error *error)
{
    return berth_csv_open_until(path, separator, NULL, csv, error);
}

enum berth_status berth_csv_open_until(const char *path, char separator, const atomic_bool *stop,
                                       struct berth_csv **csv, struct berth_error *error)
{
    struct berth_input *input = NULL;
    if (!berth_input_open(path, &input, error) && stop) {
        berth_input_stop_on(input, stop);
    }
    return open_over(path, separator, input, csv, error);
}

enum berth_status berth_csv_open_memory(const char *name, const void *bytes, size_t size,
                                        char separator, struct berth_csv **csv,
                                        struct berth_error *error)
{
    struct berth_input *input = NULL;
    berth_input_open_memory(bytes, size, &input, error);
    return open_over(name, separator, input, csv, error);
}

size_t berth_csv_columns(const struct berth_csv *csv)
{
    return csv->head.count;
}

const char *berth_csv_column(const struct berth_csv *csv, size_t column)
{
    return field_of(&csv->head, column);
}

size_t berth_csv_find(const struct berth_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->head.count; i++) {
        if (strcmp(field_of(&csv->head, i), name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

enum berth_status berth_csv_next_row(struct berth_csv *csv, size_t *fields,
                                     struct berth_error *error)
{
    const enum berth_status status = take_row(csv, &csv->row, error);
    *fields = csv->row.count;
    return status;
}

enum berth_status berth_csv_next(struct berth_csv *csv, bool *end, struct berth_error *error)
{
    const size_t columns = csv->head.count;
    const enum berth_status status = take_row(csv, &csv->row, error);
    *end = !status && csv->row.count == 0;
    if (status || *end) {
        return status;
    }
    if (csv->row.count != columns) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s:%zu: %zu fields, but there are %zu columns; is the file cut off?",
                          csv->path, csv->row_line, csv->row.count, columns);
    }
    return BERTH_OK;
}

const char *berth_csv_field(const struct berth_csv *csv, size_t column)
{
    return field_of(&csv->row, column);
}

bool berth_csv_real(const struct berth_csv *csv, size_t column, double *value)
{
    const char *text = field_of(&csv->row, column);
    const struct berth_field field = {text, strlen(text)};
    return berth_field_real(&field, value);
}

size_t berth_csv_line(const struct berth_csv *csv)
{
    return csv->row_line;
}

char *berth_csv_text(const struct berth_csv *csv, size_t column)
{
    return berth_csv_unescape(field_of(&csv->row, column));
}

char *berth_csv_unescape(const char *field)
{
    char *copy = berth_copy_text(field + (*field == '\''));
    if (copy) {
        berth_text_unescape(copy);
    }
    return copy;
}

uint64_t berth_csv_offset(const struct berth_csv *csv)
{
    return berth_input_offset(csv->input);
}

void berth_csv_close(struct berth_csv *csv)
{
    if (csv) {
        berth_input_close(csv->input);
        berth_bytes_clear(&csv->head.text);
        berth_bytes_clear(&csv->row.text);
        free(csv->head.begins);
        free(csv->row.begins);
        free(csv->path);
        free(csv);
    }
}

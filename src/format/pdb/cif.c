#include "format/pdb/cif.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* A text field: from a line that begins with ';' to the next such line.  No value that is read here
 * can be one, so its text is not kept: an empty quoted token stands for it. */
static enum berth_status skip_text_field(struct berth_cif *cif, struct berth_error *error)
{
    const size_t begin = berth_text_reader_line(cif->text);
    for (;;) {
        char *line = NULL;
        BERTH_TRY(berth_text_reader_next(cif->text, &line, error));
        if (!line) {
            return berth_text_reader_refuse(cif->text, error,
                                            "the text that begins with ';' in line %zu has no end; "
                                            "the file was cut off, fetch it again",
                                            begin);
        }
        if (*line == ';') {
            cif->cursor = line + 1;
            cif->token = "";
            cif->length = 0;
            cif->kind = BERTH_CIF_QUOTED;
            return BERTH_OK;
        }
    }
}

/* A quote ends where its mark stands before a blank or the line's end. */
static enum berth_status take_quoted(struct berth_cif *cif, struct berth_error *error)
{
    const char mark = *cif->cursor;
    const char *begin = cif->cursor + 1, *at = begin;
    while (*at && !(*at == mark && (!at[1] || isspace((unsigned char)at[1])))) {
        at++;
    }
    if (!*at) {
        return berth_text_reader_refuse(cif->text, error,
                                        "a quoted text has no end; write the file again");
    }
    cif->kind = BERTH_CIF_QUOTED;
    cif->token = begin;
    cif->length = (size_t)(at - begin);
    cif->cursor = at + 1;
    return BERTH_OK;
}

enum berth_status berth_cif_next(struct berth_cif *cif, struct berth_error *error)
{
    for (;;) {
        while (cif->cursor && isspace((unsigned char)*cif->cursor)) {
            cif->cursor++;
        }
        if (cif->cursor && *cif->cursor && *cif->cursor != '#') {
            break;
        }
        char *line = NULL;
        enum berth_status status = berth_text_reader_next(cif->text, &line, error);
        cif->kind = BERTH_CIF_END;
        if (status || !line) {
            return status;
        }
        if (*line == ';') {
            return skip_text_field(cif, error);
        }
        cif->cursor = line;
    }
    if (*cif->cursor == '\'' || *cif->cursor == '"') {
        return take_quoted(cif, error);
    }
    cif->kind = BERTH_CIF_WORD;
    cif->token = cif->cursor;
    cif->length = strcspn(cif->cursor, " \t\r\v\f");
    cif->cursor += cif->length;
    return BERTH_OK;
}

bool berth_cif_begins(const struct berth_cif *cif, const char *text)
{
    const size_t size = strlen(text);
    if (cif->kind != BERTH_CIF_WORD || cif->length < size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (tolower((unsigned char)cif->token[i]) != tolower((unsigned char)text[i])) {
            return false;
        }
    }
    return true;
}

/* True for words that end a loop. */
static bool is_reserved(const struct berth_cif *cif)
{
    return cif->kind == BERTH_CIF_END || berth_cif_begins(cif, "_") ||
           berth_cif_begins(cif, "loop_") || berth_cif_begins(cif, "data_") ||
           berth_cif_begins(cif, "save_");
}

int berth_cif_item(const struct berth_cif *cif, const struct berth_cif_rows *rows)
{
    for (size_t i = 0; cif->kind == BERTH_CIF_WORD && i < rows->name_count; i++) {
        if (cif->length == strlen(rows->names[i].name) &&
            strncasecmp(cif->token, rows->names[i].name, cif->length) == 0) {
            return rows->names[i].item;
        }
    }
    return -1;
}

enum berth_status berth_cif_keep(const struct berth_cif *cif, const struct berth_cif_rows *rows,
                                 int item, struct berth_error *error)
{
    const bool absent = cif->kind == BERTH_CIF_WORD && cif->length == 1 &&
                        (*cif->token == '.' || *cif->token == '?');
    if (item < 0) {
        return BERTH_OK;
    }
    if (cif->length >= BERTH_CIF_VALUE) {
        return berth_text_reader_refuse(cif->text, error,
                                        "a value of %zu bytes in %s; write the file again",
                                        cif->length, rows->what);
    }
    memcpy(rows->values[item], cif->token, cif->length);
    rows->values[item][absent ? 0 : cif->length] = '\0';
    return BERTH_OK;
}

/* Reads the names of the columns: the item of each; *wanted: there is one.  The first token behind
 * them is there then. */
static enum berth_status read_columns(struct berth_cif *cif, const struct berth_cif_rows *rows,
                                      int items[BERTH_CIF_COLUMNS], size_t *count, bool *wanted,
                                      struct berth_error *error)
{
    *wanted = false;
    for (*count = 0;; ++*count) {
        BERTH_TRY(berth_cif_next(cif, error));
        if (!berth_cif_begins(cif, "_")) {
            return BERTH_OK;
        }
        const int item = berth_cif_item(cif, rows);
        *wanted = *wanted || item >= 0;
        if (*wanted && *count >= BERTH_CIF_COLUMNS) {
            return berth_text_reader_refuse(cif->text, error,
                                            "%s has more than %d columns; write the file again",
                                            rows->what, BERTH_CIF_COLUMNS);
        }
        if (*count < BERTH_CIF_COLUMNS) {
            items[*count] = item;
        }
    }
}

enum berth_status berth_cif_read_loop(struct berth_cif *cif, const struct berth_cif_rows *rows,
                                      struct berth_error *error)
{
    int items[BERTH_CIF_COLUMNS];
    size_t count;
    bool wanted;
    BERTH_TRY(read_columns(cif, rows, items, &count, &wanted, error));
    while (wanted && !is_reserved(cif)) {
        memset(rows->values, 0, rows->items * sizeof *rows->values);
        for (size_t i = 0; i < count; i++) {
            BERTH_TRY(i ? berth_cif_next(cif, error) : BERTH_OK);
            if (is_reserved(cif)) {
                return berth_text_reader_refuse(
                    cif->text, error,
                    "the last row of %s has %zu of %zu values; the file was cut off, fetch it "
                    "again",
                    rows->what, i, count);
            }
            BERTH_TRY(berth_cif_keep(cif, rows, items[i], error));
        }
        BERTH_TRY(rows->take(rows->context, error));
        BERTH_TRY(berth_cif_next(cif, error));
    }
    return BERTH_OK;
}

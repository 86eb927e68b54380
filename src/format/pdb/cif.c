#include "format/pdb/cif.h"

#include <ctype.h>
#include <string.h>

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

bool berth_cif_is_reserved(const struct berth_cif *cif)
{
    return cif->kind == BERTH_CIF_END || berth_cif_begins(cif, "_") ||
           berth_cif_begins(cif, "loop_") || berth_cif_begins(cif, "data_") ||
           berth_cif_begins(cif, "save_");
}

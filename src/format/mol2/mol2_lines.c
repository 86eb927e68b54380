/* The lines of a Mol2 file, and refusing them. */
#include <stdarg.h>
#include <stdio.h>

#include "base/fields.h"
#include "format/mol2/mol2_internal.h"

enum berth_status berth_mol2_refuse(const struct berth_mol2_reader *reader,
                                    struct berth_error *error, const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: molecule %.200s: %s",
                      berth_text_reader_path(reader->text), berth_text_reader_line(reader->text),
                      reader->molecule->title, reason);
}

enum berth_status berth_mol2_line(struct berth_mol2_reader *reader, char **line,
                                  struct berth_error *error)
{
    enum berth_status status = berth_text_reader_next(reader->text, line, error);
    reader->broken = reader->broken || berth_text_reader_is_broken(reader->text);
    return status;
}

enum berth_status berth_mol2_section_line(struct berth_mol2_reader *reader, char **line,
                                          struct berth_error *error)
{
    enum berth_status status;
    do {
        status = berth_mol2_line(reader, line, error);
    } while (!status && *line && berth_line_is_void(*line));
    if (!status && *line && **line == '@') {
        berth_text_reader_unread(reader->text);
        *line = NULL;
    }
    return status;
}

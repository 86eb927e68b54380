/* Splits lines of text into fields between blanks, and reads numbers strictly and fast.
 *
 * A field points into the line, which must outlive it; nothing is copied or allocated.
 */
#ifndef BERTH_BASE_FIELDS_H
#define BERTH_BASE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct berth_field {
    const char *text; /* borrowed, not ended by 0 */
    size_t length;
};

/* Takes the next field at *cursor (spaces and tabs separate) and moves *cursor behind it;
 * false at the end of the line, where *field is empty. */
bool berth_field_next(const char **cursor, struct berth_field *field);

/* What stands in the columns [begin, end) of a line, from 0, without the blanks around it; empty
 * where the line ends before. */
struct berth_field berth_field_columns(const char *line, size_t begin, size_t end);

/* The whole field as a finite decimal number, correctly rounded; false where it is none
 * ("nan", "inf" and hexadecimal are none). */
bool berth_field_real(const struct berth_field *field, double *value);

/* The whole field as an integer of -999999999 .. 999999999; false where it is none. */
bool berth_field_integer(const struct berth_field *field, int *value);

/* Copies the field into text (size bytes, 0 included), cut to fit; false where it was cut. */
bool berth_field_copy(const struct berth_field *field, char *text, size_t size);

/* True where the field is this text, letter for letter. */
bool berth_field_is(const struct berth_field *field, const char *text);

/* Length for "%.*s" in messages: a field from a broken file can be a whole line. */
int berth_field_shown(const struct berth_field *field);

enum { BERTH_LINES_SIZE = 256 };

/* The lines of a text in memory, one after the other; begins with data and size. */
struct berth_lines {
    const char *data;            /* borrowed */
    size_t size, begin, end;     /* bytes; the current line is begin .. end, with its line end */
    size_t number;               /* of the current line, from 1 */
    char line[BERTH_LINES_SIZE]; /* the current one without its end, cut off where it is longer */
};

/* Goes to the next line; false behind the last one. */
bool berth_lines_next(struct berth_lines *lines);

/* True for a line of blanks alone. */
bool berth_line_is_blank(const char *line);

/* True for lines without content: blank, or a comment where their first character is '#'. */
bool berth_line_is_void(const char *line);

#endif

#include "base/fields.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to 15 digits are exact in a double, and so are these powers: one division rounds once. */
static const double POWERS[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

enum { EXACT_DIGITS = 15, INTEGER_DIGITS = 9, SHOWN_MAX = 40, NUMBER_MAX = 64 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool berth_field_next(const char **cursor, struct berth_field *field)
{
    const char *start = *cursor;
    while (is_blank(*start)) {
        start++;
    }
    const char *end = start;
    while (*end && !is_blank(*end)) {
        end++;
    }
    field->text = start;
    field->length = (size_t)(end - start);
    *cursor = end;
    return end != start;
}

struct berth_field berth_field_columns(const char *line, size_t begin, size_t end)
{
    const size_t length = strlen(line);
    end = end < length ? end : length;
    while (begin < end && isspace((unsigned char)line[begin])) {
        begin++;
    }
    while (end > begin && isspace((unsigned char)line[end - 1])) {
        end--;
    }
    return begin < end ? (struct berth_field){line + begin, end - begin}
                       : (struct berth_field){"", 0};
}

/* Numbers with an exponent or many digits.  strtod takes more than we do, so the characters are
 * checked first. */
static bool read_real_slowly(const struct berth_field *field, double *value)
{
    char copy[NUMBER_MAX];
    if (field->length >= sizeof copy || !berth_field_copy(field, copy, sizeof copy) ||
        strspn(copy, "0123456789+-.eE") != field->length) {
        return false;
    }
    char *end;
    *value = strtod(copy, &end);
    return end == copy + field->length && isfinite(*value);
}

bool berth_field_real(const struct berth_field *field, double *value)
{
    const char *c = field->text, *end = field->text + field->length;
    if (c == end) {
        return false;
    }
    bool negative = *c == '-';
    if (*c == '-' || *c == '+') {
        c++;
    }
    unsigned long long digits = 0;
    int count = 0, decimals = 0;
    for (; c < end && is_digit(*c) && count <= EXACT_DIGITS; c++, count++) {
        digits = 10 * digits + (unsigned)(*c - '0');
    }
    if (c < end && *c == '.') {
        for (c++; c < end && is_digit(*c) && count <= EXACT_DIGITS; c++, count++, decimals++) {
            digits = 10 * digits + (unsigned)(*c - '0');
        }
    }
    if (c < end || count == 0 || count > EXACT_DIGITS) {
        return read_real_slowly(field, value);
    }
    double size = (double)digits / POWERS[decimals];
    *value = negative ? -size : size;
    return true;
}

bool berth_field_integer(const struct berth_field *field, int *value)
{
    const char *c = field->text, *end = field->text + field->length;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) {
        c++;
    }
    if (c == end || end - c > INTEGER_DIGITS) {
        return false;
    }
    int size = 0;
    for (; c < end; c++) {
        if (!is_digit(*c)) {
            return false;
        }
        size = 10 * size + (*c - '0');
    }
    *value = negative ? -size : size;
    return true;
}

bool berth_field_copy(const struct berth_field *field, char *text, size_t size)
{
    size_t length = field->length < size ? field->length : size - 1;
    memcpy(text, field->text, length);
    text[length] = '\0';
    return length == field->length;
}

bool berth_field_is(const struct berth_field *field, const char *text)
{
    return strlen(text) == field->length && memcmp(text, field->text, field->length) == 0;
}

int berth_field_shown(const struct berth_field *field)
{
    return (int)(field->length < SHOWN_MAX ? field->length : SHOWN_MAX);
}

bool berth_lines_next(struct berth_lines *lines)
{
    if (lines->end >= lines->size) {
        return false;
    }
    const char *from = lines->data + lines->end;
    const char *stop = memchr(from, '\n', lines->size - lines->end);
    lines->begin = lines->end;
    lines->end = stop ? (size_t)(stop - lines->data) + 1 : lines->size;
    lines->number++;
    snprintf(lines->line, sizeof lines->line, "%.*s", (int)(lines->end - lines->begin), from);
    lines->line[strcspn(lines->line, "\r\n")] = '\0';
    return true;
}

bool berth_line_is_blank(const char *line)
{
    return line[strspn(line, " \t")] == '\0';
}

bool berth_line_is_void(const char *line)
{
    return *line == '#' || berth_line_is_blank(line);
}

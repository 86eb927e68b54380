/* Text from files, names above all, made fit to be shown: nothing in it moves a terminal's cursor,
 * changes its colours or ends its line. */
#ifndef BERTH_BASE_TEXT_H
#define BERTH_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* True where text is one of list's, between which there is one separator: "smi sdf mol2".  Never of
 * an empty text. */
bool berth_text_lists(const char *list, char separator, const char *text);

/* True where the text, of an expression, say, has the word, in capitals or not: a column, a scoring
 * function.  NULL has none. */
bool berth_text_has_word(const char *text, const char *word);

/* Bytes of the UTF-8 character that text begins with; 0 where none does. */
size_t berth_text_utf8(const char *text);

/* Characters of UTF-8 text. */
size_t berth_text_width(const char *text);

/* Prints a row of a table: left, which stands on a line of its own where it is wider than its
 * column, and text beside it, wrapped to 100 columns or not. */
void berth_text_print_row(FILE *file, const char *left, const char *text, bool wrapped);

/* A copy of text that the caller frees, or NULL when out of memory.  Every byte of a control
 * character (below 32, but for those in plain; DEL; U+0080 to U+009F) or of what is no UTF-8
 * becomes \xHH, of two hexadecimal digits, and so does the backslash of a text that has \xHH
 * already. */
char *berth_text_escape(const char *text, const char *plain);

/* Text (vprintf style) that the caller frees, or NULL when out of memory. */
char *berth_text_format(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

/* Prints lead, text (vprintf style), escaped but for control characters in plain, and a line's end.
 */
void berth_text_vprint(FILE *file, const char *lead, const char *plain, const char *format,
                       va_list arguments) __attribute__((format(printf, 4, 0)));

/* Cuts the blanks around text, in place, and returns where it begins. */
char *berth_text_trim(char *text);

/* Takes the blanks about the parts of a list with commas off, in place. */
void berth_text_trim_list(char *list);

/* Length of the first part of a list of expressions with commas between: up to a comma that stands
 * in no parentheses, or the end. */
size_t berth_text_expression(const char *list);

/* A copy of that part, without the blanks about it, that the caller frees; NULL when out of memory.
 * *list is then behind the comma, NULL where there was none. */
char *berth_text_next_expression(const char **list);

/* Appends (printf style) to what text[size] holds, as far as there is room. */
void berth_text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Leaves the name out of what is said of it, in place: of "x.sdf:3: molecule NAME: why", "x.sdf:3:
 * NAME: why" and "NAME: why" the rest stays, as it is said once beside it. */
void berth_text_drop_name(char *text, const char *name);

/* Makes of what berth_text_escape gave, in place, the text that it was given. */
void berth_text_unescape(char *text);

#endif

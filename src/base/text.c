#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

/* Characters of \xHH. */
enum { ESCAPE = 4 };

bool berth_text_lists(const char *list, char separator, const char *text)
{
    const size_t length = strlen(text);
    for (const char *at = list; at;) {
        const char *end = strchr(at, separator);
        const size_t size = end ? (size_t)(end - at) : strlen(at);
        if (size && size == length && strncmp(at, text, size) == 0) {
            return true;
        }
        at = end ? end + 1 : NULL;
    }
    return false;
}

bool berth_text_has_word(const char *text, const char *word)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    for (text = text ? text : ""; *text; text += strcspn(text, LETTERS)) {
        const size_t length = strspn(text, LETTERS);
        if (length == strlen(word) && strncasecmp(text, word, length) == 0) {
            return true;
        }
        text += length;
    }
    return false;
}

size_t berth_text_utf8(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const size_t size = *c < 0x80   ? *c != 0
                        : *c < 0xC2 ? 0
                        : *c < 0xE0 ? 2
                        : *c < 0xF0 ? 3
                        : *c < 0xF5 ? 4
                                    : 0;
    for (size_t i = 1; i < size; i++) {
        if ((c[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    /* Too long for what they say; halves of a UTF-16 pair; beyond U+10FFFF. */
    const bool wrong = (*c == 0xE0 && c[1] < 0xA0) || (*c == 0xED && c[1] > 0x9F) ||
                       (*c == 0xF0 && c[1] < 0x90) || (*c == 0xF4 && c[1] > 0x8F);
    return wrong ? 0 : size;
}

size_t berth_text_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return width;
}

void berth_text_print_row(FILE *file, const char *left, const char *text, bool wrapped)
{
    enum { COLUMN = 28, WIDTH = 100 };
    const int width = (int)berth_text_width(left);
    int column = COLUMN;
    fputs(left, file);
    fprintf(file, "%s%*s", width < COLUMN ? "" : "\n", width < COLUMN ? COLUMN - width : COLUMN,
            "");
    while (*text) {
        const char *end = text + strcspn(text, " ");
        int letters = 0;
        for (const char *at = text; at < end; at++) {
            letters += ((unsigned char)*at & 0xC0) != 0x80; /* begins one, in UTF-8 */
        }
        if (wrapped && column > COLUMN && column + 1 + letters > WIDTH) {
            fprintf(file, "\n%*s", COLUMN, "");
            column = COLUMN;
        } else if (column > COLUMN) {
            fputc(' ', file);
            column++;
        }
        fprintf(file, "%.*s", (int)(end - text), text);
        column += letters;
        text = end + strspn(end, " ");
    }
    fputc('\n', file);
}

static bool is_escape(const char *text)
{
    return text[0] == '\\' && text[1] == 'x' && isxdigit((unsigned char)text[2]) &&
           isxdigit((unsigned char)text[3]);
}

/* Bytes of the character that may stand as it is; 0: its first byte may not. */
static size_t standing(const char *text, const char *plain)
{
    const unsigned char *c = (const unsigned char *)text;
    const size_t size = berth_text_utf8(text);
    const bool control = *c < 0x20 ? !strchr(plain, *c) : *c == 0x7F;
    const bool late = size == 2 && *c == 0xC2 && c[1] < 0xA0; /* U+0080 to U+009F */
    return control || late || is_escape(text) ? 0 : size;
}

char *berth_text_escape(const char *text, const char *plain)
{
    char *escaped = berth_alloc(strlen(text) + 1, ESCAPE);
    for (char *to = escaped; escaped && *text;) {
        const size_t size = standing(text, plain);
        if (size) {
            memcpy(to, text, size);
            to += size;
            text += size;
        } else {
            to += snprintf(to, ESCAPE + 1, "\\x%02x", (unsigned char)*text++);
        }
    }
    return escaped;
}

char *berth_text_format(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : berth_alloc((size_t)length + 1, 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, arguments);
    }
    return text;
}

void berth_text_vprint(FILE *file, const char *lead, const char *plain, const char *format,
                       va_list arguments)
{
    char *text = berth_text_format(format, arguments);
    char *shown = text ? berth_text_escape(text, plain) : NULL;
    fprintf(file, "%s%s\n", lead, shown ? shown : format);
    free(shown);
    free(text);
}

char *berth_text_trim(char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    text[length] = '\0';
    return text;
}

size_t berth_text_expression(const char *list)
{
    size_t length = 0;
    for (int depth = 0; list[length] && (depth > 0 || list[length] != ','); length++) {
        depth += (list[length] == '(') - (list[length] == ')');
    }
    return length;
}

void berth_text_trim_list(char *list)
{
    static const char BLANKS[] = " \t\r\n";
    char *to = list;
    for (const char *at = list; *at; at++) {
        const char behind = at[strspn(at, BLANKS)];
        const bool edge = to == list || to[-1] == ',' || behind == ',' || !behind;
        if (!strchr(BLANKS, *at) || !edge) {
            *to++ = *at;
        }
    }
    *to = '\0';
}

char *berth_text_next_expression(const char **list)
{
    const size_t length = berth_text_expression(*list);
    char *text = berth_alloc(length + 1, 1);
    if (text) {
        memcpy(text, *list, length);
        berth_text_trim_list(text);
    }
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return text;
}

void berth_text_append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void berth_text_drop_name(char *text, const char *name)
{
    static const char *const KINDS[] = {"molecule ", "ligand ", ""};
    const size_t length = strlen(name);
    for (char *at = text; at && length; at = strstr(at, ": ")) {
        at += at == text ? 0 : 2;
        for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
            const size_t kind = strlen(KINDS[k]);
            char *behind = at + kind + length;
            if (strncmp(at, KINDS[k], kind) == 0 && strncmp(at + kind, name, length) == 0 &&
                strncmp(behind, ": ", 2) == 0) {
                memmove(at, behind + 2, strlen(behind + 2) + 1);
                return;
            }
        }
    }
}

void berth_text_unescape(char *text)
{
    char *to = text;
    while (*text) {
        if (is_escape(text)) {
            const char digits[] = {text[2], text[3], '\0'};
            *to++ = (char)strtoul(digits, NULL, 16);
            text += ESCAPE;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
}

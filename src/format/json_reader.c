#include "format/json_reader.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { DEEPEST = 64 };

struct reader {
    const char *begin, *at, *end;
    char *put; /* where the next name or text goes: never more than was read */
    struct berth_json_tree *tree;
    struct berth_error *error;
};

static enum berth_status refuse(const struct reader *reader, const char *what)
{
    return berth_fail(reader->error, BERTH_E_FORMAT, "no JSON: byte %zu: %s",
                      (size_t)(reader->at - reader->begin) + 1, what);
}

/* The byte that is next; 0 at the end, which no JSON has. */
static char peek(const struct reader *reader)
{
    return reader->at < reader->end ? *reader->at : '\0';
}

static void pass_blanks(struct reader *reader)
{
    while (peek(reader) && strchr(" \t\r\n", peek(reader))) {
        reader->at++;
    }
}

/* Passes over this byte, which may be there. */
static bool take(struct reader *reader, char byte)
{
    const bool is_there = peek(reader) == byte;
    reader->at += is_there;
    return is_there;
}

/* --- Texts --- */

static bool take_hex(struct reader *reader, uint32_t *code)
{
    static const char DIGITS[] = "0123456789abcdef";
    *code = 0;
    for (int i = 0; i < 4; i++) {
        const char byte = peek(reader);
        const char *digit =
            byte ? strchr(DIGITS, byte >= 'A' && byte <= 'F' ? byte + 32 : byte) : NULL;
        if (!digit) {
            return false;
        }
        *code = *code << 4 | (uint32_t)(digit - DIGITS);
        reader->at++;
    }
    return true;
}

static void put_utf8(struct reader *reader, uint32_t code)
{
    if (code < 0x80) {
        *reader->put++ = (char)code;
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char LEADS[] = {0, 0xc0, 0xe0, 0xf0};
    *reader->put++ = (char)(LEADS[more] | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--) {
        *reader->put++ = (char)(0x80 | (code >> 6 * i & 0x3f));
    }
}

/* Behind \u: one character, of two such where it is a surrogate. */
static enum berth_status take_code(struct reader *reader)
{
    uint32_t code, low = 0;
    bool good = take_hex(reader, &code);
    if (good && code >= 0xd800 && code < 0xdc00) {
        good = take(reader, '\\') && take(reader, 'u') && take_hex(reader, &low) && low >= 0xdc00 &&
               low < 0xe000;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else {
        good = good && !(code >= 0xdc00 && code < 0xe000);
    }
    if (!good || !code) {
        return refuse(reader, "\\u is followed by no character");
    }
    put_utf8(reader, code);
    return BERTH_OK;
}

static enum berth_status take_escape(struct reader *reader)
{
    static const char ESCAPES[] = "\"\\/bfnrt", MEANT[] = "\"\\/\b\f\n\r\t";
    if (take(reader, 'u')) {
        return take_code(reader);
    }
    const char *escape = peek(reader) ? strchr(ESCAPES, peek(reader)) : NULL;
    if (!escape) {
        return refuse(reader, "a backslash escapes nothing");
    }
    reader->at++;
    *reader->put++ = MEANT[escape - ESCAPES];
    return BERTH_OK;
}

/* Behind the quote that begins it. */
static enum berth_status take_text(struct reader *reader, const char **text)
{
    *text = reader->put;
    while (!take(reader, '"')) {
        if ((unsigned char)peek(reader) < ' ') {
            return refuse(reader, "a text does not end, or holds a control character");
        }
        if (take(reader, '\\')) {
            BERTH_TRY(take_escape(reader));
            continue;
        }
        /* the bytes end with a 0, which no character of UTF-8 has inside */
        const size_t size = berth_text_utf8(reader->at);
        if (!size) {
            return refuse(reader, "no UTF-8");
        }
        memcpy(reader->put, reader->at, size);
        reader->put += size;
        reader->at += size;
    }
    *reader->put++ = '\0';
    return BERTH_OK;
}

/* --- Values --- */

static size_t pass_digits(struct reader *reader)
{
    const char *from = reader->at;
    while (peek(reader) >= '0' && peek(reader) <= '9') {
        reader->at++;
    }
    return (size_t)(reader->at - from);
}

static enum berth_status take_number(struct reader *reader, const char **text)
{
    const char *from = reader->at;
    take(reader, '-');
    bool good = take(reader, '0') || pass_digits(reader);
    if (good && take(reader, '.')) {
        good = pass_digits(reader);
    }
    if (good && (take(reader, 'e') || take(reader, 'E'))) {
        good = (take(reader, '+') || take(reader, '-') || true) && pass_digits(reader);
    }
    if (!good) {
        return refuse(reader, "no value");
    }
    *text = reader->put;
    memcpy(reader->put, from, (size_t)(reader->at - from));
    reader->put += reader->at - from;
    *reader->put++ = '\0';
    return BERTH_OK;
}

static bool take_word(struct reader *reader, const char *word)
{
    const size_t size = strlen(word);
    const bool is_there =
        (size_t)(reader->end - reader->at) >= size && memcmp(reader->at, word, size) == 0;
    reader->at += is_there ? size : 0;
    return is_there;
}

static enum berth_status take_value(struct reader *reader, const char *name, size_t depth);

/* Behind the bracket: what an object or a list holds. */
static enum berth_status take_inside(struct reader *reader, bool object, size_t depth)
{
    const char close = object ? '}' : ']';
    pass_blanks(reader);
    if (take(reader, close)) {
        return BERTH_OK;
    }
    do {
        const char *name = NULL;
        pass_blanks(reader);
        if (object) {
            if (!take(reader, '"')) {
                return refuse(reader, "a member's name is missing");
            }
            BERTH_TRY(take_text(reader, &name));
            pass_blanks(reader);
            if (!take(reader, ':')) {
                return refuse(reader, "a colon is missing");
            }
        }
        BERTH_TRY(take_value(reader, name, depth));
        pass_blanks(reader);
    } while (take(reader, ','));
    return take(reader, close)
               ? BERTH_OK
               : refuse(reader, object ? "a comma or } is missing" : "a comma or ] is missing");
}

static enum berth_status take_value(struct reader *reader, const char *name, size_t depth)
{
    struct berth_json_tree *tree = reader->tree;
    const size_t place = tree->count;
    struct berth_json_value value = {BERTH_JSON_NULL, name, NULL, 0};
    if (depth == DEEPEST) {
        return refuse(reader, "values are too deep in one another");
    }
    BERTH_TRY(berth_reserve(&tree->values, &tree->capacity, place + 1, sizeof *tree->values,
                            reader->error));
    tree->count++;
    pass_blanks(reader);
    if (take(reader, '{')) {
        value.kind = BERTH_JSON_OBJECT;
        BERTH_TRY(take_inside(reader, true, depth + 1));
    } else if (take(reader, '[')) {
        value.kind = BERTH_JSON_LIST;
        BERTH_TRY(take_inside(reader, false, depth + 1));
    } else if (take(reader, '"')) {
        value.kind = BERTH_JSON_TEXT;
        BERTH_TRY(take_text(reader, &value.text));
    } else if (take_word(reader, "true")) {
        value.kind = BERTH_JSON_TRUE;
    } else if (take_word(reader, "false")) {
        value.kind = BERTH_JSON_FALSE;
    } else if (!take_word(reader, "null")) {
        value.kind = BERTH_JSON_NUMBER;
        BERTH_TRY(take_number(reader, &value.text));
    }
    value.inside = tree->count - place - 1;
    tree->values[place] = value;
    return BERTH_OK;
}

enum berth_status berth_json_read(const char *text, size_t size, struct berth_json_tree *tree,
                                  struct berth_error *error)
{
    char *copy = NULL;
    memset(tree, 0, sizeof *tree);
    BERTH_TRY(berth_make(&tree->texts, size + 2, 1, NULL, error));
    /* so that it ends with a 0: a character that is cut off is none */
    enum berth_status status = berth_make(&copy, size + 1, 1, NULL, error);
    if (!status) {
        memcpy(copy, text, size);
        struct reader reader = {copy, copy, copy + size, tree->texts, tree, error};
        status = take_value(&reader, NULL, 0);
        pass_blanks(&reader);
        if (!status && reader.at < reader.end) {
            status = refuse(&reader, "something stands behind the value");
        }
    }
    free(copy);
    return status;
}

const struct berth_json_value *berth_json_next(const struct berth_json_value *within,
                                               const struct berth_json_value *before)
{
    const struct berth_json_value *next = before ? before + 1 + before->inside : within + 1;
    return next <= within + within->inside ? next : NULL;
}

const struct berth_json_value *berth_json_member(const struct berth_json_value *object,
                                                 const char *name)
{
    const struct berth_json_value *member = NULL;
    if (object->kind != BERTH_JSON_OBJECT) {
        return NULL;
    }
    while ((member = berth_json_next(object, member)) && strcmp(member->name, name) != 0) {
    }
    return member;
}

void berth_json_tree_clear(struct berth_json_tree *tree)
{
    free(tree->values);
    free(tree->texts);
    memset(tree, 0, sizeof *tree);
}

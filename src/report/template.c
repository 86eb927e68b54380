#include "report/template.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value that names are looked up in, and those about it.  Values are places in the JSON. */
struct scope {
    const char *value;
    const struct scope *outer;
};

/* Text on its way. */
struct filling {
    struct berth_output *output;
    enum berth_template_target target;
    bool begun, blank; /* of prose: something stands there; a blank belongs in front of the rest */
};

/* Of a template. */
struct piece {
    const char *begin, *end;
};

/* {{what name|between|many}}; what: '#', '?', '^', '/' or 0. */
struct tag {
    struct piece whole, name, between, many; /* begin is NULL where there is none */
    char what;
};

/* --- Values --- */

/* Where the value, or a member's name, ends that begins here. */
static const char *end_of(const char *at)
{
    size_t depth = 0;
    for (bool quoted = false; *at; at++) {
        if (quoted) {
            quoted = *at != '"';
            at += *at == '\\' && at[1];
        } else if (*at == '"') {
            quoted = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (!depth && strchr(",:]}", *at)) {
            break;
        } else {
            depth -= *at == '}' || *at == ']';
        }
    }
    return at;
}

/* The first item of a list, or member of an object, and the next; NULL: there is none. */
static const char *first_of(const char *value)
{
    return (*value == '[' || *value == '{') && !strchr("]}", value[1]) ? value + 1 : NULL;
}

static const char *next_of(const char *item)
{
    const char *end = end_of(item);
    end = *end == ':' ? end_of(end + 1) : end;
    return *end == ',' ? end + 1 : NULL;
}

/* NULL: no scope has it. */
static const char *find(const struct scope *scope, struct piece name)
{
    const size_t length = (size_t)(name.end - name.begin);
    if (length == 1 && *name.begin == '.') {
        return scope->value;
    }
    for (; scope; scope = scope->outer) {
        const char *member = *scope->value == '{' ? first_of(scope->value) : NULL;
        for (; member; member = next_of(member)) {
            if (strncmp(member + 1, name.begin, length) == 0 && member[length + 1] == '"') {
                return end_of(member) + 1;
            }
        }
    }
    return NULL;
}

static bool is_something(const char *value)
{
    static const char *const NOTHING[] = {"null", "false", "\"\"", "[]", "{}"};
    bool something = value && (!strchr("-0123456789", *value) || strtod(value, NULL) != 0);
    for (size_t i = 0; value && i < sizeof NOTHING / sizeof *NOTHING; i++) {
        something = something && strncmp(value, NOTHING[i], strlen(NOTHING[i])) != 0;
    }
    return something;
}

/* --- Output --- */

static void put(struct filling *filling, const char *text, size_t size)
{
    if (!size) {
        return; /* of a text that is none, too */
    }
    if (filling->blank && filling->begun) {
        berth_output_bytes(filling->output, " ", 1);
    }
    filling->blank = false;
    filling->begun = true;
    berth_output_bytes(filling->output, text, size);
}

/* A piece of the template. */
static void put_piece(struct filling *filling, struct piece piece)
{
    for (const char *at = piece.begin, *end; at < piece.end; at = end) {
        end = at + 1;
        const bool blank = filling->target == BERTH_TEMPLATE_PROSE && strchr(" \n", *at);
        while (end < piece.end && filling->target == BERTH_TEMPLATE_PROSE &&
               !strchr(" \n", *end) == !blank) {
            end++;
        }
        filling->blank = filling->target == BERTH_TEMPLATE_PROSE &&
                         (blank || (filling->blank && !strchr(",.;:)", *at)));
        put(filling, at, blank ? 0 : (size_t)(end - at));
    }
}

/* A byte of a text, where it ends no quotes and begins no escape. */
static void put_byte(struct filling *filling, unsigned char byte)
{
    char text[8] = {(char)byte};
    const bool means = filling->target != BERTH_TEMPLATE_PROSE &&
                       (byte < ' ' || byte == '"' || byte == '\\' || byte == 127);
    if (means) {
        snprintf(text, sizeof text, "\\x%02x", byte);
    }
    put(filling, text, means ? 4 : 1);
}

/* A character as UTF-8. */
static void put_code(struct filling *filling, unsigned code)
{
    if (code < 0x80) {
        put_byte(filling, (unsigned char)code);
    } else {
        put_byte(filling, (unsigned char)(0xc0 | (code >> 6)));
        put_byte(filling, (unsigned char)(0x80 | (code & 0x3f)));
    }
}

/* What is between the quotes: the only escapes of a text are \", \\ and \u00XX. */
static void put_text(struct filling *filling, const char *value)
{
    for (const char *at = value + 1; *at && *at != '"'; at++) {
        unsigned code;
        if (at[0] == '\\' && at[1] == 'u' && sscanf(at + 2, "%4x", &code) == 1) {
            put_code(filling, code);
            at += 5;
        } else {
            at += *at == '\\' && at[1];
            put_byte(filling, (unsigned char)*at);
        }
    }
}

/* A number or a word; with something between groups of three digits, where there is that. */
static void put_plain(struct filling *filling, const char *value, struct piece between)
{
    const size_t size = (size_t)(end_of(value) - value);
    for (size_t i = 0; i < size; i++) {
        put(filling, value + i, 1);
        if ((size - i) % 3 == 1 && i + 1 < size) {
            put(filling, between.begin, (size_t)(between.end - between.begin));
        }
    }
}

static void put_value(struct filling *filling, const char *value, struct piece between)
{
    static const char COMMA[] = ", ", AND[] = " and ";
    if (*value == '"') {
        put_text(filling, value);
    } else if (*value != '[') {
        put_plain(filling, value, between);
    }
    for (const char *item = first_of(value), *next; *value == '[' && item; item = next) {
        const struct piece empty = {NULL, NULL};
        next = next_of(item);
        put_value(filling, item, empty);
        if (next && between.begin) {
            put(filling, between.begin, (size_t)(between.end - between.begin));
        } else if (next) {
            const bool last = !next_of(next);
            put(filling, last ? AND : COMMA, last ? sizeof AND - 1 : sizeof COMMA - 1);
        }
    }
}

/* --- Templates --- */

/* The next tag; false: there is none. */
static bool find_tag(struct piece in, struct tag *tag)
{
    const char *begin = in.begin, *end = NULL;
    while (begin < in.end && strncmp(begin, "{{", 2) != 0) {
        begin++;
    }
    end = begin < in.end ? strstr(begin, "}}") : NULL;
    if (!end) {
        return false;
    }
    *tag = (struct tag){.whole = {begin, end + 2}, .what = begin[2]};
    const bool plain = !strchr("#?^/", tag->what);
    tag->what = plain ? '\0' : tag->what;
    tag->name = (struct piece){begin + (plain ? 2 : 3), end};
    for (struct piece *part = &tag->name, *next = &tag->between; next;
         part = next, next = next == &tag->between ? &tag->many : NULL) {
        const char *bar = memchr(part->begin, '|', (size_t)(part->end - part->begin));
        if (!bar) {
            break;
        }
        *next = (struct piece){bar + 1, part->end};
        part->end = bar;
    }
    return true;
}

/* Of what follows a section's first tag its last one. */
static struct tag find_end(struct piece in, const struct tag *opened)
{
    const size_t length = (size_t)(opened->name.end - opened->name.begin);
    size_t depth = 1; /* of sections of this name */
    struct tag tag;
    while (find_tag(in, &tag)) {
        if (tag.what && (size_t)(tag.name.end - tag.name.begin) == length &&
            strncmp(tag.name.begin, opened->name.begin, length) == 0) {
            depth = tag.what == '/' ? depth - 1 : depth + 1;
            if (!depth) {
                return tag;
            }
        }
        in.begin = tag.whole.end;
    }
    return (struct tag){.whole = {in.end, in.end}};
}

/* A line with nothing but the tag goes with it, but not in prose. */
static struct piece widen(const struct filling *filling, const struct tag *tag, const char *text)
{
    struct piece whole = tag->whole;
    while (whole.begin > text && whole.begin[-1] == ' ') {
        whole.begin--;
    }
    const bool alone = (whole.begin == text || whole.begin[-1] == '\n') && *whole.end == '\n';
    return alone && filling->target != BERTH_TEMPLATE_PROSE
               ? (struct piece){whole.begin, whole.end + 1}
               : tag->whole;
}

static void fill(struct filling *filling, struct piece in, const char *text,
                 const struct scope *scope);

static void fill_section(struct filling *filling, const struct tag *tag, struct piece inside,
                         const char *text, const struct scope *scope)
{
    const char *value = find(scope, tag->name);
    const bool is_list = value && *value == '[', there = is_something(value);
    if (tag->what != '#' || !there) {
        if (tag->what == (there ? '?' : '^')) {
            fill(filling, inside, text, scope);
        }
        return;
    }
    for (const char *item = is_list ? first_of(value) : value, *next; item; item = next) {
        const struct scope inner = {item, scope};
        next = is_list ? next_of(item) : NULL;
        fill(filling, inside, text, &inner);
        if (next && tag->between.begin) {
            put(filling, tag->between.begin, (size_t)(tag->between.end - tag->between.begin));
        }
    }
}

static void fill_value(struct filling *filling, const struct tag *tag, const struct scope *scope)
{
    const char *value = find(scope, tag->name);
    if (tag->many.begin) {
        put_piece(filling,
                  value && strtod(value + (*value == '"'), NULL) == 1 ? tag->between : tag->many);
    } else if (value) {
        put_value(filling, value, tag->between);
    }
}

/* A piece of the text, which is the whole template. */
static void fill(struct filling *filling, struct piece in, const char *text,
                 const struct scope *scope)
{
    struct tag tag;
    while (find_tag(in, &tag)) {
        const struct piece place = tag.what ? widen(filling, &tag, text) : tag.whole;
        put_piece(filling,
                  (struct piece){in.begin, place.begin > in.begin ? place.begin : in.begin});
        in.begin = place.end;
        if (tag.what && tag.what != '/') {
            const struct tag end = find_end(in, &tag);
            const struct piece last = widen(filling, &end, text);
            fill_section(filling, &tag, (struct piece){in.begin, last.begin}, text, scope);
            in.begin = last.end;
        } else if (!tag.what) {
            fill_value(filling, &tag, scope);
        }
    }
    put_piece(filling, in);
}

void berth_template_fill(const char *text, const char *json, enum berth_template_target target,
                         struct berth_output *output)
{
    struct filling filling = {.output = output, .target = target};
    const struct scope scope = {json, NULL};
    fill(&filling, (struct piece){text, text + strlen(text)}, text, &scope);
}

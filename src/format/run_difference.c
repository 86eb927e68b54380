#include "format/run_difference.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { VALUE = 2 * PATH_MAX, OPTIONS_MAX = 128, LAST = 2, ROUNDS };

/* What is found.  All rows are looked at twice: first to know which options differ, then to tell
 * those that no other one changed; and where there are none, once more, for what no option decides.
 */
struct found {
    struct berth_run_card one, other; /* as they are told */
    const char *between;
    char *text;                    /* borrowed; [BERTH_RUN_DIFFERENCE]; NULL: nothing is told yet */
    char options[OPTIONS_MAX][32]; /* [count] */
    size_t count, before;          /* before: of them, found in earlier rounds */
    int round;
};

static bool is_found(const struct found *found, const char *option, size_t first)
{
    for (size_t i = first; i < found->count; i++) {
        if (strcmp(found->options[i], option) == 0) {
            return true;
        }
    }
    return false;
}

/* Cuts the next word of words into word; false at their end. */
static bool next_word(const char **words, char word[VALUE])
{
    const size_t length = strcspn(*words, " ");
    snprintf(word, VALUE, "%.*s", (int)length, *words);
    *words += length + strspn(*words + length, " ");
    return length;
}

static bool is_any_found(const struct found *found, const char *options)
{
    char option[VALUE];
    while (next_word(&options, option)) {
        if (is_found(found, option, 0)) {
            return true;
        }
    }
    return false;
}

/* A value as people write it: 0.1, not 0.10000000000000001. */
static void write_value(const char *value, char text[VALUE])
{
    char *end;
    const double number = strtod(value, &end);
    if (*value && !*end && strchr(value, '.')) {
        snprintf(text, VALUE, "%.10g", number);
    } else {
        snprintf(text, VALUE, "%s", *value ? value : "none");
    }
}

/* Two values of an option; where they are the same, they name files. */
static void add(struct found *found, const char *option, const char *one, const char *other)
{
    char a[VALUE], b[VALUE];
    if (is_found(found, option, found->before) || found->count == OPTIONS_MAX) {
        return;
    }
    write_value(one, a);
    write_value(other, b);
    const char *before = found->count > found->before ? "; " : "";
    snprintf(found->options[found->count++], sizeof *found->options, "%s", option);
    if (found->text && strcmp(one, other) != 0) {
        berth_text_append(found->text, BERTH_RUN_DIFFERENCE, "%s%s %s%s%s", before, option, a,
                          found->between, b);
    } else if (found->text) {
        berth_text_append(found->text, BERTH_RUN_DIFFERENCE, "%s%s %s, whose content differs",
                          before, option, a);
    }
}

/* Lines on their way to a value. */
struct joined {
    char *value; /* [VALUE] */
    const char *between;
};

static void join(void *context, const char *name, const char *text)
{
    struct joined *joined = context;
    (void)name;
    berth_text_append(joined->value, VALUE, "%s%s", *joined->value ? joined->between : "", text);
}

static const struct berth_run_row *find_row(enum berth_run_part part, const char *name)
{
    size_t i = 0;
    while (BERTH_RUN_ROWS[i].part != part || strcmp(BERTH_RUN_ROWS[i].name, name) != 0) {
        if (++i == BERTH_RUN_ROW_COUNT) {
            return NULL;
        }
    }
    return &BERTH_RUN_ROWS[i];
}

/* The value of a row as an option has it, with commas between several functions or receptors; "":
 * there is none. */
static void value_of(const struct berth_run_card *card, const struct berth_run_row *row,
                     char value[VALUE])
{
    struct joined joined = {value, row->part == BERTH_RUN_FILES ? "," : " and "};
    *value = '\0';
    berth_run_row_each(card, row, join, &joined);
    for (char *c = value; *c && row->kind == BERTH_RUN_WORDS; c++) {
        *c = (char)(*c == ' ' ? ',' : *c);
    }
}

/* The functions, one alone, too. */
static void functions_of(const struct berth_run_card *card, char value[VALUE])
{
    value_of(card, find_row(BERTH_RUN_IDENTITY, "functions"), value);
    if (!*value) {
        snprintf(value, VALUE, "%s", card->identity.scoring);
    }
}

/* What names the files of an option; "": nothing does. */
static void file_of(const struct berth_run_card *card, const char *option, char value[VALUE])
{
    const struct berth_run_row *row = find_row(BERTH_RUN_FILES, option);
    *value = '\0';
    if (strcmp(option, "scoring") == 0) {
        snprintf(value, VALUE, "%s", card->identity.scoring);
    } else if (strcmp(option, "restraints") == 0) {
        snprintf(value, VALUE, "%s",
                 card->files.restraint->text ? card->files.restraint->text : "");
    } else if (row) {
        value_of(card, row, value);
    }
    if (!*value && strcmp(option, "library") == 0) { /* it is made of molecules */
        snprintf(value, VALUE, "%s", card->files.molecules);
    }
}

/* The values of options: of one the whole value, of several a field each. */
static void add_values(struct found *found, const char *options, const char *one, const char *other)
{
    char option[VALUE], a[VALUE], b[VALUE];
    if (!strchr(options, ' ')) {
        add(found, options, one, other);
        return;
    }
    while (next_word(&options, option)) {
        next_word(&one, a);
        next_word(&other, b);
        if (*option != '-' && strcmp(a, b) != 0) {
            add(found, option, a, b);
        }
    }
}

/* The files of options, or of the first option what their name does not tell.  hashes: of both
 * runs. */
static void add_files(struct found *found, const char *options, const char *const hashes[2])
{
    char option[VALUE], a[VALUE], b[VALUE];
    bool any = false;
    for (const char *rest = options; next_word(&rest, option);) {
        file_of(&found->one, option, a);
        file_of(&found->other, option, b);
        if (strcmp(a, b) != 0) {
            add(found, option, a, b);
            any = true;
        }
    }
    if (!any) {
        next_word(&options, option);
        file_of(&found->one, option, a);
        const char *named = *a ? a : "file";
        add(found, option, *hashes[0] ? named : "", *hashes[1] ? named : "");
    }
}

/* The value behind " --name" in a note; false where it is not there. */
static bool find_in_note(const char *note, const char *name, char value[VALUE])
{
    char key[VALUE];
    snprintf(key, sizeof key, " --%s", name);
    const size_t length = strlen(key);
    const char *at = strstr(note, key);
    while (at && at[length] && at[length] != ' ') {
        at = strstr(at + 1, key);
    }
    if (at) {
        const char *begin = at + length, *end = strstr(begin, " --");
        end = end ? end : begin + strlen(begin);
        begin += begin < end;
        snprintf(value, VALUE, "%.*s", (int)(end - begin), begin);
    }
    return at;
}

/* The options of `one` in whose values the notes differ. */
static void add_note(struct found *found, const char *one, const char *other, bool swapped)
{
    for (const char *at = one; (at = strstr(at, " --")); at += 3) {
        char name[VALUE], a[VALUE] = "", b[VALUE] = "";
        const char *words = at + 3;
        next_word(&words, name);
        find_in_note(one, name, a);
        const bool there = find_in_note(other, name, b);
        const char *given = *a ? a : "on";
        if (there && strcmp(a, b) != 0) {
            add(found, name, a, b);
        } else if (!there) {
            add(found, name, swapped ? "" : given, swapped ? given : "");
        }
    }
}

static const char *box_of(const struct berth_run_card *card)
{
    return card->identity.maps[1] > 0 ? "centroid" : "atoms";
}

/* Compares what a row is about. */
static void look_at(struct found *found, const struct berth_run_row *row)
{
    const struct berth_run_card *one = &found->one, *other = &found->other;
    char a[VALUE], b[VALUE];
    value_of(one, row, a);
    value_of(other, row, b);
    if (strcmp(row->options, "scoring") == 0 && row->rule == BERTH_RUN_VALUE) {
        char c[VALUE], d[VALUE];
        functions_of(one, c);
        functions_of(other, d);
        if (strcmp(c, d) != 0) {
            add(found, row->options, c, d);
        }
    }
    if (strcmp(a, b) == 0 || is_any_found(found, row->causes)) {
        return;
    }
    switch (row->rule) {
    case BERTH_RUN_FREE:
        break;
    case BERTH_RUN_LINE:
        if (found->round == LAST) {
            add(found, row->name, a, b);
        }
        break;
    case BERTH_RUN_VALUE:
        add_values(found, row->options, a, b);
        break;
    case BERTH_RUN_HASH:
        add_files(found, row->options, (const char *const[]){a, b});
        break;
    case BERTH_RUN_SWITCH:
        add(found, row->options, *a ? "on" : "off", *b ? "on" : "off");
        break;
    case BERTH_RUN_BOX:
        if (*a && *b && strcmp(box_of(one), box_of(other)) != 0) { /* both on maps */
            add(found, row->options, box_of(one), box_of(other));
        }
        break;
    case BERTH_RUN_NOTE:
        if (*a && *b) {
            if (strcspn(a, "(") != strcspn(b, "(") || strncmp(a, b, strcspn(a, "(")) != 0) {
                add_files(found, row->options, (const char *const[]){a, b});
            }
            add_note(found, a, b, false);
            add_note(found, b, a, true);
        }
        break;
    case BERTH_RUN_HINT:
        if (*a && *b) { /* older journals lack it */
            add(found, row->options, a, b);
        }
        break;
    }
}

void berth_run_difference(const struct berth_run_card *one, const struct berth_run_card *other,
                          const char *between, char text[BERTH_RUN_DIFFERENCE])
{
    struct found found = {
        .one = berth_run_card_told(one), .other = berth_run_card_told(other), .between = between};
    *text = '\0';
    for (; found.round < ROUNDS && (found.round < LAST || !*text); found.round++) {
        if (found.round == LAST) {
            found.one = *one;
            found.other = *other;
        }
        found.before = found.count;
        for (size_t i = 0; i < BERTH_RUN_ROW_COUNT; i++) {
            look_at(&found, &BERTH_RUN_ROWS[i]);
        }
        found.text = text;
    }
    if (!*text) {
        snprintf(text, BERTH_RUN_DIFFERENCE, "what this version of berth does not know");
    }
}

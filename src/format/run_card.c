/* Contents: the table; memory; a row's lines; reading a line; lines of journals. */
#include "format/run_card.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* --- The table --- */

#define ROW(name, part, member, kind, count, digits, rule, options, causes, ...)                   \
    {#name,                                                                                        \
     BERTH_RUN_##part,                                                                             \
     offsetof(struct berth_run_card, member),                                                      \
     BERTH_RUN_##kind,                                                                             \
     count,                                                                                        \
     digits,                                                                                       \
     BERTH_RUN_##rule,                                                                             \
     options,                                                                                      \
     causes},
#define IDENTITY(name, ...) ROW(name, IDENTITY, identity.name, __VA_ARGS__, 0)
#define FILES(name, ...)    ROW(name, FILES, files.name, __VA_ARGS__, 0)
#define RESULT(name, ...)   ROW(name, RESULT, result.name, __VA_ARGS__, 0)
#define WORK(name, ...)     ROW(name, WORK, work.name, __VA_ARGS__, 0)

/* Files first: of two runs by other searches, that is what their options say. */
const struct berth_run_row BERTH_RUN_ROWS[] = {
    BERTH_RUN_FILES_ROWS(FILES, FILES) BERTH_RUN_IDENTITY_ROWS(IDENTITY, IDENTITY)
        BERTH_RUN_RESULT_ROWS(RESULT, RESULT) BERTH_RUN_WORK_ROWS(WORK, WORK)};

const size_t BERTH_RUN_ROW_COUNT = sizeof BERTH_RUN_ROWS / sizeof *BERTH_RUN_ROWS;

/* --- Memory --- */

struct berth_run_kept {
    struct berth_run_kept *next;
    double data[]; /* of any type */
};

void *berth_run_card_keep(struct berth_run_card *card, size_t count, size_t size)
{
    struct berth_run_kept *kept = berth_alloc(1, sizeof *kept + count * size);
    card->failed = card->failed || !kept;
    if (!kept) {
        return NULL;
    }
    memset(kept->data, 0, count * size);
    kept->next = card->kept;
    card->kept = kept;
    return kept->data;
}

const char *berth_run_card_text(struct berth_run_card *card, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = berth_text_format(format, arguments);
    va_end(arguments);
    char *kept = text ? berth_run_card_keep(card, strlen(text) + 1, 1) : NULL;
    card->failed = card->failed || !kept;
    for (size_t i = 0; kept && text[i]; i++) { /* a file's name may hold anything */
        kept[i] = (char)(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
    }
    free(text);
    return kept ? kept : "";
}

void *berth_run_card_more(struct berth_run_card *card, void *items, size_t count, size_t size)
{
    void *more = items;
    if ((count & (count - 1)) == 0) { /* which it is doubled for */
        more = berth_run_card_keep(card, count ? 2 * count : 1, size);
        if (more && count) {
            memcpy(more, items, count * size);
        }
    }
    return more;
}

const char *berth_run_card_path(struct berth_run_card *card, const char *path)
{
    char folder[PATH_MAX];
    return *path == '/' || strcmp(path, "-") == 0 || !getcwd(folder, sizeof folder)
               ? berth_run_card_text(card, "%s", path)
               : berth_run_card_text(card, "%s/%s", folder, path);
}

void berth_run_card_start(struct berth_run_card *card)
{
    memset(card, 0, sizeof *card);
    for (size_t i = 0; i < BERTH_RUN_ROW_COUNT; i++) {
        const struct berth_run_row *row = &BERTH_RUN_ROWS[i];
        const bool is_number = row->kind == BERTH_RUN_NUMBER || row->kind == BERTH_RUN_NUMBERS;
        void *member = (char *)card + row->offset;
        if (row->kind == BERTH_RUN_TEXT) {
            *(const char **)member = "";
        } else if (row->kind == BERTH_RUN_METALS) {
            ((struct berth_run_metals *)member)->count = NAN;
        }
        for (size_t k = 0; is_number && k < row->count; k++) {
            ((double *)member)[k] = NAN;
        }
    }
}

void berth_run_card_clear(struct berth_run_card *card)
{
    for (struct berth_run_kept *kept = card->kept, *next; kept; kept = next) {
        next = kept->next;
        free(kept);
    }
    berth_bytes_clear(&card->json);
    memset(card, 0, sizeof *card);
}

struct berth_run_card berth_run_card_told(const struct berth_run_card *card)
{
    struct berth_run_card shown = *card;
    const double *mapped = card->identity.mapped;
    if (!isnan(mapped[0])) {
        shown.identity.poses = mapped[0];
        shown.identity.generations = mapped[1];
        shown.identity.parents = mapped[2];
        shown.identity.hops = mapped[3];
        shown.identity.exchange = shown.identity.shift[0] = shown.identity.turn[0] = NAN;
        shown.identity.temperature[0] = shown.identity.distinct[0] = NAN;
        shown.identity.niche[0] = shown.identity.soft[0] = NAN;
    }
    return shown;
}

const char *berth_run_named_find(const struct berth_run_named *list, size_t most, const char *of)
{
    for (size_t i = 0; i < most && list[i].of; i++) {
        if (strcmp(list[i].of, of) == 0) {
            return list[i].text;
        }
    }
    return "";
}

struct berth_residues_asked berth_run_residues(const struct berth_run_card *card, const char *of)
{
    const char *first = card->files.receptor[0].of;
    return (struct berth_residues_asked){
        .ligand_id = first && strcmp(first, of) == 0 ? card->files.ligand_id : "",
        .keep = berth_run_named_find(card->files.keep, BERTH_RECEPTORS_MAX, of),
        .drop = berth_run_named_find(card->files.drop, BERTH_RECEPTORS_MAX, of)};
}

/* --- A row's lines --- */

enum { NAME_SIZE = 128 };

/* A number with these digits; below 0: decimals. */
static void append_number(char text[PATH_MAX], double number, int digits)
{
    const char *blank = *text ? " " : "";
    if (digits < 0) {
        berth_text_append(text, PATH_MAX, "%s%.*f", blank, -digits, number);
    } else {
        berth_text_append(text, PATH_MAX, "%s%.*g", blank, digits, number);
    }
}

/* "restraint_1 = text", and for each receptor "required|wished [avoided] RADIUS X Y Z X Y Z ...",
 * as many places as a line holds. */
static void visit_restraint(const struct berth_run_restraint *restraint, size_t number,
                            berth_run_visit visit, void *context)
{
    char name[NAME_SIZE], text[PATH_MAX];
    snprintf(name, sizeof name, "restraint_%zu", number);
    visit(context, name, restraint->text);
    if (restraint->reference) { /* there is one core at most */
        visit(context, "template", restraint->reference);
    }
    for (size_t i = 0; i < BERTH_RECEPTORS_MAX && restraint->places[i].of; i++) {
        const struct berth_run_places *places = &restraint->places[i];
        size_t used = (size_t)snprintf(text, sizeof text, "%s%s %g",
                                       restraint->required ? "required" : "wished",
                                       restraint->avoided ? " avoided" : "", restraint->radius);
        for (size_t k = 0; k < places->count && used + 64 < sizeof text; k++) {
            const double *at = places->at[k];
            used += (size_t)snprintf(text + used, sizeof text - used, " %.3f %.3f %.3f", at[0],
                                     at[1], at[2]);
        }
        snprintf(name, sizeof name, "restraint_%zu_receptor%s%s", number, *places->of ? "_" : "",
                 places->of);
        visit(context, name, text);
    }
}

void berth_run_row_each(const struct berth_run_card *card, const struct berth_run_row *row,
                        berth_run_visit visit, void *context)
{
    const void *member = (const char *)card + row->offset;
    const struct berth_term_names *words = member;
    const struct berth_run_named *named = member;
    const struct berth_run_metals *metals = member;
    const struct berth_run_restraint *restraints = member;
    const double *numbers = member;
    char name[NAME_SIZE], text[PATH_MAX] = "";
    switch (row->kind) {
    case BERTH_RUN_TEXT:
        snprintf(text, sizeof text, "%.1s", *(const char *const *)member);
        break;
    case BERTH_RUN_NUMBER:
    case BERTH_RUN_NUMBERS:
        for (size_t i = 0; i < row->count && !isnan(numbers[i]); i++) {
            append_number(text, numbers[i], row->digits);
        }
        break;
    case BERTH_RUN_WORDS:
        for (size_t i = 0; i < words->count; i++) {
            berth_text_append(text, sizeof text, "%s%s", i ? " " : "", words->names[i]);
        }
        break;
    case BERTH_RUN_METALS:
        if (!isnan(metals->count)) {
            snprintf(text, sizeof text, "%g %g %g%s", metals->count, metals->weight, metals->radius,
                     metals->binding ? " binding" : "");
        }
        break;
    case BERTH_RUN_NAMED:
        for (size_t i = 0; i < row->count && named[i].of; i++) {
            snprintf(name, sizeof name, "%s%s%s", row->name, *named[i].of ? "_" : "", named[i].of);
            visit(context, name, named[i].text);
        }
        break;
    case BERTH_RUN_RESTRAINTS:
        for (size_t i = 0; i < row->count && restraints[i].text; i++) {
            visit_restraint(&restraints[i], i + 1, visit, context);
        }
        break;
    }
    if (*text) {
        visit(context, row->name,
              row->kind == BERTH_RUN_TEXT ? *(const char *const *)member : text);
    }
}

void berth_run_card_each(const struct berth_run_card *card, enum berth_run_part part,
                         berth_run_visit visit, void *context)
{
    for (size_t i = 0; i < BERTH_RUN_ROW_COUNT; i++) {
        if (BERTH_RUN_ROWS[i].part == part) {
            berth_run_row_each(card, &BERTH_RUN_ROWS[i], visit, context);
        }
    }
    for (size_t i = 0; i < card->other_count; i++) {
        if (card->others[i].part == part) {
            visit(context, card->others[i].name, card->others[i].text);
        }
    }
}

/* --- Reading a line --- */

static bool put_numbers(double *numbers, size_t count, const char *text)
{
    char *end;
    for (size_t i = 0; i < count && *text; i++, text = end) {
        numbers[i] = strtod(text, &end);
        if (end == text) {
            return false;
        }
    }
    return !*text;
}

static void put_words(struct berth_term_names *words, const char *text)
{
    words->count = 0;
    while (*text && words->count < BERTH_TERMS_MAX) {
        const size_t length = strcspn(text, " ");
        snprintf(words->names[words->count++], BERTH_TERM_NAME_SIZE, "%.*s", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}

static bool put_named(struct berth_run_card *card, struct berth_run_named *list, size_t most,
                      const char *of, const char *text)
{
    size_t i = 0;
    while (i < most && list[i].of) {
        i++;
    }
    if (i < most) {
        list[i].of = berth_run_card_text(card, "%s", of);
        list[i].text = berth_run_card_text(card, "%s", text);
    }
    return i < most;
}

/* Earlier versions said nothing of the donors next to sites; later ones may say more, which would
 * stand in each record of a journal. */
static bool put_metals(struct berth_run_metals *metals, const char *text)
{
    char binding[16] = "", more[2] = "";
    struct berth_run_metals read;
    const int count = sscanf(text, "%lf %lf %lf %15s %1s", &read.count, &read.weight, &read.radius,
                             binding, more);
    read.binding = count == 4 && strcmp(binding, "binding") == 0;
    if (count == 3 || read.binding) {
        *metals = read;
    }
    return count == 3 || read.binding;
}

/* "required 3.3 X Y Z X Y Z" or "wished avoided 4 X Y Z"; "avoided 4 X Y Z", as runs once said, is
 * required, as all are by default. */
static bool put_places(struct berth_run_card *card, struct berth_run_restraint *restraint,
                       const char *of, const char *text)
{
    size_t i = 0, most = strlen(text) / strlen("X Y Z ");
    double at[3];
    int used = 0;
    while (i < BERTH_RECEPTORS_MAX && restraint->places[i].of) {
        i++;
    }
    restraint->required = !berth_text_has_word(text, "wished");
    restraint->avoided = berth_text_has_word(text, "avoided");
    text += strcspn(text, "0123456789");
    double(*places)[3] = berth_run_card_keep(card, most, sizeof *places);
    if (i == BERTH_RECEPTORS_MAX || !places ||
        sscanf(text, "%lf%n", &restraint->radius, &used) != 1) {
        return false;
    }
    struct berth_run_places *read = &restraint->places[i];
    *read = (struct berth_run_places){.of = berth_run_card_text(card, "%s", of), .at = places};
    for (text += used;
         read->count < most && sscanf(text, "%lf %lf %lf%n", &at[0], &at[1], &at[2], &used) == 3;
         text += used) {
        memcpy(places[read->count++], at, sizeof at);
    }
    return true;
}

/* Behind "name" of "name_OF", or of the name itself; NULL: another name. */
static const char *behind(const char *text, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(text, name, length) != 0 || (text[length] && text[length] != '_') ? NULL
           : text[length] ? text + length + 1
                          : text + length;
}

static bool put_restraint(struct berth_run_card *card, const char *name, const char *text)
{
    struct berth_run_restraint *list = card->files.restraint;
    size_t count = 0, number = 0;
    int used = 0;
    while (count < BERTH_RESTRAINTS_MAX && list[count].text) {
        count++;
    }
    if (strcmp(name, "template") == 0) { /* behind the restraint that it is of, or before all */
        list[count ? count - 1 : 0].reference = berth_run_card_text(card, "%s", text);
        return true;
    }
    if (sscanf(name, "restraint_%3zu%n", &number, &used) != 1) {
        return false;
    }
    const char *of = name[used] == '_' ? behind(name + used + 1, "receptor") : NULL;
    if (of && number && number <= count) {
        return put_places(card, &list[number - 1], of, text);
    }
    if (name[used] || number != count + 1 || number > BERTH_RESTRAINTS_MAX) {
        return false;
    }
    list[count].text = berth_run_card_text(card, "%s", text);
    return true;
}

/* of: of a NAMED row, what stands behind its name. */
static bool put_row(struct berth_run_card *card, const struct berth_run_row *row, const char *of,
                    const char *text)
{
    void *member = (char *)card + row->offset;
    switch (row->kind) {
    case BERTH_RUN_TEXT:
        *(const char **)member = berth_run_card_text(card, "%s", text);
        return true;
    case BERTH_RUN_NUMBER:
    case BERTH_RUN_NUMBERS:
        return put_numbers(member, row->count, text);
    case BERTH_RUN_WORDS:
        put_words(member, text);
        return true;
    case BERTH_RUN_NAMED:
        return put_named(card, member, row->count, of, text);
    default:
        return put_metals(member, text);
    }
}

bool berth_run_card_put(struct berth_run_card *card, enum berth_run_part part, const char *name,
                        const char *text)
{
    const struct berth_run_row *found = NULL;
    const char *of = "";
    bool understood = false;
    for (size_t i = 0; i < BERTH_RUN_ROW_COUNT && !found; i++) {
        const struct berth_run_row *row = &BERTH_RUN_ROWS[i];
        found = row->part == part && strcmp(name, row->name) == 0 ? row : NULL;
    }
    for (size_t i = 0; i < BERTH_RUN_ROW_COUNT && !found; i++) {
        const struct berth_run_row *row = &BERTH_RUN_ROWS[i];
        const bool named = row->part == part && row->kind == BERTH_RUN_NAMED;
        of = named ? behind(name, row->name) : NULL;
        found = of ? row : NULL;
    }
    if (found && found->kind != BERTH_RUN_RESTRAINTS) {
        understood = put_row(card, found, of, text);
    } else if (part == BERTH_RUN_FILES) {
        understood = put_restraint(card, name, text);
    }
    if (!understood) {
        void *more =
            berth_run_card_more(card, card->others, card->other_count, sizeof *card->others);
        if (more) {
            card->others = more;
            card->others[card->other_count++] = (struct berth_run_other){
                part, berth_run_card_text(card, "%s", name), berth_run_card_text(card, "%s", text)};
        }
    }
    return understood || !found;
}

/* --- Lines of journals --- */

static void add_line(void *context, const char *name, const char *text)
{
    struct berth_bytes *lines = context;
    berth_bytes_put(lines, name, strlen(name));
    berth_bytes_put(lines, " = ", 3);
    berth_bytes_put(lines, text, strlen(text));
    berth_bytes_put8(lines, '\n');
}

void berth_run_card_lines(const struct berth_run_card *card, enum berth_run_part part,
                          struct berth_bytes *lines)
{
    berth_run_card_each(card, part, add_line, lines);
    berth_bytes_put8(lines, 0);
}

/* Puts the lines onto the card; bad: the first that makes no sense, as a name and a text kept by
 * it. */
static void read_lines(struct berth_run_card *card, enum berth_run_part part, const char *lines,
                       struct berth_run_named *bad)
{
    for (size_t size; *lines; lines += size + (lines[size] != '\0')) {
        size = strcspn(lines, "\n");
        char *name = berth_run_card_keep(card, size + 1, 1);
        char *text = name ? strstr(memcpy(name, lines, size), " = ") : NULL;
        if (text) {
            *text = '\0';
            text += strlen(" = ");
            if (!berth_run_card_put(card, part, name, text) && !bad->of) {
                *bad = (struct berth_run_named){name, text};
            }
        }
    }
}

enum berth_status berth_run_card_read(const char *identity, const char *facts,
                                      struct berth_run_card *card, struct berth_error *error)
{
    struct berth_run_named bad = {0}, ignored = {0};
    berth_run_card_start(card);
    read_lines(card, BERTH_RUN_IDENTITY, identity, &bad);
    read_lines(card, BERTH_RUN_FILES, facts, &ignored);
    return card->failed ? berth_out_of_memory(error, NULL)
           : bad.of     ? berth_fail(error, BERTH_E_FORMAT,
                                     "%s = %s: not of a run of this version of berth", bad.of, bad.text)
                        : BERTH_OK;
}

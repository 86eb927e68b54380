/* The condition that rows are to meet: SQL's expression over the columns of the table, read word by
 * word, since three things are more than SQL's.
 *
 * A column that is compared or computed with is a number: its cells that are texts are an error,
 * where SQL would put texts above all numbers or count them as 0, and it is divided as a number.
 * One that stands beside a text is the text of its cells, "" where they are empty.  != also holds
 * of an empty cell (SQL's IS NOT). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/output.h"
#include "report/show_internal.h"
#include "score/fields.h"

/* --- Words --- */

enum kind { END, NAME, QUOTED, TEXT, NUMBER, OPERATOR };

struct word {
    enum kind kind;
    const char *at; /* borrowed from the condition */
    size_t length;
};

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char LATER[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$.";

/* The word that begins at or behind `at`. */
static struct word word_at(const char *at)
{
    static const char *const PAIRS[] = {"==", "!=", "<>", "<=", ">=", "||", "<<", ">>"};
    at += strspn(at, " \t\r\n");
    struct word word = {*at ? OPERATOR : END, at, *at != '\0'};
    if (word.kind == END) {
        return word;
    }
    if (*at == '\'' || *at == '"') {
        const char *end = at + 1;
        while (*end && (*end != *at || end[1] == *at)) {
            end += *end == *at ? 2 : 1;
        }
        word.kind = *at == '"' ? QUOTED : TEXT;
        word.length = (size_t)(end - at) + (*end != '\0');
    } else if (strchr(LETTERS, *at) || (unsigned char)*at >= 0x80) {
        word.kind = NAME;
        while (at[word.length] &&
               (strchr(LATER, at[word.length]) || (unsigned char)at[word.length] >= 0x80)) {
            word.length++;
        }
    } else if (strspn(at + (*at == '.'), "0123456789")) {
        word.kind = NUMBER;
        while (at[word.length] &&
               (strchr(LATER, at[word.length]) ||
                (strchr("+-", at[word.length]) && strchr("eE", at[word.length - 1])))) {
            word.length++;
        }
    }
    for (size_t i = 0; word.kind == OPERATOR && i < sizeof PAIRS / sizeof *PAIRS; i++) {
        word.length = strncmp(at, PAIRS[i], 2) == 0 ? 2 : word.length;
    }
    return word;
}

static bool is(const struct word *word, const char *text)
{
    return word->length == strlen(text) && strncasecmp(word->at, text, word->length) == 0;
}

static bool is_one(const struct word *word, enum kind kind, const char *const *list)
{
    for (; word->kind == kind && *list; list++) {
        if (is(word, *list)) {
            return true;
        }
    }
    return false;
}

static const char *const COMPARED[] = {"=", "==", "!=", "<>", "<", "<=", ">", ">=", NULL};
static const char *const EQUAL[] = {"=", "==", "!=", "<>", NULL};
static const char *const COMPUTED[] = {"+", "-", "*", "/", "%", NULL};
static const char *const LISTED[] = {"like", "glob", "in", "between", NULL};
static const char *const NUMERIC[] = {"abs", "min", "max", "sqrt", "exp", "log", "pow", NULL};
void filter_warn_of_texts(const char *sql, const struct berth_log *log)
{
    struct word before = {.kind = END}, word;
    double value;
    for (; (word = word_at(sql)).kind != END; sql = word.at + word.length, before = word) {
        const struct word next = word_at(word.at + word.length);
        const struct berth_field field = {word.at + 1, word.length > 2 ? word.length - 2 : 0};
        if (word.kind == TEXT && berth_field_real(&field, &value) &&
            (is_one(&before, OPERATOR, COMPARED) || is_one(&next, OPERATOR, COMPARED))) {
            berth_warn(log, NULL,
                       "sql: %.*s is a text, which no number equals or is above: a number stands "
                       "without quotes",
                       (int)word.length, word.at);
        }
    }
}

/* --- The condition in SQL --- */

enum { DEPTH_MAX = 200 };

struct reading {
    struct show *show;
    struct berth_bytes text;
    size_t known;       /* of it: characters of what RDKit is not asked for */
    struct word *words; /* owned; [count], and one END behind them */
    size_t count, capacity;
    bool numeric[DEPTH_MAX]; /* by depth of parentheses: of a function of numbers */
    int depth;
};

/* The column that a word names; SIZE_MAX: none. */
static size_t column_of(const struct reading *reading, size_t i)
{
    const struct word *word = &reading->words[i];
    const size_t quote = word->kind == QUOTED;
    if ((word->kind != NAME && !quote) || is(word + 1, "(") || word->length < 2 * quote) {
        return SIZE_MAX;
    }
    const struct berth_table *table = &reading->show->table;
    const size_t length = word->length - 2 * quote;
    size_t found = SIZE_MAX; /* capitals tell names apart, but of one name they do not matter */
    for (size_t k = 0; k < table->count; k++) {
        const char *name = table->columns[k].name;
        if (strlen(name) == length && strncmp(name, word->at + quote, length) == 0) {
            return k;
        }
        if (strlen(name) == length && strncasecmp(name, word->at + quote, length) == 0) {
            found = k;
        }
    }
    return found;
}

/* The text that a column's word is compared with; NULL: none. */
static const struct word *text_beside(const struct reading *reading, size_t i)
{
    const struct word *words = reading->words;
    size_t next = i + 1;
    if (i > 1 && is_one(&words[i - 1], OPERATOR, COMPARED) && words[i - 2].kind == TEXT) {
        return &words[i - 2];
    }
    next += words[next].kind == NAME && is(&words[next], "not");
    if (is_one(&words[next], NAME, LISTED)) {
        next++;
        next += is(&words[next], "(");
        return words[next].kind == TEXT ? &words[next] : NULL;
    }
    return is_one(&words[next], OPERATOR, COMPARED) && words[next + 1].kind == TEXT
               ? &words[next + 1]
               : NULL;
}

/* Whether a column's word stands beside a text. */
static bool is_beside_text(const struct reading *reading, size_t i)
{
    return (i && is(&reading->words[i - 1], "||")) || is(&reading->words[i + 1], "||") ||
           text_beside(reading, i);
}

static bool is_number(const struct reading *reading, size_t i)
{
    const struct word *words = reading->words;
    if (is(&words[i + 1], "in") && is(&words[i + 2], "(") && is(&words[i + 3], "select")) {
        return false; /* what it selects may be texts */
    }
    /* beside another column either may be one of texts */
    if ((is_one(&words[i + 1], OPERATOR, EQUAL) && column_of(reading, i + 2) != SIZE_MAX) ||
        (i > 1 && is_one(&words[i - 1], OPERATOR, EQUAL) &&
         column_of(reading, i - 2) != SIZE_MAX)) {
        return false;
    }
    return reading->numeric[reading->depth] || is_one(&words[i + 1], OPERATOR, COMPARED) ||
           is_one(&words[i + 1], OPERATOR, COMPUTED) || is_one(&words[i + 1], NAME, LISTED) ||
           (i && (is_one(&words[i - 1], OPERATOR, COMPARED) ||
                  is_one(&words[i - 1], OPERATOR, COMPUTED)));
}

static void put(struct berth_bytes *text, const char *piece)
{
    berth_bytes_put(text, piece, strlen(piece));
}

/* Adds a column to a list, once. */
static enum berth_status note(size_t **list, size_t *count, size_t column,
                              struct berth_error *error)
{
    for (size_t i = 0; i < *count; i++) {
        if ((*list)[i] == column) {
            return BERTH_OK;
        }
    }
    size_t capacity = *count;
    BERTH_TRY(berth_reserve(list, &capacity, *count + 1, sizeof **list, error));
    (*list)[(*count)++] = column;
    return BERTH_OK;
}

static enum berth_status refuse(const struct word *word, const char *what,
                                struct berth_error *error)
{
    return berth_fail_option(error, BERTH_E_USAGE, "filter", "filter: %.*s: %s",
                             (int)(word->length < 60 ? word->length : 60), word->at, what);
}

/* A number in quotes is a text, which a column of numbers, or any that is to be below or above it,
 * would be compared with letter by letter. */
static enum berth_status check_text(const struct reading *reading, size_t i, const char *name,
                                    struct berth_error *error)
{
    static const char *const ORDERED[] = {"<", "<=", ">", ">=", NULL};
    const struct word *text = text_beside(reading, i);
    const struct berth_pose_field *known = berth_field_named(name);
    const bool numbers = known && !known->text && known->of != BERTH_TEXT_OF_LIGAND &&
                         (known->value || known->member);
    double value;
    if (!text || text->length < 3) {
        return BERTH_OK;
    }
    const struct berth_field field = {text->at + 1, text->length - 2};
    const bool ordered = is_one(text + 1, OPERATOR, ORDERED) || is_one(text - 1, OPERATOR, ORDERED);
    return (numbers || ordered) && berth_field_real(&field, &value)
               ? refuse(text, "a number stands without quotes", error)
               : BERTH_OK;
}

static enum berth_status put_column(struct reading *reading, size_t i, size_t column,
                                    struct berth_error *error)
{
    struct show *show = reading->show;
    struct filter *filter = &show->filter;
    const struct berth_table_column *item = &show->table.columns[column];
    const bool blank = !isnan(berth_column_blank(item->name));
    const bool beside = is_beside_text(reading, i);
    char *name = berth_sql_name(item->name);
    if (!name) {
        return berth_out_of_memory(error, NULL);
    }
    *strrchr(name, '"') = '\'';
    *name = '\'';
    if (!beside && is_number(reading, i)) {
        berth_bytes_print(&reading->text,
                          blank ? "coalesce(number(%s, %s, %s), 0)" : "number(%s, %s, %s)",
                          item->value, name, show->table.line);
    } else {
        put(&reading->text, beside ? item->cell : item->value);
    }
    free(name);
    BERTH_TRY(check_text(reading, i, item->name, error));
    BERTH_TRY(note(&filter->used, &filter->used_count, column, error));
    return blank || beside || properties_have(show, column)
               ? BERTH_OK
               : note(&filter->looked_at, &filter->looked_count, column, error);
}

/* What a word becomes that is no column; NULL: itself. */
static enum berth_status find_replacement(const struct reading *reading, size_t i,
                                          const char **instead, struct berth_error *error)
{
    const struct word *word = &reading->words[i];
    *instead = NULL;
    if (word->kind == OPERATOR && is(word, "^")) {
        return refuse(word, "SQL has no such operator; write pow(a, b)", error);
    }
    if (word->kind == NAME && is(word, "select") && is(word + 1, "(")) {
        return refuse(word, "SQL has no such function; write iif(condition, a, b)", error);
    }
    if (word->kind == QUOTED) {
        return refuse(word, "no column is called so, and a text stands in single quotes", error);
    }
    if (word->kind == OPERATOR && is(word, "!=")) {
        *instead = "IS NOT";
    }
    return BERTH_OK;
}

/* Puts a text, which may stand in double quotes, into single ones. */
static void put_text(struct berth_bytes *text, const struct word *word)
{
    const bool ends = word->length > 1 && word->at[word->length - 1] == *word->at;
    berth_bytes_put8(text, '\'');
    for (size_t i = 1; i + ends < word->length; i++) {
        berth_bytes_put8(text, (uint8_t)word->at[i]);
        if (*word->at == '"' && word->at[i] == '\'') {
            berth_bytes_put8(text, '\'');
        }
    }
    berth_bytes_put(text, "'", ends);
}

static enum berth_status put_word(struct reading *reading, size_t i, struct berth_error *error)
{
    const struct word *word = &reading->words[i], *next = word + 1;
    const char *instead;
    if (word->kind == TEXT) {
        put_text(&reading->text, word);
        return BERTH_OK;
    }
    BERTH_TRY(find_replacement(reading, i, &instead, error));
    if (is(word, "(") && ++reading->depth == DEPTH_MAX) {
        return refuse(word, "too many parentheses", error);
    }
    if (is(word, "(")) {
        reading->numeric[reading->depth] = i && is_one(word - 1, NAME, NUMERIC);
    } else if (is(word, ")") && --reading->depth < 0) {
        return refuse(word, "there is no parenthesis that it closes", error);
    }
    /* a quotient is a number, whatever its sides are */
    const bool whole = word->kind == NUMBER && strspn(word->at, "0123456789") == word->length &&
                       ((i && is(word - 1, "/")) || is(next, "/"));
    berth_bytes_put(&reading->text, instead ? instead : word->at,
                    instead ? strlen(instead) : word->length);
    put(&reading->text, whole ? ".0" : "");
    return BERTH_OK;
}

static enum berth_status read_words(struct reading *reading, const char *condition,
                                    struct berth_error *error)
{
    struct word word = {.kind = OPERATOR};
    for (const char *at = condition; word.kind != END; at = word.at + word.length) {
        word = word_at(at);
        BERTH_TRY(berth_reserve(&reading->words, &reading->capacity, reading->count + 1,
                                sizeof *reading->words, error));
        reading->words[reading->count++] = word;
    }
    reading->count--;                             /* END, which stays behind them */
    for (size_t i = 1; i < reading->count; i++) { /* behind == and != other quotes will do, too */
        struct word *text = &reading->words[i];
        if (text->kind == QUOTED && (is(text - 1, "==") || is(text - 1, "!=")) &&
            column_of(reading, i) == SIZE_MAX) {
            text->kind = TEXT;
        }
    }
    return reading->count
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "filter", "filter: there is no condition");
}

/* Finds the end of the part that begins with word i: an AND between parts of the whole, or the end.
 */
static size_t part_end(const struct reading *reading, size_t i)
{
    int depth = 0;
    bool between = false;
    for (; i < reading->count; i++) {
        const struct word *word = &reading->words[i];
        depth += is(word, "(") ? 1 : is(word, ")") ? -1 : 0;
        if (!depth && word->kind == NAME && is(word, "and") && !between) {
            return i;
        }
        if (!depth && word->kind == NAME && (is(word, "between") || is(word, "and"))) {
            between = is(word, "between");
        }
    }
    return i;
}

/* Whether RDKit is asked in words begin to end. */
static bool asks_rdkit(const struct reading *reading, size_t begin, size_t end)
{
    bool asks = false;
    for (size_t i = begin; i < end; i++) {
        const struct word *word = &reading->words[i];
        const size_t column = column_of(reading, i);
        const bool calls = word->kind == NAME && is(word + 1, "(");
        asks = asks || (calls && properties_name(word->at, word->length)) ||
               (column != SIZE_MAX && properties_have(reading->show, column));
    }
    return asks;
}

/* Whether the whole is one part: what OR joins, or has a CASE, which has words of its own. */
static bool is_one_part(const struct reading *reading)
{
    static const char *const WHOLE[] = {"or", "case", NULL};
    int depth = 0;
    bool one = false;
    for (size_t i = 0; i < reading->count; i++) {
        depth += is(&reading->words[i], "(") ? 1 : is(&reading->words[i], ")") ? -1 : 0;
        one = one || (!depth && is_one(&reading->words[i], NAME, WHOLE));
    }
    return one;
}

/* Adds the parts, joined by AND, in which RDKit is asked, or is not. */
static enum berth_status put_parts(struct reading *reading, bool asking, struct berth_error *error)
{
    const bool one = is_one_part(reading);
    enum berth_status status = BERTH_OK;
    for (size_t begin = 0, end; !status && begin <= reading->count; begin = end + 1) {
        end = one ? reading->count : part_end(reading, begin);
        if (asks_rdkit(reading, begin, end) != asking) {
            continue;
        }
        put(&reading->text, reading->text.count ? "AND " : "");
        for (size_t i = begin; !status && i < end; i++) {
            const size_t column = column_of(reading, i);
            status = column != SIZE_MAX ? put_column(reading, i, column, error)
                                        : put_word(reading, i, error);
            put(&reading->text, " ");
        }
    }
    return status;
}

/* What needs no RDKit stands first: SQLite looks no further where that is false. */
static enum berth_status translate(struct reading *reading, struct berth_error *error)
{
    BERTH_TRY(put_parts(reading, false, error));
    reading->known = reading->text.count;
    BERTH_TRY(put_parts(reading, true, error));
    reading->show->filter.computed = reading->text.count > reading->known;
    return BERTH_OK;
}

/* --- Functions --- */

/* number(value, column, line): the value as a number. */
static enum berth_status number(void *context, const struct berth_sql_call *call,
                                struct berth_error *error)
{
    const char *text = "", *name = berth_call_text(call, 1);
    char line[40] = "the table";
    double value = 0;
    (void)context;
    const enum berth_cell kind = berth_call_kind(call, 0);
    if (kind == BERTH_CELL_NONE) {
        return BERTH_OK;
    }
    if (kind == BERTH_CELL_TEXT) {
        text = berth_call_text(call, 0);
        const struct berth_field field = {text, strlen(text)};
        if (*text && !berth_field_real(&field, &value)) {
            if (berth_call_kind(call, 2) == BERTH_CELL_INTEGER) {
                snprintf(line, sizeof line, "line %lld of the table",
                         (long long)berth_call_integer(call, 2));
            }
            return berth_fail_option(
                error, BERTH_E_FORMAT, "filter",
                "filter: %s has '%.60s' as %s, which is no number: take another column, or compare "
                "it with a text in quotes (%s == 'NAME')",
                line, text, name, name);
        }
        if (!*text) {
            return BERTH_OK;
        }
    }
    berth_call_give_real(call, kind == BERTH_CELL_TEXT ? value : berth_call_real(call, 0));
    return BERTH_OK;
}

/* lacking(...): 0; counts the row for the first of the columns that is empty. */
static enum berth_status count_lacking(void *context, const struct berth_sql_call *call,
                                       struct berth_error *error)
{
    struct filter *filter = context;
    (void)error;
    for (int i = 0; i < call->count && (size_t)i < filter->looked_count; i++) {
        if (berth_call_integer(call, i)) {
            filter->lacking[i]++;
            break;
        }
    }
    berth_call_give_integer(call, 0);
    return BERTH_OK;
}

/* Functions of numbers, which not every SQLite has; log is the natural one, as in rankings. */
static const struct function {
    const char *name;
    double (*of_one)(double x);
    double (*of_two)(double x, double y);
} FUNCTIONS[] = {{"sqrt", sqrt, NULL}, {"exp", exp, NULL}, {"log", log, NULL}, {"pow", NULL, pow}};

static enum berth_status compute(void *context, const struct berth_sql_call *call,
                                 struct berth_error *error)
{
    const struct function *function = &FUNCTIONS[(uintptr_t)context];
    const int count = function->of_two ? 2 : 1;
    double x[2];
    if (call->count != count) {
        return berth_fail_option(error, BERTH_E_USAGE, "filter", "filter: %s takes %d number%s",
                                 function->name, count, count > 1 ? "s" : "");
    }
    for (int i = 0; i < count; i++) {
        if (berth_call_kind(call, i) == BERTH_CELL_NONE) {
            return BERTH_OK;
        }
        x[i] = berth_call_real(call, i);
    }
    /* SQLite makes NULL of what is no number */
    berth_call_give_real(call, count > 1 ? function->of_two(x[0], x[1]) : function->of_one(x[0]));
    return BERTH_OK;
}

static enum berth_status add_functions(struct show *show, struct berth_error *error)
{
    enum berth_status status =
        berth_sqlite_add_function(show->sqlite, "number", number, NULL, error);
    BERTH_THEN(
        berth_sqlite_add_function(show->sqlite, "lacking", count_lacking, &show->filter, error));
    for (size_t i = 0; !status && i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        status = berth_sqlite_add_function(show->sqlite, FUNCTIONS[i].name, compute,
                                           (void *)(uintptr_t)i, error);
    }
    return status;
}

/* --- Making one --- */

static enum berth_status try_text(struct show *show, const char *condition,
                                  struct berth_error *error)
{
    struct berth_statement *statement = NULL;
    char *text = berth_sql_text("SELECT 1 FROM %s WHERE %s", show->table.name, condition);
    const enum berth_status status = text ? show_prepare(show, text, "filter", &statement, error)
                                          : berth_out_of_memory(error, NULL);
    berth_statement_end(statement);
    free(text);
    return status;
}

/* Whether SQLite takes it, alone: what is wrong is then said of it, as it was given, and not of
 * what it is put into.  Of columns it is said of the latter, since some are made here. */
static enum berth_status try_condition(struct show *show, const char *condition,
                                       struct berth_error *error)
{
    struct berth_error plainly;
    const enum berth_status status = try_text(show, condition, error);
    if (status && try_text(show, show->settings->filter, &plainly) &&
        !show_misses_column(&plainly)) {
        *error = plainly;
    }
    return status;
}

/* Puts the condition into SQL that counts the rows which an empty cell alone leaves out: those of
 * which SQL does not know whether they pass, as far as it can say without RDKit; known: so many
 * characters of the condition.  A CASE looks no further than at the first part that is false. */
static enum berth_status count_unknown(struct show *show, const char *condition, size_t known,
                                       struct berth_error *error)
{
    struct filter *filter = &show->filter;
    struct berth_bytes text = {0};
    berth_bytes_print(&text, "CASE WHEN %sTHEN 1 ", condition);
    for (size_t i = 0; i < filter->looked_count; i++) {
        berth_bytes_print(&text, "%s%s IS NULL", i ? " OR " : "WHEN (",
                          show->table.columns[filter->looked_at[i]].value);
    }
    if (filter->looked_count) {
        berth_bytes_print(&text, ") AND (%.*s) IS NULL THEN lacking(", known ? (int)known : 1,
                          known ? condition : "0");
    }
    for (size_t i = 0; i < filter->looked_count; i++) {
        berth_bytes_print(&text, "%s%s IS NULL", i ? ", " : "",
                          show->table.columns[filter->looked_at[i]].value);
    }
    put(&text, filter->looked_count ? ") ELSE 0 END" : "ELSE 0 END");
    berth_bytes_put8(&text, 0);
    filter->text = (char *)text.data;
    return text.failed ? berth_out_of_memory(error, NULL)
                       : berth_make(&filter->lacking, filter->looked_count, sizeof *filter->lacking,
                                    NULL, error);
}

enum berth_status filter_create(struct show *show, struct berth_error *error)
{
    struct reading reading = {.show = show};
    if (!show->settings->filter) {
        return BERTH_OK;
    }
    enum berth_status status = add_functions(show, error);
    BERTH_THEN(read_words(&reading, show->settings->filter, error));
    BERTH_THEN(translate(&reading, error));
    berth_bytes_put8(&reading.text, 0);
    if (!status && reading.text.failed) {
        status = berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(try_condition(show, (const char *)reading.text.data, error));
    BERTH_THEN(count_unknown(show, (const char *)reading.text.data, reading.known, error));
    berth_bytes_clear(&reading.text);
    free(reading.words);
    return status;
}

void filter_tell(const struct show *show)
{
    const struct filter *filter = &show->filter;
    for (size_t i = 0; filter->lacking && i < filter->looked_count; i++) {
        if (filter->lacking[i]) {
            berth_warn(show->settings->log, NULL, "%zu row%s no %s, and %s left out",
                       filter->lacking[i], filter->lacking[i] == 1 ? " has" : "s have",
                       show->table.columns[filter->looked_at[i]].name,
                       filter->lacking[i] == 1 ? "is" : "are");
        }
    }
}

void filter_clear(struct filter *filter)
{
    free(filter->text);
    free(filter->used);
    free(filter->looked_at);
    free(filter->lacking);
}

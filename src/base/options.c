#include "base/options.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_reader.h"

enum { NOT_GIVEN, FROM_LINE, FROM_FILE, FROM_PROGRAM };

/* What a parse works on. */
struct work {
    const struct berth_option *table;
    void *values;
    struct berth_parsed *parsed;
    struct berth_error *error;
    const char *dashes; /* in front of an option's name in messages: "--" of a command line */
};

int berth_word_distance(const char *given, const char *meant)
{
    enum { LONGEST = 48 };
    size_t n = strlen(given), m = strlen(meant);
    if (n > LONGEST || m > LONGEST) {
        return 99;
    }
    if (n >= 2 && strncmp(given, meant, n) == 0) {
        return n == m ? 0 : 1;
    }
    int row[LONGEST + 1];
    for (size_t j = 0; j <= m; j++) {
        row[j] = (int)j;
    }
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int best = diagonal + (given[i - 1] != meant[j - 1]);
            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[m];
}

int berth_word_slips(const char *given)
{
    const int slips = ((int)strlen(given) + 1) / 3;
    return slips > 3 ? 3 : slips;
}

bool berth_option_is_end(const struct berth_option *option)
{
    return !option->name && !option->help;
}

static bool is_argument(const struct berth_option *row)
{
    return row->kind == BERTH_OPTION_ARGUMENTS || row->kind == BERTH_OPTION_ARGUMENT;
}

bool berth_option_is_named(const struct berth_option *row)
{
    return row->name && !is_argument(row) && !berth_option_is_foreign(row);
}

bool berth_option_is_foreign(const struct berth_option *row)
{
    return row->name && (row->kind == BERTH_OPTION_FOREIGN || row->kind == BERTH_OPTION_NO_EFFECT ||
                         row->kind == BERTH_OPTION_OTHERS || row->kind == BERTH_OPTION_ELSEWHERE);
}

/* The table's row of this name, or of this letter (0: of none), or NULL. */
static const struct berth_option *find_in(const struct berth_option *table, const char *name,
                                          char letter)
{
    for (const struct berth_option *option = table; !berth_option_is_end(option); option++) {
        if (option->name && !is_argument(option) && option->kind != BERTH_OPTION_OTHERS &&
            option->kind != BERTH_OPTION_ELSEWHERE &&
            (strcmp(option->name, name) == 0 || (letter && option->letter == letter))) {
            return option;
        }
    }
    return NULL;
}

/* The same of the table that this one refers to. */
static const struct berth_option *find_other(const struct berth_option *table, const char *name,
                                             char letter)
{
    while (!berth_option_is_end(table) && table->kind != BERTH_OPTION_OTHERS) {
        table++;
    }
    return berth_option_is_end(table) ? NULL : find_in(table->others, name, letter);
}

/* The same of both. */
static const struct berth_option *find(const struct berth_option *table, const char *name,
                                       char letter)
{
    const struct berth_option *option = find_in(table, name, letter);
    return option ? option : find_other(table, name, letter);
}

/* The row of the table that says which command has an option of this name; NULL: none has. */
static const struct berth_option *find_elsewhere(const struct berth_option *table, const char *name)
{
    for (const struct berth_option *row = table; !berth_option_is_end(row); row++) {
        const struct berth_option *other = row->kind == BERTH_OPTION_ELSEWHERE ? row->others : NULL;
        for (; other && !berth_option_is_end(other); other++) {
            if (berth_option_is_named(other) && other->commands & row->of &&
                strcmp(other->name, name) == 0) {
                return row;
            }
        }
    }
    return NULL;
}

/* Fails for a name that the table lacks, and says which one is near; typed is how the user wrote
 * it. */
static enum berth_status unknown(struct work *work, const char *typed, const char *name)
{
    int limit = berth_word_slips(name);
    const char *nearest = NULL;
    const struct berth_option *elsewhere = find_elsewhere(work->table, name);
    for (const struct berth_option *option = work->table; !berth_option_is_end(option); option++) {
        int distance =
            berth_option_is_named(option) ? berth_word_distance(name, option->name) : limit + 1;
        if (distance <= limit) {
            nearest = option->name;
            limit = distance - 1;
        }
    }
    /* what has no --overwrite replaces files as it is, which "force" and "overwrite" ask for */
    if (strcmp(name, "force") == 0 && find_in(work->table, "overwrite", 0)) {
        nearest = "overwrite";
    } else if ((strcmp(name, "force") == 0 || strcmp(name, "overwrite") == 0) &&
               find_in(work->table, "out", 0)) {
        return berth_fail(work->error, BERTH_E_USAGE,
                          "there is no option '%s', and no need of it: files that are there are "
                          "replaced",
                          typed);
    }
    if (elsewhere) {
        return berth_fail(work->error, BERTH_E_USAGE, "there is no option '%s' here: %s", typed,
                          elsewhere->help);
    }
    if (nearest) {
        return berth_fail(work->error, BERTH_E_USAGE, "unknown option '%s'; did you mean %s%s?",
                          typed, work->dashes, nearest);
    }
    return berth_fail(work->error, BERTH_E_USAGE, "unknown option '%s'%s", typed,
                      *work->dashes ? "; --help_all lists them all" : "");
}

enum { RANGE_SIZE = 128 };

/* The option's range with its unit, in words. */
static void write_range(const struct berth_option *option, char words[RANGE_SIZE])
{
    char range[96];
    bool any = option->min == 0 && option->max == 0;
    if (any && option->kind == BERTH_OPTION_UNSIGNED) {
        snprintf(range, sizeof range, "from 0 to %llu", ULLONG_MAX);
    } else if (any && option->kind == BERTH_OPTION_INTEGER) {
        snprintf(range, sizeof range, "from %lld to %lld", LLONG_MIN, LLONG_MAX);
    } else if (any) {
        snprintf(range, sizeof range, "from %g to %g", -DBL_MAX, DBL_MAX);
    } else if (isinf(option->max)) {
        snprintf(range, sizeof range, "at least %.15g", option->min);
    } else {
        snprintf(range, sizeof range, "from %.15g to %.15g", option->min, option->max);
    }
    snprintf(words, RANGE_SIZE, "%s%s%s", range, option->unit ? " " : "",
             option->unit ? option->unit : "");
}

/* Fails for a number outside the option's range, and names the range. */
static enum berth_status out_of_range(struct work *work, const struct berth_option *option,
                                      const char *text)
{
    char range[RANGE_SIZE];
    write_range(option, range);
    return berth_fail(work->error, BERTH_E_USAGE, "%s%s: %s is out of range; it must be %s",
                      work->dashes, option->name, text, range);
}

static bool in_range(const struct berth_option *option, double value)
{
    return (option->min == 0 && option->max == 0) || (value >= option->min && value <= option->max);
}

/* What is in a number's field. */
union number {
    double real;
    long long integer;
    unsigned long long natural;
};

static union number field_of(const struct berth_option *option, const void *values)
{
    union number number;
    memcpy(&number, (const char *)values + option->offset, sizeof number);
    return number;
}

/* The number in a field; false: it holds none. */
static bool get_number(const struct berth_option *option, const void *values, double *number)
{
    switch (option->kind) {
    case BERTH_OPTION_INTEGER:
        *number = (double)field_of(option, values).integer;
        return true;
    case BERTH_OPTION_UNSIGNED:
        *number = (double)field_of(option, values).natural;
        return true;
    case BERTH_OPTION_REAL:
        *number = field_of(option, values).real;
        return true;
    default:
        return false;
    }
}

static void set_default(const struct berth_option *option, void *values)
{
    void *field = (char *)values + option->offset;
    union number number = {.real = option->initial};
    switch (option->name ? option->kind : BERTH_OPTION_FOREIGN) {
    case BERTH_OPTION_FLAG:
        *(bool *)field = false;
        break;
    case BERTH_OPTION_INTEGER:
        number.integer = (long long)option->initial;
        memcpy(field, &number, sizeof number);
        break;
    case BERTH_OPTION_UNSIGNED:
        number.natural = (unsigned long long)option->initial;
        memcpy(field, &number, sizeof number);
        break;
    case BERTH_OPTION_REAL:
        memcpy(field, &number, sizeof number);
        break;
    case BERTH_OPTION_TEXT:
    case BERTH_OPTION_ARGUMENT:
        *(const char **)field = option->initial_text;
        break;
    case BERTH_OPTION_ARGUMENTS:
        *(struct berth_arguments *)field = (struct berth_arguments){NULL, 0};
        break;
    default:
        break;
    }
}

void berth_options_defaults(const struct berth_option *table, void *values)
{
    for (const struct berth_option *option = table; !berth_option_is_end(option); option++) {
        set_default(option, values);
    }
}

/* 0 or 1; -1 where the text is neither. */
static int truth(const char *text)
{
    static const char *const WORDS[] = {"false", "no", "off", "0", "true", "yes", "on", "1"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strcmp(WORDS[i], text) == 0) {
            return i >= 4;
        }
    }
    return -1;
}

static enum berth_status set_flag(struct work *work, const struct berth_option *option,
                                  const char *text)
{
    const int value = truth(text);
    if (value >= 0) {
        *(bool *)((char *)work->values + option->offset) = value > 0;
        return BERTH_OK;
    }
    return berth_fail(work->error, BERTH_E_USAGE, "%s%s: '%s' is neither true nor false",
                      work->dashes, option->name, text);
}

static enum berth_status set_number(struct work *work, const struct berth_option *option,
                                    const char *text)
{
    union number value = {0};
    bool real = option->kind == BERTH_OPTION_REAL, fits = false;
    /* Decimal digits only: no blanks, no hexadecimal, no "inf" and "nan", all of which strtod
     * would take. */
    bool decimal = text[strspn(text, real ? "0123456789+-.eE" : "0123456789+-")] == '\0';
    const char *start = decimal ? text : "";
    char *end;
    errno = 0;
    switch (option->kind) {
    case BERTH_OPTION_INTEGER:
        value.integer = strtoll(start, &end, 10);
        fits = errno == 0 && in_range(option, (double)value.integer);
        break;
    case BERTH_OPTION_UNSIGNED:
        /* strtoull takes "-1" for the largest number. */
        value.natural = strtoull(start, &end, 10);
        fits = errno == 0 && *start != '-' && in_range(option, (double)value.natural);
        break;
    default:
        value.real = strtod(start, &end);
        fits = isfinite(value.real) && in_range(option, value.real);
    }
    if (end == start || *end) {
        const struct berth_option *other = find_other(work->table, option->name, '\0');
        return berth_fail(work->error, BERTH_E_USAGE, "%s%s: '%s' is not a %snumber%s%s",
                          work->dashes, option->name, text, real ? "" : "whole ",
                          other ? "; other programs' is another option: " : "",
                          other ? other->help : "");
    }
    if (!fits) {
        return out_of_range(work, option, text);
    }
    memcpy((char *)work->values + option->offset, &value, sizeof value);
    return BERTH_OK;
}

/* True where the run does anyway what this value of another program's option asks for. */
static bool holds_anyway(const struct berth_option *option, const char *text)
{
    if (!option->initial_text) {
        return !option->argument && truth(text) == 0;
    }
    char *end;
    const double value = strtod(text, &end);
    return end > text && *end == '\0' ? value == strtod(option->initial_text, NULL)
                                      : strcmp(text, option->initial_text) == 0;
}

/* Another program's option. */
static enum berth_status set_foreign(struct work *work, const struct berth_option *option,
                                     const char *text, int source)
{
    struct berth_parsed *parsed = work->parsed;
    if (holds_anyway(option, text)) {
        return BERTH_OK;
    }
    if (option->kind == BERTH_OPTION_FOREIGN) {
        return berth_fail(work->error, BERTH_E_USAGE, "there is no option '%s%s': %s",
                          source == FROM_LINE ? "--" : "", option->name, option->help);
    }
    if (*text == '\0') {
        return berth_fail(work->error, BERTH_E_USAGE, "%s%s: the value is missing", work->dashes,
                          option->name);
    }
    for (size_t i = 0; i < parsed->idle_count; i++) {
        if (parsed->idle[i] == option) {
            return BERTH_OK;
        }
    }
    BERTH_TRY(berth_reserve(&parsed->idle, &parsed->idle_capacity, parsed->idle_count + 1,
                            sizeof *parsed->idle, work->error));
    parsed->idle[parsed->idle_count++] = option;
    return BERTH_OK;
}

/* Has the field borrow from a copy of its text, which replaces the one that was kept. */
static enum berth_status keep_text(const char **field, char **kept, struct berth_error *error)
{
    char *copy = *field ? berth_copy_text(*field) : NULL;
    const bool failed = *field && !copy;
    free(*kept);
    *field = *kept = copy;
    return failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Sets the option's field from text, which outlives the parse where source is FROM_LINE. */
static enum berth_status set(struct work *work, const struct berth_option *option, const char *text,
                             int source)
{
    if (berth_option_is_foreign(option)) {
        return set_foreign(work, option, text, source);
    }
    size_t row = (size_t)(option - work->table);
    if (work->parsed->source[row] == source && source != FROM_PROGRAM) {
        const bool list =
            option->argument && berth_text_lists("LIST RESIDUES NAMES F,F", ' ', option->argument);
        return berth_fail(work->error, BERTH_E_USAGE, "--%s is given twice%s", option->name,
                          list ? "; it takes several with commas between"
                          : strcmp(option->name, "ligand") == 0
                              ? "; one file may hold many molecules"
                              : "");
    }
    if (work->parsed->source[row] != NOT_GIVEN && source == FROM_FILE) {
        return BERTH_OK; /* the command line wins */
    }
    work->parsed->source[row] = (unsigned char)source;
    if (*text == '\0') {
        return berth_fail(work->error, BERTH_E_USAGE, "%s%s: the value is missing", work->dashes,
                          option->name);
    }
    if (option->kind == BERTH_OPTION_FLAG) {
        return set_flag(work, option, text);
    }
    if (option->kind == BERTH_OPTION_CONFIG) {
        work->parsed->config = text;
        return BERTH_OK;
    }
    if (option->kind != BERTH_OPTION_TEXT) {
        return set_number(work, option, text);
    }
    const char **field = (void *)((char *)work->values + option->offset);
    *field = text;
    return source == FROM_LINE ? BERTH_OK
                               : keep_text(field, &work->parsed->texts[row], work->error);
}

/* Takes an argument that follows no option, where the table has a row for such. */
static enum berth_status take_positional(struct work *work, const char *argument)
{
    for (const struct berth_option *option = work->table; !berth_option_is_end(option); option++) {
        unsigned char *source = &work->parsed->source[option - work->table];
        if (option->name && option->kind == BERTH_OPTION_ARGUMENT) {
            if (*source != NOT_GIVEN) {
                return berth_fail(work->error, BERTH_E_USAGE, "%s: one is taken; '%s' is another",
                                  option->name, argument);
            }
            *(const char **)(void *)((char *)work->values + option->offset) = argument;
            *source = FROM_LINE;
            return BERTH_OK;
        }
        if (option->name && option->kind == BERTH_OPTION_ARGUMENTS) {
            struct berth_arguments *list = (void *)((char *)work->values + option->offset);
            BERTH_TRY(berth_reserve(&work->parsed->arguments, &work->parsed->argument_capacity,
                                    list->count + 1, sizeof *work->parsed->arguments, work->error));
            work->parsed->arguments[list->count++] = argument;
            list->items = work->parsed->arguments;
            *source = FROM_LINE;
            return BERTH_OK;
        }
    }
    return berth_fail(work->error, BERTH_E_USAGE,
                      "unexpected argument '%s'; every value follows an option (see --help)",
                      argument);
}

/* Takes the option at argv[0], and its value from argv[1] if need be; *taken says how many. */
static enum berth_status take_argument(struct work *work, char *const *argv, int argc, int *taken)
{
    const char *argument = argv[0];
    *taken = 1;
    if (argument[0] != '-' || argument[1] == '\0') {
        return take_positional(work, argument);
    }
    char typed[64];
    size_t length = strcspn(argument, "=");
    snprintf(typed, sizeof typed, "%.*s", length < sizeof typed ? (int)length : 63, argument);
    const bool is_long = argument[1] == '-'; /* else "-r" or "-r=FILE" */
    const char *name = typed + (is_long ? 2 : 1);
    const bool is_word = is_long || name[1];
    const struct berth_option *option =
        find(work->table, is_word ? name : "", is_word ? '\0' : name[0]);
    /* "-nrun" is how AutoDock-GPU's are written, too; berth's own are not. */
    if (!option || (!is_long && is_word && !berth_option_is_foreign(option))) {
        return unknown(work, typed, name);
    }
    if (argument[length] == '=') {
        return set(work, option, argument + length + 1, FROM_LINE);
    }
    if (option->kind == BERTH_OPTION_FLAG ||
        (berth_option_is_foreign(option) && !option->argument)) {
        return set(work, option, "true", FROM_LINE);
    }
    /* What looks like the next option is not a value; a value like that goes behind '='. */
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1] == '-')) {
        return set(work, option, "", FROM_LINE);
    }
    *taken = 2;
    return set(work, option, argv[1], FROM_LINE);
}

/* Takes one line of the file.  A '#' starts a comment where it follows a blank or the line's
 * start, so that file names may hold one. */
static enum berth_status take_line(struct work *work, char *line)
{
    for (char *mark = strchr(line, '#'); mark; mark = strchr(mark + 1, '#')) {
        if (mark == line || isspace((unsigned char)mark[-1])) {
            *mark = '\0';
            break;
        }
    }
    char *name = berth_text_trim(line);
    if (*name == '\0') {
        return BERTH_OK;
    }
    char *equals = strchr(name, '=');
    if (!equals) {
        return berth_fail(work->error, BERTH_E_USAGE, "'%.60s' is not of the form name = value",
                          name);
    }
    *equals = '\0';
    name = berth_text_trim(name);
    name += strncmp(name, "--", 2) == 0 ? 2 : 0; /* as on the command line */
    const struct berth_option *option = find(work->table, name, '\0');
    if (!option) {
        return unknown(work, name, name);
    }
    if (option->kind == BERTH_OPTION_CONFIG) {
        return berth_fail(work->error, BERTH_E_USAGE, "a file of options cannot name another one");
    }
    return set(work, option, berth_text_trim(equals + 1), FROM_FILE);
}

static enum berth_status take_file(struct work *work, const char *path)
{
    struct berth_text_reader *reader;
    char *line;
    enum berth_status status = berth_text_reader_create(path, &reader, work->error);
    while (!status && !(status = berth_text_reader_next(reader, &line, work->error)) && line) {
        status = take_line(work, line);
        if (status) {
            char place[1024];
            snprintf(place, sizeof place, "%s:%zu", path, berth_text_reader_line(reader));
            berth_fail_in(work->error, place);
        }
    }
    berth_text_reader_destroy(reader);
    return status;
}

static enum berth_status check_required(struct work *work)
{
    char names[512] = "";
    for (const struct berth_option *option = work->table; !berth_option_is_end(option); option++) {
        if (option->required && work->parsed->source[option - work->table] == NOT_GIVEN) {
            berth_text_append(names, sizeof names, "%s%s%s", *names ? ", " : "",
                              berth_option_is_named(option) ? "--" : "", option->name);
        }
    }
    return *names ? berth_fail(work->error, BERTH_E_USAGE,
                               "%s must be given, on the command line or in a --config file "
                               "(see --help)",
                               names)
                  : BERTH_OK;
}

const char *berth_options_asks_help(const char *argument)
{
    static const struct {
        const char *name, *meant;
    } NAMES[] = {{"-h", "-h"},
                 {"--help", "-h"},
                 {"--help_all", "--help_all"},
                 {"--help_advanced", "--help_all"}, /* AutoDock Vina's */
                 {"--help_hidden", "--help_all"}};  /* gnina's */
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(argument, NAMES[i].name) == 0) {
            return NAMES[i].meant;
        }
    }
    return NULL;
}

enum berth_status berth_options_parse(const struct berth_option *table, int argc, char *const *argv,
                                      void *values, struct berth_parsed *parsed,
                                      struct berth_error *error)
{
    struct berth_error ignored;
    struct work work = {table, values, parsed, error ? error : &ignored, "--"};
    memset(parsed, 0, sizeof *parsed);
    size_t rows = 0;
    while (!berth_option_is_end(&table[rows])) {
        rows++;
    }
    if (rows > BERTH_OPTIONS_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "more than %d rows of options", BERTH_OPTIONS_MAX);
    }
    int last = 0; /* where "--" ends the options, or the arguments end */
    while (last < argc && strcmp(argv[last], "--") != 0) {
        last++;
    }
    for (int i = 0; i < last; i++) {
        parsed->help = berth_options_asks_help(argv[i]);
        if (parsed->help) {
            return BERTH_OK;
        }
    }
    enum berth_status status = BERTH_OK;
    for (int i = 0, taken = 0; i < last && !status; i += taken) {
        status = take_argument(&work, argv + i, last - i, &taken);
    }
    for (int i = last + 1; i < argc && !status; i++) {
        status = take_positional(&work, argv[i]);
    }
    if (!status && parsed->config) {
        status = take_file(&work, parsed->config);
    }
    return status ? status : check_required(&work);
}

enum berth_status berth_options_put(const struct berth_option *table, void *values,
                                    struct berth_parsed *parsed, const char *name, const char *text,
                                    struct berth_error *error)
{
    struct berth_error ignored;
    struct work work = {table, values, parsed, error ? error : &ignored, ""};
    const struct berth_option *option = find_in(table, name, '\0');
    if (!option || option->kind == BERTH_OPTION_CONFIG) {
        return unknown(&work, name, name);
    }
    if (!text) {
        set_default(option, values);
        parsed->source[option - table] = NOT_GIVEN;
        return BERTH_OK;
    }
    const unsigned char before = parsed->source[option - table];
    const enum berth_status status = set(&work, option, text, FROM_PROGRAM);
    if (status) {
        parsed->source[option - table] = before;
        work.error->option = option->name;
    }
    return status;
}

enum berth_status berth_options_keep_texts(const struct berth_option *table, void *values,
                                           struct berth_parsed *parsed, struct berth_error *error)
{
    for (const struct berth_option *row = table; !berth_option_is_end(row); row++) {
        const char **field = (void *)((char *)values + row->offset);
        char **kept = &parsed->texts[row - table];
        const bool text = row->kind == BERTH_OPTION_TEXT || row->kind == BERTH_OPTION_ARGUMENT;
        if (row->name && text && *field != *kept) {
            BERTH_TRY(keep_text(field, kept, error));
        }
    }
    return BERTH_OK;
}

bool berth_options_given(const struct berth_option *table, const struct berth_parsed *parsed,
                         const char *name)
{
    const struct berth_option *option = find_in(table, name, '\0');
    return option && parsed->source[option - table] != NOT_GIVEN;
}

void berth_parsed_clear(struct berth_parsed *parsed)
{
    if (!parsed) {
        return;
    }
    for (size_t i = 0; i < BERTH_OPTIONS_MAX; i++) {
        free(parsed->texts[i]);
    }
    free(parsed->arguments);
    free(parsed->idle);
    memset(parsed, 0, sizeof *parsed);
}

void berth_option_print(const struct berth_option *option, const void *values, char *text,
                        size_t size)
{
    const void *field = (const char *)values + option->offset;
    double number;
    *text = '\0';
    if (option->kind == BERTH_OPTION_FLAG) {
        snprintf(text, size, "%s", *(const bool *)field ? "yes" : "no");
    } else if (option->kind == BERTH_OPTION_INTEGER) {
        snprintf(text, size, "%lld", field_of(option, values).integer);
    } else if (option->kind == BERTH_OPTION_UNSIGNED) {
        snprintf(text, size, "%llu", field_of(option, values).natural);
    } else if (get_number(option, values, &number) && !isnan(number)) {
        snprintf(text, size, "%.15g", number);
    } else if (option->kind == BERTH_OPTION_TEXT && *(const char *const *)field) {
        snprintf(text, size, "%s", *(const char *const *)field);
    }
}

/* What the option does; brief: of its text and its default what stands before a semicolon, and not
 * that it is required, which the usage says. */
static void describe(const struct berth_option *option, bool brief, const void *defaults,
                     char text[BERTH_OPTION_WORDS])
{
    char standard[256] = "", list[256] = "";
    if (option->list) {
        option->list(list, sizeof list);
    }
    if (option->fallback) {
        snprintf(standard, sizeof standard, "%s", option->fallback);
    } else if (option->kind != BERTH_OPTION_FLAG) {
        berth_option_print(option, defaults, standard, sizeof standard);
    }
    if (brief) {
        standard[strcmp(standard, "none") == 0 ? 0 : strcspn(standard, ";")] = '\0';
    }
    const size_t bytes = brief ? strcspn(option->help, ";") : strlen(option->help);
    const char *unit = option->unit ? option->unit : "";
    const char *word = option->required ? brief ? "" : "required" : *standard ? "default " : "";
    const bool more = *unit || *word;
    snprintf(text, BERTH_OPTION_WORDS, "%.*s%s%s%s%s%s%s%s%s", (int)bytes, option->help,
             *list ? ": " : "", list, more ? " (" : "", unit, *unit && *word ? "; " : "", word,
             option->required ? "" : standard, more ? ")" : "");
}

void berth_option_describe(const struct berth_option *option, const void *defaults,
                           char text[BERTH_OPTION_WORDS])
{
    describe(option, false, defaults, text);
}

enum { LEFT = 128 }; /* bytes of the left column */

/* Appends "-r, --receptor FILE" to the left column. */
static void append_name(const struct berth_option *option, char left[LEFT])
{
    const char letter[] = {'-', option->letter, ',', ' ', '\0'};
    berth_text_append(left, LEFT, "%s%s%s%s%s%s", *left ? " " : "  ", option->letter ? letter : "",
                      berth_option_is_named(option) ? "--" : "", option->name,
                      option->argument ? " " : "", option->argument ? option->argument : "");
}

size_t berth_options_count(const struct berth_option *table)
{
    size_t count = 0;
    for (; !berth_option_is_end(table); table++) {
        count += berth_option_is_named(table);
    }
    return count;
}

bool berth_options_are_many(const struct berth_option *table)
{
    bool usual = false;
    for (const struct berth_option *row = table; !usual && !berth_option_is_end(row); row++) {
        usual = row->usual != 0;
    }
    return usual && berth_options_count(table) >= BERTH_OPTIONS_MANY;
}

void berth_options_help_usual(const struct berth_option *table, const void *defaults, FILE *file)
{
    for (const struct berth_option *row = table; !berth_option_is_end(row); row++) {
        if (!row->name || berth_option_is_foreign(row) || !(row->usual || row->required)) {
            continue;
        }
        char text[BERTH_OPTION_WORDS], left[LEFT] = "";
        describe(row, true, defaults, text);
        append_name(row, left);
        for (; berth_option_is_named(&row[1]) && !*row[1].help; row++) {
            append_name(&row[1], left);
        }
        berth_text_print_row(file, left, text, true);
    }
}

void berth_options_help(const struct berth_option *table, const void *defaults, FILE *file)
{
    bool arguments = false;
    for (const struct berth_option *option = table; !berth_option_is_end(option); option++) {
        if (berth_option_is_foreign(option)) {
            continue;
        }
        arguments = arguments || is_argument(option);
        if (!option->name) {
            fprintf(file, "%s%s:\n", option == table ? "" : "\n", option->help);
            continue;
        }
        char text[BERTH_OPTION_WORDS], left[LEFT] = "";
        berth_option_describe(option, defaults, text);
        append_name(option, left);
        berth_text_print_row(file, left, text, true);
    }
    if (berth_options_are_many(table)) {
        berth_text_print_row(file, "  -h, --help", "print the options used most", true);
        berth_text_print_row(file, "  --help_all", "print all options", true);
    } else {
        berth_text_print_row(file, "  -h, --help", "print this help", true);
    }
    if (arguments) {
        berth_text_print_row(file, "  --", "what follows is no option, though it may begin with -",
                             true);
    }
}

/* The one table of options, and docs/options.md, which is what it says; BERTH_UPDATE_GOLDEN=1
 * writes that anew. */
#include "unit/io_support.h"

#include <math.h>

#include "options/options.h"
#include "run/exclusions.h"

#define DOCUMENT "docs/options.md"

static const char HEAD[] =
    "# Options\n\n"
    "All options of the runs, as their one table has them: on the command line `--NAME VALUE`,\n"
    "in a file for `--config` a line `NAME = VALUE`, in C a name for `berth_options_set`, in "
    "Python\n"
    "a keyword. Other programs' options are in [coming_from.md](coming_from.md).\n";

static const char *const RUNS[] = {"dock",          "screen",      "campaign",
                                   "score",         "merge",       "prep ligands",
                                   "prep receptor", "eval redock", "selftest"};

/* The options of a run. */
static struct berth_options begin(unsigned run)
{
    struct berth_options options;
    struct berth_error error;
    assert_int_equal(berth_options_begin(run, false, &options, &error), BERTH_OK);
    return options;
}

/* A run has one option of a name, whose default is in its range where no words stand for it. */
static void rows_of_a_run_make_sense(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++) {
        struct berth_options options = begin(berth_run_of(RUNS[i]));
        for (const struct berth_option *row = options.rows; !berth_option_is_end(row); row++) {
            const bool ranged = row->max > row->min && !row->fallback && !isnan(row->initial) &&
                                row->kind != BERTH_OPTION_ARGUMENTS;
            if (ranged && (row->initial < row->min || row->initial > row->max)) {
                fail_msg("%s: the default of %s is out of range", RUNS[i], row->name);
            }
            for (const struct berth_option *other = options.rows; row->name && other < row;
                 other++) {
                if (other->name && strcmp(other->name, row->name) == 0) {
                    fail_msg("%s has %s twice", RUNS[i], row->name);
                }
            }
        }
        berth_options_clear(&options);
    }
}

/* True where one of the runs has the option. */
static bool has_option(unsigned runs, const char *name)
{
    bool has = false;
    for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++) {
        struct berth_options options;
        const unsigned run = berth_run_of(RUNS[i]);
        assert_int_equal(berth_options_begin(run, true, &options, NULL), BERTH_OK);
        has = has || (run & runs && berth_options_name(&options, name));
        berth_options_clear(&options);
    }
    return has;
}

/* What excludes what are options: one that is spelt otherwise would exclude nothing. */
static void exclusions_are_of_options(void **state)
{
    struct berth_exclusion row;
    size_t count = 0;
    (void)state;
    for (; row = berth_exclusion_at(count), row.why; count++) {
        char words[1024];
        assert_in_range(snprintf(words, sizeof words, "%s %s", row.refused, row.beside), 3, 1000);
        for (char *rest = words, *word; (word = strtok_r(rest, " ", &rest));) {
            if (!has_option(row.runs, word)) {
                fail_msg("row %zu: no run of it has the option %s", count, word);
            }
        }
    }
    assert_in_range(count, 20, 100);
}

/* A run has its own defaults; of what it has no option for, those of others. */
static void defaults_are_of_the_run(void **state)
{
    (void)state;
    struct berth_options dock = begin(BERTH_RUN_DOCK), screen = begin(BERTH_RUN_SCREEN);
    struct berth_options score = begin(BERTH_RUN_SCORE), merge = begin(BERTH_RUN_MERGE);
    assert_string_equal(dock.search, "balanced");
    assert_string_equal(screen.search, "fast");
    assert_true(dock.num_modes == 9 && screen.num_modes == 1 && score.num_modes == 9);
    assert_true(screen.top == 1000 && merge.top == -1 && score.top == 1000);
    assert_true(isinf(dock.max_clash) && merge.max_clash == -1);
    assert_true(isnan(score.center[0]) && isnan(dock.edges[2]) && score.autobox_add == 4);
    assert_true(dock.run == BERTH_RUN_DOCK && merge.run == BERTH_RUN_MERGE);
    berth_options_clear(&dock);
    berth_options_clear(&screen);
    berth_options_clear(&score);
    berth_options_clear(&merge);
}

/* What a copy has is its own; what was refused, or taken back, was not given. */
static void copies_are_their_own(void **state)
{
    (void)state;
    struct berth_options options = begin(BERTH_RUN_DOCK), copy;
    struct berth_error error;
    assert_int_equal(berth_options_set(&options, "scoring", "bude", &error), BERTH_OK);
    assert_int_equal(berth_options_set(&options, "seed", "7", &error), BERTH_OK);
    assert_int_equal(berth_options_set(&options, "poses", "x", &error), BERTH_E_USAGE);
    assert_int_equal(berth_options_set(&options, "protein", "true", &error), BERTH_E_USAGE);
    assert_int_equal(berth_options_copy(&options, &copy, &error), BERTH_OK);
    assert_int_equal(berth_options_set(&options, "scoring", NULL, &error), BERTH_OK);
    assert_string_equal(options.scoring, "vina");
    assert_true(berth_options_has(&options, "seed") && !berth_options_has(&options, "scoring"));
    assert_false(berth_options_has(&options, "poses"));
    berth_options_clear(&options);
    assert_string_equal(copy.scoring, "bude");
    assert_true(copy.seed == 7 && berth_options_has(&copy, "scoring"));
    berth_options_clear(&copy);
}

/* Text in a cell of a table. */
static void put(const char *text, FILE *file)
{
    for (; *text; text++) {
        if (strchr("|<*", *text)) {
            fputc('\\', file);
        }
        fputc(*text, file);
    }
}

static void put_default(const struct berth_option *row, FILE *file)
{
    if (row->required || row->fallback) {
        put(row->required ? "required" : row->fallback, file);
    } else if (row->kind == BERTH_OPTION_FLAG) {
        put("false", file);
    } else if (row->kind == BERTH_OPTION_TEXT) {
        put(row->initial_text ? row->initial_text : "none", file);
    } else if (row->kind != BERTH_OPTION_CONFIG && !isnan(row->initial)) {
        fprintf(file, "%.15g", row->initial);
    }
}

static void put_row(const struct berth_option *row, FILE *file)
{
    char list[BERTH_OPTION_WORDS] = "";
    const char *between = "";
    fprintf(file, "| `%s` | %s | ", row->name, row->argument ? row->argument : "");
    put(row->unit ? row->unit : "", file);
    fputs(" | ", file);
    put_default(row, file);
    fputs(" | ", file);
    if (row->max > row->min && row->kind != BERTH_OPTION_ARGUMENTS) {
        fprintf(file, "%.15g to %.15g", row->min, row->max);
    }
    fputs(" | ", file);
    for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++) {
        if (row->commands & berth_run_of(RUNS[i])) {
            fprintf(file, "%s%s", between, RUNS[i]);
            between = ", ";
        }
    }
    fprintf(file, "%s | ", row->library ? " (C and Python)" : row->program ? " (program)" : "");
    put(row->help, file);
    if (row->list) {
        row->list(list, sizeof list);
        fputs(": ", file);
        put(list, file);
    }
    fputs(" |\n", file);
}

static void the_document_is_the_table(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fputs(HEAD, file);
    for (const struct berth_option *row = BERTH_OPTION_ROWS; !berth_option_is_end(row); row++) {
        if (!row->name) {
            fprintf(file,
                    "\n## %s\n\n| option | value | unit | default | range | runs | what it does |\n"
                    "| --- | --- | --- | --- | --- | --- | --- |\n",
                    row->help);
        } else if (!berth_option_is_foreign(row)) {
            put_row(row, file);
        }
    }
    fclose(file);
    if (getenv("BERTH_UPDATE_GOLDEN")) {
        write_file(DOCUMENT, text, size);
    }
    char *document = read_file(DOCUMENT);
    if (strcmp(document, text) != 0) {
        fail_msg(DOCUMENT " is not what the table of options says: BERTH_UPDATE_GOLDEN=1 %s",
                 "sh tests/run.sh test_option_table writes it");
    }
    free(document);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_run_make_sense), cmocka_unit_test(exclusions_are_of_options),
        cmocka_unit_test(defaults_are_of_the_run), cmocka_unit_test(copies_are_their_own),
        cmocka_unit_test(the_document_is_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

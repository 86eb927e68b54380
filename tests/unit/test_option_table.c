/* The one table of options, and docs/options.md, which is what it says; BERTH_UPDATE_GOLDEN=1
 * writes that anew. */
#include "unit/io_support.h"

#include <math.h>

#include "options/options.h"
#include "run/exclusions.h"

#define DOCUMENT "docs/options.md"

static const char HEAD[] =
    "# Options\n\n"
    "An option is `--NAME VALUE` on the command line, a line `NAME = VALUE` in a file for "
    "`--config`, a name\n"
    "for `berth_options_set` in C and a keyword in Python. Brackets have the runs that it is of, "
    "its range and\n"
    "its default, where there are any. The runs are\n\n";

static const struct {
    const char *name;
    char letter; /* in the document */
} RUNS[] = {{"dock", 'D'},     {"screen", 'S'},       {"campaign", 'C'},      {"score", 'P'},
            {"merge", 'M'},    {"prep ligands", 'L'}, {"prep receptor", 'R'}, {"eval redock", 'E'},
            {"selftest", 'T'}, {"serve", 'V'}};

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
        struct berth_options options = begin(berth_run_of(RUNS[i].name));
        for (const struct berth_option *row = options.rows; !berth_option_is_end(row); row++) {
            const bool ranged = row->max > row->min && !row->fallback && !isnan(row->initial) &&
                                row->kind != BERTH_OPTION_ARGUMENTS;
            if (ranged && (row->initial < row->min || row->initial > row->max)) {
                fail_msg("%s: the default of %s is out of range", RUNS[i].name, row->name);
            }
            for (const struct berth_option *other = options.rows; row->name && other < row;
                 other++) {
                if (other->name && strcmp(other->name, row->name) == 0) {
                    fail_msg("%s has %s twice", RUNS[i].name, row->name);
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
        const unsigned run = berth_run_of(RUNS[i].name);
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

/* Text of a document. */
static void put(const char *text, FILE *file)
{
    for (; *text; text++) {
        if (strchr("<*", *text)) {
            fputc('\\', file);
        }
        fputc(*text, file);
    }
}

static void put_default(const struct berth_option *row, FILE *file)
{
    if (row->required) {
        fputs("; required", file);
    } else if (row->fallback) {
        if (*row->fallback && strcmp(row->fallback, "none") && strcmp(row->fallback, "any")) {
            fputs("; ", file);
            put(row->fallback, file);
        }
    } else if (row->kind == BERTH_OPTION_TEXT) {
        fprintf(file, "%s%s", row->initial_text ? "; " : "",
                row->initial_text ? row->initial_text : "");
    } else if (row->kind != BERTH_OPTION_FLAG && row->kind != BERTH_OPTION_CONFIG &&
               !isnan(row->initial)) {
        fprintf(file, "; %.15g", row->initial);
    }
}

/* "DSC; 0–14 s; 7": which runs have it, range with unit, and default. */
static void put_facts(const struct berth_option *row, FILE *file)
{
    for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++) {
        if (row->commands & berth_run_of(RUNS[i].name)) {
            fputc(RUNS[i].letter, file);
        }
    }
    fputs(row->library ? ", C and Python" : row->program ? ", program" : "", file);
    const bool ranged = row->max > row->min && row->kind != BERTH_OPTION_ARGUMENTS;
    if (ranged) {
        fprintf(file, row->min < 0 ? "; %.15g to %.15g" : "; %.15g–%.15g", row->min, row->max);
    }
    if (row->unit) {
        fprintf(file, ranged ? " %s" : "; %s", row->unit);
    }
    put_default(row, file);
}

/* A row, with those behind it that have its help, or none; the last of them. */
static const struct berth_option *put_rows(const struct berth_option *row, FILE *file)
{
    const struct berth_option *last = row;
    char list[BERTH_OPTION_WORDS] = "";
    fprintf(file, "- `%s%s%s`", row->name, row->argument ? " " : "",
            row->argument ? row->argument : "");
    for (; last[1].name && !*last[1].help; last++) {
        fprintf(file, ", `%s %s`", last[1].name, last[1].argument);
    }
    fputs(" (", file);
    put_facts(row, file);
    for (; last == row && last[1].name && strcmp(last[1].name, row->name) == 0 &&
           strcmp(last[1].help, row->help) == 0;
         row = last) {
        fputs(" / ", file);
        put_facts(++last, file);
    }
    fputs("): ", file);
    put(row->help, file);
    if (row->list) {
        row->list(list, sizeof list);
        fprintf(file, ": %s", list);
    }
    fputc('\n', file);
    return last;
}

static void the_document_is_the_table(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fputs(HEAD, file);
    for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++) {
        fprintf(file, "%s%c `%s`", i ? ", " : "", RUNS[i].letter, RUNS[i].name);
    }
    fputs(".\n\nOther programs' options are in [coming_from.md](coming_from.md).\n", file);
    for (const struct berth_option *row = BERTH_OPTION_ROWS; !berth_option_is_end(row); row++) {
        if (!row->name) {
            fprintf(file, "\n## %s\n\n", row->help);
        } else if (!berth_option_is_foreign(row)) {
            row = put_rows(row, file);
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

/* docs/options.md is what the one table of options says; BERTH_UPDATE_GOLDEN=1 writes it anew. */
#include "unit/io_support.h"

#include <math.h>

#include "options/options.h"

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
    fprintf(file, "%s | ", row->library ? " (C and Python)" : "");
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
                 "sh tests/run.sh test_option_reference writes it");
    }
    free(document);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_document_is_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

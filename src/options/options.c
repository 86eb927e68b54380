#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct {
    const char *command;
    unsigned run;
} RUNS[] = {{"dock", BERTH_RUN_DOCK},
            {"screen", BERTH_RUN_SCREEN},
            {"campaign", BERTH_RUN_CAMPAIGN},
            {"score", BERTH_RUN_SCORE},
            {"merge", BERTH_RUN_MERGE},
            {"prep ligands", BERTH_RUN_LIGANDS},
            {"prep receptor", BERTH_RUN_RECEPTOR},
            {"eval redock", BERTH_RUN_REDOCK},
            {"selftest", BERTH_RUN_SELFTEST},
            {"serve", BERTH_RUN_SERVE}};
enum { RUN_COUNT = sizeof RUNS / sizeof *RUNS };

unsigned berth_run_of(const char *command)
{
    for (size_t i = 0; i < RUN_COUNT; i++) {
        if (strcmp(RUNS[i].command, command) == 0) {
            return RUNS[i].run;
        }
    }
    return 0;
}

static const char *command_of(unsigned run)
{
    size_t i = 0;
    while (i + 1 < RUN_COUNT && RUNS[i].run != run) {
        i++;
    }
    return RUNS[i].command;
}

/* Writes the run's rows of the table, ended as it is, to rows, which have room for all of it. */
static void choose_rows(unsigned run, bool program, struct berth_option *rows)
{
    size_t count = 0;
    for (const struct berth_option *row = BERTH_OPTION_ROWS; !berth_option_is_end(row); row++) {
        if (row->commands & run && !(program ? row->library : row->program)) {
            rows[count] = *row;
            rows[count++].usual &= run;
        } else if (row->idle & run) {
            rows[count] = *row;
            rows[count].kind = BERTH_OPTION_NO_EFFECT;
            rows[count].initial_text = NULL;
            rows[count++].help = BERTH_IDLE_HELP;
        }
    }
    rows[count] = (struct berth_option){.name = NULL};
}

static size_t count_rows(const struct berth_option *rows)
{
    size_t count = 0;
    while (!berth_option_is_end(&rows[count])) {
        count++;
    }
    return count + 1;
}

enum berth_status berth_options_begin(unsigned run, bool program, struct berth_options *options,
                                      struct berth_error *error)
{
    memset(options, 0, sizeof *options);
    BERTH_TRY(berth_make(&options->rows, count_rows(BERTH_OPTION_ROWS), sizeof *options->rows, NULL,
                         error));
    for (size_t i = RUN_COUNT; i-- > 0;) { /* what a run lacks is as the first one has it */
        choose_rows(RUNS[i].run, true, options->rows);
        berth_options_defaults(options->rows, options);
    }
    choose_rows(run, program, options->rows);
    berth_options_defaults(options->rows, options);
    options->run = run;
    return BERTH_OK;
}

void berth_options_clear(struct berth_options *options)
{
    berth_parsed_clear(&options->parsed);
    free(options->rows);
    memset(options, 0, sizeof *options);
}

enum berth_status berth_options_of(const struct berth_options *given, unsigned runs,
                                   struct berth_options *mine, const struct berth_options **options,
                                   struct berth_error *error)
{
    *options = given ? given : mine;
    memset(mine, 0, sizeof *mine);
    if (given) {
        return given->run & runs ? BERTH_OK
                                 : berth_fail(error, BERTH_E_USAGE,
                                              "options: they are of the run '%s', not of this one",
                                              command_of(given->run));
    }
    return berth_options_begin(runs & -runs, false, mine, error);
}

/* Has a copy own the list of its arguments, which are the process's own. */
static enum berth_status copy_arguments(struct berth_options *copy, struct berth_error *error)
{
    struct berth_arguments *list = copy->inputs.count ? &copy->inputs : &copy->folders;
    const char *const *items = list->items;
    if (list->count) {
        BERTH_TRY(berth_make(&copy->parsed.arguments, list->count, sizeof *items, NULL, error));
        memcpy(copy->parsed.arguments, items, list->count * sizeof *items);
        list->items = copy->parsed.arguments;
    }
    return BERTH_OK;
}

enum berth_status berth_options_copy(const struct berth_options *options,
                                     struct berth_options *copy, struct berth_error *error)
{
    const size_t count = count_rows(options->rows);
    *copy = *options;
    copy->rows = NULL;
    memset(&copy->parsed, 0, sizeof copy->parsed);
    memcpy(copy->parsed.source, options->parsed.source, sizeof copy->parsed.source);
    BERTH_TRY(berth_make(&copy->rows, count, sizeof *copy->rows, NULL, error));
    memcpy(copy->rows, options->rows, count * sizeof *copy->rows);
    BERTH_TRY(copy_arguments(copy, error));
    return berth_options_keep_texts(copy->rows, copy, &copy->parsed, error);
}

bool berth_options_has(const struct berth_options *options, const char *name)
{
    return berth_options_given(options->rows, &options->parsed, name);
}

const char *berth_options_name(const struct berth_options *options, const char *name)
{
    const struct berth_option *row = options->rows;
    while (!berth_option_is_end(row) && !(row->name && strcmp(row->name, name) == 0)) {
        row++;
    }
    return row->name;
}

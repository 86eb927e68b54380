/* berth screen: a library into a receptor, from .blib to ranked hits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "eval/screen/scores.h"
#include "cli/common.h"
#include "cli/run_lines.h"
#include "cli/screen.h"
#include "screen/preparation.h"
#include "screen/results.h"
#include "screen/stages.h"
#include "report/page.h"
#include "report/store/store.h"
#include "run/exclusions.h"

static const struct cli_usage USAGE = {
    "screen", "--receptor R.pdb|R.brec --library MOLECULES|LIB.blib --out DIR [options]",
    "Docks every ligand of a library, on all devices at once, and ranks them; molecules are\n"
    "prepared on the way, into a library in DIR.  A run that was interrupted goes on with "
    "--resume.\n"
    "\n"
    "Ligands are ranked by --rank; energies are those of the first function, in its unit; lower "
    "is\n"
    "better."};

/* What the command holds. */
struct command {
    struct berth_options *options;
    struct cli_receptors receptors;
    berth_devices *devices;
    berth_screen *screen;
    struct cli_progress_line line;
    bool ending; /* which is said */
};

/* Notes what ranks, unless that is known in the end alone. */
static void note(void *context, const struct berth_screen_result *result)
{
    struct command *command = context;
    const double value = command->options->rank ? result->ranking : result->value;
    if (!result->failure && isfinite(value)) {
        cli_progress_note(&command->line, result->name, value);
    }
}

/* Shows the progress; a signal asks for the end, as the time limit does. */
static bool tend(void *context, const struct berth_progress *progress)
{
    struct command *command = context;
    const double limit = command->options->time_limit;
    const bool stop = cli_interrupted() || (limit > 0 && progress->seconds >= limit);
    if (stop && !command->ending && !progress->computed) {
        cli_progress_hide(&command->line);
        cli_say("ending, once the batches on their way are done%s",
                cli_interrupted() ? " (interrupt again to leave them)" : "");
        command->ending = true;
    }
    cli_progress_show(&command->line, progress);
    return stop;
}

static enum berth_status open_screen(struct command *command, struct berth_error *error)
{
    struct berth_options *options = command->options;
    struct cli_receptors *receptors = &command->receptors;
    const struct berth_screen_calls calls = {note, command};
    struct cli_patience patience = {.started = false};
    BERTH_TRY(cli_receptors_split(options->receptor, receptors, error));
    BERTH_TRY(cli_receptors_load_ranked(receptors, options, error));
    BERTH_TRY(berth_devices_find(options, cli_log(), &command->devices, error));
    cli_patience_start(&patience);
    const enum berth_status status =
        berth_screen_open((const berth_receptor *const *)receptors->handles, receptors->count,
                          command->devices, options, &calls, cli_log(), &command->screen, error);
    cli_patience_end(&patience);
    return status;
}

static void print_head(const struct command *command)
{
    const struct berth_options *values = command->options;
    const struct berth_run_facts *facts = berth_screen_describe(command->screen);
    const struct berth_progress *progress = berth_screen_progress(command->screen);
    char before[64] = "", count[64];
    struct berth_bytes library = {.data = NULL};
    if (progress->before) {
        snprintf(before, sizeof before, ", %llu done before", (unsigned long long)progress->before);
    }
    if (progress->estimated) {
        snprintf(count, sizeof count, "prepared while they are docked");
    } else {
        snprintf(count, sizeof count, "%llu ligands", (unsigned long long)progress->total);
    }
    berth_bytes_print(&library, "%s: %s%s%s%s", values->library, count,
                      values->shard ? " in shard " : "", values->shard ? values->shard : "",
                      before);
    berth_bytes_put8(&library, 0);
    cli_head(&command->receptors, facts, values,
             library.failed ? values->library : (const char *)library.data);
    berth_bytes_clear(&library);
}

/* Of affinities. */
static const char *unit_of(const struct command *command)
{
    return berth_receptor_describe(command->receptors.handles[0])->unit;
}

static enum berth_status print_foot(const struct command *command, struct berth_error *error)
{
    const struct berth_progress *progress = berth_screen_progress(command->screen);
    const struct berth_options *values = command->options;
    const double seconds = progress->seconds;
    struct cli_profile profile = {.count = 0};
    struct berth_device_use use;
    if (!values->verbose) {
        BERTH_TRY(cli_print_hits(values->out, unit_of(command), error));
    }
    printf("%llu ligands docked, %llu failed; %.2f s", (unsigned long long)progress->ligands,
           (unsigned long long)progress->failed, seconds);
    if (progress->before && progress->done > progress->before) {
        printf(" for the %llu that were not done before",
               (unsigned long long)(progress->done - progress->before));
    }
    if (values->verbose) {
        cli_foot_work(progress, seconds > 0 ? seconds : 1e-9);
        cli_foot_few_found(progress->few, values->num_modes);
    } else {
        char table[PATH_MAX];
        BERTH_TRY(berth_scores_find(values->out, table, error));
        cli_foot_file(table);
        cli_foot_left_out(progress->left_out);
    }
    BERTH_TRY(cli_foot_required(values->out, error));
    if (values->verbose) {
        BERTH_TRY(cli_foot_best(values->out, error));
        BERTH_TRY(cli_foot_ranked(values->out, NULL, "; --rank score ranks by it", error));
    }
    BERTH_TRY(cli_foot_restrained(values->out, values->verbose, error));
    if (!values->profile) {
        return BERTH_OK;
    }
    const enum berth_status status =
        berth_screen_profile(command->screen, cli_profile_take, &profile, &use, error);
    if (!status) {
        cli_profile_print(&profile, &use);
    }
    return status;
}

static enum berth_status write_report(const char *folder, struct berth_error *error)
{
    struct berth_page_files files;
    const struct berth_page_settings settings = {
        .folder = folder, .top = BERTH_PAGE_POSES, .log = cli_log(), .stop = cli_stop()};
    BERTH_TRY(berth_page_write(&settings, &files, error));
    cli_print("the report: %s", files.page);
    return BERTH_OK;
}

static enum berth_status screen(struct command *command, struct berth_error *error)
{
    cli_set_environment();
    BERTH_TRY(open_screen(command, error));
    print_head(command);
    cli_catch_signals();
    cli_progress_start(&command->line, stderr, command->options->rank ? "" : unit_of(command));
    enum berth_status status = berth_screen_run(command->screen, tend, command, error);
    BERTH_THEN(berth_screen_stopped(
        command->screen, cli_interrupted() ? "interrupted" : "the time limit was reached", error));
    BERTH_THEN(print_foot(command, error));
    return status || !command->options->report ? status
                                               : write_report(command->options->out, error);
}

int cli_screen(struct berth_options *options)
{
    struct command command = {.options = options};
    struct berth_error error;
    if (!options->verbose) {
        cli_log_be_brief(false);
    }
    const enum berth_status status = screen(&command, &error);
    const int code = status                                          ? cli_fatal(&error)
                     : berth_screen_progress(command.screen)->failed ? CLI_SOME_FAILED
                                                                     : CLI_DONE;
    const bool hangs = berth_screen_is_stuck(command.screen);
    berth_screen_free(command.screen);
    berth_devices_free(command.devices);
    cli_receptors_clear(&command.receptors);
    if (hangs) {
        cli_leave_devices(code);
    }
    return code;
}

static bool is_interrupted(void *context)
{
    (void)context;
    return cli_interrupted();
}

enum berth_status cli_screens_end(const struct berth_options *asked, const char *command,
                                  struct berth_error *error)
{
    const struct berth_store_run store = {.path = asked->db,
                                          .command = command,
                                          .folder = asked->out,
                                          .wait = {.log = cli_log(), .stop = is_interrupted}};
    BERTH_TRY(asked->verbose ? cli_foot_best(asked->out, error)
                             : cli_print_hits(asked->out, "", error));
    BERTH_TRY(store.path ? berth_store_add(&store, error) : BERTH_OK);
    return asked->report ? write_report(asked->out, error) : BERTH_OK;
}

/* --- In stages --- */

/* A screen in stages. */
struct staged {
    const struct berth_options *asked;
    int argc;
    char **argv;
    struct berth_stages stages;
    char library[PATH_MAX]; /* of the stage */
    double started;
};

/* What a stage is run with beside its own words; what the whole has, it does not. */
static void set_up_stage(const struct staged *staged, size_t number, const char *folder,
                         struct berth_options *values)
{
    values->stages = NULL;
    values->report = false;
    values->db = NULL;
    values->out = folder;
    values->library = staged->library;
    if (number + 1 < staged->stages.count) {
        values->top = 0;
    }
    if (values->time_limit > 0) {
        const double left = values->time_limit - (berth_now() - staged->started);
        values->time_limit = fmax(left, 0.001);
    }
}

/* Runs a stage; *code: its exit code. */
static enum berth_status run_stage(struct staged *staged, size_t number, int *code,
                                   struct berth_error *error)
{
    const struct berth_stage *stage = &staged->stages.stages[number];
    struct berth_options values;
    const int argc = staged->argc + stage->word_count;
    char folder[PATH_MAX], **argv;
    const char *out = staged->asked->out;
    BERTH_TRY(berth_stage_folder(&staged->stages, number, out, folder, error));
    if (number) {
        BERTH_TRY(berth_stage_choose(&staged->stages, number, out, staged->asked->forcefield,
                                     staged->library, error));
    }
    BERTH_TRY(berth_make(&argv, (size_t)argc + 1, sizeof *argv, NULL, error));
    memcpy(argv, staged->argv, (size_t)staged->argc * sizeof *argv);
    memcpy(argv + staged->argc, stage->words, (size_t)stage->word_count * sizeof *argv);
    *code = cli_options(&USAGE, argc, argv, &values);
    if (*code == CLI_GO_ON) {
        set_up_stage(staged, number, folder, &values);
        cli_print("stage %zu of %zu: %s", number + 1, staged->stages.count, folder);
        *code = cli_screen(&values);
    }
    berth_options_clear(&values);
    free(argv);
    return BERTH_OK;
}

/* What is made of the whole. */
static enum berth_status end_stages(const struct staged *staged, struct berth_error *error)
{
    BERTH_TRY(berth_stages_join(&staged->stages, staged->asked->out, error));
    cli_print("all stages: %s", staged->asked->out);
    return cli_screens_end(staged->asked, "screen", error);
}

/* What speaks against stages before anything is docked. */
static enum berth_status check_stages(const struct berth_options *asked, struct berth_error *error)
{
    const struct berth_choices choices = {.options = asked};
    BERTH_TRY(berth_choices_check(&choices, error));
    BERTH_TRY(asked->db ? berth_store_check(asked->db, error) : BERTH_OK);
    return berth_screen_folder_check(asked->out, error);
}

static int run_stages(const struct berth_options *asked, int argc, char **argv)
{
    struct staged staged = {.asked = asked, .argc = argc, .argv = argv, .started = berth_now()};
    struct berth_error error;
    int code = CLI_DONE, worst = CLI_DONE;
    snprintf(staged.library, sizeof staged.library, "%s", asked->library);
    enum berth_status status = check_stages(asked, &error);
    BERTH_THEN(berth_stages_parse(asked->stages, &staged.stages, &error));
    BERTH_THEN(berth_folder_make(asked->out, &error));
    for (size_t k = 0; !status && code != CLI_FATAL && k < staged.stages.count; k++) {
        status = run_stage(&staged, k, &code, &error);
        worst = code > worst ? code : worst;
        if (!k && berth_screen_prepares(staged.library)) { /* what the first stage has made */
            char folder[PATH_MAX];
            BERTH_THEN(berth_stage_folder(&staged.stages, 0, asked->out, folder, &error));
            BERTH_THEN(
                berth_path_in(folder, BERTH_SCREEN_LIBRARY, staged.library, PATH_MAX, &error));
        }
    }
    if (!status && code != CLI_FATAL) {
        status = end_stages(&staged, &error);
    }
    berth_stages_clear(&staged.stages);
    return status ? cli_fatal(&error) : code == CLI_FATAL ? CLI_FATAL : worst;
}

int cmd_screen(int argc, char **argv)
{
    struct berth_options options;
    int code = cli_options(&USAGE, argc, argv, &options);
    if (code == CLI_GO_ON) {
        cli_say_box(&options);
        code = options.stages ? run_stages(&options, argc, argv) : cli_screen(&options);
    }
    berth_options_clear(&options);
    return code;
}

/* berth screen: a library into a receptor, from .blib to ranked hits. */
#include <stdlib.h>

#include "cli/screen.h"
#include "cli/site.h"
#include "device/drivers.h"
#include "dock/screen/results.h"
#include "dock/screen/screen.h"
#include "cli/text_progress.h"
#include "cli/text_docking.h"

static const struct cli_usage USAGE = {
    "screen", "--receptor SITE.brec|R.mol2 --library LIB.blib --out DIR [options]",
    "Docks every ligand of a library, on all devices at once, and ranks them.  A run that was\n"
    "interrupted goes on with --resume.  Energies are those of --scoring, in its unit; lower is\n"
    "better."};

/* What the command holds beside the run. */
struct command {
    const struct screen_values *values;
    const struct berth_parsed *parsed;
    struct berth_ensemble receptors;
    struct berth_devices devices;
    struct cli_progress progress;
    struct berth_screen run;
};

static void note(void *context, const struct berth_result *result)
{
    cli_progress_note(&((struct command *)context)->progress, result);
}

/* Shows the progress; a signal or the time limit asks for the end. */
static bool tend(void *context, const struct berth_screen *run, bool last)
{
    struct command *command = context;
    struct cli_progress *progress = &command->progress;
    const double limit = command->values->time_limit;
    const bool stop = cli_interrupted() || (limit > 0 && berth_now() - run->started >= limit);
    if (stop && !run->stopped && !last) {
        cli_progress_hide(progress);
        cli_say("ending, once the batches on their way are done%s",
                cli_interrupted() ? " (interrupt again to leave them)" : "");
    }
    cli_progress_show(progress, run->window, last);
    return stop;
}

static enum berth_status open_run(struct command *command, struct berth_error *error)
{
    const struct screen_values *values = command->values;
    struct berth_screen_settings settings = {.receptors = &command->receptors,
                                             .scoring = values->forcefield.scoring,
                                             .library_path = values->library,
                                             .folder = values->out,
                                             .resume = values->resume,
                                             .search = screen_search(values),
                                             .modes = {.num_modes = (size_t)values->num_modes,
                                                       .min_rmsd = values->min_rmsd,
                                                       .strain_weight = values->strain_weight,
                                                       .max_clash = values->max_clash},
                                             .top = (size_t)values->top,
                                             .devices = &command->devices,
                                             .variant = values->devices.variant,
                                             .check_every = (size_t)values->devices.check,
                                             .patience = values->devices.batch_limit,
                                             .checkpoint = values->checkpoint,
                                             .log = cli_log()};
    const struct berth_screen_hooks hooks = {command, note, tend};
    enum berth_status status = berth_screen_folder_check(values->out, error);
    BERTH_THEN(berth_shard_parse(values->shard, &settings.shard, error));
    BERTH_THEN(berth_ensemble_split(values->receptor, &command->receptors, error));
    BERTH_THEN(berth_ensemble_read(&values->forcefield, cli_log(), &command->receptors, error));
    if (!status) {
        const struct cli_site_options options = {SCREEN_OPTIONS, command->parsed, &values->box};
        status = cli_site_of(&options, command->receptors.receptors[0], &settings.site, error);
    }
    if (!status) {
        berth_drivers_limit_threads(values->devices.cpu);
        status = cli_devices_choose(&command->devices, values->devices.device, error);
    }
    return status ? status : berth_screen_open(&settings, &hooks, &command->run, error);
}

static void print_head(const struct command *command)
{
    const struct screen_values *values = command->values;
    const struct berth_screen *run = &command->run;
    const long long effort[] = {values->search.poses, values->search.generations};
    cli_print_target(&command->receptors, &run->settings.site);
    char before[64] = "";
    if (run->before) {
        snprintf(before, sizeof before, ", %llu done before", (unsigned long long)run->before);
    }
    cli_print("library %s: %llu ligands%s%s%s", values->library, (unsigned long long)run->total,
              values->shard ? " in shard " : "", values->shard ? values->shard : "", before);
    cli_print_devices_used(&command->devices, run->docking);
    cli_print_search(values->seed, effort, run->docking);
    if (values->strain_weight > 0) {
        printf("ranked by energy + %g x conformer_strain\n", values->strain_weight);
    }
    fflush(stdout);
}

static void print_foot(const struct berth_screen *run)
{
    printf("%llu ligands, %llu failed; %.2f s", (unsigned long long)run->total,
           (unsigned long long)run->failed, run->seconds);
    cli_print_interactions(run->window->atoms * run->pairs_per_atom /
                           (run->seconds > 0 ? run->seconds : 1e-9));
    cli_print_left_out(run->left_out);
}

static enum berth_status execute(struct command *command, struct berth_error *error)
{
    struct berth_screen *run = &command->run;
    enum berth_status status = open_run(command, error);
    if (status) {
        return status;
    }
    print_head(command);
    cli_catch_signals();
    command->progress.total = run->total;
    command->progress.before = run->before;
    command->progress.pairs_per_atom = run->pairs_per_atom;
    command->progress.unit = command->receptors.receptors[0]->scoring.unit;
    cli_progress_start(&command->progress, stderr);
    status = berth_screen_work(run, error);
    if (!status && run->stopped) {
        status = berth_screen_incomplete(
            run, cli_interrupted() ? "interrupted" : "the time limit was reached", error);
    }
    if (!status) {
        print_foot(run);
        status =
            command->values->devices.profile ? cli_print_profile(run->docking, error) : BERTH_OK;
    }
    return status;
}

int cmd_screen(int argc, char **argv)
{
    struct screen_values values = screen_defaults();
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, SCREEN_OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct command command = {.values = &values, .parsed = &parsed};
        enum berth_status status =
            cli_search_complete(SCREEN_OPTIONS, &parsed, &values.search, &error);
        status = status ? status : execute(&command, &error);
        code = status ? cli_fatal(&error) : command.run.failed ? CLI_SOME_FAILED : CLI_DONE;
        const bool hangs = command.run.docking && berth_docking_hangs(command.run.docking);
        berth_screen_close(&command.run);
        berth_devices_clear(&command.devices);
        berth_ensemble_clear(&command.receptors);
        if (hangs) {
            cli_leave_devices(code);
        }
    }
    berth_parsed_clear(&parsed);
    return code;
}

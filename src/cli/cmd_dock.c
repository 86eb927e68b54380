/* berth dock: ligands into a receptor, from files of any format to ranked poses. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "cli/dock.h"
#include "cli/run_lines.h"
#include "cli/text_docking.h"
#include "format/output.h"
#include "format/smiles/smiles.h"
#include "report/pocket_files.h"

static const struct cli_usage USAGE = {
    "dock", "--receptor R.pdb|R.brec --ligand L.smi|L.sdf|L.blib --out poses.sdf [options]",
    "Docks each ligand into the receptor: a search over its place, rotation and torsions, in a "
    "box\n"
    "that --ligand_id, --autobox_ligand or its centre and size give.\n"
    "\n"
    "The search is wholly on the device (rigid levels: of every conformer as it is).  Poses are\n"
    "ranked by --rank; energies are those of the first function, in its unit; lower is better."};

/* What the command holds. */
enum {
    KNOWN_TEXT = 2 * PATH_MAX,
    HELD_FOR = 60 /* s, that warnings wait for the results below which they stand */
};

struct command {
    struct berth_options *options;
    struct cli_receptors receptors;
    berth_devices *devices;
    berth_docking *docking;
    struct cli_results results;
    struct cli_progress_line line;
    bool begun;            /* the head is printed */
    char ligand[PATH_MAX]; /* file of the ligand that was cut out, where none other is given */
    char known[KNOWN_TEXT];
};

/* The files; that ligands are there is seen before devices are opened, which may take a while. */
static enum berth_status check_files(struct command *command, const char *failures,
                                     struct berth_error *error)
{
    const struct berth_options *dock = command->options;
    const struct cli_receptors *receptors = &command->receptors;
    const struct berth_pocket_paths beside = berth_pocket_paths_of(dock->out);
    const struct cli_file others[] = {{"ligand", dock->ligand, false},
                                      {"forcefield", dock->forcefield, false},
                                      {"reference", dock->reference, false},
                                      {"autobox_ligand", dock->autobox_ligand, false},
                                      {"out", dock->out, true},
                                      {"out_also", dock->out_also, true},
                                      {"db", dock->db, true},
                                      {"scores", dock->scores, true},
                                      {"failures", failures, true},
                                      {"site", dock->site ? beside.pockets : NULL, true},
                                      {"site", dock->site ? beside.agreed : NULL, true},
                                      {"site", dock->site ? beside.points : NULL, true}};
    struct cli_file files[CLI_RECEPTORS_MAX + sizeof others / sizeof *others];
    const size_t count = receptors->path_count;
    for (size_t i = 0; i < count; i++) {
        files[i] = (struct cli_file){"receptor", receptors->paths[i], false};
    }
    memcpy(files + count, others, sizeof others);
    BERTH_TRY(cli_check_files(files, count + sizeof others / sizeof *others, error));
    const char *ligand = dock->ligand;
    return ligand && strcmp(ligand, "-") != 0 && access(ligand, R_OK) != 0
               ? berth_fail(error, BERTH_E_IO, "%s: cannot open: %s%s", ligand, strerror(errno),
                            berth_smiles_hint(ligand))
               : BERTH_OK;
}

static enum berth_status open_docking(struct command *command, struct berth_error *error)
{
    struct berth_options *options = command->options;
    struct cli_receptors *receptors = &command->receptors;
    char failures[PATH_MAX];
    cli_failures_path(options->failures, options->out, failures);
    BERTH_TRY(cli_receptors_split(options->receptor, receptors, error));
    BERTH_TRY(check_files(command, failures, error));
    BERTH_TRY(cli_receptors_load_ranked(receptors, options, error));
    BERTH_TRY(cli_receptors_ligand(receptors, options, command->ligand, error));
    BERTH_TRY(berth_devices_find(options, cli_log(), &command->devices, error));
    options->failures = failures;
    options->stop = cli_stop();
    struct cli_patience patience = {.started = false};
    cli_patience_start(&patience);
    const enum berth_status status =
        berth_docking_open((const berth_receptor *const *)receptors->handles, receptors->count,
                           command->devices, options, cli_log(), &command->docking, error);
    cli_patience_end(&patience);
    options->failures = NULL; /* the docking has it */
    return status;
}

/* What is printed once all is open: the head. */
static void begin(struct command *command)
{
    const struct berth_run_facts *facts = berth_docking_describe(command->docking);
    if (command->begun) {
        return;
    }
    command->begun = true;
    if (!command->results.quiet) {
        cli_head(&command->receptors, facts, command->options, NULL);
    }
    cli_progress_start(&command->line, stderr, command->results.scoring->unit);
}

static bool take(void *context, const struct berth_docked_ligand *ligand)
{
    struct command *command = context;
    begin(command);
    if (ligand->failure) {
        return false;
    }
    cli_progress_hide(&command->line);
    return !cli_results_add(&command->results, ligand);
}

static bool tend(void *context, const struct berth_progress *progress)
{
    struct command *command = context;
    struct berth_progress shown = *progress;
    begin(command);
    if (berth_now() - command->line.start > HELD_FOR) {
        cli_log_release();
    }
    shown.done = command->results.ligands;
    if (progress->computed) {
        cli_progress_hide(&command->line);
    } else if (command->line.terminal) {
        cli_progress_show(&command->line, &shown);
    }
    return false;
}

static enum berth_status print_foot(const struct command *command, double seconds,
                                    struct berth_error *error)
{
    const struct berth_progress *progress = berth_docking_progress(command->docking);
    const unsigned long long conformers = progress->conformers;
    const size_t ligands = command->results.ligands;
    const char *out = command->options->out;
    struct cli_profile profile = {.count = 0};
    struct berth_device_use use;
    printf("%zu ligand%s docked, %llu conformer%s, %zu failed; %.2f s", ligands,
           ligands == 1 ? "" : "s", conformers, conformers == 1 ? "" : "s",
           (size_t)progress->failed, seconds);
    if (command->options->verbose) {
        cli_foot_work(progress, seconds);
        cli_foot_few(progress, command->results.run, command->results.num_modes,
                     ligands > 1 ? &command->results.few : NULL);
    } else {
        cli_foot_file(command->options->scores);
        cli_foot_left_out(progress->left_out);
    }
    if (!ligands && progress->failed && out && strcmp(out, "-") != 0) {
        cli_print("no ligand was docked: %s is empty", out);
    }
    if (!command->options->profile) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_docking_profile(command->docking, cli_profile_take, &profile, &use, error));
    cli_profile_print(&profile, &use);
    printf("%zu energies with gradients\n", (size_t)progress->evaluations);
    return BERTH_OK;
}

/* The file of what RMSDs are measured to; of a rigid search, which knows no templates, the options
 * by which `berth score` has it, by what ranks here. */
static void name_known(const struct command *command, char known[KNOWN_TEXT])
{
    const struct berth_options *values = command->options;
    const char *cut = values->asked.ligand_id, *reference = values->reference;
    const char *rank = values->rank;
    if (command->results.run->maps) {
        const bool own = values->ligand == command->ligand; /* that was cut out */
        snprintf(known, KNOWN_TEXT, "%s",
                 reference ? reference
                 : own     ? command->ligand
                           : "FILE of that ligand");
        return;
    }
    snprintf(known, KNOWN_TEXT, "--receptor %s%s%s%s%s %s '%s'", values->receptor,
             cut ? " --ligand_id " : "", cut ? cut : "", reference ? " --ligand " : "",
             reference ? reference : "", rank ? "--rank" : "--scoring",
             rank ? rank : values->scoring);
}

static enum berth_status dock(struct command *command, struct berth_error *error)
{
    const struct berth_options *values = command->options;
    const struct berth_ligand_calls calls = {take, tend, command};
    struct cli_results *results = &command->results;
    BERTH_TRY(open_docking(command, error));
    results->scoring = berth_receptor_describe(command->receptors.handles[0]);
    results->run = berth_docking_describe(command->docking);
    results->num_modes = values->num_modes;
    results->ranked = values->rank;
    results->affinity = !(values->strain_weight > 0);
    name_known(command, command->known);
    results->known = command->known;
    results->flexible = values->flexible_residues || values->flexible_within > 0;
    cli_set_environment();
    cli_catch_signals();
    enum berth_status status = berth_docking_file(command->docking, values->ligand, &calls, error);
    if (results->failed) {
        return berth_out_of_memory(error, NULL);
    }
    if (results->quiet || (status && !cli_interrupted())) {
        return status;
    }
    cli_results_end(results);
    if (values->site && results->ligands) {
        cli_print_pockets(command->docking, results->ligands, values->num_modes);
    }
    if (status) {
        return status;
    }
    BERTH_TRY(print_foot(command, berth_now() - command->line.start, error));
    fflush(stdout);
    cli_results_warn(results);
    return BERTH_OK;
}

static int dock_ligands(struct berth_options *options)
{
    const char *scores = options->scores;
    struct command command = {
        .options = options,
        .results = {.verbose = options->verbose, .quiet = scores && strcmp(scores, "-") == 0}};
    struct berth_error error;
    if (!options->verbose) {
        cli_log_be_brief(true);
    }
    cli_say_box(options);
    const enum berth_status status = dock(&command, &error);
    fflush(stdout); /* what follows stands below it */
    cli_log_release();
    const int code = status                                            ? cli_fatal(&error)
                     : berth_docking_progress(command.docking)->failed ? CLI_SOME_FAILED
                                                                       : CLI_DONE;
    if (code == CLI_SOME_FAILED && options->ligand == command.ligand) {
        cli_suggest_smiles("dock", options);
    }
    const bool hangs = berth_docking_is_stuck(command.docking);
    cli_results_clear(&command.results);
    berth_docking_free(command.docking);
    berth_devices_free(command.devices);
    cli_receptors_clear(&command.receptors);
    if (hangs) {
        cli_leave_devices(code);
    }
    return code;
}

int cmd_dock(int argc, char **argv)
{
    struct berth_options options;
    struct berth_error error;
    char bonded[BERTH_SELECTOR_TEXT];
    int code = cli_options(&USAGE, argc, argv, &options);
    if (code == CLI_GO_ON) {
        const bool protein = dock_is_protein(&options);
        code = cli_bonded_ligand(&options, bonded, &error) ||
                       cli_need_ligand(&options, !protein, &error)
                   ? cli_fatal(&error)
               : protein ? dock_protein(&options)
                         : dock_ligands(&options);
    }
    berth_options_clear(&options);
    return code;
}

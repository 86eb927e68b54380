/* berth dock: ligands into a receptor, from files of any format to ranked poses. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "api/api.h"
#include "cli/dock.h"
#include "cli/run_lines.h"
#include "options/search.h"
#include "device/drivers.h"
#include "cli/text_docking.h"
#include "dock/file_runs.h"
#include "dock/output_files.h"
#include "prep/ligands/request.h"
#include "prep/standing.h"

static const struct cli_usage USAGE = {
    "dock",
    "--receptor R.brec|R.pdb|R.mol2 --ligand L.blib|L.smi|L.sdf|L.mol2 --out poses.sdf\n"
    "                  [--center_x X ... --size_z C | --autobox_ligand REF.sdf | --site surface]\n"
    "                  [options]",
    "Docks each ligand into the receptor: a search over its place, rotation and torsions, wholly\n"
    "on the device (rigid levels: of every conformer as it is).  Energies are those of --scoring,\n"
    "in its unit; lower is better."};

/* Everything a run of `berth dock` holds. */
struct run {
    const struct berth_dock_request *values;
    const struct berth_parsed *parsed;
    struct berth_search_level level;
    struct berth_ligands_plan plan; /* for ligands that are prepared on the way */
    struct berth_site site;
    struct berth_ensemble receptors;
    const struct berth_scoring *scoring; /* of all of them */
    struct berth_molecule reference;
    struct berth_devices devices;
    struct berth_file_docking docking;
    struct berth_source source;
    struct berth_pose_files files;
    struct berth_pocket_files pockets; /* of a whole surface */
    struct cli_results report;
    struct cli_progress_line progress;
    struct berth_api_run told;
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
};

static enum berth_status open_docking(struct run *run, struct berth_error *error)
{
    const struct berth_dock_request *values = run->values;
    const struct berth_file_docking_settings settings = {
        .receptors = &run->receptors,
        .site = run->site,
        .surface = values->site != NULL,
        .search =
            berth_search_options_settings(&values->search, &run->level, values->dock.min_rmsd),
        .variant = values->search.variant,
        .devices = &run->devices,
        .check = cli_check_signals,
        .check_every = values->search.check,
        .patience = values->search.batch_limit,
        .separate = values->dock.separate,
        .modes = {.num_modes = (size_t)values->dock.num_modes,
                  .min_rmsd = values->dock.min_rmsd,
                  .energy_range = values->dock.energy_range,
                  .strain_weight = values->dock.strain_weight,
                  .max_clash = values->dock.max_clash},
        .reference = values->dock.reference ? &run->reference : NULL,
        .log = cli_log()};
    return berth_file_docking_open(&settings, &run->docking, error);
}

/* Opens the ligands; those that must be prepared are, as `berth prep ligands` does by default, but
 * for the builder. */
static enum berth_status open_source(struct run *run, struct berth_error *error)
{
    struct berth_prepare_ligands_request prepare = berth_prepare_ligands_request();
    const struct berth_dock_request *values = run->values;
    prepare.prepare.builder = values->dock.builder;
    enum berth_status status =
        berth_ligands_plan_create(&prepare.prepare, NULL, 0, &run->plan, error);
    if (status) {
        return status;
    }
    run->source = (struct berth_source){.path = values->ligand,
                                        .stop = cli_stop(),
                                        .check = cli_check_signals,
                                        .scoring = run->scoring,
                                        .most_atoms = values->site ? BERTH_LIGAND_FLEXIBLE_MAX : 0,
                                        .preparation = &run->plan.preparation,
                                        .failures = &run->files.failures,
                                        .log = &run->log};
    if (berth_prepare_takes(values->ligand)) {
        cli_set_environment();
    }
    status = berth_source_open(&run->source, error);
    return status ? status
                  : berth_source_check_weight(&run->source, values->dock.strain_weight, error);
}

/* What contradicts --site surface. */
static enum berth_status check_surface(const struct run *run, struct berth_error *error)
{
    struct berth_site box;
    bool any = false;
    if (strcmp(run->values->site, "surface") != 0) {
        return berth_fail(error, BERTH_E_USAGE, "--site: '%s' is not known; surface is",
                          run->values->site);
    }
    const enum berth_status status =
        berth_api_box(&run->values->target.box, cli_log(), &any, &box, error);
    return any ? berth_fail(error, BERTH_E_USAGE,
                            "--site surface is the whole receptor: leave the box out")
           : berth_options_given(BERTH_DOCK_TABLE, run->parsed, "min_rmsd")
               ? berth_fail(error, BERTH_E_USAGE,
                            "--min_rmsd: --site surface gives one pose of each pocket")
           : run->receptors.count > 1
               ? berth_fail(error, BERTH_E_USAGE, "--site surface takes one receptor")
               : status;
}

/* The box that is asked for, else the receptor's. */
static enum berth_status find_site(struct run *run, struct berth_error *error)
{
    berth_receptor handle = {.receptor = *run->receptors.receptors[0]};
    struct berth_site box;
    bool any = false;
    enum berth_status status =
        berth_api_box(&run->values->target.box, cli_log(), &any, &box, error);
    if (!status && any) {
        handle.receptor.site = box;
        handle.receptor.has_site = true;
    }
    BERTH_THEN(berth_api_need_site(&handle, cli_log(), error));
    run->site = handle.receptor.site;
    return status;
}

static enum berth_status open_files(struct run *run, struct berth_error *error)
{
    const struct berth_dock_request *values = run->values;
    char failures[PATH_MAX];
    cli_failures_path(values->failures, values->out, failures);
    const struct berth_pocket_paths beside = berth_pocket_paths_of(values->out);
    const bool surface = values->site != NULL;
    const struct berth_scoring_choice choice = {values->target.forcefield, values->target.scoring,
                                                NULL};
    const struct cli_file others[] = {{"ligand", values->ligand, false},
                                      {"forcefield", values->target.forcefield, false},
                                      {"reference", values->dock.reference, false},
                                      {"autobox_ligand", values->target.box.autobox_ligand, false},
                                      {"out", values->out, true},
                                      {"scores", values->scores, true},
                                      {"failures", failures, true},
                                      {"site", surface ? beside.pockets : NULL, true},
                                      {"site", surface ? beside.agreed : NULL, true},
                                      {"site", surface ? beside.points : NULL, true}};
    struct cli_file files[BERTH_RECEPTORS_MAX + sizeof others / sizeof *others];
    enum berth_status status = berth_ensemble_split(values->receptor, &run->receptors, error);
    const size_t count = run->receptors.count;
    for (size_t i = 0; i < count; i++) {
        files[i] = (struct cli_file){"receptor", run->receptors.paths[i], false};
    }
    memcpy(files + count, others, sizeof others);
    BERTH_THEN(cli_check_files(files, count + sizeof others / sizeof *others, error));
    BERTH_THEN(berth_ensemble_read(&choice, cli_log(), &run->receptors, error));
    if (!status) {
        run->scoring = run->report.scoring = &run->receptors.receptors[0]->scoring;
        status = surface ? check_surface(run, error) : find_site(run, error);
    }
    if (!status && values->dock.reference) {
        status = berth_posed_read(values->dock.reference, &run->reference, error);
    }
    BERTH_THEN(open_source(run, error));
    run->files.seed = values->search.seed;
    run->files.strain_weight = values->dock.strain_weight;
    run->files.reference = values->dock.reference ? &run->reference : NULL;
    run->files.log = cli_log();
    run->files.terms = run->scoring ? &run->scoring->terms : NULL;
    run->files.receptors = run->report.receptors = &run->receptors.names;
    const struct berth_pose_paths paths = {values->out, values->scores, failures};
    if (!status && surface) {
        run->pockets.receptor = run->receptors.receptors[0];
        run->pockets.most = (size_t)values->dock.num_modes;
        status = berth_pocket_files_create(&run->pockets, &beside, error);
    }
    return status ? status : berth_pose_files_create(&run->files, &paths, error);
}

static void print_head(const struct run *run)
{
    const struct berth_ensemble *receptors = &run->receptors;
    for (size_t i = 0; i < receptors->count; i++) {
        cli_head_receptor(receptors->paths[i], run->told.facts.receptors[i],
                          receptors->receptors[i]->heavy.count, run->scoring->forcefield.name,
                          run->scoring->name);
    }
    cli_head_site(&run->told.facts);
    if (run->values->site) {
        const struct berth_surface *surface = &run->docking.surface;
        cli_print_surface(surface);
    }
    cli_head_search(&run->told.facts);
    if (run->values->dock.strain_weight > 0) {
        printf("ranked by energy%s + %g x conformer_strain\n",
               berth_file_docking_is_flexible(&run->docking) ? " + strain" : "",
               run->values->dock.strain_weight);
    }
}

/* The sink: a ligand's modes into the outputs, or a row of the failures. */
static enum berth_status add_ligand(void *context, struct berth_stream_ligand *ligand,
                                    struct berth_modes *modes, bool *stop,
                                    struct berth_error *error)
{
    struct run *run = context;
    (void)stop;
    if (modes) {
        cli_progress_hide(&run->progress);
        run->told.progress.done++;
    }
    enum berth_status status = BERTH_OK;
    if (modes && run->values->site) {
        status = berth_pocket_files_add(&run->pockets, &ligand->whole.ligand, modes, error);
    }
    status = status ? status : berth_pose_files_add(&run->files, ligand, modes, error);
    return status || !modes
               ? status
               : cli_results_add(&run->report, ligand->whole.ligand.name, modes, error);
}

static bool tend(void *context, struct berth_window *window, bool last)
{
    struct run *run = context;
    berth_api_run_watch(&run->told, window, berth_file_docking_pairs_per_atom(&run->docking));
    if (last) {
        cli_progress_hide(&run->progress);
    } else if (run->progress.terminal) {
        cli_progress_show(&run->progress, &run->told.progress);
    }
    return false;
}

static enum berth_status dock_all(struct run *run, struct berth_error *error)
{
    const struct berth_mode_sink sink = {run, add_ligand, tend};
    cli_progress_start(&run->progress, stderr, run->scoring->unit);
    return berth_file_docking_run(&run->docking, &run->source, &sink, error);
}

static void print_foot(struct run *run, double seconds)
{
    struct berth_progress *progress = &run->told.progress;
    const size_t ligands = run->files.ligands;
    const unsigned long long conformers = progress->conformers;
    progress->left_out = run->docking.stream.left_out;
    printf("%zu ligand%s, %llu conformer%s, %zu failed; %.2f s", ligands, ligands == 1 ? "" : "s",
           conformers, conformers == 1 ? "" : "s", run->files.failures.count, seconds);
    cli_foot_work(progress, seconds);
}

static enum berth_status print_profile(struct run *run, struct berth_error *error)
{
    struct cli_profile profile = {.count = 0};
    double busy;
    const enum berth_status status =
        berth_api_profile(run->docking.docking, cli_profile_take, &profile, &busy, error);
    if (!status) {
        cli_profile_print(&profile, busy);
        printf("%zu energies with gradients\n", (size_t)run->told.progress.evaluations);
    }
    return status;
}

/* Gives the files their names, and prints what is left to be printed of them. */
static enum berth_status commit(struct run *run, struct berth_error *error)
{
    cli_results_end(&run->report);
    enum berth_status status = berth_pose_files_commit(&run->files, error);
    if (!status && run->values->site) {
        status = berth_pocket_files_commit(&run->pockets, error);
        if (!status && !run->report.quiet) {
            cli_print_pockets(&run->pockets);
        }
    }
    return status;
}

/* A run that was interrupted keeps what it has done. */
static enum berth_status keep_what_is_done(struct run *run, struct berth_error *error)
{
    const size_t ligands = run->files.ligands;
    if (!ligands) {
        return error->status;
    }
    const enum berth_status status = commit(run, error);
    return status ? status
                  : berth_fail(error, BERTH_E_USAGE,
                               "interrupted after %zu ligand%s, whose poses are in %s; the others "
                               "were not docked",
                               ligands, ligands == 1 ? "" : "s", run->values->out);
}

static enum berth_status dock(struct run *run, struct berth_error *error)
{
    enum berth_status status = open_files(run, error);
    if (!status) {
        berth_drivers_limit_threads((long long)run->values->devices.cpu);
        status = cli_devices_choose(&run->devices, run->values->devices.device, error);
    }
    if (!status) {
        status = open_docking(run, error);
        BERTH_THEN(berth_api_run_describe(&run->receptors, &run->docking.settings.site,
                                          &run->devices, run->docking.docking, &run->told, error));
        run->told.facts.poses = run->level.poses;
        run->told.facts.generations = run->level.generations;
        run->files.devices = run->devices.devices;
    }
    if (status) {
        return status;
    }
    if (!run->report.quiet) {
        print_head(run);
        fflush(stdout);
    }
    const double start = berth_now();
    cli_catch_signals();
    status = dock_all(run, error);
    if (status) {
        return cli_interrupted() ? keep_what_is_done(run, error) : status;
    }
    status = commit(run, error);
    if (!status && !run->report.quiet) {
        print_foot(run, berth_now() - start);
    }
    if (!status && !run->report.quiet && run->values->search.profile) {
        status = print_profile(run, error);
    }
    if (!status) {
        berth_pose_files_warn(&run->files, run->values->dock.reference);
    }
    return status;
}

static void close_run(struct run *run)
{
    berth_pose_files_discard(&run->files);
    berth_pocket_files_discard(&run->pockets);
    cli_results_clear(&run->report);
    berth_source_close(&run->source);
    berth_ligands_plan_clear(&run->plan);
    berth_file_docking_close(&run->docking);
    berth_devices_clear(&run->devices);
    berth_api_run_clear(&run->told);
    berth_molecule_clear(&run->reference);
    berth_ensemble_clear(&run->receptors);
}

int cmd_dock(int argc, char **argv)
{
    struct berth_dock_request values = berth_dock_request();
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, BERTH_DOCK_TABLE, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON && dock_is_protein(&values, &parsed)) {
        code = dock_protein(&values, &parsed);
    } else if (code == CLI_GO_ON) {
        struct run run = {.values = &values,
                          .parsed = &parsed,
                          .report = {.quiet = values.scores && strcmp(values.scores, "-") == 0}};
        run.warnings.next = cli_log();
        run.log = berth_gather(&run.warnings);
        enum berth_status status =
            berth_search_options_level(&values.search, values.site != NULL, &run.level, &error);
        status = status ? status : dock(&run, &error);
        berth_gatherer_flush(&run.warnings);
        code = status ? cli_fatal(&error) : run.files.failures.count ? CLI_SOME_FAILED : CLI_DONE;
        const bool hangs = berth_file_docking_hangs(&run.docking);
        close_run(&run);
        if (hangs) {
            cli_leave_devices(code);
        }
    }
    berth_parsed_clear(&parsed);
    return code;
}

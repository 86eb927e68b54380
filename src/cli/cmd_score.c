/* berth score: energies of poses as they stand. */
#include "cli/common.h"
#include "options/rows.h"
#include "device/drivers.h"
#include "dock/file_scoring.h"
#include "dock/score_files.h"

struct values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *ligand, *out, *out_poses, *failures, *device;
    long long cpu;
    bool minimize;
    struct cli_refine refine;
};

static const struct cli_usage USAGE = {
    "score", "--receptor R.brec|R.pdb|R.mol2 --ligand POSES.sdf|POSES.mol2 --out FILE|-",
    "Computes the energies of molecules as they stand in the receptor's frame, on the device and\n"
    "without a search: one CSV row a molecule, in file order:\n"
    "name, energy and its terms by name (see --scoring; lower is better), clash (overlap with the\n"
    "receptor, Å), with vina and vinardo also rotors and total; with --minimize, of where each\n"
    "comes to when it goes downhill, and its strain there."};

static const struct berth_option OPTIONS[] = {
    {"receptor", BERTH_FIELD(struct values, receptor), .argument = "FILE",
     .help = BERTH_RECEPTOR_HELP, .required = true},
    {"ligand", BERTH_FIELD(struct values, ligand), .argument = "FILE",
     .help =
         "poses, Mol2 (- for standard input), SDF or PDB (all .gz too), as they stand, their types "
         "but for Mol2 those that `berth dock` gives its ligands; or a library (.blib)",
     .required = true},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE",
     .help = "CSV file to write, or - for standard output", .required = true},
    BERTH_SCORING_ROWS(struct values, forcefield.path, forcefield.scoring, "vina"),
    {"minimize", BERTH_FIELD(struct values, minimize),
     .help = "let each molecule go downhill first"},
    {"refine_torsions", BERTH_FIELD(struct values, refine.torsions),
     .help = "with --minimize: refine torsions as well"},
    {"refine_evaluations", BERTH_FIELD(struct values, refine.evaluations), .argument = "N",
     .help = "with --minimize: energies and gradients for a molecule, at most", .min = 1,
     .max = BERTH_EVALUATIONS_MAX},
    {"out_poses", BERTH_FIELD(struct values, out_poses), .argument = "FILE",
     .help = "with --minimize: the poses that it comes to, with rmsd from where they stood",
     .list = berth_pose_endings, .fallback = "none"},
    {"failures", BERTH_FIELD(struct values, failures), .argument = "FILE",
     .help = "CSV file for the molecules that failed", .fallback = "messages only"},
    {"device", BERTH_FIELD(struct values, device), .argument = "D",
     .help = "number or part of a name, as `berth devices` prints them",
     .fallback = "the fastest-looking GPU, else a CPU"},
    BERTH_CPU_ROW(struct values, cpu),
    {"config", BERTH_OPTION_CONFIG, .argument = "FILE",
     .help = "read options from a file: lines `name = value`"},
    {0}};

/* What a run of `berth score` holds. */
struct run {
    const struct values *values;
    struct berth_typed_receptor receptor;
    struct berth_failures failures;
    struct berth_source source;
    struct berth_devices devices;
    struct berth_score_files files;
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
};

static enum berth_status check_options(const struct values *values, struct berth_error *error)
{
    const struct cli_refine defaults = cli_refine_defaults();
    if (!values->minimize && (values->out_poses || values->refine.torsions ||
                              values->refine.evaluations != defaults.evaluations)) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "--out_poses, --refine_torsions and --refine_evaluations go with --minimize");
    }
    return BERTH_OK;
}

static enum berth_status open_run(struct run *run, struct berth_error *error)
{
    const struct values *values = run->values;
    const struct cli_file files[] = {
        {"receptor", values->receptor, false},          {"ligand", values->ligand, false},
        {"forcefield", values->forcefield.path, false}, {"out", values->out, true},
        {"out_poses", values->out_poses, true},         {"failures", values->failures, true}};
    enum berth_status status = check_options(values, error);
    BERTH_THEN(cli_check_files(files, sizeof files / sizeof *files, error));
    BERTH_THEN(berth_typed_receptor_read(&values->forcefield, values->receptor, cli_log(),
                                         &run->receptor, error));
    if (!status) {
        run->source = (struct berth_source){.path = values->ligand,
                                            .stop = cli_stop(),
                                            .check = cli_check_signals,
                                            .scoring = &run->receptor.scoring,
                                            .failures = &run->failures,
                                            .log = &run->log};
        status = berth_source_open(&run->source, error);
    }
    if (!status) {
        run->failures.log = cli_log();
        status = berth_failures_create(values->failures, &run->failures, error);
    }
    if (!status) {
        run->files.scoring = &run->receptor.scoring;
        run->files.minimized = values->minimize;
        status = berth_score_files_create(&run->files, values->out, values->out_poses, error);
    }
    return status;
}

/* The sink: a molecule into the files. */
static enum berth_status take(void *context, struct berth_stream_ligand *ligand,
                              struct berth_modes *modes, bool *stop, struct berth_error *error)
{
    struct run *run = context;
    (void)stop;
    return berth_score_files_add(&run->files, &run->failures, ligand, modes, error);
}

static enum berth_status compute(struct run *run, struct berth_error *error)
{
    const struct values *values = run->values;
    const struct berth_mode_sink sink = {run, take, NULL};
    berth_drivers_limit_threads(values->cpu);
    enum berth_status status = berth_devices_look(values->device, cli_log(), &run->devices, error);
    BERTH_THEN(berth_devices_choose_one(&run->devices, values->device, error));
    if (status) {
        return status;
    }
    const struct berth_file_scoring scoring = {.receptor = &run->receptor,
                                               .devices = &run->devices,
                                               .minimize = values->minimize,
                                               .refine = cli_refine_settings(&values->refine, 1),
                                               .log = cli_log()};
    cli_say("device %zu: %s", run->devices.devices[0].index, run->devices.devices[0].name);
    return berth_file_score(&scoring, &run->source, &sink, error);
}

static int score(const struct values *values)
{
    struct berth_error error;
    struct run run = {.values = values, .warnings = {.next = cli_log()}};
    run.log = berth_gather(&run.warnings);
    enum berth_status status = open_run(&run, &error);
    if (!status) {
        cli_catch_signals();
        status = compute(&run, &error);
    }
    BERTH_THEN(berth_score_files_commit(&run.files, &run.failures, &error));
    berth_gatherer_flush(&run.warnings);
    berth_score_files_discard(&run.files);
    berth_output_discard(run.failures.output);
    berth_devices_clear(&run.devices);
    berth_source_close(&run.source);
    berth_typed_receptor_clear(&run.receptor);
    if (status) {
        return cli_fatal(&error);
    }
    return run.failures.count ? CLI_SOME_FAILED : CLI_DONE;
}

int cmd_score(int argc, char **argv)
{
    struct values values = {.forcefield = berth_scoring_defaults(),
                            .refine = cli_refine_defaults()};
    struct berth_parsed parsed = {0};
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        code = score(&values);
    }
    berth_parsed_clear(&parsed);
    return code;
}

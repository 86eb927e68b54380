/* berth score: energies of poses as they stand. */
#include "cli/common.h"
#include "cli/receptors.h"

static const struct cli_usage USAGE = {
    "score", "--receptor R.brec|R.pdb|R.mol2 --ligand POSES.sdf|POSES.mol2 --out FILE|-",
    "Computes the energies of molecules as they stand in the receptor's frame, on the device and\n"
    "without a search: one CSV row a molecule, in file order.\n"
    "\n"
    "Columns: name, energy and its terms by name (see --scoring; lower is better), clash (overlap\n"
    "with the receptor, Å), of poses of a docking (SDF) also mode, with --reference also rmsd, Å,\n"
    "with vina and vinardo also rotors and total (Vina's affinity of the molecule alone); with\n"
    "--minimize, of where each comes to when it goes downhill, and its strain there; with "
    "--relax,\n"
    "of where it comes to with all coordinates free, and conformer_strain, kJ/mol by MMFF94s "
    "above\n"
    "the minimum that it comes to from there by itself; with either, if there is no --reference,\n"
    "rmsd is how far it went; of several functions also the energy by each; with --rank what it\n"
    "makes of the molecule as a ligand and as a pose; with --rescore, what the model says."};

/* What a run of `berth score` holds. */
struct run {
    struct berth_options *options;
    struct cli_receptors receptors; /* one */
    berth_devices *devices;
    bool said;                  /* which device it is */
    uint64_t failed;            /* molecules so far */
    char ligand[PATH_MAX];      /* the one that was cut out, where it is scored */
    struct berth_run_card card; /* of the molecules, where they are poses */
};

/* Says which device and unit it is, and asks for the end after a signal. */
static bool tend(void *context, const struct berth_progress *progress)
{
    struct run *run = context;
    const struct berth_device_info *device = berth_devices_get(run->devices, 0);
    run->failed = progress->failed;
    if (!run->said) {
        const struct berth_receptor_facts *facts =
            berth_receptor_describe(run->receptors.handles[0]);
        cli_say("device %zu: %s; energies by %s in %s", device->number, device->name,
                facts->functions[0], facts->unit);
        run->said = true;
    }
    return cli_interrupted();
}

static enum berth_status score(struct run *run, struct berth_error *error)
{
    struct berth_options *options = run->options;
    struct cli_receptors *receptors = &run->receptors;
    const struct cli_file files[] = {
        {"receptor", options->receptor, false},     {"ligand", options->ligand, false},
        {"forcefield", options->forcefield, false}, {"rescore", options->rescore, false},
        {"reference", options->reference, false},   {"out", options->out, true},
        {"out_poses", options->out_poses, true},    {"failures", options->failures, true}};
    const struct berth_ligand_calls calls = {.progress = tend, .context = run};
    enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    if (!status && options->ligand) {
        status = cli_receptors_cut(options->ligand, options->receptor, &run->card, &options->asked,
                                   error);
        BERTH_THEN(cli_refuse_bonded(options->ligand, &run->card, error));
    }
    receptors->paths[receptors->path_count++] = options->receptor;
    BERTH_THEN(cli_receptors_load_ranked(receptors, options, error));
    BERTH_THEN(cli_receptors_ligand(receptors, options, run->ligand, error));
    BERTH_THEN(berth_devices_find(options, cli_log(), &run->devices, error));
    if (!status) {
        cli_catch_signals();
        status = berth_score_file(receptors->handles[0], run->devices, options->ligand, options,
                                  &calls, cli_log(), error);
    }
    return cli_interrupted() || !status ? berth_check_stop(cli_stop(), error) : status;
}

int cmd_score(int argc, char **argv)
{
    struct berth_options options;
    struct berth_error error;
    int code = cli_options(&USAGE, argc, argv, &options);
    if (code == CLI_GO_ON && cli_need_ligand(&options, true, &error)) {
        code = cli_fatal(&error);
    } else if (code == CLI_GO_ON) {
        struct run run = {.options = &options};
        code = score(&run, &error) ? cli_fatal(&error) : run.failed ? CLI_SOME_FAILED : CLI_DONE;
        if (code == CLI_SOME_FAILED && options.ligand == run.ligand) {
            cli_suggest_smiles("score", &options);
        }
        berth_devices_free(run.devices);
        berth_run_card_clear(&run.card);
        cli_receptors_clear(&run.receptors);
    }
    berth_options_clear(&options);
    return code;
}

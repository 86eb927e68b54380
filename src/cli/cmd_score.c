/* berth score: energies of poses as they stand. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/rotors.h"
#include "cli/score.h"
#include "device/drivers.h"
#include "dock/rescore.h"

struct values {
    struct berth_scoring_choice forcefield;
    const char *receptor, *ligand, *out, *out_poses, *failures, *device, *config;
    long long cpu;
    bool minimize;
    struct cli_refine refine;
};

static const struct cli_usage USAGE = {
    "score", "--receptor R.brec|R.pdb|R.mol2 --ligand POSES.sdf|POSES.mol2 --out FILE|-",
    "Computes the energies of molecules as they stand in the receptor's frame, on the device and\n"
    "without a search: one CSV row a molecule, in file order:\n"
    "name, energy and its terms, by name (see --scoring; lower is better); with --minimize, of\n"
    "where each comes to when it goes downhill, and its strain there."};

static const struct berth_option OPTIONS[] = {
    {"receptor", BERTH_FIELD(struct values, receptor), .argument = "FILE",
     .help = CLI_RECEPTOR_HELP, .required = true},
    {"ligand", BERTH_FIELD(struct values, ligand), .argument = "FILE",
     .help =
         "poses, Mol2 (- for standard input), SDF or PDB (all .gz too), as they stand, their types "
         "but for Mol2 by Open Babel; or a library (.blib)",
     .required = true},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE",
     .help = "CSV file to write, or - for standard output", .required = true},
    CLI_FORCEFIELD_ROWS(struct values),
    {"minimize", BERTH_FIELD(struct values, minimize),
     .help = "let each molecule go downhill first"},
    {"refine_torsions", BERTH_FIELD(struct values, refine.torsions),
     .help = "with --minimize: turn rotatable bonds as well"},
    {"refine_evaluations", BERTH_FIELD(struct values, refine.evaluations), .argument = "N",
     .help = "with --minimize: energies and gradients for a molecule, at most", .min = 1,
     .max = BERTH_EVALUATIONS_MAX},
    {"out_poses", BERTH_FIELD(struct values, out_poses), .argument = "FILE",
     .help = "with --minimize: the poses that it comes to, .sdf or .mol2; rmsd is from where they "
             "stood",
     .fallback = "none"},
    {"failures", BERTH_FIELD(struct values, failures), .argument = "FILE",
     .help = "CSV file for the molecules that failed", .fallback = "messages only"},
    {"device", BERTH_FIELD(struct values, device), .argument = "D",
     .help = "number or part of a name, as `berth devices` prints them",
     .fallback = "the fastest-looking GPU, else a CPU"},
    CLI_CPU_ROW(struct values),
    {"config", BERTH_FIELD(struct values, config), .argument = "FILE",
     .help = "read options from a file: lines `name = value`"},
    {0}};

enum { BATCH = 1024 };

/* Molecules on their way through the device. */
struct batch {
    struct berth_packed_conformer packed[BATCH];
    char *names[BATCH];
    struct berth_terms terms[BATCH];
    size_t count;
};

static enum berth_status flush(struct berth_rescore *rescore, struct batch *batch,
                               const struct berth_scoring *scoring, struct berth_output *output,
                               struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    if (batch->count) {
        status = berth_rescore_run(rescore, batch->packed, batch->count, batch->terms, error);
    }
    for (size_t i = 0; i < batch->count; i++) {
        const struct berth_terms *terms = &batch->terms[i];
        if (!status) {
            const struct score_row row = {.name = batch->names[i],
                                          .energy = berth_terms_sum(terms),
                                          .terms = terms,
                                          .rotors = batch->packed[i].rotors};
            score_print_row(output, &row, scoring);
        }
        berth_packed_conformer_clear(&batch->packed[i]);
        free(batch->names[i]);
    }
    batch->count = 0;
    return status ? status : berth_output_check(output, error);
}

/* Packs one molecule into the batch; takes its title. */
static enum berth_status add(struct batch *batch, struct berth_molecule *molecule,
                             const struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    struct berth_packed_conformer *packed = &batch->packed[batch->count];
    enum berth_status status = berth_pack_conformer(heavy, 0, 0, packed, error);
    if (!status) {
        status = berth_rotors_count(molecule, &packed->rotors, error);
        if (status) {
            berth_packed_conformer_clear(packed);
        }
    }
    if (!status) {
        batch->names[batch->count++] = molecule->title;
        molecule->title = NULL;
    }
    return status;
}

static enum berth_status score_all(struct berth_source *source, struct berth_rescore *rescore,
                                   struct berth_output *output, struct berth_error *error)
{
    struct batch *batch = berth_alloc(1, sizeof *batch);
    enum berth_status status =
        batch ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    bool end = false;
    while (!status && !end) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        status = berth_source_next(source, &molecule, &heavy, &end, error);
        if (!status && !end) {
            status = add(batch, &molecule, &heavy, error);
        }
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
        if (!status && (end || batch->count == BATCH)) {
            status = flush(rescore, batch, source->scoring, output, error);
        }
    }
    for (size_t i = 0; batch && i < batch->count; i++) {
        berth_packed_conformer_clear(&batch->packed[i]);
        free(batch->names[i]);
    }
    free(batch);
    return status;
}

/* What a run of `berth score` holds. */
struct run {
    const struct values *values;
    struct berth_typed_receptor receptor;
    struct berth_failures failures;
    struct berth_source source;
    struct berth_devices devices;
    struct berth_output *output, *poses;
    const struct berth_pose_format *format;
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
    if (!status) {
        status = cli_check_files(files, sizeof files / sizeof *files, error);
    }
    if (!status && values->out_poses) {
        status = berth_pose_format_of(values->out_poses, &run->format, error);
    }
    if (!status) {
        status = berth_typed_receptor_read(&values->forcefield, values->receptor, cli_log(),
                                           &run->receptor, error);
    }
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
        status = berth_output_create(values->out, &run->output, error);
    }
    if (!status && values->out_poses) {
        status = berth_output_create(values->out_poses, &run->poses, error);
    }
    return status;
}

/* Scores or minimises everything, with the receptor's centre as origin. */
static enum berth_status compute(struct run *run, struct berth_error *error)
{
    struct berth_target target = {&run->receptor.scoring, &run->receptor.heavy, {{0}, {0}}};
    berth_heavy_centroid(&run->receptor.molecule, target.site.center);
    berth_drivers_limit_threads(run->values->cpu);
    enum berth_status status = cli_devices_list(&run->devices, error);
    if (!status) {
        status = berth_devices_choose_one(&run->devices, run->values->device, error);
    }
    if (status) {
        return status;
    }
    const struct berth_device *device = &run->devices.devices[0];
    cli_say("device %zu: %s", device->index, device->name);
    if (run->values->minimize) {
        const struct score_minimizing with = {device,       &target,     &run->values->refine,
                                              &run->source, run->output, run->poses,
                                              run->format};
        return score_minimize(&with, error);
    }
    struct berth_rescore *rescore;
    status = berth_rescore_create(device, &target, &rescore, error);
    if (!status) {
        score_print_header(run->output, target.scoring, false);
        status = score_all(&run->source, rescore, run->output, error);
    }
    berth_rescore_destroy(rescore);
    return status;
}

/* Gives the outputs their final names, or none of them. */
static enum berth_status commit(struct run *run, struct berth_error *error)
{
    struct berth_output **outputs[] = {&run->output, &run->poses, &run->failures.output};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof outputs / sizeof *outputs; i++) {
        status = *outputs[i] ? berth_output_sync(*outputs[i], error) : BERTH_OK;
    }
    for (size_t i = 0; !status && i < sizeof outputs / sizeof *outputs; i++) {
        status = *outputs[i] ? berth_output_commit(*outputs[i], error) : BERTH_OK;
        *outputs[i] = NULL;
    }
    return status;
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
    if (!status) {
        status = commit(&run, &error);
    }
    berth_gatherer_flush(&run.warnings);
    berth_output_discard(run.output);
    berth_output_discard(run.poses);
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

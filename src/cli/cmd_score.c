/* berth score: energies of poses as they stand. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/common.h"
#include "engine/rescore.h"

struct values {
    const char *receptor, *ligand, *forcefield, *out, *failures, *device, *config;
};

static const struct cli_usage USAGE = {
    "score", "--receptor R.mol2 --ligand POSES.mol2 --out FILE|-",
    "Computes the energies of molecules as they stand in the receptor's frame, on the device and\n"
    "without a search: one CSV row a molecule, in file order:\n"
    "name,energy,steric,electrostatic,desolvation (kJ/mol, lower is better)."};

static const struct berth_option OPTIONS[] = {
    {"receptor", BERTH_FIELD(struct values, receptor), .argument = "FILE",
     .help = "receptor: .brec from `berth prep receptor`, or Mol2", .required = true},
    {"ligand", BERTH_FIELD(struct values, ligand), .argument = "FILE",
     .help = "poses, Mol2 (.gz too; - for standard input) or a library (.blib)", .required = true},
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE",
     .help = "CSV file to write, or - for standard output", .required = true},
    {"forcefield", BERTH_FIELD(struct values, forcefield), .argument = "FILE",
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},
    {"failures", BERTH_FIELD(struct values, failures), .argument = "FILE",
     .help = "CSV file for the molecules that failed", .fallback = "messages only"},
    {"device", BERTH_FIELD(struct values, device), .argument = "D",
     .help = "number or part of a name, as `berth devices` prints them",
     .fallback = "the fastest-looking GPU, else a CPU"},
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
                               struct berth_output *output, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    if (batch->count) {
        status = berth_rescore_run(rescore, batch->packed, batch->count, batch->terms, error);
    }
    for (size_t i = 0; i < batch->count; i++) {
        const struct berth_terms *terms = &batch->terms[i];
        if (!status) {
            berth_output_csv(output, batch->names[i], ',');
            berth_output_print(output, "%.4f,%.4f,%.4f,%.4f\n",
                               terms->steric + terms->electrostatic + terms->desolvation,
                               terms->steric, terms->electrostatic, terms->desolvation);
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
    enum berth_status status =
        berth_pack_conformer(heavy, 0, 0, &batch->packed[batch->count], error);
    if (!status) {
        batch->names[batch->count++] = molecule->title;
        molecule->title = NULL;
    }
    return status;
}

static enum berth_status score_all(struct cli_source *source, struct berth_rescore *rescore,
                                   struct berth_output *output, struct berth_error *error)
{
    struct batch *batch = berth_alloc(1, sizeof *batch);
    enum berth_status status =
        batch ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    bool end = false;
    while (!status && !end) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        status = cli_source_next(source, &molecule, &heavy, &end, error);
        if (!status && !end) {
            status = add(batch, &molecule, &heavy, error);
        }
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
        if (!status && (end || batch->count == BATCH)) {
            status = flush(rescore, batch, output, error);
        }
    }
    for (size_t i = 0; batch && i < batch->count; i++) {
        berth_packed_conformer_clear(&batch->packed[i]);
        free(batch->names[i]);
    }
    free(batch);
    return status;
}

/* Opens the device that was asked for, with the receptor's centre as origin. */
static enum berth_status open_device(const struct values *values,
                                     const struct cli_receptor *receptor,
                                     struct berth_rescore **rescore, struct berth_error *error)
{
    struct berth_devices devices = {0};
    struct berth_target target = {&receptor->forcefield, &receptor->heavy, {{0}, {0}}};
    berth_heavy_centroid(&receptor->molecule, target.site.center);
    enum berth_status status = berth_devices_list(&devices, error);
    if (!status) {
        status = berth_devices_choose(&devices, values->device, error);
    }
    if (!status) {
        const struct berth_device *device = &devices.devices[0];
        fprintf(stderr, "berth: device %zu: %s\n", device->index, device->name);
        status = berth_rescore_create(device, &target, rescore, error);
    }
    berth_devices_clear(&devices);
    return status;
}

static int score(const struct values *values)
{
    struct berth_error error;
    struct cli_receptor receptor = {0};
    struct cli_failures failures = {0};
    struct berth_rescore *rescore = NULL;
    struct berth_output *output = NULL;
    struct cli_source source = {
        .path = values->ligand, .forcefield = &receptor.forcefield, .failures = &failures};
    const struct cli_file files[] = {{"receptor", values->receptor, false},
                                     {"ligand", values->ligand, false},
                                     {"forcefield", values->forcefield, false},
                                     {"out", values->out, true},
                                     {"failures", values->failures, true}};
    enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, &error);
    if (!status) {
        status = cli_receptor_read(values->forcefield, values->receptor, &receptor, &error);
    }
    if (!status) {
        status = cli_source_open(&source, &error);
    }
    if (!status) {
        status = cli_failures_create(values->failures, &failures, &error);
    }
    if (!status) {
        status = berth_output_create(values->out, &output, &error);
    }
    if (!status) {
        status = open_device(values, &receptor, &rescore, &error);
    }
    if (!status) {
        berth_output_print(output, "name,energy,steric,electrostatic,desolvation\n");
        status = score_all(&source, rescore, output, &error);
    }
    if (!status && failures.output) {
        status = berth_output_sync(failures.output, &error);
    }
    if (!status) {
        status = berth_output_commit(output, &error);
        output = NULL;
    }
    if (!status && failures.output) {
        status = berth_output_commit(failures.output, &error);
        failures.output = NULL;
    }
    berth_output_discard(output);
    berth_output_discard(failures.output);
    berth_rescore_destroy(rescore);
    cli_source_close(&source);
    cli_receptor_clear(&receptor);
    if (status) {
        return cli_fatal(&error);
    }
    return failures.count ? CLI_SOME_FAILED : CLI_DONE;
}

int cmd_score(int argc, char **argv)
{
    struct values values = {0};
    struct berth_parsed parsed = {0};
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        code = score(&values);
    }
    berth_parsed_clear(&parsed);
    return code;
}

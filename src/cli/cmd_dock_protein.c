/* berth dock --protein: a protein into a receptor, over its whole surface or in a box. */
#include <string.h>

#include "api/api.h"
#include "cli/dock.h"
#include "device/drivers.h"
#include "cli/text_docking.h"

/* What is about the torsions of small ligands, or how they are searched. */
static const char *const NOT_FOR_PROTEINS[] = {"search",
                                               "exhaustiveness",
                                               "poses",
                                               "generations",
                                               "parents",
                                               "refine",
                                               "hops",
                                               "refine_torsions",
                                               "refine_evaluations",
                                               "out_also",
                                               "out_each",
                                               "separate",
                                               "failures",
                                               "max_clash",
                                               "strain_weight",
                                               "batch",
                                               "check",
                                               "profile",
                                               "ph",
                                               "keep_protonation",
                                               "protomers",
                                               "min_population",
                                               "stereo",
                                               "any_stereo",
                                               "ligand_id",
                                               "ligand_smiles",
                                               "allow_occupied",
                                               "box",
                                               "flexible_residues",
                                               "flexible_within",
                                               "flexible_most",
                                               "covalent",
                                               "restraints",
                                               "template",
                                               "db"};

static enum berth_status check_options(const struct berth_dock_request *values,
                                       const struct berth_parsed *parsed, bool boxed,
                                       struct berth_error *error)
{
    if (!values->protein) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--rotation_spacing and --starts say nothing without --protein");
    }
    if (values->dock.site && (strcmp(values->dock.site, "surface") != 0 || boxed)) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--site %s: --protein has the whole surface anyway, or a box",
                          values->dock.site);
    }
    for (size_t i = 0; i < sizeof NOT_FOR_PROTEINS / sizeof *NOT_FOR_PROTEINS; i++) {
        if (berth_options_given(BERTH_DOCK_TABLE, parsed, NOT_FOR_PROTEINS[i])) {
            return berth_fail(error, BERTH_E_USAGE,
                              "--%s says nothing with --protein, whose search is set by "
                              "--rotation_spacing and --starts",
                              NOT_FOR_PROTEINS[i]);
        }
    }
    return BERTH_OK;
}

static enum berth_status execute(const struct berth_dock_request *values,
                                 const struct berth_parsed *parsed, struct berth_protein_run *run,
                                 struct berth_error *error)
{
    const struct berth_protein_paths paths = {values->receptor, values->ligand,
                                              values->dock.reference, values->dock.out,
                                              values->dock.scores};
    const struct cli_file files[] = {{"receptor", paths.receptor, false},
                                     {"ligand", paths.ligand, false},
                                     {"reference", paths.reference, false},
                                     {"forcefield", values->target.forcefield, false},
                                     {"out", paths.out, true},
                                     {"scores", paths.scores, true}};
    const struct berth_scoring_choice choice = {values->target.forcefield, values->target.scoring,
                                                NULL};
    struct berth_site box;
    struct berth_molecule about = {0};
    struct berth_devices devices = {0};
    bool boxed = false;
    const double start = berth_now();
    enum berth_status status =
        berth_api_box(&values->target.box, cli_log(), &boxed, &box, &about, error);
    berth_molecule_clear(&about);
    status = status ? status : check_options(values, parsed, boxed, error);
    status = status ? status : cli_check_files(files, sizeof files / sizeof *files, error);
    BERTH_THEN(berth_protein_run_open(&paths, &choice, cli_log(), run, error));
    if (!status) {
        berth_drivers_limit_threads((long long)values->devices.cpu);
        status = cli_devices_choose(&devices, values->devices.device, error);
    }
    if (!status) {
        struct berth_protein_settings settings = {.sampling = berth_protein_sampling_defaults(),
                                                  .box = boxed ? &box : NULL,
                                                  .modes = (size_t)values->dock.num_modes,
                                                  .min_rmsd = values->dock.min_rmsd,
                                                  .energy_range = values->dock.energy_range,
                                                  .seed = values->search.seed,
                                                  .variant = values->search.variant,
                                                  .stop = cli_stop(),
                                                  .log = cli_log()};
        settings.sampling.rotation_spacing = values->rotation_spacing;
        settings.sampling.wanted = (size_t)values->starts;
        cli_catch_signals();
        status = berth_protein_run_dock(run, &paths, &devices.devices[0], &settings, error);
    }
    if (!status && !(paths.scores && strcmp(paths.scores, "-") == 0)) {
        cli_print_protein(run, berth_now() - start);
    }
    berth_devices_clear(&devices);
    return status;
}

bool dock_is_protein(const struct berth_dock_request *values, const struct berth_parsed *parsed)
{
    return values->protein || berth_options_given(BERTH_DOCK_TABLE, parsed, "rotation_spacing") ||
           berth_options_given(BERTH_DOCK_TABLE, parsed, "starts");
}

int dock_protein(struct berth_dock_request *values, const struct berth_parsed *parsed)
{
    struct berth_protein_run run = {0};
    struct berth_error error;
    if (!berth_options_given(BERTH_DOCK_TABLE, parsed, "scoring")) {
        values->target.scoring = "bude";
    }
    if (!berth_options_given(BERTH_DOCK_TABLE, parsed, "min_rmsd")) {
        values->dock.min_rmsd = 4;
    }
    if (!berth_options_given(BERTH_DOCK_TABLE, parsed, "num_modes")) {
        values->dock.num_modes = 10;
    }
    const enum berth_status status = execute(values, parsed, &run, &error);
    berth_protein_run_clear(&run);
    return status ? cli_fatal(&error) : CLI_DONE;
}

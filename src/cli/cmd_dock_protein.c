/* berth dock --protein: a protein into a receptor, over its whole surface or in a box. */
#include <string.h>

#include "cli/dock.h"
#include "device/drivers.h"
#include "cli/text_docking.h"
#include "run/exclusions.h"
#include "run/receptor.h"

static enum berth_status check_options(const struct berth_options *options, bool boxed,
                                       struct berth_error *error)
{
    const struct berth_choices choices = {.options = options};
    if (!options->protein) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--rotation_spacing and --starts say nothing without --protein");
    }
    if (options->site && (strcmp(options->site, "surface") != 0 || boxed)) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--site %s: --protein has the whole surface anyway, or a box",
                          options->site);
    }
    return berth_choices_check(&choices, error);
}

static enum berth_status execute(const struct berth_options *values, struct berth_protein_run *run,
                                 struct berth_error *error)
{
    const struct berth_protein_paths paths = {values->receptor, values->ligand, values->reference,
                                              values->out, values->scores};
    const struct cli_file files[] = {{"receptor", paths.receptor, false},
                                     {"ligand", paths.ligand, false},
                                     {"reference", paths.reference, false},
                                     {"forcefield", values->forcefield, false},
                                     {"out", paths.out, true},
                                     {"scores", paths.scores, true}};
    const struct berth_scoring_choice choice = {values->forcefield, values->scoring, NULL};
    struct berth_site box;
    struct berth_molecule about = {0};
    struct berth_devices devices = {0};
    bool boxed = false;
    const double start = berth_now();
    enum berth_status status = berth_box_of(values, cli_log(), &boxed, &box, &about, error);
    berth_molecule_clear(&about);
    status = status ? status : check_options(values, boxed, error);
    status = status ? status : cli_check_files(files, sizeof files / sizeof *files, error);
    BERTH_THEN(berth_protein_run_open(&paths, &choice, cli_log(), run, error));
    if (!status) {
        berth_drivers_limit_threads((long long)values->cpu);
        status = cli_devices_choose(&devices, values->device, error);
    }
    if (!status) {
        struct berth_protein_settings settings = {.sampling = berth_protein_sampling_defaults(),
                                                  .box = boxed ? &box : NULL,
                                                  .modes = (size_t)values->num_modes,
                                                  .min_rmsd = values->min_rmsd,
                                                  .energy_range = values->energy_range,
                                                  .seed = values->seed,
                                                  .variant = values->variant,
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

bool dock_is_protein(const struct berth_options *options)
{
    return options->protein || berth_options_has(options, "rotation_spacing") ||
           berth_options_has(options, "starts");
}

int dock_protein(struct berth_options *options)
{
    struct berth_protein_run run = {0};
    struct berth_error error;
    if (!berth_options_has(options, "scoring")) {
        options->scoring = "bude";
    }
    if (!berth_options_has(options, "min_rmsd")) {
        options->min_rmsd = 4;
    }
    if (!berth_options_has(options, "num_modes")) {
        options->num_modes = 10;
    }
    const enum berth_status status = execute(options, &run, &error);
    berth_protein_run_clear(&run);
    return status ? cli_fatal(&error) : CLI_DONE;
}

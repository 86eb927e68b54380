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

static enum berth_status execute(struct berth_protein_run *run, struct berth_error *error)
{
    const struct berth_options *options = run->options;
    const struct cli_file files[] = {{"receptor", options->receptor, false},
                                     {"ligand", options->ligand, false},
                                     {"reference", options->reference, false},
                                     {"forcefield", options->forcefield, false},
                                     {"out", options->out, true},
                                     {"scores", options->scores, true}};
    struct berth_site box;
    struct berth_molecule about = {0};
    struct berth_devices devices = {0};
    bool boxed = false;
    const double start = berth_now();
    enum berth_status status = berth_box_of(options, cli_log(), &boxed, &box, &about, error);
    run->box = boxed ? &box : NULL;
    berth_molecule_clear(&about);
    BERTH_THEN(check_options(options, boxed, error));
    BERTH_THEN(cli_check_files(files, sizeof files / sizeof *files, error));
    BERTH_THEN(berth_protein_run_open(run, error));
    if (!status) {
        berth_drivers_limit_threads((long long)options->cpu);
        status = cli_devices_choose(&devices, options->device, error);
    }
    if (!status) {
        cli_catch_signals();
        status = berth_protein_run_dock(run, &devices.devices[0], error);
    }
    if (!status && !(options->scores && strcmp(options->scores, "-") == 0)) {
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
    struct berth_protein_run run = {.options = options, .log = cli_log()};
    struct berth_error error;
    options->stop = cli_stop();
    if (!berth_options_has(options, "scoring")) {
        options->scoring = "bude";
    }
    if (!berth_options_has(options, "min_rmsd")) {
        options->min_rmsd = 4;
    }
    if (!berth_options_has(options, "num_modes")) {
        options->num_modes = 10;
    }
    const enum berth_status status = execute(&run, &error);
    berth_protein_run_clear(&run);
    return status ? cli_fatal(&error) : CLI_DONE;
}

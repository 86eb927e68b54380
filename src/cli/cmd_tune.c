/* berth tune: the fastest variant of the energy kernel on the user's devices. */
#include <stdlib.h>

#include "check/tune.h"
#include "cli/common.h"
#include "device/tuning.h"
#include "dock/open_devices.h"
#include "cli/rows.h"

struct values {
    const char *device;
    bool dry_run;
};

static const struct cli_usage USAGE = {
    "tune", "[options]",
    "Tries variants of the energy kernel on each device, checks the energies of each against a\n"
    "double-precision reference, and stores the fastest for all later runs.  Takes about a minute "
    "a\n"
    "device, which should have nothing else to do."};

static const struct berth_option OPTIONS[] = {
    {"device", BERTH_FIELD(struct values, device), .argument = "D", .words = "all",
     .help = CLI_DEVICES_HELP, .fallback = "all"},
    {"dry_run", BERTH_FIELD(struct values, dry_run), .help = "store nothing"},
    {0}};

static void print_candidate(void *context, const struct berth_candidate *candidate)
{
    (void)context;
    char text[BERTH_VARIANT_TEXT];
    berth_variant_print(&candidate->variant, text);
    if (*candidate->refusal) {
        printf("%12s  %8s  %s: %s\n", "-", "-", text, candidate->refusal);
    } else {
        printf("%12.4g  %8.5f  %s\n", candidate->interactions_per_s, candidate->largest_error,
               text);
    }
    fflush(stdout);
}

/* Finds the fastest variant and stores it, unless dry_run; prints each that was tried.  Where
 * nothing can be printed it does nothing. */
static enum berth_status tune_device(const struct berth_device *device,
                                     const struct berth_scoring *scoring, bool dry_run,
                                     struct berth_error *error)
{
    const struct berth_tune_setup setup = {device, scoring, print_candidate, NULL};
    struct berth_candidate best;
    char text[BERTH_VARIANT_TEXT];
    char *path = NULL;
    printf("device %zu: %s, driver %s\n%12s  %8s  variant\n", device->index, device->name,
           device->driver, "covered/s", "error");
    if (fflush(stdout) != 0) { /* which is said in the end, but a minute's work is for nothing */
        return BERTH_OK;
    }
    enum berth_status status = berth_tune_run(&setup, &best, error);
    if (status) {
        return status;
    }
    berth_variant_print(&best.variant, text);
    printf("fastest: %s\n", text);
    if (!dry_run) {
        status = berth_tuning_store(device, text, &path, error);
    }
    if (path) {
        cli_print("stored in %s", path);
    }
    free(path);
    return status;
}

static enum berth_status tune(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    const char *wanted = values->device ? values->device : "all";
    const struct berth_scoring_choice choice = berth_scoring_published();
    struct berth_devices devices = {0};
    struct berth_scoring scoring = {0};
    enum berth_status status = berth_scoring_read(&choice, NULL, &scoring, error);
    (void)code;
    BERTH_THEN(berth_devices_look(wanted, cli_log(), &devices, error));
    BERTH_THEN(berth_devices_choose(&devices, wanted, error));
    for (size_t i = 0; !status && i < devices.count; i++) {
        status = tune_device(&devices.devices[i], &scoring, values->dry_run, error);
    }
    berth_devices_clear(&devices);
    berth_scoring_clear(&scoring);
    return status;
}

int cmd_tune(int argc, char **argv)
{
    struct values values = {0};
    return cli_run(&USAGE, OPTIONS, &values, tune, argc, argv);
}

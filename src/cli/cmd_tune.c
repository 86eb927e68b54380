/* berth tune: the fastest variant of the energy kernel on the user's devices. */
#include "cli/common.h"
#include "dock/open_devices.h"
#include "cli/text_devices.h"
#include "options/rows.h"

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
     .help = BERTH_DEVICES_HELP, .fallback = "all"},
    {"dry_run", BERTH_FIELD(struct values, dry_run), .help = "store nothing"},
    {0}};

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
        status = cli_tune_device(&devices.devices[i], &scoring, values->dry_run, error);
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

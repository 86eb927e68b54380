/* berth show-kernel: the kernels' source as a device gets it. */
#include "cli/common.h"
#include "dock/open_devices.h"
#include "cli/text_devices.h"
#include "options/rows.h"

struct values {
    struct berth_scoring_choice forcefield;
    const char *device, *variant;
};

static const struct cli_usage USAGE = {"show-kernel", "[options]",
                                       "Prints the kernels' source as the device gets it, its "
                                       "tunables set: what to look at, or to send\n"
                                       "along, when a driver misbehaves."};

static const struct berth_option OPTIONS[] = {
    {"device", BERTH_FIELD(struct values, device), .argument = "D",
     .help = "number or part of a name, as `berth devices` prints them",
     .fallback = "the fastest-looking GPU, else a CPU"},
    {"variant", BERTH_FIELD(struct values, variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    BERTH_SCORING_ROWS(struct values, forcefield.path, forcefield.scoring, "bude"),
    {0}};

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    struct berth_devices devices = {0};
    struct berth_scoring scoring = {0};
    enum berth_status status = berth_scoring_read(&values->forcefield, cli_log(), &scoring, error);
    (void)code;
    BERTH_THEN(berth_devices_look(values->device, cli_log(), &devices, error));
    BERTH_THEN(berth_devices_choose_one(&devices, values->device, error));
    if (!status) {
        berth_devices_check_tuning(&devices, cli_log());
        status = cli_print_kernel(&devices.devices[0], &scoring, values->variant, error);
    }
    berth_devices_clear(&devices);
    berth_scoring_clear(&scoring);
    return status;
}

int cmd_show_kernel(int argc, char **argv)
{
    struct values values = {.forcefield = berth_scoring_published()};
    return cli_run(&USAGE, OPTIONS, &values, execute, argc, argv);
}

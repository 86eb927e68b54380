/* berth devices: what CUDA and OpenCL offer here. */
#include "cli/common.h"
#include "cli/text_devices.h"

static const struct cli_usage USAGE = {
    "devices", "",
    "Lists the devices by CUDA and by OpenCL, numbered from 0 as --device takes them; * marks the\n"
    "default.  A GPU that both reach counts once; cuda:0 or opencl:0 names either."};

struct values {
    bool verbose;
};

static const struct berth_option OPTIONS[] = {
    {"verbose", BERTH_FIELD(struct values, verbose),
     .help = "and what --device calls each, and why CUDA has none", .letter = 'v'},
    {0}};

static enum berth_status list(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    struct berth_devices devices;
    (void)code;
    if (berth_devices_look("all", cli_log(), &devices, error)) {
        return error->status;
    }
    cli_print_devices(&devices, values->verbose);
    berth_devices_clear(&devices);
    return BERTH_OK;
}

int cmd_devices(int argc, char **argv)
{
    struct values values = {false};
    return cli_run(&USAGE, OPTIONS, &values, list, argc, argv);
}

/* berth devices: what CUDA and OpenCL offer here. */
#include "cli/common.h"

static const struct cli_usage USAGE = {
    "devices", "",
    "Lists the devices by CUDA and by OpenCL, numbered from 0 as --device takes them; * marks the\n"
    "default.  A GPU that both reach counts once; cuda:0 or opencl:0 names either."};

struct values {
    bool verbose;
};

static const struct berth_option OPTIONS[] = {
    {"verbose", BERTH_FIELD(struct values, verbose),
     .help = "also print the name that --device takes for each, and why CUDA has no device",
     .letter = 'v'},
    {0}};

static void print_device(const struct berth_device_info *device, bool verbose)
{
    static const char *const KINDS[] = {
        [BERTH_DEVICE_CPU] = "CPU", [BERTH_DEVICE_GPU] = "GPU", [BERTH_DEVICE_OTHER] = "other"};
    printf("%c %zu  %-5s %s\n", device->standard ? '*' : ' ', device->number, KINDS[device->kind],
           device->name);
    printf("           platform %s, driver %s\n", device->platform, device->driver);
    printf("           %zu compute units at %zu MHz, %.1f GiB memory, float vectors of %zu\n",
           device->compute_units, device->clock, (double)device->memory / (1024.0 * 1024 * 1024),
           device->vector_width);
    if (verbose) {
        printf("           %s", device->code);
        while ((device = device->other)) {
            printf(", also %s (platform %s, driver %s)", device->code, device->platform,
                   device->driver);
        }
        printf("\n");
    }
}

static enum berth_status list(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    berth_devices *devices;
    bool matters;
    (void)code;
    BERTH_TRY(berth_devices_list(cli_log(), &devices, error));
    for (size_t i = 0; i < berth_devices_count(devices); i++) {
        print_device(berth_devices_get(devices, i), values->verbose);
    }
    const char *note = berth_devices_note(devices, &matters);
    if (*note && (values->verbose || matters)) {
        cli_print("%s", note);
    }
    berth_devices_free(devices);
    return BERTH_OK;
}

int cmd_devices(int argc, char **argv)
{
    struct values values = {false};
    return cli_run(&USAGE, OPTIONS, &values, list, argc, argv);
}

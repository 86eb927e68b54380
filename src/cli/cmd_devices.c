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
     .help = "and what --device calls each, and why CUDA has none", .letter = 'v'},
    {0}};

static const char *kind_name(enum berth_device_kind kind)
{
    return kind == BERTH_DEVICE_GPU ? "GPU" : kind == BERTH_DEVICE_CPU ? "CPU" : "other";
}

/* By which ways the device is reached. */
static void print_names(const struct berth_devices *devices, size_t index)
{
    char name[BERTH_DEVICE_NAME];
    berth_device_name(&devices->devices[index], name);
    printf("           %s", name);
    for (size_t i = devices->count; i < devices->count + devices->others; i++) {
        const struct berth_device *other = &devices->devices[i];
        if (other->index == index) {
            berth_device_name(other, name);
            printf(", also %s (platform %s, driver %s)", name, other->platform, other->driver);
        }
    }
    printf("\n");
}

static void print_device(const struct berth_devices *devices, size_t index, bool standard,
                         bool verbose)
{
    const struct berth_device *device = &devices->devices[index];
    printf("%c %zu  %-5s %s\n", standard ? '*' : ' ', index, kind_name(device->kind), device->name);
    printf("           platform %s, driver %s\n", device->platform, device->driver);
    printf("           %zu compute units at %zu MHz, %.1f GiB memory, float vectors of %zu\n",
           device->compute_units, device->clock, (double)device->memory / (1024.0 * 1024 * 1024),
           device->vector_width);
    if (verbose) {
        print_names(devices, index);
    }
}

static enum berth_status list(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    struct berth_devices devices;
    (void)code;
    if (berth_devices_look("all", cli_log(), &devices, error)) {
        return error->status;
    }
    const size_t standard = berth_devices_default(&devices);
    for (size_t i = 0; i < devices.count; i++) {
        print_device(&devices, i, i == standard, values->verbose);
    }
    if (*devices.cuda.text && (values->verbose || devices.cuda.matters)) {
        cli_print("%s", devices.cuda.text);
    }
    berth_devices_clear(&devices);
    return BERTH_OK;
}

int cmd_devices(int argc, char **argv)
{
    struct values values = {false};
    return cli_run(&USAGE, OPTIONS, &values, list, argc, argv);
}

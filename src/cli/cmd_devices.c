/* berth devices: what OpenCL offers here. */
#include "cli/common.h"

static const struct cli_usage USAGE = {
    "devices", "",
    "Lists the OpenCL devices, numbered from 0 as --device takes them; * marks the default."};

static const struct berth_option OPTIONS[] = {{0}};

static const char *kind_name(enum berth_device_kind kind)
{
    return kind == BERTH_DEVICE_GPU ? "GPU" : kind == BERTH_DEVICE_CPU ? "CPU" : "other";
}

int cmd_devices(int argc, char **argv)
{
    struct berth_parsed parsed = {0};
    struct berth_error error;
    struct berth_devices devices;
    char none;
    const int code = cli_parse(&USAGE, OPTIONS, argc, argv, &none, &parsed);
    berth_parsed_clear(&parsed);
    if (code != CLI_GO_ON) {
        return code;
    }
    if (berth_devices_look(cli_log(), &devices, &error)) {
        return cli_fatal(&error);
    }
    const size_t standard = berth_devices_default(&devices);
    for (size_t i = 0; i < devices.count; i++) {
        const struct berth_device *device = &devices.devices[i];
        printf("%c %zu  %-5s %s\n", i == standard ? '*' : ' ', i, kind_name(device->kind),
               device->name);
        printf("           platform %s, driver %s\n", device->platform, device->driver);
        printf("           %zu compute units at %zu MHz, %.1f GiB memory, float vectors of %zu\n",
               device->compute_units, device->clock,
               (double)device->memory / (1024.0 * 1024 * 1024), device->vector_width);
    }
    berth_devices_clear(&devices);
    return CLI_DONE;
}

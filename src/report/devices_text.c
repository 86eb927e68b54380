#include "report/devices_text.h"

#include "base/text.h"

static const char *kind_name(enum berth_device_kind kind)
{
    return kind == BERTH_DEVICE_GPU ? "GPU" : kind == BERTH_DEVICE_CPU ? "CPU" : "other";
}

/* By which ways the device is reached. */
static void print_names(FILE *file, const struct berth_devices *devices, size_t index)
{
    char name[BERTH_DEVICE_NAME];
    berth_device_name(&devices->devices[index], name);
    fprintf(file, "           %s", name);
    for (size_t i = devices->count; i < devices->count + devices->others; i++) {
        const struct berth_device *other = &devices->devices[i];
        if (other->index == index) {
            berth_device_name(other, name);
            fprintf(file, ", also %s (platform %s, driver %s)", name, other->platform,
                    other->driver);
        }
    }
    fprintf(file, "\n");
}

static void print_device(FILE *file, const struct berth_devices *devices, size_t index,
                         bool verbose)
{
    const struct berth_device *device = &devices->devices[index];
    fprintf(file, "%c %zu  %-5s %s\n", index == berth_devices_default(devices) ? '*' : ' ', index,
            kind_name(device->kind), device->name);
    fprintf(file, "           platform %s, driver %s\n", device->platform, device->driver);
    fprintf(file,
            "           %zu compute units at %zu MHz, %.1f GiB memory, float vectors of %zu\n",
            device->compute_units, device->clock, (double)device->memory / (1024.0 * 1024 * 1024),
            device->vector_width);
    if (verbose) {
        print_names(file, devices, index);
    }
}

void berth_devices_print(FILE *file, const struct berth_devices *devices, bool verbose)
{
    for (size_t i = 0; i < devices->count; i++) {
        print_device(file, devices, i, verbose);
    }
    if (*devices->cuda.text && (verbose || devices->cuda.matters)) {
        berth_text_print(file, "%s", devices->cuda.text);
    }
}

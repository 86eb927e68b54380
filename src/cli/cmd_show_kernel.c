/* berth show-kernel: the kernels' source as a device gets it. */
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "engine/variant.h"

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
    CLI_FORCEFIELD_ROWS(struct values),
    {0}};

/* Prints the options' macros as definitions, so that what is printed stands by itself. */
static void print_definitions(const char *options)
{
    for (const char *at = strstr(options, "-D"); at; at = strstr(at, " -D")) {
        at += strspn(at, " -") + 1;
        const size_t name = strcspn(at, "= "), all = strcspn(at, " ");
        const int has_value = all > name;
        printf("#define %.*s %.*s\n", (int)name, at, has_value ? (int)(all - name - 1) : 1,
               has_value ? at + name + 1 : "1");
    }
}

static enum berth_status show(const struct values *values, const struct berth_device *device,
                              const struct berth_scoring *scoring, struct berth_error *error)
{
    struct berth_variant set = berth_variant_unset();
    char options[BERTH_OPTIONS_TEXT], text[BERTH_VARIANT_TEXT];
    enum berth_status status =
        values->variant ? berth_variant_parse(values->variant, &set, error) : BERTH_OK;
    const struct berth_variant variant = berth_variant_with(device, &set);
    if (!status) {
        status = berth_variant_options(&variant, device, NULL, options, error);
    }
    char *source = status ? NULL : berth_variant_source(scoring);
    if (!status && !source) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for the kernels' source");
    }
    if (!status) {
        berth_variant_print(&variant, text);
        printf("/* device %zu: %s, driver %s\n * variant: %s\n * options: %s */\n", device->index,
               device->name, device->driver, text, options);
        print_definitions(options);
        fputs(source, stdout);
    }
    free(source);
    return status;
}

int cmd_show_kernel(int argc, char **argv)
{
    struct values values = {.forcefield = berth_scoring_published()};
    struct berth_parsed parsed = {0};
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct berth_devices devices = {0};
        struct berth_scoring scoring = {0};
        struct berth_error error;
        enum berth_status status =
            berth_scoring_read(&values.forcefield, cli_log(), &scoring, &error);
        if (!status) {
            status = berth_devices_look(values.device, cli_log(), &devices, &error);
        }
        if (!status) {
            status = berth_devices_choose_one(&devices, values.device, &error);
        }
        if (!status) {
            berth_devices_check_tuning(&devices, cli_log());
            status = show(&values, &devices.devices[0], &scoring, &error);
        }
        code = status ? cli_fatal(&error) : CLI_DONE;
        berth_devices_clear(&devices);
        berth_scoring_clear(&scoring);
    }
    berth_parsed_clear(&parsed);
    return code;
}

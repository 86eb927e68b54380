/* berth show-kernel: the kernels' source as a device gets it. */
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "dock/open_devices.h"
#include "engine/variant.h"
#include "cli/rows.h"

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
    CLI_SCORING_ROWS(struct values, forcefield.path, forcefield.scoring),
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

/* The source for the scoring function, behind its options as definitions.  tunables: beside those
 * of the device; NULL: none. */
static enum berth_status print_kernel(const struct berth_device *device,
                                      const struct berth_scoring *scoring, const char *tunables,
                                      struct berth_error *error)
{
    struct berth_variant set = berth_variant_unset();
    char options[BERTH_OPTIONS_TEXT], text[BERTH_VARIANT_TEXT];
    enum berth_status status = tunables ? berth_variant_parse(tunables, &set, error) : BERTH_OK;
    const struct berth_variant variant = berth_variant_with(device, &set);
    BERTH_THEN(berth_variant_options(&variant, device, NULL, options, error));
    char *source = status ? NULL : berth_variant_source(scoring);
    if (!status && !source) {
        status = berth_out_of_memory(error, NULL);
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
        status = print_kernel(&devices.devices[0], &scoring, values->variant, error);
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

/* berth selftest: what the user's own devices compute against the reference. */
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "cli/common.h"
#include "check/selftest.h"

struct values {
    struct berth_scoring_choice forcefield;
    const char *device, *check, *build_options, *variant;
    unsigned long long seed;
    bool small;
};

static const struct cli_usage USAGE = {
    "selftest", "[options]",
    "Compares what your devices compute with a double-precision reference, on random molecules:\n"
    "random numbers, energies, gradients, maps, searches and refinement.  Drivers do miscompile.\n"
    "Exit code 0: all passed; 1: a check failed, and is named."};

static const struct berth_option OPTIONS[] = {
    {"device", BERTH_FIELD(struct values, device), .argument = "D", .words = "all",
     .help = CLI_DEVICES_HELP, .fallback = "all"},
    {"check", BERTH_FIELD(struct values, check), .argument = "NAME",
     .help = "do only checks whose names begin so", .fallback = "all"},
    CLI_FORCEFIELD_ROWS(struct values),
    {"seed", BERTH_FIELD(struct values, seed), .argument = "N", .help = "of the random inputs",
     .fallback = "the time"},
    {"small", BERTH_FIELD(struct values, small),
     .help = "few and small inputs, for a simulated device"},
    {"variant", BERTH_FIELD(struct values, variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"build_options", BERTH_FIELD(struct values, build_options), .argument = "TEXT",
     .help = "further options for the OpenCL compiler", .fallback = "none"},
    {0}};

static void print_check(void *context, const char *check, const char *failure)
{
    (void)context;
    if (failure) {
        printf("  %-16s FAILED: %s\n", check, failure);
    } else {
        printf("  %-16s ok\n", check);
    }
    fflush(stdout);
}

/* Checks the chosen devices; *failed counts the checks that failed on any. */
static enum berth_status check_devices(const struct values *values,
                                       const struct berth_scoring *scoring, size_t *failed,
                                       struct berth_error *error)
{
    struct berth_devices devices = {0};
    struct berth_variant set = berth_variant_unset();
    enum berth_status status =
        cli_devices_choose(&devices, values->device ? values->device : "all", error);
    if (!status && values->variant) {
        status = berth_variant_parse(values->variant, &set, error);
    }
    for (size_t i = 0; !status && i < devices.count; i++) {
        const struct berth_device *device = &devices.devices[i];
        printf("device %zu: %s, driver %s\n", device->index, device->name, device->driver);
        const struct berth_selftest_setup setup = {.device = device,
                                                   .variant = berth_variant_with(device, &set),
                                                   .build_options = values->build_options,
                                                   .only = values->check,
                                                   .scoring = scoring,
                                                   .seed = values->seed,
                                                   .small = values->small,
                                                   .report = print_check};
        size_t failed_here;
        status = berth_selftest_run(&setup, &failed_here, error);
        *failed += failed_here;
    }
    berth_devices_clear(&devices);
    return status;
}

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    struct berth_scoring scoring = {0};
    size_t failed = 0;
    printf("seed %llu\n", values->seed);
    enum berth_status status = berth_scoring_read(&values->forcefield, cli_log(), &scoring, error);
    BERTH_THEN(check_devices(values, &scoring, &failed, error));
    if (!status) {
        failed ? printf("%zu checks FAILED\n", failed) : printf("all checks passed\n");
        *code = failed ? CLI_FATAL : CLI_DONE;
    }
    berth_scoring_clear(&scoring);
    return status;
}

int cmd_selftest(int argc, char **argv)
{
    struct values values = {.forcefield = berth_scoring_published(),
                            .seed = (unsigned long long)time(NULL)};
    return cli_run(&USAGE, OPTIONS, &values, execute, argc, argv);
}

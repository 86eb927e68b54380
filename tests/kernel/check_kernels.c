/* check_kernels: every kernel, alone, on this machine's devices against the double-precision
 * references; what tests/kernel/test_kernels.c does in one variant, with everything to be chosen:
 * under Oclgrind, on a GPU, with a fault planted (tests/faults). */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/options.h"
#include "checks/checks.h"
#include "dock/open_devices.h"
#include "support/faults.h"

struct values {
    struct berth_scoring_choice forcefield;
    const char *device, *kernel, *build_options, *variant, *fault;
    unsigned long long seed;
    bool small, user;
};

static const struct berth_option OPTIONS[] = {
    {"device", BERTH_FIELD(struct values, device), .argument = "D",
     .help = "as `berth devices` prints them"},
    {"kernel", BERTH_FIELD(struct values, kernel), .argument = "NAME",
     .help = "check only kernels whose names begin so", .fallback = "all"},
    {"scoring", BERTH_FIELD(struct values, forcefield.scoring), .argument = "S",
     .help = "scoring function"},
    {"seed", BERTH_FIELD(struct values, seed), .argument = "N", .help = "of the random inputs",
     .fallback = "the time"},
    {"small", BERTH_FIELD(struct values, small),
     .help = "few and small inputs, for a simulated device"},
    {"user", BERTH_FIELD(struct values, user), .help = "check what `berth selftest` does, no more"},
    {"variant", BERTH_FIELD(struct values, variant), .argument = "TEXT",
     .help = "tunables, for example \"ppwi=2 unroll=8\"", .fallback = "as tuned, else by device"},
    {"build_options", BERTH_FIELD(struct values, build_options), .argument = "TEXT",
     .help = "further options for the OpenCL compiler", .fallback = "none"},
    {"fault", BERTH_FIELD(struct values, fault), .argument = "NAMES",
     .help = "files of tests/faults, planted into the kernels, with commas between",
     .fallback = "none"},
    {0}};

static void print_check(void *context, const char *kernel, const char *failure)
{
    (void)context;
    printf("  %-18s %s%s\n", kernel, failure ? "FAILED: " : "ok", failure ? failure : "");
    fflush(stdout);
}

/* Checks the devices; *failed counts the kernels that failed on any. */
static enum berth_status check_devices(const struct values *values,
                                       const struct berth_devices *devices,
                                       const struct berth_scoring *scoring, size_t *failed,
                                       struct berth_error *error)
{
    struct berth_variant set = berth_variant_unset();
    enum berth_status status =
        values->variant ? berth_variant_parse(values->variant, &set, error) : BERTH_OK;
    for (size_t i = 0; !status && i < devices->count; i++) {
        const struct berth_device *device = &devices->devices[i];
        printf("device %zu: %s, driver %s\n", device->index, device->name, device->driver);
        const struct berth_selftest_setup setup = {.device = device,
                                                   .variant = berth_variant_with(device, &set),
                                                   .build_options = values->build_options,
                                                   .only = values->kernel,
                                                   .scoring = scoring,
                                                   .seed = values->seed,
                                                   .small = values->small,
                                                   .report = print_check};
        size_t failed_here = 0;
        status = (values->user ? berth_selftest_run : checks_run)(&setup, &failed_here, error);
        *failed += failed_here;
    }
    return status;
}

static enum berth_status execute(const struct values *values, size_t *failed,
                                 struct berth_error *error)
{
    struct berth_devices devices = {0};
    struct berth_scoring scoring = {0};
    if (!faults_plant(values->fault)) {
        return berth_fail(error, BERTH_E_USAGE, "no fault %s in tests/faults", values->fault);
    }
    printf("seed %llu\n", values->seed);
    enum berth_status status = berth_scoring_read(&values->forcefield, NULL, &scoring, error);
    if (!status) {
        status = berth_devices_look(values->device, NULL, &devices, error);
    }
    if (!status) {
        status = berth_devices_keep(values->device, NULL, &devices, error);
    }
    if (!status) {
        status = check_devices(values, &devices, &scoring, failed, error);
    }
    if (!status && values->fault && !faults_planted()) {
        status = berth_fail(error, BERTH_E_USAGE, "the text of the fault %s is not in the kernels",
                            values->fault);
    }
    berth_devices_clear(&devices);
    berth_scoring_clear(&scoring);
    return status;
}

int main(int argc, char **argv)
{
    struct values values = {.device = "all",
                            .forcefield = berth_scoring_published(),
                            .seed = (unsigned long long)time(NULL)};
    const struct values defaults = values;
    struct berth_parsed parsed = {0};
    struct berth_error error;
    size_t failed = 0;
    enum berth_status status =
        berth_options_parse(OPTIONS, argc - 1, argv + 1, &values, &parsed, &error);
    if (!status && parsed.help) {
        berth_options_help(OPTIONS, &defaults, stdout);
        return 0;
    }
    status = status ? status : execute(&values, &failed, &error);
    if (status) {
        fprintf(stderr, "check_kernels: %s\n", error.message);
    } else if (failed) {
        printf("%zu kernels FAILED\n", failed);
    } else {
        printf("all kernels passed\n");
    }
    berth_parsed_clear(&parsed);
    return status || failed;
}

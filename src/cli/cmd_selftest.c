/* berth selftest: what the user's own devices compute against the reference. */
#include <time.h>

#include "cli/common.h"

static const struct cli_usage USAGE = {
    "selftest", "[options]",
    "Compares what your devices compute with a double-precision reference, on random molecules:\n"
    "random numbers, energies, gradients, maps, searches and refinement.  Drivers do miscompile.\n"
    "Exit code 0: all passed; 1: a check failed, and is named."};

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

static enum berth_status check_devices(void *context, int *code, struct berth_error *error)
{
    struct berth_options *options = context;
    berth_devices *devices = NULL;
    size_t failed = 0;
    if (!berth_options_has(options, "seed")) {
        options->seed = (uint64_t)time(NULL);
    }
    printf("seed %llu\n", (unsigned long long)options->seed);
    enum berth_status status = berth_devices_find(options, cli_log(), &devices, error);
    for (size_t i = 0; !status && i < berth_devices_count(devices); i++) {
        const struct berth_device_info *device = berth_devices_get(devices, i);
        size_t failed_here = 0;
        printf("device %zu: %s, driver %s\n", device->number, device->name, device->driver);
        status =
            berth_devices_selftest(devices, i, options, print_check, NULL, &failed_here, error);
        failed += failed_here;
    }
    if (!status) {
        failed ? printf("%zu checks FAILED\n", failed) : printf("all checks passed\n");
        *code = failed ? CLI_FATAL : CLI_DONE;
    }
    berth_devices_free(devices);
    return status;
}

int cmd_selftest(int argc, char **argv)
{
    return cli_run_options(&USAGE, check_devices, argc, argv);
}

#include <string.h>

#include "device/drivers.h"
#include "device/tuning.h"
#include "cli/common.h"
#include "dock/open_devices.h"
#include "engine/variant.h"

enum berth_status cli_devices_list(struct berth_devices *devices, struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = cli_log()};
    const struct berth_log log = berth_gather(&warnings);
    berth_drivers_prepare(&log);
    berth_gatherer_flush(&warnings);
    return berth_devices_list(devices, error);
}

static bool are_equal(const struct berth_device *a, const struct berth_device *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->driver, b->driver) == 0;
}

void cli_check_tuning(const struct berth_devices *devices)
{
    struct berth_gatherer warnings = {.next = cli_log()};
    const struct berth_log log = berth_gather(&warnings);
    berth_tuning_check(&log);
    for (size_t i = 0; i < devices->count; i++) {
        size_t first = 0;
        while (!are_equal(&devices->devices[first], &devices->devices[i])) {
            first++;
        }
        if (first == i) { /* equal devices have the same rows */
            berth_variant_tuned(&devices->devices[i], &log);
        }
    }
    berth_gatherer_flush(&warnings);
}

enum berth_status cli_devices_choose(struct berth_devices *devices, const char *text,
                                     struct berth_error *error)
{
    enum berth_status status = cli_devices_list(devices, error);
    if (!status && text) {
        status = berth_devices_choose(devices, text, error);
    } else if (!status) {
        berth_devices_keep_equal(devices);
    }
    if (!status) {
        cli_check_tuning(devices);
    }
    return status;
}

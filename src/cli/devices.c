#include "device/drivers.h"
#include "cli/common.h"
#include "dock/open_devices.h"

enum berth_status cli_devices_list(struct berth_devices *devices, struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = cli_log()};
    const struct berth_log log = berth_gather(&warnings);
    berth_drivers_prepare(&log);
    berth_gatherer_flush(&warnings);
    return berth_devices_list(devices, error);
}

void cli_check_tuning(const struct berth_devices *devices)
{
    struct berth_gatherer warnings = {.next = cli_log()};
    const struct berth_log log = berth_gather(&warnings);
    berth_devices_check_tuning(devices, &log);
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

#include "device/internal.h"

static const char *advice_on(enum berth_fault fault)
{
    switch (fault) {
    case BERTH_FAULT_MEMORY:
        return "; the device's memory does not suffice: try a smaller --batch or fewer --poses";
    case BERTH_FAULT_EITHER:
        return "; the device's memory may be exhausted (try a smaller --batch or fewer --poses), "
               "or the driver lost the device (see `berth devices` and `berth selftest`)";
    default:
        return "; the driver may have lost the device: see `berth devices` and `berth selftest`";
    }
}

enum berth_status berth_context_fail(const struct berth_context *context, const char *what,
                                     int code, struct berth_error *error)
{
    const enum berth_fault fault = context->backend->fault(code);
    return berth_fail(error, fault == BERTH_FAULT_MEMORY ? BERTH_E_DEVICE_MEMORY : BERTH_E_DEVICE,
                      "device %zu (%s): %s failed: %s (%d)%s", context->device.index,
                      context->device.name, what, context->backend->error_name(code), code,
                      advice_on(fault));
}

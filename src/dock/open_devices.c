#include "dock/open_devices.h"

#include <string.h>

#include "base/log.h"
#include "device/tuning.h"

enum berth_status berth_devices_look(const char *wanted, const struct berth_log *log,
                                     struct berth_devices *devices, struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = log};
    const struct berth_log gathered = berth_gather(&warnings);
    enum berth_status status = berth_devices_enumerate(wanted, &gathered, devices, error);
    berth_gatherer_flush(&warnings);
    return status;
}

/* Keeps all devices like the default one; the others stay behind them, as what is left. */
static void keep_equal(struct berth_devices *devices)
{
    const struct berth_device like = devices->devices[berth_devices_default(devices)];
    size_t count = 0;
    for (size_t i = 0; i < devices->count; i++) {
        const struct berth_device device = devices->devices[i];
        if (strcmp(device.name, like.name) == 0 && strcmp(device.platform, like.platform) == 0 &&
            strcmp(device.driver, like.driver) == 0) {
            memmove(devices->devices + count + 1, devices->devices + count,
                    (i - count) * sizeof device);
            devices->devices[count++] = device;
        }
    }
    devices->left = devices->count - count;
    devices->count = count;
    devices->others = 0;
}

static bool are_equal(const struct berth_device *a, const struct berth_device *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->driver, b->driver) == 0;
}

void berth_devices_check_tuning(const struct berth_devices *devices, const struct berth_log *log)
{
    struct berth_gatherer warnings = {.next = log};
    const struct berth_log gathered = berth_gather(&warnings);
    berth_tuning_check(&gathered);
    for (size_t i = 0; i < devices->count; i++) {
        size_t first = 0;
        while (!are_equal(&devices->devices[first], &devices->devices[i])) {
            first++;
        }
        if (first == i) { /* equal devices have the same rows */
            berth_variant_tuned(&devices->devices[i], &gathered);
        }
    }
    berth_gatherer_flush(&warnings);
}

enum berth_status berth_devices_keep(const char *text, const struct berth_log *log,
                                     struct berth_devices *devices, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    if (text) {
        status = berth_devices_choose(devices, text, error);
    } else {
        keep_equal(devices);
    }
    if (!status) {
        berth_devices_check_tuning(devices, log);
    }
    return status;
}

static bool is_device_error(enum berth_status status)
{
    return status == BERTH_E_DEVICE || status == BERTH_E_DEVICE_MEMORY;
}

/* Keeps of the devices those that can be opened by themselves.  Errors: as berth_docking_create,
 * where none can. */
static enum berth_status keep_working(struct berth_docking_setup setup,
                                      struct berth_devices *devices, const struct berth_log *log,
                                      struct berth_error *error)
{
    const size_t all = devices->count;
    enum berth_status status = BERTH_OK;
    size_t count = 0;
    setup.device_count = 1;
    for (size_t i = 0; i < all && (!status || is_device_error(status)); i++) {
        struct berth_docking *docking;
        setup.devices = &devices->devices[i];
        status = berth_docking_create(&setup, &docking, error);
        if (!status) {
            berth_docking_destroy(docking);
            devices->devices[count++] = devices->devices[i];
        } else if (is_device_error(status)) {
            berth_warn(log, "device", "%s; going on without this device", error->message);
        }
    }
    if (count) {
        devices->left = 0;
        devices->count = count;
    }
    return count && is_device_error(status) ? BERTH_OK : status;
}

bool berth_devices_fall_back(struct berth_devices *devices, enum berth_status status,
                             const struct berth_log *log, const struct berth_error *error)
{
    if (!is_device_error(status) || !devices->left) {
        return false;
    }
    memmove(devices->devices, devices->devices + devices->count,
            devices->left * sizeof *devices->devices);
    devices->count = devices->left;
    keep_equal(devices);
    berth_warn(log, NULL, "%s; going on with device %zu (%s)", error->message,
               devices->devices[0].index, devices->devices[0].name);
    berth_devices_check_tuning(devices, log);
    return true;
}

/* As berth_docking_on, of the devices that were kept. */
static enum berth_status open_kept(struct berth_docking_setup *setup, struct berth_devices *devices,
                                   const struct berth_log *log, struct berth_docking **docking,
                                   struct berth_error *error)
{
    setup->log = log;
    setup->devices = devices->devices;
    setup->device_count = devices->count;
    enum berth_status status = berth_docking_create(setup, docking, error);
    if (!is_device_error(status) || devices->count == 1) {
        return status;
    }
    status = keep_working(*setup, devices, log, error);
    setup->device_count = devices->count;
    return status ? status : berth_docking_create(setup, docking, error);
}

enum berth_status berth_docking_on(struct berth_docking_setup *setup, struct berth_devices *devices,
                                   const struct berth_log *log, struct berth_docking **docking,
                                   struct berth_error *error)
{
    struct berth_error why = {0};
    enum berth_status status;
    error = error ? error : &why;
    do {
        status = open_kept(setup, devices, log, docking, error);
    } while (berth_devices_fall_back(devices, status, log, error));
    return status;
}

#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "base/memory.h"
#include "check/selftest.h"
#include "device/drivers.h"
#include "dock/open_devices.h"
#include "options/tables.h"

/* Fills the facts; the same GPUs by other drivers stand behind those of a list. */
static enum berth_status describe(berth_devices *chosen, size_t standard, bool list,
                                  struct berth_error *error)
{
    const struct berth_devices *devices = &chosen->devices;
    const size_t all = devices->count + (list ? devices->others : 0);
    BERTH_TRY(berth_make(&chosen->facts, all, sizeof *chosen->facts, NULL, error));
    BERTH_TRY(berth_make(&chosen->codes, all, sizeof *chosen->codes, NULL, error));
    for (size_t i = all; i-- > 0;) {
        const struct berth_device *device = &devices->devices[i];
        struct berth_device_info *facts = &chosen->facts[i];
        berth_device_name(device, chosen->codes[i]);
        *facts = (struct berth_device_info){.number = device->index,
                                            .kind = device->kind,
                                            .name = device->name,
                                            .platform = device->platform,
                                            .driver = device->driver,
                                            .compute_units = device->compute_units,
                                            .clock = device->clock,
                                            .memory = device->memory,
                                            .standard = device->index == standard,
                                            .vector_width = device->vector_width,
                                            .code = chosen->codes[i]};
        for (size_t k = i < devices->count ? devices->count : i + 1; k < all; k++) {
            if (!facts->other && devices->devices[k].index == device->index) {
                facts->other = &chosen->facts[k];
            }
        }
    }
    return BERTH_OK;
}

void berth_device_defaults(struct berth_device_options *options, size_t size)
{
    const struct berth_device_options defaults = berth_screen_request().devices;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

enum berth_status berth_devices_find(const struct berth_device_options *options,
                                     const struct berth_log *log, berth_devices **devices,
                                     struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_screen_request asked = berth_screen_request();
    if (devices) {
        *devices = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(devices)));
    BERTH_TRY(berth_api_take(options, "berth_device_defaults", &asked.devices, sizeof asked.devices,
                             error));
    BERTH_TRY(berth_options_check(BERTH_SCREEN_TABLE, &asked, error));
    const bool list = asked.devices.list;
    const char *choice = list ? "all" : asked.devices.device;
    size_t standard = 0;
    BERTH_TRY(berth_make(devices, 1, sizeof **devices, NULL, error));
    berth_devices *found = *devices;
    berth_drivers_limit_threads((long long)asked.devices.cpu);
    enum berth_status status = berth_devices_look(choice, log, &found->devices, error);
    if (!status) {
        standard = found->devices.devices[berth_devices_default(&found->devices)].index;
    }
    if (!list) {
        BERTH_THEN(asked.devices.one ? berth_devices_choose_one(&found->devices, choice, error)
                                     : berth_devices_keep(choice, log, &found->devices, error));
    }
    BERTH_THEN(describe(found, standard, list, error));
    if (status) {
        berth_devices_free(found);
        *devices = NULL;
    }
    return status;
}

size_t berth_devices_count(const berth_devices *devices)
{
    return devices ? devices->devices.count : 0;
}

const struct berth_device_info *berth_devices_get(const berth_devices *devices, size_t i)
{
    return i < berth_devices_count(devices) ? &devices->facts[i] : NULL;
}

const char *berth_devices_note(const berth_devices *devices, bool *matters)
{
    if (!devices || !matters) {
        return NULL;
    }
    *matters = devices->devices.cuda.matters;
    return devices->devices.cuda.text;
}

void berth_devices_free(berth_devices *devices)
{
    BERTH_IN_C_LOCALE;
    if (devices) {
        berth_devices_clear(&devices->devices);
        free(devices->facts);
        free(devices->codes);
        free(devices);
    }
}

enum berth_status berth_api_copy_devices(const berth_devices *devices, struct berth_devices *copy,
                                         struct berth_error *error)
{
    const size_t count = devices->devices.count + devices->devices.left;
    BERTH_TRY(berth_make(&copy->devices, count, sizeof *copy->devices, NULL, error));
    memcpy(copy->devices, devices->devices.devices, count * sizeof *copy->devices);
    copy->count = devices->devices.count;
    copy->left = devices->devices.left;
    return BERTH_OK;
}

void berth_selftest_defaults(struct berth_selftest_options *options, size_t size)
{
    const struct berth_selftest_options defaults = berth_selftest_request().selftest;
    berth_api_give(&defaults, sizeof defaults, options, size);
}

static void ignore(void *context, const char *check, const char *failure)
{
    (void)context, (void)check, (void)failure;
}

enum berth_status berth_devices_selftest(const berth_devices *devices, size_t i,
                                         const struct berth_selftest_options *options,
                                         size_t *failed, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_selftest_options mine = berth_selftest_request().selftest;
    struct berth_scoring scoring = {0};
    struct berth_variant set = berth_variant_unset();
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(devices), BERTH_ARGUMENT(failed)));
    *failed = 0;
    BERTH_TRY(berth_api_take(options, "berth_selftest_defaults", &mine, sizeof mine, error));
    if (i >= devices->devices.count) {
        return berth_fail(error, BERTH_E_USAGE, "there is no device %zu among the %zu chosen", i,
                          devices->devices.count);
    }
    BERTH_TRY(BERTH_NEED(error, {"options->scoring", mine.scoring}));
    if (mine.variant) {
        BERTH_TRY(berth_variant_parse(mine.variant, &set, error));
    }
    const struct berth_scoring_choice choice = {mine.forcefield, mine.scoring, NULL};
    const struct berth_device *device = &devices->devices.devices[i];
    const struct berth_selftest_setup setup = {.device = device,
                                               .variant = berth_variant_with(device, &set),
                                               .build_options = mine.build_options,
                                               .scoring = &scoring,
                                               .seed = mine.seed,
                                               .only = mine.check,
                                               .small = mine.small,
                                               .report = mine.report ? mine.report : ignore,
                                               .context = mine.context};
    enum berth_status status = berth_scoring_read(&choice, NULL, &scoring, error);
    BERTH_THEN(berth_selftest_run(&setup, failed, error));
    berth_scoring_clear(&scoring);
    return status;
}

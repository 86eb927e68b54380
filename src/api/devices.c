#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "base/memory.h"
#include "check/selftest.h"
#include "device/drivers.h"
#include "dock/open_devices.h"
#include "options/options.h"

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

/* choice: NULL, or which; list: all of them, to look at; one: the first of those chosen. */
static enum berth_status find(const char *choice, bool list, bool one, const struct berth_log *log,
                              berth_devices **devices, struct berth_error *error)
{
    size_t standard = 0;
    BERTH_TRY(berth_make(devices, 1, sizeof **devices, NULL, error));
    berth_devices *found = *devices;
    enum berth_status status = berth_devices_look(choice, log, &found->devices, error);
    if (!status) {
        standard = found->devices.devices[berth_devices_default(&found->devices)].index;
    }
    if (!list) {
        BERTH_THEN(one ? berth_devices_choose_one(&found->devices, choice, error)
                       : berth_devices_keep(choice, log, &found->devices, error));
    }
    BERTH_THEN(describe(found, standard, list, error));
    if (status) {
        berth_devices_free(found);
        *devices = NULL;
    }
    return status;
}

enum berth_status berth_devices_find(const berth_options *options, const struct berth_log *log,
                                     berth_devices **devices, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_options mine;
    const struct berth_options *asked;
    if (devices) {
        *devices = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(devices)));
    enum berth_status status = berth_options_of(
        options, BERTH_RUNS_DOCK | BERTH_RUN_SCORE | BERTH_RUN_SELFTEST, &mine, &asked, error);
    if (!status) {
        berth_drivers_limit_threads((long long)asked->cpu);
    }
    BERTH_THEN(find(asked->device, false, asked->run == BERTH_RUN_SCORE, log, devices, error));
    berth_options_clear(&mine);
    return status;
}

enum berth_status berth_devices_list(const struct berth_log *log, berth_devices **devices,
                                     struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    if (devices) {
        *devices = NULL;
    }
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(devices)));
    return find("all", true, false, log, devices, error);
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

static void ignore(void *context, const char *check, const char *failure)
{
    (void)context, (void)check, (void)failure;
}

enum berth_status
berth_devices_selftest(const berth_devices *devices, size_t i, const berth_options *options,
                       void (*report)(void *context, const char *check, const char *failure),
                       void *context, size_t *failed, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_options defaults;
    const struct berth_options *asked;
    struct berth_scoring scoring = {0};
    struct berth_variant set = berth_variant_unset();
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(devices), BERTH_ARGUMENT(failed)));
    *failed = 0;
    if (i >= devices->devices.count) {
        return berth_fail(error, BERTH_E_USAGE, "there is no device %zu among the %zu chosen", i,
                          devices->devices.count);
    }
    enum berth_status status =
        berth_options_of(options, BERTH_RUN_SELFTEST, &defaults, &asked, error);
    if (!status && asked->variant) {
        status = berth_variant_parse(asked->variant, &set, error);
    }
    if (!status) {
        const struct berth_scoring_choice choice = {asked->forcefield, asked->scoring, NULL};
        const struct berth_device *device = &devices->devices.devices[i];
        const struct berth_selftest_setup setup = {.device = device,
                                                   .variant = berth_variant_with(device, &set),
                                                   .build_options = asked->build_options,
                                                   .scoring = &scoring,
                                                   .seed = asked->seed,
                                                   .only = asked->check_named,
                                                   .small = asked->small,
                                                   .report = report ? report : ignore,
                                                   .context = context};
        status = berth_scoring_read(&choice, NULL, &scoring, error);
        BERTH_THEN(berth_selftest_run(&setup, failed, error));
    }
    berth_scoring_clear(&scoring);
    berth_options_clear(&defaults);
    return status;
}

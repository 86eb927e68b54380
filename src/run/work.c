#include "run/work.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static enum berth_status copy_device(const struct berth_known_device *from,
                                     struct berth_known_device *to, struct berth_error *error)
{
    size_t size = 0, used = 0;
    for (size_t i = 0; i < BERTH_KNOWN; i++) {
        size += strlen(from->texts[i]) + 1;
    }
    BERTH_TRY(berth_make(&to->owned, size, 1, NULL, error));
    for (size_t i = 0; i < BERTH_KNOWN; i++) {
        to->texts[i] = strcpy(to->owned + used, from->texts[i]);
        used += strlen(from->texts[i]) + 1;
    }
    return BERTH_OK;
}

static bool is_same(const struct berth_known_device *a, const struct berth_known_device *b)
{
    bool same = true;
    for (size_t i = 0; i < BERTH_KNOWN; i++) {
        same = same && strcmp(a->texts[i], b->texts[i]) == 0;
    }
    return same;
}

enum berth_status berth_known_devices_find(struct berth_known_devices *devices,
                                           const struct berth_known_device *wanted, size_t *number,
                                           struct berth_error *error)
{
    for (*number = 0; *number < devices->count; (*number)++) {
        if (is_same(&devices->devices[*number], wanted)) {
            return BERTH_OK;
        }
    }
    BERTH_TRY(berth_reserve(&devices->devices, &devices->capacity, devices->count + 1,
                            sizeof *devices->devices, error));
    return copy_device(wanted, &devices->devices[devices->count++], error);
}

void berth_known_devices_clear(struct berth_known_devices *devices)
{
    for (size_t i = 0; i < devices->count; i++) {
        free(devices->devices[i].owned);
    }
    free(devices->devices);
    memset(devices, 0, sizeof *devices);
}

enum berth_status berth_run_work_add(struct berth_run_work *work,
                                     const struct berth_run_share *share, struct berth_error *error)
{
    size_t i = 0;
    while (i < work->count &&
           (work->shares[i].device != share->device || work->shares[i].index != share->index)) {
        i++;
    }
    if (i == work->count) {
        BERTH_TRY(berth_reserve(&work->shares, &work->capacity, work->count + 1,
                                sizeof *work->shares, error));
        work->shares[work->count++] = *share;
    } else {
        work->shares[i].conformers += share->conformers;
        work->shares[i].failed = share->failed; /* by the last run that had it */
    }
    return BERTH_OK;
}

void berth_run_work_rewind(struct berth_run_work *work)
{
    work->ligands = 0;
    work->seconds = work->atoms = 0;
    for (size_t i = 0; i < work->count; i++) {
        work->shares[i].conformers = 0;
        work->shares[i].failed = false;
    }
}

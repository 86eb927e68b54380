
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/internal.h"

static const char *advice_on(enum berth_fault fault)
{
    switch (fault) {
    case BERTH_FAULT_MEMORY:
        return "; the device's memory does not suffice: try a smaller batch or fewer poses";
    case BERTH_FAULT_EITHER:
        return "; the device's memory may be exhausted (try a smaller batch or fewer poses), "
               "or the driver lost the device (see `berth devices` and `berth selftest`)";
    default:
        return "; the driver may have lost the device: see `berth devices` and `berth selftest`";
    }
}

enum berth_status berth_context_check(const struct berth_context *context, int code,
                                      struct berth_error *error, const char *format, ...)
{
    if (!code) {
        return BERTH_OK;
    }
    const enum berth_fault fault = context->backend->fault(code);
    char what[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return berth_fail(error, fault == BERTH_FAULT_MEMORY ? BERTH_E_DEVICE_MEMORY : BERTH_E_DEVICE,
                      "device %zu (%s): %s failed: %s (%d)%s", context->device.index,
                      context->device.name, what, context->backend->error_name(code), code,
                      advice_on(fault));
}

static size_t index_of(struct berth_profile *profile, const char *kernel)
{
    size_t i = 0;
    while (i < profile->kernel_count && strcmp(profile->kernels[i].kernel, kernel) != 0) {
        i++;
    }
    if (i == profile->kernel_count && i < BERTH_PROFILE_KERNELS) {
        snprintf(profile->kernels[i].kernel, sizeof profile->kernels[i].kernel, "%s", kernel);
        profile->kernel_count++;
    }
    return i < BERTH_PROFILE_KERNELS ? i : BERTH_PROFILE_KERNELS - 1;
}

/* Waits for the launch, releases its event, and adds its time. */
static int take_time(struct berth_context *context, const struct berth_pending *pending)
{
    const struct berth_backend *backend = context->backend;
    struct berth_profiler *profiler = &context->profiler;
    struct berth_profile *profile = &profiler->profile;
    uint64_t start = 0, end = 0;
    int code = backend->wait(context->handle, pending->event);
    BERTH_NEXT(backend->times(context->handle, pending->event, &start, &end));
    backend->release_event(context->handle, pending->event);
    profile->kernels[pending->kernel].launches++;
    profile->kernels[pending->kernel].nanoseconds += end - start;
    if (!profile->first || start < profile->first) {
        profile->first = start;
    }
    const uint64_t from = start > profile->last ? start : profile->last;
    profile->busy += end > from ? end - from : 0;
    if (end > profile->last) {
        profile->last = end;
    }
    profiler->last_nanoseconds = end - start;
    return code;
}

/* Takes the times of the `count` oldest launches. */
static int settle(struct berth_context *context, size_t count)
{
    struct berth_profiler *profiler = &context->profiler;
    int code = 0;
    for (size_t i = 0; i < count; i++) {
        const int failed = take_time(context, &profiler->pending[i]);
        code = code ? code : failed;
    }
    profiler->count -= count;
    memmove(profiler->pending, profiler->pending + count,
            profiler->count * sizeof *profiler->pending);
    return code;
}

int berth_profiler_note(struct berth_context *context, const char *kernel, void *event)
{
    struct berth_profiler *profiler = &context->profiler;
    int code = 0;
    if (profiler->count == BERTH_PENDING_MAX) {
        code = settle(context, 1); /* no more: who launches may be asked to stop */
    }
    profiler->pending[profiler->count++] =
        (struct berth_pending){event, index_of(&profiler->profile, kernel)};
    return code;
}

int berth_profiler_settle(struct berth_context *context)
{
    return settle(context, context->profiler.count);
}

enum berth_status berth_context_profile(struct berth_context *context,
                                        struct berth_profile *profile, struct berth_error *error)
{
    const int code = berth_profiler_settle(context);
    *profile = context->profiler.profile;
    return berth_context_check(context, code, error, "running the kernels");
}

void berth_profile_add(struct berth_profile *sum, const struct berth_profile *other)
{
    for (size_t i = 0; i < other->kernel_count; i++) {
        struct berth_kernel_time *time = &sum->kernels[index_of(sum, other->kernels[i].kernel)];
        time->launches += other->kernels[i].launches;
        time->nanoseconds += other->kernels[i].nanoseconds;
    }
}

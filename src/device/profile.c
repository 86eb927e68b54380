#include "device/profile.h"

#include <stdio.h>
#include <string.h>

#include "device/internal.h"

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

/* Waits for the event, releases it, and adds its time. */
static cl_int take_time(struct berth_profiler *profiler, const struct berth_pending *pending)
{
    struct berth_profile *profile = &profiler->profile;
    cl_ulong start = 0, end = 0;
    cl_event event = pending->event;
    cl_int code = clWaitForEvents(1, &event);
    if (!code) {
        code =
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    }
    if (!code) {
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    }
    clReleaseEvent(event);
    profile->kernels[pending->kernel].launches++;
    profile->kernels[pending->kernel].nanoseconds += end - start;
    if (!profile->first || start < profile->first) {
        profile->first = start;
    }
    if (end > profile->last) {
        profile->last = end;
    }
    profiler->last_nanoseconds = end - start;
    return code;
}

/* Takes the times of the `count` oldest launches. */
static cl_int settle(struct berth_profiler *profiler, size_t count)
{
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; i < count; i++) {
        const cl_int failed = take_time(profiler, &profiler->pending[i]);
        code = code ? code : failed;
    }
    profiler->count -= count;
    memmove(profiler->pending, profiler->pending + count,
            profiler->count * sizeof *profiler->pending);
    return code;
}

cl_int berth_profiler_note(struct berth_profiler *profiler, const char *kernel, cl_event event)
{
    cl_int code = CL_SUCCESS;
    if (profiler->count == BERTH_PENDING_MAX) {
        code = settle(profiler, 1); /* no more: who launches may be asked to stop */
    }
    profiler->pending[profiler->count++] =
        (struct berth_pending){event, index_of(&profiler->profile, kernel)};
    return code;
}

cl_int berth_profiler_settle(struct berth_profiler *profiler)
{
    return settle(profiler, profiler->count);
}

enum berth_status berth_context_profile(struct berth_context *context,
                                        struct berth_profile *profile, struct berth_error *error)
{
    const cl_int code = berth_profiler_settle(&context->profiler);
    *profile = context->profiler.profile;
    return code ? berth_cl_fail(context, "running the kernels", code, error) : BERTH_OK;
}

double berth_profile_seconds(const struct berth_profile *profile)
{
    double seconds = 0;
    for (size_t i = 0; i < profile->kernel_count; i++) {
        seconds += 1e-9 * (double)profile->kernels[i].nanoseconds;
    }
    return seconds;
}

void berth_profile_add(struct berth_profile *sum, const struct berth_profile *other)
{
    for (size_t i = 0; i < other->kernel_count; i++) {
        struct berth_kernel_time *time = &sum->kernels[index_of(sum, other->kernels[i].kernel)];
        time->launches += other->kernels[i].launches;
        time->nanoseconds += other->kernels[i].nanoseconds;
    }
}

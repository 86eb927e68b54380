#include "device/device.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "device/drivers.h"
#include "device/internal.h"

enum { DEVICES_USUAL = 64 }; /* a driver with more is asked twice */

/* The id of the process whose drivers are up; 0: of none.  Nothing else of the library outlives its
 * handles, but drivers keep state of the process, which is inherited as this is. */
static atomic_long *owner(void)
{
    static atomic_long id;
    return &id;
}

enum berth_status berth_process_check(struct berth_error *error)
{
    const long id = atomic_load(owner());
    return !id || id == (long)getpid()
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE,
                            "this process was forked from one (%ld) that had used devices, whose "
                            "drivers do not work behind a fork: start it anew (fork and exec; in "
                            "Python multiprocessing.get_context(\"spawn\")), or use devices in "
                            "forked processes alone",
                            id);
}

/* To be called before a driver is: this process's drivers are up from here on.  Errors:
 * BERTH_E_USAGE, as berth_process_check. */
static enum berth_status claim_process(struct berth_error *error)
{
    long none = 0;
    atomic_compare_exchange_strong(owner(), &none, (long)getpid());
    return berth_process_check(error);
}

/* True where two drivers mean the same GPU: where it is on the bus says so, or, where one does not
 * know, its name. */
static bool is_same(const struct berth_device *a, const struct berth_device *b)
{
    return a->kind == BERTH_DEVICE_GPU && b->kind == BERTH_DEVICE_GPU &&
           (*a->address && *b->address ? strcmp(a->address, b->address) == 0
                                       : strcmp(a->name, b->name) == 0);
}

enum berth_status berth_devices_join(struct berth_devices *devices, size_t cuda,
                                     struct berth_error *error)
{
    struct berth_device *all = devices->devices;
    const size_t total = devices->count;
    struct berth_device *others;
    BERTH_TRY(berth_make(&others, total, sizeof *others, NULL, error));
    devices->count = cuda;
    devices->others = 0;
    for (size_t i = 0; i < total; i++) {
        size_t same = 0;
        while (same < cuda && !(i >= cuda && is_same(&all[same], &all[i]))) {
            same++;
        }
        if (i < cuda) {
            all[i].index = i;
        } else if (same == cuda) {
            all[i].index = devices->count;
            all[devices->count++] = all[i];
        } else {
            all[i].index = same;
            others[devices->others++] = all[i];
        }
    }
    memcpy(all + devices->count, others, devices->others * sizeof *others);
    free(others);
    return BERTH_OK;
}

/* True where every part of a choice names one of the backend's first `count` devices. */
static bool asks_only_for(const char *wanted, const char *backend, size_t count)
{
    const size_t length = strlen(backend);
    while (wanted) {
        char *end;
        if (strncmp(wanted, backend, length) != 0 || wanted[length] != ':' ||
            strtoull(wanted + length + 1, &end, 10) >= count || (*end && *end != ',')) {
            return false;
        }
        wanted = *end ? end + 1 : NULL;
    }
    return true;
}

/* Appends the backend's devices; *count: their number. */
static enum berth_status add_devices(const struct berth_backend *backend,
                                     struct berth_devices *devices, const struct berth_log *log,
                                     size_t *count, struct berth_error *error)
{
    size_t room = 0;
    *count = DEVICES_USUAL;
    while (*count > room) {
        room = *count;
        struct berth_device *all;
        BERTH_TRY(berth_make(&all, devices->count + room, sizeof *all, NULL, error));
        if (devices->count) {
            memcpy(all, devices->devices, devices->count * sizeof *all);
        }
        free(devices->devices);
        devices->devices = all;
        *count = backend->list(all + devices->count, room, &devices->cuda, log);
    }
    struct berth_device *added = devices->devices + devices->count;
    for (size_t i = 0; i < *count; i++) {
        added[i].backend = backend;
        added[i].number = i;
    }
    devices->count += *count;
    return BERTH_OK;
}

/* As berth_devices_enumerate, while no other thread starts drivers. */
static enum berth_status list_alone(const char *wanted, const struct berth_log *log,
                                    struct berth_devices *devices, struct berth_error *error)
{
    /* Those of all drivers that matter for what is wanted, CUDA's first. */
    enum berth_status status = BERTH_OK;
    size_t opencl, cuda = 0;
    if (!(wanted && asks_only_for(wanted, berth_opencl.name, SIZE_MAX))) {
        status = add_devices(&berth_cuda, devices, log, &cuda, error);
    }
    if (!status && (!cuda || !wanted || !asks_only_for(wanted, berth_cuda.name, cuda))) {
        status = add_devices(&berth_opencl, devices, log, &opencl, error);
    }
    bool gpu = false;
    for (size_t i = 0; i < devices->count; i++) {
        gpu = gpu || devices->devices[i].kind == BERTH_DEVICE_GPU;
    }
    const bool open_choice = !wanted || strcmp(wanted, "all") == 0;
    if (devices->cuda.matters && open_choice && !gpu && devices->count) {
        berth_warn(log, NULL, "%s; going on without the GPU", devices->cuda.text);
    }
    BERTH_THEN(devices->count ? berth_devices_join(devices, cuda, error)
                              : berth_drivers_missing(&devices->cuda, error));
    if (status) {
        berth_devices_clear(devices);
    }
    return status;
}

enum berth_status berth_devices_enumerate(const char *wanted, const struct berth_log *log,
                                          struct berth_devices *devices, struct berth_error *error)
{
    memset(devices, 0, sizeof *devices);
    BERTH_TRY(claim_process(error)); /* behind a fork the lock may be held for ever */
    pthread_mutex_lock(berth_drivers_lock());
    const enum berth_status status = list_alone(wanted, log, devices, error);
    pthread_mutex_unlock(berth_drivers_lock());
    return status;
}

void berth_device_name(const struct berth_device *device, char name[BERTH_DEVICE_NAME])
{
    snprintf(name, BERTH_DEVICE_NAME, "%s:%zu", device->backend->name, device->number);
}

void berth_devices_clear(struct berth_devices *devices)
{
    free(devices->devices);
    memset(devices, 0, sizeof *devices);
}

/* Larger is more promising: CUDA before other GPUs, these before all others; then units × clock. */
static double promise(const struct berth_device *device)
{
    double clock = device->clock ? (double)device->clock : 1000.0;
    return (double)device->compute_units * clock *
           (device->backend == &berth_cuda     ? 1e18
            : device->kind == BERTH_DEVICE_GPU ? 1e9
            : device->kind == BERTH_DEVICE_CPU ? 1.0
                                               : 1e-9);
}

size_t berth_devices_default(const struct berth_devices *devices)
{
    size_t best = 0;
    for (size_t i = 1; i < devices->count; i++) {
        if (promise(&devices->devices[i]) > promise(&devices->devices[best])) {
            best = i;
        }
    }
    return best;
}

static bool contains(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) {
            i++;
        }
        if (!part[i]) {
            return true;
        }
    }
    return false;
}

static enum berth_status no_such_device(const struct berth_devices *devices, const char *text,
                                        struct berth_error *error)
{
    char list[1024] = "";
    for (size_t i = 0; i < devices->count; i++) {
        berth_text_append(list, sizeof list, "%s%zu (%s)", i ? ", " : "", i,
                          devices->devices[i].name);
    }
    return berth_fail_option(
        error, BERTH_E_USAGE, "device", "device: no such device as '%s'; there is %s%s%s", text,
        list, devices->cuda.matters ? ".  " : "", devices->cuda.matters ? devices->cuda.text : "");
}

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

static bool is_number_of(const char *text, size_t number)
{
    errno = 0;
    return strtoull(text, NULL, 10) == number && !errno;
}

/* True for "cpu" and "gpu" of such a device. */
static bool is_of_kind(const struct berth_device *device, const char *part)
{
    return (device->kind == BERTH_DEVICE_CPU && strcasecmp(part, "cpu") == 0) ||
           (device->kind == BERTH_DEVICE_GPU && strcasecmp(part, "gpu") == 0);
}

/* True where a number, a kind, or a part of a name, asks for the device. */
static bool is_asked_for(const struct berth_device *device, const char *part, bool other)
{
    /* The number behind a backend's name: "0" of "cuda:0". */
    const size_t length = strlen(device->backend->name);
    const char *number = strncmp(part, device->backend->name, length) == 0 && part[length] == ':' &&
                                 is_number(part + length + 1)
                             ? part + length + 1
                             : NULL;
    if (number || other) {
        return number && is_number_of(number, device->number);
    }
    if (is_number(part)) {
        return is_number_of(part, device->index);
    }
    return is_of_kind(device, part) ||
           (*part && (contains(device->name, part) || contains(device->platform, part)));
}

static bool stands_in(const struct berth_device *devices, size_t count, size_t index)
{
    size_t i = 0;
    while (i < count && devices[i].index != index) {
        i++;
    }
    return i < count;
}

/* Adds the devices that the part asks for to those chosen, which it counts. */
static enum berth_status choose_part(const struct berth_devices *devices, const char *part,
                                     struct berth_device *chosen, size_t *count,
                                     struct berth_error *error)
{
    const size_t before = *count;
    for (size_t i = 0; i < devices->count + devices->others; i++) {
        const struct berth_device *device = &devices->devices[i];
        if (!is_asked_for(device, part, i >= devices->count)) {
            continue;
        }
        if (stands_in(chosen, *count, device->index)) {
            return berth_fail_option(error, BERTH_E_USAGE, "device",
                                     "device: device %zu stands there twice", device->index);
        }
        chosen[(*count)++] = *device;
    }
    return *count > before ? BERTH_OK : no_such_device(devices, part, error);
}

/* The others stay behind it, as what is left. */
static void keep_default(struct berth_devices *devices)
{
    struct berth_device *first = devices->devices;
    const size_t standard = berth_devices_default(devices);
    const struct berth_device kept = first[standard];
    memmove(first + 1, first, standard * sizeof *first);
    *first = kept;
    devices->left = devices->count - 1;
    devices->count = 1;
    devices->others = 0;
}

enum berth_status berth_devices_choose(struct berth_devices *devices, const char *text,
                                       struct berth_error *error)
{
    if (!text) {
        keep_default(devices);
    }
    if (!text || strcmp(text, "all") == 0) {
        return BERTH_OK;
    }
    struct berth_device *chosen;
    size_t count = 0;
    enum berth_status status =
        berth_make(&chosen, devices->count + devices->others, sizeof *chosen, NULL, error);
    while (!status && text) {
        char part[sizeof chosen->name];
        const size_t length = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : 0), text);
        status = choose_part(devices, part, chosen, &count, error);
        text = text[length] ? text + length + 1 : NULL;
    }
    if (!status) {
        memcpy(devices->devices, chosen, count * sizeof *chosen);
        devices->count = count;
        devices->others = 0;
    }
    free(chosen);
    return status;
}

enum berth_status berth_devices_choose_one(struct berth_devices *devices, const char *text,
                                           struct berth_error *error)
{
    BERTH_TRY(berth_devices_choose(devices, text, error));
    if (devices->count > 1 && (strcmp(text, "all") == 0 || strchr(text, ','))) {
        return berth_fail_option(error, BERTH_E_USAGE, "device",
                                 "device: '%s' means %zu devices, where one is to be named", text,
                                 devices->count);
    }
    devices->count = 1;
    return BERTH_OK;
}

enum berth_status berth_context_create(const struct berth_device *device,
                                       struct berth_context **context, struct berth_error *error)
{
    struct berth_context *made;
    *context = NULL;
    BERTH_TRY(berth_process_check(error));
    BERTH_TRY(berth_make(&made, 1, sizeof *made, NULL, error));
    const char *what = "opening it";
    made->device = *device;
    made->backend = device->backend;
    const int code = made->backend->open(device, &made->handle, &what);
    const enum berth_status status = berth_context_check(made, code, error, "%s", what);
    if (status) {
        free(made);
    } else {
        *context = made;
    }
    return status;
}

void berth_context_tell(struct berth_context *context, const struct berth_log *log)
{
    context->log = log;
}

void berth_context_keep_programs(struct berth_context *context)
{
    context->keeps = true;
}

const struct berth_device *berth_context_device(const struct berth_context *context)
{
    return &context->device;
}

int berth_context_use_queue(struct berth_context *context, int queue)
{
    const int before = context->queue;
    context->queue = queue;
    context->backend->use_queue(context->handle, queue);
    return before;
}

struct berth_traffic berth_context_traffic(const struct berth_context *context)
{
    return context->traffic;
}

enum berth_status berth_context_flush(struct berth_context *context, struct berth_error *error)
{
    const int code = context->backend->flush ? context->backend->flush(context->handle) : 0;
    return berth_context_check(context, code, error, "starting the kernels");
}

enum berth_status berth_context_finish(struct berth_context *context, struct berth_error *error)
{
    const int before = context->queue;
    enum berth_status status = BERTH_OK;
    for (int i = 0; !status && i < BERTH_QUEUES; i++) {
        berth_context_use_queue(context, i);
        status = berth_context_finish_queue(context, error);
    }
    berth_context_use_queue(context, before);
    return status;
}

enum berth_status berth_context_finish_queue(struct berth_context *context,
                                             struct berth_error *error)
{
    return berth_context_check(context, context->backend->finish(context->handle), error,
                               "running the kernels");
}

void berth_context_destroy(struct berth_context *context)
{
    if (!context) {
        return;
    }
    berth_profiler_settle(context);
    berth_programs_end(context);
    context->backend->close(context->handle);
    free(context);
}

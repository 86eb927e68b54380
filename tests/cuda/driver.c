/* NVIDIA's driver and NVRTC as tests have them where there is no GPU: libcuda.so.1 and
 * libnvrtc.so.13 in one.  Programs are compiled for the host (emulate.h); a launch runs them before
 * it returns, the items of a work-group by turns, from barrier to barrier.
 *
 *   FAKE_CUDA_DEVICES   GPUs that there are (1)
 *   FAKE_CUDA_VERSION   CUDA's version that the driver is for (13000)
 *   FAKE_CUDA_EMULATE   path of emulate.h; without it nothing compiles
 *   FAKE_CUDA_LESS      bytes that a launch is to have less of local memory than was asked for (0)
 *   FAKE_CUDA_FAIL      "cuLaunchKernel 3 719": the third call and all later ones give 719 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 1 << 17, ITEMS_MAX = 1024, LOCAL = 49152, POISON = 0xFF };

/* What this call has to give: 0, where it is to go on. */
static int planned(const char *name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int calls;
    char wanted[64];
    int from, code;
    const char *plan = getenv("FAKE_CUDA_FAIL");
    if (!plan || sscanf(plan, "%63s %d %d", wanted, &from, &code) < 3 ||
        strcmp(wanted, name) != 0) {
        return 0;
    }
    pthread_mutex_lock(&lock);
    const int call = ++calls;
    pthread_mutex_unlock(&lock);
    return call >= from ? code : 0;
}

#define CALL(name, ...)                                                                            \
    int name(__VA_ARGS__);                                                                         \
    int name(__VA_ARGS__)

static int device_count(void)
{
    const char *count = getenv("FAKE_CUDA_DEVICES");
    return count ? atoi(count) : 1;
}

CALL(cuInit, unsigned flags)
{
    (void)flags;
    return device_count() ? 0 : 100;
}

CALL(cuDriverGetVersion, int *version)
{
    const char *wanted = getenv("FAKE_CUDA_VERSION");
    *version = wanted ? atoi(wanted) : 13000;
    return 0;
}

CALL(cuDeviceGetCount, int *count)
{
    *count = device_count();
    return 0;
}

CALL(cuDeviceGet, int *device, int number)
{
    *device = number;
    return number < device_count() ? 0 : 101;
}

CALL(cuDeviceGetName, char *name, int size, int device)
{
    (void)device;
    snprintf(name, (size_t)size, "Emulated GPU");
    return 0;
}

CALL(cuDeviceTotalMem_v2, size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return 0;
}

CALL(cuDeviceGetAttribute, int *value, int attribute, int device)
{
    *value = attribute == 1    ? ITEMS_MAX
             : attribute == 8  ? LOCAL
             : attribute == 13 ? 1000000
             : attribute == 16 ? 2
             : attribute == 33 ? 1 + device
             : attribute == 75 ? 9
                               : 0;
    return 0;
}

CALL(cuDevicePrimaryCtxRetain, void **context, int device)
{
    (void)device;
    *context = context;
    return planned("cuDevicePrimaryCtxRetain");
}

CALL(cuDevicePrimaryCtxRelease_v2, int device)
{
    (void)device;
    return 0;
}

CALL(cuCtxSetCurrent, void *context)
{
    return context ? 0 : 201;
}

CALL(cuStreamCreate, void **stream, unsigned flags)
{
    (void)flags;
    *stream = stream;
    return 0;
}

CALL(cuStreamDestroy_v2, void *stream)
{
    return stream ? 0 : 400;
}

CALL(cuStreamSynchronize, void *stream)
{
    (void)stream;
    return planned("cuStreamSynchronize");
}

/* Events are times. */
CALL(cuEventCreate, void **event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof(struct timespec));
    return *event ? 0 : 2;
}

CALL(cuEventDestroy_v2, void *event)
{
    free(event);
    return 0;
}

CALL(cuEventRecord, void *event, void *stream)
{
    (void)stream;
    return clock_gettime(CLOCK_MONOTONIC, event) ? 999 : 0;
}

CALL(cuEventQuery, void *event)
{
    (void)event;
    return planned("cuEventQuery");
}

CALL(cuEventSynchronize, void *event)
{
    (void)event;
    return planned("cuEventSynchronize");
}

CALL(cuEventElapsedTime, float *ms, void *begin, void *end)
{
    const struct timespec *a = begin, *b = end;
    *ms = 1e3f * (float)(b->tv_sec - a->tv_sec) + 1e-6f * (float)(b->tv_nsec - a->tv_nsec);
    return 0;
}

CALL(cuMemAlloc_v2, uint64_t *memory, size_t size)
{
    const int plan = planned("cuMemAlloc_v2");
    void *made = plan || size > (size_t)1 << 30 ? NULL : malloc(size);
    *memory = (uint64_t)(uintptr_t)made;
    return plan ? plan : made ? 0 : 2;
}

CALL(cuMemFree_v2, uint64_t memory)
{
    free((void *)(uintptr_t)memory);
    return 0;
}

CALL(cuMemAllocHost_v2, void **memory, size_t size)
{
    *memory = malloc(size);
    return *memory ? planned("cuMemAllocHost_v2") : 2;
}

CALL(cuMemFreeHost, void *memory)
{
    free(memory);
    return 0;
}

CALL(cuMemsetD32Async, uint64_t memory, unsigned value, size_t count, void *stream)
{
    unsigned *words = (unsigned *)(uintptr_t)memory;
    (void)stream;
    for (size_t i = 0; i < count; i++) {
        words[i] = value;
    }
    return 0;
}

CALL(cuMemcpyHtoDAsync_v2, uint64_t to, const void *from, size_t size, void *stream)
{
    (void)stream;
    memcpy((void *)(uintptr_t)to, from, size);
    return planned("cuMemcpyHtoDAsync_v2");
}

CALL(cuMemcpyDtoHAsync_v2, void *to, uint64_t from, size_t size, void *stream)
{
    (void)stream;
    memcpy(to, (void *)(uintptr_t)from, size);
    return planned("cuMemcpyDtoHAsync_v2");
}

/* A module is a library of the host's. */
struct index {
    unsigned x, y, z;
};

CALL(cuModuleLoadData, void **module, const void *image)
{
    char path[] = "/tmp/berth_fake_XXXXXX";
    uint64_t size;
    const int file = mkstemp(path);
    memcpy(&size, image, sizeof size);
    const int written = write(file, (const char *)image + sizeof size, size) == (ssize_t)size;
    close(file);
    *module = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    unlink(path);
    return *module ? planned("cuModuleLoadData") : 200;
}

CALL(cuModuleUnload, void *module)
{
    (void)module; /* what threads have of it stays */
    return 0;
}

struct function {
    void (*call)(void **arguments);
    struct index *thread, *block, *block_size, *grid_size;
    void (**barrier)(void);
    void *module;
};

static void *symbol(void *module, const char *name)
{
    return dlsym(module, name);
}

CALL(cuModuleGetFunction, void **function, void *module, const char *name)
{
    char call[128];
    snprintf(call, sizeof call, "fake_call_%s", name);
    void *found = symbol(module, call);
    if (!found) {
        return 500;
    }
    struct function *made = calloc(1, sizeof *made);
    memcpy(&made->call, &found, sizeof found);
    made->thread = symbol(module, "threadIdx");
    made->block = symbol(module, "blockIdx");
    made->block_size = symbol(module, "blockDim");
    made->grid_size = symbol(module, "gridDim");
    made->barrier = symbol(module, "fake_barrier");
    made->module = module;
    *function = made;
    return 0;
}

CALL(cuModuleGetGlobal_v2, uint64_t *memory, size_t *size, void *module, const char *name)
{
    *memory = (uint64_t)(uintptr_t)symbol(module, name);
    *size = 4;
    return *memory ? 0 : 500;
}

/* The work-group that runs. */
static struct group {
    const struct function *function;
    void **arguments;
    unsigned size, item, shared; /* shared: bytes of local memory */
    ucontext_t scheduler, items[ITEMS_MAX];
    int ended[ITEMS_MAX];
    char *stacks;
} group;

static void wait_at_barrier(void)
{
    swapcontext(&group.items[group.item], &group.scheduler);
}

static void run_item(void)
{
    group.function->call(group.arguments);
    group.ended[group.item] = 1;
}

static void start_items(void)
{
    for (unsigned i = 0; i < group.size; i++) {
        getcontext(&group.items[i]);
        group.items[i].uc_stack.ss_sp = group.stacks + (size_t)i * STACK;
        group.items[i].uc_stack.ss_size = STACK;
        group.items[i].uc_link = &group.scheduler;
        makecontext(&group.items[i], run_item, 0);
        group.ended[i] = 0;
    }
}

/* Between barriers the items run one after the other, and the last one first every other time: what
 * lacks a barrier shows. */
static void run_items(void)
{
    bool backwards = false;
    for (unsigned left = group.size; left; backwards = !backwards) {
        left = 0;
        for (unsigned i = 0; i < group.size; i++) {
            group.item = backwards ? group.size - 1 - i : i;
            if (!group.ended[group.item]) {
                *group.function->thread = (struct index){group.item, 0, 0};
                swapcontext(&group.scheduler, &group.items[group.item]);
                left += !group.ended[group.item];
            }
        }
    }
}

/* Local memory holds anything when a group begins, and none is to write behind its own; false where
 * it does. */
static bool run_group(void)
{
    unsigned char *local =
        symbol(group.function->module, "berth_local_memory"); /* of this thread */
    bool kept = true;
    memset(local, POISON, LOCAL);
    start_items();
    run_items();
    for (unsigned i = group.shared; i < LOCAL; i++) {
        kept = kept && local[i] == POISON;
    }
    return kept;
}

CALL(cuLaunchKernel, void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, void *stream,
     void **arguments, void **extra)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct function *launched = function;
    const int plan = planned("cuLaunchKernel");
    bool kept = true;
    (void)stream, (void)extra;
    if (plan || !grid_x || !grid_y || grid_y > 65535 || grid_z != 1 || !block_x ||
        block_x > ITEMS_MAX || block_y != 1 || block_z != 1 || shared > LOCAL) {
        return plan ? plan : 1;
    }
    pthread_mutex_lock(&lock);
    group.function = launched;
    group.arguments = arguments;
    group.size = block_x;
    const char *text = getenv("FAKE_CUDA_LESS");
    const unsigned less = text ? (unsigned)atoi(text) : 0;
    group.shared = shared > less ? shared - less : 0;
    group.stacks = group.stacks ? group.stacks : malloc((size_t)STACK * ITEMS_MAX);
    *launched->block_size = (struct index){block_x, 1, 1};
    *launched->grid_size = (struct index){grid_x, grid_y, 1};
    *launched->barrier = wait_at_barrier;
    for (unsigned y = 0; y < grid_y; y++) {
        for (unsigned x = 0; x < grid_x; x++) {
            *launched->block = (struct index){x, y, 0};
            kept = run_group() && kept;
        }
    }
    pthread_mutex_unlock(&lock);
    return kept ? 0 : 700;
}

/* NVRTC. */
struct program {
    char *source, *log, *image; /* image: a library of the host's behind its size */
    size_t size;
};

CALL(nvrtcVersion, int *major, int *minor)
{
    *major = 13;
    *minor = 0;
    return 0;
}

CALL(nvrtcGetNumSupportedArchs, int *count)
{
    *count = 1;
    return 0;
}

CALL(nvrtcGetSupportedArchs, int *architectures)
{
    *architectures = 90;
    return 0;
}

CALL(nvrtcCreateProgram, void **program, const char *source, const char *name, int headers,
     const char *const *texts, const char *const *names)
{
    struct program *made = calloc(1, sizeof *made);
    (void)name, (void)headers, (void)texts, (void)names;
    made->source = strdup(source);
    *program = made;
    return 0;
}

CALL(nvrtcDestroyProgram, void **program)
{
    struct program *made = *program;
    free(made->source);
    free(made->log);
    free(made->image);
    free(made);
    return 0;
}

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    *size = 0;
    if (file) {
        fseek(file, 0, SEEK_END);
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = calloc(*size + 1, 1);
        *size = fread(bytes, 1, *size, file);
        fclose(file);
    }
    return bytes;
}

/* For each kernel of the preprocessed source a function that takes its arguments as the driver is
 * given them. */
static void write_calls(FILE *file, const char *source)
{
    static const char KERNEL[] = ", launch_bounds(256)";
    fprintf(file, "\nthread_local ulong berth_local_memory[%d];\n", LOCAL / 8);
    for (const char *at = strstr(source, KERNEL); at; at = strstr(at + 1, KERNEL)) {
        const char *name = strstr(at, "void") + 4;
        name += strspn(name, " \n");
        while (*name == '#') { /* a line's number */
            name += strcspn(name, "\n");
            name += strspn(name, " \n");
        }
        const int length = (int)strcspn(name, "(");
        fprintf(file, "extern \"C\" void fake_call_%.*s(void **a) { fake_call(%.*s, a); }\n",
                length, name, length, name);
    }
}

/* Runs the host's compiler in the folder; false where it refuses. */
static int host_compiler(const char *folder, const char *arguments)
{
    char command[8448];
    snprintf(command, sizeof command, "cd %s && c++ -std=c++20 -O1 -w %s >>log 2>&1", folder,
             arguments);
    return system(command) == 0;
}

/* Makes k.so of k.cpp. */
static int compile_in(const char *folder, const char *defines)
{
    char path[64];
    size_t size;
    if (!host_compiler(folder, defines)) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/k.ii", folder);
    char *source = read_all(path, &size);
    FILE *file = fopen(path, "a");
    write_calls(file, source);
    fclose(file);
    free(source);
    return host_compiler(folder, "-fPIC -shared -o k.so k.ii");
}

CALL(nvrtcCompileProgram, void *program, int count, const char *const *options)
{
    struct program *made = program;
    char folder[] = "/tmp/berth_fake_XXXXXX", command[8192], path[64];
    const char *emulate = getenv("FAKE_CUDA_EMULATE");
    if (!emulate || !mkdtemp(folder)) {
        return 6;
    }
    int used = snprintf(command, sizeof command, "-E -o k.ii k.cpp");
    for (int i = 0; i < count; i++) {
        if (strncmp(options[i], "-D", 2) == 0) {
            used += snprintf(command + used, sizeof command - (size_t)used, " '%s'", options[i]);
        }
    }
    snprintf(path, sizeof path, "%s/k.cpp", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "#include \"%s\"\n%s", emulate, made->source);
    fclose(file);
    const int compiled = compile_in(folder, command);
    size_t size;
    snprintf(path, sizeof path, "%s/log", folder);
    made->log = read_all(path, &size);
    snprintf(path, sizeof path, "%s/k.so", folder);
    char *library = compiled ? read_all(path, &size) : NULL;
    if (library) {
        const uint64_t bytes = size;
        made->size = size + sizeof bytes;
        made->image = malloc(made->size);
        memcpy(made->image, &bytes, sizeof bytes);
        memcpy(made->image + sizeof bytes, library, size);
        free(library);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) || !made->image ? 6 : 0;
}

CALL(nvrtcGetProgramLogSize, void *program, size_t *size)
{
    const struct program *made = program;
    *size = made->log ? strlen(made->log) + 1 : 1;
    return 0;
}

CALL(nvrtcGetProgramLog, void *program, char *log)
{
    const struct program *made = program;
    strcpy(log, made->log ? made->log : "");
    return 0;
}

CALL(nvrtcGetCUBINSize, void *program, size_t *size)
{
    *size = ((struct program *)program)->size;
    return 0;
}

CALL(nvrtcGetCUBIN, void *program, char *cubin)
{
    const struct program *made = program;
    memcpy(cubin, made->image, made->size);
    return 0;
}

CALL(nvrtcGetPTXSize, void *program, size_t *size)
{
    (void)program, (void)size;
    return 6;
}

CALL(nvrtcGetPTX, void *program, char *ptx)
{
    (void)program, (void)ptx;
    return 6;
}

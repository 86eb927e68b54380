#include "device/cuda/nvrtc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda/driver.h"

/* The oldest that knows C++20, whose designated initialisers the kernels have. */
enum { MAJOR_LEAST = 12 };

/* nvrtcResult */
enum { OUT_OF_MEMORY = 1, COMPILATION = 6 };

/* CALL(member, symbol, parameters); all give an nvrtcResult. */
#define CALLS(CALL)                                                                                \
    CALL(version, "nvrtcVersion", (int *major, int *minor))                                        \
    CALL(architecture_count, "nvrtcGetNumSupportedArchs", (int *count))                            \
    CALL(architectures, "nvrtcGetSupportedArchs", (int *architectures))                            \
    CALL(create, "nvrtcCreateProgram",                                                             \
         (void **program, const char *source, const char *name, int headers,                       \
          const char *const *texts, const char *const *names))                                     \
    CALL(destroy, "nvrtcDestroyProgram", (void **program))                                         \
    CALL(compile, "nvrtcCompileProgram", (void *program, int count, const char *const *options))   \
    CALL(log_size, "nvrtcGetProgramLogSize", (void *program, size_t *size))                        \
    CALL(log, "nvrtcGetProgramLog", (void *program, char *log))                                    \
    CALL(cubin_size, "nvrtcGetCUBINSize", (void *program, size_t *size))                           \
    CALL(cubin, "nvrtcGetCUBIN", (void *program, char *cubin))                                     \
    CALL(ptx_size, "nvrtcGetPTXSize", (void *program, size_t *size))                               \
    CALL(ptx, "nvrtcGetPTX", (void *program, char *ptx))

struct nvrtc {
    CALLS(BERTH_MEMBER)
};

static bool find_version(int major, char path[PATH_MAX])
{
    static const char *const FOLDERS[] = {"/usr/local/cuda/lib64",
                                          "/usr/local/cuda-*/lib64",
                                          "/usr/lib/*-linux-gnu",
                                          "/usr/lib64",
                                          "/usr/lib",
                                          "/usr/local/lib",
                                          "/usr/local/lib/python3*/*-packages/nvidia/*/lib",
                                          "/usr/lib/python3*/*-packages/nvidia/*/lib"};
    char name[32];
    snprintf(name, sizeof name, "libnvrtc.so.%d", major);
    bool found =
        berth_library_in_list(getenv("LD_LIBRARY_PATH"), name, path) ||
        berth_library_below("CUDA_PATH", "lib64", name, path) ||
        berth_library_below("CUDA_HOME", "lib64", name, path) ||
        berth_library_below("VIRTUAL_ENV", "lib/python3*/site-packages/nvidia/*/lib", name, path);
    for (size_t i = 0; !found && i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        found = berth_library_in(FOLDERS[i], name, path);
    }
    return found;
}

bool berth_nvrtc_find(int major, char path[PATH_MAX])
{
    while (major >= MAJOR_LEAST && !find_version(major, path)) {
        major--;
    }
    return major >= MAJOR_LEAST;
}

void berth_nvrtc_advise(int major, char *text, size_t size)
{
    if (major < MAJOR_LEAST) {
        snprintf(text, size, "it is for CUDA %d; CUDA %d is needed: update the driver", major,
                 MAJOR_LEAST);
        return;
    }
    snprintf(text, size,
             "its compiler NVRTC (libnvrtc.so.%d) was not found: `pip install nvidia-cuda-nvrtc%s` "
             "and put the folder nvidia/%s/lib of that environment into LD_LIBRARY_PATH, or "
             "install NVIDIA's package cuda-nvrtc-%d-0 or Debian's libnvrtc%d",
             major, major == 12 ? "-cu12" : "", major == 12 ? "cuda_nvrtc" : "cu13", major, major);
}

/* The newest architecture that the library knows, but none newer than the GPU; 0 where it knows
 * none. */
static int architecture_for(const struct nvrtc *nvrtc, int capability)
{
    int known[128], count = 0, best = 0;
    if (nvrtc->architecture_count(&count) || count > 128 || nvrtc->architectures(known)) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        best = known[i] > best && known[i] <= capability ? known[i] : best;
    }
    return best;
}

enum { OPTIONS_MAX = 128 };

/* NVRTC's options. */
struct options {
    const char *list[OPTIONS_MAX];
    int count;
    bool strict; /* warnings are errors */
    char *text;  /* what they point into, owned */
    char architecture[40];
};

/* From OpenCL's.  As its compilers do by default, divisions and square roots are the GPU's own. */
static bool make_options(const char *given, int architecture, bool binary, bool splits,
                         struct options *options)
{
    static const char *const ALWAYS[] = {"-std=c++20", "-default-device", "-prec-div=false",
                                         "-prec-sqrt=false"};
    options->count = sizeof ALWAYS / sizeof *ALWAYS;
    memcpy(options->list, ALWAYS, sizeof ALWAYS);
    snprintf(options->architecture, sizeof options->architecture, "-arch=%s_%d",
             binary ? "sm" : "compute", architecture);
    options->list[options->count++] = options->architecture;
    if (splits) {
        options->list[options->count++] = "-split-compile=0"; /* on all cores */
    }
    options->text = berth_copy_text(given);
    char *rest = options->text, *option;
    while (rest && (option = strtok_r(rest, " ", &rest)) && options->count < OPTIONS_MAX - 1) {
        options->strict = options->strict || strcmp(option, "-Werror") == 0;
        if (strcmp(option, "-cl-denorms-are-zero") == 0) {
            options->list[options->count++] = "-ftz=true";
        } else if (strncmp(option, "-cl-", 4) != 0 && strcmp(option, "-Werror") != 0) {
            options->list[options->count++] = option;
        }
    }
    if (!options->strict) {
        options->list[options->count++] = "-w";
    }
    return options->text;
}

/* The bytes that two calls give: their number, then themselves. */
static char *take(int (*size_of)(void *, size_t *), int (*get)(void *, char *), void *program,
                  size_t *size)
{
    *size = 0;
    size_of(program, size);
    char *bytes = berth_alloc(*size + 1, 1);
    if (bytes && *size && get(program, bytes)) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* True where the log has more than blanks. */
static bool says_something(const char *log)
{
    return log && log[strspn(log, " \t\r\n")];
}

int berth_nvrtc_compile(const char *path, const char *source, const char *given, int capability,
                        struct berth_nvrtc_result *result)
{
    struct nvrtc nvrtc;
    struct options options = {.count = 0};
    void *program = NULL;
    static const char *const SYMBOLS[] = {CALLS(BERTH_SYMBOL)};
    const char *missing;
    int major = 0, minor = 0;
    size_t log_size;
    memset(result, 0, sizeof *result);
    const bool loaded =
        berth_symbols_load(path, SYMBOLS, sizeof SYMBOLS / sizeof *SYMBOLS, &nvrtc, &missing);
    const int architecture = loaded ? architecture_for(&nvrtc, capability) : 0;
    if (!architecture || nvrtc.version(&major, &minor)) {
        return BERTH_NVRTC_MISSING;
    }
    const bool binary = architecture == capability;
    const bool splits = major > 12 || (major == 12 && minor >= 9);
    int code = make_options(given, architecture, binary, splits, &options)
                   ? nvrtc.create(&program, source, "kernels.cu", 0, NULL, NULL)
                   : OUT_OF_MEMORY;
    if (!code) {
        code = nvrtc.compile(program, options.count, options.list);
        result->log = take(nvrtc.log_size, nvrtc.log, program, &log_size);
    }
    if (!code && options.strict && says_something(result->log)) {
        code = COMPILATION;
    }
    if (!code) {
        result->binary =
            (unsigned char *)(binary ? take(nvrtc.cubin_size, nvrtc.cubin, program, &result->size)
                                     : take(nvrtc.ptx_size, nvrtc.ptx, program, &result->size));
        code = result->binary && result->size ? 0 : OUT_OF_MEMORY;
    }
    if (program) {
        nvrtc.destroy(&program);
    }
    free(options.text);
    return -code;
}

#include "device/onnx.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

/* The version of ONNX Runtime's interface: 1.12, which later ones have, too. */
enum { INTERFACE = 12 };

/* Its numbers: messages that are fatal, tensors of float and of int64, memory of an allocator, the
 * default one; the code of arguments that a network does not take. */
enum {
    FATAL = 4,
    FLOAT = 1,
    INT64 = 7,
    DEVICE_ALLOCATOR = 0,
    MEMORY_DEFAULT = 0,
    INVALID_ARGUMENT = 2
};

typedef void refusal; /* NULL: all went well */

/* CALL(result, member, place in the table of the interface, parameters).  Places never change. */
#define CALLS(CALL)                                                                                \
    CALL(int, code, 1, (const refusal *failure))                                                   \
    CALL(const char *, message, 2, (const refusal *failure))                                       \
    CALL(refusal *, create_environment, 3, (int level, const char *name, void **environment))      \
    CALL(refusal *, create_session, 7,                                                             \
         (void *environment, const char *file, const void *options, void **session))               \
    CALL(refusal *, run, 9,                                                                        \
         (void *session, const void *options, const char *const *names, void *const *inputs,       \
          size_t count, const char *const *output_names, size_t output_count, void **outputs))     \
    CALL(refusal *, create_options, 10, (void **options))                                          \
    CALL(refusal *, set_threads, 24, (void *options, int threads))                                 \
    CALL(refusal *, create_tensor, 49,                                                             \
         (const void *memory, void *values, size_t size, const int64_t *shape, size_t dimensions,  \
          int type, void **tensor))                                                                \
    CALL(refusal *, values, 51, (void *tensor, void **values))                                     \
    CALL(refusal *, type, 60, (const void *shape, int *type))                                      \
    CALL(refusal *, count, 64, (const void *shape, size_t *count))                                 \
    CALL(refusal *, shape, 65, (const void *tensor, void **shape))                                 \
    CALL(refusal *, name_memory, 68,                                                               \
         (const char *name, int allocator, int device, int type, void **memory))                   \
    CALL(refusal *, create_memory, 69, (int allocator, int type, void **memory))                   \
    CALL(void, release_environment, 92, (void *environment))                                       \
    CALL(void, release_status, 93, (refusal * failure))                                            \
    CALL(void, release_memory, 94, (void *memory))                                                 \
    CALL(void, release_session, 95, (void *session))                                               \
    CALL(void, release_tensor, 96, (void *tensor))                                                 \
    CALL(void, release_shape, 99, (void *shape))                                                   \
    CALL(void, release_options, 100, (void *options))                                              \
    CALL(refusal *, add_cuda, 204, (void *options, const void *cuda))                              \
    CALL(refusal *, create_cuda, 205, (void **cuda))                                               \
    CALL(refusal *, set_cuda, 206,                                                                 \
         (void *cuda, const char *const *names, const char *const *values, size_t count))          \
    CALL(void, release_cuda, 208, (void *cuda))

#define MEMBER(result, member, place, parameters) result(*member) parameters;
#define PLACE(result, member, place, parameters)  place,

struct calls {
    CALLS(MEMBER)
};

static const size_t PLACES[] = {CALLS(PLACE)};

/* What the library exports. */
struct base {
    void *const *(*interface)(uint32_t version);
    const char *(*version)(void);
};

struct exported {
    const struct base *(*base)(void);
};

struct berth_onnx {
    struct calls calls;
    char *file; /* owned */
    void *environment, *options, *session, *memory, *gpu_memory;
};

/* --- The library --- */

static bool open_base(const char *path, struct exported *exported)
{
    static const char *const SYMBOL[] = {"OrtGetApiBase"};
    const char *missing;
    return berth_symbols_load(path, SYMBOL, 1, exported, &missing);
}

/* The library of a Python's package. */
static bool find_package(char path[PATH_MAX])
{
    static const char NAME[] = "libonnxruntime.so*";
    static const char PACKAGE[] = "lib/python3*/site-packages/onnxruntime/capi";
    static const char *const FOLDERS[] = {"/usr/local/lib/python3*/*-packages/onnxruntime/capi",
                                          "/usr/lib/python3*/*-packages/onnxruntime/capi"};
    const char *python = getenv("BERTH_PYTHON");
    char beside[PATH_MAX];
    bool found = berth_library_below("VIRTUAL_ENV", PACKAGE, NAME, path);
    if (!found && python && strchr(python, '/') &&
        snprintf(beside, sizeof beside, "%.*s/../%s", (int)(strrchr(python, '/') - python), python,
                 PACKAGE) < PATH_MAX) {
        found = berth_library_in(beside, NAME, path);
    }
    found = found || berth_library_below(
                         "HOME", ".local/lib/python3*/site-packages/onnxruntime/capi", NAME, path);
    for (size_t i = 0; !found && i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        found = berth_library_in(FOLDERS[i], NAME, path);
    }
    return found;
}

static bool find(char path[PATH_MAX], struct exported *exported)
{
    static const char *const NAMES[] = {"libonnxruntime.so", "libonnxruntime.so.1"};
    const char *named = getenv("BERTH_ONNXRUNTIME");
    if (named && *named) {
        snprintf(path, PATH_MAX, "%s", named);
        return open_base(path, exported);
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        snprintf(path, PATH_MAX, "%s", NAMES[i]);
        if (open_base(path, exported)) {
            return true;
        }
    }
    return find_package(path) && open_base(path, exported);
}

/* Opens the library and takes the calls from its table. */
static enum berth_status load(char path[PATH_MAX], const struct base **base, struct calls *calls,
                              struct berth_error *error)
{
    struct exported exported;
    if (!find(path, &exported)) {
        const char *named = getenv("BERTH_ONNXRUNTIME"), *why = dlerror();
        return named && *named
                   ? berth_fail(error, BERTH_E_IO,
                                "ONNX Runtime: BERTH_ONNXRUNTIME names %s, which is not its "
                                "library (libonnxruntime.so), or cannot be loaded%s%s",
                                named, why ? ": " : "", why ? why : "")
                   : berth_fail(error, BERTH_E_IO,
                                "ONNX Runtime was not found, which computes networks: `pip install "
                                "onnxruntime` and name that Python by BERTH_PYTHON or VIRTUAL_ENV, "
                                "or the file libonnxruntime.so by BERTH_ONNXRUNTIME");
    }
    *base = exported.base();
    void *const *table = (*base)->interface(INTERFACE);
    if (!table) {
        return berth_fail(error, BERTH_E_IO,
                          "ONNX Runtime: %s is version %s, which is too old; 1.%d is needed", path,
                          (*base)->version(), INTERFACE);
    }
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        memcpy((char *)calls + i * sizeof *table, &table[PLACES[i]], sizeof *table);
    }
    return BERTH_OK;
}

enum berth_status berth_onnx_find(char path[PATH_MAX], char version[BERTH_ONNX_VERSION],
                                  struct berth_error *error)
{
    const struct base *base;
    struct calls calls;
    BERTH_TRY(load(path, &base, &calls, error));
    snprintf(version, BERTH_ONNX_VERSION, "%s", base->version());
    return BERTH_OK;
}

/* --- A network --- */

/* What became of a call.  Of a network that a GPU has begun to compute, all but what it does not
 * take is the GPU's fault. */
static enum berth_status judge(const struct berth_onnx *onnx, refusal *failure,
                               struct berth_error *error)
{
    if (!failure) {
        return BERTH_OK;
    }
    const bool gpu = onnx->gpu_memory && onnx->calls.code(failure) != INVALID_ARGUMENT;
    const enum berth_status status =
        gpu ? berth_fail_option(error, BERTH_E_DEVICE, "device",
                                "the GPU failed to compute the network %s: ONNX Runtime: %s; "
                                "with --device cpu the host computes it",
                                onnx->file, onnx->calls.message(failure))
            : berth_fail(error, BERTH_E_FORMAT, "%s: ONNX Runtime: %s", onnx->file,
                         onnx->calls.message(failure));
    onnx->calls.release_status(failure);
    return status;
}

/* Has the session's options compute on a CUDA device: in whole floats, by algorithms that do not
 * depend on timings, so that the same grid gives the same bits. */
static enum berth_status choose_cuda(struct berth_onnx *onnx, int gpu, struct berth_error *error)
{
    char number[16];
    const char *const names[] = {"device_id", "cudnn_conv_algo_search", "use_tf32"};
    const char *const values[] = {number, "HEURISTIC", "0"};
    const struct calls *calls = &onnx->calls;
    void *cuda = NULL;
    snprintf(number, sizeof number, "%d", gpu);
    enum berth_status status = judge(onnx, calls->create_cuda(&cuda), error);
    if (!status) {
        status = judge(onnx, calls->set_cuda(cuda, names, values, 3), error);
        BERTH_THEN(judge(onnx, calls->add_cuda(onnx->options, cuda), error));
        calls->release_cuda(cuda);
    }
    return status ? BERTH_E_DEVICE : BERTH_OK;
}

static enum berth_status open_session(struct berth_onnx *onnx, int gpu, struct berth_error *error)
{
    const struct calls *calls = &onnx->calls;
    BERTH_TRY(berth_file_check_plain(onnx->file, error)); /* which a model names */
    BERTH_TRY(judge(onnx, calls->create_environment(FATAL, "berth", &onnx->environment), error));
    BERTH_TRY(judge(onnx, calls->create_options(&onnx->options), error));
    BERTH_TRY(judge(onnx, calls->set_threads(onnx->options, 1), error));
    BERTH_TRY(gpu == BERTH_ONNX_HOST ? BERTH_OK : choose_cuda(onnx, gpu, error));
    const enum berth_status status = judge(
        onnx, calls->create_session(onnx->environment, onnx->file, onnx->options, &onnx->session),
        error);
    if (status) { /* CUDA looks for its libraries here; the host says whether the file is good */
        return gpu == BERTH_ONNX_HOST ? status : BERTH_E_DEVICE;
    }
    BERTH_TRY(
        judge(onnx, calls->create_memory(DEVICE_ALLOCATOR, MEMORY_DEFAULT, &onnx->memory), error));
    return gpu == BERTH_ONNX_HOST ? BERTH_OK
                                  : judge(onnx,
                                          calls->name_memory("Cuda", DEVICE_ALLOCATOR, gpu,
                                                             MEMORY_DEFAULT, &onnx->gpu_memory),
                                          error);
}

enum berth_status berth_onnx_create(const char *file, int gpu, struct berth_onnx **onnx,
                                    struct berth_error *error)
{
    char path[PATH_MAX];
    const struct base *base;
    struct berth_onnx *made;
    BERTH_TRY(berth_make(onnx, 1, sizeof *made, NULL, error));
    made = *onnx;
    made->file = berth_copy_text(file);
    enum berth_status status = made->file ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(load(path, &base, &made->calls, error));
    BERTH_THEN(open_session(made, gpu, error));
    if (status) {
        berth_onnx_destroy(made);
        *onnx = NULL;
    }
    return status;
}

void berth_onnx_destroy(struct berth_onnx *onnx)
{
    if (!onnx) {
        return;
    }
    if (onnx->environment) { /* the calls are loaded; each takes NULL */
        onnx->calls.release_memory(onnx->memory);
        onnx->calls.release_memory(onnx->gpu_memory);
        onnx->calls.release_session(onnx->session);
        onnx->calls.release_options(onnx->options);
        onnx->calls.release_environment(onnx->environment);
    }
    free(onnx->file);
    free(onnx);
}

/* Copies what is asked for from a tensor of `items` rows. */
static enum berth_status take(const struct berth_onnx *onnx, void *tensor, size_t items,
                              const struct berth_onnx_output *output, struct berth_error *error)
{
    const struct calls *calls = &onnx->calls;
    void *shape = NULL, *values = NULL;
    size_t count = 0;
    int type = 0;
    enum berth_status status = judge(onnx, calls->shape(tensor, &shape), error);
    BERTH_THEN(judge(onnx, calls->type(shape, &type), error));
    BERTH_THEN(judge(onnx, calls->count(shape, &count), error));
    BERTH_THEN(judge(onnx, calls->values(tensor, &values), error));
    calls->release_shape(shape);
    if (!status && (type != FLOAT || count % items || count / items <= output->number)) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: the output %s has no number %zu: it is of type %d, %zu values for "
                            "%zu grid(s)",
                            onnx->file, output->name, output->number, type, count, items);
    }
    for (size_t i = 0; !status && i < items; i++) {
        output->values[i] = (double)((const float *)values)[count / items * i + output->number];
    }
    return status;
}

/* A tensor of these values in such memory, which stay the caller's and are not written to. */
static enum berth_status give(const struct berth_onnx *onnx, const void *memory, const void *values,
                              int type, const int64_t *shape, void **tensor,
                              struct berth_error *error)
{
    const size_t dimensions = type == FLOAT ? BERTH_ONNX_DIMENSIONS : 1;
    size_t size = type == FLOAT ? sizeof(float) : sizeof(int64_t);
    void *writable;
    for (size_t i = 0; i < dimensions; i++) {
        size *= (size_t)shape[i];
    }
    memcpy(&writable, &values, sizeof writable);
    return judge(onnx,
                 onnx->calls.create_tensor(memory, writable, size, shape, dimensions, type, tensor),
                 error);
}

enum berth_status berth_onnx_run(const struct berth_onnx *onnx,
                                 const struct berth_onnx_input *input,
                                 const struct berth_onnx_output *outputs, size_t count,
                                 struct berth_error *error)
{
    const struct calls *calls = &onnx->calls;
    const char *const inputs[] = {input->name, input->numbers_name};
    const size_t input_count = *input->numbers_name ? 2 : 1;
    const char *names[BERTH_ONNX_OUTPUTS];
    void *results[BERTH_ONNX_OUTPUTS] = {NULL}, *tensors[2] = {NULL};
    for (size_t i = 0; i < count; i++) {
        names[i] = outputs[i].name;
    }
    enum berth_status status = give(onnx, input->on_gpu ? onnx->gpu_memory : onnx->memory,
                                    input->values, FLOAT, input->shape, &tensors[0], error);
    if (input_count == 2) {
        BERTH_THEN(
            give(onnx, onnx->memory, input->numbers, INT64, &input->shape[1], &tensors[1], error));
    }
    BERTH_THEN(judge(
        onnx, calls->run(onnx->session, NULL, inputs, tensors, input_count, names, count, results),
        error));
    for (size_t i = 0; !status && i < count; i++) {
        status = take(onnx, results[i], (size_t)input->shape[0], &outputs[i], error);
    }
    for (size_t i = 0; i < count; i++) {
        calls->release_tensor(results[i]);
    }
    for (size_t i = 0; i < input_count; i++) {
        calls->release_tensor(tensors[i]);
    }
    return status;
}

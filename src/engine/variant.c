#include "engine/variant.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "device/tuning.h"
#include "score/curves.h"
#include "score/language/program.h"

/* In the order of their dependence: OpenCL C programs here are one translation unit.  The scoring
 * function's definitions stand before all, its functions between these. */
static const char *const FILES_BEFORE[] = {"shared.h",  "variant.cl",  "vector.cl",
                                           "philox.cl", "rotation.cl", "placement.cl",
                                           "lists.cl",  "distance.cl"};
static const char *const FILES_FLEXIBLE[] = {"lanes.cl", "flexible.cl", "restraint.cl"};
static const char *const FILES_TORSIONAL[] = {"torsional.cl"}; /* of functions with such a term */
static const char *const FILES_DESCENT[] = {"descent.cl"};
static const char *const FILES_EXACT[] = {"pairs.cl",  "energy.cl", "search.cl",
                                          "select.cl", "forces.cl", "refine.cl"};
static const char *const FILES_ON_MAPS[] = {"inner.cl", "maps.cl", "mapped.cl", "starts.cl"};

struct berth_variant berth_variant_default(const struct berth_device *device)
{
    if (device->kind == BERTH_DEVICE_GPU) {
        int tile = device->local_memory_is_fast && device->local_memory >= 32 * 1024 ? 1024 : 0;
        const int ptx = strstr(device->platform, "NVIDIA") != NULL;
        return (struct berth_variant){
            .vector_width = 1,
            .ppwi = 2,
            .wgsize = ptx ? 32 : 64, /* a warp, or AMD's wavefront */
            .tile = tile,
            .lists = 1,
            .expanded = 1,
            .saturate = 1,
            .square_root = ptx ? 3 : 0,
            .unroll = 8,
            .select_wgsize = device->work_group_size < 256 ? (int)device->work_group_size : 256,
            .refine_wgsize = 32};
    }
    int width = 1;
    while (width * 2 <= (int)device->vector_width && width < 16) {
        width *= 2;
    }
    /* Two vectors of AVX2 a work-item are 21 % faster than one; of AVX-512's, one is faster. */
    return (struct berth_variant){.vector_width = width,
                                  .ppwi = width >= 16 ? 1
                                          : width > 1 ? 2
                                                      : 4,
                                  .wgsize = 1,
                                  .tile = 0,
                                  .lists = 1,
                                  .expanded = 1,
                                  .saturate = 0,
                                  .square_root = 0,
                                  .unroll = 1,
                                  .select_wgsize = 1,
                                  .refine_wgsize = 1};
}

/* Each tunable: its name, the macro that sets it in kernels/variant.cl, and its range. */
static const struct tunable {
    const char *name, *macro;
    size_t offset;
    int least, most;
} TUNABLES[] = {
    {"vector_width", "BERTH_VECTOR_WIDTH", offsetof(struct berth_variant, vector_width), 1, 16},
    {"ppwi", "BERTH_PPWI", offsetof(struct berth_variant, ppwi), 1, 16},
    {"wgsize", "BERTH_WGSIZE", offsetof(struct berth_variant, wgsize), 1, 65536},
    {"lists", "BERTH_LISTS", offsetof(struct berth_variant, lists), 0, 1},
    {"tile", "BERTH_TILE", offsetof(struct berth_variant, tile), 0, 65536},
    {"expanded", "BERTH_EXPANDED", offsetof(struct berth_variant, expanded), 0, 1},
    {"saturate", "BERTH_SATURATE", offsetof(struct berth_variant, saturate), 0, 1},
    {"square_root", "BERTH_SQRT", offsetof(struct berth_variant, square_root), 0, 3},
    {"unroll", "BERTH_UNROLL", offsetof(struct berth_variant, unroll), 1, 64},
    {"select_wgsize", "BERTH_SELECT_WGSIZE", offsetof(struct berth_variant, select_wgsize), 1,
     1024},
    {"refine_wgsize", "BERTH_REFINE_WGSIZE", offsetof(struct berth_variant, refine_wgsize), 1,
     1024}};

enum { TUNABLE_COUNT = sizeof TUNABLES / sizeof *TUNABLES };

static int *value_of(struct berth_variant *variant, const struct tunable *tunable)
{
    return (int *)(void *)((char *)variant + tunable->offset);
}

struct berth_variant berth_variant_unset(void)
{
    struct berth_variant variant;
    for (size_t i = 0; i < TUNABLE_COUNT; i++) {
        *value_of(&variant, &TUNABLES[i]) = -1;
    }
    return variant;
}

/* The tunable of that name; NULL where there is none. */
static const struct tunable *find_tunable(const char *name, size_t length)
{
    for (size_t i = 0; i < TUNABLE_COUNT; i++) {
        if (strlen(TUNABLES[i].name) == length && memcmp(TUNABLES[i].name, name, length) == 0) {
            return &TUNABLES[i];
        }
    }
    return NULL;
}

enum berth_status berth_variant_parse(const char *text, struct berth_variant *variant,
                                      struct berth_error *error)
{
    static const char BETWEEN[] = " ,\t";
    for (text += strspn(text, BETWEEN); *text; text += strspn(text, BETWEEN)) {
        const size_t length = strcspn(text, " ,\t=");
        const struct tunable *tunable = find_tunable(text, length);
        char *end = NULL;
        const long value = text[length] == '=' ? strtol(text + length + 1, &end, 10) : 0;
        if (!tunable || !end || end == text + length + 1 || (*end && !strchr(BETWEEN, *end))) {
            return berth_fail(error, BERTH_E_USAGE,
                              "variant: \"%.*s\" is not TUNABLE=NUMBER; `berth bench -h` lists the "
                              "tunables",
                              (int)strcspn(text, BETWEEN), text);
        }
        if (value < tunable->least || value > tunable->most) {
            return berth_fail(error, BERTH_E_USAGE, "variant: %s is %d to %d, not %ld",
                              tunable->name, tunable->least, tunable->most, value);
        }
        *value_of(variant, tunable) = (int)value;
        text = end;
    }
    return BERTH_OK;
}

/* Appends what each tunable is called and its value to text[size]. */
static void write_values(const struct berth_variant *variant, bool macros, char *text, size_t size)
{
    struct berth_variant values = *variant;
    size_t used = strlen(text);
    for (size_t i = 0; i < TUNABLE_COUNT && used < size; i++) {
        const int length = snprintf(text + used, size - used, macros ? "%s-D%s=%d" : "%s%s=%d",
                                    used ? " " : "", macros ? TUNABLES[i].macro : TUNABLES[i].name,
                                    *value_of(&values, &TUNABLES[i]));
        used += (size_t)length;
    }
}

void berth_variant_print(const struct berth_variant *variant, char text[BERTH_VARIANT_TEXT])
{
    *text = '\0';
    write_values(variant, false, text, BERTH_VARIANT_TEXT);
}

#define FILES_OF(names) berth_embedded_source(names, sizeof names / sizeof *names)

char *berth_variant_source(const struct berth_scoring *scoring)
{
    const bool torsional = *scoring->definition->torsional.name != '\0';
    char *parts[] = {berth_score_definitions(scoring->program),
                     berth_curves_definitions(scoring->program),
                     FILES_OF(FILES_BEFORE),
                     berth_score_functions(scoring->program),
                     FILES_OF(FILES_FLEXIBLE),
                     torsional ? FILES_OF(FILES_TORSIONAL) : berth_copy_text(""),
                     torsional ? berth_score_torsional(scoring->program) : berth_copy_text(""),
                     FILES_OF(FILES_DESCENT),
                     FILES_OF(FILES_EXACT),
                     FILES_OF(FILES_ON_MAPS)};
    enum { PARTS = sizeof parts / sizeof *parts };
    const char *const heads[PARTS] = {"#line 1 \"score.h\"\n",
                                      "",
                                      "",
                                      "#line 1 \"score.cl\"\n",
                                      "",
                                      "",
                                      torsional ? "#line 1 \"torsions.cl\"\n" : "",
                                      "",
                                      "#ifndef BERTH_ON_MAPS\n",
                                      "#else\n"};
    static const char END[] = "#endif\n";
    size_t size = sizeof END;
    bool complete = true;
    for (size_t i = 0; i < PARTS; i++) {
        complete = complete && parts[i];
        size += parts[i] ? strlen(heads[i]) + strlen(parts[i]) : 0;
    }
    char *source = complete ? berth_alloc(size, 1) : NULL;
    for (size_t i = 0; i < PARTS; i++) {
        if (source) {
            strcat(strcat(source, heads[i]), parts[i]);
        }
        free(parts[i]);
    }
    return source ? strcat(source, END) : NULL;
}

/* Compilers take vectors wider than a CPU's apart, pass them by other rules than its own functions
 * do and warn of each; they are never faster. */
static enum berth_status check_width(const struct berth_variant *variant,
                                     const struct berth_device *device, struct berth_error *error)
{
    const int width = variant->vector_width;
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16) {
        return berth_fail(error, BERTH_E_USAGE, "vector width %d: it is 1, 2, 4, 8 or 16", width);
    }
    if (device->scalar && width > 1) {
        return berth_fail(error, BERTH_E_USAGE,
                          "vector width %d: %s is reached by CUDA, which has no vectors: take "
                          "vector_width=1, or the device by OpenCL",
                          width, device->name);
    }
    if (device->kind == BERTH_DEVICE_CPU && (size_t)width > device->vector_width) {
        return berth_fail(error, BERTH_E_USAGE, "vector width %d: %s has vectors of %zu floats",
                          width, device->name, device->vector_width);
    }
    return BERTH_OK;
}

enum berth_status berth_variant_check(const struct berth_variant *variant,
                                      const struct berth_device *device, struct berth_error *error)
{
    BERTH_TRY(check_width(variant, device, error));
    if (variant->square_root == 3 && !strstr(device->platform, "NVIDIA")) {
        return berth_fail(error, BERTH_E_USAGE, "square root 3: %s is no GPU of NVIDIA's",
                          device->name);
    }
    const int largest =
        variant->wgsize > variant->select_wgsize ? variant->wgsize : variant->select_wgsize;
    if ((size_t)largest > device->work_group_size) {
        return berth_fail(error, BERTH_E_USAGE, "work-group size %d: %s allows 1 to %zu", largest,
                          device->name, device->work_group_size);
    }
    if ((uint64_t)variant->tile * 16 > device->local_memory) {
        return berth_fail(error, BERTH_E_USAGE,
                          "tile of %d atoms: %s has local memory for 0 to %zu", variant->tile,
                          device->name, (size_t)(device->local_memory / 16));
    }
    return BERTH_OK;
}

/* A device and the variant that a stored row gives it. */
struct tuned {
    const struct berth_device *device;
    struct berth_variant variant;
};

/* Takes a row whose tunables make a variant that the device can do. */
static enum berth_status take_row(void *context, const char *text, struct berth_error *error)
{
    struct tuned *tuned = context;
    struct berth_variant variant = berth_variant_default(tuned->device);
    enum berth_status status = berth_variant_parse(text, &variant, error);
    BERTH_THEN(berth_variant_check(&variant, tuned->device, error));
    if (!status) {
        tuned->variant = variant;
    }
    return status;
}

struct berth_variant berth_variant_tuned(const struct berth_device *device,
                                         const struct berth_log *log)
{
    struct tuned tuned = {device, berth_variant_default(device)};
    const struct berth_tuning_taker taker = {take_row, &tuned};
    berth_tuning_find(device, &taker, log);
    return tuned.variant;
}

struct berth_variant berth_variant_with(const struct berth_device *device,
                                        const struct berth_variant *given)
{
    struct berth_variant variant = berth_variant_tuned(device, NULL), wanted = *given;
    for (size_t i = 0; i < TUNABLE_COUNT; i++) {
        const int value = *value_of(&wanted, &TUNABLES[i]);
        if (value >= 0) {
            *value_of(&variant, &TUNABLES[i]) = value;
        }
    }
    return variant;
}

enum berth_status berth_variant_options(const struct berth_variant *variant,
                                        const struct berth_device *device, const char *extra,
                                        char options[BERTH_OPTIONS_TEXT], struct berth_error *error)
{
    BERTH_TRY(berth_variant_check(variant, device, error));
    strcpy(options, "-cl-std=CL1.2 -cl-denorms-are-zero");
    write_values(variant, true, options, BERTH_OPTIONS_TEXT);
    const size_t used = strlen(options);
    const int more = snprintf(options + used, BERTH_OPTIONS_TEXT - used, "%s%s", extra ? " " : "",
                              extra ? extra : "");
    if ((size_t)more >= BERTH_OPTIONS_TEXT - used) {
        return berth_fail(error, BERTH_E_USAGE, "the build options are too long");
    }
    return BERTH_OK;
}

enum berth_status berth_variant_build(struct berth_context *context,
                                      const struct berth_variant *variant,
                                      const struct berth_scoring *scoring, const char *extra,
                                      struct berth_program **program, struct berth_error *error)
{
    *program = NULL;
    char options[BERTH_OPTIONS_TEXT];
    BERTH_TRY(berth_variant_options(variant, berth_context_device(context), extra, options, error));
    char *source = berth_variant_source(scoring);
    if (!source) {
        return berth_out_of_memory(error, NULL);
    }
    enum berth_status status = berth_program_create(context, source, options, program, error);
    free(source);
    return status;
}

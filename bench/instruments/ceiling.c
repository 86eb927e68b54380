#include "ceiling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "device/program.h"
#include "engine/variant.h"

/* What ceiling.cl stands behind, in the order of their dependence. */
static const char *const FILES[] = {"shared.h", "variant.cl", "vector.cl", "placement.cl",
                                    "distance.cl"};

/* The kernels that measure, in the folder of the sources. */
static const char CEILING[] = BERTH_INSTRUMENTS "/ceiling.cl";

/* The square roots' depth is BERTH_CEILING_DEPTH of ceiling.cl.  So few turns that floats count
 * them exactly, or add the roots up to a thousandth; the time comes from many work-items. */
enum { COUNTING_TURNS = 16384, ROOT_TURNS = 512, ROOT_DEPTH = 8 };

/* A launch is made so large that it takes at least this; the fastest of several counts. */
enum { LEAST_NANOSECONDS = 10000000, LAUNCHES = 12 };

static const float ROOT_START = 1e20f; /* far from 1, where all roots are alike */

/* A kernel of ceiling.cl, at work. */
struct measurement {
    struct berth_context *context;
    struct berth_kernel *kernel;
    const char *name;
    int width, chains, turns;
    size_t items, group;
    double expected, tolerance; /* of each result */
};

/* Chains of ceiling.cl: 32 registers of 16 floats, or the 16 that smaller ones are sure of. */
static int chains_for(int width)
{
    return width == 16 ? 22 : 14;
}

char *berth_ceiling_source(void)
{
    char *before = berth_embedded_source(FILES, sizeof FILES / sizeof *FILES), *source = NULL;
    FILE *file = fopen(CEILING, "rb");
    if (before && file && fseek(file, 0, SEEK_END) == 0) {
        const size_t used = strlen(before), size = (size_t)ftell(file);
        rewind(file);
        source = berth_alloc(used + size + 1, 1);
        if (source && fread(strcpy(source, before) + used, 1, size, file) != size) {
            free(source);
            source = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    free(before);
    return source;
}

static enum berth_status build(struct berth_context *context, int width, int way,
                               struct berth_program **program, struct berth_error *error)
{
    char options[512];
    snprintf(options, sizeof options,
             "-cl-std=CL1.2 -cl-denorms-are-zero -DBERTH_VECTOR_WIDTH=%d "
             "-DBERTH_PPWI=1 -DBERTH_UNROLL=1 -DBERTH_LISTS=0 -DBERTH_SQRT=%d "
             "-DBERTH_CEILING_CHAINS=%d",
             width, way, chains_for(width));
    char *source = berth_ceiling_source();
    if (!source) {
        return berth_fail(error, BERTH_E_IO, "%s cannot be read", CEILING);
    }
    enum berth_status status = berth_program_create(context, source, options, program, error);
    free(source);
    return status;
}

/* BERTH_E_RESULT where one of the results is not the expected one. */
static enum berth_status check(const struct measurement *measurement, struct berth_buffer *results,
                               struct berth_error *error)
{
    const size_t count = measurement->items * (size_t)measurement->width;
    float *values = berth_alloc(count, sizeof *values);
    if (!values) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu results", count);
    }
    enum berth_status status = berth_buffer_read(results, values, count * sizeof *values, error);
    for (size_t i = 0; !status && i < count; i++) {
        if (!(fabs(values[i] - measurement->expected) <= measurement->tolerance)) {
            status = berth_fail(error, BERTH_E_RESULT,
                                "kernel %s on %s: result %zu is %.9g, expected %.9g: run `berth "
                                "selftest`",
                                measurement->name, berth_context_device(measurement->context)->name,
                                i, values[i], measurement->expected);
        }
    }
    free(values);
    return status;
}

/* Launches with the measurement's items: nanoseconds of the fastest of `launches`. */
static enum berth_status time_launches(const struct measurement *measurement, int launches,
                                       uint64_t *fastest, struct berth_error *error)
{
    struct berth_buffer *results;
    const size_t size = measurement->items * (size_t)measurement->width * sizeof(float);
    enum berth_status status = berth_buffer_create(measurement->context, size, &results, error);
    if (status) {
        return status;
    }
    *fastest = UINT64_MAX;
    berth_kernel_set_buffer(measurement->kernel, 0, results);
    for (int i = 0; !status && i < launches; i++) {
        uint64_t nanoseconds;
        status = berth_kernel_launch(measurement->kernel, measurement->items, 1, measurement->group,
                                     &nanoseconds, error);
        if (!status && nanoseconds < *fastest) {
            *fastest = nanoseconds;
        }
    }
    if (!status) {
        status = check(measurement, results, error);
    }
    berth_buffer_destroy(results);
    return status;
}

/* Doubles the work-items until a launch takes long enough, then measures: turns of a lane and chain
 * a second. */
static enum berth_status measure(struct measurement *measurement, double *turns_per_s,
                                 struct berth_error *error)
{
    uint64_t nanoseconds = 0;
    enum berth_status status = BERTH_OK;
    while (!status && nanoseconds < LEAST_NANOSECONDS && measurement->items < (size_t)1 << 24) {
        measurement->items *= 2;
        status = time_launches(measurement, 2, &nanoseconds, error);
    }
    if (!status) {
        status = time_launches(measurement, LAUNCHES, &nanoseconds, error);
    }
    *turns_per_s = (double)measurement->items * measurement->width * measurement->chains *
                   measurement->turns / (1e-9 * (double)(nanoseconds ? nanoseconds : 1));
    return status;
}

/* Sets the kernel up and measures it.  roots: it takes square roots. */
static enum berth_status measure_kernel(struct berth_context *context,
                                        struct berth_program *program, const char *name, bool roots,
                                        double *turns_per_s, struct berth_error *error)
{
    const struct berth_device *device = berth_context_device(context);
    const int width = berth_variant_default(device).vector_width;
    const bool scalar = width == 1;
    struct measurement measurement = {.context = context,
                                      .name = name,
                                      .width = width,
                                      .chains = chains_for(width),
                                      .turns = roots ? ROOT_TURNS : COUNTING_TURNS,
                                      .items = device->compute_units * (scalar ? 1024 : 8),
                                      .group = scalar && device->work_group_size >= 256 ? 256 : 1};
    const double turns = measurement.turns, chains = measurement.chains;
    enum berth_status status = berth_kernel_create(program, name, &measurement.kernel, error);
    if (status) {
        return status;
    }
    berth_kernel_set_int(measurement.kernel, 1, measurement.turns);
    berth_kernel_set_float(measurement.kernel, 2, roots ? ROOT_START : 1);
    if (roots) {
        berth_kernel_set_float(measurement.kernel, 3, 0);
        measurement.expected = chains * turns * pow((double)ROOT_START, pow(0.5, ROOT_DEPTH));
        measurement.tolerance = 1e-3 * measurement.expected;
    } else {
        measurement.expected = chains * (turns + (chains - 1) / 2);
    }
    status = measure(&measurement, turns_per_s, error);
    berth_kernel_destroy(measurement.kernel);
    return status;
}

/* True for a way that the energy kernel may take on this device.  x86's estimate falls back to the
 * full square root in the kernels' source where the compiler lacks it. */
static bool has_way(const struct berth_device *device, int way)
{
    return way < 2 || (way == 2 && device->kind == BERTH_DEVICE_CPU) ||
           (way == 3 && device->kind == BERTH_DEVICE_GPU &&
            strstr(device->platform, "NVIDIA") != NULL);
}

static enum berth_status measure_way(struct berth_context *context, int way,
                                     struct berth_ceiling *ceiling, struct berth_error *error)
{
    struct berth_program *program;
    const int width = berth_variant_default(berth_context_device(context)).vector_width;
    enum berth_status status = build(context, width, way, &program, error);
    if (status) {
        return status;
    }
    if (way == 0) {
        status = measure_kernel(context, program, "ceiling_multiply_add", false,
                                &ceiling->multiply_adds_per_s, error);
        if (!status) {
            status = measure_kernel(context, program, "ceiling_mix", false,
                                    &ceiling->operations_per_s, error);
        }
        ceiling->operations_per_s = fmax(ceiling->operations_per_s, ceiling->multiply_adds_per_s);
    }
    double turns_per_s = 0;
    if (!status) {
        status = measure_kernel(context, program, "ceiling_square_root", true, &turns_per_s, error);
    }
    ceiling->roots_per_s[way] = ROOT_DEPTH * turns_per_s;
    berth_program_destroy(program);
    return status;
}

enum berth_status berth_ceiling_measure(const struct berth_device *device,
                                        struct berth_ceiling *ceiling, struct berth_error *error)
{
    memset(ceiling, 0, sizeof *ceiling);
    struct berth_context *context;
    enum berth_status status = berth_context_create(device, &context, error);
    for (int way = 0; !status && way < BERTH_ROOT_WAYS; way++) {
        if (has_way(device, way)) {
            status = measure_way(context, way, ceiling, error);
        }
    }
    berth_context_destroy(context);
    return status;
}

const char *berth_root_name(int way)
{
    static const char *const NAMES[BERTH_ROOT_WAYS] = {"full square root", "native square root",
                                                       "x86 estimate", "PTX square root"};
    return way >= 0 && way < BERTH_ROOT_WAYS ? NAMES[way] : "";
}

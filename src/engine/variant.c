#include "engine/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"

/* In the order of their dependence: OpenCL C programs here are one translation unit. */
static const char *const FILES[] = {"shared.h",  "philox.cl", "rotation.cl",
                                    "energy.cl", "search.cl", "select.cl"};

struct berth_variant berth_variant_default(const struct berth_device *device)
{
    if (device->kind == BERTH_DEVICE_GPU) {
        int tile = device->local_memory_is_fast && device->local_memory >= 32 * 1024 ? 1024 : 0;
        const int ptx = strstr(device->platform, "NVIDIA") != NULL;
        return (struct berth_variant){.vector_width = 1,
                                      .ppwi = 2,
                                      .wgsize = 64,
                                      .tile = tile,
                                      .expanded = 1,
                                      .saturate = 1,
                                      .square_root = ptx ? 3 : 1,
                                      .unroll = 16};
    }
    int width = 1;
    while (width * 2 <= (int)device->vector_width && width < 16) {
        width *= 2;
    }
    return (struct berth_variant){.vector_width = width,
                                  .ppwi = width > 1 ? 1 : 4,
                                  .wgsize = 1,
                                  .tile = 0,
                                  .expanded = 1,
                                  .saturate = 0,
                                  .square_root = 0,
                                  .unroll = 1};
}

struct berth_variant berth_variant_unset(void)
{
    return (struct berth_variant){-1, -1, -1, -1, -1, -1, -1, -1};
}

static void override(int *tunable, int given)
{
    if (given >= 0) {
        *tunable = given;
    }
}

struct berth_variant berth_variant_with(const struct berth_device *device,
                                        const struct berth_variant *given)
{
    struct berth_variant variant = berth_variant_default(device);
    override(&variant.vector_width, given->vector_width);
    override(&variant.ppwi, given->ppwi);
    override(&variant.wgsize, given->wgsize);
    override(&variant.tile, given->tile);
    override(&variant.expanded, given->expanded);
    override(&variant.saturate, given->saturate);
    override(&variant.square_root, given->square_root);
    override(&variant.unroll, given->unroll);
    return variant;
}

size_t berth_variant_select_wgsize(const struct berth_device *device)
{
    return device->work_group_size < 256 ? device->work_group_size : 256;
}

static const struct berth_embedded *find_file(const char *name)
{
    const struct berth_embedded *file = berth_embedded_kernels;
    while (strcmp(file->name, name) != 0) {
        file++;
    }
    return file;
}

char *berth_variant_source(void)
{
    size_t size = 1;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        size += find_file(FILES[i])->size + strlen(FILES[i]) + 16;
    }
    char *source = berth_alloc(size, 1);
    size_t used = 0;
    for (size_t i = 0; source && i < sizeof FILES / sizeof *FILES; i++) {
        used += (size_t)snprintf(source + used, size - used, "#line 1 \"%s\"\n%s\n", FILES[i],
                                 find_file(FILES[i])->text);
    }
    return source;
}

static enum berth_status check(const struct berth_variant *variant,
                               const struct berth_device *device, struct berth_error *error)
{
    const int width = variant->vector_width;
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16) {
        return berth_fail(error, BERTH_E_USAGE, "vector width %d: it is 1, 2, 4, 8 or 16", width);
    }
    if (variant->ppwi < 1 || variant->ppwi > 16 || variant->unroll < 1 || variant->unroll > 16) {
        return berth_fail(error, BERTH_E_USAGE, "ppwi %d, unroll %d: they are 1 to 16",
                          variant->ppwi, variant->unroll);
    }
    if (variant->wgsize < 1 || (size_t)variant->wgsize > device->work_group_size) {
        return berth_fail(error, BERTH_E_USAGE, "work-group size %d: %s allows 1 to %zu",
                          variant->wgsize, device->name, device->work_group_size);
    }
    if (variant->tile < 0 || (uint64_t)variant->tile * 16 > device->local_memory) {
        return berth_fail(error, BERTH_E_USAGE,
                          "tile of %d atoms: %s has local memory for 0 to %zu", variant->tile,
                          device->name, (size_t)(device->local_memory / 16));
    }
    return BERTH_OK;
}

enum berth_status berth_variant_build(struct berth_context *context,
                                      const struct berth_variant *variant, const char *extra,
                                      struct berth_program **program, struct berth_error *error)
{
    *program = NULL;
    const struct berth_device *device = berth_context_device(context);
    enum berth_status status = check(variant, device, error);
    if (status) {
        return status;
    }
    char options[1024];
    int used = snprintf(options, sizeof options,
                        "-cl-std=CL1.2 -cl-denorms-are-zero -DBERTH_VECTOR_WIDTH=%d "
                        "-DBERTH_PPWI=%d -DBERTH_WGSIZE=%d -DBERTH_TILE=%d -DBERTH_EXPANDED=%d "
                        "-DBERTH_SATURATE=%d -DBERTH_SQRT=%d -DBERTH_UNROLL=%d "
                        "-DBERTH_SELECT_WGSIZE=%zu%s%s",
                        variant->vector_width, variant->ppwi, variant->wgsize, variant->tile,
                        variant->expanded, variant->saturate, variant->square_root, variant->unroll,
                        berth_variant_select_wgsize(device), extra ? " " : "", extra ? extra : "");
    if (used >= (int)sizeof options) {
        return berth_fail(error, BERTH_E_USAGE, "the build options are too long");
    }
    char *source = berth_variant_source();
    if (!source) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for the kernels' source");
    }
    status = berth_program_create(context, source, options, program, error);
    free(source);
    return status;
}

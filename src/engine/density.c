#include "engine/density.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/memory.h"

struct berth_density {
    struct berth_density_grid grid;
    struct berth_context *context; /* borrowed */
    struct berth_program *program;
    struct berth_kernel *kernel;
};

char *berth_density_source(void)
{
    static const char *const FILES[] = {"density.cl"};
    return berth_embedded_source(FILES, 1);
}

enum berth_status berth_density_kernel(struct berth_density *density, struct berth_kernel **kernel,
                                       struct berth_error *error)
{
    const struct berth_density_grid *grid = &density->grid;
    BERTH_TRY(berth_kernel_create(density->program, "densities", kernel, error));
    berth_kernel_set_int(*kernel, 2, (int32_t)grid->points);
    berth_kernel_set_float(*kernel, 3, grid->spacing);
    return BERTH_OK;
}

enum berth_status berth_density_create(struct berth_context *context,
                                       const struct berth_density_grid *grid,
                                       struct berth_density **density, struct berth_error *error)
{
    char *source = berth_density_source();
    struct berth_density *made = *density = berth_alloc(1, sizeof *made);
    enum berth_status status = source && made ? BERTH_OK : berth_out_of_memory(error, NULL);
    char options[64];
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DAVERAGE=%zu", grid->average);
    if (!status) {
        *made = (struct berth_density){.grid = *grid, .context = context};
        status = berth_program_create(context, source, options, &made->program, error);
    }
    BERTH_THEN(berth_density_kernel(made, &made->kernel, error));
    if (status) {
        berth_density_destroy(made);
        *density = NULL;
    }
    free(source);
    return status;
}

void berth_density_destroy(struct berth_density *density)
{
    if (density) {
        berth_kernel_destroy(density->kernel);
        berth_program_destroy(density->program);
        free(density);
    }
}

enum berth_status berth_density_run(struct berth_density *density,
                                    const struct berth_density_atom *atoms, const int32_t *begins,
                                    size_t lists, float *values, struct berth_error *error)
{
    const struct berth_density_grid *grid = &density->grid;
    const size_t points = grid->points;
    const size_t size = lists * points * points * points * sizeof *values;
    const size_t count = (size_t)begins[lists];
    struct berth_buffer *buffers[3] = {NULL};
    enum berth_status status = berth_buffer_upload(
        density->context, atoms, (count ? count : 1) * sizeof *atoms, &buffers[0], error);
    BERTH_THEN(berth_buffer_upload(density->context, begins, (lists + 1) * sizeof *begins,
                                   &buffers[1], error));
    BERTH_THEN(berth_buffer_create(density->context, size, &buffers[2], error));
    if (!status) {
        berth_kernel_set_buffers(density->kernel, 0, buffers[0], buffers[1]);
        berth_kernel_set_buffer(density->kernel, 4, buffers[2]);
        status = berth_kernel_launch(density->kernel, points, lists, 0, NULL, error);
    }
    BERTH_THEN(berth_buffer_read(buffers[2], values, size, error));
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        berth_buffer_destroy(buffers[i]);
    }
    return status;
}

#include "engine/density.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/memory.h"

/* A buffer that is used again: drivers take long to make one. */
struct kept {
    struct berth_buffer *buffer; /* owned; NULL: none was needed yet */
    size_t size;                 /* bytes */
};

struct berth_density {
    struct berth_density_grid grid;
    struct berth_context *context; /* borrowed */
    struct berth_program *program;
    struct berth_kernel *kernel;
    struct kept atoms, begins, values;
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
        berth_buffer_destroy(density->atoms.buffer);
        berth_buffer_destroy(density->begins.buffer);
        berth_buffer_destroy(density->values.buffer);
        berth_program_destroy(density->program);
        free(density);
    }
}

/* Makes the buffer at least that large; what it holds is lost. */
static enum berth_status make_room(struct berth_density *density, struct kept *kept, size_t size,
                                   struct berth_error *error)
{
    if (size <= kept->size) {
        return BERTH_OK;
    }
    berth_buffer_destroy(kept->buffer);
    kept->buffer = NULL;
    kept->size = 0;
    BERTH_TRY(berth_buffer_create(density->context, size, &kept->buffer, error));
    kept->size = size;
    return BERTH_OK;
}

static enum berth_status upload(struct berth_density *density, struct kept *kept,
                                const void *values, size_t size, struct berth_error *error)
{
    BERTH_TRY(make_room(density, kept, size, error));
    return berth_buffer_write(kept->buffer, values, size, error);
}

enum berth_status berth_density_run(struct berth_density *density,
                                    const struct berth_density_atom *atoms, const int32_t *begins,
                                    size_t lists, struct berth_error *error)
{
    const size_t points = density->grid.points;
    const size_t size = lists * points * points * points * sizeof(float);
    const size_t count = (size_t)begins[lists];
    BERTH_TRY(upload(density, &density->atoms, atoms, (count ? count : 1) * sizeof *atoms, error));
    BERTH_TRY(upload(density, &density->begins, begins, (lists + 1) * sizeof *begins, error));
    BERTH_TRY(make_room(density, &density->values, size, error));
    berth_kernel_set_buffers(density->kernel, 0, density->atoms.buffer, density->begins.buffer);
    berth_kernel_set_buffer(density->kernel, 4, density->values.buffer);
    BERTH_TRY(berth_kernel_launch(density->kernel, points, lists, 0, NULL, error));
    return berth_context_finish(density->context, error);
}

enum berth_status berth_density_read(const struct berth_density *density, size_t lists,
                                     float *values, struct berth_error *error)
{
    const size_t points = density->grid.points;
    return berth_buffer_read(density->values.buffer, values,
                             lists * points * points * points * sizeof *values, error);
}

void *berth_density_address(const struct berth_density *density)
{
    return berth_buffer_address(density->values.buffer);
}

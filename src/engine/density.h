/* Densities of atoms on grids, on one device: kernels/density.cl. */
#ifndef BERTH_ENGINE_DENSITY_H
#define BERTH_ENGINE_DENSITY_H

#include "device/program.h"

struct berth_density_grid {
    size_t points;  /* along each axis */
    size_t average; /* points along each axis that one is the mean of */
    float spacing;  /* between these, Å */
};

/* An atom as the kernel has it. */
struct berth_density_atom {
    float place[3], radius; /* Å; relative to the grid's centre */
};

struct berth_density; /* opaque */

/* Builds the kernel.  The caller destroys *density before the context.  Errors: BERTH_E_DEVICE,
 * BERTH_E_MEMORY. */
enum berth_status berth_density_create(struct berth_context *context,
                                       const struct berth_density_grid *grid,
                                       struct berth_density **density, struct berth_error *error);

/* Computes grids of lists of atoms, atoms [begins[lists]], begins [lists + 1], and waits.  They are
 * on the device, float [list][x][y][z], until others are computed.  Errors: BERTH_E_DEVICE,
 * BERTH_E_DEVICE_MEMORY. */
enum berth_status berth_density_run(struct berth_density *density,
                                    const struct berth_density_atom *atoms, const int32_t *begins,
                                    size_t lists, struct berth_error *error);

/* Reads the first so many of them.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_density_read(const struct berth_density *density, size_t lists,
                                     float *values, struct berth_error *error);

/* Where they are, if that is in CUDA's memory: see berth_buffer_address. */
void *berth_density_address(const struct berth_density *density);

/* NULL is accepted. */
void berth_density_destroy(struct berth_density *density);

/* A kernel that has the grid's arguments; its buffers are still to be set: atoms, begins, and the
 * result, argument 4.  The caller destroys it before *density.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_density_kernel(struct berth_density *density, struct berth_kernel **kernel,
                                       struct berth_error *error);

/* The kernel's source, which the caller frees; NULL when out of memory. */
char *berth_density_source(void);

#endif

#include "engine/maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Of a point: its energy, and those of its neighbours. */
#define POINT_BYTES (BERTH_MAP_HALVES * sizeof(uint16_t))

/* radius: a small site is no sign of a small ligand, and an atom that a map has no place for is
 * driven back.  So there is room for a ligand of the radius that neighbour lists are made for,
 * whose centroid is 4 Å from the site's centre along an axis. */
struct berth_map_settings berth_maps_defaults(void)
{
    return (struct berth_map_settings){.spacing = 0.375f,
                                       .margin = 2,
                                       .radius = 4 + BERTH_MAP_MARGIN_MAX,
                                       .wall = 10,
                                       .most = 100};
}

double berth_maps_energy(const uint16_t *halves, size_t point)
{
    const uint32_t bits = (uint32_t)halves[point * BERTH_MAP_HALVES] << 16;
    float energy;
    memcpy(&energy, &bits, sizeof energy);
    return (double)energy;
}

static double points_along(double edge, double spacing)
{
    return 2 + ceil(edge / spacing);
}

double berth_maps_bytes(const double size[3], double margin, double spacing, size_t kinds)
{
    double bytes = POINT_BYTES * (double)kinds;
    for (int k = 0; k < 3; k++) {
        bytes *= points_along(size[k] + 2 * margin, spacing);
    }
    return bytes;
}

/* Centres the grid on the site. */
static enum berth_status lay(struct berth_maps *maps, const double size[3],
                             const struct berth_map_settings *settings, struct berth_error *error)
{
    double points[3], edges[3], product = 1;
    for (int k = 0; k < 3; k++) {
        const double least = fmin(settings->radius, size[k] / 2 + BERTH_MAP_MARGIN_MAX);
        edges[k] = 2 * fmax(size[k] / 2 + settings->margin, least);
        points[k] = points_along(edges[k], (double)settings->spacing);
        product *= points[k];
    }
    const struct berth_device *device = berth_context_device(maps->evaluator->context);
    const double bytes = berth_maps_bytes(edges, 0, (double)settings->spacing, maps->types);
    const double room = fmin((double)device->memory / 2, (double)device->memory_block);
    if (product > INT32_MAX || bytes > room) {
        return berth_fail_option(
            error, BERTH_E_USAGE, "search",
            "a site of %g x %g x %g Å: its maps take %.0f bytes, of %.0f that device "
            "%zu (%s) has for them; make the site smaller, or search without maps",
            size[0], size[1], size[2], bytes, room, device->index, device->name);
    }
    maps->layout =
        (struct berth_device_grid){.x = (float)(-0.5 * (points[0] - 1) * (double)settings->spacing),
                                   .y = (float)(-0.5 * (points[1] - 1) * (double)settings->spacing),
                                   .z = (float)(-0.5 * (points[2] - 1) * (double)settings->spacing),
                                   .per_edge = 1 / settings->spacing,
                                   .nx = (berth_int32)points[0],
                                   .ny = (berth_int32)points[1],
                                   .nz = (berth_int32)points[2],
                                   .points = (berth_int32)product,
                                   .wall = settings->wall,
                                   .most = settings->most};
    return BERTH_OK;
}

static enum berth_status make_curves(struct berth_maps *maps, struct berth_error *error)
{
    struct berth_curves *curves = &maps->curves;
    if (!BERTH_ON_CURVES(maps->evaluator->variant.vector_width)) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_curves_make(maps->evaluator->scoring, curves, error));
    const size_t count = curves->types * curves->types * 4 * curves->pieces;
    return berth_buffer_upload(maps->evaluator->context, curves->coefficients,
                               count * sizeof *curves->coefficients, &maps->pieces, error);
}

static enum berth_status make_buffers(struct berth_maps *maps, struct berth_error *error)
{
    struct berth_context *context = maps->evaluator->context;
    const size_t bytes = maps->types * (size_t)maps->layout.points * POINT_BYTES;
    BERTH_TRY(berth_make(&maps->made, maps->types, sizeof *maps->made, NULL, error));
    BERTH_TRY(berth_make(&maps->on_host, maps->types, sizeof *maps->on_host, NULL, error));
    BERTH_TRY(berth_buffer_upload(context, &maps->layout, sizeof maps->layout, &maps->grid, error));
    BERTH_TRY(berth_buffer_create(context, bytes, &maps->halves, error));
    return berth_buffer_create(context, maps->types * sizeof *maps->on_host, &maps->wanted, error);
}

enum berth_status berth_maps_create(struct berth_evaluator *evaluator, const double size[3],
                                    const struct berth_map_settings *settings,
                                    struct berth_maps **maps, struct berth_error *error)
{
    *maps = NULL;
    if (!(settings->spacing >= 0.05f && settings->spacing <= 2)) {
        return berth_fail(error, BERTH_E_USAGE,
                          "maps with a spacing of %g Å: 0.05 to 2 are possible",
                          (double)settings->spacing);
    }
    if (!(settings->margin >= 0 && settings->margin <= BERTH_MAP_MARGIN_MAX)) {
        return berth_fail(error, BERTH_E_USAGE, "maps with a margin of %g Å: 0 to %g are possible",
                          (double)settings->margin, (double)BERTH_MAP_MARGIN_MAX);
    }
    struct berth_maps *made;
    BERTH_TRY(berth_make(maps, 1, sizeof *made, NULL, error));
    made = *maps;
    made->owners = 1;
    made->evaluator = evaluator;
    made->types = evaluator->type_count;
    enum berth_status status = lay(made, size, settings, error);
    BERTH_THEN(make_buffers(made, error));
    BERTH_THEN(make_curves(made, error));
    if (!status) { /* every queue reads what was uploaded */
        status = berth_context_finish(evaluator->context, error);
    }
    BERTH_THEN(berth_evaluator_maps_kernel(evaluator, "make_maps", &made->kernel, error));
    if (status) {
        berth_maps_destroy(made);
        *maps = NULL;
    } else {
        berth_evaluator_set_receptor(evaluator, made->kernel);
    }
    return status;
}

struct berth_maps *berth_maps_share(struct berth_maps *maps)
{
    maps->owners++;
    return maps;
}

const struct berth_buffer *berth_maps_pairs(const struct berth_maps *maps)
{
    return maps->pieces ? maps->pieces : maps->evaluator->pairs;
}

void berth_maps_destroy(struct berth_maps *maps)
{
    if (!maps || --maps->owners > 0) {
        return;
    }
    berth_kernel_destroy(maps->kernel);
    berth_buffer_destroy(maps->grid);
    berth_buffer_destroy(maps->halves);
    berth_buffer_destroy(maps->pieces);
    berth_curves_clear(&maps->curves);
    berth_buffer_destroy(maps->wanted);
    free(maps->made);
    free(maps->on_host);
    free(maps);
}

static enum berth_status make(struct berth_maps *maps, size_t count, struct berth_error *error)
{
    const int width = maps->evaluator->variant.vector_width;
    /* Bricks of points that a work-item has: see BRICK_X in kernels/maps.cl. */
    const berth_int32 x = width >= 16 ? 4 : width >= 2 ? 2 : 1;
    const berth_int32 y = width >= 4 ? 2 : 1, z = width >= 8 ? 2 : 1;
    const size_t bricks = (size_t)((maps->layout.nx + x - 1) / x) *
                          (size_t)((maps->layout.ny + y - 1) / y) *
                          (size_t)((maps->layout.nz + z - 1) / z);
    BERTH_TRY(
        berth_buffer_write(maps->wanted, maps->on_host, count * sizeof *maps->on_host, error));
    berth_kernel_set_buffers(maps->kernel, 5, maps->grid, maps->wanted);
    berth_kernel_set_int(maps->kernel, 7, (int32_t)bricks);
    berth_kernel_set_buffer(maps->kernel, 8, maps->halves);
    return berth_kernel_launch(maps->kernel, bricks, count, 0, NULL, error);
}

enum berth_status berth_maps_complete(struct berth_maps *maps, const struct berth_batch *batch,
                                      struct berth_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->atom_count; i++) {
        const size_t type = (size_t)batch->host_atoms[i].type;
        if (!maps->made[type]) {
            maps->made[type] = true;
            maps->on_host[count++] = (berth_int32)type;
        }
    }
    maps->made_count += count;
    if (!count) {
        return BERTH_OK;
    }
    struct berth_context *context = maps->evaluator->context;
    const int before = berth_context_use_queue(context, BERTH_QUEUE_SHARED);
    enum berth_status status = make(maps, count, error);
    BERTH_THEN(berth_context_finish_queue(context, error));
    berth_context_use_queue(context, before);
    return status;
}

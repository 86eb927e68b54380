#include "chem/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"

enum { SIDE_MAX = 100 }; /* cells along an axis: a far outlier must not cost memory */

static size_t cell_along(const struct berth_cells *cells, int axis, double x)
{
    const double at = floor((x - cells->low[axis]) / cells->edge[axis]);
    const double last = (double)(cells->counts[axis] - 1);
    return (size_t)fmin(fmax(at, 0), last);
}

static size_t cell_of(const struct berth_cells *cells, const double point[3])
{
    return (cell_along(cells, 2, point[2]) * cells->counts[1] + cell_along(cells, 1, point[1])) *
               cells->counts[0] +
           cell_along(cells, 0, point[0]);
}

static void set_sides(struct berth_cells *cells, double edge)
{
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < cells->count; i++) {
            low = fmin(low, cells->points[i][k]);
            high = fmax(high, cells->points[i][k]);
        }
        const double extent = cells->count ? high - low : 0;
        cells->low[k] = cells->count ? low : 0;
        cells->counts[k] = (size_t)fmin(floor(extent / edge) + 1, SIDE_MAX);
        cells->edge[k] = fmax(edge, extent / (double)cells->counts[k] + 1e-9);
    }
}

enum berth_status berth_cells_create(const double *first, size_t stride, size_t count, double edge,
                                     struct berth_cells *cells, struct berth_error *error)
{
    memset(cells, 0, sizeof *cells);
    cells->count = count;
    cells->points = berth_alloc(count, sizeof *cells->points);
    cells->members = berth_alloc(count, sizeof *cells->members);
    if (cells->points) {
        for (size_t i = 0; i < count; i++) {
            memcpy(cells->points[i], (const char *)first + i * stride, sizeof *cells->points);
        }
        set_sides(cells, edge);
        cells->starts = berth_alloc(cells->counts[0] * cells->counts[1] * cells->counts[2] + 2,
                                    sizeof *cells->starts);
    }
    if (!cells->points || !cells->members || !cells->starts) {
        berth_cells_clear(cells);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu points", count);
    }
    /* Counting sort; starts runs one ahead while the members are filled in. */
    size_t *ahead = cells->starts + 1;
    const size_t total = cells->counts[0] * cells->counts[1] * cells->counts[2];
    for (size_t i = 0; i < count; i++) {
        ahead[cell_of(cells, cells->points[i]) + 1]++;
    }
    for (size_t c = 0; c < total; c++) {
        ahead[c + 1] += ahead[c];
    }
    for (size_t i = 0; i < count; i++) {
        cells->members[ahead[cell_of(cells, cells->points[i])]++] = i;
    }
    return BERTH_OK;
}

/* Visits the members of one cell. */
static void visit_cell(const struct berth_cells *cells, size_t cell, const double at[3],
                       double limit, void (*visit)(void *, size_t, double), void *context)
{
    for (size_t m = cells->starts[cell]; m < cells->starts[cell + 1]; m++) {
        const double squared = berth_distance_squared(at, cells->points[cells->members[m]]);
        if (squared <= limit) {
            visit(context, cells->members[m], squared);
        }
    }
}

void berth_cells_each(const struct berth_cells *cells, const double at[3], double radius,
                      void (*visit)(void *context, size_t index, double squared), void *context)
{
    size_t first[3], last[3];
    for (int k = 0; k < 3; k++) {
        first[k] = cell_along(cells, k, at[k] - radius);
        last[k] = cell_along(cells, k, at[k] + radius);
    }
    for (size_t z = first[2]; cells->count && z <= last[2]; z++) {
        for (size_t y = first[1]; y <= last[1]; y++) {
            for (size_t x = first[0]; x <= last[0]; x++) {
                visit_cell(cells, (z * cells->counts[1] + y) * cells->counts[0] + x, at,
                           radius * radius, visit, context);
            }
        }
    }
}

void berth_cells_clear(struct berth_cells *cells)
{
    if (!cells) {
        return;
    }
    free(cells->starts);
    free(cells->members);
    free(cells->points);
    memset(cells, 0, sizeof *cells);
}

#include "chem/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"

enum {
    LISTS_PER_POINT = 8, /* at most: a far outlier must not cost memory, nor widen all cells */
    SIDE_MAX = 1000000   /* cells along an axis: their number must not overflow */
};

static size_t cell_along(const struct berth_cells *cells, int axis, double x)
{
    const double at = floor((x - cells->low[axis]) / cells->edge);
    const double last = (double)(cells->counts[axis] - 1);
    return (size_t)fmin(fmax(at, 0), last);
}

static size_t cell_of(const struct berth_cells *cells, const double point[3])
{
    return (cell_along(cells, 2, point[2]) * cells->counts[1] + cell_along(cells, 1, point[1])) *
               cells->counts[0] +
           cell_along(cells, 0, point[0]);
}

/* Where there are more cells than lists, several share one. */
static size_t list_of(const struct berth_cells *cells, size_t cell)
{
    return cell % cells->lists;
}

static void set_sides(struct berth_cells *cells, double edge)
{
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < cells->count; i++) {
            low = fmin(low, cells->points[i][k]);
            high = fmax(high, cells->points[i][k]);
        }
        cells->low[k] = cells->count ? low : 0;
        cells->counts[k] =
            cells->count ? (size_t)fmin(floor((high - low) / edge) + 1, SIDE_MAX) : 1;
    }
    cells->edge = edge;
    cells->total = cells->counts[0] * cells->counts[1] * cells->counts[2];
    const size_t most = LISTS_PER_POINT * cells->count + 1;
    cells->lists = cells->total < most ? cells->total : most;
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
        cells->starts = berth_alloc(cells->lists + 2, sizeof *cells->starts);
    }
    if (!cells->points || !cells->members || !cells->starts) {
        berth_cells_clear(cells);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu points", count);
    }
    /* Counting sort; starts runs one ahead while the members are filled in. */
    size_t *ahead = cells->starts + 1;
    for (size_t i = 0; i < count; i++) {
        ahead[list_of(cells, cell_of(cells, cells->points[i])) + 1]++;
    }
    for (size_t c = 0; c < cells->lists; c++) {
        ahead[c + 1] += ahead[c];
    }
    for (size_t i = 0; i < count; i++) {
        cells->members[ahead[list_of(cells, cell_of(cells, cells->points[i]))]++] = i;
    }
    return BERTH_OK;
}

/* Visits the members of one cell. */
static void visit_cell(const struct berth_cells *cells, size_t cell, const double at[3],
                       double limit, void (*visit)(void *, size_t, double), void *context)
{
    const size_t list = list_of(cells, cell);
    for (size_t m = cells->starts[list]; m < cells->starts[list + 1]; m++) {
        const double *point = cells->points[cells->members[m]];
        const double squared = berth_distance_squared(at, point);
        if (squared <= limit && (cells->lists == cells->total || cell_of(cells, point) == cell)) {
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

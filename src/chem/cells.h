/* Finds the points near a place without looking at all of them: space is cut into cells. */
#ifndef BERTH_CHEM_CELLS_H
#define BERTH_CHEM_CELLS_H

#include <stddef.h>

#include "base/error.h"

struct berth_cells {
    double low[3];       /* Å; corner of the first cell */
    double edge;         /* Å; of a cell */
    size_t counts[3];    /* cells along each axis, */
    size_t total;        /* and all of them */
    size_t *starts;      /* owned; members[starts[l] .. starts[l + 1]) are of list l */
    size_t lists;        /* each of one cell, or of several where there are more cells */
    size_t *members;     /* owned; indices of points */
    double (*points)[3]; /* owned; Å */
    size_t count;        /* of points */
};

/* Cells of `edge` Å over count points (copied), the first of them at `first` and each next
 * one `stride` bytes behind: positions of atoms, as these stand.  The caller clears *cells.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_cells_create(const double *first, size_t stride, size_t count, double edge,
                                     struct berth_cells *cells, struct berth_error *error);

/* Calls visit for each point within radius (Å) of `at`, with its index and squared distance. */
void berth_cells_each(const struct berth_cells *cells, const double at[3], double radius,
                      void (*visit)(void *context, size_t index, double squared), void *context);

void berth_cells_clear(struct berth_cells *cells);

#endif

/* A grid of 1 Å about a molecule that says of each point whether it lies inside, and how much of
 * the molecule is about it, as in LIGSITE (Hendlich et al., J. Mol. Graph. Model. 1997): what
 * searches for pockets look at. */
#ifndef BERTH_CHEM_POCKET_GRID_H
#define BERTH_CHEM_POCKET_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "chem/molecule.h"

/* Lines from a point in so many directions are followed for 10 Å: those that hit the molecule are
 * closed. */
enum { BERTH_GRID_DIRECTIONS = 26 };

/* What a point holds; what lies between is its searcher's. */
enum { BERTH_GRID_FREE = 0, BERTH_GRID_INSIDE = 255 };

struct berth_pocket_grid {
    double low[3];        /* Å; place of the first point */
    long counts[3];       /* points along each axis */
    unsigned char *cells; /* owned; x runs fastest */
};

/* The grid about the heavy atoms, which goes on by `margin` points around them: a point is inside
 * where no heavy atom of a ligand may be (2.8 Å).  The caller clears *grid, also after an error.
 * Errors: BERTH_E_FORMAT (no heavy atoms, or spread over too wide a space to be one receptor),
 * BERTH_E_MEMORY. */
enum berth_status berth_pocket_grid_create(const struct berth_molecule *molecule, long margin,
                                           struct berth_pocket_grid *grid,
                                           struct berth_error *error);

/* A zeroed one is accepted. */
void berth_pocket_grid_clear(struct berth_pocket_grid *grid);

size_t berth_pocket_grid_size(const struct berth_pocket_grid *grid);

size_t berth_pocket_grid_index(const struct berth_pocket_grid *grid, const long at[3]);

/* Å: along axis k. */
double berth_pocket_grid_place(const struct berth_pocket_grid *grid, const long at[3], int k);

/* The point nearest to a position (Å), which may lie outside the grid. */
void berth_pocket_grid_nearest(const struct berth_pocket_grid *grid, const double position[3],
                               long at[3]);

/* Of a point that is not inside: the directions that are closed. */
int berth_pocket_grid_closed(const struct berth_pocket_grid *grid, const long at[3]);

typedef void (*berth_pocket_visit)(void *context, const long at[3]);

/* Calls visit for every point. */
void berth_pocket_grid_each(const struct berth_pocket_grid *grid, berth_pocket_visit visit,
                            void *context);

/* The same for those within radius (in points) of `center`. */
void berth_pocket_grid_within(const struct berth_pocket_grid *grid, const long center[3],
                              long radius, berth_pocket_visit visit, void *context);

#endif

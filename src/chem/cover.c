#include "chem/cover.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/pocket_grid.h"

/* Points (Å): from a heavy atom to where the surface is no longer near, and to the grid's end. */
enum { NEAR = 5, MARGIN = 6 };

/* What a cell holds: a point near the surface, before its directions are counted; 1 more than how
 * many are closed. */
enum { UNCOUNTED = 254, OPEN = 1 };

/* The cover as it grows. */
struct cover {
    struct berth_pocket_grid grid;
    int closed; /* those that are taken at the moment */
    long spacing;
    double (*places)[3]; /* owned */
    size_t count, capacity;
    enum berth_status status;
    struct berth_error *error;
};

static void mark_near(void *context, const long at[3])
{
    struct berth_pocket_grid *grid = context;
    unsigned char *cell = &grid->cells[berth_pocket_grid_index(grid, at)];
    *cell = *cell == BERTH_GRID_FREE ? UNCOUNTED : *cell;
}

static void count_directions(void *context, const long at[3])
{
    struct berth_pocket_grid *grid = context;
    unsigned char *cell = &grid->cells[berth_pocket_grid_index(grid, at)];
    if (*cell == UNCOUNTED) {
        *cell = (unsigned char)(OPEN + berth_pocket_grid_closed(grid, at));
    }
}

static void forget(void *context, const long at[3])
{
    struct berth_pocket_grid *grid = context;
    unsigned char *cell = &grid->cells[berth_pocket_grid_index(grid, at)];
    *cell = *cell == BERTH_GRID_INSIDE ? *cell : BERTH_GRID_FREE;
}

/* Takes the point where it is as buried as those that are taken now; it covers those about it. */
static void consider(void *context, const long at[3])
{
    struct cover *cover = context;
    struct berth_pocket_grid *grid = &cover->grid;
    if (cover->status || grid->cells[berth_pocket_grid_index(grid, at)] != OPEN + cover->closed) {
        return;
    }
    cover->status = berth_reserve(&cover->places, &cover->capacity, cover->count + 1,
                                  sizeof *cover->places, cover->error);
    if (!cover->status) {
        for (int k = 0; k < 3; k++) {
            cover->places[cover->count][k] = berth_pocket_grid_place(grid, at, k);
        }
        cover->count++;
        berth_pocket_grid_within(grid, at, cover->spacing, forget, grid);
    }
}

enum berth_status berth_cover_find(const struct berth_molecule *molecule, long spacing,
                                   double (**places)[3], size_t *count, struct berth_error *error)
{
    struct cover cover = {.spacing = spacing, .error = error};
    cover.status = berth_pocket_grid_create(molecule, MARGIN, &cover.grid, error);
    for (size_t i = 0; !cover.status && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            long at[3];
            berth_pocket_grid_nearest(&cover.grid, molecule->atoms[i].position, at);
            berth_pocket_grid_within(&cover.grid, at, NEAR, mark_near, &cover.grid);
        }
    }
    if (!cover.status) {
        berth_pocket_grid_each(&cover.grid, count_directions, &cover.grid);
    }
    for (cover.closed = BERTH_GRID_DIRECTIONS; !cover.status && cover.closed >= 0; cover.closed--) {
        berth_pocket_grid_each(&cover.grid, consider, &cover);
    }
    if (!cover.status && !cover.count) {
        cover.status = berth_fail(error, BERTH_E_FORMAT, "%s: no part of its surface is accessible",
                                  molecule->title);
    }
    berth_pocket_grid_clear(&cover.grid);
    if (cover.status) {
        free(cover.places);
        cover = (struct cover){.status = cover.status};
    }
    *places = cover.places;
    *count = cover.count;
    return cover.status;
}

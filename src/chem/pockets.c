#include "chem/pockets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"

#define CONTACT 2.8 /* Å: no heavy atom of a ligand comes closer to one of the receptor */
enum {
    SIGHT = 10,            /* how far lines go, Å */
    POINTS_MAX = 200000000 /* of the grid: 200 MB */
};

/* --- A grid of 1 Å about the molecule: which points are inside, how much of it is about each ---
 */

/* Lines from a point in so many directions are followed for SIGHT: those that hit the molecule are
 * closed. */
enum { GRID_DIRECTIONS = 26 };

/* What a point holds; what lies between is its searcher's. */
enum { GRID_FREE = 0, GRID_INSIDE = 255 };

struct grid {
    double low[3];        /* Å; place of the first point */
    long counts[3];       /* points along each axis */
    unsigned char *cells; /* owned; x runs fastest */
};

static size_t grid_size(const struct grid *grid)
{
    return (size_t)(grid->counts[0] * grid->counts[1] * grid->counts[2]);
}

static size_t grid_index(const struct grid *grid, const long at[3])
{
    return (size_t)((at[2] * grid->counts[1] + at[1]) * grid->counts[0] + at[0]);
}

/* The point of this index. */
static void grid_point(const struct grid *grid, size_t index, long at[3])
{
    const long row = (long)index / grid->counts[0];
    at[0] = (long)index % grid->counts[0];
    at[1] = row % grid->counts[1];
    at[2] = row / grid->counts[1];
}

/* Å: along axis k. */
static double grid_place(const struct grid *grid, const long at[3], int k)
{
    return grid->low[k] + (double)at[k];
}

static bool is_in(const struct grid *grid, const long at[3])
{
    return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < grid->counts[0] &&
           at[1] < grid->counts[1] && at[2] < grid->counts[2];
}

/* A walk over the points within `radius` (in points) of a center. */
struct walk {
    const struct grid *grid;
    long center[3], radius, step[3];
    long at[3]; /* the present point */
    size_t index;
};

static struct walk walk_about(const struct grid *grid, const long center[3], long radius)
{
    return (struct walk){.grid = grid,
                         .center = {center[0], center[1], center[2]},
                         .radius = radius,
                         .step = {-radius - 1, -radius, -radius}};
}

/* The same about the point nearest to a position (Å), which may lie outside the grid. */
static struct walk walk_near(const struct grid *grid, const double position[3], long radius)
{
    long center[3];
    for (int k = 0; k < 3; k++) {
        center[k] = lround(position[k] - grid->low[k]);
    }
    return walk_about(grid, center, radius);
}

/* Goes to the next point; false where there is none. */
static bool walk_on(struct walk *walk)
{
    long *step = walk->step, squared;
    const long radius = walk->radius;
    do {
        int axis = 0;
        while (++step[axis] > radius) {
            step[axis] = -radius;
            if (++axis == 3) {
                return false;
            }
        }
        squared = 0;
        for (int k = 0; k < 3; k++) {
            walk->at[k] = walk->center[k] + step[k];
            squared += step[k] * step[k];
        }
    } while (squared > radius * radius || !is_in(walk->grid, walk->at));
    walk->index = grid_index(walk->grid, walk->at);
    return true;
}

static void mark_atoms(struct grid *grid, const struct berth_molecule *molecule)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        struct walk walk = walk_near(grid, atom->position, (long)CONTACT + 2);
        while (atom->heavy && walk_on(&walk)) {
            const double place[3] = {grid_place(grid, walk.at, 0), grid_place(grid, walk.at, 1),
                                     grid_place(grid, walk.at, 2)};
            if (berth_distance_squared(place, atom->position) < CONTACT * CONTACT) {
                grid->cells[walk.index] = GRID_INSIDE;
            }
        }
    }
}

/* The grid about the heavy atoms, which goes on by `margin` points around them: a point is inside
 * where no heavy atom of a ligand may be.  The caller frees its cells, also after an error. */
static enum berth_status grid_create(const struct berth_molecule *molecule, long margin,
                                     struct grid *grid, struct berth_error *error)
{
    double points = 1, low[3], high[3];
    memset(grid, 0, sizeof *grid);
    if (!berth_heavy_extent(molecule, low, high)) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: no heavy atoms", molecule->title);
    }
    for (int k = 0; k < 3; k++) {
        grid->low[k] = floor(low[k]) - (double)margin;
        grid->counts[k] = (long)(ceil(high[k]) + (double)margin - grid->low[k]) + 1;
        points *= (double)grid->counts[k];
    }
    if (points > POINTS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: its atoms spread over %ld x %ld x %ld \xc3\x85: too much to scan, "
                          "give a site",
                          molecule->title, grid->counts[0], grid->counts[1], grid->counts[2]);
    }
    BERTH_TRY(
        berth_make(&grid->cells, (size_t)points, sizeof *grid->cells, molecule->title, error));
    mark_atoms(grid, molecule);
    return BERTH_OK;
}

/* True where a line from `from` along step meets an atom within SIGHT. */
static bool is_closed(const struct grid *grid, const long from[3], const long step[3])
{
    const double length = sqrt((double)(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]));
    long at[3] = {from[0], from[1], from[2]};
    for (double gone = length; gone <= SIGHT; gone += length) {
        for (int k = 0; k < 3; k++) {
            at[k] += step[k];
        }
        if (!is_in(grid, at)) {
            return false;
        }
        if (grid->cells[grid_index(grid, at)] == GRID_INSIDE) {
            return true;
        }
    }
    return false;
}

/* Of a point that is not inside: the directions that are closed. */
static int grid_closed(const struct grid *grid, size_t index)
{
    int closed = 0;
    long at[3];
    grid_point(grid, index, at);
    for (int code = 0; code <= GRID_DIRECTIONS; code++) {
        const long step[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        closed += code != GRID_DIRECTIONS / 2 && is_closed(grid, at, step);
    }
    return closed;
}

/* --- Pockets --- */

/* Å, and points of the grid of 1 Å. */
enum {
    MARGIN = 4,       /* of the grid around the atoms */
    BURIED = 20,      /* directions that must be closed for a point to count */
    REACH = 7,        /* radius of a pocket */
    SEPARATION = 8,   /* pockets' centres are at least so far apart */
    BOX_LEAST = 8,    /* shortest edge of a box */
    POCKET_LEAST = 30 /* points; a ligand of a few atoms needs so many */
};

/* Cells come to hold the directions closed, where they are BURIED or more. */
static void count_directions(struct grid *grid)
{
    for (size_t i = 0; i < grid_size(grid); i++) {
        if (grid->cells[i] != GRID_INSIDE) {
            const int closed = grid_closed(grid, i);
            grid->cells[i] = closed >= BURIED ? (unsigned char)closed : GRID_FREE;
        }
    }
}

static bool is_buried(unsigned char cell)
{
    return cell != GRID_FREE && cell != GRID_INSIDE;
}

/* How much a buried point counts: 1 where every direction is closed, near 0 at the threshold. */
static double weight_of(unsigned char cell)
{
    return is_buried(cell) ? (cell - BURIED + 1.0) / (GRID_DIRECTIONS - BURIED + 1.0) : 0;
}

/* A sum over the sphere about one point. */
struct gathering {
    double weight, volume, closed;
    double center[3], low[3], high[3]; /* weighted sum; extents, Å */
};

static struct gathering gather_about(const struct grid *grid, const long at[3])
{
    struct gathering sum = {.low = {INFINITY, INFINITY, INFINITY},
                            .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (struct walk walk = walk_about(grid, at, REACH); walk_on(&walk);) {
        const unsigned char cell = grid->cells[walk.index];
        const double weight = weight_of(cell);
        if (weight > 0) {
            sum.weight += weight;
            sum.volume += 1;
            sum.closed += (double)cell / GRID_DIRECTIONS;
            for (int k = 0; k < 3; k++) {
                const double x = grid_place(grid, walk.at, k);
                sum.center[k] += weight * x;
                sum.low[k] = fmin(sum.low[k], x);
                sum.high[k] = fmax(sum.high[k], x);
            }
        }
    }
    return sum;
}

static void set_pocket(const struct gathering *sum, struct berth_pocket *pocket)
{
    for (int k = 0; k < 3; k++) {
        pocket->center[k] = sum->center[k] / sum->weight;
        pocket->size[k] = fmax(sum->high[k] - sum->low[k], BOX_LEAST);
    }
    pocket->volume = sum->volume;
    pocket->burial = sum->closed / sum->volume;
    pocket->score = sum->weight;
}

/* sums: [points], the score of a pocket centred there; those of points that are taken become 0. */
static void take_pockets(const struct grid *grid, double *sums, size_t most,
                         struct berth_pocket *pockets, size_t *found)
{
    while (*found < most) {
        size_t best = 0;
        for (size_t i = 1; i < grid_size(grid); i++) {
            best = sums[i] > sums[best] ? i : best;
        }
        if (sums[best] <= 0) {
            return;
        }
        long at[3];
        grid_point(grid, best, at);
        const struct gathering sum = gather_about(grid, at);
        if (sum.volume >= POCKET_LEAST) {
            set_pocket(&sum, &pockets[(*found)++]);
        }
        for (struct walk walk = walk_about(grid, at, SEPARATION); walk_on(&walk);) {
            sums[walk.index] = 0;
        }
    }
}

enum berth_status berth_pockets_find(const struct berth_molecule *molecule, size_t most,
                                     struct berth_pocket *pockets, size_t *found,
                                     struct berth_error *error)
{
    struct grid grid;
    double *sums = NULL;
    *found = 0;
    enum berth_status status = grid_create(molecule, MARGIN, &grid, error);
    BERTH_THEN(berth_make(&sums, grid_size(&grid), sizeof *sums, molecule->title, error));
    if (!status) {
        count_directions(&grid);
        for (size_t i = 0; i < grid_size(&grid); i++) {
            long at[3];
            grid_point(&grid, i, at);
            sums[i] = is_buried(grid.cells[i]) ? gather_about(&grid, at).weight : 0;
        }
        take_pockets(&grid, sums, most, pockets, found);
    }
    free(grid.cells);
    free(sums);
    return status;
}

/* --- Places that cover the space along a surface --- */

/* Points (Å): from a heavy atom to where the surface is no longer near, and to the grid's end. */
enum { NEAR = 5, COVER_MARGIN = 6 };

/* What a cell holds: a point near the surface, before its directions are counted; 1 more than how
 * many are closed. */
enum { UNCOUNTED = 254, OPEN = 1 };

struct places {
    double (*items)[3]; /* owned */
    size_t count, capacity;
};

/* Counts the directions of the points near the surface. */
static void count_near_surface(const struct berth_molecule *molecule, struct grid *grid)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct walk walk = walk_near(grid, molecule->atoms[i].position, NEAR);
        while (molecule->atoms[i].heavy && walk_on(&walk)) {
            unsigned char *cell = &grid->cells[walk.index];
            *cell = *cell == GRID_FREE ? UNCOUNTED : *cell;
        }
    }
    for (size_t i = 0; i < grid_size(grid); i++) {
        if (grid->cells[i] == UNCOUNTED) {
            grid->cells[i] = (unsigned char)(OPEN + grid_closed(grid, i));
        }
    }
}

/* Takes the points of which so many directions are closed; each covers those about it. */
static enum berth_status take_closed(struct grid *grid, int closed, long spacing,
                                     struct places *places, struct berth_error *error)
{
    for (size_t i = 0; i < grid_size(grid); i++) {
        if (grid->cells[i] != OPEN + closed) {
            continue;
        }
        BERTH_TRY(berth_reserve(&places->items, &places->capacity, places->count + 1,
                                sizeof *places->items, error));
        long at[3];
        grid_point(grid, i, at);
        for (int k = 0; k < 3; k++) {
            places->items[places->count][k] = grid_place(grid, at, k);
        }
        places->count++;
        for (struct walk walk = walk_about(grid, at, spacing); walk_on(&walk);) {
            unsigned char *cell = &grid->cells[walk.index];
            *cell = *cell == GRID_INSIDE ? *cell : GRID_FREE;
        }
    }
    return BERTH_OK;
}

enum berth_status berth_cover_find(const struct berth_molecule *molecule, long spacing,
                                   double (**places)[3], size_t *count, struct berth_error *error)
{
    struct grid grid;
    struct places taken = {0};
    enum berth_status status = grid_create(molecule, COVER_MARGIN, &grid, error);
    if (!status) {
        count_near_surface(molecule, &grid);
    }
    for (int closed = GRID_DIRECTIONS; !status && closed >= 0; closed--) {
        status = take_closed(&grid, closed, spacing, &taken, error);
    }
    if (!status && !taken.count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no part of its surface is accessible",
                            molecule->title);
    }
    free(grid.cells);
    if (status) {
        free(taken.items);
        taken = (struct places){0};
    }
    *places = taken.items;
    *count = taken.count;
    return status;
}

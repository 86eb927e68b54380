#include "chem/pockets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

typedef void (*grid_visit)(void *context, const long at[3]);

static size_t grid_size(const struct grid *grid)
{
    return (size_t)(grid->counts[0] * grid->counts[1] * grid->counts[2]);
}

static size_t grid_index(const struct grid *grid, const long at[3])
{
    return (size_t)((at[2] * grid->counts[1] + at[1]) * grid->counts[0] + at[0]);
}

/* Å: along axis k. */
static double grid_place(const struct grid *grid, const long at[3], int k)
{
    return grid->low[k] + (double)at[k];
}

/* The point nearest to a position (Å), which may lie outside the grid. */
static void grid_nearest(const struct grid *grid, const double position[3], long at[3])
{
    for (int k = 0; k < 3; k++) {
        at[k] = lround(position[k] - grid->low[k]);
    }
}

static bool is_in(const struct grid *grid, const long at[3])
{
    return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < grid->counts[0] &&
           at[1] < grid->counts[1] && at[2] < grid->counts[2];
}

/* Calls visit for the points within radius (in points) of `center`. */
static void grid_within(const struct grid *grid, const long center[3], long radius,
                        grid_visit visit, void *context)
{
    for (long z = -radius; z <= radius; z++) {
        for (long y = -radius; y <= radius; y++) {
            for (long x = -radius; x <= radius; x++) {
                const long at[3] = {center[0] + x, center[1] + y, center[2] + z};
                if (x * x + y * y + z * z <= radius * radius && is_in(grid, at)) {
                    visit(context, at);
                }
            }
        }
    }
}

static void grid_each(const struct grid *grid, grid_visit visit, void *context)
{
    long at[3];
    for (at[2] = 0; at[2] < grid->counts[2]; at[2]++) {
        for (at[1] = 0; at[1] < grid->counts[1]; at[1]++) {
            for (at[0] = 0; at[0] < grid->counts[0]; at[0]++) {
                visit(context, at);
            }
        }
    }
}

/* An atom being marked. */
struct marking {
    struct grid *grid;
    const double *position;
};

static void mark_point(void *context, const long at[3])
{
    const struct marking *marking = context;
    double squared = 0;
    for (int k = 0; k < 3; k++) {
        const double d = grid_place(marking->grid, at, k) - marking->position[k];
        squared += d * d;
    }
    if (squared < CONTACT * CONTACT) {
        marking->grid->cells[grid_index(marking->grid, at)] = GRID_INSIDE;
    }
}

static void mark_atoms(struct grid *grid, const struct berth_molecule *molecule)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            struct marking marking = {grid, molecule->atoms[i].position};
            long at[3];
            grid_nearest(grid, marking.position, at);
            grid_within(grid, at, (long)CONTACT + 2, mark_point, &marking);
        }
    }
}

/* The grid about the heavy atoms, which goes on by `margin` points around them: a point is inside
 * where no heavy atom of a ligand may be.  The caller clears *grid, also after an error. */
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
    grid->cells = berth_alloc((size_t)points, sizeof *grid->cells);
    if (!grid->cells) {
        return berth_fail(error, BERTH_E_MEMORY, "%s: out of memory for a grid of %.0f points",
                          molecule->title, points);
    }
    mark_atoms(grid, molecule);
    return BERTH_OK;
}

static void grid_clear(struct grid *grid)
{
    free(grid->cells);
    memset(grid, 0, sizeof *grid);
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
static int grid_closed(const struct grid *grid, const long at[3])
{
    int closed = 0;
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

/* What a search works on.  Cells hold the directions closed, where they are BURIED or more. */
struct search {
    struct grid grid;
    double *sums; /* owned; [points]: score of a pocket centred there */
};

static void count_directions(void *context, const long at[3])
{
    struct grid *grid = &((struct search *)context)->grid;
    unsigned char *cell = &grid->cells[grid_index(grid, at)];
    if (*cell != GRID_INSIDE) {
        const int closed = grid_closed(grid, at);
        *cell = closed >= BURIED ? (unsigned char)closed : GRID_FREE;
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
    const struct grid *grid;
    double weight, volume, closed;
    double center[3], low[3], high[3]; /* weighted sum; extents, Å */
};

static void gather(void *context, const long at[3])
{
    struct gathering *sum = context;
    const unsigned char cell = sum->grid->cells[grid_index(sum->grid, at)];
    const double weight = weight_of(cell);
    if (weight > 0) {
        sum->weight += weight;
        sum->volume += 1;
        sum->closed += (double)cell / GRID_DIRECTIONS;
        for (int k = 0; k < 3; k++) {
            const double x = grid_place(sum->grid, at, k);
            sum->center[k] += weight * x;
            sum->low[k] = fmin(sum->low[k], x);
            sum->high[k] = fmax(sum->high[k], x);
        }
    }
}

static struct gathering gather_about(const struct grid *grid, const long at[3])
{
    struct gathering sum = {.grid = grid,
                            .low = {INFINITY, INFINITY, INFINITY},
                            .high = {-INFINITY, -INFINITY, -INFINITY}};
    grid_within(grid, at, REACH, gather, &sum);
    return sum;
}

static void sum_point(void *context, const long at[3])
{
    struct search *search = context;
    const size_t index = grid_index(&search->grid, at);
    search->sums[index] =
        is_buried(search->grid.cells[index]) ? gather_about(&search->grid, at).weight : 0;
}

/* The point with the largest sum so far. */
struct best {
    const struct search *search;
    double sum;
    long at[3];
};

static void find_best(void *context, const long at[3])
{
    struct best *best = context;
    const double sum = best->search->sums[grid_index(&best->search->grid, at)];
    if (sum > best->sum) {
        best->sum = sum;
        memcpy(best->at, at, sizeof best->at);
    }
}

static void forget_point(void *context, const long at[3])
{
    struct search *search = context;
    search->sums[grid_index(&search->grid, at)] = 0;
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

static void take_pockets(struct search *search, size_t most, struct berth_pocket *pockets,
                         size_t *found)
{
    while (*found < most) {
        struct best best = {.search = search};
        grid_each(&search->grid, find_best, &best);
        if (best.sum <= 0) {
            return;
        }
        const struct gathering sum = gather_about(&search->grid, best.at);
        if (sum.volume >= POCKET_LEAST) {
            set_pocket(&sum, &pockets[(*found)++]);
        }
        grid_within(&search->grid, best.at, SEPARATION, forget_point, search);
    }
}

enum berth_status berth_pockets_find(const struct berth_molecule *molecule, size_t most,
                                     struct berth_pocket *pockets, size_t *found,
                                     struct berth_error *error)
{
    struct search search = {.sums = NULL};
    *found = 0;
    enum berth_status status = grid_create(molecule, MARGIN, &search.grid, error);
    if (!status) {
        search.sums = berth_alloc(grid_size(&search.grid), sizeof *search.sums);
        status = search.sums ? BERTH_OK
                             : berth_fail(error, BERTH_E_MEMORY, "%s: out of memory for a grid",
                                          molecule->title);
    }
    if (!status) {
        grid_each(&search.grid, count_directions, &search);
        grid_each(&search.grid, sum_point, &search);
        take_pockets(&search, most, pockets, found);
    }
    grid_clear(&search.grid);
    free(search.sums);
    return status;
}

/* --- Places that cover the space along a surface --- */

/* Points (Å): from a heavy atom to where the surface is no longer near, and to the grid's end. */
enum { NEAR = 5, COVER_MARGIN = 6 };

/* What a cell holds: a point near the surface, before its directions are counted; 1 more than how
 * many are closed. */
enum { UNCOUNTED = 254, OPEN = 1 };

/* The cover as it grows. */
struct cover {
    struct grid grid;
    int closed; /* those that are taken at the moment */
    long spacing;
    double (*places)[3]; /* owned */
    size_t count, capacity;
    enum berth_status status;
    struct berth_error *error;
};

static void mark_near(void *context, const long at[3])
{
    struct grid *grid = context;
    unsigned char *cell = &grid->cells[grid_index(grid, at)];
    *cell = *cell == GRID_FREE ? UNCOUNTED : *cell;
}

static void count_near_surface(void *context, const long at[3])
{
    struct grid *grid = context;
    unsigned char *cell = &grid->cells[grid_index(grid, at)];
    if (*cell == UNCOUNTED) {
        *cell = (unsigned char)(OPEN + grid_closed(grid, at));
    }
}

static void forget(void *context, const long at[3])
{
    struct grid *grid = context;
    unsigned char *cell = &grid->cells[grid_index(grid, at)];
    *cell = *cell == GRID_INSIDE ? *cell : GRID_FREE;
}

/* Takes the point where it is as buried as those that are taken now; it covers those about it. */
static void consider_place(void *context, const long at[3])
{
    struct cover *cover = context;
    struct grid *grid = &cover->grid;
    if (cover->status || grid->cells[grid_index(grid, at)] != OPEN + cover->closed) {
        return;
    }
    cover->status = berth_reserve(&cover->places, &cover->capacity, cover->count + 1,
                                  sizeof *cover->places, cover->error);
    if (!cover->status) {
        for (int k = 0; k < 3; k++) {
            cover->places[cover->count][k] = grid_place(grid, at, k);
        }
        cover->count++;
        grid_within(grid, at, cover->spacing, forget, grid);
    }
}

enum berth_status berth_cover_find(const struct berth_molecule *molecule, long spacing,
                                   double (**places)[3], size_t *count, struct berth_error *error)
{
    struct cover cover = {.spacing = spacing, .error = error};
    cover.status = grid_create(molecule, COVER_MARGIN, &cover.grid, error);
    for (size_t i = 0; !cover.status && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            long at[3];
            grid_nearest(&cover.grid, molecule->atoms[i].position, at);
            grid_within(&cover.grid, at, NEAR, mark_near, &cover.grid);
        }
    }
    if (!cover.status) {
        grid_each(&cover.grid, count_near_surface, &cover.grid);
    }
    for (cover.closed = GRID_DIRECTIONS; !cover.status && cover.closed >= 0; cover.closed--) {
        grid_each(&cover.grid, consider_place, &cover);
    }
    if (!cover.status && !cover.count) {
        cover.status = berth_fail(error, BERTH_E_FORMAT, "%s: no part of its surface is accessible",
                                  molecule->title);
    }
    grid_clear(&cover.grid);
    if (cover.status) {
        free(cover.places);
        cover = (struct cover){.status = cover.status};
    }
    *places = cover.places;
    *count = cover.count;
    return cover.status;
}

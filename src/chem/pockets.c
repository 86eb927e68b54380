#include "chem/pockets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/pocket_grid.h"

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
    struct berth_pocket_grid grid;
    double *sums; /* owned; [points]: score of a pocket centred there */
};

static void count_directions(void *context, const long at[3])
{
    struct berth_pocket_grid *grid = &((struct search *)context)->grid;
    unsigned char *cell = &grid->cells[berth_pocket_grid_index(grid, at)];
    if (*cell != BERTH_GRID_INSIDE) {
        const int closed = berth_pocket_grid_closed(grid, at);
        *cell = closed >= BURIED ? (unsigned char)closed : BERTH_GRID_FREE;
    }
}

static bool is_buried(unsigned char cell)
{
    return cell != BERTH_GRID_FREE && cell != BERTH_GRID_INSIDE;
}

/* How much a buried point counts: 1 where every direction is closed, near 0 at the threshold. */
static double weight_of(unsigned char cell)
{
    return is_buried(cell) ? (cell - BURIED + 1.0) / (BERTH_GRID_DIRECTIONS - BURIED + 1.0) : 0;
}

/* A sum over the sphere about one point. */
struct gathering {
    const struct berth_pocket_grid *grid;
    double weight, volume, closed;
    double center[3], low[3], high[3]; /* weighted sum; extents, Å */
};

static void gather(void *context, const long at[3])
{
    struct gathering *sum = context;
    const unsigned char cell = sum->grid->cells[berth_pocket_grid_index(sum->grid, at)];
    const double weight = weight_of(cell);
    if (weight > 0) {
        sum->weight += weight;
        sum->volume += 1;
        sum->closed += (double)cell / BERTH_GRID_DIRECTIONS;
        for (int k = 0; k < 3; k++) {
            const double x = berth_pocket_grid_place(sum->grid, at, k);
            sum->center[k] += weight * x;
            sum->low[k] = fmin(sum->low[k], x);
            sum->high[k] = fmax(sum->high[k], x);
        }
    }
}

static struct gathering gather_about(const struct berth_pocket_grid *grid, const long at[3])
{
    struct gathering sum = {.grid = grid,
                            .low = {INFINITY, INFINITY, INFINITY},
                            .high = {-INFINITY, -INFINITY, -INFINITY}};
    berth_pocket_grid_within(grid, at, REACH, gather, &sum);
    return sum;
}

static void sum_point(void *context, const long at[3])
{
    struct search *search = context;
    const size_t index = berth_pocket_grid_index(&search->grid, at);
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
    const double sum = best->search->sums[berth_pocket_grid_index(&best->search->grid, at)];
    if (sum > best->sum) {
        best->sum = sum;
        memcpy(best->at, at, sizeof best->at);
    }
}

static void forget_point(void *context, const long at[3])
{
    struct search *search = context;
    search->sums[berth_pocket_grid_index(&search->grid, at)] = 0;
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
        berth_pocket_grid_each(&search->grid, find_best, &best);
        if (best.sum <= 0) {
            return;
        }
        const struct gathering sum = gather_about(&search->grid, best.at);
        if (sum.volume >= POCKET_LEAST) {
            set_pocket(&sum, &pockets[(*found)++]);
        }
        berth_pocket_grid_within(&search->grid, best.at, SEPARATION, forget_point, search);
    }
}

enum berth_status berth_pockets_find(const struct berth_molecule *molecule, size_t most,
                                     struct berth_pocket *pockets, size_t *found,
                                     struct berth_error *error)
{
    struct search search = {.sums = NULL};
    *found = 0;
    enum berth_status status = berth_pocket_grid_create(molecule, MARGIN, &search.grid, error);
    if (!status) {
        search.sums = berth_alloc(berth_pocket_grid_size(&search.grid), sizeof *search.sums);
        status = search.sums ? BERTH_OK
                             : berth_fail(error, BERTH_E_MEMORY, "%s: out of memory for a grid",
                                          molecule->title);
    }
    if (!status) {
        berth_pocket_grid_each(&search.grid, count_directions, &search);
        berth_pocket_grid_each(&search.grid, sum_point, &search);
        take_pockets(&search, most, pockets, found);
    }
    berth_pocket_grid_clear(&search.grid);
    free(search.sums);
    return status;
}

#include "chem/pockets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Å, and points of the grid of 1 Å. */
#define CONTACT 2.8 /* no heavy atom of a ligand comes closer to one of the receptor */
enum {
    MARGIN = 4, /* around the atoms */
    SIGHT = 10, /* how far lines go */
    DIRECTIONS = 26,
    BURIED = 20,            /* directions that must be closed for a point to count */
    REACH = 7,              /* radius of a pocket */
    SEPARATION = 8,         /* pockets' centres are at least so far apart */
    BOX_LEAST = 8,          /* shortest edge of a box */
    POINTS_MAX = 200000000, /* of the grid: 200 MB */
    POCKET_LEAST = 30       /* points; a ligand of a few atoms needs so many */
};

/* The grid: what a point holds. */
enum { FREE = 0, INSIDE = 255 }; /* between: directions closed, where BURIED or more */

struct grid {
    double low[3];        /* Å; place of the first point */
    long counts[3];       /* points along each axis */
    unsigned char *cells; /* owned */
    double *sums;         /* owned; [counts...]: score of a pocket centred there */
};

static size_t index_of(const struct grid *grid, const long at[3])
{
    return (size_t)((at[2] * grid->counts[1] + at[1]) * grid->counts[0] + at[0]);
}

static bool is_in(const struct grid *grid, const long at[3])
{
    return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < grid->counts[0] &&
           at[1] < grid->counts[1] && at[2] < grid->counts[2];
}

/* Calls visit for every point of the grid within radius (in points) of `center`. */
static void each_within(const struct grid *grid, const long center[3], long radius,
                        void (*visit)(void *context, const long at[3]), void *context)
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

/* Calls visit for every point of the grid, with its place. */
static void each_point(struct grid *grid,
                       void (*visit)(struct grid *grid, const long at[3], void *context),
                       void *context)
{
    long at[3];
    for (at[2] = 0; at[2] < grid->counts[2]; at[2]++) {
        for (at[1] = 0; at[1] < grid->counts[1]; at[1]++) {
            for (at[0] = 0; at[0] < grid->counts[0]; at[0]++) {
                visit(grid, at, context);
            }
        }
    }
}

static enum berth_status create_grid(const struct berth_molecule *molecule, struct grid *grid,
                                     struct berth_error *error)
{
    double points = 1;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < molecule->atom_count; i++) {
            if (molecule->atoms[i].heavy) {
                low = fmin(low, molecule->atoms[i].position[k]);
                high = fmax(high, molecule->atoms[i].position[k]);
            }
        }
        if (low > high) {
            return berth_fail(error, BERTH_E_FORMAT, "%s: no heavy atoms", molecule->title);
        }
        grid->low[k] = floor(low) - MARGIN;
        grid->counts[k] = (long)(ceil(high) + MARGIN - grid->low[k]) + 1;
        points *= (double)grid->counts[k];
    }
    if (points > POINTS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: its atoms spread over %ld x %ld x %ld \xc3\x85: too much to scan, "
                          "give a site",
                          molecule->title, grid->counts[0], grid->counts[1], grid->counts[2]);
    }
    grid->cells = berth_alloc((size_t)points, sizeof *grid->cells);
    grid->sums = berth_alloc((size_t)points, sizeof *grid->sums);
    return grid->cells && grid->sums
               ? BERTH_OK
               : berth_fail(error, BERTH_E_MEMORY, "%s: out of memory for a grid of %.0f points",
                            molecule->title, points);
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
        const double d = marking->grid->low[k] + (double)at[k] - marking->position[k];
        squared += d * d;
    }
    if (squared < CONTACT * CONTACT) {
        marking->grid->cells[index_of(marking->grid, at)] = INSIDE;
    }
}

static void mark_atoms(struct grid *grid, const struct berth_molecule *molecule)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            struct marking marking = {grid, molecule->atoms[i].position};
            long at[3];
            for (int k = 0; k < 3; k++) {
                at[k] = lround(marking.position[k] - grid->low[k]);
            }
            each_within(grid, at, (long)CONTACT + 2, mark_point, &marking);
        }
    }
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
        if (grid->cells[index_of(grid, at)] == INSIDE) {
            return true;
        }
    }
    return false;
}

static void count_directions(struct grid *grid, const long at[3], void *context)
{
    unsigned char *cell = &grid->cells[index_of(grid, at)];
    (void)context;
    if (*cell == INSIDE) {
        return;
    }
    int closed = 0;
    for (int code = 0; code < 27; code++) {
        const long step[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        closed += code != 13 && is_closed(grid, at, step);
    }
    *cell = closed >= BURIED ? (unsigned char)closed : FREE;
}

static bool is_buried(unsigned char cell)
{
    return cell != FREE && cell != INSIDE;
}

/* How much a buried point counts: 1 where every direction is closed, near 0 at the threshold. */
static double weight_of(unsigned char cell)
{
    return is_buried(cell) ? (cell - BURIED + 1.0) / (DIRECTIONS - BURIED + 1.0) : 0;
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
    const unsigned char cell = sum->grid->cells[index_of(sum->grid, at)];
    const double weight = weight_of(cell);
    if (weight > 0) {
        sum->weight += weight;
        sum->volume += 1;
        sum->closed += (double)cell / DIRECTIONS;
        for (int k = 0; k < 3; k++) {
            const double x = sum->grid->low[k] + (double)at[k];
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
    each_within(grid, at, REACH, gather, &sum);
    return sum;
}

static void sum_point(struct grid *grid, const long at[3], void *context)
{
    (void)context;
    const size_t index = index_of(grid, at);
    grid->sums[index] = is_buried(grid->cells[index]) ? gather_about(grid, at).weight : 0;
}

/* The point with the largest sum so far. */
struct best {
    double sum;
    long at[3];
};

static void find_best(struct grid *grid, const long at[3], void *context)
{
    struct best *best = context;
    const double sum = grid->sums[index_of(grid, at)];
    if (sum > best->sum) {
        best->sum = sum;
        memcpy(best->at, at, sizeof best->at);
    }
}

static void forget_point(void *context, const long at[3])
{
    const struct grid *grid = context;
    grid->sums[index_of(grid, at)] = 0;
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

static void take_pockets(struct grid *grid, size_t most, struct berth_pocket *pockets,
                         size_t *found)
{
    while (*found < most) {
        struct best best = {.sum = 0};
        each_point(grid, find_best, &best);
        if (best.sum <= 0) {
            return;
        }
        const struct gathering sum = gather_about(grid, best.at);
        if (sum.volume >= POCKET_LEAST) {
            set_pocket(&sum, &pockets[(*found)++]);
        }
        each_within(grid, best.at, SEPARATION, forget_point, grid);
    }
}

enum berth_status berth_pockets_find(const struct berth_molecule *molecule, size_t most,
                                     struct berth_pocket *pockets, size_t *found,
                                     struct berth_error *error)
{
    struct grid grid = {.cells = NULL};
    *found = 0;
    enum berth_status status = create_grid(molecule, &grid, error);
    if (!status) {
        mark_atoms(&grid, molecule);
        each_point(&grid, count_directions, NULL);
        each_point(&grid, sum_point, NULL);
        take_pockets(&grid, most, pockets, found);
    }
    free(grid.cells);
    free(grid.sums);
    return status;
}

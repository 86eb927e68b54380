#include "chem/pocket_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define CONTACT 2.8 /* Å: no heavy atom of a ligand comes closer to one of the receptor */
enum {
    SIGHT = 10,            /* how far lines go, Å */
    POINTS_MAX = 200000000 /* of the grid: 200 MB */
};

size_t berth_pocket_grid_size(const struct berth_pocket_grid *grid)
{
    return (size_t)(grid->counts[0] * grid->counts[1] * grid->counts[2]);
}

size_t berth_pocket_grid_index(const struct berth_pocket_grid *grid, const long at[3])
{
    return (size_t)((at[2] * grid->counts[1] + at[1]) * grid->counts[0] + at[0]);
}

double berth_pocket_grid_place(const struct berth_pocket_grid *grid, const long at[3], int k)
{
    return grid->low[k] + (double)at[k];
}

void berth_pocket_grid_nearest(const struct berth_pocket_grid *grid, const double position[3],
                               long at[3])
{
    for (int k = 0; k < 3; k++) {
        at[k] = lround(position[k] - grid->low[k]);
    }
}

static bool is_in(const struct berth_pocket_grid *grid, const long at[3])
{
    return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < grid->counts[0] &&
           at[1] < grid->counts[1] && at[2] < grid->counts[2];
}

void berth_pocket_grid_within(const struct berth_pocket_grid *grid, const long center[3],
                              long radius, berth_pocket_visit visit, void *context)
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

void berth_pocket_grid_each(const struct berth_pocket_grid *grid, berth_pocket_visit visit,
                            void *context)
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
    struct berth_pocket_grid *grid;
    const double *position;
};

static void mark_point(void *context, const long at[3])
{
    const struct marking *marking = context;
    double squared = 0;
    for (int k = 0; k < 3; k++) {
        const double d = berth_pocket_grid_place(marking->grid, at, k) - marking->position[k];
        squared += d * d;
    }
    if (squared < CONTACT * CONTACT) {
        marking->grid->cells[berth_pocket_grid_index(marking->grid, at)] = BERTH_GRID_INSIDE;
    }
}

static void mark_atoms(struct berth_pocket_grid *grid, const struct berth_molecule *molecule)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            struct marking marking = {grid, molecule->atoms[i].position};
            long at[3];
            berth_pocket_grid_nearest(grid, marking.position, at);
            berth_pocket_grid_within(grid, at, (long)CONTACT + 2, mark_point, &marking);
        }
    }
}

enum berth_status berth_pocket_grid_create(const struct berth_molecule *molecule, long margin,
                                           struct berth_pocket_grid *grid,
                                           struct berth_error *error)
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

void berth_pocket_grid_clear(struct berth_pocket_grid *grid)
{
    free(grid->cells);
    memset(grid, 0, sizeof *grid);
}

/* True where a line from `from` along step meets an atom within SIGHT. */
static bool is_closed(const struct berth_pocket_grid *grid, const long from[3], const long step[3])
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
        if (grid->cells[berth_pocket_grid_index(grid, at)] == BERTH_GRID_INSIDE) {
            return true;
        }
    }
    return false;
}

int berth_pocket_grid_closed(const struct berth_pocket_grid *grid, const long at[3])
{
    int closed = 0;
    for (int code = 0; code <= BERTH_GRID_DIRECTIONS; code++) {
        const long step[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        closed += code != BERTH_GRID_DIRECTIONS / 2 && is_closed(grid, at, step);
    }
    return closed;
}

#include "dock/surface/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/pockets.h"

/* Å.  bench/RESULTS.md has what other numbers find. */
#define START   6.0  /* half edge of where a population begins */
#define SPACING 7    /* between places */
#define ROOM    4.0  /* around where populations begin, for their centroids */
#define GRID    0.5f /* spacing of the maps: what they find is refined by exact energies */

/* Bytes: the maps of a part are no larger, so that a GPU of 4 GiB has room for them. */
#define PART (768.0 * 1024 * 1024)

const struct berth_search_level *berth_surface_level(const char *name)
{
    static const struct berth_search_level LEVELS[] = {
        {"fast", true, 16, 4, 8, 1, 60, 4, false},
        {"balanced", true, 32, 6, 8, 2, 100, 4, false},
        {"thorough", true, 64, 12, 16, 4, 200, 4, false}};
    for (size_t i = 0; i < sizeof LEVELS / sizeof *LEVELS; i++) {
        if (strcmp(LEVELS[i].name, name) == 0) {
            return &LEVELS[i];
        }
    }
    return NULL;
}

/* The box about some places in which their populations may move. */
static struct berth_site box_about(const double (*places)[3], size_t count)
{
    struct berth_site box;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, places[i][k]);
            high = fmax(high, places[i][k]);
        }
        box.center[k] = (low + high) / 2;
        box.size[k] = high - low + 2 * (START + ROOM);
    }
    return box;
}

/* Bytes of the maps of a box for so many kinds of atoms. */
static double bytes_of(const struct berth_site *box, size_t kinds)
{
    const double margin = (double)berth_maps_defaults().margin;
    const double edges[3] = {box->size[0] + 2 * margin, box->size[1] + 2 * margin,
                             box->size[2] + 2 * margin};
    return berth_maps_bytes(edges, (double)GRID, kinds);
}

static int longest_edge(const struct berth_site *box)
{
    const double *size = box->size;
    const int longest = size[1] > size[0] ? 1 : 0;
    return size[2] > size[longest] ? 2 : longest;
}

/* Moves the places below `limit` along an axis to the front, in their order, and says how many they
 * are; spare has room for all of them. */
static size_t divide(double (*places)[3], size_t count, int axis, double limit, double (*spare)[3])
{
    size_t below = 0, above = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(places[i][axis] < limit ? places[below++] : spare[above++], places[i],
               sizeof *places);
    }
    memcpy(places + below, spare, above * sizeof *spare);
    return below;
}

/* Halves the last part along its longest edge until it is small enough: what was cut off becomes a
 * part behind it. */
static enum berth_status part_places(struct berth_surface *surface, size_t kinds,
                                     double (*spare)[3], struct berth_error *error)
{
    size_t capacity = 0;
    enum berth_status status =
        berth_reserve(&surface->parts, &capacity, 1, sizeof *surface->parts, error);
    if (!status) {
        surface->parts[surface->part_count++] =
            (struct berth_surface_part){surface->site, 0, surface->place_count};
    }
    for (size_t p = 0; !status && p < surface->part_count;) {
        struct berth_surface_part *part = &surface->parts[p];
        double(*places)[3] = surface->places + part->first;
        part->site = box_about((const double(*)[3])places, part->count);
        const double bytes = bytes_of(&part->site, kinds);
        if (bytes <= PART || part->count == 1) {
            surface->bytes = fmax(surface->bytes, bytes);
            p++;
            continue;
        }
        const int axis = longest_edge(&part->site);
        const size_t below = divide(places, part->count, axis, part->site.center[axis], spare);
        const struct berth_surface_part above = {.first = part->first + below,
                                                 .count = part->count - below};
        part->count = below;
        status = berth_reserve(&surface->parts, &capacity, surface->part_count + 1,
                               sizeof *surface->parts, error);
        if (!status) {
            surface->parts[surface->part_count++] = above;
        }
    }
    return status;
}

enum berth_status berth_surface_create(const struct berth_molecule *receptor, size_t kinds,
                                       struct berth_surface *surface, struct berth_error *error)
{
    memset(surface, 0, sizeof *surface);
    enum berth_status status =
        berth_cover_find(receptor, SPACING, &surface->places, &surface->place_count, error);
    if (status) {
        return status;
    }
    if (surface->place_count > BERTH_SURFACE_PLACES_MAX) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--site surface: the receptor's surface takes %zu searches; %d are "
                          "possible: dock to a part of it",
                          surface->place_count, BERTH_SURFACE_PLACES_MAX);
    }
    double(*spare)[3] = berth_alloc(surface->place_count, sizeof *spare);
    surface->site = box_about((const double(*)[3])surface->places, surface->place_count);
    status = spare ? part_places(surface, kinds, spare, error) : berth_out_of_memory(error, NULL);
    free(spare);
    return status;
}

void berth_surface_clear(struct berth_surface *surface)
{
    free(surface->places);
    free(surface->parts);
    memset(surface, 0, sizeof *surface);
}

void berth_surface_aim(const struct berth_surface *surface, size_t part,
                       struct berth_docking_setup *setup)
{
    for (size_t t = 0; t < setup->target_count; t++) {
        setup->targets[t].site = surface->parts[part].site;
    }
    setup->search.mapped.start = (float)START;
    setup->search.mapped.maps.spacing = GRID;
    if (!setup->search.batch) {
        setup->search.batch = surface->parts[part].count;
    }
}

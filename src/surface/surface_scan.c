#include "surface/surface_scan.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/pockets.h"

/* Å.  bench/history/receptors.md has what they find. */
#define START   6.0  /* half edge of where a population begins */
#define SPACING 7    /* between places */
#define ROOM    4.0  /* around where populations begin, for their centroids */
#define GRID    0.5f /* spacing of the maps: what they find is refined by exact energies */

/* Bytes: the maps of a part are no larger, so that a GPU of 4 GiB has room for them. */
#define PART (768.0 * 1024 * 1024)

const struct berth_search_level *berth_surface_level(const char *name)
{
    static const struct berth_search_level LEVELS[] = {
        {"fastest", true, 16, 2, 8, 1, 60, 4, false},
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
    struct berth_site box = {.atoms = false};
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
    BERTH_TRY(berth_reserve(&surface->parts, &capacity, 1, sizeof *surface->parts, error));
    surface->parts[surface->part_count++] =
        (struct berth_surface_part){surface->site, 0, surface->place_count};
    for (size_t p = 0; p < surface->part_count;) {
        struct berth_surface_part *part = &surface->parts[p];
        double(*places)[3] = surface->places + part->first;
        part->site = box_about((const double(*)[3])places, part->count);
        const double bytes = berth_maps_bytes(part->site.size, (double)berth_maps_defaults().margin,
                                              (double)GRID, kinds);
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
        BERTH_TRY(berth_reserve(&surface->parts, &capacity, surface->part_count + 1,
                                sizeof *surface->parts, error));
        surface->parts[surface->part_count++] = above;
    }
    return BERTH_OK;
}

enum berth_status berth_surface_create(const struct berth_molecule *receptor, size_t kinds,
                                       struct berth_surface *surface, struct berth_error *error)
{
    memset(surface, 0, sizeof *surface);
    BERTH_TRY(berth_cover_find(receptor, SPACING, &surface->places, &surface->place_count, error));
    if (surface->place_count > BERTH_SURFACE_PLACES_MAX) {
        return berth_fail_option(error, BERTH_E_USAGE, "site",
                                 "site: the receptor's surface takes %zu searches; %d are "
                                 "possible: dock to a part of it",
                                 surface->place_count, BERTH_SURFACE_PLACES_MAX);
    }
    double(*spare)[3] = berth_alloc(surface->place_count, sizeof *spare);
    surface->site = box_about((const double(*)[3])surface->places, surface->place_count);
    enum berth_status status =
        spare ? part_places(surface, kinds, spare, error) : berth_out_of_memory(error, NULL);
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

/* --- An engine that docks to all parts --- */

/* Conformers that are taken at a time: several fill a device, and one opening of each part is for
 * all of them. */
enum { TAKEN = 16 };

/* What came of a conformer at a place. */
struct ending {
    struct berth_packed_conformer conformer; /* its atoms are the given one's */
    struct berth_pose pose;
    size_t evaluations, device;
    bool found; /* there is a pose */
};

struct berth_surface_scan {
    const struct berth_surface *surface; /* borrowed */
    struct berth_docking_setup setup;
    struct berth_docking *docking;              /* borrowed: to the first part */
    struct berth_receptor_shape *shape;         /* owned */
    const struct berth_docking_stream *stream;  /* borrowed; of the run that is on */
    struct berth_packed_conformer given[TAKEN]; /* from it */
    void *tags[TAKEN];                          /* theirs */
    struct ending *endings;                     /* owned; [TAKEN][places] */
    const struct berth_surface_part *part;      /* borrowed; that is docked to */
    pthread_mutex_t lock;                       /* guards the rest: */
    size_t next, end; /* of the endings, as they are handed to the devices of a part */
    size_t losses;    /* of devices, that the stream was told of */
};

/* --- A part, as the stream of its docking --- */

/* Number n of the jobs of the part: conformer by conformer, place by place. */
static struct ending *ending_of(const struct berth_surface_scan *scan, size_t n)
{
    const struct berth_surface_part *part = scan->part;
    return &scan->endings[n / part->count * scan->surface->place_count + part->first +
                          n % part->count];
}

static size_t take_places(void *context, const struct berth_docking_load *load, bool wait,
                          bool *end)
{
    struct berth_surface_scan *scan = context;
    (void)wait;
    pthread_mutex_lock(&scan->lock);
    const size_t left = scan->end - scan->next, first = scan->next;
    const size_t share = (size_t)(load->share * (double)left);
    size_t count = load->least > share ? load->least : share;
    count = load->room < count ? load->room : count;
    count = count < left ? count : left;
    scan->next += count;
    *end = scan->next == scan->end;
    pthread_mutex_unlock(&scan->lock);
    for (size_t i = 0; i < count; i++) {
        struct ending *ending = ending_of(scan, first + i);
        load->conformers[i] = ending->conformer;
        load->tags[i] = ending;
    }
    return count;
}

/* Each ending is one thread's, once. */
static void note_ending(void *context, const struct berth_docked_conformer *from)
{
    const struct berth_surface_scan *scan = context;
    struct ending *ending = from->tag;
    ending->evaluations = from->evaluations;
    ending->device = from->device;
    ending->found = from->count > 0;
    if (!ending->found) {
        return;
    }
    ending->pose = from->poses[0];
    const double *part = scan->part->site.center, *whole = scan->surface->site.center;
    ending->pose.transform.x += (float)(part[0] - whole[0]);
    ending->pose.transform.y += (float)(part[1] - whole[1]);
    ending->pose.transform.z += (float)(part[2] - whole[2]);
}

static void note_loss(void *context, size_t device, const struct berth_error *why)
{
    struct berth_surface_scan *scan = context;
    pthread_mutex_lock(&scan->lock);
    scan->losses++;
    pthread_mutex_unlock(&scan->lock);
    scan->stream->lose(scan->stream->context, device, why);
}

/* Docks what was taken to a part. */
static enum berth_status dock_part(struct berth_surface_scan *scan, size_t number, size_t taken,
                                   struct berth_error *error)
{
    const struct berth_docking_stream stream = {scan, take_places, note_ending,
                                                scan->stream->lose ? note_loss : NULL};
    struct berth_docking *docking = scan->docking;
    enum berth_status status = BERTH_OK;
    if (number) {
        berth_surface_aim(scan->surface, number, &scan->setup);
        status = berth_docking_create(&scan->setup, &docking, error);
    }
    scan->part = &scan->surface->parts[number];
    scan->next = 0;
    scan->end = taken * scan->part->count;
    BERTH_THEN(berth_docking_run_stream(docking, &stream, error));
    if (number && docking && !berth_docking_hangs(docking)) {
        berth_docking_destroy(docking);
    }
    return status;
}

/* --- All of them, as the engine of a stream --- */

/* Sets out a conformer at all places. */
static void spread(struct berth_surface_scan *scan, size_t c)
{
    const struct berth_surface *surface = scan->surface;
    for (size_t p = 0; p < surface->part_count; p++) {
        const struct berth_surface_part *part = &surface->parts[p];
        for (size_t i = part->first; i < part->first + part->count; i++) {
            struct ending *ending = &scan->endings[c * surface->place_count + i];
            memset(ending, 0, sizeof *ending);
            ending->conformer = scan->given[c];
            struct berth_device_conformer *device = &ending->conformer.device;
            device->number += (uint32_t)(i << 16); /* random numbers of its own */
            device->conformers = 1;                /* a place's poses are too few to share */
            device->start_x = (float)(surface->places[i][0] - part->site.center[0]);
            device->start_y = (float)(surface->places[i][1] - part->site.center[1]);
            device->start_z = (float)(surface->places[i][2] - part->site.center[2]);
        }
    }
}

/* Gives what came of conformer number c to the stream; poses has room for all. */
static void give_conformer(const struct berth_surface_scan *scan, size_t c,
                           struct berth_pose *poses)
{
    const size_t places = scan->surface->place_count;
    const struct ending *endings = &scan->endings[c * places];
    struct berth_docked_conformer docked = {.conformer = &scan->given[c],
                                            .tag = scan->tags[c],
                                            .poses = poses,
                                            .count = places,
                                            .device = endings->device};
    for (size_t i = 0; i < places; i++) {
        docked.evaluations += endings[i].evaluations;
        docked.count = endings[i].found ? docked.count : 0;
        poses[i] = endings[i].pose;
        memcpy(poses[i].begun, endings->pose.begun, sizeof poses[i].begun);
    }
    scan->stream->give(scan->stream->context, &docked);
}

static enum berth_status dock_taken(struct berth_surface_scan *scan, size_t taken,
                                    struct berth_error *error)
{
    const size_t places = scan->surface->place_count;
    struct berth_pose *poses = berth_alloc(places, sizeof *poses);
    enum berth_status status = poses ? BERTH_OK : berth_out_of_memory(error, NULL);
    for (size_t c = 0; !status && c < taken; c++) {
        spread(scan, c);
    }
    for (size_t p = 0; !status && p < scan->surface->part_count; p++) {
        status = dock_part(scan, p, taken, error);
    }
    for (size_t c = 0; !status && c < taken; c++) {
        give_conformer(scan, c, poses);
    }
    free(poses);
    return status;
}

static enum berth_status scan_all(void *context, const struct berth_docking_stream *stream,
                                  struct berth_error *error)
{
    struct berth_surface_scan *scan = context;
    struct berth_docking_load load = {
        .conformers = scan->given, .tags = scan->tags, .room = TAKEN, .share = 1, .least = 1};
    enum berth_status status = BERTH_OK;
    scan->stream = stream;
    for (bool end = false; !status && !end;) {
        load.losses = scan->losses;
        const size_t taken = stream->take(stream->context, &load, true, &end);
        status = taken ? dock_taken(scan, taken, error) : BERTH_OK;
    }
    scan->stream = NULL;
    return status;
}

struct berth_stream_engine berth_surface_scan_engine(struct berth_surface_scan *scan)
{
    return (struct berth_stream_engine){scan, scan_all};
}

const struct berth_receptor_shape *const *
berth_surface_scan_shapes(const struct berth_surface_scan *scan)
{
    return (const struct berth_receptor_shape *const *)&scan->shape;
}

enum berth_status berth_surface_scan_create(const struct berth_surface *surface,
                                            const struct berth_docking_setup *setup,
                                            struct berth_docking *docking,
                                            struct berth_surface_scan **scan,
                                            struct berth_error *error)
{
    struct berth_target target = setup->targets[0];
    struct berth_surface_scan *made;
    BERTH_TRY(berth_make(scan, 1, sizeof *made, NULL, error));
    made = *scan;
    pthread_mutex_init(&made->lock, NULL);
    made->surface = surface;
    made->setup = *setup;
    made->docking = docking;
    target.site = surface->site;
    BERTH_TRY(berth_make(&made->endings, TAKEN * surface->place_count, sizeof *made->endings, NULL,
                         error));
    return berth_receptor_shape_create(&target, &made->shape, error);
}

void berth_surface_scan_destroy(struct berth_surface_scan *scan)
{
    if (!scan) {
        return;
    }
    berth_receptor_shape_destroy(scan->shape);
    pthread_mutex_destroy(&scan->lock);
    free(scan->endings);
    free(scan);
}

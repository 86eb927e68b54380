/* What a search on maps looks up, on one device: maps of a receptor, the energy of each kind of
 * ligand atom on the points of a grid about the site (kernels/maps.cl), which are made when a batch
 * first brings a kind of atom, and kept as long as the evaluator; and the curves of pairs inside a
 * ligand (kernels/inner.cl). */
#ifndef BERTH_ENGINE_MAPS_H
#define BERTH_ENGINE_MAPS_H

#include "engine/evaluator.h"
#include "score/curves.h"

/* Energies that lie together in a map: those of a point, of the next along x, of the next along y,
 * and of the one behind both; of each the upper half of a float (kernels/maps.cl). */
#define BERTH_MAP_HALVES 4

/* How to lay the grid; berth_maps_defaults fills it. */
struct berth_map_settings {
    float spacing; /* between points, Å */
    float margin;  /* of the grid about the site, Å: at most BERTH_MAP_MARGIN_MAX; */
    float radius;  /* but the grid goes at least so far from the centre, Å */
    float wall;    /* outside of it, the scoring function's unit per Å */
    float most;    /* what energies in the maps approach, the function's unit */
};

#define BERTH_MAP_MARGIN_MAX 9.0f

struct berth_map_settings berth_maps_defaults(void);

/* Bytes of the maps for so many kinds of atoms on a grid of this size, with a margin on all sides,
 * and this spacing (Å). */
double berth_maps_bytes(const double size[3], double margin, double spacing, size_t kinds);

/* For others to read. */
struct berth_maps {
    struct berth_evaluator *evaluator; /* borrowed */
    size_t owners;
    struct berth_device_grid layout;
    struct berth_kernel *kernel;
    struct berth_buffer *grid;   /* struct berth_device_grid: layout */
    struct berth_buffer *halves; /* uint16_t [types][layout.points][BERTH_MAP_HALVES] */
    struct berth_curves curves;  /* of pairs inside a ligand; none: see BERTH_ON_CURVES */
    struct berth_buffer *pieces; /* these, or NULL */
    struct berth_buffer *wanted; /* int [types]: those that are made at a time */
    size_t types, made_count;    /* kinds of atoms, and those that there are maps of so far */
    bool *made;                  /* owned; [types] */
    berth_int32 *on_host;        /* owned; [types]: on its way to `wanted` */
};

/* Makes room for the maps of a site of this size (Å, full edges) on evaluator (borrowed).  The
 * caller destroys *maps.  Errors: BERTH_E_USAGE (the site is too large for the device: says by how
 * many bytes; settings out of range), BERTH_E_DEVICE, BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY. */
enum berth_status berth_maps_create(struct berth_evaluator *evaluator, const double size[3],
                                    const struct berth_map_settings *settings,
                                    struct berth_maps **maps, struct berth_error *error);

/* The energy at a point (its number: x first, then y, z) of a map. */
double berth_maps_energy(const uint16_t *halves, size_t point);

/* Gives maps to one more owner, who destroys them, too. */
struct berth_maps *berth_maps_share(struct berth_maps *maps);

/* What energies of pairs inside a ligand are found by, for kernels: see struct pair_table in
 * kernels/inner.cl. */
const struct berth_buffer *berth_maps_pairs(const struct berth_maps *maps);

/* The last owner frees them. */
void berth_maps_destroy(struct berth_maps *maps);

/* Makes the maps that the batch needs and that are not there, in the device's shared queue, and
 * waits for them, so that every queue may read them.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_maps_complete(struct berth_maps *maps, const struct berth_batch *batch,
                                      struct berth_error *error);

#endif

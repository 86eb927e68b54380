/* Starts of a large ligand all over a receptor, on one device: kernels/starts.cl. */
#ifndef BERTH_ENGINE_STARTS_H
#define BERTH_ENGINE_STARTS_H

#include "engine/maps.h"

/* Where the ligand comes in: origin and direction (of length 1, away from the receptor), Å,
 * relative to the target's centre. */
struct berth_ray {
    float origin[3], direction[3];
};

/* All is borrowed while berth_starts_create runs, but for the maps. */
struct berth_starts_setup {
    const struct berth_maps *maps;         /* those of the atoms' types are made */
    const struct berth_device_atom *atoms; /* of the ligand, about its centre: those that matter */
    size_t atom_count;
    const struct berth_ray *rays;
    size_t ray_count;
    struct berth_site box; /* that the centre stays in, relative to the target's; size 0: any */
    size_t steps;          /* places on each ray, from the outermost inwards */
    float step;            /* between these, Å */
    float clearance;       /* what the outermost leaves between receptor and ligand, Å */
    size_t rotations;      /* at a time, at most */
    size_t poses;          /* of one berth_starts_score, at most */
};

struct berth_starts; /* opaque */

/* Prepares for the setup on evaluator (borrowed, as the maps).  The caller destroys *starts.
 * Errors: BERTH_E_DEVICE, BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY. */
enum berth_status berth_starts_create(struct berth_evaluator *evaluator,
                                      const struct berth_starts_setup *setup,
                                      struct berth_starts **starts, struct berth_error *error);

/* What was found, borrowed until the next call: [rotation][ray]. */
struct berth_starts_found {
    const float *energies;  /* the lowest on the ray; INFINITY: none, all are outside the box */
    const float *distances; /* Å: from the ray's origin there */
};

/* Finds the best place on every ray for count rotations (row by row; at most setup.rotations), and
 * waits.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_starts_run(struct berth_starts *starts, const float (*rotations)[9],
                                   size_t count, struct berth_starts_found *found,
                                   struct berth_error *error);

/* The energies on the maps of count poses (at most setup.poses); INFINITY outside the box.  Waits.
 * planes: [6][count], angles and translations as a transform has them.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_starts_score(struct berth_starts *starts, const float *planes, size_t count,
                                     float *energies, struct berth_error *error);

/* NULL is accepted. */
void berth_starts_destroy(struct berth_starts *starts);

#endif

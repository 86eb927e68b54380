/* Refinement on one device: poses go downhill in all their freedoms, translation, rotation and
 * torsions together, and, where hops are asked for, from changed poses again.
 *
 * The kernel works in place on records on the device, which come from a search's parents or from
 * the host.
 */
#ifndef BERTH_ENGINE_REFINE_H
#define BERTH_ENGINE_REFINE_H

#include "engine/evaluator.h"

/* How to refine; berth_refine_defaults fills it. */
struct berth_refine_settings {
    size_t poses;       /* of each conformer; 0: nothing is refined */
    size_t evaluations; /* of each descent, at most */
    size_t hops;        /* descents behind the first */
    float temperature;  /* of the Metropolis rule between hops, kJ/mol */
    float width;        /* Å, above 0: kinks of the energy count as so wide at first, in gradients
                           alone */
    size_t shakes;      /* in vain, before a descent counts as ended */
    bool torsions;      /* they turn too, in the conformers that have any */
};

enum { BERTH_EVALUATIONS_MAX = 1000000, BERTH_HOPS_MAX = 1000000 };

struct berth_refine_settings berth_refine_defaults(void);

/* What a refiner is for. */
struct berth_refine_setup {
    struct berth_refine_settings settings;
    uint64_t seed;
    double size[3];     /* Å: full edges of the site that translations stay in; all 0: any */
    size_t generations; /* of a search with this seed, whose random numbers are not used again */
    size_t conformers;  /* of a batch, at most */
};

/* For others to read, but for on_host, which they may write. */
struct berth_refiner {
    struct berth_evaluator *evaluator; /* borrowed */
    struct berth_refine_settings settings;
    struct berth_kernel *begin, *refine;
    struct berth_kernel *large;     /* refine, for large ligands; NULL until asked for */
    struct berth_buffer *constants; /* struct berth_device_refine */
    struct berth_buffer *records;   /* struct berth_device_refined [conformers][settings.poses] */
    /* Owned; of the same shape: what is to be refined, where berth_refiner_write sends it, and what
     * came of it. */
    struct berth_device_refined *on_host;
};

/* Prepares refinement on evaluator (borrowed).  The caller destroys *refiner.  Errors:
 * BERTH_E_USAGE (settings out of range), BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_refiner_create(struct berth_evaluator *evaluator,
                                       const struct berth_refine_setup *setup,
                                       struct berth_refiner **refiner, struct berth_error *error);

void berth_refiner_destroy(struct berth_refiner *refiner);

/* Poses on the device that a refinement begins with: a search's parents. */
struct berth_parents {
    const struct berth_buffer *transforms; /* float [conformers][6][stride] */
    const struct berth_buffer *counts;     /* int [conformers]: how many there are */
    size_t stride;                         /* at least settings.poses */
};

/* Starts to take the first of each conformer's parents.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_refiner_take(struct berth_refiner *refiner,
                                     const struct berth_parents *parents, size_t conformers,
                                     struct berth_error *error);

/* Sends the records of conformers to the device, and waits.  transform and angles are where a pose
 * begins (angles of 0: its torsions are as in the conformer); evaluations is 0, or -1 where there
 * is no such pose.
 * Errors: BERTH_E_DEVICE. */
enum berth_status berth_refiner_write(struct berth_refiner *refiner, size_t conformers,
                                      struct berth_error *error);

/* What a work-group needs local memory for. */
struct berth_scratch_extent {
    size_t atoms, torsions; /* at most */
    size_t poses;           /* that it works on side by side: see kernels/lanes.cl */
    size_t parts;           /* of an energy */
    size_t more;            /* 4-byte words for other things */
};

/* Bytes of local memory for it.  Errors: BERTH_E_USAGE where the device does not have them. */
enum berth_status berth_scratch_memory(struct berth_evaluator *evaluator,
                                       const struct berth_scratch_extent *extent, size_t *bytes,
                                       struct berth_error *error);

/* Starts to refine the batch's poses.  Errors: BERTH_E_DEVICE; BERTH_E_USAGE where a ligand is too
 * large for the device's local memory. */
enum berth_status berth_refiner_run(struct berth_refiner *refiner, const struct berth_batch *batch,
                                    uint64_t *nanoseconds, struct berth_error *error);

/* The energy of a record between receptor and ligand. */
float berth_refined_energy(const struct berth_device_refined *record);

/* Starts the transfer of conformers' records back; they are there when *event has ended.  Errors:
 * BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_refiner_start_read(struct berth_refiner *refiner, size_t conformers,
                                           struct berth_event **event, struct berth_error *error);

#endif

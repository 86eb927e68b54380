/* The search on maps, on one device: Evolutionary Monte Carlo over translation, rotation and
 * torsions, each pose going downhill before it is judged (kernels/mapped.cl). */
#ifndef BERTH_ENGINE_MAPPED_H
#define BERTH_ENGINE_MAPPED_H

#include "engine/levels.h"

/* What a search is for. */
struct berth_mapped_setup {
    struct berth_mapped_settings settings;
    uint64_t seed;
    double size[3];          /* Å: full edges of the site that translations stay in */
    size_t conformers;       /* of a batch, at most */
    size_t kept;             /* poses that are refined in the end: see BERTH_KEPT_OF */
    struct berth_maps *maps; /* borrowed; of the site */
};

struct berth_mapped; /* opaque */

/* Prepares searches on evaluator (borrowed).  The caller destroys *mapped.  Errors: BERTH_E_USAGE
 * (settings out of range), BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_mapped_create(struct berth_evaluator *evaluator,
                                      const struct berth_mapped_setup *setup,
                                      struct berth_mapped **mapped, struct berth_error *error);

void berth_mapped_destroy(struct berth_mapped *mapped);

struct berth_maps *berth_mapped_maps(const struct berth_mapped *mapped);

/* Local memory that a work-group takes for any of some conformers. */
struct berth_mapped_room {
    size_t bytes;
    bool listed; /* there is room for lists of pairs, too: it is quicker with them */
};

/* Work-groups that search with so many poses of a conformer. */
size_t berth_mapped_groups(struct berth_evaluator *evaluator, size_t poses);

/* Bytes of local memory for any conformer of the batch, without lists.  Errors: BERTH_E_USAGE where
 * the device does not have it. */
enum berth_status berth_mapped_scratch(struct berth_evaluator *evaluator,
                                       const struct berth_batch *batch, size_t *bytes,
                                       struct berth_error *error);

/* The room for any of count conformers of the batch, by size from number first on.  Errors:
 * BERTH_E_USAGE where the device does not have it. */
enum berth_status berth_mapped_memory(struct berth_evaluator *evaluator,
                                      const struct berth_batch *batch, size_t first, size_t count,
                                      struct berth_mapped_room *room, struct berth_error *error);

/* Starts the search of the batch's conformers; the best poses go to records (struct
 * berth_device_refined [conformers][kept]), and how many they are to counts (int [conformers]).
 * Errors: BERTH_E_DEVICE; BERTH_E_USAGE where a ligand is too large for local memory. */
enum berth_status berth_mapped_run(struct berth_mapped *mapped, const struct berth_batch *batch,
                                   struct berth_buffer *records, struct berth_buffer *counts,
                                   struct berth_error *error);

#endif

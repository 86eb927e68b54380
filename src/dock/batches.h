/* Conformers of a stream in batches, one behind the other: for devices that compute where molecules
 * stand, and search nothing. */
#ifndef BERTH_DOCK_BATCHES_H
#define BERTH_DOCK_BATCHES_H

#include "dock/docking.h"

enum { BERTH_BATCH = 1024 };

/* What computes a batch. */
struct berth_batch_engine {
    void *context;
    bool refined; /* it gives torsions' angles as well */
    /* Computes count conformers, at most BERTH_BATCH and all large or none, into found, which has
     * room for them: a pose for each. */
    enum berth_status (*run)(void *context, const struct berth_packed_conformer *conformers,
                             size_t count, struct berth_found *found, struct berth_error *error);
};

/* Computes what the stream gives until it has no more.  Errors: those of the engine;
 * BERTH_E_MEMORY. */
enum berth_status berth_batches_run(const struct berth_batch_engine *engine,
                                    const struct berth_docking_stream *stream,
                                    struct berth_error *error);

#endif

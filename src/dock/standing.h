/* Engines of a stream that search nothing: they score conformers where they stand, or refine them
 * from there. */
#ifndef BERTH_DOCK_STANDING_H
#define BERTH_DOCK_STANDING_H

#include "dock/docking.h"

struct berth_rescore; /* opaque */

/* Opens the device and uploads the receptor of target (its centre: any point near the poses).
 * The caller destroys *rescore.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_USAGE. */
enum berth_status berth_rescore_create(const struct berth_device *device,
                                       const struct berth_target *target,
                                       struct berth_rescore **rescore, struct berth_error *error);

/* The terms of count molecules, each where it stands in the receptor's frame.  Errors:
 * BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_RESULT (an energy that is no number). */
enum berth_status berth_rescore_run(struct berth_rescore *rescore,
                                    const struct berth_packed_conformer *molecules, size_t count,
                                    struct berth_terms *terms, struct berth_error *error);

/* The same of the conformers of a stream; errors of its run are those. */
struct berth_stream_engine berth_rescore_engine(struct berth_rescore *rescore);

void berth_rescore_destroy(struct berth_rescore *rescore);

/* --- Molecules that stand in the receptor, refined from there on the device, without a search. */

struct berth_minimizer; /* opaque */

/* Opens the device and uploads the receptor of target (its centre: any point near the poses; its
 * size is not looked at, poses may go anywhere).  Of settings, poses is not looked at.  The caller
 * destroys *minimizer.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_USAGE. */
enum berth_status berth_minimizer_create(const struct berth_device *device,
                                         const struct berth_target *target,
                                         const struct berth_refine_settings *settings,
                                         struct berth_minimizer **minimizer,
                                         struct berth_error *error);

/* What refines each conformer of a stream from where it stands in the receptor's frame;
 * translations are relative to the target's centre.  Errors of its run: BERTH_E_DEVICE,
 * BERTH_E_MEMORY, BERTH_E_RESULT (an energy that is no number). */
struct berth_stream_engine berth_minimizer_engine(struct berth_minimizer *minimizer);

void berth_minimizer_destroy(struct berth_minimizer *minimizer);

/* --- Conformers of a stream in batches, one behind the other: for devices that compute where
 * molecules stand, and search nothing. */

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

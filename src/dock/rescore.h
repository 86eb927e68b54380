/* Energies of molecules as they stand, computed on the device, without a search. */
#ifndef BERTH_DOCK_RESCORE_H
#define BERTH_DOCK_RESCORE_H

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

#endif

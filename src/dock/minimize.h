/* Molecules that stand in the receptor, refined from there on the device, without a search. */
#ifndef BERTH_ENGINE_MINIMIZE_H
#define BERTH_ENGINE_MINIMIZE_H

#include "engine/refine.h"
#include "engine/search.h"

struct berth_minimizer; /* opaque */

/* Opens the device and uploads the receptor of target (its centre: any point near the poses; its
 * size is not looked at, poses may go anywhere).  Of settings, poses is not looked at.  The caller
 * destroys *minimizer.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_USAGE. */
enum berth_status berth_minimizer_create(const struct berth_device *device,
                                         const struct berth_target *target,
                                         const struct berth_refine_settings *settings,
                                         struct berth_minimizer **minimizer,
                                         struct berth_error *error);

/* Refines count molecules, each from where it stands in the receptor's frame.  found: from
 * berth_found_create with settings that refine one pose, for at least count conformers;
 * translations are relative to the target's centre.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY,
 * BERTH_E_RESULT (an energy that is no number). */
enum berth_status berth_minimizer_run(struct berth_minimizer *minimizer,
                                      const struct berth_packed_conformer *molecules, size_t count,
                                      struct berth_found *found, struct berth_error *error);

void berth_minimizer_destroy(struct berth_minimizer *minimizer);

#endif

/* Molecules that stand in the receptor, refined from there on the device, without a search. */
#ifndef BERTH_DOCK_MINIMIZE_H
#define BERTH_DOCK_MINIMIZE_H

#include "dock/docking.h"

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

#endif

/* An engine of a stream that searches nothing: it scores conformers where they stand, or refines
 * them from there. */
#ifndef BERTH_DOCK_IN_PLACE_H
#define BERTH_DOCK_IN_PLACE_H

#include "dock/docking.h"

struct berth_in_place; /* opaque */

/* Conformers in a batch, at most. */
enum { BERTH_BATCH = 1024 };

/* Opens the device and uploads the first receptor of the setup, whose devices, variant and search
 * are not looked at, but for how its poses are refined: without, conformers are scored as they
 * stand.  Its site's centre is any point near the poses; they may be and go anywhere.  The caller
 * destroys *in_place.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_USAGE. */
enum berth_status berth_in_place_create(const struct berth_device *device,
                                        const struct berth_docking_setup *setup,
                                        struct berth_in_place **in_place,
                                        struct berth_error *error);

/* A pose for each of count conformers, at most BERTH_BATCH and all large or none, where they stand
 * in the receptor's frame, with what the judges, which conformers are typed by, say of it;
 * translations are relative to the target's centre.  found has room for them.  Errors:
 * BERTH_E_DEVICE, BERTH_E_MEMORY, BERTH_E_RESULT (an energy that is no number). */
enum berth_status berth_in_place_run(struct berth_in_place *in_place,
                                     const struct berth_packed_conformer *conformers, size_t count,
                                     struct berth_found *found, struct berth_error *error);

/* The same of the conformers of a stream, in batches one behind the other; errors of its run are
 * those. */
struct berth_stream_engine berth_in_place_engine(struct berth_in_place *in_place);

/* NULL is accepted. */
void berth_in_place_destroy(struct berth_in_place *in_place);

#endif

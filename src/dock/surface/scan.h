/* The engine of a docking to a whole surface: takes conformers from a stream as a docking to one
 * site does, docks each at all places, and gives its poses back, one of each place. */
#ifndef BERTH_DOCK_SURFACE_SCAN_H
#define BERTH_DOCK_SURFACE_SCAN_H

#include "dock/surface/surface.h"

struct berth_surface_scan; /* opaque */

/* docking (borrowed) was opened with this setup, aimed at the first part; the others are opened
 * with it one after the other.  The caller destroys *scan.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_surface_scan_create(const struct berth_surface *surface,
                                            const struct berth_docking_setup *setup,
                                            struct berth_docking *docking,
                                            struct berth_surface_scan **scan,
                                            struct berth_error *error);

/* NULL is accepted. */
void berth_surface_scan_destroy(struct berth_surface_scan *scan);

/* It as the engine of a stream: poses are relative to the centre of the surface's site; pose number
 * k of a conformer is the best one of the population at place k.  Errors: those of
 * berth_docking_run_stream and of opening a docking. */
struct berth_stream_engine berth_surface_scan_engine(struct berth_surface_scan *scan);

/* The shape of the receptor in that site, for clashes; borrowed from the scan. */
const struct berth_receptor_shape *const *
berth_surface_scan_shapes(const struct berth_surface_scan *scan);

#endif

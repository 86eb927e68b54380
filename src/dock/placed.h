/* A conformer back from how the kernels see it, in double precision, to be placed as they do. */
#ifndef BERTH_DOCK_PLACED_H
#define BERTH_DOCK_PLACED_H

#include "engine/pack.h"
#include "score/flexible.h"
#include "score/pose.h"

struct berth_placed {
    struct berth_heavy_atoms conformer; /* owned; about its centroid */
    /* Owned, in the receptor's frame: as it was placed, and there with its torsions as given. */
    struct berth_heavy_atoms placed, given;
    struct berth_flexible flexible; /* owned; without torsions where nothing turns */
};

/* Unpacks a conformer, whose atoms are still there.  The caller clears *unpacked, also after an
 * error.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_unpack(const struct berth_packed_conformer *packed,
                               struct berth_placed *unpacked, struct berth_error *error);

/* Places it, into unpacked->placed and given.  center: Å, of the site. */
void berth_placed_place(struct berth_placed *unpacked, const struct berth_pose *pose,
                        const double center[3]);

void berth_placed_clear(struct berth_placed *unpacked);

#endif

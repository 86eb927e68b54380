/* Laying one conformer of a molecule onto another: the best superposition over all symmetries. */
#ifndef BERTH_CHEM_OVERLAY_H
#define BERTH_CHEM_OVERLAY_H

#include "base/error.h"
#include "chem/rmsd.h"

/* The move that lays a onto b: x' = rotation (x - from) + to. */
struct berth_overlay {
    double rmsd;        /* Å, that is left */
    double rotation[9]; /* row-major */
    double from[3], to[3];
};

/* Finds it for positions a (heavy atoms of the matches' `from`) and b (of their `to`), each of
 * shape [heavy_count][3], Å.  Without a match the RMSD is infinity.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_overlay_find(const struct berth_matches *matches, const double (*a)[3],
                                     const double (*b)[3], struct berth_overlay *overlay,
                                     struct berth_error *error);

/* Moves a position in place. */
void berth_overlay_apply(const struct berth_overlay *overlay, double position[3]);

#endif

/* Bodies: what a pose moves, joined into one flexible. */
#ifndef BERTH_SCORE_BODIES_H
#define BERTH_SCORE_BODIES_H

#include "score/flexible.h"

/* A tree of branches that torsions turn; everything is borrowed.  The root of a ligand is free, so
 * that the pose's translation and rotation move it, too; the root of others is fixed to the
 * receptor, and they have torsions alone.  Joined they are one flexible, which is packed, placed
 * and minimized as a ligand's is. */
struct berth_body {
    const struct berth_flexible *flexible; /* with dihedrals, where the function has such a term */
    const struct berth_heavy_atoms *heavy; /* where it is fixed, in the receptor's frame */
};

/* Joins bodies[count], the first `free` of which (0 or 1) have a free root.  Pairs inside a body
 * are far as they were; pairs of two bodies all are, but for two atoms that nothing moves.  heavy:
 * gets the atoms: those of the free body, then those of the others that torsions move, then the
 * others' still ones; each body's in their order.  The caller clears *joined and *heavy.  Errors:
 * BERTH_E_USAGE (more atoms or torsions than can be flexible), BERTH_E_MEMORY. */
enum berth_status berth_bodies_join(const struct berth_body *bodies, size_t count, size_t free,
                                    struct berth_flexible *joined, struct berth_heavy_atoms *heavy,
                                    struct berth_error *error);

#endif

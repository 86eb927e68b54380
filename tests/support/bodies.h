/* Bodies beside a ligand, as the kernels take them: no command makes any yet. */
#ifndef TESTS_SUPPORT_BODIES_H
#define TESTS_SUPPORT_BODIES_H

#include "score/flexible.h"

/* A body that a pose moves: a tree of branches that torsions turn; everything is borrowed.  The
 * root of a ligand is free, so that the pose's translation and rotation move it, too; the root of
 * others is fixed to the receptor, and they have torsions alone.  Joined they are one flexible,
 * which is packed, placed and minimized as a ligand's is.
 *
 * Of a fixed body the atoms that a torsion moves become atoms of the whole.  Its others are part of
 * the receptor: they become anchors, which torsions hang on. */
struct berth_body {
    const struct berth_flexible *flexible; /* with dihedrals, where the function has such a term */
    const struct berth_heavy_atoms *heavy; /* where it is fixed, in the receptor's frame */
};

/* Joins bodies[count], the first `free` of which (0 or 1) have a free root.  Pairs inside a body
 * are far as they were; pairs of two bodies all are.  heavy: gets the atoms, and behind its count
 * the anchors.  The caller clears *joined and *heavy.  Errors: BERTH_E_USAGE (more atoms or
 * torsions than can be flexible), BERTH_E_MEMORY. */
enum berth_status berth_bodies_join(const struct berth_body *bodies, size_t count, size_t free,
                                    struct berth_flexible *joined, struct berth_heavy_atoms *heavy,
                                    struct berth_error *error);

#endif

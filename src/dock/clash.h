/* How badly a pose clashes with the receptor: the largest overlap of the van der Waals radii of a
 * heavy atom of its and one of the receptor's (chem/elements.h), Å; 0 where none overlap. */
#ifndef BERTH_DOCK_CLASH_H
#define BERTH_DOCK_CLASH_H

#include "dock/placed.h"
#include "engine/search.h"

struct berth_receptor_shape; /* opaque: the receptor's heavy atoms, to be looked up by place */

/* Of the target's receptor.  Elements are taken from the scoring function's types, since a docking
 * knows no others.  The caller destroys *shape.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_receptor_shape_create(const struct berth_target *target,
                                              struct berth_receptor_shape **shape,
                                              struct berth_error *error);

/* NULL is accepted. */
void berth_receptor_shape_destroy(struct berth_receptor_shape *shape);

/* The clash of a conformer where it stands, Å; its atoms are still there.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_clash_where_it_stands(const struct berth_receptor_shape *shape,
                                              const struct berth_packed_conformer *conformer,
                                              double *clash, struct berth_error *error);

/* That of an unpacked one where it was placed, Å. */
double berth_clash_of_placed(const struct berth_receptor_shape *shape,
                             const struct berth_placed *unpacked);

/* That of a docked pose of it, Å, in the site of the target.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_clash_of_pose(const struct berth_receptor_shape *shape,
                                      const struct berth_packed_conformer *conformer,
                                      const struct berth_pose *pose, double *clash,
                                      struct berth_error *error);

/* Å from the metal of the target's receptor that is nearest to an N, O or S of an unpacked ligand
 * where it was placed, to this, and to the second nearest one; NAN where there is none. */
void berth_metal_of_placed(const struct berth_receptor_shape *shape,
                           const struct berth_placed *unpacked, float metal[2]);

/* The same of a docked pose.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_metal_of_pose(const struct berth_receptor_shape *shape,
                                      const struct berth_packed_conformer *conformer,
                                      const struct berth_pose *pose, float metal[2],
                                      struct berth_error *error);

#endif

/* Solvent-accessible surfaces: points on spheres about atoms that no other atom's sphere covers (A.
 * Shrake, J. A. Rupley, J. Mol. Biol. 79 (1973) 351). */
#ifndef BERTH_CHEM_SURFACE_H
#define BERTH_CHEM_SURFACE_H

#include <stddef.h>

#include "base/error.h"
#include "chem/molecule.h"

/* Å: what stands for a molecule of water. */
#define BERTH_PROBE_WATER 1.4

/* Points on the sphere of an atom where areas are asked for. */
enum { BERTH_SURFACE_POINTS = 92 };

/* Atoms as spheres; Å. */
struct berth_spheres {
    double (*centers)[3]; /* owned */
    double *radii;        /* owned; above 0 */
    size_t count;
};

/* The heavy atoms of a molecule, in its order, with the radii of chem/elements.h.  The caller
 * clears *spheres.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_spheres_of(const struct berth_molecule *molecule,
                                   struct berth_spheres *spheres, struct berth_error *error);

void berth_spheres_clear(struct berth_spheres *spheres);

/* Point i of count points that lie evenly on the unit sphere, along a spiral (R. Swinbank, R. J.
 * Purser, Q. J. R. Meteorol. Soc. 132 (2006) 1769). */
void berth_sphere_point(size_t i, size_t count, double point[3]);

/* The area (Å^2) on which the centre of a probe can lie about each atom, into areas [count].
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_surface_areas(const struct berth_spheres *spheres, double probe,
                                      double *areas, struct berth_error *error);

/* The area (Å^2) that two bodies, as they stand, bury of each other: what each has alone less what
 * they have together.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_surface_buried(const struct berth_spheres *a, const struct berth_spheres *b,
                                       double probe, double *buried, struct berth_error *error);

/* A place that the centre of a probe can lie at, touching an atom. */
struct berth_surface_point {
    double place[3];  /* Å */
    double normal[3]; /* of length 1: from the atom's centre to the place */
    size_t atom;
};

struct berth_surface_points {
    struct berth_surface_point *points; /* owned */
    size_t count, capacity;
};

/* Places all over the surface for a probe, no two nearer than spacing (Å, above 0), and none that
 * could be added farther away than that by much.  The caller clears *points.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_surface_points(const struct berth_spheres *spheres, double probe,
                                       double spacing, struct berth_surface_points *points,
                                       struct berth_error *error);

void berth_surface_points_clear(struct berth_surface_points *points);

#endif

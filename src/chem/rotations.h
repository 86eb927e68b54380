/* Rotations that are spread evenly: super-Fibonacci spirals (M. Alexa, CVPR 2022, 8291), which give
 * any number of them without chance. */
#ifndef BERTH_CHEM_ROTATIONS_H
#define BERTH_CHEM_ROTATIONS_H

#include <stddef.h>

/* How many rotations there are at a spacing (degrees, above 0): a cube of this edge, in the space
 * of rotations, for each. */
size_t berth_rotations_count(double spacing);

/* Rotation i of count as a unit quaternion (x, y, z, w). */
void berth_rotation_at(size_t i, size_t count, double quaternion[4]);

/* What rotates as p does after q; it may be neither of them. */
void berth_rotation_product(const double p[4], const double q[4], double product[4]);

/* The unit quaternion that rotates as the Euler angles (rad) of a transform do. */
void berth_rotation_of_angles(const double angles[3], double quaternion[4]);

/* The Euler angles (rad) of a transform (chem/geometry.h) that rotates so. */
void berth_rotation_angles(const double quaternion[4], double angles[3]);

#endif

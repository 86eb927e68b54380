/* Placing a conformer: transforms, rotations, and the RMSD of rigid poses.
 *
 * A transform is three Euler angles (rad) and a translation (Å):
 *     x' = Rz(c) Ry(b) Rx(a) x + t
 * with x relative to the conformer's heavy-atom centroid, so that t is where the centroid goes.
 * miniBUDE's poses use the same convention.
 */
#ifndef BERTH_CHEM_GEOMETRY_H
#define BERTH_CHEM_GEOMETRY_H

#include <stddef.h>

struct berth_transform {
    float a, b, c; /* rad: turns about x, then y, then z */
    float x, y, z; /* Å */
};

/* Row-major rotation matrix of the transform's angles, in double precision. */
void berth_rotation_of(const struct berth_transform *transform, double rotation[9]);

/* to = rotation * (from - origin) + translation of the transform, Å.  from and to may be the same
 * array. */
void berth_transform_apply(const struct berth_transform *transform, const double origin[3],
                           const double from[3], double to[3]);

/* Gyration tensor of count positions about centroid: the mean of u u^T with u = x - centroid, Å^2,
 * as xx, yy, zz, xy, xz, yz; zeros where count is 0.  With the trace it says all that the RMSD of
 * two rigid poses needs to know about a conformer. */
void berth_gyration_of(const double (*positions)[3], size_t count, const double centroid[3],
                       double gyration[6]);

/* RMSD (Å) between two poses of one conformer with this gyration tensor about the transforms'
 * origin, atom by atom (no symmetry), which must be its centroid: exact, at a cost that does not
 * depend on the number of atoms. */
double berth_rigid_rmsd(const double gyration[6], const struct berth_transform *a,
                        const struct berth_transform *b);

/* Rotations that are spread evenly: super-Fibonacci spirals (M. Alexa, CVPR 2022, 8291), which give
 * any number of them without chance. */

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

/* How alike two conformers are: the RMSD left after the best superposition. */

/* Smallest RMSD (Å) between two sets of count positions over all rotations, atom by atom (no
 * symmetry).  Both sets must be centred on the origin.  Method: the largest eigenvalue of the
 * quaternion matrix by Newton's method (D. L. Theobald, Acta Cryst. A 61 (2005) 478). */
double berth_superposed_rmsd(const double (*a)[3], const double (*b)[3], size_t count);

/* The quaternion matrix of the correlation of a with b, correlation[j][k] the sum of a_j b_k (B. K.
 * P. Horn, J. Opt. Soc. Am. A 4 (1987) 629): its eigenvector of the largest eigenvalue is the
 * rotation that lays a onto b best. */
void berth_quaternion_matrix(const double correlation[3][3], double matrix[4][4]);

/* Moves the centroid of the positions to the origin. */
void berth_center(double (*positions)[3], size_t count);

#endif

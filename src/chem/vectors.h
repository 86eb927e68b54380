/* Vectors of three numbers. */
#ifndef BERTH_CHEM_VECTORS_H
#define BERTH_CHEM_VECTORS_H

#include <math.h>

static inline double berth_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double berth_length(const double a[3])
{
    return sqrt(berth_dot(a, a));
}

static inline double berth_distance_squared(const double a[3], const double b[3])
{
    const double difference[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return berth_dot(difference, difference);
}

static inline double berth_distance(const double a[3], const double b[3])
{
    return sqrt(berth_distance_squared(a, b));
}

/* sum = a + factor b; it may be one of them. */
static inline void berth_add_scaled(const double a[3], double factor, const double b[3],
                                    double sum[3])
{
    for (int k = 0; k < 3; k++) {
        sum[k] = a[k] + factor * b[k];
    }
}

/* Scales a to length 1; a vector of length 0 stays. */
static inline void berth_normalise(double a[3])
{
    const double length = berth_length(a);
    for (int k = 0; k < 3 && length > 0; k++) {
        a[k] /= length;
    }
}

/* The direction from a to b. */
static inline void berth_direction(const double a[3], const double b[3], double direction[3])
{
    berth_add_scaled(b, -1, a, direction);
    berth_normalise(direction);
}

static inline void berth_cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* An orthonormal frame: its first axis from a to b, c in the plane of the first two. */
static inline void berth_frame(const double a[3], const double b[3], const double c[3],
                               double axes[3][3])
{
    double other[3];
    berth_direction(a, b, axes[0]);
    berth_direction(a, c, other);
    berth_cross(axes[0], other, axes[2]);
    berth_normalise(axes[2]);
    berth_cross(axes[2], axes[0], axes[1]);
}

/* Turns a point about a unit axis through origin by the angle of this sine and cosine (O.
 * Rodrigues).
 */
static inline void berth_turn(const double origin[3], const double axis[3], double sine,
                              double cosine, double point[3])
{
    double arm[3], across[3];
    berth_add_scaled(point, -1, origin, arm);
    berth_cross(axis, arm, across);
    const double along = berth_dot(axis, arm) * (1 - cosine);
    for (int k = 0; k < 3; k++) {
        point[k] = origin[k] + arm[k] * cosine + across[k] * sine + axis[k] * along;
    }
}

/* The angle between two directions, degrees. */
static inline double berth_angle(const double a[3], const double b[3])
{
    const double cosine = berth_dot(a, b) / (berth_length(a) * berth_length(b));
    return acos(fmin(fmax(cosine, -1), 1)) * (180 / 3.14159265358979323846);
}

/* The angle a-b-c, degrees. */
static inline double berth_angle_at(const double a[3], const double b[3], const double c[3])
{
    double u[3], v[3];
    berth_direction(b, a, u);
    berth_direction(b, c, v);
    return berth_angle(u, v);
}

/* The angle of four atoms about the line from b to c, rad. */
static inline double berth_dihedral(const double a[3], const double b[3], const double c[3],
                                    const double d[3])
{
    double along[3], first[3], second[3], sideways[3];
    berth_direction(b, c, along);
    berth_add_scaled(a, -1, b, first);
    berth_add_scaled(d, -1, c, second);
    berth_add_scaled(first, -berth_dot(first, along), along, first);
    berth_add_scaled(second, -berth_dot(second, along), along, second);
    berth_cross(along, first, sideways);
    return atan2(berth_dot(sideways, second), berth_dot(first, second));
}

/* The rotation matrix (by rows) of the unit quaternion (x, y, z, w). */
static inline void berth_rotation_matrix(const double q[4], double rotation[9])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    rotation[0] = 1 - 2 * (y * y + z * z);
    rotation[1] = 2 * (x * y - w * z);
    rotation[2] = 2 * (x * z + w * y);
    rotation[3] = 2 * (x * y + w * z);
    rotation[4] = 1 - 2 * (x * x + z * z);
    rotation[5] = 2 * (y * z - w * x);
    rotation[6] = 2 * (x * z - w * y);
    rotation[7] = 2 * (y * z + w * x);
    rotation[8] = 1 - 2 * (x * x + y * y);
}

/* turned = rotation (by rows) times a; it is not a. */
static inline void berth_rotate(const double rotation[9], const double a[3], double turned[3])
{
    for (int k = 0; k < 3; k++) {
        turned[k] = berth_dot(rotation + 3 * k, a);
    }
}

#endif

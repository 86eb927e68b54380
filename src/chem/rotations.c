#include "chem/rotations.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The constants of the spirals: the square root of 2, and the root of x^4 = x + 4. */
#define PHI 1.41421356237309504880
#define PSI 1.53375116875520428812

size_t berth_rotations_count(double spacing)
{
    const double edge = spacing * PI / 180;
    /* what the space of rotations measures, where a rotation by an angle is that far from none */
    return (size_t)ceil(8 * PI * PI / (edge * edge * edge));
}

void berth_rotation_at(size_t i, size_t count, double quaternion[4])
{
    const double s = (double)i + 0.5, t = s / (double)count;
    const double d = 2 * PI * s, inner = sqrt(t), outer = sqrt(1 - t);
    quaternion[0] = inner * sin(d / PHI);
    quaternion[1] = inner * cos(d / PHI);
    quaternion[2] = outer * sin(d / PSI);
    quaternion[3] = outer * cos(d / PSI);
}

void berth_rotation_product(const double p[4], const double q[4], double product[4])
{
    product[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
    product[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
    product[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
    product[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
}

void berth_rotation_of_angles(const double angles[3], double quaternion[4])
{
    const double ca = cos(angles[0] / 2), sa = sin(angles[0] / 2);
    const double cb = cos(angles[1] / 2), sb = sin(angles[1] / 2);
    const double cc = cos(angles[2] / 2), sc = sin(angles[2] / 2);
    quaternion[0] = sa * cb * cc - ca * sb * sc;
    quaternion[1] = ca * sb * cc + sa * cb * sc;
    quaternion[2] = ca * cb * sc - sa * sb * cc;
    quaternion[3] = ca * cb * cc + sa * sb * sc;
}

void berth_rotation_angles(const double quaternion[4], double angles[3])
{
    const double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
    const double r00 = 1 - 2 * (y * y + z * z), r10 = 2 * (x * y + w * z);
    angles[0] = atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
    angles[1] = atan2(-2 * (x * z - w * y), sqrt(r00 * r00 + r10 * r10));
    angles[2] = atan2(r10, r00);
}

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

void berth_rotation_angles(const double quaternion[4], double angles[3])
{
    const double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
    const double r00 = 1 - 2 * (y * y + z * z), r10 = 2 * (x * y + w * z);
    angles[0] = atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
    angles[1] = atan2(-2 * (x * z - w * y), sqrt(r00 * r00 + r10 * r10));
    angles[2] = atan2(r10, r00);
}

#include "chem/geometry.h"

#include <math.h>

void berth_rotation_of(const struct berth_transform *transform, double rotation[9])
{
    double sa = sin(transform->a), ca = cos(transform->a);
    double sb = sin(transform->b), cb = cos(transform->b);
    double sc = sin(transform->c), cc = cos(transform->c);
    /* Rz(c) Ry(b) Rx(a), multiplied out. */
    rotation[0] = cc * cb;
    rotation[1] = cc * sb * sa - sc * ca;
    rotation[2] = cc * sb * ca + sc * sa;
    rotation[3] = sc * cb;
    rotation[4] = sc * sb * sa + cc * ca;
    rotation[5] = sc * sb * ca - cc * sa;
    rotation[6] = -sb;
    rotation[7] = cb * sa;
    rotation[8] = cb * ca;
}

void berth_transform_apply(const struct berth_transform *transform, const double origin[3],
                           const double from[3], double to[3])
{
    double rotation[9];
    berth_rotation_of(transform, rotation);
    double u[3] = {from[0] - origin[0], from[1] - origin[1], from[2] - origin[2]};
    double t[3] = {transform->x, transform->y, transform->z};
    for (int k = 0; k < 3; k++) {
        const double *row = rotation + 3 * (size_t)k;
        to[k] = row[0] * u[0] + row[1] * u[1] + row[2] * u[2] + t[k];
    }
}

void berth_gyration_of(const double (*positions)[3], size_t count, const double centroid[3],
                       double gyration[6])
{
    double sum[6] = {0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        double x = positions[i][0] - centroid[0];
        double y = positions[i][1] - centroid[1];
        double z = positions[i][2] - centroid[2];
        sum[0] += x * x;
        sum[1] += y * y;
        sum[2] += z * z;
        sum[3] += x * y;
        sum[4] += x * z;
        sum[5] += y * z;
    }
    for (int k = 0; k < 6; k++) {
        gyration[k] = count ? sum[k] / (double)count : 0;
    }
}

double berth_rigid_rmsd(const double gyration[6], const struct berth_transform *a,
                        const struct berth_transform *b)
{
    double ra[9], rb[9];
    berth_rotation_of(a, ra);
    berth_rotation_of(b, rb);
    /* The mean over atoms of |(Ra - Rb) u + (ta - tb)|^2.  Since u averages to zero about the
     * centroid, the mixed term vanishes and tr(D^T D G) + |ta - tb|^2 is left, D = Ra - Rb.
     * Summed row by row of D (d^T G d each) rather than as 2 tr G - 2 tr(Ra^T Rb G), which is
     * the same but cancels for neighbouring poses. */
    const double *g = gyration;
    double sum = 0;
    for (size_t row = 0; row < 9; row += 3) {
        double x = ra[row] - rb[row];
        double y = ra[row + 1] - rb[row + 1];
        double z = ra[row + 2] - rb[row + 2];
        sum += x * x * g[0] + y * y * g[1] + z * z * g[2] +
               2 * (x * y * g[3] + x * z * g[4] + y * z * g[5]);
    }
    double tx = (double)a->x - b->x, ty = (double)a->y - b->y, tz = (double)a->z - b->z;
    /* Rounding may leave -1e-16 where the poses are equal. */
    return sqrt(fmax(sum, 0) + tx * tx + ty * ty + tz * tz);
}

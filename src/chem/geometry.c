#include "chem/geometry.h"

#include <math.h>
#include <string.h>

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

/* --- Rotations that are spread evenly --- */

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

/* --- Superposition --- */

void berth_quaternion_matrix(const double s[3][3], double matrix[4][4])
{
    const double rows[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}};
    memcpy(matrix, rows, sizeof rows);
}

/* Coefficients of the characteristic polynomial x^4 + c2 x^2 + c1 x + c0 of the quaternion matrix
 * that belongs to the correlation matrix m. */
static void characteristic(const double m[3][3], double *c2, double *c1, double *c0)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            square += m[i][j] * m[i][j];
        }
    }
    double k[4][4];
    berth_quaternion_matrix(m, k);
    const double det3 = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                        m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                        m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    /* the determinant of k by two rows against two rows (Laplace) */
    double det4 = 0;
    static const int PAIRS[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                    {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    static const double SIGNS[6] = {1, -1, 1, 1, -1, 1};
    for (int p = 0; p < 6; p++) {
        const int *q = PAIRS[p];
        det4 += SIGNS[p] * (k[0][q[0]] * k[1][q[1]] - k[0][q[1]] * k[1][q[0]]) *
                (k[2][q[2]] * k[3][q[3]] - k[2][q[3]] * k[3][q[2]]);
    }
    *c2 = -2 * square;
    *c1 = -8 * det3;
    *c0 = det4;
}

double berth_superposed_rmsd(const double (*a)[3], const double (*b)[3], size_t count)
{
    enum { ROUNDS_MAX = 50 };
    double m[3][3], spread = 0;
    memset(m, 0, sizeof m);
    for (size_t i = 0; i < count; i++) {
        for (int j = 0; j < 3; j++) {
            spread += a[i][j] * a[i][j] + b[i][j] * b[i][j];
            for (int k = 0; k < 3; k++) {
                m[j][k] += a[i][j] * b[i][k];
            }
        }
    }
    double c2, c1, c0;
    characteristic((const double(*)[3])m, &c2, &c1, &c0);
    /* from above, Newton's method falls to the largest root */
    double root = spread / 2;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        const double square = root * root;
        const double slope = 4 * square * root + 2 * c2 * root + c1;
        const double step =
            slope == 0 ? 0 : (square * square + c2 * square + c1 * root + c0) / slope;
        root -= step;
        if (fabs(step) <= 1e-11 * fabs(root)) {
            break;
        }
    }
    return count ? sqrt(fmax(0, spread - 2 * root) / (double)count) : 0;
}

void berth_center(double (*positions)[3], size_t count)
{
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            sum[k] += positions[i][k] / (double)count;
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            positions[i][k] -= sum[k];
        }
    }
}

#include "chem/superpose.h"

#include <math.h>
#include <string.h>

/* Coefficients of the characteristic polynomial x^4 + c2 x^2 + c1 x + c0 of the quaternion matrix
 * that belongs to the correlation matrix m. */
static void characteristic(double m[3][3], double *c2, double *c1, double *c0)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            square += m[i][j] * m[i][j];
        }
    }
    const double k[4][4] = {
        {m[0][0] + m[1][1] + m[2][2], m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]},
        {m[1][2] - m[2][1], m[0][0] - m[1][1] - m[2][2], m[0][1] + m[1][0], m[2][0] + m[0][2]},
        {m[2][0] - m[0][2], m[0][1] + m[1][0], m[1][1] - m[0][0] - m[2][2], m[1][2] + m[2][1]},
        {m[0][1] - m[1][0], m[2][0] + m[0][2], m[1][2] + m[2][1], m[2][2] - m[0][0] - m[1][1]}};
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
    characteristic(m, &c2, &c1, &c0);
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

#include "eval/redock/redock_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/geometry.h"
#include "chem/vectors.h"

/* The quaternion matrix of the correlation of a with b (B. K. P. Horn, J. Opt. Soc. Am. A 4 (1987)
 * 629): its eigenvector of the largest eigenvalue is the rotation that lays a onto b best. */
static void quaternion_matrix(const double (*a)[3], const double (*b)[3], size_t count,
                              double matrix[4][4])
{
    double s[3][3] = {{0}};
    for (size_t i = 0; i < count; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                s[j][k] += a[i][j] * b[i][k];
            }
        }
    }
    const double rows[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}};
    memcpy(matrix, rows, sizeof rows);
}

/* One rotation of Jacobi's method: makes matrix[p][q] zero, and takes the vectors along. */
static void turn_plane(double matrix[4][4], double vectors[4][4], int p, int q)
{
    if (matrix[p][q] == 0) {
        return;
    }
    const double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 4; k++) {
        const double kp = matrix[k][p], kq = matrix[k][q];
        matrix[k][p] = c * kp - s * kq;
        matrix[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 4; k++) {
        const double pk = matrix[p][k], qk = matrix[q][k];
        matrix[p][k] = c * pk - s * qk;
        matrix[q][k] = s * pk + c * qk;
        const double vp = vectors[k][p], vq = vectors[k][q];
        vectors[k][p] = c * vp - s * vq;
        vectors[k][q] = s * vp + c * vq;
    }
}

/* The unit eigenvector of the symmetric matrix's largest eigenvalue, by Jacobi's method, which
 * holds for equal eigenvalues (linear and symmetric molecules) too.  The matrix is lost. */
static void largest_eigenvector(double matrix[4][4], double vector[4])
{
    enum { SWEEPS = 12 }; /* it converges quadratically: six are plenty */
    double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int p = 0; p < 3; p++) {
            for (int q = p + 1; q < 4; q++) {
                turn_plane(matrix, vectors, p, q);
            }
        }
    }
    int best = 0;
    for (int k = 1; k < 4; k++) {
        best = matrix[k][k] > matrix[best][best] ? k : best;
    }
    for (int k = 0; k < 4; k++) {
        vector[k] = vectors[k][best];
    }
}

/* Copies the positions in the order given (NULL: theirs), centred; their centroid is *center. */
static void copy_centered(const double (*positions)[3], const size_t *order, size_t count,
                          double (*copied)[3], double center[3])
{
    memset(center, 0, 3 * sizeof *center);
    for (size_t i = 0; i < count; i++) {
        memcpy(copied[i], positions[order ? order[i] : i], sizeof *copied);
        for (int k = 0; k < 3; k++) {
            center[k] += copied[i][k] / (double)count;
        }
    }
    berth_center(copied, count);
}

enum berth_status berth_overlay_find(const struct berth_matches *matches, const double (*a)[3],
                                     const double (*b)[3], struct berth_overlay *overlay,
                                     struct berth_error *error)
{
    const size_t count = matches->heavy_count;
    double(*from)[3] = NULL, (*to)[3] = NULL;
    enum berth_status status = berth_make(&from, count, sizeof *from, NULL, error);
    BERTH_THEN(berth_make(&to, count, sizeof *to, NULL, error));
    *overlay = (struct berth_overlay){.rmsd = INFINITY};
    if (!status && matches->count) {
        size_t best = 0;
        copy_centered(a, NULL, count, from, overlay->from);
        for (size_t m = 0; m < matches->count; m++) {
            copy_centered(b, matches->atoms + m * count, count, to, overlay->to);
            const double rmsd =
                berth_superposed_rmsd((const double(*)[3])from, (const double(*)[3])to, count);
            best = rmsd < overlay->rmsd ? m : best;
            overlay->rmsd = fmin(rmsd, overlay->rmsd);
        }
        double matrix[4][4], q[4];
        copy_centered(b, matches->atoms + best * count, count, to, overlay->to);
        quaternion_matrix((const double(*)[3])from, (const double(*)[3])to, count, matrix);
        largest_eigenvector(matrix, q);
        berth_rotation_matrix((const double[]){q[1], q[2], q[3], q[0]}, overlay->rotation);
    }
    free(from);
    free(to);
    return status;
}

void berth_overlay_apply(const struct berth_overlay *overlay, double position[3])
{
    double arm[3], turned[3];
    berth_add_scaled(position, -1, overlay->from, arm);
    berth_rotate(overlay->rotation, arm, turned);
    berth_add_scaled(turned, 1, overlay->to, position);
}

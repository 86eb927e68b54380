#include "chem/overlay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/geometry.h"
#include "chem/vectors.h"

/* Of the correlation of a with b. */
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
    berth_quaternion_matrix((const double(*)[3])s, matrix);
}

/* A unit eigenvector of the symmetric matrix's largest eigenvalue, which may have several (linear
 * and symmetric molecules): made positive and squared again and again, the matrix becomes the
 * projection on these.  The matrix is lost. */
static void largest_eigenvector(double matrix[4][4], double vector[4])
{
    enum { SQUARINGS = 60 };
    double size = 0;
    for (int j = 0; j < 16; j++) {
        size += fabs(matrix[j / 4][j % 4]);
    }
    for (int round = 0; round < SQUARINGS; round++) {
        double square[4][4] = {{0}}, trace = 0;
        for (int j = 0; j < 4; j++) {
            matrix[j][j] += round ? 0 : size + 1; /* no eigenvalue below 1 */
            trace += matrix[j][j];
        }
        for (int j = 0; j < 64; j++) {
            const int row = j / 16, column = j / 4 % 4, k = j % 4;
            square[row][column] += matrix[row][k] / trace * (matrix[k][column] / trace);
        }
        memcpy(matrix, square, sizeof square);
    }
    int best = 0;
    double square = 0;
    for (int k = 1; k < 4; k++) {
        best = matrix[k][k] > matrix[best][best] ? k : best;
    }
    for (int k = 0; k < 4; k++) {
        square += matrix[k][best] * matrix[k][best];
    }
    for (int k = 0; k < 4; k++) {
        vector[k] = matrix[k][best] / sqrt(square);
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

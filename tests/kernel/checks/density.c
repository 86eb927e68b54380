/* Checks of densities: every point of random atoms' grids, against the formula in double precision,
 * and that nothing else is written. */
#include <math.h>
#include <stdlib.h>

#include "checks.h"
#include "base/memory.h"
#include "engine/density.h"

enum { LISTS = 15, ATOMS_MAX = 12 };

struct density_trial {
    struct berth_density_grid grid;
    struct berth_density_atom atoms[LISTS * ATOMS_MAX];
    int32_t begins[LISTS + 1];
    struct selftest_array values;
};

/* Of an atom at a distance, both Å. */
static double density_of(double distance, double radius)
{
    const double d = distance / radius;
    return d <= 1 ? exp(-2 * d * d) : d < 1.5 ? 4 * exp(-2) * (1.5 - d) * (1.5 - d) : 0;
}

/* Of the atoms of a list at a point, the mean of average³. */
static double expected_at(const struct density_trial *trial, size_t list, const size_t point[3])
{
    const size_t average = trial->grid.average;
    const double middle = ((double)(trial->grid.points * average) - 1) / 2;
    double sum = 0;
    for (size_t n = 0; n < average * average * average; n++) {
        const size_t part[3] = {n / average / average, n / average % average, n % average};
        for (int32_t i = trial->begins[list]; i < trial->begins[list + 1]; i++) {
            double squares = 0;
            for (int k = 0; k < 3; k++) {
                const double number = (double)(point[k] * average + part[k]) - middle;
                const double along =
                    number * (double)trial->grid.spacing - (double)trial->atoms[i].place[k];
                squares += along * along;
            }
            sum += density_of(sqrt(squares), (double)trial->atoms[i].radius);
        }
    }
    return sum / (double)(average * average * average);
}

/* Atoms in and about the grid; of some lists none. */
static void fill(struct selftest *test, struct density_trial *trial)
{
    const double edge =
        (double)trial->grid.spacing * (double)(trial->grid.points * trial->grid.average);
    int32_t count = 0;
    for (size_t list = 0; list < LISTS; list++) {
        trial->begins[list] = count;
        for (size_t left = berth_random_below(&test->random, ATOMS_MAX); left > 0; left--) {
            struct berth_density_atom *atom = &trial->atoms[count++];
            atom->radius = (float)berth_random_between(&test->random, 1, 2.3);
            for (int k = 0; k < 3; k++) {
                atom->place[k] =
                    (float)berth_random_between(&test->random, -edge / 2 - 3, edge / 2 + 3);
            }
        }
    }
    trial->begins[LISTS] = count;
}

static enum berth_status compare_points(const struct density_trial *trial,
                                        struct berth_error *error)
{
    const size_t points = trial->grid.points;
    const float *found = trial->values.host;
    for (size_t list = 0; list < LISTS; list++) {
        for (size_t n = 0; n < points * points * points; n++, found++) {
            const size_t point[3] = {n / points / points, n / points % points, n % points};
            const double expected = expected_at(trial, list, point);
            if (!(fabs((double)*found - expected) <= 1e-5 + 1e-5 * expected)) {
                return berth_fail(error, BERTH_E_RESULT,
                                  "list %zu at point %zu %zu %zu is %.7f, not %.7f", list, point[0],
                                  point[1], point[2], (double)*found, expected);
            }
        }
    }
    return BERTH_OK;
}

/* Runs the kernel on arrays of its own, poisoned. */
static enum berth_status run(struct selftest *test, struct density_trial *trial,
                             struct berth_error *error)
{
    const size_t points = trial->grid.points, rows = points * points * LISTS;
    struct berth_density *density = NULL;
    struct berth_kernel *kernel = NULL;
    struct berth_buffer *atoms = NULL, *begins = NULL;
    enum berth_status status = berth_density_create(test->context, &trial->grid, &density, error);
    BERTH_THEN(
        berth_buffer_upload(test->context, trial->atoms, sizeof trial->atoms, &atoms, error));
    BERTH_THEN(
        berth_buffer_upload(test->context, trial->begins, sizeof trial->begins, &begins, error));
    BERTH_THEN(selftest_poisoned(test, rows * points * sizeof(float), &trial->values, error));
    BERTH_THEN(berth_density_kernel(density, &kernel, error));
    if (!status) {
        berth_kernel_set_buffers(kernel, 0, atoms, begins);
        berth_kernel_set_buffer(kernel, 4, trial->values.buffer);
        status = berth_kernel_launch(kernel, points, LISTS, 0, NULL, error);
    }
    BERTH_THEN(selftest_download(&trial->values, error));
    berth_kernel_destroy(kernel);
    berth_density_destroy(density);
    berth_buffer_destroy(atoms);
    berth_buffer_destroy(begins);
    return status;
}

enum berth_status selftest_densities(struct selftest *test, struct berth_error *error)
{
    static const struct berth_density_grid GRID[] = {{7, 1, 0.5f}, {5, 2, 0.55f}, {1, 3, 1}};
    struct density_trial *trial;
    enum berth_status status = berth_make(&trial, 1, sizeof *trial, NULL, error);
    for (size_t i = 0; !status && i < sizeof GRID / sizeof *GRID; i++) {
        trial->grid = GRID[i];
        fill(test, trial);
        status = run(test, trial, error);
        BERTH_THEN(compare_points(trial, error));
        selftest_clear(&trial->values);
    }
    free(trial);
    return status;
}

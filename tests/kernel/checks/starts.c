/* Check of find_starts: energies at the nearest points of maps, summed in double precision from the
 * numbers that the device has put there.  (score_starts: the selftest's starts.) */
#include <math.h>
#include <string.h>

#include "mapped.h"
#include "chem/geometry.h"
#include "engine/starts.h"

/* Å: where a place lies so near the box's face, rounding decides, and nothing is compared. */
#define DOUBT 3e-4

enum { ROTATIONS = 3, RAYS = 37, STEPS = 9 };

struct starts_trial {
    struct mapped_trial mapped;
    const struct selftest_ligand *ligand;
    struct berth_starts_setup setup;
    struct berth_starts *starts;
    struct berth_ray rays[RAYS];
};

/* The energy of the ligand so rotated about that centre; INFINITY outside the box; NAN where it is
 * in doubt. */
static double energy_of(const struct starts_trial *trial, const double rotation[9],
                        const double centre[3])
{
    const struct selftest_maps maps = mapped_trial_maps(&trial->mapped);
    const struct berth_site *box = &trial->setup.box;
    double energy = selftest_start_energy(&maps, trial->ligand, rotation, centre);
    for (int k = 0; k < 3; k++) {
        const double beyond = fabs(centre[k] - box->center[k]) - box->size[k] / 2;
        energy = fabs(beyond) < DOUBT ? NAN : beyond > 0 ? INFINITY : energy;
    }
    return energy;
}

static enum berth_status compare(const char *what, size_t number, double found, double expected,
                                 struct berth_error *error)
{
    if (isnan(expected) || found == expected ||
        fabs(found - expected) <= 0.01 + 1e-5 * fabs(expected)) {
        return BERTH_OK;
    }
    return berth_fail(error, BERTH_E_RESULT, "%s %zu is %.4f, not %.4f", what, number, found,
                      expected);
}

static enum berth_status make(struct selftest *test, size_t ligand, struct starts_trial *trial,
                              struct berth_error *error)
{
    *trial = (struct starts_trial){
        .mapped = {.test = test,
                   .half = {4, 5, 3},
                   .reach = 11,
                   .atoms = test->setup->small ? 20 : 300,
                   .most_atoms = 12,
                   .grid = {.spacing = test->setup->small ? 2 : 0.9f, .margin = 2, .most = 30}}};
    enum berth_status status = mapped_trial_make(&trial->mapped, error);
    BERTH_THEN(berth_maps_complete(trial->mapped.maps, &trial->mapped.batch, error));
    BERTH_THEN(mapped_trial_read_maps(&trial->mapped, error));
    if (status) {
        return status;
    }
    float planes[6 * RAYS];
    selftest_poses(test, 1, RAYS, 4, planes);
    for (size_t i = 0; i < RAYS; i++) {
        const struct berth_transform pose = {
            planes[i], planes[RAYS + i], planes[2 * RAYS + i], 0, 0, 0};
        double rotation[9];
        berth_rotation_of(&pose, rotation);
        for (size_t k = 0; k < 3; k++) {
            trial->rays[i].origin[k] = planes[(3 + k) * RAYS + i];
            trial->rays[i].direction[k] = (float)rotation[k];
        }
    }
    trial->ligand = &trial->mapped.ligands[ligand];
    trial->setup =
        (struct berth_starts_setup){.maps = trial->mapped.maps,
                                    .atoms = trial->ligand->packed.atoms,
                                    .atom_count = (size_t)trial->ligand->packed.device.atom_count,
                                    .rays = trial->rays,
                                    .ray_count = RAYS,
                                    .box = {{0.5, -0.25, 0.125}, {9, 10, 11}, false},
                                    .steps = STEPS,
                                    .step = 0.75f,
                                    .clearance = 2.5f,
                                    .rotations = ROTATIONS,
                                    .poses = 1};
    return berth_starts_create(trial->mapped.evaluator, &trial->setup, &trial->starts, error);
}

static void clear(struct starts_trial *trial)
{
    berth_starts_destroy(trial->starts);
    mapped_trial_clear(&trial->mapped);
}

/* The lowest energy on a ray; NAN where it is in doubt. */
static double lowest_on(const struct starts_trial *trial, const double rotation[9],
                        const struct berth_ray *ray)
{
    double depth = 0, lowest = INFINITY;
    for (int i = 0; i < trial->ligand->packed.device.atom_count; i++) {
        const struct berth_device_atom *atom = &trial->ligand->packed.atoms[i];
        double along = 0;
        for (int k = 0; k < 3; k++) {
            along += (double)ray->direction[k] *
                     (rotation[3 * k] * (double)atom->x + rotation[3 * k + 1] * (double)atom->y +
                      rotation[3 * k + 2] * (double)atom->z);
        }
        depth = fmax(depth, -along);
    }
    for (int step = 0; step < STEPS; step++) {
        const double along =
            depth + (double)trial->setup.clearance - step * (double)trial->setup.step;
        double centre[3];
        for (int k = 0; k < 3; k++) {
            centre[k] = (double)ray->origin[k] + along * (double)ray->direction[k];
        }
        const double energy = energy_of(trial, rotation, centre);
        if (isnan(energy)) {
            return NAN;
        }
        lowest = fmin(lowest, energy);
    }
    return lowest;
}

enum berth_status selftest_find_starts(struct selftest *test, struct berth_error *error)
{
    struct starts_trial trial;
    enum berth_status status = make(test, 1, &trial, error);
    float planes[6 * ROTATIONS], matrices[ROTATIONS][9];
    double rotations[ROTATIONS][9];
    selftest_poses(test, 1, ROTATIONS, 1, planes);
    for (size_t r = 0; r < ROTATIONS; r++) {
        const struct berth_transform pose = {
            planes[r], planes[ROTATIONS + r], planes[2 * ROTATIONS + r], 0, 0, 0};
        berth_rotation_of(&pose, rotations[r]);
        for (int k = 0; k < 9; k++) {
            matrices[r][k] = (float)rotations[r][k];
        }
    }
    struct berth_starts_found found;
    if (!status) {
        status =
            berth_starts_run(trial.starts, (const float(*)[9])matrices, ROTATIONS, &found, error);
    }
    for (size_t i = 0; !status && i < ROTATIONS * RAYS; i++) {
        status = compare("the lowest energy on ray", i, (double)found.energies[i],
                         lowest_on(&trial, rotations[i / RAYS], &trial.rays[i % RAYS]), error);
    }
    clear(&trial);
    return status;
}

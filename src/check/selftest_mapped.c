/* What the checks of maps and of the search on them share. */
#include "check/selftest_mapped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Å: how far off a placed atom may be in single precision. */
#define PLACE_TOLERANCE 1e-4

enum { BESIDE_BODIES = MAPPED_CONFORMERS - 2, BODIES_ALONE = MAPPED_CONFORMERS - 1 };

static enum berth_status make_molecules(struct mapped_trial *trial, struct berth_error *error)
{
    struct selftest *test = trial->test;
    enum berth_status status =
        selftest_atoms(test, trial->atoms, trial->reach, &trial->receptor, error);
    for (size_t c = 0; !status && c < BESIDE_BODIES; c++) {
        const size_t drawn = 3 + berth_random_below(&test->random, trial->most_atoms - 2);
        const size_t count = c < 2 ? c + 1 : c == 2 ? trial->most_atoms : drawn;
        status = selftest_ligand(test, count, (uint32_t)c, &trial->ligands[c], error);
    }
    if (!status) {
        const size_t count = 2 + berth_random_below(&test->random, 9);
        status = selftest_ligand(test, count, BESIDE_BODIES, &trial->ligands[BESIDE_BODIES], error);
    }
    trial->ligands[BODIES_ALONE].packed.device.number = BODIES_ALONE;
    for (size_t c = BESIDE_BODIES; !status && c < MAPPED_CONFORMERS; c++) {
        status = selftest_bodies(test, &trial->ligands[c], error);
    }
    return status;
}

size_t mapped_trial_map_bytes(const struct mapped_trial *trial)
{
    return trial->test->setup->scoring->type_count * (size_t)trial->layout.points * 2 *
           sizeof(float);
}

static enum berth_status make_maps(struct mapped_trial *trial, struct berth_error *error)
{
    const double size[3] = {2 * trial->half[0], 2 * trial->half[1], 2 * trial->half[2]};
    enum berth_status status =
        berth_maps_create(trial->evaluator, size, &trial->grid, &trial->maps, error);
    if (status) {
        return status;
    }
    size_t made;
    trial->layout = berth_maps_layout(trial->maps, &made);
    trial->energies = berth_alloc(mapped_trial_map_bytes(trial), 1);
    if (!trial->energies) {
        return berth_out_of_memory(error, NULL);
    }
    memset(trial->energies, 0xFF, mapped_trial_map_bytes(trial));
    status = berth_buffer_write(berth_maps_energies(trial->maps), trial->energies,
                                mapped_trial_map_bytes(trial), error);
    /* maps are made in another queue */
    return status ? status : berth_context_finish(trial->test->context, error);
}

enum berth_status mapped_trial_make(struct mapped_trial *trial, struct berth_error *error)
{
    struct selftest *test = trial->test;
    enum berth_status status = make_molecules(trial, error);
    if (status) {
        return status;
    }
    const struct berth_target target = {
        test->setup->scoring,
        &trial->receptor,
        {{0}, {2 * trial->half[0], 2 * trial->half[1], 2 * trial->half[2]}}};
    status = berth_evaluator_create(test->context, &test->setup->variant,
                                    test->setup->build_options, &target, &trial->evaluator, error);
    struct berth_packed_conformer packed[MAPPED_CONFORMERS];
    for (size_t c = 0; c < MAPPED_CONFORMERS; c++) {
        packed[c] = trial->ligands[c].packed;
    }
    BERTH_THEN(berth_batch_fill(&trial->batch, test->context, packed, MAPPED_CONFORMERS, error));
    return status ? status : make_maps(trial, error);
}

enum berth_status mapped_trial_read_maps(struct mapped_trial *trial, struct berth_error *error)
{
    return berth_buffer_read(berth_maps_energies(trial->maps), trial->energies,
                             mapped_trial_map_bytes(trial), error);
}

enum berth_status mapped_trial_make_rows(struct mapped_trial *trial, struct berth_error *error)
{
    struct berth_device_mapped *settings = &trial->settings;
    settings->seed_low = (uint32_t)berth_random_below(&trial->test->random, UINT32_MAX);
    settings->seed_high = (uint32_t)berth_random_below(&trial->test->random, UINT32_MAX);
    settings->row = BERTH_ROW_WORDS(BERTH_TORSIONS);
    settings->half_x = (float)trial->half[0];
    settings->half_y = (float)trial->half[1];
    settings->half_z = (float)trial->half[2];
    const size_t rows = MAPPED_CONFORMERS * (size_t)settings->poses * (size_t)settings->row;
    enum berth_status status =
        selftest_poisoned(trial->test, sizeof *settings, &trial->constants, error);
    BERTH_THEN(selftest_poisoned(trial->test, rows * sizeof(float), &trial->kept, error));
    BERTH_THEN(selftest_poisoned(trial->test, rows * sizeof(float), &trial->best, error));
    return status ? status : mapped_trial_set(trial, error);
}

enum berth_status mapped_trial_set(struct mapped_trial *trial, struct berth_error *error)
{
    memcpy(trial->constants.host, &trial->settings, sizeof trial->settings);
    return selftest_upload(&trial->constants, error);
}

void mapped_trial_clear(struct mapped_trial *trial)
{
    for (size_t c = 0; c < MAPPED_CONFORMERS; c++) {
        selftest_ligand_clear(&trial->ligands[c]);
    }
    berth_heavy_atoms_clear(&trial->receptor);
    berth_batch_clear(&trial->batch);
    berth_maps_destroy(trial->maps);
    berth_evaluator_destroy(trial->evaluator);
    free(trial->energies);
    selftest_clear(&trial->constants);
    selftest_clear(&trial->kept);
    selftest_clear(&trial->best);
}

float *mapped_row(const struct mapped_trial *trial, const struct selftest_array *rows, size_t c,
                  size_t pose)
{
    const size_t number = c * (size_t)trial->settings.poses + pose;
    return (float *)rows->host + number * (size_t)trial->settings.row;
}

void mapped_point(const float *row, size_t torsions, double point[MAPPED_POINT])
{
    for (size_t k = 0; k < 7 + torsions; k++) {
        point[k] = row[BERTH_ROW_POINT + k];
    }
}

void mapped_place(const struct selftest_ligand *ligand, const double *point,
                  struct berth_heavy_atoms *placed)
{
    const struct berth_transform none = {0};
    const double *q = point + 3, w = point[6];
    berth_flexible_place(&ligand->flexible, &ligand->heavy, &none, point + 7, placed);
    for (size_t i = 0; i < ligand->flexible.free_count; i++) {
        double *p = placed->atoms[i].position;
        /* p + 2 w (q x p) + 2 q x (q x p) */
        const double c[3] = {q[1] * p[2] - q[2] * p[1], q[2] * p[0] - q[0] * p[2],
                             q[0] * p[1] - q[1] * p[0]};
        const double d[3] = {q[1] * c[2] - q[2] * c[1], q[2] * c[0] - q[0] * c[2],
                             q[0] * c[1] - q[1] * c[0]};
        for (int k = 0; k < 3; k++) {
            p[k] += 2 * (w * c[k] + d[k]) + point[k];
        }
    }
}

double mapped_mean_square(const struct selftest_ligand *ligand, const float *a, const float *b)
{
    struct berth_heavy_atom room[2][BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed[2] = {{room[0], ligand->heavy.count},
                                          {room[1], ligand->heavy.count}};
    const float *rows[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        double point[MAPPED_POINT];
        mapped_point(rows[i], ligand->flexible.tree.count, point);
        mapped_place(ligand, point, &placed[i]);
    }
    double sum = 0;
    for (size_t i = 0; i < 3 * selftest_measured(ligand); i++) {
        const double apart = room[0][i / 3].position[i % 3] - room[1][i / 3].position[i % 3];
        sum += apart * apart;
    }
    return sum / (double)selftest_measured(ligand);
}

/* The energy of an atom by its type's map, and the largest difference between corners of its cell.
 */
static double look_up(const struct mapped_trial *trial, const struct berth_heavy_atom *atom,
                      double *steepest)
{
    const struct berth_device_grid *grid = &trial->layout;
    const double lowest[3] = {grid->x, grid->y, grid->z};
    const berth_int32 points[3] = {grid->nx, grid->ny, grid->nz};
    double fraction[3], outside = 0, low = INFINITY, high = -INFINITY, energy = 0;
    size_t cell[3];
    for (int k = 0; k < 3; k++) {
        const double at = (atom->position[k] - lowest[k]) * grid->per_edge;
        const double inside = fmin(fmax(at, 0), points[k] - 1.001);
        cell[k] = (size_t)inside;
        fraction[k] = inside - (double)cell[k];
        outside += fabs(at - inside) / grid->per_edge;
    }
    for (size_t corner = 0; corner < 8; corner++) {
        double weight = 1;
        size_t at[3];
        for (int k = 0; k < 3; k++) {
            const bool next = corner >> k & 1;
            weight *= next ? fraction[k] : 1 - fraction[k];
            at[k] = cell[k] + next;
        }
        const size_t place = (at[2] * (size_t)grid->ny + at[1]) * (size_t)grid->nx + at[0];
        const double value =
            trial->energies[((size_t)atom->type * (size_t)grid->points + place) * 2];
        low = fmin(low, value);
        high = fmax(high, value);
        energy += weight * value;
    }
    *steepest = (high - low) * grid->per_edge + (outside > 0 ? grid->wall : 0);
    return energy + grid->wall * outside;
}

/* The energy of two of the ligand's atoms, once for each way round, and its slope. */
static double pair_energy(const struct berth_scoring *scoring, const struct berth_heavy_atom *a,
                          const struct berth_heavy_atom *b, double *slope)
{
    double square = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        const double apart = a->position[k] - b->position[k];
        square += apart * apart;
    }
    const struct berth_terms ab = berth_score_ref_pair(scoring, a->type, b->type, sqrt(square));
    const struct berth_terms ba = berth_score_ref_pair(scoring, b->type, a->type, sqrt(square));
    for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
        sum += (ab.values[k] + ba.values[k]) / 2;
    }
    *slope = fabs(berth_score_ref_slope(scoring, a->type, b->type, sqrt(square)));
    return sum;
}

struct mapped_energy mapped_energy_at(const struct mapped_trial *trial,
                                      const struct selftest_ligand *ligand, const double *point)
{
    struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed = {room, ligand->heavy.count};
    const struct berth_scoring *scoring = trial->test->setup->scoring;
    const struct berth_flexible_system system = {.scoring = scoring, .flexible = &ligand->flexible};
    struct mapped_energy energy = {.tolerance = 0.01};
    double inner = 0, slope;
    mapped_place(ligand, point, &placed);
    for (size_t i = 0; i < placed.count; i++) {
        const double value = look_up(trial, &room[i], &slope);
        energy.total += value;
        energy.tolerance += 1e-5 * fabs(value) + PLACE_TOLERANCE * slope;
        for (size_t j = 0; j < i && ligand->flexible.tree.count; j++) {
            if (berth_flexible_is_far(&ligand->flexible, i, j)) {
                const double inside = pair_energy(scoring, &room[i], &room[j], &slope);
                inner += inside;
                energy.tolerance += 1e-5 * fabs(inside) + PLACE_TOLERANCE * slope;
            }
        }
    }
    inner += berth_flexible_torsional(scoring, &ligand->flexible, &placed, NULL);
    berth_flexible_parts(&system, &placed, true, energy.parts);
    energy.parts[BERTH_PART_INTRA] = inner;
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        energy.total += energy.parts[k];
    }
    return energy;
}

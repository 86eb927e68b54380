/* What the checks of maps and of the search on them share. */
#include "mapped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
    if (test->how & SELFTEST_RESTRAINED) {
        selftest_places(test, trial->half[0], trial->places);
        trial->all = (struct berth_places){trial->places, SELFTEST_PLACES};
    }
    trial->ligands[BODIES_ALONE].packed.device.number = BODIES_ALONE;
    for (size_t c = BESIDE_BODIES; !status && c < MAPPED_CONFORMERS; c++) {
        status = selftest_bodies(test, &trial->ligands[c], error);
    }
    for (size_t c = 0; !status && trial->all.count && c < MAPPED_CONFORMERS; c++) {
        status = selftest_restrain(test, &trial->all, &trial->ligands[c], error);
    }
    return status;
}

size_t mapped_trial_map_bytes(const struct mapped_trial *trial)
{
    return trial->test->setup->scoring->type_count * selftest_map_numbers(&trial->layout) *
           sizeof *trial->halves;
}

static enum berth_status make_maps(struct mapped_trial *trial, struct berth_error *error)
{
    const double size[3] = {2 * trial->half[0], 2 * trial->half[1], 2 * trial->half[2]};
    enum berth_status status =
        berth_maps_create(trial->evaluator, size, &trial->grid, &trial->maps, error);
    if (status) {
        return status;
    }
    trial->layout = trial->maps->layout;
    trial->halves = berth_alloc(mapped_trial_map_bytes(trial), 1);
    if (!trial->halves) {
        return berth_out_of_memory(error, NULL);
    }
    memset(trial->halves, 0xFF, mapped_trial_map_bytes(trial));
    status = berth_buffer_write(trial->maps->halves, trial->halves, mapped_trial_map_bytes(trial),
                                error);
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
        {{0}, {2 * trial->half[0], 2 * trial->half[1], 2 * trial->half[2]}, false},
        trial->all.count ? &trial->all : NULL};
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
    return berth_buffer_read(trial->maps->halves, trial->halves, mapped_trial_map_bytes(trial),
                             error);
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
    free(trial->halves);
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

struct selftest_maps mapped_trial_maps(const struct mapped_trial *trial)
{
    return (struct selftest_maps){trial->test->setup->scoring, trial->layout, trial->halves,
                                  trial->maps->pieces ? &trial->maps->curves : NULL};
}

struct selftest_map_energy mapped_energy_at(const struct mapped_trial *trial,
                                            const struct selftest_ligand *ligand,
                                            const double *point)
{
    struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed = {room, ligand->heavy.count};
    const struct selftest_maps maps = mapped_trial_maps(trial);
    mapped_place(ligand, point, &placed);
    return selftest_energy_on_maps(&maps, ligand, &placed);
}

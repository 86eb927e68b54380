/* What the checks of maps and of the search on them share: a random system, and the oracle of its
 * energies, in double precision, from the numbers that the device has put into the maps. */
#ifndef TESTS_KERNEL_CHECKS_MAPPED_H
#define TESTS_KERNEL_CHECKS_MAPPED_H

#include "checks.h"
#include "engine/mapped.h"

enum { MAPPED_CONFORMERS = 6, MAPPED_POINT = 7 + BERTH_TORSIONS };

/* A random receptor, some random ligands, maps, and a search's buffers. */
struct mapped_trial {
    struct selftest *test;
    double half[3];    /* Å: half edges of the site */
    double reach;      /* Å: half edge of the cube that the receptor fills */
    size_t atoms;      /* of the receptor */
    size_t most_atoms; /* of a ligand */
    struct berth_map_settings grid;
    struct berth_heavy_atoms receptor;
    /* The first has an atom, the second two; beside the last but one stand bodies with a fixed
     * root, and the last is such bodies alone. */
    struct selftest_ligand ligands[MAPPED_CONFORMERS];
    struct berth_place places[SELFTEST_PLACES];
    struct berth_places all; /* these, where ligands are restrained */
    struct berth_evaluator *evaluator;
    struct berth_batch batch;
    struct berth_maps *maps;
    struct berth_device_grid layout;
    uint16_t *halves; /* owned; the maps as the device has them */
    struct berth_device_mapped settings;
    struct selftest_array constants, kept, best;
};

/* Makes the molecules, the evaluator, the batch, and maps that are poisoned. */
enum berth_status mapped_trial_make(struct mapped_trial *trial, struct berth_error *error);

/* Reads the maps back. */
enum berth_status mapped_trial_read_maps(struct mapped_trial *trial, struct berth_error *error);

/* Makes the search's buffers for trial->settings, with poisoned rows. */
enum berth_status mapped_trial_make_rows(struct mapped_trial *trial, struct berth_error *error);

/* Sends trial->settings. */
enum berth_status mapped_trial_set(struct mapped_trial *trial, struct berth_error *error);

void mapped_trial_clear(struct mapped_trial *trial);

/* Bytes of trial->halves. */
size_t mapped_trial_map_bytes(const struct mapped_trial *trial);

/* Row of pose `pose` of conformer c in an array of rows. */
float *mapped_row(const struct mapped_trial *trial, const struct selftest_array *rows, size_t c,
                  size_t pose);

/* The pose in a row, in double precision. */
void mapped_point(const float *row, size_t torsions, double point[MAPPED_POINT]);

/* Places the ligand's atoms; placed->atoms has room for them. */
void mapped_place(const struct selftest_ligand *ligand, const double *point,
                  struct berth_heavy_atoms *placed);

/* Mean square distance (Å²) between the atoms of the poses in two rows. */
double mapped_mean_square(const struct selftest_ligand *ligand, const float *a, const float *b);

/* The maps as they were read. */
struct selftest_maps mapped_trial_maps(const struct mapped_trial *trial);

/* The oracle's energy on them. */
struct selftest_map_energy mapped_energy_at(const struct mapped_trial *trial,
                                            const struct selftest_ligand *ligand,
                                            const double *point);

#endif

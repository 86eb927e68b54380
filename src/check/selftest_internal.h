/* What the files of the selftest share. */
#ifndef BERTH_CHECK_SELFTEST_INTERNAL_H
#define BERTH_CHECK_SELFTEST_INTERNAL_H

#include "device/program.h"
#include "check/reference.h"
#include "check/selftest.h"
#include "score/flexible.h"

struct selftest {
    const struct berth_selftest_setup *setup;
    struct berth_context *context;
    struct berth_program *program;
    struct berth_random random;
};

/* A check of one kernel: BERTH_OK; BERTH_E_RESULT with what differs; other errors where it cannot
 * be run. */
typedef enum berth_status selftest_check(struct selftest *test, struct berth_error *error);

selftest_check selftest_philox, selftest_pair_table, selftest_energy, selftest_energy_terms,
    selftest_energy_large, selftest_energy_terms_large, selftest_refine_large,
    selftest_generation_zero, selftest_evolve, selftest_metropolis, selftest_select_bins,
    selftest_select_merge, selftest_select_parents, selftest_refine, selftest_refine_begin,
    selftest_make_maps, selftest_mapped_generation, selftest_mapped_recombine,
    selftest_mapped_choose, selftest_find_starts, selftest_score_starts;

/* A buffer on both sides. */
struct selftest_array {
    struct berth_buffer *buffer;
    void *host; /* owned; size bytes, and a guard behind them */
    size_t size;
};

/* Makes an array whose every byte, on both sides, is poison.  The caller clears it. */
enum berth_status selftest_poisoned(struct selftest *test, size_t size,
                                    struct selftest_array *array, struct berth_error *error);

/* Sends the host's bytes to the device. */
enum berth_status selftest_upload(struct selftest_array *array, struct berth_error *error);

/* Fetches the device's bytes; BERTH_E_RESULT where the guard behind them was written to. */
enum berth_status selftest_download(struct selftest_array *array, struct berth_error *error);

void selftest_clear(struct selftest_array *array);

/* The setup's build options; for kernels for large ligands with tiles of some atoms, where the
 * ligands are small.  The caller frees *options.  Errors: BERTH_E_MEMORY. */
enum berth_status selftest_options(const struct selftest *test, bool small_tiles, char **options,
                                   struct berth_error *error);

/* Atoms of random types, uniform in a cube; the caller clears *heavy. */
enum berth_status selftest_atoms(struct selftest *test, size_t count, double half,
                                 struct berth_heavy_atoms *heavy, struct berth_error *error);

/* Random conformers for the kernels that do not look at atoms: keys and inertia. */
void selftest_conformers(struct selftest *test, size_t count,
                         struct berth_device_conformer *conformers);

/* Random poses: transforms[conformers][6][stride], rotations of any angle, translations up to
 * `half` Å. */
void selftest_poses(struct selftest *test, size_t conformers, size_t stride, double half,
                    float *transforms);

/* A ligand whose torsions turn, and what the kernels see of it. */
struct selftest_ligand {
    struct berth_heavy_atoms heavy; /* as packed */
    struct berth_flexible flexible;
    struct berth_packed_flexible words;
    struct berth_packed_conformer packed; /* borrows words */
};

/* A tree of atoms, all of whose inner bonds turn, of random types; the caller, who does not move
 * *ligand, clears it. */
enum berth_status selftest_ligand(struct selftest *test, size_t atoms, uint32_t number,
                                  struct selftest_ligand *ligand, struct berth_error *error);

/* Stands random bodies with a fixed root beside the ligand; one that is zeroed is they alone. */
enum berth_status selftest_bodies(struct selftest *test, struct selftest_ligand *ligand,
                                  struct berth_error *error);

void selftest_ligand_clear(struct selftest_ligand *ligand);

/* Atoms that distances between its poses are about: the first ones. */
size_t selftest_measured(const struct selftest_ligand *ligand);

/* Mean square shift (Å²) of a ligand's atoms by a unit of freedom k of a pose. */
double selftest_mass(const struct selftest_ligand *ligand, size_t k);

/* Random constants of a search. */
struct berth_device_search selftest_search(struct selftest *test, int poses, int parents);

#endif

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
    unsigned how; /* of the check that runs: see struct selftest_entry */
};

/* A check: BERTH_OK; BERTH_E_RESULT with what differs; other errors where it cannot be run. */
typedef enum berth_status selftest_check(struct selftest *test, struct berth_error *error);

selftest_check selftest_philox, selftest_pair_table, selftest_energy, selftest_maps,
    selftest_map_slopes, selftest_core_starts, selftest_map_search, selftest_starts,
    selftest_refinement, selftest_selection, selftest_evolution;

/* Of an energy, each of its terms; the kernels for large ligands; those with restraints; and with
 * cores that poses start on. */
enum {
    SELFTEST_TERMS = 1,
    SELFTEST_LARGE = 2,
    SELFTEST_RESTRAINED = 4,
    SELFTEST_HELD = 8,
    SELFTEST_HANGING = 16, /* from atoms that stay, as ligands do that are bonded to the receptor */
    SELFTEST_BODIES = 32,  /* side chains beside the ligands */
    SELFTEST_WIDE = 64     /* larger molecules, too */
};

/* A check, what it is called, and how it is to be done. */
struct selftest_entry {
    const char *name;
    selftest_check *check;
    unsigned how;
};

/* As berth_selftest_run, with these checks. */
enum berth_status selftest_run(const struct berth_selftest_setup *setup,
                               const struct selftest_entry *checks, size_t count, size_t *failed,
                               struct berth_error *error);

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

/* Random poses: transforms[conformers][6][stride], rotations of any angle, translations up to
 * `half` Å. */
void selftest_poses(struct selftest *test, size_t conformers, size_t stride, double half,
                    float *transforms);

/* A ligand whose torsions turn, and what the kernels see of it. */
struct selftest_ligand {
    struct berth_heavy_atoms heavy; /* as packed */
    struct berth_flexible flexible;
    struct berth_packed_flexible words;
    struct berth_packed_conformer packed; /* borrows words, restrained */
    const struct berth_places *places;    /* borrowed; NULL: nothing is restrained */
    struct berth_restrained restrained;
};

/* A tree of atoms, all of whose inner bonds turn, of random types; the caller, who does not move
 * *ligand, clears it. */
enum berth_status selftest_ligand(struct selftest *test, size_t atoms, uint32_t number,
                                  struct selftest_ligand *ligand, struct berth_error *error);

/* Stands random bodies with a fixed root beside the ligand; one that is zeroed is they alone. */
enum berth_status selftest_bodies(struct selftest *test, struct selftest_ligand *ligand,
                                  struct berth_error *error);

/* Random places in a cube, for restraints of all kinds. */
enum { SELFTEST_PLACES = 7 };
void selftest_places(struct selftest *test, double half,
                     struct berth_place places[SELFTEST_PLACES]);

/* Restrains a ligand, which does not move any more, to some of the places, which outlive it. */
enum berth_status selftest_restrain(struct selftest *test, const struct berth_places *places,
                                    struct selftest_ligand *ligand, struct berth_error *error);

/* Holds all atoms of a ligand, likewise, where either of two random poses has them, whose middles
 * lie in a cube: places[2][atoms], which are numbers `first` and so on of the target's. */
enum berth_status selftest_hold(struct selftest *test, double half, struct berth_place *places,
                                size_t first, struct selftest_ligand *ligand,
                                struct berth_error *error);

void selftest_ligand_clear(struct selftest_ligand *ligand);

/* Atoms that distances between its poses are about: the first ones. */
size_t selftest_measured(const struct selftest_ligand *ligand);

/* Mean square shift (Å²) of a ligand's atoms by a unit of freedom k of a pose. */
double selftest_mass(const struct selftest_ligand *ligand, size_t k);

/* Freedoms of a pose, at most. */
enum { SELFTEST_FREEDOMS = 6 + BERTH_TORSIONS };

/* Steps of the kernels' descents: kernels/descent.cl's first one, Å. */
#define SELFTEST_STEP_FIRST 0.4

/* The step from one pose to another in all freedoms; turns by A. Cayley's map, as the kernels take
 * them. */
void selftest_step_between(const struct berth_device_refined *from,
                           const struct berth_device_refined *to, double *step);

/* Moves placed heavy atoms in one freedom of a pose: along x, y and z; about these, through origin,
 * the placed centroid; about each torsion's axis. */
void selftest_displace(const struct selftest_ligand *ligand, const double origin[3], size_t freedom,
                       double by, struct berth_heavy_atoms *placed);

/* Maps as a device has them. */
struct selftest_maps {
    const struct berth_scoring *scoring; /* borrowed */
    struct berth_device_grid layout;
    const uint16_t *halves;            /* borrowed; [types][points][BERTH_MAP_HALVES] */
    const struct berth_curves *curves; /* borrowed; of pairs inside a ligand; NULL: exact */
};

/* The oracle's energy of a receptor with an atom of a type at a point of a map, bent as
 * kernels/maps.cl says. */
double selftest_map_point(const struct selftest_maps *maps,
                          const struct berth_heavy_atoms *receptor, int type, const double at[3]);

/* Numbers of a grid's map of one type. */
size_t selftest_map_numbers(const struct berth_device_grid *grid);

/* Compares point number n of a type's map with selftest_map_point, and what it has with it
 * with its neighbours.  Errors: BERTH_E_RESULT. */
enum berth_status selftest_compare_point(const struct selftest_maps *maps,
                                         const struct berth_heavy_atoms *receptor, int type,
                                         size_t n, struct berth_error *error);

/* An energy on maps, its parts beside the maps', the steepest slope of any pair inside the ligand,
 * and how wrong single precision may be about the energy. */
struct selftest_map_energy {
    double total, parts[BERTH_PART_COUNT], steepest, tolerance;
};

/* The energy of placed heavy atoms of the ligand from the numbers that stand in the maps. */
struct selftest_map_energy selftest_energy_on_maps(const struct selftest_maps *maps,
                                                   const struct selftest_ligand *ligand,
                                                   const struct berth_heavy_atoms *placed);

/* The energy of a ligand's atoms, so rotated about a centre, at the nearest points of maps, as
 * starts have it; NAN where one of them is so near the middle between two points that rounding
 * decides. */
double selftest_start_energy(const struct selftest_maps *maps, const struct selftest_ligand *ligand,
                             const double rotation[9], const double centre[3]);

/* What the energy of a ligand's pose is: that on maps, or (NULL) the exact one. */
struct selftest_system {
    const struct selftest_ligand *ligand;
    const struct berth_scoring *scoring;
    const struct berth_heavy_atoms *receptor;
    const struct selftest_maps *maps;
};

/* The oracle's energy of placed heavy atoms; exact, and its total. */
struct berth_flexible_energy selftest_exact_energy(const struct selftest_system *system,
                                                   const struct berth_heavy_atoms *placed);
double selftest_total(const struct selftest_system *system, const struct berth_heavy_atoms *placed);

/* Its gradient by differences, gradient[6 + torsions], freedoms as those of selftest_displace. */
void selftest_gradient(const struct selftest_system *system, const struct berth_heavy_atoms *placed,
                       const double origin[3], double *gradient);

/* Whether a first step went down the gradient.  Errors: BERTH_E_RESULT names
 * the freedom and the number-th conformer. */
enum berth_status selftest_compare_step(const struct selftest_ligand *ligand, size_t number,
                                        const double *gradient, const double *step,
                                        struct berth_error *error);

/* Of a pair inside a ligand the kernels of the search on maps follow no steeper slope than this:
 * kernels/inner.cl. */
#define SELFTEST_SLOPE_MOST 500.0

#endif

#include "check/deck.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "format/mol2/mol2.h"
#include "format/output.h"
#include "prep/standing.h"
#include "score/score_ref.h"

static const double PI = 3.14159265358979323846;

/* Poses of the demo's deck: as many as the oracle works out in a second. */
enum { DECK_POSES = 512 };

/* Å: about the ligand, as `berth dock --autobox_add` has it by default. */
static const double SITE_MARGIN = 4;

/* The folder of the demo data: `data`, else where `make install` or the sources have it beside the
 * program. */
static enum berth_status find_folder(const char *data, char folder[PATH_MAX],
                                     struct berth_error *error)
{
    static const char *const PLACES[] = {"../share/berth/demo", "../data/demo"};
    if (data) {
        snprintf(folder, PATH_MAX, "%s", data);
        return BERTH_OK;
    }
    char program[PATH_MAX], probe[PATH_MAX];
    enum berth_status status = berth_program_folder(program, error);
    for (size_t i = 0; !status && i < sizeof PLACES / sizeof *PLACES; i++) {
        status = berth_path_in(program, PLACES[i], folder, PATH_MAX, error);
        BERTH_THEN(berth_path_in(folder, "1hpv_receptor.mol2", probe, PATH_MAX, error));
        if (!status && access(probe, R_OK) == 0) {
            return BERTH_OK;
        }
    }
    return status ? status
                  : berth_fail_option(error, BERTH_E_IO, "data",
                                      "the demo data are neither in %s/%s nor in %s/%s: name their "
                                      "folder, or another deck",
                                      program, PLACES[0], program, PLACES[1]);
}

/* The box about the ligand at path. */
static enum berth_status read_site(const char *path, struct berth_site *site,
                                   struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    enum berth_status status = berth_posed_read(path, &molecule, error);
    if (!status && !berth_site_about(&molecule, SITE_MARGIN, false, site)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no heavy atoms to put a box about", path);
    }
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status berth_demo_read(const char *data, const struct berth_scoring_choice *scoring,
                                  const struct berth_log *log, struct berth_demo *demo,
                                  struct berth_error *error)
{
    memset(demo, 0, sizeof *demo);
    char folder[PATH_MAX], receptor[PATH_MAX], ligand[PATH_MAX];
    enum berth_status status = find_folder(data, folder, error);
    if (!status) {
        demo->folder = berth_copy_text(folder);
        status = demo->folder ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    BERTH_THEN(berth_path_in(folder, "1hpv_receptor.mol2", receptor, PATH_MAX, error));
    BERTH_THEN(berth_path_in(folder, "1hpv_ligand.mol2", ligand, PATH_MAX, error));
    BERTH_THEN(berth_typed_receptor_read(scoring, receptor, NULL, log, &demo->receptor, error));
    return status ? status : read_site(ligand, &demo->site, error);
}

void berth_demo_clear(struct berth_demo *demo)
{
    berth_typed_receptor_clear(&demo->receptor);
    free(demo->folder);
    memset(demo, 0, sizeof *demo);
}

float *berth_random_poses(const double size[3], size_t count)
{
    uint64_t state = 1;
    float *planes = berth_alloc(count, 6 * sizeof *planes);
    for (size_t i = 0; planes && i < count; i++) {
        planes[i] = (float)(2 * PI * berth_random_uniform(&state));
        planes[count + i] =
            (float)asin(2 * berth_random_uniform(&state) - 1); /* uniform over the sphere */
        planes[2 * count + i] = (float)(2 * PI * berth_random_uniform(&state));
        for (size_t k = 0; k < 3; k++) {
            planes[(3 + k) * count + i] = (float)((berth_random_uniform(&state) - 0.5) * size[k]);
        }
    }
    return planes;
}

/* Makes atoms relative to center. */
static void shift(struct berth_heavy_atoms *heavy, const double center[3])
{
    for (size_t i = 0; i < heavy->count; i++) {
        for (int k = 0; k < 3; k++) {
            heavy->atoms[i].position[k] -= center[k];
        }
    }
}

/* The oracle's energy of the deck's ligand in one pose, kJ/mol. */
static double energy_of(const struct berth_deck *deck, size_t pose,
                        struct berth_heavy_atoms *placed)
{
    static const double ORIGIN[3] = {0, 0, 0};
    const float *at = deck->poses + pose;
    const size_t count = deck->pose_count;
    const struct berth_transform transform = {at[0],         at[count],     at[2 * count],
                                              at[3 * count], at[4 * count], at[5 * count]};
    for (size_t i = 0; i < placed->count; i++) {
        berth_transform_apply(&transform, ORIGIN, deck->ligand.atoms[i].position,
                              placed->atoms[i].position);
    }
    const struct berth_terms terms = berth_score_ref(&deck->scoring, &deck->protein, placed);
    return berth_terms_sum(&terms);
}

/* Poses in a box with these edges, and their energies. */
static enum berth_status fill_poses(const double size[3], struct berth_deck *deck,
                                    struct berth_error *error)
{
    struct berth_heavy_atoms placed = {.count = deck->ligand.count};
    deck->poses = berth_random_poses(size, DECK_POSES);
    deck->pose_count = DECK_POSES;
    BERTH_TRY(deck->poses ? BERTH_OK : berth_out_of_memory(error, NULL));
    BERTH_TRY(berth_make(&deck->energies, DECK_POSES, sizeof *deck->energies, NULL, error));
    const enum berth_status status =
        berth_make(&placed.atoms, placed.count, sizeof *placed.atoms, NULL, error);
    if (!status) {
        memcpy(placed.atoms, deck->ligand.atoms, placed.count * sizeof *placed.atoms);
        while (deck->energy_count < deck->pose_count) {
            deck->energies[deck->energy_count] = energy_of(deck, deck->energy_count, &placed);
            deck->energy_count++;
        }
    }
    berth_heavy_atoms_clear(&placed);
    return status;
}

static enum berth_status read_ligand(const struct berth_demo *demo, struct berth_heavy_atoms *heavy,
                                     struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_molecule molecule = {0};
    enum berth_status status =
        berth_path_in(demo->folder, "1hpv_ligand.mol2", path, PATH_MAX, error);
    BERTH_THEN(berth_mol2_read_one(path, true, &molecule, error));
    if (!status && berth_scoring_assign(&demo->receptor.scoring, &molecule, NULL, heavy, error)) {
        status = berth_fail_in(error, path);
    }
    berth_molecule_clear(&molecule);
    return status;
}

enum berth_status berth_demo_deck(const char *data, const struct berth_scoring_choice *scoring,
                                  const struct berth_log *log, struct berth_deck *deck,
                                  struct berth_error *error)
{
    memset(deck, 0, sizeof *deck);
    struct berth_demo demo;
    enum berth_status status = berth_demo_read(data, scoring, log, &demo, error);
    BERTH_THEN(read_ligand(&demo, &deck->ligand, error));
    if (!status) {
        deck->scoring = demo.receptor.scoring; /* these two move to the deck */
        deck->protein = demo.receptor.heavy;
        memset(&demo.receptor.scoring, 0, sizeof demo.receptor.scoring);
        memset(&demo.receptor.heavy, 0, sizeof demo.receptor.heavy);
        shift(&deck->protein, demo.site.center); /* the ligand's centroid, too */
        shift(&deck->ligand, demo.site.center);
        status = fill_poses(demo.site.size, deck, error);
    }
    berth_demo_clear(&demo);
    if (status) {
        berth_deck_clear(deck);
    }
    return status;
}

/* The crystal pose: how a ligand begins that is not to lie as it does there, its energy, how near
 * to it the generated conformers are, and what they could reach in its place. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/reference.h"
#include "chem/conformers.h"
#include "chem/geometry.h"
#include "chem/overlay.h"
#include "chem/structure.h"
#include "chem/vectors.h"
#include "eval/redock/redock_internal.h"

/* --- How a ligand begins --- */

enum { TRIES = 200 }; /* of random torsions, until no two atoms clash */

static const double PI = 3.14159265358979323846;

/* Rotates the molecule about the origin, so that nothing of how it lies in the crystal is left: by
 * a uniformly random rotation (K. Shoemake, Graphics Gems III (1992) 124). */
static void rotate_molecule(struct berth_molecule *molecule, struct berth_random *random)
{
    const double u = berth_random_between(random, 0, 1);
    const double v = berth_random_between(random, 0, 2 * PI);
    const double w = berth_random_between(random, 0, 2 * PI);
    const double x = sqrt(1 - u) * sin(v), y = sqrt(1 - u) * cos(v);
    const double z = sqrt(u) * sin(w), s = sqrt(u) * cos(w);
    double rotation[9], center[3];
    berth_rotation_matrix((const double[]){x, y, z, s}, rotation);
    berth_heavy_centroid(molecule, center);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        double arm[3];
        berth_add_scaled(molecule->atoms[i].position, -1, center, arm);
        berth_rotate(rotation, arm, molecule->atoms[i].position);
    }
}

/* Gives every torsion a random angle; what it moves stays rigid. */
static void turn_all(const struct berth_torsion_tree *tree, struct berth_random *random,
                     double (*positions)[3])
{
    for (size_t t = 0; t < tree->count; t++) {
        berth_torsion_turn(tree, t, berth_random_between(random, 0, 2 * PI), positions,
                           sizeof *positions);
    }
}

static enum berth_status randomise(struct berth_molecule *molecule, struct berth_random *random,
                                   struct berth_error *error)
{
    struct berth_torsion_tree tree = {0};
    struct berth_clashes clashes = {0};
    double(*positions)[3];
    enum berth_status status =
        berth_make(&positions, molecule->atom_count, sizeof *positions, NULL, error);
    BERTH_THEN(berth_torsion_tree_find(molecule, &tree, error));
    BERTH_THEN(berth_clashes_find(molecule, &tree, &clashes, error));
    if (!status) {
        for (size_t i = 0; i < molecule->atom_count; i++) {
            memcpy(positions[i], molecule->atoms[i].position, sizeof *positions);
        }
        /* The first of some random shapes in which no atoms clash, else the one that clashes least.
         */
        double least = INFINITY;
        for (int try = 0; try < TRIES && least > 0; try++) {
            turn_all(&tree, random, positions);
            const double clash = berth_clash(&clashes, (const double(*)[3])positions);
            if (clash < least) {
                least = clash;
                for (size_t i = 0; i < molecule->atom_count; i++) {
                    memcpy(molecule->atoms[i].position, positions[i], sizeof *positions);
                }
            }
        }
    }
    berth_clashes_clear(&clashes);
    berth_torsion_tree_clear(&tree);
    free(positions);
    return status;
}

enum berth_status redock_start(enum berth_redock_mode mode, uint64_t seed,
                               struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_random random = {.seed = seed ^ berth_ligand_key(molecule->title)};
    enum berth_status status = BERTH_OK;
    if (mode != BERTH_REDOCK_GENERATED) {
        rotate_molecule(molecule, &random);
    }
    if (mode == BERTH_REDOCK_TORSIONS) {
        status = randomise(molecule, &random, error);
    }
    return status;
}

/* --- The crystal's place --- */

/* Moves the pose of the molecule (heavy atoms of the complex's ligand, placed) to a minimum of the
 * energy near by, as a rigid body. */
static enum berth_status minimise_pose(const struct redock_complex *complex,
                                       const struct berth_molecule *molecule,
                                       struct berth_heavy_atoms *pose,
                                       struct redock_energies *energies, struct berth_error *error)
{
    const struct berth_scoring *scoring = &complex->redock->run->typed->scoring;
    const struct berth_terms terms = berth_score_ref(scoring, &complex->receptor.heavy, pose);
    double torsional;
    energies->energy = berth_terms_sum(&terms);
    enum berth_status status = berth_flexible_standing(scoring, molecule, pose, &torsional, error);
    BERTH_THEN(
        berth_relax_rigid(scoring, &complex->receptor.heavy, pose, &energies->minimised, error));
    energies->energy += torsional;
    energies->minimised += torsional;
    return status;
}

enum berth_status redock_crystal(const struct redock_complex *complex,
                                 struct redock_energies *energies, struct berth_error *error)
{
    const struct berth_heavy_atoms *crystal = &complex->crystal_heavy;
    struct berth_heavy_atoms pose = {.count = crystal->count};
    BERTH_TRY(berth_make(&pose.atoms, pose.count, sizeof *pose.atoms, NULL, error));
    memcpy(pose.atoms, crystal->atoms, pose.count * sizeof *pose.atoms);
    const enum berth_status status =
        minimise_pose(complex, &complex->crystal, &pose, energies, error);
    berth_heavy_atoms_clear(&pose);
    return status;
}

/* The crystal's heavy atoms and how the ligand's match them. */
struct placing {
    const struct redock_complex *complex;
    struct berth_matches matches; /* of the ligand with the crystal's molecule */
    double (*crystal)[3];         /* owned; [heavy_count] */
    double (*conformer)[3];       /* owned; [heavy_count]: the conformer at hand */
};

static enum berth_status begin_placing(struct placing *placing, struct berth_error *error)
{
    const struct redock_complex *complex = placing->complex;
    const size_t count = complex->crystal_heavy.count;
    BERTH_TRY(berth_heavy_positions(&complex->crystal_heavy, &placing->crystal, error));
    BERTH_TRY(berth_make(&placing->conformer, count, sizeof *placing->conformer, NULL, error));
    return berth_matches_find(&complex->ligand.ligand.conformers[0], &complex->crystal,
                              &placing->matches, error);
}

static void end_placing(struct placing *placing)
{
    berth_matches_clear(&placing->matches);
    free(placing->crystal);
    free(placing->conformer);
}

/* Lays conformer number c onto the crystal pose: placing->conformer holds where it comes to lie. */
static enum berth_status lay_conformer(struct placing *placing, size_t c, double *rmsd,
                                       struct berth_error *error)
{
    const struct berth_molecule *molecule = &placing->complex->ligand.ligand.conformers[c];
    struct berth_overlay overlay;
    size_t count = 0;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            memcpy(placing->conformer[count++], molecule->atoms[i].position,
                   sizeof *placing->conformer);
        }
    }
    enum berth_status status =
        berth_overlay_find(&placing->matches, (const double(*)[3])placing->conformer,
                           (const double(*)[3])placing->crystal, &overlay, error);
    for (size_t i = 0; !status && i < count; i++) {
        berth_overlay_apply(&overlay, placing->conformer[i]);
    }
    *rmsd = overlay.rmsd;
    return status;
}

/* Minimises conformer number c where it was laid; placing->conformer follows. */
static enum berth_status minimise(struct placing *placing, size_t c,
                                  struct redock_energies *energies, struct berth_error *error)
{
    const struct redock_complex *complex = placing->complex;
    struct berth_heavy_atoms heavy = {0};
    enum berth_status status =
        berth_scoring_assign(&placing->complex->redock->run->typed->scoring,
                             &complex->ligand.ligand.conformers[c], NULL, &heavy, error);
    for (size_t i = 0; !status && i < heavy.count; i++) {
        memcpy(heavy.atoms[i].position, placing->conformer[i], sizeof *placing->conformer);
    }
    BERTH_THEN(
        minimise_pose(complex, &complex->ligand.ligand.conformers[c], &heavy, energies, error));
    for (size_t i = 0; !status && i < heavy.count; i++) {
        memcpy(placing->conformer[i], heavy.atoms[i].position, sizeof *placing->conformer);
    }
    berth_heavy_atoms_clear(&heavy);
    return status;
}

/* Lowers *energy to what conformer number c, which was laid, reaches, where that is lower and it
 * stays right. */
static enum berth_status try_place(struct placing *placing, size_t c, double *energy,
                                   struct berth_error *error)
{
    struct redock_energies energies;
    BERTH_TRY(minimise(placing, c, &energies, error));
    if (berth_rmsd(&placing->matches, (const double(*)[3])placing->conformer,
                   (const double(*)[3])placing->crystal) < BERTH_REDOCK_NEAR) {
        *energy = fmin(*energy, energies.minimised);
    }
    return BERTH_OK;
}

enum berth_status redock_lay(const struct redock_complex *complex, double *rmsd,
                             struct redock_energies *energies, double *placed,
                             struct berth_error *error)
{
    struct placing placing = {.complex = complex};
    enum berth_status status = begin_placing(&placing, error);
    size_t nearest = 0;
    *rmsd = INFINITY;
    for (size_t c = 0; !status && c < complex->ligand.ligand.conformer_count; c++) {
        double left;
        status = lay_conformer(&placing, c, &left, error);
        if (!status && left < *rmsd) {
            *rmsd = left;
            nearest = c;
        }
        if (!status && placed && left < BERTH_REDOCK_NEAR) {
            status = try_place(&placing, c, placed, error);
        }
        BERTH_THEN(berth_check_stop(complex->redock->run->options.stop, error));
    }
    BERTH_THEN(lay_conformer(&placing, nearest, &(double){0}, error));
    BERTH_THEN(minimise(&placing, nearest, energies, error));
    end_placing(&placing);
    return status;
}

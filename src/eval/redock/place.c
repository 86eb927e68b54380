/* The crystal's place: the energy of the crystal pose, how near to it the generated conformers are,
 * and what they could reach there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/overlay.h"
#include "eval/relax.h"
#include "eval/redock/redock_internal.h"

/* Moves the pose of the molecule (heavy atoms of the complex's ligand, placed) to a minimum of the
 * energy near by, as a rigid body. */
static enum berth_status minimise_pose(const struct redock_complex *complex,
                                       const struct berth_molecule *molecule,
                                       struct berth_heavy_atoms *pose,
                                       struct redock_energies *energies, struct berth_error *error)
{
    const struct berth_scoring *scoring = complex->redock->means.scoring;
    const struct berth_terms terms = berth_score_ref(scoring, &complex->receptor_heavy, pose);
    double torsional;
    energies->energy = berth_terms_sum(&terms);
    enum berth_status status = berth_flexible_standing(scoring, molecule, pose, &torsional, error);
    if (!status) {
        status =
            berth_relax_rigid(scoring, &complex->receptor_heavy, pose, &energies->minimised, error);
    }
    energies->energy += torsional;
    energies->minimised += torsional;
    return status;
}

enum berth_status redock_crystal(const struct redock_complex *complex,
                                 struct redock_energies *energies, struct berth_error *error)
{
    const struct berth_heavy_atoms *crystal = &complex->crystal_heavy;
    struct berth_heavy_atoms pose = {berth_alloc(crystal->count, sizeof *pose.atoms),
                                     crystal->count};
    if (!pose.atoms) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", crystal->count);
    }
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

static enum berth_status check(const struct redock_complex *complex, struct berth_error *error)
{
    return complex->redock->means.check ? complex->redock->means.check(error) : BERTH_OK;
}

static enum berth_status begin(struct placing *placing, struct berth_error *error)
{
    const struct redock_complex *complex = placing->complex;
    const size_t count = complex->crystal_heavy.count;
    placing->crystal = berth_alloc(count, sizeof *placing->crystal);
    placing->conformer = berth_alloc(count, sizeof *placing->conformer);
    if (!placing->crystal || !placing->conformer) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", count);
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(placing->crystal[i], complex->crystal_heavy.atoms[i].position,
               sizeof *placing->crystal);
    }
    return berth_matches_find(&complex->ligand.ligand.conformers[0], &complex->crystal,
                              &placing->matches, error);
}

static void end(struct placing *placing)
{
    berth_matches_clear(&placing->matches);
    free(placing->crystal);
    free(placing->conformer);
}

/* Lays conformer number c onto the crystal pose: placing->conformer holds where it comes to lie. */
static enum berth_status lay(struct placing *placing, size_t c, double *rmsd,
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
        berth_scoring_assign(placing->complex->redock->means.scoring,
                             &complex->ligand.ligand.conformers[c], NULL, &heavy, error);
    for (size_t i = 0; !status && i < heavy.count; i++) {
        memcpy(heavy.atoms[i].position, placing->conformer[i], sizeof *placing->conformer);
    }
    if (!status) {
        status =
            minimise_pose(complex, &complex->ligand.ligand.conformers[c], &heavy, energies, error);
    }
    for (size_t i = 0; !status && i < heavy.count; i++) {
        memcpy(placing->conformer[i], heavy.atoms[i].position, sizeof *placing->conformer);
    }
    berth_heavy_atoms_clear(&heavy);
    return status;
}

/* Lowers *energy to what conformer number c reaches, where that is lower and it stays right. */
static enum berth_status try_place(struct placing *placing, size_t c, double *energy,
                                   struct berth_error *error)
{
    struct redock_energies energies;
    enum berth_status status = minimise(placing, c, &energies, error);
    if (!status && berth_rmsd(&placing->matches, (const double(*)[3])placing->conformer,
                              (const double(*)[3])placing->crystal) < BERTH_REDOCK_NEAR) {
        *energy = fmin(*energy, energies.minimised);
    }
    return status;
}

enum berth_status redock_place(const struct redock_complex *complex, double *energy,
                               struct berth_error *error)
{
    struct placing placing = {.complex = complex};
    enum berth_status status = begin(&placing, error);
    *energy = INFINITY;
    for (size_t c = 0; !status && c < complex->ligand.ligand.conformer_count; c++) {
        double rmsd;
        status = lay(&placing, c, &rmsd, error);
        if (!status && rmsd < BERTH_REDOCK_NEAR) {
            status = try_place(&placing, c, energy, error);
        }
        BERTH_THEN(check(complex, error));
    }
    end(&placing);
    return status;
}

enum berth_status redock_find_nearest(const struct redock_complex *complex,
                                      struct redock_nearest *nearest, struct berth_error *error)
{
    struct placing placing = {.complex = complex};
    enum berth_status status = begin(&placing, error);
    double rmsd;
    *nearest = (struct redock_nearest){.rmsd = INFINITY};
    for (size_t c = 0; !status && c < complex->ligand.ligand.conformer_count; c++) {
        status = lay(&placing, c, &rmsd, error);
        if (!status && rmsd < nearest->rmsd) {
            nearest->rmsd = rmsd;
            nearest->conformer = c;
        }
        BERTH_THEN(check(complex, error));
    }
    if (!status) {
        status = lay(&placing, nearest->conformer, &rmsd, error);
        BERTH_THEN(minimise(&placing, nearest->conformer, &nearest->energies, error));
    }
    end(&placing);
    return status;
}

/* The crystal's place: the energy of the crystal pose, how near to it the generated conformers are,
 * and what they could reach there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/eval.h"
#include "chem/overlay.h"
#include "prep/relax.h"

enum berth_status eval_minimise(const struct eval_complex *complex,
                                const struct berth_forcefield *forcefield,
                                struct berth_heavy_atoms *pose, struct eval_given *given,
                                struct berth_error *error)
{
    const struct berth_terms terms = berth_score_ref(forcefield, &complex->receptor_heavy, pose);
    given->energy = terms.steric + terms.electrostatic + terms.desolvation;
    return berth_relax_rigid(forcefield, &complex->receptor_heavy, pose, &given->minimised, error);
}

enum berth_status eval_crystal(const struct eval_complex *complex,
                               const struct berth_forcefield *forcefield, struct eval_given *given,
                               struct berth_error *error)
{
    const struct berth_heavy_atoms *crystal = &complex->crystal_heavy;
    struct berth_heavy_atoms pose = {berth_alloc(crystal->count, sizeof *pose.atoms),
                                     crystal->count};
    if (!pose.atoms) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", crystal->count);
    }
    memcpy(pose.atoms, crystal->atoms, pose.count * sizeof *pose.atoms);
    const enum berth_status status = eval_minimise(complex, forcefield, &pose, given, error);
    berth_heavy_atoms_clear(&pose);
    return status;
}

/* The crystal's heavy atoms and how the ligand's match them. */
struct placing {
    const struct eval_complex *complex;
    const struct berth_forcefield *forcefield;
    struct berth_matches matches; /* of the ligand with the crystal's molecule */
    double (*crystal)[3];         /* owned; [heavy_count] */
    double (*conformer)[3];       /* owned; [heavy_count]: the conformer at hand */
};

static enum berth_status begin(struct placing *placing, struct berth_error *error)
{
    const struct eval_complex *complex = placing->complex;
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
static enum berth_status minimise(struct placing *placing, size_t c, struct eval_given *given,
                                  struct berth_error *error)
{
    const struct eval_complex *complex = placing->complex;
    struct berth_heavy_atoms heavy = {0};
    enum berth_status status = berth_forcefield_assign(
        placing->forcefield, &complex->ligand.ligand.conformers[c], NULL, &heavy, error);
    for (size_t i = 0; !status && i < heavy.count; i++) {
        memcpy(heavy.atoms[i].position, placing->conformer[i], sizeof *placing->conformer);
    }
    if (!status) {
        status = eval_minimise(complex, placing->forcefield, &heavy, given, error);
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
    struct eval_given given;
    enum berth_status status = minimise(placing, c, &given, error);
    if (!status && berth_rmsd(&placing->matches, (const double(*)[3])placing->conformer,
                              (const double(*)[3])placing->crystal) < BERTH_REDOCK_NEAR) {
        *energy = fmin(*energy, given.minimised);
    }
    return status;
}

enum berth_status eval_place(const struct eval_complex *complex,
                             const struct berth_forcefield *forcefield, double *energy,
                             struct berth_error *error)
{
    struct placing placing = {.complex = complex, .forcefield = forcefield};
    enum berth_status status = begin(&placing, error);
    *energy = INFINITY;
    for (size_t c = 0; !status && c < complex->ligand.ligand.conformer_count; c++) {
        double rmsd;
        status = lay(&placing, c, &rmsd, error);
        if (!status && rmsd < BERTH_REDOCK_NEAR) {
            status = try_place(&placing, c, energy, error);
        }
        if (!status) {
            status = cli_check_signals(error);
        }
    }
    end(&placing);
    return status;
}

enum berth_status eval_find_nearest(const struct eval_complex *complex,
                                    const struct berth_forcefield *forcefield,
                                    struct eval_nearest *nearest, struct berth_error *error)
{
    struct placing placing = {.complex = complex, .forcefield = forcefield};
    enum berth_status status = begin(&placing, error);
    double rmsd;
    *nearest = (struct eval_nearest){.rmsd = INFINITY};
    for (size_t c = 0; !status && c < complex->ligand.ligand.conformer_count; c++) {
        status = lay(&placing, c, &rmsd, error);
        if (!status && rmsd < nearest->rmsd) {
            nearest->rmsd = rmsd;
            nearest->conformer = c;
        }
        if (!status) {
            status = cli_check_signals(error);
        }
    }
    if (!status && forcefield) {
        status = lay(&placing, nearest->conformer, &rmsd, error);
        if (!status) {
            status = minimise(&placing, nearest->conformer, &nearest->given, error);
        }
    }
    end(&placing);
    return status;
}

#include "dock/relax/relaxed_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "chem/twist.h"
#include "dock/ranker.h"
#include "dock/placed.h"

/* Where a mode comes to. */
struct relaxed {
    double (*positions)[3]; /* owned: of all atoms */
    double strain;          /* kJ/mol */
};

/* What a ligand's modes are relaxed with. */
struct work {
    const struct berth_docked *docked;
    const struct berth_mode_settings *settings;
    struct berth_matches to_reference;
    double (*reference)[3]; /* owned; the reference's heavy atoms; NULL: none */
};

void berth_mode_relaxer_receive(struct berth_mode_relaxer *mode_relaxer,
                                const struct berth_typed_receptor *const *receptors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mode_relaxer->receptors[i][0] = &receptors[i]->heavy;
        for (size_t k = 0; k < receptors[i]->judge_count; k++) {
            mode_relaxer->receptors[i][k + 1] = &receptors[i]->judges[k].heavy;
        }
    }
}

/* Copies positions to a molecule's atoms, or back. */
static void move(struct berth_molecule *molecule, double (*positions)[3], bool back)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        double *here = molecule->atoms[i].position;
        memcpy(back ? positions[i] : here, back ? here : positions[i], sizeof positions[i]);
    }
}

/* Relaxes the mode, which stays. */
static enum berth_status relax(const struct work *work, const struct berth_pose *mode,
                               struct relaxed *relaxed, struct berth_error *error)
{
    const struct berth_mode_relaxer *mode_relaxer = work->settings->mode_relaxer;
    const struct berth_packed_conformer *packed = &work->docked->conformers[mode->conformer];
    struct berth_molecule molecule = work->docked->ligand->conformers[mode->conformer];
    const struct berth_atom *atoms = molecule.atoms;
    struct berth_heavy_atoms heavy = {0};
    BERTH_TRY(berth_make(&molecule.atoms, molecule.atom_count, sizeof *atoms, NULL, error));
    memcpy(molecule.atoms, atoms, molecule.atom_count * sizeof *atoms);
    move(&molecule, mode->positions, false);
    enum berth_status status = berth_make(&heavy.atoms, (size_t)packed->device.atom_count,
                                          sizeof *heavy.atoms, NULL, error);
    for (size_t i = 0; !status && i < molecule.atom_count; i++) {
        if (molecule.atoms[i].heavy) {
            struct berth_heavy_atom *atom = &heavy.atoms[heavy.count];
            memcpy(atom->position, molecule.atoms[i].position, sizeof atom->position);
            atom->type = packed->atoms[heavy.count++].type;
        }
    }
    BERTH_THEN(berth_relax(mode_relaxer->relaxer, mode_relaxer->receptors[mode->receptor][0],
                           &molecule, &heavy, &relaxed->strain, error));
    BERTH_THEN(berth_make(&relaxed->positions, molecule.atom_count, sizeof *relaxed->positions,
                          NULL, error));
    if (!status) {
        move(&molecule, relaxed->positions, true);
    }
    berth_heavy_atoms_clear(&heavy);
    free(molecule.atoms);
    return status;
}

/* The mode's energies, where its heavy atoms are now: unpacked is as it was docked, still. */
static void judge(const struct work *work, struct berth_placed *unpacked, const double (*heavy)[3],
                  struct berth_pose *mode)
{
    const struct berth_ranker *ranker = work->settings->ranker;
    const struct berth_packed_conformer *packed = &work->docked->conformers[mode->conformer];
    const struct berth_heavy_atoms *const *receptor =
        work->settings->mode_relaxer->receptors[mode->receptor];
    struct berth_heavy_atoms *placed = &unpacked->placed;
    const struct berth_flexible_system system = {
        work->settings->scoring, receptor[0], &unpacked->flexible, &unpacked->given, NULL, NULL};
    const bool turns = unpacked->flexible.far != NULL;
    const double before =
        turns ? berth_flexible_energy(&system, placed).parts[BERTH_PART_INTRA] : 0;
    for (size_t i = 0; i < placed->count; i++) {
        memcpy(placed->atoms[i].position, heavy[i], sizeof placed->atoms[i].position);
    }
    const struct berth_flexible_energy energy =
        turns ? berth_flexible_energy(&system, placed)
              : (struct berth_flexible_energy){
                    .terms = berth_score_ref(work->settings->scoring, receptor[0], placed)};
    mode->terms = energy.terms;
    if (!turns && packed->torsional_term) {
        mode->terms.values[packed->torsional_term] = packed->torsional;
    }
    mode->parts[BERTH_PART_INTRA] += energy.parts[BERTH_PART_INTRA] - before;
    mode->energy = mode->scores[0] = berth_pose_energy(mode);
    for (size_t k = 1; ranker && k < ranker->names.count; k++) {
        if (isnan(mode->scores[k])) {
            continue; /* the ligand has no types of it */
        }
        for (size_t i = 0; i < placed->count; i++) {
            placed->atoms[i].type = packed->judged[(k - 1) * placed->count + i];
        }
        const struct berth_terms terms = berth_score_ref(ranker->functions[k], receptor[k], placed);
        mode->scores[k] = berth_terms_sum(&terms);
    }
}

/* What the mode's twist and its price in the strain are where it came to. */
static enum berth_status twist(const struct work *work, struct berth_pose *mode,
                               struct berth_error *error)
{
    const struct berth_molecule *molecule = &work->docked->ligand->conformers[mode->conformer];
    const char *unit = work->settings->scoring->unit;
    struct berth_flat_bonds flat = {0};
    if (isnan(mode->twist)) {
        return BERTH_OK;
    }
    const double before = berth_twist_price((double)mode->twist, unit);
    const enum berth_status status = berth_flat_bonds_find(molecule, &flat, error);
    if (!status) {
        mode->twist =
            (float)berth_largest_twist(&flat, molecule, (const double(*)[3])mode->positions);
        mode->parts[BERTH_PART_INTRA] += berth_twist_price((double)mode->twist, unit) - before;
    }
    berth_flat_bonds_clear(&flat);
    return status;
}

/* Puts the mode where it came to. */
static enum berth_status apply(const struct work *work, struct relaxed *relaxed,
                               struct berth_pose *mode, struct berth_error *error)
{
    const struct berth_packed_conformer *packed = &work->docked->conformers[mode->conformer];
    const struct berth_receptor_shape *const *shapes = work->settings->shapes;
    double(*heavy)[3] = berth_pose_heavy(&work->docked->ligand->conformers[mode->conformer],
                                         (const double(*)[3])relaxed->positions);
    struct berth_placed unpacked = {0};
    enum berth_status status = heavy ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(berth_unpack(packed, &unpacked, error));
    if (!status) {
        free(mode->positions);
        mode->positions = relaxed->positions;
        relaxed->positions = NULL;
        mode->conformer_strain = relaxed->strain;
        berth_placed_place(&unpacked, mode, work->settings->center);
        judge(work, &unpacked, (const double(*)[3])heavy, mode);
        if (work->reference && mode->rmsd >= 0) {
            mode->rmsd = berth_rmsd(&work->to_reference, (const double(*)[3])heavy,
                                    (const double(*)[3])work->reference);
        }
        for (size_t i = 0; shapes && i < unpacked.placed.count; i++) { /* its types again */
            unpacked.placed.atoms[i].type = packed->atoms[i].type;
        }
        status = twist(work, mode, error);
        mode->clash = shapes ? berth_clash_of_placed(shapes[mode->receptor], &unpacked) : NAN;
        if (shapes && work->settings->ranker && work->settings->ranker->names.binding) {
            berth_metal_of_placed(shapes[mode->receptor], &unpacked, mode->metal);
        }
    }
    berth_placed_clear(&unpacked);
    free(heavy);
    return status;
}

/* What modes are ranked by, with what is inside the best of them where it is subtracted. */
static void value(const struct berth_mode_settings *settings, double unbound,
                  struct berth_modes *modes)
{
    for (size_t i = 0; i < modes->count; i++) {
        struct berth_pose *mode = &modes->modes[i];
        struct berth_pose_energies energies = {
            .energy = mode->energy,
            .torsional = berth_scoring_torsional(settings->scoring, &mode->terms),
            .unbound = unbound,
            .rotors = mode->rotors};
        for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
            energies.parts[k] = isnan(mode->parts[k]) ? 0 : mode->parts[k];
        }
        mode->value = berth_scoring_total(settings->scoring, &energies) +
                      settings->choice.strain_weight * mode->conformer_strain;
    }
    berth_modes_sort(modes);
}

static enum berth_status apply_all(struct work *work, struct relaxed *relaxed,
                                   struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_molecule *reference = work->settings->reference;
    enum berth_status status = BERTH_OK;
    bool measured = false;
    for (size_t i = 0; i < modes->count; i++) {
        measured = measured || modes->modes[i].rmsd >= 0;
    }
    if (reference && measured) {
        work->reference = berth_pose_heavy(reference, NULL);
        status = work->reference ? berth_matches_find(&work->docked->ligand->conformers[0],
                                                      reference, &work->to_reference, error)
                                 : berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; !status && i < modes->count; i++) {
        status = apply(work, &relaxed[i], &modes->modes[i], error);
    }
    if (!status) {
        value(work->settings, 0, modes);
        const double inside = modes->modes[0].parts[BERTH_PART_INTRA];
        value(work->settings, isnan(inside) ? 0 : inside, modes);
    }
    berth_matches_clear(&work->to_reference);
    free(work->reference);
    return status;
}

enum berth_status berth_modes_relax(const struct berth_docked *docked,
                                    const struct berth_mode_settings *settings,
                                    struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_mode_relaxer *mode_relaxer = settings->mode_relaxer;
    struct work work = {.docked = docked, .settings = settings};
    struct relaxed *relaxed;
    BERTH_TRY(berth_make(&relaxed, modes->count, sizeof *relaxed, NULL, error));
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < modes->count; i++) {
        status = relax(&work, &modes->modes[i], &relaxed[i], error);
    }
    if (status == BERTH_E_FORMAT) {
        berth_warn(mode_relaxer->log, "relax", "%s; its poses are left as they were docked",
                   error->message);
        status = BERTH_OK;
    } else if (!status) {
        status = apply_all(&work, relaxed, modes, error);
    }
    for (size_t i = 0; i < modes->count; i++) {
        free(relaxed[i].positions);
    }
    free(relaxed);
    return status;
}

/* Of heavy atoms, Å. */
struct places {
    double (*at)[3]; /* owned */
};

enum berth_status berth_modes_thin(const struct berth_docked *docked,
                                   const struct berth_mode_choice *choice,
                                   struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_molecule *first = &docked->ligand->conformers[0];
    struct berth_matches symmetry;
    struct places *picked;
    size_t kept = 0, in[BERTH_RECEPTORS_MAX] = {0};
    BERTH_TRY(berth_make(&picked, modes->count, sizeof *picked, NULL, error));
    enum berth_status status = berth_matches_find(first, first, &symmetry, error);
    for (size_t i = 0; !status && i < modes->count; i++) {
        struct berth_pose *mode = &modes->modes[i];
        double(*heavy)[3] = berth_pose_heavy(first, (const double(*)[3])mode->positions);
        const bool counts = in[mode->receptor] < choice->num_modes;
        bool is_new = counts;
        for (size_t k = 0; heavy && is_new && k < kept; k++) {
            is_new = modes->modes[k].receptor != mode->receptor ||
                     berth_rmsd(&symmetry, (const double(*)[3])heavy,
                                (const double(*)[3])picked[k].at) >= choice->min_rmsd;
        }
        status = heavy ? BERTH_OK : berth_out_of_memory(error, NULL);
        if (heavy && is_new) {
            in[mode->receptor]++;
            picked[kept].at = heavy;
            const struct berth_pose one = *mode;
            mode->positions = NULL;
            modes->modes[kept++] = one;
        } else {
            modes->near += heavy && counts;
            free(heavy);
            free(mode->positions);
            mode->positions = NULL;
        }
    }
    modes->count = status ? modes->count : kept;
    for (size_t k = 0; k < kept; k++) {
        free(picked[k].at);
    }
    free(picked);
    berth_matches_clear(&symmetry);
    return status;
}

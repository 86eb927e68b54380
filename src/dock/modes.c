#include "dock/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int by_value(const void *left, const void *right)
{
    const struct berth_mode_candidate *a = left, *b = right;
    if (a->value != b->value) {
        return a->value < b->value ? -1 : 1;
    }
    return a->rank < b->rank ? -1 : 1;
}

bool berth_strains_known(const double *strains, size_t count)
{
    for (size_t i = 0; strains && i < count; i++) {
        if (!isfinite(strains[i])) {
            return false;
        }
    }
    return strains != NULL;
}

/* The least of what strains are relative to, kJ/mol: strains of several conformers can be compared
 * where they are relative to one energy. */
static double least_conformer_energy(const struct berth_docked *docked, size_t conformers)
{
    double least = INFINITY;
    for (size_t c = 0; docked->conformer_energy && c < conformers; c++) {
        least = fmin(least, docked->conformer_energy[c]);
    }
    return least;
}

/* Candidates by what they are ranked by; unbound: see struct berth_pose_energies. */
static void rank(struct berth_mode_candidate *candidates, size_t count,
                 const struct berth_docked *docked, const struct berth_mode_settings *settings,
                 double unbound)
{
    const struct berth_scoring *scoring = settings->scoring;
    for (size_t i = 0; i < count; i++) {
        struct berth_mode_candidate *candidate = &candidates[i];
        const struct berth_terms terms = berth_pose_terms(candidate->pose);
        const struct berth_pose_energies energies = {
            .energy = berth_pose_energy(candidate->pose),
            .torsional = berth_scoring_torsional(scoring, &terms),
            .intra = candidate->strain,
            .unbound = unbound,
            .rotors = docked->conformers[candidate->conformer].rotors};
        candidate->value = berth_scoring_total(scoring, &energies) + candidate->extra;
    }
    qsort(candidates, count, sizeof *candidates, by_value);
}

static struct berth_mode_candidate *list_candidates(size_t conformers,
                                                    const struct berth_docked *docked,
                                                    const struct berth_mode_settings *settings,
                                                    size_t *count)
{
    const bool weighted =
        settings->strain_weight != 0 && berth_strains_known(settings->strains, conformers);
    const double least = least_conformer_energy(docked, conformers);
    *count = 0;
    struct berth_mode_candidate *list = berth_alloc(conformers * docked->stride, sizeof *list);
    for (size_t c = 0; list && c < conformers; c++) {
        const double extra = weighted ? settings->strain_weight * settings->strains[c] : 0;
        for (size_t i = 0; i < docked->counts[c]; i++) {
            const size_t at = c * docked->stride + i;
            const struct berth_pose *pose = &docked->poses[at];
            const float *angles = docked->angles && docked->tree && docked->tree->count
                                      ? docked->angles + at * BERTH_TORSIONS
                                      : NULL;
            const double strain = angles ? pose->strain + docked->conformer_energy[c] - least : 0;
            list[*count] = (struct berth_mode_candidate){.conformer = c,
                                                         .pose = pose,
                                                         .angles = angles,
                                                         .strain = strain,
                                                         .extra = extra,
                                                         .rank = *count};
            (*count)++;
        }
    }
    if (list && *count) {
        rank(list, *count, docked, settings, 0);
        rank(list, *count, docked, settings, list->strain);
    }
    return list;
}

enum berth_status berth_modes_first(size_t conformers, const struct berth_docked *docked,
                                    const struct berth_mode_settings *settings,
                                    struct berth_mode_candidate *first, struct berth_error *error)
{
    size_t count = 0;
    struct berth_mode_candidate *candidates = list_candidates(conformers, docked, settings, &count);
    if (!candidates || !count) {
        free(candidates);
        return berth_out_of_memory(error, NULL);
    }
    *first = candidates[0];
    free(candidates);
    return BERTH_OK;
}

double (*berth_pose_place(const struct berth_molecule *molecule,
                          const struct berth_placed_pose *pose))[3]
{
    double(*positions)[3] = berth_alloc(molecule->atom_count, sizeof *positions);
    double angles[BERTH_TORSIONS];
    for (size_t t = 0; pose->angles && t < BERTH_TORSIONS; t++) {
        angles[t] = pose->angles[t];
    }
    if (positions && pose->angles) {
        berth_flexible_place_molecule(molecule, pose->tree, pose->transform, angles, positions);
    }
    for (size_t i = 0; positions && i < molecule->atom_count; i++) {
        if (!pose->angles) {
            berth_transform_apply(pose->transform, pose->centroid, molecule->atoms[i].position,
                                  positions[i]);
        }
        for (int k = 0; k < 3; k++) {
            positions[i][k] += pose->center[k];
        }
    }
    return positions;
}

/* The heavy atoms' positions, from all atoms' (positions NULL: the molecule's own). */
static double (*heavy_positions(const struct berth_molecule *molecule,
                                const double (*positions)[3]))[3]
{
    double(*heavy)[3] = berth_alloc(berth_heavy_count(molecule), sizeof *heavy);
    size_t count = 0;
    for (size_t i = 0; heavy && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            const double *from = positions ? positions[i] : molecule->atoms[i].position;
            memcpy(heavy[count++], from, sizeof *heavy);
        }
    }
    return heavy;
}

/* What picking modes works with. */
struct picking {
    const struct berth_ligand *ligand;
    const struct berth_docked *docked;
    const struct berth_mode_settings *settings;
    struct berth_matches symmetry;     /* of the ligand with itself */
    struct berth_matches to_reference; /* of the ligand with the reference */
    double (*reference)[3];            /* owned; the reference's heavy atoms; NULL: none */
    double (**picked)[3];              /* owned, as its elements; heavy atoms of the modes so far */
};

static enum berth_status prepare(struct picking *picking, struct berth_error *error)
{
    const struct berth_molecule *first = &picking->ligand->conformers[0];
    const struct berth_molecule *reference = picking->settings->reference;
    enum berth_status status = berth_matches_find(first, first, &picking->symmetry, error);
    if (!status && reference) {
        status = berth_matches_find(first, reference, &picking->to_reference, error);
    }
    if (status) {
        return status;
    }
    picking->picked = berth_alloc(picking->settings->count, sizeof *picking->picked);
    picking->reference = reference ? heavy_positions(reference, NULL) : NULL;
    if (!picking->picked || (reference && !picking->reference)) {
        return berth_out_of_memory(error, NULL);
    }
    return BERTH_OK;
}

static void finish(struct picking *picking)
{
    for (size_t i = 0; picking->picked && i < picking->settings->count; i++) {
        free(picking->picked[i]);
    }
    free(picking->picked);
    free(picking->reference);
    berth_matches_clear(&picking->symmetry);
    berth_matches_clear(&picking->to_reference);
}

static bool is_new(const struct picking *picking, size_t picked_count, const double (*heavy)[3])
{
    for (size_t i = 0; picking->settings->min_rmsd > 0 && i < picked_count; i++) {
        const double(*other)[3] = (const double(*)[3])picking->picked[i];
        if (berth_rmsd(&picking->symmetry, heavy, other) < picking->settings->min_rmsd) {
            return false;
        }
    }
    return true;
}

static enum berth_status find_clash(const struct picking *picking,
                                    const struct berth_mode_candidate *candidate, double *clash,
                                    struct berth_error *error)
{
    const struct berth_clashing_pose pose = {&picking->docked->conformers[candidate->conformer],
                                             &candidate->pose->transform, candidate->angles};
    *clash = NAN;
    const struct berth_receptor_shape *const *shapes = picking->settings->shapes;
    return shapes ? berth_clash_of_pose(shapes[picking->docked->receptor], &pose, clash, error)
                  : BERTH_OK;
}

/* Adds the candidate to modes, unless it is too near to one of them. */
static enum berth_status consider(struct picking *picking,
                                  const struct berth_mode_candidate *candidate,
                                  struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_molecule *molecule = &picking->ligand->conformers[candidate->conformer];
    const struct berth_docked *docked = picking->docked;
    const struct berth_placed_pose placed = {.transform = &candidate->pose->transform,
                                             .angles = candidate->angles,
                                             .tree = docked->tree,
                                             .centroid =
                                                 docked->conformers[candidate->conformer].centroid,
                                             .center = picking->settings->center};
    double(*positions)[3] = berth_pose_place(molecule, &placed);
    double(*heavy)[3] = positions ? heavy_positions(molecule, (const double(*)[3])positions) : NULL;
    if (!heavy) {
        free(positions);
        return berth_out_of_memory(error, NULL);
    }
    if (!is_new(picking, modes->count, (const double(*)[3])heavy)) {
        free(positions);
        free(heavy);
        return BERTH_OK;
    }
    const double *strains = picking->settings->strains;
    struct berth_mode *mode = &modes->modes[modes->count];
    *mode = (struct berth_mode){.conformer = candidate->conformer,
                                .energy = berth_pose_energy(candidate->pose),
                                .pose = (size_t)(candidate->pose - docked->poses) -
                                        candidate->conformer * docked->stride,
                                .value = candidate->value,
                                .has_torsions = candidate->angles != NULL,
                                .strain = candidate->strain,
                                .conformer_strain = strains ? strains[candidate->conformer] : NAN,
                                .terms = berth_pose_terms(candidate->pose),
                                .positions = positions,
                                .rmsd = -1,
                                .receptor = docked->receptor};
    if (picking->to_reference.count) {
        mode->rmsd = berth_rmsd(&picking->to_reference, (const double(*)[3])heavy,
                                (const double(*)[3])picking->reference);
    }
    picking->picked[modes->count++] = heavy;
    return find_clash(picking, candidate, &mode->clash, error);
}

enum berth_status berth_modes_find(const struct berth_ligand *ligand,
                                   const struct berth_docked *docked,
                                   const struct berth_mode_settings *settings,
                                   struct berth_modes *modes, struct berth_error *error)
{
    memset(modes, 0, sizeof *modes);
    struct picking picking = {ligand, docked, settings, {0}, {0}, NULL, NULL};
    size_t count = 0;
    struct berth_mode_candidate *candidates =
        list_candidates(ligand->conformer_count, docked, settings, &count);
    modes->modes = berth_alloc(settings->count, sizeof *modes->modes);
    enum berth_status status = BERTH_OK;
    if (!candidates || !modes->modes) {
        status = berth_out_of_memory(error, NULL);
    } else {
        status = prepare(&picking, error);
    }
    for (size_t i = 0; !status && i < count && modes->count < settings->count; i++) {
        if (candidates[i].value > candidates[0].value + settings->energy_range) {
            break;
        }
        status = consider(&picking, &candidates[i], modes, error);
    }
    finish(&picking);
    free(candidates);
    if (status) {
        berth_modes_clear(modes);
    }
    return status;
}

enum berth_status berth_modes_join(struct berth_modes *modes, struct berth_modes *more,
                                   struct berth_error *error)
{
    const size_t count = modes->count + more->count;
    struct berth_mode *joined = berth_alloc(count, sizeof *joined);
    if (!joined) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0, a = 0, b = 0; i < count; i++) {
        const bool first =
            b == more->count || (a < modes->count && modes->modes[a].value <= more->modes[b].value);
        joined[i] = first ? modes->modes[a++] : more->modes[b++];
    }
    free(modes->modes);
    free(more->modes);
    modes->modes = joined;
    modes->count = count;
    memset(more, 0, sizeof *more);
    return BERTH_OK;
}

void berth_modes_keep(struct berth_modes *modes, size_t receptors, size_t count, double highest)
{
    size_t kept = 0;
    for (size_t t = 0; t < receptors; t++) {
        modes->scores[t] = NAN;
    }
    for (size_t i = 0; i < modes->count; i++) {
        struct berth_mode *mode = &modes->modes[i];
        modes->scores[mode->receptor] = fmin(modes->scores[mode->receptor], mode->value);
        if (kept < count && mode->value <= highest) {
            modes->modes[kept++] = *mode;
        } else {
            free(mode->positions);
        }
    }
    modes->count = kept;
}

size_t berth_modes_leave_out(struct berth_modes *modes, double max_clash)
{
    size_t kept = 0;
    const size_t count = modes->count;
    for (size_t i = 0; i < count; i++) {
        if (modes->modes[i].clash > max_clash) {
            free(modes->modes[i].positions);
        } else {
            modes->modes[kept++] = modes->modes[i];
        }
    }
    modes->count = kept;
    return count - kept;
}

void berth_modes_clear(struct berth_modes *modes)
{
    for (size_t i = 0; i < modes->count; i++) {
        free(modes->modes[i].positions);
    }
    free(modes->modes);
    memset(modes, 0, sizeof *modes);
}

#include "dock/modes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/stereo.h"
#include "chem/twist.h"
#include "chem/vectors.h"
#include "dock/ranker.h"
#include "dock/placed.h"

/* A pose, as modes are ranked. */
struct candidate {
    const struct berth_pose *pose;
    size_t conformer;
    size_t seed;                    /* number of the one that found it */
    bool turned;                    /* its ligand's torsions are refined */
    bool restrained;                /* its ligand is */
    double parts[BERTH_PART_COUNT]; /* as struct berth_pose has them once poses are ranked, but 0
                                       where it has none */
    double extra;                   /* kJ/mol: what the conformer's strain counts, and the metals */
    double cost;                    /* kJ/mol: of its restraints, but for the metals */
    double value;                   /* kJ/mol: what it is ranked by */
    float twist;                    /* as struct berth_pose has it */
    size_t rank;                    /* among all of them before ranking: breaks ties */
};

/* Those without a finite value come last, and behind others what meets fewer restraints; of what
 * misses as many, what has the lower energy with what these cost comes first, as in the search. */
static int by_value(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (isfinite(a->value) != isfinite(b->value)) {
        return isfinite(a->value) ? -1 : 1;
    }
    if (a->pose->unmet != b->pose->unmet) {
        return a->pose->unmet < b->pose->unmet ? -1 : 1;
    }
    const double with = a->value + a->cost, other = b->value + b->cost;
    if (a->pose->unmet && isfinite(a->value) && with != other) {
        return with < other ? -1 : 1;
    }
    if (isfinite(a->value) && a->value != b->value) {
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

static const struct berth_docked_poses *poses_of(const struct berth_docked *docked,
                                                 size_t conformer, size_t seed)
{
    return &docked
                ->found[(conformer * docked->seeds + seed) * docked->receptors + docked->receptor];
}

/* The least of what a part begins at: parts of several conformers can be compared where they are
 * relative to one energy. */
static double least_begun(const struct berth_docked *docked, size_t part)
{
    double least = INFINITY;
    for (size_t c = 0; c < docked->count; c++) {
        const struct berth_docked_poses *found = poses_of(docked, c, docked->with.begin);
        least = found->count ? fmin(least, found->poses[0].begun[part]) : least;
    }
    return least;
}

/* Candidates by what they are ranked by; unbound: see struct berth_pose_energies. */
static void rank(struct candidate *candidates, size_t count, const struct berth_docked *docked,
                 const struct berth_scoring *scoring, double unbound)
{
    for (size_t i = 0; i < count; i++) {
        struct candidate *candidate = &candidates[i];
        struct berth_pose_energies energies = {
            .energy = berth_pose_energy(candidate->pose),
            .torsional = berth_scoring_torsional(scoring, &candidate->pose->terms),
            .unbound = unbound,
            .rotors = docked->conformers[candidate->conformer].rotors};
        memcpy(energies.parts, candidate->parts, sizeof energies.parts);
        candidate->value = berth_scoring_total(scoring, &energies) + candidate->extra;
    }
    qsort(candidates, count, sizeof *candidates, by_value);
}

#define IS_RELATIVE(part, name, column, relative, added) [BERTH_PART_##part] = (relative) != 0,
static const bool RELATIVE[BERTH_PART_COUNT] = {BERTH_POSE_PARTS(IS_RELATIVE)};

/* Å: places farther away are of what a receptor has not, as of a metal that binds no such donor. */
#define ELSEWHERE 5000.0F

/* Whether the candidate has such a part. */
static bool has_part(const struct berth_docked *docked, const struct candidate *candidate,
                     size_t part)
{
    const struct berth_packed_conformer *packed = &docked->conformers[candidate->conformer];
    if (part == BERTH_PART_RECEPTOR &&
        berth_packed_free(packed) == (size_t)packed->device.atom_count) {
        return false;
    }
    return part == BERTH_PART_RESTRAINT ? candidate->restrained
           : RELATIVE[part]             ? candidate->turned
                                        : candidate->pose->refined;
}

/* Adds up the parts of all candidates. */
static void find_parts(struct candidate *candidates, size_t count,
                       const struct berth_docked *docked)
{
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        const double least = least_begun(docked, k);
        for (size_t i = 0; i < count; i++) {
            const struct berth_pose *pose = candidates[i].pose;
            const float sum = (float)pose->parts[k] + (float)pose->begun[k];
            candidates[i].parts[k] = has_part(docked, &candidates[i], k) ? (double)sum - least : 0;
        }
    }
}

/* What the pose's restraints cost without the open sites of metals, whose worth is its
 * coordination; NAN where there are none but these. */
static double restraint_of(const struct berth_mode_settings *settings,
                           const struct candidate *candidate)
{
    const struct berth_ranker *ranker = settings->ranker;
    const double all = candidate->parts[BERTH_PART_RESTRAINT];
    if (!ranker || !ranker->names.metals) {
        return all;
    }
    return ranker->names.metals < ranker->names.restraints
               ? fmax(all - berth_pose_metal_cost(candidate->pose, &ranker->names), 0)
               : NAN;
}

double (*berth_pose_place(const struct berth_molecule *molecule, const double centroid[3],
                          const struct berth_pose *pose, const struct berth_torsion_tree *tree,
                          const double center[3]))[3]
{
    double(*positions)[3] = berth_alloc(molecule->atom_count, sizeof *positions);
    double angles[BERTH_TORSIONS];
    for (size_t t = 0; t < BERTH_TORSIONS; t++) {
        angles[t] = pose->angles[t];
    }
    if (positions && tree) {
        berth_flexible_place_molecule(molecule, tree, &pose->transform, angles, positions);
    }
    for (size_t i = 0; positions && i < molecule->atom_count; i++) {
        if (!tree) {
            berth_transform_apply(&pose->transform, centroid, molecule->atoms[i].position,
                                  positions[i]);
        }
        for (int k = 0; k < 3; k++) {
            positions[i][k] += center[k];
        }
    }
    return positions;
}

/* The same of a candidate. */
static double (*place(const struct berth_docked *docked, const struct berth_mode_settings *settings,
                      const struct candidate *candidate))[3]
{
    return berth_pose_place(&docked->ligand->conformers[candidate->conformer],
                            docked->conformers[candidate->conformer].centroid, candidate->pose,
                            candidate->turned ? docked->tree : NULL, settings->center);
}

/* How far candidates twist groups that are flat by themselves, and in their strain what that costs
 * where torsions turn. */
static enum berth_status find_twists(struct candidate *candidates, size_t count,
                                     const struct berth_docked *docked,
                                     const struct berth_mode_settings *settings,
                                     struct berth_error *error)
{
    struct berth_flat_bonds flat;
    if (!settings->ranker || !settings->ranker->names.twists) {
        return BERTH_OK;
    }
    enum berth_status status = berth_flat_bonds_find(&docked->ligand->conformers[0], &flat, error);
    for (size_t i = 0; !status && flat.count && i < count; i++) {
        struct candidate *candidate = &candidates[i];
        const struct berth_molecule *molecule = &docked->ligand->conformers[candidate->conformer];
        double(*positions)[3] = place(docked, settings, candidate);
        if (!positions) {
            status = berth_out_of_memory(error, molecule->title);
            break;
        }
        candidate->twist =
            (float)berth_largest_twist(&flat, molecule, (const double(*)[3])positions);
        if (has_part(docked, candidate, BERTH_PART_INTRA)) {
            candidate->parts[BERTH_PART_INTRA] +=
                berth_twist_price((double)candidate->twist, settings->scoring->unit);
        }
        free(positions);
    }
    berth_flat_bonds_clear(&flat);
    return status;
}

/* All poses as candidates, ranked, which the caller frees, also after an error. */
static enum berth_status list_candidates(const struct berth_docked *docked,
                                         const struct berth_mode_settings *settings,
                                         struct candidate **candidates, size_t *count,
                                         struct berth_error *error)
{
    const double weight = settings->choice.strain_weight;
    const bool weighted = weight != 0 && berth_strains_known(settings->strains, docked->count);
    const struct berth_judges *judges = settings->ranker ? &settings->ranker->names : NULL;
    size_t room = 0;
    const size_t first = docked->with.begin, end = docked->with.end;
    for (size_t i = 0; i < docked->count * (end - first); i++) {
        room += poses_of(docked, i / (end - first), first + i % (end - first))->count;
    }
    *count = 0;
    BERTH_TRY(berth_make(candidates, room, sizeof **candidates, NULL, error));
    struct candidate *list = *candidates;
    for (size_t k = 0; k < docked->count * (end - first); k++) {
        const size_t c = k / (end - first), seed = first + k % (end - first);
        const struct berth_docked_poses *found = poses_of(docked, c, seed);
        for (size_t i = 0; i < found->count; i++) {
            const double beside = judges ? berth_pose_coordination(&found->poses[i], judges) +
                                               judges->displacement[docked->receptor]
                                         : 0;
            list[*count] =
                (struct candidate){.conformer = c,
                                   .seed = seed,
                                   .pose = &found->poses[i],
                                   .turned = found->poses[i].refined && docked->torsions,
                                   .restrained = docked->conformers[c].restrained,
                                   .extra = (weighted ? weight * settings->strains[c] : 0) + beside,
                                   .twist = NAN,
                                   .rank = *count};
            (*count)++;
        }
    }
    if (!*count) {
        return BERTH_OK;
    }
    find_parts(list, *count, docked);
    BERTH_TRY(find_twists(list, *count, docked, settings, error));
    for (size_t i = 0; i < *count; i++) {
        const double cost = restraint_of(settings, &list[i]);
        list[i].cost = isnan(cost) ? 0 : cost;
    }
    rank(list, *count, docked, settings->scoring, 0);
    rank(list, *count, docked, settings->scoring, list->parts[BERTH_PART_INTRA]);
    return BERTH_OK;
}

double (*berth_pose_heavy(const struct berth_molecule *molecule, const double (*positions)[3]))[3]
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

enum berth_status berth_molecule_rmsd(const struct berth_molecule *molecule,
                                      const struct berth_molecule *reference, double *rmsd,
                                      struct berth_error *error)
{
    struct berth_matches matches = {0};
    double(*heavy)[3] = berth_pose_heavy(molecule, NULL);
    double(*others)[3] = berth_pose_heavy(reference, NULL);
    enum berth_status status = heavy && others ? BERTH_OK : berth_out_of_memory(error, NULL);
    *rmsd = -1;
    BERTH_THEN(berth_matches_find(molecule, reference, &matches, error));
    if (!status && matches.count) {
        *rmsd = berth_rmsd(&matches, (const double(*)[3])heavy, (const double(*)[3])others);
    }
    berth_matches_clear(&matches);
    free(heavy);
    free(others);
    return status;
}

/* What picking modes works with. */
struct picking {
    const struct berth_docked *docked;
    const struct berth_mode_settings *settings;
    struct berth_matches symmetry;     /* of the ligand with itself */
    struct berth_matches to_reference; /* of the ligand with the reference */
    double (*reference)[3];            /* owned; the reference's heavy atoms; NULL: none */
    bool *other_stereo;                /* owned; [conformers]: the reference's is another */
    double (**picked)[3];              /* owned, as its elements; heavy atoms of the modes so far */
    size_t most;                       /* modes, at most */
};

/* Conformers of one name may be isomers. */
static enum berth_status compare_stereo(struct picking *picking, struct berth_error *error)
{
    const struct berth_docked *docked = picking->docked;
    BERTH_TRY(berth_make(&picking->other_stereo, docked->count, sizeof *picking->other_stereo, NULL,
                         error));
    const bool asks = picking->to_reference.count && !picking->settings->choice.any_stereo;
    for (size_t c = 0; asks && c < docked->count; c++) {
        bool agrees;
        BERTH_TRY(berth_stereo_agrees(&docked->ligand->conformers[c], NULL,
                                      picking->settings->reference, &agrees, error));
        picking->other_stereo[c] = !agrees;
    }
    return BERTH_OK;
}

static enum berth_status prepare(struct picking *picking, struct berth_error *error)
{
    const struct berth_molecule *first = &picking->docked->ligand->conformers[0];
    const struct berth_molecule *reference = picking->settings->reference;
    BERTH_TRY(berth_matches_find(first, first, &picking->symmetry, error));
    BERTH_TRY(berth_make(&picking->picked, picking->most, sizeof *picking->picked, NULL, error));
    if (!reference) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_matches_find(first, reference, &picking->to_reference, error));
    picking->reference = berth_pose_heavy(reference, NULL);
    BERTH_TRY(picking->reference ? BERTH_OK : berth_out_of_memory(error, NULL));
    return compare_stereo(picking, error);
}

static void finish(struct picking *picking)
{
    for (size_t i = 0; picking->picked && i < picking->most; i++) {
        free(picking->picked[i]);
    }
    free(picking->picked);
    free(picking->reference);
    free(picking->other_stereo);
    berth_matches_clear(&picking->symmetry);
    berth_matches_clear(&picking->to_reference);
}

static bool is_new(const struct picking *picking, size_t picked_count, const double (*heavy)[3])
{
    const double min_rmsd = picking->settings->choice.min_rmsd;
    for (size_t i = 0; min_rmsd > 0 && i < picked_count; i++) {
        const double(*other)[3] = (const double(*)[3])picking->picked[i];
        if (berth_rmsd(&picking->symmetry, heavy, other) < min_rmsd) {
            return false;
        }
    }
    return true;
}

/* The candidate as a mode, but for where it is. */
static struct berth_pose mode_of(const struct picking *picking, const struct candidate *candidate)
{
    const struct berth_docked *docked = picking->docked;
    const struct berth_packed_flexible *flexible =
        docked->conformers[candidate->conformer].flexible;
    const double *strains = picking->settings->strains;
    struct berth_pose mode = *candidate->pose;
    mode.conformer = candidate->conformer;
    mode.seed = candidate->seed;
    mode.seeds = NAN;
    mode.receptor = docked->receptor;
    mode.torsions = candidate->turned && flexible ? flexible->torsions : 0;
    mode.value = candidate->value;
    mode.energy = berth_pose_energy(candidate->pose);
    mode.conformer_strain = strains ? strains[candidate->conformer] : NAN;
    mode.ranking = NAN;
    mode.confidence = NAN;
    mode.rmsd = -1;
    mode.other_stereo = false;
    mode.clash = NAN;
    mode.twist = candidate->twist;
    mode.metal[0] = mode.metal[1] = NAN;
    berth_pose_unlearn(&mode);
    mode.scores[0] = mode.energy;
    mode.rotors = docked->conformers[candidate->conformer].rotors;
    for (size_t i = 0; i < BERTH_RESTRAINTS_MAX; i++) { /* to a place that a receptor lacks */
        mode.distances[i] = mode.distances[i] < ELSEWHERE ? mode.distances[i] : NAN;
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        const bool restraint = k == BERTH_PART_RESTRAINT;
        mode.parts[k] = !has_part(docked, candidate, k) ? NAN
                        : restraint                     ? restraint_of(picking->settings, candidate)
                                                        : candidate->parts[k];
    }
    return mode;
}

/* Places a mode; *is_taken: it is not too near to one of the others, of which there are so many. */
static enum berth_status place_mode(struct picking *picking, size_t others,
                                    const struct candidate *candidate, struct berth_pose *mode,
                                    bool *is_taken, struct berth_error *error)
{
    const struct berth_docked *docked = picking->docked;
    const struct berth_molecule *molecule = &docked->ligand->conformers[mode->conformer];
    double(*positions)[3] = place(docked, picking->settings, candidate);
    double(*heavy)[3] =
        positions ? berth_pose_heavy(molecule, (const double(*)[3])positions) : NULL;
    *is_taken = heavy && is_new(picking, others, (const double(*)[3])heavy);
    if (!*is_taken) {
        free(positions);
        free(heavy);
        return heavy ? BERTH_OK : berth_out_of_memory(error, NULL);
    }
    mode->positions = positions;
    mode->other_stereo = picking->other_stereo && picking->other_stereo[mode->conformer];
    if (picking->to_reference.count && !mode->other_stereo) {
        mode->rmsd = berth_rmsd(&picking->to_reference, (const double(*)[3])heavy,
                                (const double(*)[3])picking->reference);
    }
    picking->picked[others] = heavy;
    return BERTH_OK;
}

/* Takes back the mode behind the others, whose place is free for one that clashes less. */
static void drop_mode(struct picking *picking, struct berth_modes *modes)
{
    free(modes->modes[modes->count].positions);
    free(picking->picked[modes->count]);
    picking->picked[modes->count] = NULL;
    modes->clashing++;
}

/* Å that the last descent, on exact energies, may move an atom out of the box. */
#define BOX_GIVES 1.0

/* How far the farthest of the ligand's heavy atoms is outside the box, and the two that are
 * farthest apart, Å. */
static enum berth_status measure(const struct picking *picking, const struct candidate *candidate,
                                 double *outside, double *length, struct berth_error *error)
{
    const struct berth_site *box = picking->settings->box;
    struct berth_placed unpacked;
    *outside = *length = 0;
    const enum berth_status status =
        berth_unpack(&picking->docked->conformers[candidate->conformer], &unpacked, error);
    if (!status) {
        const struct berth_heavy_atom *atoms = unpacked.placed.atoms;
        berth_placed_place(&unpacked, candidate->pose, box->center);
        for (size_t i = 0; i < unpacked.flexible.free_count; i++) {
            *outside = fmax(*outside, berth_site_outside(box, atoms[i].position));
            for (size_t j = 0; j < i; j++) {
                *length = fmax(*length, berth_distance(atoms[i].position, atoms[j].position));
            }
        }
    }
    berth_placed_clear(&unpacked);
    return status;
}

/* Whether the candidate fits into the box; counts it where it does not. */
static enum berth_status check_box(const struct picking *picking, const struct candidate *candidate,
                                   struct berth_modes *modes, bool *fits, struct berth_error *error)
{
    const struct berth_site *box = picking->settings->box;
    double outside, length;
    *fits = true;
    if (!box) {
        return BERTH_OK;
    }
    BERTH_TRY(measure(picking, candidate, &outside, &length, error));
    *fits = outside <= BOX_GIVES;
    if (!*fits && (!modes->outside++ || outside < modes->farthest)) {
        modes->farthest = outside;
        modes->length = length;
        modes->diagonal = sqrt(box->size[0] * box->size[0] + box->size[1] * box->size[1] +
                               box->size[2] * box->size[2]);
    }
    return BERTH_OK;
}

/* Adds the candidate to modes, unless it is too near to one of them, leaves the box, or clashes. */
static enum berth_status consider(struct picking *picking, const struct candidate *candidate,
                                  struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_docked *docked = picking->docked;
    const struct berth_receptor_shape *const *shapes = picking->settings->shapes;
    struct berth_pose *mode = &modes->modes[modes->count];
    bool is_taken = true, fits;
    BERTH_TRY(check_box(picking, candidate, modes, &fits, error));
    if (!fits) {
        return BERTH_OK;
    }
    *mode = mode_of(picking, candidate);
    enum berth_status status = place_mode(picking, modes->count, candidate, mode, &is_taken, error);
    if (status || !is_taken) {
        modes->near += !status;
        return status;
    }
    if (shapes) {
        status = berth_clash_of_pose(shapes[docked->receptor], &docked->conformers[mode->conformer],
                                     candidate->pose, &mode->clash, error);
    }
    if (!status && shapes && picking->settings->ranker &&
        picking->settings->ranker->names.binding) {
        status = berth_metal_of_pose(shapes[docked->receptor], &docked->conformers[mode->conformer],
                                     candidate->pose, mode->metal, error);
    }
    /* what is relaxed moves still */
    if (!picking->settings->mode_relaxer && mode->clash > picking->settings->choice.max_clash) {
        drop_mode(picking, modes);
    } else {
        modes->count++;
    }
    return status;
}

enum berth_status berth_modes_find(const struct berth_docked *docked,
                                   const struct berth_mode_settings *settings,
                                   struct berth_modes *modes, struct berth_error *error)
{
    memset(modes, 0, sizeof *modes);
    size_t count = 0;
    struct candidate *candidates = NULL;
    struct picking picking = {.docked = docked, .settings = settings};
    enum berth_status status = list_candidates(docked, settings, &candidates, &count, error);
    picking.most = settings->ranker && settings->ranker->poses ? count : settings->choice.num_modes;
    BERTH_THEN(
        berth_reserve(&modes->modes, &modes->capacity, picking.most, sizeof *modes->modes, error));
    BERTH_THEN(prepare(&picking, error));
    for (size_t i = 0; !status && i < count && modes->count < picking.most; i++) {
        if (!isfinite(candidates[i].value)) {
            break;
        }
        if (candidates[i].value > candidates[0].value + settings->choice.energy_range) {
            modes->beyond++;
        } else {
            status = consider(&picking, &candidates[i], modes, error);
        }
    }
    finish(&picking);
    free(candidates);
    if (status) {
        berth_modes_clear(modes);
    }
    return status;
}

/* What the search has of a mode whose restraints are not all met: with what they cost. */
static double value_with(const struct berth_pose *mode)
{
    const double cost = mode->parts[BERTH_PART_RESTRAINT];
    return mode->value + (mode->unmet && !isnan(cost) ? cost : 0);
}

/* Whether a mode comes before one that was there. */
static bool is_better(const struct berth_pose *mode, const struct berth_pose *other)
{
    return mode->unmet != other->unmet ? mode->unmet < other->unmet
                                       : value_with(mode) < value_with(other);
}

enum berth_status berth_modes_join(struct berth_modes *modes, struct berth_modes *more,
                                   struct berth_error *error)
{
    const size_t count = modes->count + more->count;
    struct berth_pose *joined;
    BERTH_TRY(berth_make(&joined, count, sizeof *joined, NULL, error));
    for (size_t i = 0, a = 0, b = 0; i < count; i++) {
        const bool first =
            b == more->count || (a < modes->count && !is_better(&more->modes[b], &modes->modes[a]));
        joined[i] = first ? modes->modes[a++] : more->modes[b++];
    }
    free(modes->modes);
    free(more->modes);
    modes->modes = joined;
    modes->count = modes->capacity = count;
    modes->near += more->near;
    modes->beyond += more->beyond;
    modes->clashing += more->clashing;
    if (more->outside && (!modes->outside || more->farthest < modes->farthest)) {
        modes->farthest = more->farthest;
        modes->length = more->length;
        modes->diagonal = more->diagonal;
    }
    modes->outside += more->outside;
    memset(more, 0, sizeof *more);
    return BERTH_OK;
}

/* Numbers first, the least first. */
static int by_ranking(const void *left, const void *right)
{
    const struct berth_pose *a = left, *b = right;
    if (a->unmet != b->unmet) {
        return a->unmet < b->unmet ? -1 : 1;
    }
    if (a->unmet && value_with(a) != value_with(b)) {
        return value_with(a) < value_with(b) ? -1 : 1;
    }
    if (isnan(a->ranking) != isnan(b->ranking)) {
        return isnan(a->ranking) ? 1 : -1;
    }
    if (a->ranking != b->ranking && !isnan(a->ranking)) {
        return a->ranking < b->ranking ? -1 : 1;
    }
    return a->value != b->value ? (a->value < b->value ? -1 : 1)
                                : (a->conformer > b->conformer) - (a->conformer < b->conformer);
}

void berth_modes_sort(struct berth_modes *modes)
{
    for (size_t i = 0; i < modes->count; i++) {
        modes->modes[i].ranking = NAN;
    }
    qsort(modes->modes, modes->count, sizeof *modes->modes, by_ranking);
}

enum berth_status berth_modes_rank(struct berth_modes *modes, const struct berth_ranker *ranker,
                                   const struct berth_result *result, struct berth_error *error)
{
    double *cells, *values = NULL;
    size_t columns = 0;
    const struct berth_score_columns run = {.judges = &ranker->names};
    enum berth_status status =
        berth_make(&cells, modes->count * BERTH_KNOWN_FIELDS, sizeof *cells, NULL, error);
    BERTH_THEN(berth_make(&values, modes->count, sizeof *values, NULL, error));
    for (size_t i = 0; !status && i < modes->count; i++) {
        const struct berth_pose pose = berth_ranker_pose(&modes->modes[i]);
        const struct berth_score_row row = {.pose = &pose,
                                            .run = &run,
                                            .heavy_atoms = result->heavy_count,
                                            .conformers = result->conformer_count};
        columns = berth_ranker_cells(ranker, ranker->poses, &row, cells + i * columns);
    }
    BERTH_THEN(berth_ranking_values(ranker->poses, cells, modes->count, values, error));
    for (size_t i = 0; !status && i < modes->count; i++) {
        modes->modes[i].ranking = values[i];
        modes->modes[i].confidence = NAN; /* was of the order before */
    }
    if (!status) {
        qsort(modes->modes, modes->count, sizeof *modes->modes, by_ranking);
    }
    free(cells);
    free(values);
    return status;
}

void berth_modes_cut(struct berth_modes *modes, size_t most)
{
    size_t kept = 0, in[BERTH_RECEPTORS_MAX] = {0};
    for (size_t i = 0; i < modes->count; i++) {
        const struct berth_pose mode = modes->modes[i];
        if (in[mode.receptor]++ < most) {
            modes->modes[kept++] = mode;
        } else {
            free(mode.positions);
        }
    }
    modes->count = kept;
}

enum berth_status berth_modes_apart(const struct berth_modes *modes, size_t count,
                                    const struct berth_molecule *molecule, double *apart,
                                    struct berth_error *error)
{
    struct berth_matches symmetry = {0};
    double(*first)[3] = berth_pose_heavy(molecule, (const double(*)[3])modes->modes[0].positions);
    enum berth_status status = first ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(berth_matches_find(molecule, molecule, &symmetry, error));
    for (size_t i = 0; !status && i < count; i++) {
        double(*heavy)[3] =
            berth_pose_heavy(molecule, (const double(*)[3])modes->modes[i].positions);
        status = heavy ? BERTH_OK : berth_out_of_memory(error, NULL);
        if (heavy) {
            apart[i] = berth_rmsd(&symmetry, (const double(*)[3])heavy, (const double(*)[3])first);
        }
        free(heavy);
    }
    free(first);
    berth_matches_clear(&symmetry);
    return status;
}

void berth_modes_scores(const struct berth_modes *modes, double scores[BERTH_RECEPTORS_MAX])
{
    for (size_t t = 0; t < BERTH_RECEPTORS_MAX; t++) {
        scores[t] = NAN;
    }
    for (size_t i = 0; i < modes->count; i++) {
        const struct berth_pose *mode = &modes->modes[i];
        scores[mode->receptor] = fmin(scores[mode->receptor], mode->value);
    }
}

/* Keeps those that clash by max_clash at most, `count` at most, none with a value above highest. */
static size_t drop(struct berth_modes *modes, size_t count, double highest, double max_clash)
{
    const size_t before = modes->count;
    size_t kept = 0;
    for (size_t i = 0; i < before; i++) {
        const struct berth_pose *mode = &modes->modes[i];
        if (kept < count && !(mode->value > highest) && !(mode->clash > max_clash)) {
            modes->modes[kept++] = *mode;
        } else {
            free(mode->positions);
        }
    }
    modes->count = kept;
    return before - kept;
}

double berth_modes_least(const struct berth_modes *modes)
{
    double least = INFINITY;
    for (size_t i = 0; i < modes->count; i++) {
        least = fmin(least, modes->modes[i].value);
    }
    return least;
}

void berth_modes_keep(struct berth_modes *modes, size_t count, double highest)
{
    berth_modes_scores(modes, modes->scores);
    const size_t dropped = drop(modes, count, highest, INFINITY);
    modes->beyond += modes->count < count ? dropped : 0;
}

size_t berth_modes_leave_out(struct berth_modes *modes, double max_clash,
                             char reason[BERTH_CLASH_REASON], const char **failure)
{
    const size_t left_out = modes->clashing + drop(modes, SIZE_MAX, INFINITY, max_clash);
    if (left_out && !modes->count) {
        snprintf(reason, BERTH_CLASH_REASON,
                 "every pose%s clashes with the receptor by more than the %g Å allowed",
                 modes->clashing ? "" : " that was kept (num_modes)", max_clash);
        *failure = reason;
    }
    return left_out;
}

void berth_modes_outside(const struct berth_modes *modes, char reason[BERTH_OUTSIDE_REASON])
{
    snprintf(reason, BERTH_OUTSIDE_REASON,
             "no pose has all its heavy atoms in the box: the one that fits best is %.1f Å long, "
             "with an atom %.1f Å outside, and the box's diagonal is %.1f Å; take a larger box, or "
             "one of the centroid",
             modes->length, modes->farthest, modes->diagonal);
}

void berth_modes_clear(struct berth_modes *modes)
{
    for (size_t i = 0; i < modes->count; i++) {
        free(modes->modes[i].positions);
    }
    free(modes->modes);
    memset(modes, 0, sizeof *modes);
}

double berth_result_ranking(const struct berth_ranker *ranker, const struct berth_result *result)
{
    double cells[BERTH_KNOWN_FIELDS], value = NAN;
    struct berth_error ignored;
    if (!ranker->ligands || !berth_ranking_is_plain(ranker->ligands) || !result->modes.count) {
        return NAN;
    }
    const struct berth_score_columns run = {.judges = &ranker->names};
    const struct berth_score_row row = {.pose = &result->modes.modes[0],
                                        .run = &run,
                                        .heavy_atoms = result->heavy_count,
                                        .conformers = result->conformer_count};
    berth_ranker_cells(ranker, ranker->ligands, &row, cells);
    return berth_ranking_values(ranker->ligands, cells, 1, &value, &ignored) ? NAN : value;
}

#include "engine/modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A pose that may become a mode. */
struct candidate {
    size_t conformer;
    const struct berth_pose *pose;
    double energy;
    size_t rank; /* among all candidates before sorting: breaks ties */
};

static int by_energy(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->energy != b->energy) {
        return a->energy < b->energy ? -1 : 1;
    }
    return a->rank < b->rank ? -1 : 1;
}

static struct candidate *list_candidates(const struct berth_ligand *ligand,
                                         const struct berth_docked *docked, size_t *count)
{
    *count = 0;
    struct candidate *list = berth_alloc(ligand->conformer_count * docked->stride, sizeof *list);
    for (size_t c = 0; list && c < ligand->conformer_count; c++) {
        for (size_t i = 0; i < docked->counts[c]; i++) {
            const struct berth_pose *pose = &docked->poses[c * docked->stride + i];
            list[*count] = (struct candidate){c, pose, berth_pose_energy(pose), *count};
            (*count)++;
        }
    }
    if (list) {
        qsort(list, *count, sizeof *list, by_energy);
    }
    return list;
}

double (*berth_pose_place(const struct berth_molecule *molecule, const double centroid[3],
                          const struct berth_pose *pose, const double center[3]))[3]
{
    double(*positions)[3] = berth_alloc(molecule->atom_count, sizeof *positions);
    for (size_t i = 0; positions && i < molecule->atom_count; i++) {
        berth_transform_apply(&pose->transform, centroid, molecule->atoms[i].position,
                              positions[i]);
        for (int k = 0; k < 3; k++) {
            positions[i][k] += center[k];
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
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for the modes");
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
    for (size_t i = 0; i < picked_count; i++) {
        const double(*other)[3] = (const double(*)[3])picking->picked[i];
        if (berth_rmsd(&picking->symmetry, heavy, other) < picking->settings->min_rmsd) {
            return false;
        }
    }
    return true;
}

/* Adds the candidate to modes, unless it is too near to one of them. */
static enum berth_status consider(struct picking *picking, const struct candidate *candidate,
                                  struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_molecule *molecule = &picking->ligand->conformers[candidate->conformer];
    const struct berth_packed_conformer *packed =
        &picking->docked->conformers[candidate->conformer];
    double(*positions)[3] =
        berth_pose_place(molecule, packed->centroid, candidate->pose, picking->settings->center);
    double(*heavy)[3] = positions ? heavy_positions(molecule, (const double(*)[3])positions) : NULL;
    if (!heavy) {
        free(positions);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for the modes");
    }
    if (!is_new(picking, modes->count, (const double(*)[3])heavy)) {
        free(positions);
        free(heavy);
        return BERTH_OK;
    }
    struct berth_mode *mode = &modes->modes[modes->count];
    *mode = (struct berth_mode){.conformer = candidate->conformer,
                                .energy = candidate->energy,
                                .terms = {candidate->pose->steric, candidate->pose->electrostatic,
                                          candidate->pose->desolvation},
                                .pose = *candidate->pose,
                                .positions = positions,
                                .rmsd = -1};
    if (picking->to_reference.count) {
        mode->rmsd = berth_rmsd(&picking->to_reference, (const double(*)[3])heavy,
                                (const double(*)[3])picking->reference);
    }
    picking->picked[modes->count++] = heavy;
    return BERTH_OK;
}

enum berth_status berth_modes_find(const struct berth_ligand *ligand,
                                   const struct berth_docked *docked,
                                   const struct berth_mode_settings *settings,
                                   struct berth_modes *modes, struct berth_error *error)
{
    memset(modes, 0, sizeof *modes);
    struct picking picking = {ligand, docked, settings, {0}, {0}, NULL, NULL};
    size_t count = 0;
    struct candidate *candidates = list_candidates(ligand, docked, &count);
    modes->modes = berth_alloc(settings->count, sizeof *modes->modes);
    enum berth_status status = BERTH_OK;
    if (!candidates || !modes->modes) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for the modes");
    } else {
        status = prepare(&picking, error);
    }
    for (size_t i = 0; !status && i < count && modes->count < settings->count; i++) {
        if (candidates[i].energy > candidates[0].energy + settings->energy_range) {
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

void berth_modes_clear(struct berth_modes *modes)
{
    for (size_t i = 0; i < modes->count; i++) {
        free(modes->modes[i].positions);
    }
    free(modes->modes);
    memset(modes, 0, sizeof *modes);
}

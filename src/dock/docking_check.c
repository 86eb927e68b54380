/* Holding what a device computed against the oracle: a device that computes wrongly is to be found,
 * not believed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/docking_internal.h"

/* Conformers of a batch that are looked at: the oracle takes a millisecond each. */
enum { SAMPLES = 8 };

/* Single precision, sums of hundreds of pairs: kJ/mol, and parts of the energy. */
#define ABSOLUTE_TOLERANCE 0.02
#define RELATIVE_TOLERANCE 1e-4

/* A conformer as the oracle sees it: owned. */
struct oracle_ligand {
    struct berth_heavy_atoms conformer, placed;
    struct berth_flexible flexible; /* without torsions where it is rigid */
};

static void clear(struct oracle_ligand *ligand)
{
    berth_heavy_atoms_clear(&ligand->conformer);
    berth_heavy_atoms_clear(&ligand->placed);
    berth_flexible_clear(&ligand->flexible);
}

static enum berth_status no_memory(struct berth_error *error)
{
    return berth_fail(error, BERTH_E_MEMORY, "out of memory");
}

/* The ligand's torsions, back from how the kernels see it. */
static enum berth_status unpack_flexible(const struct berth_packed_flexible *packed,
                                         struct berth_flexible *flexible, struct berth_error *error)
{
    const size_t atoms = flexible->atom_count, torsions = packed->torsions;
    const berth_int32 *axes = packed->words + BERTH_FLEXIBLE_AXES;
    const uint32_t *moved = (const uint32_t *)packed->words + BERTH_FLEXIBLE_MOVED(torsions);
    struct berth_torsion_tree *tree = &flexible->tree;
    flexible->words = BERTH_FLEXIBLE_FAR_ROW(atoms);
    flexible->far = berth_alloc(atoms * flexible->words, sizeof *flexible->far);
    tree->torsions = berth_alloc(torsions, sizeof *tree->torsions);
    tree->moved = berth_alloc(torsions * atoms, sizeof *tree->moved);
    if (!flexible->far || !tree->torsions || !tree->moved) {
        return no_memory(error);
    }
    memcpy(flexible->far, packed->words + BERTH_FLEXIBLE_FAR(torsions, atoms),
           atoms * flexible->words * sizeof *flexible->far);
    tree->count = torsions;
    for (size_t t = 0; t < torsions; t++) {
        struct berth_torsion *torsion = &tree->torsions[t];
        *torsion = (struct berth_torsion){.first = (uint32_t)axes[2 * t],
                                          .second = (uint32_t)axes[2 * t + 1],
                                          .moved_start = tree->moved_count};
        for (size_t i = 0; i < atoms; i++) {
            if (moved[i] >> t & 1) {
                tree->moved[tree->moved_count++] = (uint32_t)i;
            }
        }
        torsion->moved_count = tree->moved_count - torsion->moved_start;
    }
    return BERTH_OK;
}

static enum berth_status unpack(const struct berth_packed_conformer *packed,
                                struct oracle_ligand *ligand, struct berth_error *error)
{
    const size_t count = (size_t)packed->device.atom_count;
    memset(ligand, 0, sizeof *ligand);
    ligand->conformer.count = ligand->placed.count = ligand->flexible.atom_count = count;
    ligand->conformer.atoms = berth_alloc(count, sizeof *ligand->conformer.atoms);
    ligand->placed.atoms = berth_alloc(count, sizeof *ligand->placed.atoms);
    if (!ligand->conformer.atoms || !ligand->placed.atoms) {
        return no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        const struct berth_device_atom *atom = &packed->atoms[i];
        ligand->conformer.atoms[i] =
            (struct berth_heavy_atom){{atom->x, atom->y, atom->z}, atom->type};
    }
    return packed->flexible ? unpack_flexible(packed->flexible, &ligand->flexible, error)
                            : BERTH_OK;
}

/* The oracle's energy of a pose; angles: NULL where it is rigid. */
static struct berth_flexible_energy score(const struct berth_target *target,
                                          struct oracle_ligand *ligand,
                                          const struct berth_pose *pose, const float *angles)
{
    double placed_angles[BERTH_TORSIONS] = {0};
    for (size_t t = 0; angles && t < ligand->flexible.tree.count; t++) {
        placed_angles[t] = angles[t];
    }
    berth_flexible_place(&ligand->flexible, &ligand->conformer, &pose->transform, placed_angles,
                         &ligand->placed);
    for (size_t i = 0; i < ligand->placed.count; i++) {
        for (int k = 0; k < 3; k++) {
            ligand->placed.atoms[i].position[k] += target->site.center[k];
        }
    }
    if (!ligand->flexible.far) {
        return (struct berth_flexible_energy){
            berth_score_ref(target->forcefield, target->receptor, &ligand->placed), 0};
    }
    const struct berth_flexible_system system = {target->forcefield, target->receptor,
                                                 &ligand->flexible, &ligand->conformer};
    return berth_flexible_energy(&system, &ligand->placed);
}

/* BERTH_E_RESULT where the device gave no conformer of the batch an energy. */
static enum berth_status check_any(const struct docking_worker *worker,
                                   const struct docking_slot *slot, struct berth_error *error)
{
    const struct berth_device *device = &worker->docking->setup.devices[worker->number];
    for (size_t i = 0; i < slot->count; i++) {
        if (worker->found.counts[i]) {
            return BERTH_OK;
        }
    }
    return berth_fail(error, BERTH_E_RESULT,
                      "device %zu (%s) computes wrongly: it gave no finite energy for any of %zu "
                      "conformers; run `berth selftest`",
                      device->index, device->name, slot->count);
}

/* BERTH_E_RESULT where the device's energy of the best pose of conformer i is not the oracle's. */
static enum berth_status check_conformer(const struct docking_worker *worker,
                                         const struct docking_slot *slot, size_t i,
                                         struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    const struct berth_found *found = &worker->found;
    const size_t at = i * found->stride;
    const struct berth_pose *pose = &found->poses[at];
    struct oracle_ligand ligand;
    enum berth_status status = unpack(&slot->conformers[i], &ligand, error);
    if (!status) {
        const struct berth_flexible_energy energy =
            score(&setup->target, &ligand, pose,
                  found->angles ? found->angles + at * BERTH_TORSIONS : NULL);
        const struct berth_terms *terms = &energy.terms;
        const double size = fabs(terms->steric) + fabs(terms->electrostatic) +
                            fabs(terms->desolvation) + fabs(energy.strain);
        const double given = berth_pose_total(pose), right = berth_flexible_total(&energy);
        if (!(fabs(given - right) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * size)) {
            const struct berth_device *device = &setup->devices[worker->number];
            status = berth_fail(error, BERTH_E_RESULT,
                                "device %zu (%s) computes wrongly: it gave a pose %.4f kJ/mol, "
                                "which the reference gives %.4f; run `berth selftest`",
                                device->index, device->name, given, right);
        }
    }
    clear(&ligand);
    return status;
}

enum berth_status docking_check(const struct docking_worker *worker,
                                const struct docking_slot *slot, struct berth_error *error)
{
    const size_t samples = slot->count < SAMPLES ? slot->count : SAMPLES;
    enum berth_status status = check_any(worker, slot, error);
    for (size_t k = 0; !status && k < samples; k++) {
        const size_t i = k * slot->count / samples;
        if (worker->found.counts[i]) {
            status = check_conformer(worker, slot, i, error);
        }
    }
    return status;
}

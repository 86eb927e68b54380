/* Holding what a device computed against the oracle: a device that computes wrongly is to be found,
 * not believed. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/docking_internal.h"

/* Conformers of a batch that are looked at: the oracle takes a millisecond each. */
enum { SAMPLES = 8 };

/* Single precision, sums of hundreds of pairs: kJ/mol, and parts of the energy. */
#define ABSOLUTE_TOLERANCE 0.02
#define RELATIVE_TOLERANCE 1e-4

/* The oracle's terms of a pose. */
static enum berth_status score(const struct berth_target *target,
                               const struct berth_packed_conformer *conformer,
                               const struct berth_pose *pose, struct berth_terms *terms,
                               struct berth_error *error)
{
    static const double ORIGIN[3];
    struct berth_heavy_atoms placed = {.count = (size_t)conformer->device.atom_count};
    placed.atoms = berth_alloc(placed.count, sizeof *placed.atoms);
    if (!placed.atoms) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < placed.count; i++) {
        const struct berth_device_atom *atom = &conformer->atoms[i];
        const double from[3] = {atom->x, atom->y, atom->z};
        placed.atoms[i].type = atom->type;
        berth_transform_apply(&pose->transform, ORIGIN, from, placed.atoms[i].position);
        for (int k = 0; k < 3; k++) {
            placed.atoms[i].position[k] += target->site.center[k];
        }
    }
    *terms = berth_score_ref(target->forcefield, target->receptor, &placed);
    free(placed.atoms);
    return BERTH_OK;
}

enum berth_status docking_check(const struct docking_worker *worker,
                                const struct docking_slot *slot, struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    const size_t samples = slot->count < SAMPLES ? slot->count : SAMPLES;
    for (size_t k = 0; k < samples; k++) {
        const size_t i = k * slot->count / samples;
        if (!worker->counts[i]) {
            continue;
        }
        const struct berth_pose *pose = &worker->poses[i * setup->search.parents];
        struct berth_terms terms;
        enum berth_status status = score(&setup->target, &slot->conformers[i], pose, &terms, error);
        if (status) {
            return status;
        }
        const double given = berth_pose_energy(pose);
        const double size =
            fabs(terms.steric) + fabs(terms.electrostatic) + fabs(terms.desolvation);
        const double right = terms.steric + terms.electrostatic + terms.desolvation;
        if (!(fabs(given - right) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * size)) {
            const struct berth_device *device = &setup->devices[worker->number];
            return berth_fail(error, BERTH_E_RESULT,
                              "device %zu (%s) computes wrongly: it gave a pose %.4f kJ/mol, which "
                              "the reference gives %.4f; run `berth selftest`",
                              device->index, device->name, given, right);
        }
    }
    return BERTH_OK;
}

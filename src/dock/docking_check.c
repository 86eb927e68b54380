/* Holding what a device computed against the oracle: a device that computes wrongly is to be found,
 * not believed. */
#include <math.h>

#include "dock/docking_internal.h"
#include "dock/unpacked.h"
#include "dock/advice.h"

/* Conformers of a batch that are looked at: the oracle takes a millisecond each. */
enum { SAMPLES = 8 };

/* Single precision, sums of hundreds of pairs: in the function's unit, and parts of the energy. */
#define ABSOLUTE_TOLERANCE 0.02
#define RELATIVE_TOLERANCE 1e-4

/* The oracle's energy of a pose. */
static struct berth_flexible_energy score(const struct berth_target *target,
                                          struct berth_unpacked *ligand,
                                          const struct berth_pose *pose)
{
    berth_unpacked_place(ligand, pose, target->site.center);
    if (!ligand->flexible.far) {
        return (struct berth_flexible_energy){
            .terms = berth_score_ref(target->scoring, target->receptor, &ligand->placed)};
    }
    const struct berth_flexible_system system = {target->scoring, target->receptor,
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
    const struct berth_scoring *scoring = worker->docking->setup.targets[slot->target].scoring;
    char advice[BERTH_ADVICE_SIZE];
    berth_energy_advice(scoring, advice);
    return berth_fail(error, BERTH_E_RESULT,
                      "device %zu (%s)%s gave no finite energy for any of %zu conformers; %s",
                      device->index, device->name, berth_energy_blame(scoring), slot->count,
                      advice);
}

/* BERTH_E_RESULT where the device's energy of the best pose of conformer i is not the oracle's. */
static enum berth_status check_conformer(const struct docking_worker *worker,
                                         const struct docking_slot *slot, size_t i,
                                         struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    const struct berth_found *found = &worker->found;
    const struct berth_pose *pose = &found->poses[i * found->stride];
    struct berth_unpacked ligand;
    enum berth_status status = berth_unpack(&slot->conformers[i], &ligand, error);
    if (!status) {
        const struct berth_flexible_energy energy =
            score(&setup->targets[slot->target], &ligand, pose);
        const struct berth_terms *terms = &energy.terms;
        double size = 0;
        for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
            size += fabs(energy.parts[k]);
        }
        for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
            size += fabs(terms->values[k]);
        }
        const double given = berth_pose_total(pose), right = berth_flexible_total(&energy);
        if (!(fabs(given - right) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * size)) {
            const struct berth_device *device = &setup->devices[worker->number];
            const struct berth_scoring *scoring = setup->targets[slot->target].scoring;
            char advice[BERTH_ADVICE_SIZE];
            berth_energy_advice(scoring, advice);
            status = berth_fail(error, BERTH_E_RESULT,
                                "device %zu (%s)%s gave a pose %.4f %s, which the reference gives "
                                "%.4f; %s",
                                device->index, device->name, berth_energy_blame(scoring), given,
                                scoring->unit, right, advice);
        }
    }
    berth_unpacked_clear(&ligand);
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

#include "engine/judge.h"

#include <stdlib.h>

#include "base/memory.h"

struct berth_judge {
    struct berth_judge_setup setup;
    struct berth_refiner *refiner;
    struct berth_kernel *again; /* refine_again */
    struct berth_buffer *atoms; /* struct berth_device_atom [capacity]: the batch's, typed by the
                                   judge; NULL where it shares types */
    size_t capacity;
    struct berth_device_atom *host_atoms; /* owned: on their way to the device */
};

enum berth_status berth_judge_create(const struct berth_judge_setup *setup,
                                     struct berth_judge **judge, struct berth_error *error)
{
    struct berth_judge *made;
    BERTH_TRY(berth_make(judge, 1, sizeof *made, NULL, error));
    made = *judge;
    made->setup = *setup;
    struct berth_refine_setup refine = {.settings = berth_refine_defaults(),
                                        .conformers = setup->conformers};
    refine.settings.poses = setup->poses;
    refine.settings.evaluations = 1; /* where the poses are */
    refine.settings.torsions = setup->torsions;
    enum berth_status status =
        berth_refiner_create(setup->evaluator, &refine, &made->refiner, error);
    BERTH_THEN(berth_kernel_create(setup->evaluator->program, "refine_again", &made->again, error));
    if (status) {
        berth_judge_destroy(made);
        *judge = NULL;
    }
    return status;
}

void berth_judge_destroy(struct berth_judge *judge)
{
    if (judge) {
        berth_refiner_destroy(judge->refiner);
        berth_kernel_destroy(judge->again);
        berth_buffer_destroy(judge->atoms);
        free(judge->host_atoms);
        free(judge);
    }
}

/* Starts to send the batch's atoms with the judge's types. */
static enum berth_status send_atoms(struct berth_judge *judge, const struct berth_judged *judged,
                                    struct berth_error *error)
{
    const struct berth_batch *batch = judged->batch;
    struct berth_context *context = judge->setup.evaluator->context;
    const size_t size = sizeof *judge->host_atoms;
    if (judge->capacity < batch->atom_count) {
        berth_buffer_destroy(judge->atoms);
        judge->atoms = NULL;
        judge->capacity = 0;
        BERTH_TRY(berth_buffer_create(context, batch->atom_count * size, &judge->atoms, error));
        judge->capacity = batch->atom_count;
    }
    free(judge->host_atoms);
    BERTH_TRY(berth_make(&judge->host_atoms, batch->atom_count, size, NULL, error));
    struct berth_device_atom *at = judge->host_atoms;
    for (size_t c = 0; c < batch->count; c++) {
        const struct berth_packed_conformer *conformer = &judged->conformers[c];
        const size_t count = (size_t)conformer->device.atom_count;
        const berth_int32 *types = conformer->judged + judge->setup.number * count;
        for (size_t i = 0; i < count; i++) {
            *at = conformer->atoms[i];
            (at++)->type = types[i];
        }
    }
    return berth_buffer_start_write(judge->atoms, judge->host_atoms, batch->atom_count * size,
                                    error);
}

/* Starts to take the poses. */
static enum berth_status take(struct berth_judge *judge, const struct berth_judged *judged,
                              struct berth_error *error)
{
    const size_t conformers = judged->batch->count, poses = conformers * judge->setup.poses;
    if (!judged->refined) {
        return berth_refiner_take(judge->refiner, &judged->parents, conformers, error);
    }
    berth_kernel_set_buffer(judge->again, 0, judged->refined->records);
    berth_kernel_set_int(judge->again, 1, (int32_t)poses);
    berth_kernel_set_buffer(judge->again, 2, judge->refiner->records);
    return berth_kernel_launch(judge->again, poses, 1, 0, NULL, error);
}

enum berth_status berth_judge_start(struct berth_judge *judge, const struct berth_judged *judged,
                                    struct berth_event **event, struct berth_error *error)
{
    struct berth_batch batch = *judged->batch;
    if (!judge->setup.shares) {
        BERTH_TRY(send_atoms(judge, judged, error));
        batch.atoms = judge->atoms;
    }
    BERTH_TRY(take(judge, judged, error));
    BERTH_TRY(berth_refiner_run(judge->refiner, &batch, NULL, error));
    return berth_refiner_start_read(judge->refiner, batch.count, event, error);
}

const struct berth_device_refined *berth_judge_records(const struct berth_judge *judge)
{
    return judge->refiner->on_host;
}

float berth_judge_energy(const struct berth_judge *judge, size_t c, size_t pose)
{
    return berth_refined_energy(&judge->refiner->on_host[c * judge->setup.poses + pose]);
}

/* A file's molecules, prepared on the way by workers that stay. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "prep/ligands/ligands_internal.h"
#include "prep/ligands/repetitions.h"

/* Of the processor time for a molecule, what a file that Open Babel converts as a whole may take.
 */
enum { WHOLE_FILE = 10 };

struct berth_prepared_ligands {
    struct berth_ligand_workers *workers; /* borrowed */
    const atomic_bool *stop;              /* borrowed, or NULL */
    char *path;                           /* owned */
    const char *items[1];                 /* it, as inputs want it */
    struct berth_ligand_inputs inputs;
    const struct berth_log *log;  /* borrowed */
    struct berth_charges charges; /* of the ligands given so far */
    struct berth_repetitions repetitions;
    uint64_t records; /* read so far */
    size_t form;      /* of the oldest record, the next one */
    bool end;         /* behind the last record */
    bool broken;
};

/* --- The workers --- */

enum berth_status berth_ligand_workers_start(struct berth_ligand_workers *workers,
                                             struct berth_error *error)
{
    if (workers->queue) {
        return BERTH_OK;
    }
    workers->own = *workers->preparation;
    workers->own.cancel = &workers->cancel;
    workers->own.stop = workers->stop;
    enum berth_status status =
        berth_prepare_choose(&workers->own, &workers->builders, workers->log, error);
    BERTH_THEN(
        berth_ligand_queue_create(&workers->own, berth_processors(), &workers->queue, error));
    if (status) {
        berth_ligand_workers_clear(workers);
    }
    return status;
}

void berth_ligand_workers_clear(struct berth_ligand_workers *workers)
{
    atomic_store(&workers->cancel, true);
    berth_ligand_queue_destroy(workers->queue);
    berth_builders_end(&workers->builders);
    workers->queue = NULL;
    atomic_store(&workers->cancel, false);
}

/* Waits for what is under way, which is of no use any more. */
static void cancel_work(struct berth_ligand_workers *workers)
{
    atomic_store(&workers->cancel, true);
    berth_ligand_queue_drain(workers->queue);
    atomic_store(&workers->cancel, false);
}

/* --- The ligands --- */

enum berth_status berth_prepared_create(const struct berth_prepared_setup *setup,
                                        struct berth_prepared_ligands **ligands,
                                        struct berth_error *error)
{
    struct berth_prepared_ligands *made = *ligands = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_out_of_memory(error, setup->path);
    }
    made->workers = setup->workers;
    made->path = berth_copy_text(setup->path);
    if (!made->path) {
        return berth_out_of_memory(error, setup->path);
    }
    made->stop = setup->stop;
    made->log = setup->log;
    made->items[0] = made->path;
    const struct berth_ligand_sources sources = {.items = made->items,
                                                 .count = 1,
                                                 .columns = setup->columns,
                                                 .limit = WHOLE_FILE *
                                                          setup->workers->preparation->limit,
                                                 .stop = setup->stop,
                                                 .log = setup->log};
    BERTH_TRY(berth_ligand_inputs_create(&sources, &made->inputs, error));
    return berth_ligand_workers_start(setup->workers, error);
}

/* Fills free slots. */
static void feed_workers(struct berth_prepared_ligands *ligands)
{
    struct berth_ligand_slot *slot;
    while (!ligands->end && (slot = berth_ligand_queue_free(ligands->workers->queue))) {
        slot->status = berth_ligand_inputs_next(&ligands->inputs, &slot->record, &slot->path,
                                                &ligands->end, &slot->error);
        if (!ligands->end) {
            slot->consumed = ++ligands->records;
            berth_ligand_queue_push(ligands->workers->queue);
        }
    }
}

/* Moves the slot's next ligand into *ligand, or says why there is none; the slot is done with once
 * there is no further one. */
static enum berth_status move_ligand(struct berth_prepared_ligands *ligands,
                                     struct berth_ligand_slot *slot,
                                     struct berth_library_ligand *ligand, struct berth_error *error)
{
    struct berth_form *form = slot->status ? NULL : &slot->prepared.forms[ligands->form];
    const size_t number = ligands->form;
    ligands->form += form != NULL;
    if (form && !form->status) {
        berth_ligand_slot_remark(slot, number, ligands->log);
        ligands->charges.ligands++;
        ligands->charges.changed += form->recharged;
        *ligand = form->ligand;
        memset(&form->ligand, 0, sizeof form->ligand);
        ligand->record = slot->record.number;
        berth_library_ligand_round(ligand);
        /* Says what the ligand has in common with an earlier one. */
        struct berth_repetitions *repetitions = &ligands->repetitions;
        struct berth_first_ligand first;
        BERTH_TRY(berth_repetitions_name(repetitions, ligand, ligands->log, error));
        BERTH_TRY(berth_repetitions_find(repetitions, ligand, false, &first, error));
        berth_repetitions_tell(ligand, &first, "", ligands->log);
        return BERTH_OK;
    }
    *error = form ? form->error : slot->error;
    berth_ligand_slot_place(slot, error);
    ligands->broken = !slot->record.line;
    ligand->ligand.name = slot->record.title ? berth_copy_text(slot->record.title) : NULL;
    ligand->record = ligands->broken ? 0 : slot->record.number;
    return form ? form->status : slot->status;
}

enum berth_status berth_prepared_next(struct berth_prepared_ligands *ligands,
                                      struct berth_library_ligand *ligand, bool *end,
                                      struct berth_error *error)
{
    memset(ligand, 0, sizeof *ligand);
    *end = false;
    for (;;) {
        if (ligands->stop && atomic_load(ligands->stop)) {
            return berth_fail(error, BERTH_E_USAGE, "interrupted");
        }
        feed_workers(ligands);
        struct berth_ligand_slot *slot = berth_ligand_queue_oldest(ligands->workers->queue);
        if (slot) {
            const enum berth_status status = move_ligand(ligands, slot, ligand, error);
            if (ligands->form >= slot->prepared.count) {
                ligands->form = 0;
                berth_ligand_queue_pop(ligands->workers->queue);
            }
            return status;
        }
        if (ligands->end && berth_ligand_queue_is_empty(ligands->workers->queue)) {
            berth_charges_tell(&ligands->charges, ligands->workers->own.ph, ligands->log);
            ligands->charges.changed = 0; /* said once */
            *end = ligands->records > 0;
            ligands->broken = !*end;
            ligands->records += !*end; /* said once */
            return *end ? BERTH_OK
                        : berth_fail(error, BERTH_E_FORMAT, "%s: no molecule", ligands->path);
        }
    }
}

const char *berth_prepared_rdkit(const struct berth_prepared_ligands *ligands)
{
    const struct berth_ligand_workers *workers = ligands->workers;
    return workers->own.rdkit ? workers->builders.rdkit.version : NULL;
}

bool berth_prepared_is_broken(const struct berth_prepared_ligands *ligands)
{
    return ligands->broken;
}

void berth_prepared_destroy(struct berth_prepared_ligands *ligands)
{
    if (ligands) {
        struct berth_ligand_workers *workers = ligands->workers;
        const bool taken = !workers->queue || berth_ligand_queue_is_empty(workers->queue);
        if (!taken) {
            cancel_work(workers);
        }
        /* what was prepared and not taken would be among the numbers */
        berth_builders_tell(&workers->builders, taken ? ligands->log : NULL);
        berth_ligand_inputs_clear(&ligands->inputs);
        berth_repetitions_clear(&ligands->repetitions);
        free(ligands->path);
        free(ligands);
    }
}

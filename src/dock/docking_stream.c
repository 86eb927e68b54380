/* Opening and driving the devices: each has a thread that takes conformers, keeps two batches on
 * their way, and gives back what was found.  What a device had when it failed goes to the others.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/locale.h"
#include "base/memory.h"
#include "dock/advice.h"
#include "dock/docking_internal.h"
#include "dock/placed.h"

/* --- A device: its kernels, and searches for two batches --- */

/* Half edges (Å) beyond which an expanded square of a distance loses too many digits. */
#define EXPANDED_REACH 60.0

static void close_searches(struct docking_worker *worker)
{
    for (int i = 0; i < BERTH_IN_FLIGHT; i++) {
        struct docking_slot *slot = &worker->slots[i];
        for (size_t t = 0; t < worker->docking->setup.target_count; t++) {
            worker->met += berth_pool_met(slot->searches[t]);
            berth_pool_destroy(slot->searches[t]);
        }
        free(slot->conformers);
        free(slot->tags);
        memset(slot, 0, sizeof *slot);
    }
    berth_found_clear(&worker->found);
}

/* Opens the slot's search of each receptor; the second slot's run beside the first one's. */
static enum berth_status open_slot(const struct docking_worker *worker,
                                   const struct berth_search_settings *search,
                                   struct docking_slot *slot, struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    const struct docking_slot *first = &worker->slots[0];
    for (size_t t = 0; t < setup->target_count; t++) {
        const double *size = setup->targets[t].site.size;
        const struct berth_pool_setup pool = {.evaluator = worker->evaluators[t],
                                              .size = {size[0], size[1], size[2]},
                                              .search = *search,
                                              .judges = &worker->judges[t],
                                              .first = slot == first ? NULL : first->searches[t]};
        BERTH_TRY(berth_pool_create(&pool, &slot->searches[t], error));
        if (worker->counters[t]) {
            BERTH_TRY(berth_pool_count_with(slot->searches[t], worker->counters[t], error));
        }
    }
    return BERTH_OK;
}

/* The same for batches of just this many. */
static enum berth_status open_searches_of(struct docking_worker *worker, size_t batch,
                                          struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    struct berth_search_settings search = setup->search;
    search.batch = batch;
    search.stop = setup->stop;
    pthread_mutex_lock(&worker->docking->lock);
    worker->batch = batch;
    pthread_mutex_unlock(&worker->docking->lock);
    for (int i = 0; i < BERTH_IN_FLIGHT; i++) {
        struct docking_slot *slot = &worker->slots[i];
        BERTH_TRY(open_slot(worker, &search, slot, error));
        BERTH_TRY(berth_make(&slot->conformers, batch, sizeof *slot->conformers, NULL, error));
        BERTH_TRY(berth_make(&slot->tags, batch, sizeof *slot->tags, NULL, error));
    }
    return berth_found_create(&search, batch, &worker->found, error);
}

/* Opens the worker's searches for batches of this many conformers, or of half, a quarter ... where
 * the device's memory does not suffice and the user gave no size.  Errors: as
 * berth_search_create. */
static enum berth_status open_searches(struct docking_worker *worker, size_t batch,
                                       struct berth_error *error)
{
    enum berth_status status = open_searches_of(worker, batch, error);
    while (status == BERTH_E_DEVICE_MEMORY && !worker->docking->setup.search.batch && batch > 1) {
        close_searches(worker);
        batch /= 2;
        status = open_searches_of(worker, batch, error);
    }
    return status;
}

/* The evaluators that judge what is found in a receptor. */
static enum berth_status open_judges(struct docking_worker *worker,
                                     const struct berth_variant *variant, size_t target,
                                     struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    struct berth_search_judges *judges = &worker->judges[target];
    for (; judges->count < setup->judge_count; judges->count++) {
        BERTH_TRY(berth_evaluator_create(worker->context, variant, setup->build_options,
                                         &setup->judges[target][judges->count],
                                         &judges->evaluators[judges->count], error));
        judges->numbers[judges->count] = judges->count + 1;
    }
    return BERTH_OK;
}

/* The evaluator of each receptor, its counter, and its judges. */
static enum berth_status open_evaluators(struct docking_worker *worker,
                                         const struct berth_variant *variant,
                                         struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    for (size_t t = 0; t < setup->target_count; t++) {
        BERTH_TRY(berth_evaluator_create(worker->context, variant, setup->build_options,
                                         &setup->targets[t], &worker->evaluators[t], error));
        if (setup->count_met) {
            BERTH_TRY(berth_evaluator_create(worker->context, variant, "-DBERTH_COUNT",
                                             &setup->targets[t], &worker->counters[t], error));
        }
        BERTH_TRY(open_judges(worker, variant, t, error));
    }
    return BERTH_OK;
}

enum berth_status docking_open_worker(struct docking_worker *worker, struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    const struct berth_device *device = &setup->devices[worker->number];
    struct berth_variant variant = berth_variant_with(device, &setup->variant);
    const double *size = setup->targets[0].site.size; /* the site is one */
    const double largest = fmax(fmax(size[0], size[1]), size[2]);
    if (largest / 2 > EXPANDED_REACH) {
        variant.expanded = 0;
    }
    if (setup->contexts) {
        worker->context = setup->contexts[worker->number];
        berth_context_use_queue(worker->context, 0);
    } else {
        BERTH_TRY(berth_context_create(device, &worker->context, error));
    }
    berth_context_tell(worker->context, setup->log);
    BERTH_TRY(open_evaluators(worker, &variant, error));
    const size_t fit = berth_search_fit(&setup->search, device);
    return open_searches(worker, setup->most && setup->most < fit ? setup->most : fit, error);
}

void docking_close_worker(struct docking_worker *worker)
{
    if (worker->hangs) {
        return; /* what belongs to it is lost: any call may wait for ever */
    }
    close_searches(worker);
    for (size_t t = 0; t < worker->docking->setup.target_count; t++) {
        berth_evaluator_destroy(worker->evaluators[t]);
        berth_evaluator_destroy(worker->counters[t]);
        for (size_t k = 0; k < worker->judges[t].count; k++) {
            berth_evaluator_destroy(worker->judges[t].evaluators[k]);
        }
    }
    if (!worker->docking->setup.contexts) {
        berth_context_destroy(worker->context);
    }
}

/* --- What a device computed, held against the oracle --- */

/* A device that computes wrongly is to be found, not believed.  Conformers of a batch that are
 * looked at: the oracle takes a millisecond each. */
enum { SAMPLES = 8 };

/* Single precision, sums of hundreds of pairs: in the function's unit, and parts of the energy. */
#define ABSOLUTE_TOLERANCE 0.02
#define RELATIVE_TOLERANCE 1e-4

/* The oracle's energy of a pose. */
static struct berth_flexible_energy oracle_energy(const struct berth_target *target,
                                                  const struct berth_packed_conformer *packed,
                                                  struct berth_placed *ligand,
                                                  const struct berth_pose *pose)
{
    berth_placed_place(ligand, pose, target->site.center);
    const struct berth_flexible_system system = {target->scoring,   target->receptor,
                                                 &ligand->flexible, &ligand->given,
                                                 target->places,    packed->restrained};
    if (ligand->flexible.far) {
        return berth_flexible_energy(&system, &ligand->placed);
    }
    struct berth_flexible_energy energy = {
        .terms = berth_score_ref(target->scoring, target->receptor, &ligand->placed)};
    energy.parts[BERTH_PART_RESTRAINT] = berth_flexible_restraint(&system, &ligand->placed);
    return energy;
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
    struct berth_placed ligand;
    enum berth_status status = berth_unpack(&slot->conformers[i], &ligand, error);
    if (!status) {
        const struct berth_flexible_energy energy =
            oracle_energy(&setup->targets[slot->target], &slot->conformers[i], &ligand, pose);
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
    berth_placed_clear(&ligand);
    return status;
}

/* BERTH_E_RESULT where poses of the worker's finished batch do not have the energies that the
 * oracle gives them. */
static enum berth_status check_batch(const struct docking_worker *worker,
                                     const struct docking_slot *slot, struct berth_error *error)
{
    const size_t samples = slot->count < SAMPLES ? slot->count : SAMPLES;
    BERTH_TRY(check_any(worker, slot, error));
    for (size_t k = 0; k < samples; k++) {
        const size_t i = k * slot->count / samples;
        if (worker->found.counts[i]) {
            BERTH_TRY(check_conformer(worker, slot, i, error));
        }
    }
    return BERTH_OK;
}

/* --- Driving the devices --- */

/* Several devices: no batch is to take longer than this (s), or than a full one takes the quickest
 * of them, so that in the end nobody waits long for a slow one. */
#define PACE 0.25

/* A device of whose speed nothing is known yet takes this part of a batch, where there are others
 * than it; and of the last conformers nobody takes a smaller part of a batch than LEAST. */
enum { FIRST = 16, LEAST = 8 };

static size_t in_flight(const struct docking_worker *worker)
{
    size_t slots = 0;
    for (int i = 0; i < BERTH_IN_FLIGHT; i++) {
        slots += worker->slots[i].count > 0;
    }
    return slots;
}

/* Ends the run with this error, unless it has one. */
static void end_run(struct berth_docking *docking, enum berth_status status,
                    const struct berth_error *error)
{
    pthread_mutex_lock(&docking->lock);
    if (!docking->status) {
        docking->status = status;
        docking->error = *error;
    }
    pthread_cond_broadcast(&docking->changed);
    pthread_mutex_unlock(&docking->lock);
}

/* Whether all devices that are left are of one kind, so that one is as quick as the other. */
static bool are_alike(const struct berth_docking *docking)
{
    const struct berth_device *first = NULL;
    bool alike = true;
    for (size_t i = 0; i < docking->worker_count; i++) {
        const struct berth_device *device = &docking->setup.devices[i];
        if (!docking->workers[i].lost) {
            first = first ? first : device;
            alike = alike && strcmp(device->name, first->name) == 0 &&
                    strcmp(device->platform, first->platform) == 0;
        }
    }
    return alike;
}

/* What the worker is to take into the slot, by what all devices did in their last batches.  The
 * lock is held. */
static struct berth_docking_load plan(const struct docking_worker *worker,
                                      const struct docking_slot *slot)
{
    const struct berth_docking *docking = worker->docking;
    struct berth_docking_load load = {.conformers = slot->conformers,
                                      .tags = slot->tags,
                                      .room = worker->batch,
                                      .share = 1,
                                      .least = 1 + (worker->batch - 1) / LEAST,
                                      .losses = docking->losses};
    if (docking->alive < 2) {
        return load;
    }
    if (are_alike(docking)) {
        load.share = 1.0 / (double)docking->alive / BERTH_IN_FLIGHT;
        return load;
    }
    const double rate = worker->rate > 0 ? worker->rate : 1;
    const struct docking_worker *quickest = worker;
    double sum = 0;
    for (size_t i = 0; i < docking->worker_count; i++) {
        const struct docking_worker *other = &docking->workers[i];
        if (!other->lost) {
            sum += other->rate > 0 && worker->rate > 0 ? other->rate : rate;
            quickest = other->rate > quickest->rate ? other : quickest;
        }
    }
    load.share = rate / sum / BERTH_IN_FLIGHT;
    load.room = 1 + (worker->batch - 1) / FIRST;
    if (worker->rate > 0) {
        const double pace = fmax(PACE, (double)quickest->batch / quickest->rate);
        load.room = (size_t)fmin(1 + pace * worker->rate, (double)worker->batch);
    }
    load.least = load.least < load.room ? load.least : load.room;
    return load;
}

/* Leaves a slot's conformers to whoever comes next.  The lock is held. */
static enum berth_status add_redo(struct berth_docking *docking, const struct docking_slot *slot,
                                  struct berth_error *error)
{
    if (!slot->count) {
        return BERTH_OK;
    }
    struct docking_redo *redo = &docking->redo[slot->target];
    const size_t needed = redo->count + slot->count;
    size_t capacity = redo->capacity; /* both arrays have this one */
    BERTH_TRY(berth_reserve(&redo->tags, &capacity, needed, sizeof *redo->tags, error));
    BERTH_TRY(
        berth_reserve(&redo->conformers, &redo->capacity, needed, sizeof *redo->conformers, error));
    memcpy(redo->conformers + redo->count, slot->conformers,
           slot->count * sizeof *slot->conformers);
    memcpy(redo->tags + redo->count, slot->tags, slot->count * sizeof *slot->tags);
    redo->count = needed;
    return BERTH_OK;
}

/* What lost devices left for one receptor; NULL: there is nothing.  The lock is held. */
static struct docking_redo *find_redo(struct berth_docking *docking)
{
    for (size_t t = 0; t < docking->setup.target_count; t++) {
        if (docking->redo[t].count) {
            return &docking->redo[t];
        }
    }
    return NULL;
}

/* Takes back what a lost device left.  The lock is held. */
static void take_redo(struct berth_docking *docking, struct docking_redo *redo,
                      struct docking_slot *slot, size_t room)
{
    const size_t count = redo->count < room ? redo->count : room;
    redo->count -= count;
    memcpy(slot->conformers, redo->conformers + redo->count, count * sizeof *slot->conformers);
    memcpy(slot->tags, redo->tags + redo->count, count * sizeof *slot->tags);
    slot->count = count;
    slot->target = (size_t)(redo - docking->redo);
}

/* Leaves the slot's conformers behind the first of another size class to a batch of their own.  The
 * lock is held. */
static enum berth_status part_sizes(struct berth_docking *docking, struct docking_slot *slot,
                                    struct berth_error *error)
{
    const size_t like = berth_count_alike(slot->conformers, slot->count);
    struct docking_slot rest = {.conformers = slot->conformers + like,
                                .tags = slot->tags + like,
                                .target = slot->target,
                                .count = slot->count - like};
    slot->count = like;
    return add_redo(docking, &rest, error);
}

/* Fills the slot; with wait, until there is something to do or never will be.  The slot stays empty
 * where there is nothing.  A batch is counted as busy from before it is asked for, so that nobody
 * leaves while another device may yet fail and leave it to them. */
static enum berth_status take_batch(struct docking_worker *worker, struct docking_slot *slot,
                                    bool wait, struct berth_error *error)
{
    struct berth_docking *docking = worker->docking;
    const struct berth_docking_stream *stream = docking->stream;
    pthread_mutex_lock(&docking->lock);
    slot->target = 0;
    while (!slot->count && !docking->status) {
        struct docking_redo *redo = find_redo(docking);
        if (redo) {
            take_redo(docking, redo, slot, plan(worker, slot).room);
            docking->busy++;
        } else if (!docking->ended) {
            const struct berth_docking_load load = plan(worker, slot);
            bool end = false;
            docking->busy++;
            pthread_mutex_unlock(&docking->lock);
            slot->count = stream->take(stream->context, &load, wait, &end);
            pthread_mutex_lock(&docking->lock);
            docking->busy -= !slot->count;
            docking->ended = docking->ended || end;
            pthread_cond_broadcast(&docking->changed);
            if (!wait) {
                break;
            }
        } else if (wait && docking->busy) {
            pthread_cond_wait(&docking->changed, &docking->lock);
        } else {
            break;
        }
    }
    const enum berth_status status = part_sizes(docking, slot, error);
    pthread_cond_broadcast(&docking->changed);
    pthread_mutex_unlock(&docking->lock);
    return status;
}

/* The slot's batch is to be docked to the next receptor, where its side chains move beside that
 * one's. */
static void go_on(struct docking_slot *slot)
{
    for (size_t i = 0; i < slot->count; i++) {
        const struct berth_packed_conformer *next = slot->conformers[i].next;
        if (next) {
            const berth_uint32 again = slot->conformers[i].device.again;
            slot->conformers[i] = *next;
            slot->conformers[i].device.again = again;
        }
    }
}

/* The slot's batch is docked to its receptor: the next one is its next, or it is free. */
static void release(struct docking_worker *worker, struct docking_slot *slot)
{
    struct berth_docking *docking = worker->docking;
    const size_t targets = docking->setup.target_count;
    const double seconds = fmax(berth_now() - slot->started, 1e-9);
    pthread_mutex_lock(&docking->lock);
    /* Batches on their way share the device, or wait for each other. */
    worker->rate = (double)(in_flight(worker) * slot->count) / seconds / (double)targets;
    if (++slot->target == targets) {
        slot->count = 0;
        docking->busy--;
    }
    go_on(slot);
    pthread_cond_broadcast(&docking->changed);
    pthread_mutex_unlock(&docking->lock);
}

/* Whether the run is to go on.  Where it is not, nobody waits for what is on its way. */
static enum berth_status ask_whether_to_go_on(struct docking_worker *worker,
                                              struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    const enum berth_status status = berth_check_stop(setup->stop, error);
    worker->hangs = worker->hangs || (status && in_flight(worker));
    return status;
}

/* Waits for the slot's batch, but not for ever: BERTH_E_DEVICE where it takes implausibly long. */
static enum berth_status wait_patiently(struct docking_worker *worker,
                                        const struct docking_slot *slot, struct berth_error *error)
{
    const struct timespec pause = {.tv_nsec = 200000};
    const double start = berth_now();
    const double patience =
        worker->docking->setup.patience > 0 ? worker->docking->setup.patience : INFINITY;
    bool ended = false;
    enum berth_status status = berth_pool_poll(slot->searches[slot->target], &ended, error);
    while (!status && !ended && berth_now() - start <= patience) {
        nanosleep(&pause, NULL);
        status = ask_whether_to_go_on(worker, error);
        BERTH_THEN(berth_pool_poll(slot->searches[slot->target], &ended, error));
    }
    if (!status && !ended) {
        const struct berth_device *device = &worker->docking->setup.devices[worker->number];
        worker->hangs = true;
        return berth_fail_option(
            error, BERTH_E_DEVICE, "batch",
            "device %zu (%s) has not finished a batch of %zu conformers in %g s: it "
            "hangs, or needs more time or smaller batches",
            device->index, device->name, slot->count, patience);
    }
    return status;
}

/* Waits for the slot's batch and gives its results. */
static enum berth_status finish_batch(struct docking_worker *worker, struct docking_slot *slot,
                                      struct berth_error *error)
{
    const struct berth_docking *docking = worker->docking;
    const struct berth_found *found = &worker->found;
    const bool polls = docking->setup.patience > 0 || docking->setup.stop;
    BERTH_TRY(polls ? wait_patiently(worker, slot, error) : BERTH_OK);
    BERTH_TRY(berth_pool_finish(slot->searches[slot->target], &worker->found, error));
    const size_t every = docking->setup.check_every;
    if (every && worker->batches % every == 0) {
        BERTH_TRY(check_batch(worker, slot, error));
    }
    worker->batches++;
    for (size_t i = 0; i < slot->count; i++) {
        const struct berth_docked_conformer docked = {.conformer = &slot->conformers[i],
                                                      .tag = slot->tags[i],
                                                      .poses = found->poses + i * found->stride,
                                                      .evaluations = found->evaluations[i],
                                                      .count = found->counts[i],
                                                      .device = worker->number,
                                                      .target = slot->target};
        docking->stream->give(docking->stream->context, &docked);
    }
    release(worker, slot);
    return BERTH_OK;
}

/* Leaves what is on its way on a device to whoever comes next. */
static enum berth_status set_aside(struct docking_worker *worker, struct berth_error *error)
{
    struct berth_docking *docking = worker->docking;
    enum berth_status status = BERTH_OK;
    pthread_mutex_lock(&docking->lock);
    for (int i = 0; !status && i < BERTH_IN_FLIGHT; i++) {
        struct docking_slot *slot = &worker->slots[i];
        status = add_redo(docking, slot, error);
        if (!status && slot->count) {
            slot->count = 0;
            docking->busy--;
        }
    }
    pthread_cond_broadcast(&docking->changed);
    pthread_mutex_unlock(&docking->lock);
    return status;
}

/* The device is not to be used any more; the run goes on where it has others and its owner wants it
 * to. */
static enum berth_status lose(struct docking_worker *worker, enum berth_status why,
                              struct berth_error *error)
{
    struct berth_docking *docking = worker->docking;
    const struct berth_docking_stream *stream = docking->stream;
    pthread_mutex_lock(&docking->lock);
    worker->lost = true;
    const size_t left = --docking->alive;
    pthread_mutex_unlock(&docking->lock);
    if (!left || !stream->lose) {
        return why;
    }
    const struct berth_error reason = *error;
    const enum berth_status status = set_aside(worker, error);
    /* In this order: who does not see what was set aside has not counted this loss. */
    pthread_mutex_lock(&docking->lock);
    docking->losses++;
    pthread_mutex_unlock(&docking->lock);
    stream->lose(stream->context, worker->number, &reason);
    return status;
}

/* After an error: true where the worker can go on. */
static bool recover(struct docking_worker *worker, enum berth_status why, struct berth_error *error)
{
    struct berth_docking *docking = worker->docking;
    enum berth_status status = why;
    if (why == BERTH_E_DEVICE_MEMORY && !docking->setup.search.batch && worker->batch > 1) {
        status = set_aside(worker, error);
        if (!status) {
            const size_t half = worker->batch / 2;
            close_searches(worker);
            status = open_searches(worker, half, error);
        }
    }
    if (status == BERTH_E_DEVICE || status == BERTH_E_DEVICE_MEMORY || status == BERTH_E_RESULT) {
        status = lose(worker, status, error);
    }
    if (status) {
        end_run(docking, status, error);
    }
    return !status && !worker->lost;
}

/* One step for a slot: finishes what is in it and starts what comes next: the same conformers in
 * the next receptor, or others in the first. */
static enum berth_status turn_over(struct docking_worker *worker, struct docking_slot *slot,
                                   struct berth_error *error)
{
    enum berth_status status = slot->count ? finish_batch(worker, slot, error) : BERTH_OK;
    BERTH_THEN(ask_whether_to_go_on(worker, error));
    if (!status && !slot->count) {
        status = take_batch(worker, slot, !in_flight(worker), error);
    }
    if (!status && slot->count) {
        slot->started = berth_now();
        status =
            berth_pool_start(slot->searches[slot->target], slot->conformers, slot->count, error);
        if (status) {
            struct berth_error ignored;
            ask_whether_to_go_on(worker, &ignored); /* it may be what ended the start */
        }
    }
    return status;
}

static void *work(void *argument)
{
    BERTH_IN_C_LOCALE;
    struct docking_worker *worker = argument;
    int next = 0;
    bool going = true;
    while (going) {
        struct berth_error error;
        const enum berth_status status = turn_over(worker, &worker->slots[next], &error);
        next = (next + 1) % BERTH_IN_FLIGHT;
        /* An empty slot beside a full one: nothing was there at the moment. */
        going = status ? recover(worker, status, &error) : in_flight(worker) > 0;
    }
    return NULL;
}

/* What a run that ended early left. */
static void clear_run(struct berth_docking *docking)
{
    docking->stream = NULL;
    for (size_t t = 0; t < docking->setup.target_count; t++) {
        docking->redo[t].count = 0;
    }
    for (size_t i = 0; i < docking->worker_count; i++) {
        for (int k = 0; k < BERTH_IN_FLIGHT; k++) {
            docking->workers[i].slots[k].count = 0;
        }
    }
}

/* Starts a thread for every device but one, which is given back: it is driven from here.  NULL
 * where no device is left. */
static struct docking_worker *start_threads(struct berth_docking *docking)
{
    struct docking_worker *last = NULL;
    for (size_t i = 0; i < docking->worker_count; i++) {
        struct docking_worker *worker = &docking->workers[i];
        worker->threaded = false;
        if (worker->lost) {
            continue;
        }
        if (last) {
            last->threaded = pthread_create(&last->thread, NULL, work, last) == 0;
            pthread_mutex_lock(&docking->lock);
            docking->alive -= !last->threaded;
            pthread_mutex_unlock(&docking->lock);
        }
        last = worker;
    }
    return last;
}

enum berth_status berth_docking_run_stream(struct berth_docking *docking,
                                           const struct berth_docking_stream *stream,
                                           struct berth_error *error)
{
    docking->stream = stream;
    docking->status = BERTH_OK;
    docking->busy = docking->alive = docking->losses = 0;
    docking->ended = false;
    for (size_t i = 0; i < docking->worker_count; i++) {
        docking->alive += !docking->workers[i].lost;
    }
    struct docking_worker *here = start_threads(docking);
    if (!here) {
        return berth_fail(error, BERTH_E_DEVICE, "no device is left");
    }
    work(here);
    for (size_t i = 0; i < docking->worker_count; i++) {
        if (docking->workers[i].threaded) {
            pthread_join(docking->workers[i].thread, NULL);
        }
    }
    clear_run(docking);
    if (docking->status && error) {
        *error = docking->error;
    }
    return docking->status;
}

static enum berth_status run_docking(void *context, const struct berth_docking_stream *stream,
                                     struct berth_error *error)
{
    return berth_docking_run_stream(context, stream, error);
}

struct berth_stream_engine berth_docking_engine(struct berth_docking *docking)
{
    return (struct berth_stream_engine){docking, run_docking};
}

/* The workers of `berth prep ligands`: a ring of records, prepared in any order, taken in theirs.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/locale.h"
#include "base/memory.h"
#include "prep/ligands/ligands_internal.h"

/* A molecule that uses up its time limit holds the ring's end; the others go on meanwhile until the
 * ring is full. */
enum { SLOTS_PER_JOB = 64 };

/* s: how long to wait for the oldest before its asker tends to what else there is. */
#define PATIENCE 0.1

struct berth_ligand_queue {
    const struct berth_preparation *preparation; /* borrowed */
    pthread_mutex_t lock;
    pthread_cond_t pushed, finished;
    pthread_t *threads; /* owned; [thread_count] */
    size_t thread_count;
    size_t idle;                     /* of these threads: have no slot */
    size_t jobs;                     /* threads, at most */
    struct berth_ligand_slot *slots; /* owned; [size], a ring */
    size_t size;
    uint64_t first, next, end; /* the oldest; the next for a worker; behind the last */
    bool stop;
    double seconds; /* of processor time, of the threads that have ended */
};

static struct berth_ligand_slot *slot_of(const struct berth_ligand_queue *queue, uint64_t number)
{
    return &queue->slots[number % queue->size];
}

/* Takes this worker's part of the slots that wait for one, up to BERTH_AHEAD; how many.  Locked. */
static size_t take_slots(struct berth_ligand_queue *queue, struct berth_ligand_slot **slots)
{
    const uint64_t part = (queue->end - queue->next) / queue->jobs;
    const uint64_t most = part < 1 ? 1 : part < BERTH_AHEAD ? part : BERTH_AHEAD;
    size_t count = 0;
    while (count < most && queue->next < queue->end) {
        struct berth_ligand_slot *slot = slot_of(queue, queue->next++);
        if (!slot->done) {
            slots[count++] = slot;
        }
    }
    return count;
}

static void look_ahead(struct berth_preparer *preparer, struct berth_ligand_slot *const *slots,
                       size_t count)
{
    const struct berth_record *records[BERTH_AHEAD];
    for (size_t i = 0; i < count; i++) {
        records[i] = &slots[i]->record;
    }
    berth_prepare_ahead(preparer, records, count);
}

static void prepare_slot(const struct berth_ligand_queue *queue, struct berth_preparer *preparer,
                         struct berth_ligand_slot *slot)
{
    const atomic_bool *cancel = queue->preparation->cancel;
    slot->status =
        !preparer                  ? berth_out_of_memory(&slot->error, NULL)
        : berth_is_stopped(cancel) ? berth_fail(&slot->error, BERTH_E_IO, "cancelled")
        : slot->known ? berth_prepare_smiles(preparer, &slot->record, &slot->prepared, &slot->error)
                      : berth_prepare(preparer, &slot->record, &slot->prepared, &slot->error);
}

/* Waits for slots and takes them; 0 where the queue is to stop. */
static size_t wait_for_slots(struct berth_ligand_queue *queue, struct berth_ligand_slot **slots)
{
    size_t count = 0;
    pthread_mutex_lock(&queue->lock);
    while (!queue->stop && !(count = take_slots(queue, slots))) {
        pthread_cond_wait(&queue->pushed, &queue->lock);
    }
    queue->idle--;
    pthread_mutex_unlock(&queue->lock);
    return count;
}

/* Says that the slot, the last of those that the worker took, is done; false where the queue is to
 * stop. */
static bool finish_slot(struct berth_ligand_queue *queue, struct berth_ligand_slot *slot, bool last)
{
    pthread_mutex_lock(&queue->lock);
    slot->done = true;
    queue->idle += last;
    const bool stop = queue->stop;
    pthread_cond_signal(&queue->finished);
    pthread_mutex_unlock(&queue->lock);
    return !stop;
}

static void *work_on_slots(void *context)
{
    BERTH_IN_C_LOCALE;
    struct berth_ligand_queue *queue = context;
    struct berth_ligand_slot *slots[BERTH_AHEAD];
    struct berth_preparer *preparer; /* of this thread, which its processes die with */
    berth_preparer_create(queue->preparation, &preparer, NULL);
    size_t count;
    while ((count = wait_for_slots(queue, slots))) {
        if (preparer) {
            look_ahead(preparer, slots, count);
        }
        for (size_t i = 0; i < count; i++) {
            prepare_slot(queue, preparer, slots[i]);
            if (!finish_slot(queue, slots[i], i + 1 == count)) {
                break;
            }
        }
    }
    pthread_mutex_lock(&queue->lock);
    queue->seconds += berth_thread_seconds();
    pthread_mutex_unlock(&queue->lock);
    berth_preparer_destroy(preparer);
    return NULL;
}

/* Starts another worker; 0, or why there is none.  Locked. */
static int start_worker(struct berth_ligand_queue *queue)
{
    const int code =
        pthread_create(&queue->threads[queue->thread_count], NULL, work_on_slots, queue);
    queue->thread_count += !code;
    queue->idle += !code;
    return code;
}

enum berth_status berth_ligand_queue_create(const struct berth_preparation *preparation,
                                            size_t jobs, struct berth_ligand_queue **queue,
                                            struct berth_error *error)
{
    BERTH_TRY(berth_make(queue, 1, sizeof **queue, NULL, error));
    struct berth_ligand_queue *made = *queue;
    made->preparation = preparation;
    made->jobs = jobs;
    made->size = jobs * SLOTS_PER_JOB;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->pushed, NULL);
    berth_condition_create(&made->finished);
    BERTH_TRY(berth_make(&made->slots, made->size, sizeof *made->slots, NULL, error));
    BERTH_TRY(berth_make(&made->threads, jobs, sizeof *made->threads, NULL, error));
    pthread_mutex_lock(&made->lock);
    const int code = start_worker(made);
    pthread_mutex_unlock(&made->lock);
    return code ? berth_fail_option(error, BERTH_E_IO, "jobs",
                                    "cannot start a thread: %s; give fewer jobs", strerror(code))
                : BERTH_OK;
}

/* Only one thread pushes and pops: `first` and `end` change under its own hands. */
struct berth_ligand_slot *berth_ligand_queue_free(struct berth_ligand_queue *queue)
{
    return queue->end - queue->first < queue->size ? slot_of(queue, queue->end) : NULL;
}

void berth_ligand_queue_push(struct berth_ligand_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    struct berth_ligand_slot *slot = slot_of(queue, queue->end++);
    slot->done = slot->status != BERTH_OK;
    /* where the machine has no further thread, those that there are do the work */
    if (queue->end - queue->next > queue->idle && queue->thread_count < queue->jobs &&
        start_worker(queue)) {
        queue->jobs = queue->thread_count;
    }
    pthread_cond_signal(&queue->pushed);
    pthread_mutex_unlock(&queue->lock);
}

struct berth_ligand_slot *berth_ligand_queue_oldest(struct berth_ligand_queue *queue)
{
    if (berth_ligand_queue_is_empty(queue)) {
        return NULL;
    }
    struct berth_ligand_slot *slot = slot_of(queue, queue->first);
    const double until = berth_now() + PATIENCE;
    pthread_mutex_lock(&queue->lock);
    while (!slot->done && berth_condition_await(&queue->finished, &queue->lock, until)) {
    }
    const bool done = slot->done;
    pthread_mutex_unlock(&queue->lock);
    return done ? slot : NULL;
}

void berth_ligand_slot_place(const struct berth_ligand_slot *slot, struct berth_error *error)
{
    if (slot->record.line && slot->record.text.count) {
        char place[PATH_MAX + 32];
        snprintf(place, sizeof place, "%s:%zu", slot->path, slot->record.line);
        berth_fail_in(error, place);
    }
}

/* True where one of the slot's forms before this one was made and has the remark, a line of theirs.
 */
static bool is_said(const struct berth_ligand_slot *slot, size_t form, const char *remark)
{
    for (size_t i = 0; i < form; i++) {
        if (!slot->prepared.forms[i].status && strstr(slot->prepared.forms[i].remark, remark)) {
            return true;
        }
    }
    return false;
}

void berth_charges_tell(const struct berth_charges *charges, double ph, const struct berth_log *log)
{
    if (charges->changed) {
        berth_note(log,
                   "%zu of %zu ligands have another charge than drawn, that at pH %g: smiles "
                   "beside input_smiles says which (keep_protonation of prep ligands or "
                   "Library.prepare leaves it)",
                   charges->changed, charges->ligands, ph);
    }
}

void berth_ligand_slot_remark(const struct berth_ligand_slot *slot, size_t form,
                              const struct berth_log *log)
{
    const struct berth_form *own = &slot->prepared.forms[form];
    if (slot->record.perceived && !form) {
        /* Says which bonds were perceived, so that a chemist sees where they are wrong. */
        const char *smiles = own->ligand.smiles;
        berth_warn(
            log, "perceived bonds",
            "%s: its file has no bond orders, which were perceived, and its tautomer guessed: "
            "it is docked, built anew, "
            "as %s; if "
            "that is wrong, give SMILES, SDF or Mol2 (in PDB and PDBQT, a line `REMARK SMILES "
            "...` will do)",
            slot->record.title, smiles ? smiles : "its file says");
    }
    for (const char *at = own->remark; *at; at += *at == '\n') {
        char kind[sizeof own->remark];
        const size_t size = strcspn(at, "\n");
        snprintf(kind, sizeof kind, "%.*s", (int)size, at);
        if (!is_said(slot, form, kind)) {
            berth_warn(log, kind, "%s: %s", slot->record.title, kind);
        }
        at += size;
    }
}

void berth_ligand_queue_pop(struct berth_ligand_queue *queue)
{
    struct berth_ligand_slot *slot = slot_of(queue, queue->first);
    pthread_mutex_lock(&queue->lock);
    queue->first++;
    queue->next = queue->next < queue->first ? queue->first : queue->next;
    pthread_mutex_unlock(&queue->lock);
    berth_record_clear(&slot->record);
    berth_prepared_clear(&slot->prepared);
    memset(slot, 0, sizeof *slot);
}

bool berth_ligand_queue_is_empty(const struct berth_ligand_queue *queue)
{
    return queue->first == queue->end;
}

void berth_ligand_queue_drain(struct berth_ligand_queue *queue)
{
    while (!berth_ligand_queue_is_empty(queue)) {
        if (berth_ligand_queue_oldest(queue)) {
            berth_ligand_queue_pop(queue);
        }
    }
}

double berth_ligand_queue_destroy(struct berth_ligand_queue *queue)
{
    if (!queue) {
        return 0;
    }
    pthread_mutex_lock(&queue->lock);
    queue->stop = true;
    pthread_cond_broadcast(&queue->pushed);
    pthread_mutex_unlock(&queue->lock);
    for (size_t i = 0; i < queue->thread_count; i++) {
        pthread_join(queue->threads[i], NULL);
    }
    const double seconds = queue->seconds;
    for (size_t i = 0; queue->slots && i < queue->size; i++) {
        berth_record_clear(&queue->slots[i].record);
        berth_prepared_clear(&queue->slots[i].prepared);
    }
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->pushed);
    pthread_cond_destroy(&queue->finished);
    free(queue->threads);
    free(queue->slots);
    free(queue);
    return seconds;
}

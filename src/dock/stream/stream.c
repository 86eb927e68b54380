#include "dock/stream/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/locale.h"
#include "base/memory.h"
#include "dock/advice.h"

/* --- The window --- */

/* Ligands in the window: enough for a slow device's batch to stay behind while fast ones go on. */
enum { LIGANDS_MAX = 65536 };

/* Conformers that wait for a device, and that hold all of their poses until their ligand's modes
 * are chosen (some 10 KB each), at least. */
enum { WAITING_MIN = 256, HELD_MIN = 4096 };

enum berth_status berth_window_create(const struct berth_devices *devices, size_t batch,
                                      struct berth_window **window, struct berth_error *error)
{
    struct berth_window *made;
    BERTH_TRY(berth_make(window, 1, sizeof *made, NULL, error));
    made = *window;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->room, NULL);
    pthread_cond_init(&made->work, NULL);
    berth_condition_create(&made->results);
    made->device_count = devices->count;
    made->devices = devices->devices;
    made->waiting_max = 2 * batch > WAITING_MIN ? 2 * batch : WAITING_MIN;
    made->held_max = 8 * batch > HELD_MIN ? 8 * batch : HELD_MIN;
    BERTH_TRY(berth_make(&made->docked, devices->count, sizeof *made->docked, NULL, error));
    return berth_make(&made->lost, devices->count, sizeof *made->lost, NULL, error);
}

static bool is_finished(const struct berth_stream_ligand *ligand)
{
    return ligand->failure || ligand->finished == berth_stream_dockings(ligand) * ligand->receptors;
}

static bool has_work(const struct berth_stream_ligand *ligand)
{
    return !ligand->failure && ligand->taken < berth_stream_dockings(ligand);
}

static bool is_full(const struct berth_window *window)
{
    return window->ligands >= LIGANDS_MAX || window->waiting >= window->waiting_max ||
           window->held >= window->held_max;
}

bool berth_window_add(struct berth_window *window, struct berth_stream_ligand *ligand)
{
    pthread_mutex_lock(&window->lock);
    while (!window->stopping && is_full(window)) {
        window->blocked = true;
        pthread_cond_broadcast(&window->work);
        pthread_cond_wait(&window->room, &window->lock);
    }
    window->blocked = window->starving = false;
    const bool added = !window->stopping;
    if (added) {
        *(window->last ? &window->last->next : &window->first) = ligand;
        window->last = ligand;
        window->ligands++;
        if (has_work(ligand)) {
            window->work_next = window->work_next ? window->work_next : ligand;
            window->waiting += berth_stream_dockings(ligand);
            window->held += berth_stream_dockings(ligand);
            pthread_cond_broadcast(&window->work);
        } else {
            pthread_cond_signal(&window->results);
        }
    }
    pthread_mutex_unlock(&window->lock);
    if (!added) {
        berth_stream_ligand_destroy(ligand);
    }
    return added;
}

/* Sets a flag, and wakes everybody. */
static void raise_flag(struct berth_window *window, bool *flag)
{
    pthread_mutex_lock(&window->lock);
    *flag = true;
    pthread_cond_broadcast(&window->room);
    pthread_cond_broadcast(&window->work);
    pthread_cond_broadcast(&window->results);
    pthread_mutex_unlock(&window->lock);
}

void berth_window_read(struct berth_window *window)
{
    raise_flag(window, &window->read);
}

void berth_window_stop(struct berth_window *window)
{
    raise_flag(window, &window->stopping);
}

bool berth_window_starve(struct berth_window *window)
{
    raise_flag(window, &window->starving);
    pthread_mutex_lock(&window->lock);
    const bool stopping = window->stopping;
    pthread_mutex_unlock(&window->lock);
    return stopping;
}

/* s: how long to wait for results before the sink tends to what else there is. */
#define PATIENCE 0.1

/* The ligands at the front that are finished, a list that the caller owns; waits a little for one.
 * *end: there will be no more. */
static struct berth_stream_ligand *pop(struct berth_window *window, bool *end)
{
    const double until = berth_now() + PATIENCE;
    bool patient = true;
    pthread_mutex_lock(&window->lock);
    while (patient && !window->ended && !(window->first && is_finished(window->first))) {
        patient = berth_condition_await(&window->results, &window->lock, until);
    }
    struct berth_stream_ligand *first = NULL, **link = &first;
    while (window->first && is_finished(window->first)) {
        *link = window->first;
        window->first = window->first->next;
        (*link)->next = NULL;
        window->ligands--;
        window->held -= (*link)->failure ? 0 : berth_stream_dockings(*link);
        link = &(*link)->next;
    }
    window->last = window->first ? window->last : NULL;
    *end = window->ended && !first;
    pthread_cond_signal(&window->room);
    pthread_mutex_unlock(&window->lock);
    return first;
}

/* The ligand's next conformer, and with which seed, as its first receptor sees it, which leads to
 * how others do. */
static struct berth_packed_conformer take_next(struct berth_stream_ligand *ligand)
{
    const size_t number = ligand->taken % ligand->result.conformer_count;
    const size_t seed = ligand->taken++ / ligand->result.conformer_count;
    const struct berth_packed_conformer *next = NULL;
    for (size_t v = ligand->packed_count; v-- > 0;) {
        struct berth_packed_conformer *conformer = &ligand->packed[v].conformers[number];
        conformer->device.conformers = (berth_int32)ligand->result.conformer_count;
        conformer->next = next;
        next = conformer;
    }
    struct berth_packed_conformer taken = ligand->packed->conformers[number];
    taken.device.again = (berth_uint32)seed;
    return taken;
}

/* Gives count waiting conformers away. */
static void hand_out(struct berth_window *window, const struct berth_docking_load *load,
                     size_t count)
{
    window->waiting -= count;
    for (size_t i = 0; i < count; i++) {
        struct berth_stream_ligand *ligand = window->work_next;
        load->conformers[i] = take_next(ligand);
        load->tags[i] = ligand;
        while (window->work_next && !has_work(window->work_next)) {
            window->work_next = window->work_next->next;
        }
    }
}

/* Batches are full until the library's end, where the devices share what is left by their speed. */
static size_t take_conformers(void *context, const struct berth_docking_load *load, bool wait,
                              bool *end)
{
    struct berth_window *window = context;
    pthread_mutex_lock(&window->lock);
    size_t count = 0;
    while (!count && !window->stopping) {
        const bool enough = window->waiting >= load->room || window->blocked || window->read ||
                            (window->starving && wait);
        if (window->waiting && enough) {
            const size_t part = (size_t)ceil(load->share * (double)window->waiting);
            const size_t share = part > load->least ? part : load->least;
            count = window->waiting < load->room ? window->waiting : load->room;
            count = window->read && share < count ? share : count;
        } else if (!wait || (window->read && !window->waiting) || window->losses > load->losses) {
            break;
        } else {
            pthread_cond_wait(&window->work, &window->lock);
        }
    }
    hand_out(window, load, count);
    *end = window->stopping || (window->read && !window->waiting);
    pthread_cond_signal(&window->room);
    pthread_mutex_unlock(&window->lock);
    return count;
}

/* Copies the poses of a conformer of the ligand; false when out of memory. */
static bool keep_poses(struct berth_docked_poses *found, const struct berth_stream_ligand *ligand,
                       const struct berth_docked_conformer *docked)
{
    const size_t count = docked->count;
    const struct berth_packed_conformer *conformer = docked->conformer;
    if (berth_make(&found->poses, count, sizeof *found->poses, NULL, NULL)) {
        return false;
    }
    memcpy(found->poses, docked->poses, count * sizeof *found->poses);
    for (size_t i = 0; i < count; i++) {
        found->poses[i].device = docked->device;
        if (conformer->torsional_term) {
            found->poses[i].terms.values[conformer->torsional_term] = (float)conformer->torsional;
        }
    }
    found->count = count;
    for (size_t i = 0; ligand->restraints && i < count; i++) {
        if (berth_restraints_measure(ligand->restraints, docked->target, ligand->center, conformer,
                                     &found->poses[i], NULL)) {
            return false;
        }
    }
    return true;
}

/* Whether a conformer without energy is to be named rather than the one that is: the first one in
 * the first receptor, whatever the order in which devices give them. */
static bool is_worse(const struct berth_stream_ligand *ligand, size_t number, size_t receptor)
{
    return !ligand->bad || number < ligand->bad ||
           (number == ligand->bad && receptor < ligand->bad_receptor);
}

static void take_poses(void *context, const struct berth_docked_conformer *docked)
{
    struct berth_window *window = context;
    struct berth_stream_ligand *ligand = docked->tag;
    const size_t number = docked->conformer->device.number;
    const size_t seed = docked->conformer->device.again;
    pthread_mutex_lock(&window->lock);
    const bool good =
        docked->count &&
        keep_poses(berth_stream_found(ligand, number - 1, seed, docked->target), ligand, docked);
    if (!good && is_worse(ligand, number, docked->target)) {
        ligand->bad = number;
        ligand->bad_device = docked->device;
        ligand->bad_receptor = docked->target;
    }
    window->docked[docked->device] += docked->target + 1 == ligand->receptors;
    window->atoms += docked->conformer->device.atom_count;
    window->evaluations += docked->evaluations;
    ligand->finished++;
    if (ligand == window->first && is_finished(ligand)) {
        pthread_cond_signal(&window->results);
    }
    pthread_mutex_unlock(&window->lock);
}

static void note_loss(void *context, size_t device, const struct berth_error *why)
{
    struct berth_window *window = context;
    berth_warn(window->log, "device", "%s; going on without this device", why->message);
    pthread_mutex_lock(&window->lock);
    window->lost[device] = 1;
    window->losses++;
    pthread_cond_broadcast(&window->work);
    pthread_mutex_unlock(&window->lock);
}

struct berth_docking_stream berth_window_stream(struct berth_window *window)
{
    return (struct berth_docking_stream){window, take_conformers, take_poses, note_loss};
}

void berth_window_destroy(struct berth_window *window)
{
    if (!window) {
        return;
    }
    while (window->first) {
        struct berth_stream_ligand *next = window->first->next;
        berth_stream_ligand_destroy(window->first);
        window->first = next;
    }
    pthread_mutex_destroy(&window->lock);
    pthread_cond_destroy(&window->room);
    pthread_cond_destroy(&window->work);
    pthread_cond_destroy(&window->results);
    free(window->docked);
    free(window->lost);
    free(window);
}

/* --- The stream --- */

/* A thread beside the caller's, and how it ended. */
struct side {
    struct berth_stream *stream;
    pthread_t thread;
    enum berth_status status;
    struct berth_error error;
};

static void *read_source(void *context)
{
    BERTH_IN_C_LOCALE;
    struct side *side = context;
    const struct berth_stream_source *source = &side->stream->source;
    struct berth_window *window = side->stream->window;
    side->status = source->read(source->context, window, &side->error);
    if (side->status) {
        berth_window_stop(window);
    }
    berth_window_read(window);
    return NULL;
}

static void *dock(void *context)
{
    BERTH_IN_C_LOCALE;
    struct side *side = context;
    struct berth_window *window = side->stream->window;
    const struct berth_docking_stream stream = berth_window_stream(window);
    const struct berth_stream_engine *engine = &side->stream->engine;
    side->status = engine->run(engine->context, &stream, &side->error);
    berth_window_stop(window);          /* a reader that waits for room need not any more */
    raise_flag(window, &window->ended); /* what is not finished will not be */
    return NULL;
}

/* A ligand of which a conformer got no energy has failed. */
static enum berth_status fail_without_energy(const struct berth_stream *stream,
                                             struct berth_stream_ligand *ligand,
                                             struct berth_error *error)
{
    char reason[BERTH_ADVICE_SIZE + 256], advice[BERTH_ADVICE_SIZE];
    const char *receptor = berth_receptor_name(stream->receptors, ligand->bad_receptor);
    berth_energy_advice(stream->scoring, advice);
    snprintf(reason, sizeof reason, "%s%sconformer %zu: the device (%s) gave no finite energy; %s",
             receptor, *receptor ? ": " : "", ligand->bad, stream->devices[ligand->bad_device].name,
             advice);
    return berth_stream_ligand_fail(ligand, reason, stream->log, error);
}

/* Hands a list of ligands on, and destroys them. */
static enum berth_status hand_on(const struct berth_stream *stream,
                                 struct berth_stream_ligand *ligand, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    while (ligand) {
        struct berth_stream_ligand *next = ligand->next;
        if (!status && ligand->bad) {
            status = fail_without_energy(stream, ligand, error);
        }
        BERTH_THEN(stream->sink.take(stream->sink.context, ligand, error));
        berth_stream_ligand_destroy(ligand);
        ligand = next;
    }
    return status;
}

static enum berth_status collect(const struct berth_stream *stream, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    bool end = false;
    while (!status && !end) {
        status = hand_on(stream, pop(stream->window, &end), error);
        BERTH_THEN(stream->sink.tend(stream->sink.context, end, error));
    }
    return status;
}

/* Starts the two threads.  On an error none runs. */
static enum berth_status start(struct side *reader, struct side *docker, struct berth_error *error)
{
    struct berth_window *window = reader->stream->window;
    if (pthread_create(&reader->thread, NULL, read_source, reader) != 0) {
        return berth_fail(error, BERTH_E_MEMORY, "cannot start a thread");
    }
    if (pthread_create(&docker->thread, NULL, dock, docker) != 0) {
        berth_window_stop(window);
        pthread_join(reader->thread, NULL);
        return berth_fail(error, BERTH_E_MEMORY, "cannot start a thread");
    }
    return BERTH_OK;
}

enum berth_status berth_stream_run(struct berth_stream *stream, struct berth_error *error)
{
    struct side reader = {.stream = stream}, docker = {.stream = stream};
    BERTH_TRY(start(&reader, &docker, error));
    enum berth_status status = collect(stream, error);
    berth_window_stop(stream->window);
    pthread_join(reader.thread, NULL);
    pthread_join(docker.thread, NULL);
    const struct side *failed = reader.status ? &reader : &docker;
    if (!status && failed->status) {
        *error = failed->error;
        status = failed->status;
    }
    return status;
}

/* --- A stream whose sink gets modes --- */

/* A run of a stream. */
struct run {
    struct berth_mode_stream *stream;
    bool stopped;
    char reason[BERTH_CLASH_REASON]; /* of a ligand whose modes are all left out */
};

/* Notes a ligand with too few modes; left_out: of its poses. */
static void note_few(struct berth_mode_stream *stream, const struct berth_modes *modes,
                     size_t left_out)
{
    struct berth_few_modes *few = &stream->few;
    const size_t wanted = stream->modes.choice.num_modes;
    if (modes->count < wanted) {
        few->ligands++;
        few->near += modes->near;
        few->beyond += modes->beyond;
        few->refined +=
            modes->count + modes->near + modes->beyond + modes->outside + left_out < wanted;
    }
}

/* Leaves out the modes that clash too much, and of what is left those beyond the number and the
 * range that were asked for of all receptors together; a ligand with no mode fails.  A model judges
 * what is kept. */
static enum berth_status keep(struct run *run, struct berth_stream_ligand *ligand,
                              struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_ranker *ranker = run->stream->modes.ranker;
    const struct berth_mode_choice *choice = &run->stream->modes.choice;
    const double highest = berth_modes_least(modes) + choice->energy_range;
    const size_t left_out =
        berth_modes_leave_out(modes, choice->max_clash, run->reason, &ligand->result.failure);
    run->stream->left_out += left_out;
    berth_modes_keep(modes, choice->num_modes, highest);
    note_few(run->stream, modes, left_out);
    return ranker ? berth_stream_ligand_rescore(ligand, ranker, modes, error) : BERTH_OK;
}

static enum berth_status take_ligand(void *context, struct berth_stream_ligand *ligand,
                                     struct berth_error *error)
{
    struct run *run = context;
    const struct berth_mode_sink *sink = &run->stream->sink;
    const bool failed = ligand->result.failure != NULL;
    struct berth_modes modes = {0};
    if (run->stopped) {
        return BERTH_OK;
    }
    enum berth_status status =
        failed ? BERTH_OK
               : berth_stream_ligand_choose(ligand, run->stream->kind, &run->stream->modes,
                                            run->stream->log, &modes, error);
    if (!status && (modes.count || modes.clashing)) {
        status = keep(run, ligand, &modes, error);
    }
    BERTH_THEN(sink->take(sink->context, ligand, ligand->result.failure ? NULL : &modes,
                          &run->stopped, error));
    if (run->stopped) {
        berth_window_stop(run->stream->window);
    }
    berth_modes_clear(&modes);
    return status;
}

static enum berth_status tend_sink(void *context, bool last, struct berth_error *error)
{
    struct run *run = context;
    const struct berth_mode_sink *sink = &run->stream->sink;
    (void)error;
    if (sink->tend && sink->tend(sink->context, run->stream->window, last)) {
        run->stopped = true;
        berth_window_stop(run->stream->window);
    }
    return BERTH_OK;
}

enum berth_status berth_mode_stream_run(struct berth_mode_stream *stream, struct berth_error *error)
{
    struct run run = {.stream = stream};
    berth_mode_stream_clear(stream);
    stream->left_out = 0;
    stream->few = (struct berth_few_modes){0};
    BERTH_TRY(berth_window_create(stream->devices, stream->batch, &stream->window, error));
    stream->window->log = stream->log;
    struct berth_stream all = {.engine = stream->engine,
                               .devices = stream->devices->devices,
                               .window = stream->window,
                               .source = stream->source,
                               .sink = {&run, take_ligand, tend_sink},
                               .receptors = stream->receptors,
                               .scoring = stream->modes.scoring,
                               .log = stream->log};
    return berth_stream_run(&all, error);
}

void berth_mode_stream_clear(struct berth_mode_stream *stream)
{
    berth_window_destroy(stream->window);
    stream->window = NULL;
}

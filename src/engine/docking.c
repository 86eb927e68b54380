#include "engine/docking.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Where a docking needs receptor atoms: within this of the box (Å).  Atoms interact up to about
 * 10 Å; a ligand's atoms may stand some Å outside the box that its centroid stays in. */
#define NEAR_SITE 15.0

/* Half edges (Å) beyond which an expanded square of a distance loses too many digits. */
#define EXPANDED_REACH 60.0

/* Batches that are on their way on a device: while the host looks at one, the device works on the
 * other. */
enum { IN_FLIGHT = 2 };

/* berth_docking_run is best given so many batches for each device, of so many conformers in all at
 * most: it ends with devices that have nothing to do. */
enum { ROUNDS = 8, BATCH_MAX = 8192 };

/* One opened device. */
struct worker {
    struct berth_docking *docking;
    struct berth_context *context;
    struct berth_evaluator *evaluator;
    struct berth_evaluator *counter; /* counts what the evaluator meets; NULL: nobody asks */
    struct berth_search *searches[IN_FLIGHT]; /* one batch each */
    pthread_t thread;
};

/* The conformers that the workers share out among themselves. */
struct job {
    const struct berth_packed_conformer *conformers;
    size_t count, next, share; /* share: conformers taken at a time, at most */
    struct berth_found *found;
    enum berth_status status;
    struct berth_error error; /* the first one */
};

struct berth_docking {
    struct worker *workers; /* owned; [worker_count] */
    size_t worker_count;
    struct berth_search_settings settings;
    enum berth_status (*check)(struct berth_error *error); /* or NULL */
    pthread_mutex_t lock;                                  /* guards job */
    struct job job;
};

static enum berth_status open_worker(struct worker *worker, const struct berth_docking_setup *setup,
                                     const struct berth_device *device, struct berth_error *error)
{
    struct berth_variant variant = berth_variant_with(device, &setup->variant);
    const double largest = fmax(fmax(setup->target.site.size[0], setup->target.site.size[1]),
                                setup->target.site.size[2]);
    if (largest / 2 > EXPANDED_REACH) {
        variant.expanded = 0;
    }
    enum berth_status status = berth_context_create(device, &worker->context, error);
    if (!status) {
        status = berth_evaluator_create(worker->context, &variant, setup->build_options,
                                        &setup->target, &worker->evaluator, error);
    }
    if (!status && setup->count_met) {
        status = berth_evaluator_create(worker->context, &variant, "-DBERTH_COUNT", &setup->target,
                                        &worker->counter, error);
    }
    for (int i = 0; !status && i < IN_FLIGHT; i++) {
        status = berth_search_create(worker->evaluator, setup->target.site.size, &setup->search,
                                     &worker->searches[i], error);
        if (!status && worker->counter) {
            status = berth_search_count_with(worker->searches[i], worker->counter, error);
        }
    }
    return status;
}

static void close_worker(struct worker *worker)
{
    for (int i = 0; i < IN_FLIGHT; i++) {
        berth_search_destroy(worker->searches[i]);
    }
    berth_evaluator_destroy(worker->evaluator);
    berth_evaluator_destroy(worker->counter);
    berth_context_destroy(worker->context);
}

static enum berth_status check_site(const struct berth_docking_setup *setup,
                                    struct berth_error *error)
{
    const struct berth_heavy_atoms *receptor = setup->target.receptor;
    const double *center = setup->target.site.center;
    for (size_t i = 0; i < receptor->count; i++) {
        double outside = 0;
        for (int k = 0; k < 3; k++) {
            outside = fmax(outside, fabs(receptor->atoms[i].position[k] - center[k]) -
                                        setup->target.site.size[k] / 2);
        }
        if (outside < NEAR_SITE) {
            return BERTH_OK;
        }
    }
    return berth_fail(error, BERTH_E_USAGE,
                      "no receptor atom lies within %g Å of the box about (%g, %g, %g): are centre "
                      "and receptor in the same frame?",
                      NEAR_SITE, center[0], center[1], center[2]);
}

enum berth_status berth_docking_create(const struct berth_docking_setup *setup,
                                       struct berth_docking **docking, struct berth_error *error)
{
    *docking = NULL;
    enum berth_status status = check_site(setup, error);
    if (status) {
        return status;
    }
    struct berth_docking *made = berth_alloc(1, sizeof *made);
    if (!made) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    pthread_mutex_init(&made->lock, NULL);
    made->settings = setup->search;
    made->check = setup->check;
    made->workers = berth_alloc(setup->device_count, sizeof *made->workers);
    if (!made->workers) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    while (!status && made->worker_count < setup->device_count) {
        struct worker *worker = &made->workers[made->worker_count];
        worker->docking = made;
        status = open_worker(worker, setup, &setup->devices[made->worker_count], error);
        made->worker_count++;
    }
    if (status) {
        berth_docking_destroy(made);
        return status;
    }
    *docking = made;
    return BERTH_OK;
}

struct berth_variant berth_docking_variant(const struct berth_docking *docking, size_t i)
{
    return berth_evaluator_variant(docking->workers[i].evaluator);
}

const struct berth_search_settings *berth_docking_settings(const struct berth_docking *docking)
{
    return &docking->settings;
}

size_t berth_docking_batch(const struct berth_docking *docking)
{
    size_t batch = 0;
    for (size_t i = 0; i < docking->worker_count; i++) {
        batch += berth_search_batch(docking->workers[i].searches[0]);
    }
    return ROUNDS * batch < BATCH_MAX ? ROUNDS * batch : batch > BATCH_MAX ? batch : BATCH_MAX;
}

/* Takes the next conformers of the job; 0 where there is nothing left to do. */
static size_t take(struct worker *worker, size_t *first)
{
    struct job *job = &worker->docking->job;
    pthread_mutex_lock(&worker->docking->lock);
    size_t share = berth_search_batch(worker->searches[0]);
    if (share > job->share) {
        share = job->share;
    }
    *first = job->next;
    if (job->status || share > job->count - job->next) {
        share = job->status ? 0 : job->count - job->next;
    }
    job->next += share;
    pthread_mutex_unlock(&worker->docking->lock);
    return share;
}

static void note_failure(struct worker *worker, enum berth_status status,
                         const struct berth_error *error)
{
    struct job *job = &worker->docking->job;
    pthread_mutex_lock(&worker->docking->lock);
    if (!job->status) {
        job->status = status;
        job->error = *error;
    }
    pthread_mutex_unlock(&worker->docking->lock);
}

/* Takes and starts batches while there are any, always one ahead of the one that is waited for. */
static void *work(void *argument)
{
    struct worker *worker = argument;
    const struct job *job = &worker->docking->job;
    size_t first[IN_FLIGHT], count[IN_FLIGHT] = {0};
    bool more = true;
    for (int slot = 0; more || count[slot]; slot = (slot + 1) % IN_FLIGHT) {
        struct berth_error error;
        enum berth_status status = BERTH_OK;
        if (count[slot]) {
            status = berth_search_finish(worker->searches[slot], job->found, first[slot], &error);
        }
        if (!status && worker->docking->check) {
            status = worker->docking->check(&error);
        }
        count[slot] = status ? 0 : take(worker, &first[slot]);
        more = count[slot] > 0;
        if (!status && more) {
            status = berth_search_start(worker->searches[slot], job->conformers + first[slot],
                                        count[slot], &error);
        }
        if (status) {
            note_failure(worker, status, &error);
            break;
        }
    }
    return NULL;
}

enum berth_status berth_docking_run(struct berth_docking *docking,
                                    const struct berth_packed_conformer *conformers, size_t count,
                                    struct berth_found *found, struct berth_error *error)
{
    const size_t workers = docking->worker_count;
    docking->job = (struct job){.conformers = conformers,
                                .count = count,
                                .share = (count + workers - 1) / workers,
                                .found = found};
    size_t started = 0;
    while (started + 1 < workers && pthread_create(&docking->workers[started].thread, NULL, work,
                                                   &docking->workers[started]) == 0) {
        started++;
    }
    work(&docking->workers[workers - 1]); /* the last device is driven from here */
    for (size_t i = 0; i < started; i++) {
        pthread_join(docking->workers[i].thread, NULL);
    }
    if (docking->job.status && error) {
        *error = docking->job.error;
    }
    return docking->job.status;
}

struct berth_traffic berth_docking_traffic(const struct berth_docking *docking)
{
    struct berth_traffic sum = {0};
    for (size_t i = 0; i < docking->worker_count; i++) {
        struct berth_traffic one = berth_context_traffic(docking->workers[i].context);
        sum.writes += one.writes;
        sum.reads += one.reads;
        sum.bytes_written += one.bytes_written;
        sum.bytes_read += one.bytes_read;
        sum.launches += one.launches;
    }
    return sum;
}

enum berth_status berth_docking_profile(struct berth_docking *docking,
                                        struct berth_profile *profile, double *busy,
                                        struct berth_error *error)
{
    memset(profile, 0, sizeof *profile);
    *busy = 1;
    for (size_t i = 0; i < docking->worker_count; i++) {
        struct berth_profile one;
        enum berth_status status = berth_context_profile(docking->workers[i].context, &one, error);
        if (status) {
            return status;
        }
        berth_profile_add(profile, &one);
        if (one.last > one.first) {
            *busy =
                fmin(*busy, berth_profile_seconds(&one) / (1e-9 * (double)(one.last - one.first)));
        }
    }
    return BERTH_OK;
}

double berth_docking_met(const struct berth_docking *docking)
{
    double met = 0;
    for (size_t i = 0; i < docking->worker_count; i++) {
        for (int k = 0; k < IN_FLIGHT; k++) {
            met += berth_search_met(docking->workers[i].searches[k]);
        }
    }
    return met;
}

void berth_docking_destroy(struct berth_docking *docking)
{
    if (!docking) {
        return;
    }
    for (size_t i = 0; i < docking->worker_count; i++) {
        close_worker(&docking->workers[i]);
    }
    pthread_mutex_destroy(&docking->lock);
    free(docking->workers);
    free(docking);
}

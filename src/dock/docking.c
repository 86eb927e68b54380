#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/advice.h"
#include "dock/docking_internal.h"

/* Where a docking needs receptor atoms: within this of the box (Å).  Atoms interact up to about
 * 10 Å; a ligand's atoms may stand some Å outside the box that its centroid stays in. */
#define NEAR_SITE 15.0

static enum berth_status check_site(const struct berth_target *target, struct berth_error *error)
{
    const struct berth_heavy_atoms *receptor = target->receptor;
    const double *center = target->site.center;
    for (size_t i = 0; i < receptor->count; i++) {
        if (berth_site_outside(&target->site, receptor->atoms[i].position) < NEAR_SITE) {
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
    for (size_t t = 0; t < setup->target_count; t++) {
        BERTH_TRY(check_site(&setup->targets[t], error));
    }
    struct berth_docking *made;
    BERTH_TRY(berth_make(&made, 1, sizeof *made, NULL, error));
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    made->setup = *setup;
    enum berth_status status =
        berth_make(&made->workers, setup->device_count, sizeof *made->workers, NULL, error);
    for (size_t t = 0; !status && t < setup->target_count; t++) {
        status = berth_receptor_shape_create(&setup->targets[t], &made->shapes[t], error);
    }
    while (!status && made->worker_count < setup->device_count) {
        struct docking_worker *worker = &made->workers[made->worker_count];
        worker->docking = made;
        worker->number = made->worker_count++;
        status = docking_open_worker(worker, error);
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
    return docking->workers[i].evaluators[0]->variant;
}

const struct berth_search_settings *berth_docking_settings(const struct berth_docking *docking)
{
    return &docking->setup.search;
}

const struct berth_receptor_shape *const *berth_docking_shapes(const struct berth_docking *docking)
{
    return (const struct berth_receptor_shape *const *)docking->shapes;
}

size_t berth_docking_batch_sum(const struct berth_docking *docking)
{
    size_t sum = 0;
    for (size_t i = 0; i < docking->worker_count; i++) {
        sum += docking->workers[i].batch;
    }
    return sum;
}

/* An array of conformers, as a stream. */
struct job {
    struct berth_docking *docking;
    const struct berth_packed_conformer *conformers;
    size_t count, next;
    struct berth_found *found;
};

/* A conformer's tag is its place in the array. */
static size_t take_from_array(void *context, const struct berth_docking_load *load, bool wait,
                              bool *end)
{
    (void)wait;
    struct job *job = context;
    pthread_mutex_lock(&job->docking->lock);
    const size_t left = job->count - job->next;
    const size_t share = (size_t)ceil(load->share * (double)job->count);
    size_t count = load->least > share ? load->least : share;
    count = load->room < count ? load->room : count;
    count = count < left ? count : left;
    const size_t first = job->next;
    job->next += count;
    *end = job->next == job->count;
    pthread_mutex_unlock(&job->docking->lock);
    memcpy(load->conformers, job->conformers + first, count * sizeof *load->conformers);
    for (size_t i = 0; i < count; i++) {
        load->tags[i] = job->found->counts + first + i;
    }
    return count;
}

static void give_to_array(void *context, const struct berth_docked_conformer *docked)
{
    struct berth_found *found = ((struct job *)context)->found;
    size_t *count = docked->tag;
    const size_t at = (size_t)(count - found->counts) * found->stride;
    *count = docked->count;
    found->evaluations[count - found->counts] = docked->evaluations;
    memcpy(found->poses + at, docked->poses, docked->count * sizeof *docked->poses);
}

enum berth_status berth_docking_run(struct berth_docking *docking,
                                    const struct berth_packed_conformer *conformers, size_t count,
                                    struct berth_found *found, struct berth_error *error)
{
    struct job job = {.docking = docking, .conformers = conformers, .count = count, .found = found};
    const struct berth_docking_stream stream = {
        .context = &job, .take = take_from_array, .give = give_to_array};
    enum berth_status status = berth_docking_run_stream(docking, &stream, error);
    for (size_t i = 0; !status && i < count; i++) {
        if (!found->counts[i]) {
            char advice[BERTH_ADVICE_SIZE];
            berth_energy_advice(docking->setup.targets[0].scoring, advice);
            status =
                berth_fail(error, BERTH_E_RESULT, "a device gave no finite energy; %s", advice);
        }
    }
    return status;
}

struct berth_traffic berth_docking_traffic(const struct berth_docking *docking)
{
    struct berth_traffic sum = {0};
    for (size_t i = 0; i < docking->worker_count; i++) {
        const struct berth_traffic one = berth_context_traffic(docking->workers[i].context);
        sum.writes += one.writes;
        sum.reads += one.reads;
        sum.bytes_written += one.bytes_written;
        sum.bytes_read += one.bytes_read;
        sum.launches += one.launches;
    }
    return sum;
}

enum berth_status berth_docking_times(struct berth_docking *docking, struct berth_profile *profile,
                                      double *busy, struct berth_error *error)
{
    memset(profile, 0, sizeof *profile);
    *busy = 1;
    for (size_t i = 0; i < docking->worker_count; i++) {
        struct berth_profile one;
        if (docking->workers[i].lost) {
            continue;
        }
        BERTH_TRY(berth_context_profile(docking->workers[i].context, &one, error));
        berth_profile_add(profile, &one);
        if (one.last > one.first) {
            *busy = fmin(*busy, (double)one.busy / (double)(one.last - one.first));
        }
    }
    return BERTH_OK;
}

double berth_docking_busy(struct berth_docking *docking)
{
    struct berth_profile ignored;
    struct berth_error why;
    double busy;
    return berth_docking_times(docking, &ignored, &busy, &why) ? (double)NAN : busy;
}

double berth_docking_met(const struct berth_docking *docking)
{
    double met = 0;
    for (size_t i = 0; i < docking->worker_count; i++) {
        const struct docking_worker *worker = &docking->workers[i];
        met += worker->met;
        for (size_t k = 0; k < BERTH_IN_FLIGHT * docking->setup.target_count; k++) {
            const struct docking_slot *slot = &worker->slots[k % BERTH_IN_FLIGHT];
            met += berth_pool_met(slot->searches[k / BERTH_IN_FLIGHT]);
        }
    }
    return met;
}

bool berth_docking_hangs(const struct berth_docking *docking)
{
    for (size_t i = 0; i < docking->worker_count; i++) {
        if (docking->workers[i].hangs) {
            return true;
        }
    }
    return false;
}

void berth_docking_destroy(struct berth_docking *docking)
{
    if (!docking) {
        return;
    }
    for (size_t i = 0; i < docking->worker_count; i++) {
        docking_close_worker(&docking->workers[i]);
    }
    pthread_mutex_destroy(&docking->lock);
    pthread_cond_destroy(&docking->changed);
    for (size_t t = 0; t < docking->setup.target_count; t++) {
        berth_receptor_shape_destroy(docking->shapes[t]);
        free(docking->redo[t].conformers);
        free(docking->redo[t].tags);
    }
    free(docking->workers);
    free(docking);
}

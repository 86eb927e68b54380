/* Opening a device for docking, and closing it: its kernels, and searches for two batches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/docking_internal.h"

/* Half edges (Å) beyond which an expanded square of a distance loses too many digits. */
#define EXPANDED_REACH 60.0

void docking_close_searches(struct docking_worker *worker)
{
    for (int i = 0; i < BERTH_IN_FLIGHT; i++) {
        struct docking_slot *slot = &worker->slots[i];
        for (size_t t = 0; t < worker->docking->setup.target_count; t++) {
            worker->met += slot->searches[t] ? berth_search_met(slot->searches[t]) : 0;
            berth_search_destroy(slot->searches[t]);
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
    enum berth_status status = BERTH_OK;
    for (size_t t = 0; !status && t < setup->target_count; t++) {
        status = slot == first
                     ? berth_search_create(worker->evaluators[t], setup->targets[t].site.size,
                                           search, &slot->searches[t], error)
                     : berth_search_create_beside(first->searches[t], &slot->searches[t], error);
        if (!status && worker->counters[t]) {
            status = berth_search_count_with(slot->searches[t], worker->counters[t], error);
        }
    }
    return status;
}

/* The same for batches of just this many. */
static enum berth_status open_searches_of(struct docking_worker *worker, size_t batch,
                                          struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    struct berth_search_settings search = setup->search;
    search.batch = batch;
    search.check = setup->check;
    pthread_mutex_lock(&worker->docking->lock);
    worker->batch = batch;
    pthread_mutex_unlock(&worker->docking->lock);
    enum berth_status status = BERTH_OK;
    for (int i = 0; !status && i < BERTH_IN_FLIGHT; i++) {
        struct docking_slot *slot = &worker->slots[i];
        status = open_slot(worker, &search, slot, error);
        if (!status) {
            slot->conformers = berth_alloc(batch, sizeof *slot->conformers);
            slot->tags = berth_alloc(batch, sizeof *slot->tags);
            if (!slot->conformers || !slot->tags) {
                status =
                    berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu conformers", batch);
            }
        }
    }
    return status ? status : berth_found_create(&search, batch, &worker->found, error);
}

enum berth_status docking_open_searches(struct docking_worker *worker, size_t batch,
                                        struct berth_error *error)
{
    enum berth_status status = open_searches_of(worker, batch, error);
    while (status == BERTH_E_DEVICE_MEMORY && !worker->docking->setup.search.batch && batch > 1) {
        docking_close_searches(worker);
        batch /= 2;
        status = open_searches_of(worker, batch, error);
    }
    return status;
}

/* The evaluator of each receptor, and its counter. */
static enum berth_status open_evaluators(struct docking_worker *worker,
                                         const struct berth_variant *variant,
                                         struct berth_error *error)
{
    const struct berth_docking_setup *setup = &worker->docking->setup;
    enum berth_status status = BERTH_OK;
    for (size_t t = 0; !status && t < setup->target_count; t++) {
        status = berth_evaluator_create(worker->context, variant, setup->build_options,
                                        &setup->targets[t], &worker->evaluators[t], error);
        if (!status && setup->count_met) {
            status = berth_evaluator_create(worker->context, variant, "-DBERTH_COUNT",
                                            &setup->targets[t], &worker->counters[t], error);
        }
    }
    return status;
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
    enum berth_status status = berth_context_create(device, &worker->context, error);
    BERTH_THEN(open_evaluators(worker, &variant, error));
    return status ? status
                  : docking_open_searches(worker, berth_search_fit(&setup->search, device), error);
}

void docking_close_worker(struct docking_worker *worker)
{
    if (worker->hangs) {
        return; /* what belongs to it is lost: any call may wait for ever */
    }
    docking_close_searches(worker);
    for (size_t t = 0; t < worker->docking->setup.target_count; t++) {
        berth_evaluator_destroy(worker->evaluators[t]);
        berth_evaluator_destroy(worker->counters[t]);
    }
    berth_context_destroy(worker->context);
}

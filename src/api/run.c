/* What runs that dock tell of themselves. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/memory.h"
#include "device/device.h"

enum berth_status berth_api_parts(const berth_receptor *const *receptors, size_t count,
                                  const berth_devices *devices, const berth_options *options,
                                  unsigned runs, struct berth_options *mine,
                                  struct berth_run_parts *parts, struct berth_error *error)
{
    memset(mine, 0, sizeof *mine);
    *parts = (struct berth_run_parts){.receptor_count = count, .devices = &devices->devices};
    if (count < 1 || count > BERTH_RECEPTORS_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "count: 1 to %d receptors, not %zu",
                          BERTH_RECEPTORS_MAX, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (!receptors[i]) {
            return berth_fail(error, BERTH_E_USAGE, "receptors[%zu] is NULL", i);
        }
        parts->receptors[i] = &receptors[i]->loaded;
    }
    return berth_options_of(options, runs, mine, &parts->options, error);
}

enum berth_status berth_api_run_describe(const struct berth_run *run, const struct berth_site *site,
                                         const struct berth_docking *docking,
                                         struct berth_api_run *told, struct berth_error *error)
{
    const struct berth_search_settings *search = berth_docking_settings(docking);
    const size_t count = run->devices.count;
    BERTH_TRY(berth_make(&told->devices, count, sizeof *told->devices, NULL, error));
    BERTH_TRY(berth_make(&told->shares, count, sizeof *told->shares, NULL, error));
    BERTH_TRY(berth_make(&told->variants, count, sizeof *told->variants, NULL, error));
    for (size_t i = 0; i < count; i++) {
        const struct berth_device *device = &run->devices.devices[i];
        const struct berth_variant variant = berth_docking_variant(docking, i);
        berth_variant_print(&variant, told->variants[i]);
        told->devices[i] =
            (struct berth_run_device){device->index, device->name, told->variants[i]};
        told->shares[i].number = device->index;
    }
    const struct berth_ensemble *receptors = &run->receptors;
    for (size_t i = 0; i < receptors->count; i++) {
        told->receptors[i] = berth_receptor_name(&receptors->names, i);
    }
    const struct berth_judges *judges = &run->ranker.names;
    for (size_t i = 0; i < judges->learned_count; i++) {
        told->learned[i] = judges->learned[i];
    }
    const struct berth_restraints *restraints = &run->restraints;
    told->facts = (struct berth_run_facts){.receptors = told->receptors,
                                           .receptor_count = receptors->count,
                                           .devices = told->devices,
                                           .device_count = count,
                                           .seed = search->seed,
                                           .seeds = run->options.seeds,
                                           .poses = run->level.poses,
                                           .generations = run->level.generations,
                                           .refine = search->refine.poses,
                                           .hops = search->refine.hops,
                                           .refine_torsions = search->refine.torsions,
                                           .maps = search->mapped.poses > 0,
                                           .learned = told->learned,
                                           .learned_count = judges->learned_count,
                                           .restraints = told->restraints,
                                           .radii = told->radii,
                                           .restraint_count = restraints->count,
                                           .metal_count = restraints->metals};
    for (size_t i = 0; i < restraints->count; i++) {
        const struct berth_restraint_rule *rule = &restraints->rules[i];
        told->restraints[i] = rule->text;
        told->radii[i] = restraints->places[0].places[rule->places[0]].radius;
        told->facts.required |= (unsigned)rule->required << i;
        told->facts.avoided |= (unsigned)rule->avoided << i;
    }
    memcpy(told->facts.center, site->center, sizeof told->facts.center);
    memcpy(told->facts.edges, site->size, sizeof told->facts.edges);
    told->progress.devices = told->shares;
    told->progress.device_count = count;
    return BERTH_OK;
}

void berth_api_run_watch(struct berth_api_run *run, struct berth_window *window, double pairs)
{
    struct berth_progress *progress = &run->progress;
    pthread_mutex_lock(&window->lock);
    progress->conformers = 0;
    for (size_t i = 0; i < progress->device_count && i < window->device_count; i++) {
        run->shares[i].conformers = window->docked[i];
        run->shares[i].lost = window->lost[i] != 0;
        progress->conformers += window->docked[i];
    }
    progress->interactions = window->atoms * pairs;
    progress->evaluations = window->evaluations;
    pthread_mutex_unlock(&window->lock);
}

enum berth_status
berth_api_profile(struct berth_docking *docking,
                  void (*take)(void *context, const struct berth_kernel_profile *kernel),
                  void *context, struct berth_device_use *use, struct berth_error *error)
{
    struct berth_profile profile;
    const struct berth_traffic traffic = berth_docking_traffic(docking);
    const enum berth_status status = berth_docking_times(docking, &profile, &use->busy, error);
    use->bytes_written = traffic.bytes_written;
    use->bytes_read = traffic.bytes_read;
    for (size_t i = 0; !status && i < profile.kernel_count; i++) {
        const struct berth_kernel_time *time = &profile.kernels[i];
        const struct berth_kernel_profile kernel = {time->kernel, time->launches,
                                                    1e-9 * (double)time->nanoseconds};
        take(context, &kernel);
    }
    return status;
}

void berth_api_run_clear(struct berth_api_run *run)
{
    free(run->devices);
    free(run->shares);
    free(run->variants);
}

/* What runs that dock tell of themselves. */
#include <stdlib.h>

#include "api/api.h"
#include "base/memory.h"
#include "device/profile.h"

enum berth_status berth_api_rescorer(const char *path, const struct berth_ensemble *receptors,
                                     const struct berth_devices *devices,
                                     struct berth_rescorer **rescorer, struct berth_error *error)
{
    const struct berth_molecule *molecules[BERTH_RECEPTORS_MAX];
    *rescorer = NULL;
    if (!path) {
        return BERTH_OK;
    }
    for (size_t i = 0; i < receptors->count; i++) {
        molecules[i] = &receptors->receptors[i]->molecule;
    }
    const enum berth_status status = berth_rescorer_create(path, devices, rescorer, error);
    return status ? status : berth_rescorer_receive(*rescorer, molecules, receptors->count, error);
}

void berth_api_run_learn(const struct berth_judges *judges, struct berth_api_run *run)
{
    for (size_t i = 0; i < judges->learned_count; i++) {
        run->learned[i] = judges->learned[i];
    }
    run->facts.learned = run->learned;
    run->facts.learned_count = judges->learned_count;
}

enum berth_status berth_api_run_describe(const struct berth_ensemble *receptors,
                                         const struct berth_site *site,
                                         const struct berth_devices *devices,
                                         const struct berth_docking *docking,
                                         struct berth_api_run *run, struct berth_error *error)
{
    const struct berth_search_settings *search = berth_docking_settings(docking);
    const size_t count = devices->count;
    BERTH_TRY(berth_make(&run->devices, count, sizeof *run->devices, NULL, error));
    BERTH_TRY(berth_make(&run->shares, count, sizeof *run->shares, NULL, error));
    BERTH_TRY(berth_make(&run->variants, count, sizeof *run->variants, NULL, error));
    for (size_t i = 0; i < count; i++) {
        const struct berth_device *device = &devices->devices[i];
        const struct berth_variant variant = berth_docking_variant(docking, i);
        berth_variant_print(&variant, run->variants[i]);
        run->devices[i] = (struct berth_run_device){device->index, device->name, run->variants[i]};
        run->shares[i].number = device->index;
    }
    for (size_t i = 0; i < receptors->count; i++) {
        run->receptors[i] = berth_receptor_name(&receptors->names, i);
    }
    run->facts = (struct berth_run_facts){.receptors = run->receptors,
                                          .receptor_count = receptors->count,
                                          .devices = run->devices,
                                          .device_count = count,
                                          .seed = search->seed,
                                          .refine = search->refine.poses,
                                          .hops = search->refine.hops,
                                          .refine_torsions = search->refine.torsions,
                                          .maps = search->mapped.poses > 0};
    const struct berth_restraints *restraints = receptors->restraints;
    run->facts.restraint_count = restraints ? restraints->count : 0;
    run->facts.metal_count = restraints ? restraints->metals : 0;
    for (size_t i = 0; i < run->facts.restraint_count; i++) {
        const struct berth_restraint_rule *rule = &restraints->rules[i];
        run->restraints[i] = rule->text;
        run->radii[i] = restraints->places[0].places[rule->places[0]].radius;
        run->facts.required |= (unsigned)rule->required << i;
        run->facts.avoided |= (unsigned)rule->avoided << i;
    }
    run->facts.restraints = run->restraints;
    run->facts.radii = run->radii;
    for (int k = 0; k < 3; k++) {
        run->facts.center[k] = site->center[k];
        run->facts.edges[k] = site->size[k];
    }
    run->progress.devices = run->shares;
    run->progress.device_count = count;
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

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/poses.h"
#include "base/clock.h"
#include "base/gather.h"
#include "dock/open_devices.h"
#include "dock/stream/molecule_source.h"

struct berth_docking_handle {
    const berth_receptor *receptor; /* borrowed */
    const struct berth_log *log;    /* borrowed, or NULL */
    struct berth_devices devices;   /* those of them that could be opened */
    struct berth_docking *docking;
    struct berth_dock_options options;
    struct berth_site site; /* as it was when this began */
    struct berth_molecule reference;
};

/* A file on its way through a docking. */
struct run {
    berth_docking *docking;
    const struct berth_ligand_calls *calls;
    struct berth_window *window;
    struct berth_failures failures;
    struct berth_progress progress;
    double started;
    bool stopped; /* by the callback for ligands, which is not called any more */
};

void berth_dock_defaults(struct berth_dock_options *options, size_t size)
{
    const struct berth_dock_options defaults = {.size = sizeof defaults,
                                                .num_modes = 9,
                                                .min_rmsd = 1,
                                                .energy_range = INFINITY,
                                                .max_clash = INFINITY};
    berth_api_give(&defaults, sizeof defaults, options, size);
}

/* options and search: complete. */
static enum berth_status open_docking(berth_docking *begun,
                                      const struct berth_dock_options *options,
                                      const struct berth_search_options *search,
                                      struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = &begun->receptor->receptor;
    struct berth_docking_setup setup = {
        .target = {&receptor->forcefield, &receptor->heavy, begun->site},
        .search = berth_api_settings(search, options->min_rmsd),
        .variant = berth_variant_unset(),
        .check_every = search->check_every,
        .patience = search->patience};
    enum berth_status status = BERTH_OK;
    if (search->variant) {
        status = berth_variant_parse(search->variant, &setup.variant, error);
    }
    if (!status && options->reference) {
        status = berth_mol2_read_one(options->reference, true, &begun->reference, error);
    }
    if (!status) {
        status = berth_docking_open(&setup, &begun->devices, begun->log, &begun->docking, error);
    }
    return status;
}

static enum berth_status check(const struct berth_dock_options *options, struct berth_error *error)
{
    return options->num_modes && options->min_rmsd >= 0 && options->energy_range >= 0 &&
                   options->strain_weight >= 0
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE,
                            "struct berth_dock_options: num_modes is above 0, min_rmsd, "
                            "energy_range and strain_weight at least 0");
}

enum berth_status berth_docking_begin(const berth_receptor *receptor, const berth_devices *devices,
                                      const struct berth_dock_options *options,
                                      const struct berth_log *log, berth_docking **docking,
                                      struct berth_error *error)
{
    struct berth_dock_options mine;
    struct berth_search_options search;
    berth_docking *begun = *docking = berth_api_new(sizeof *begun, error);
    if (!begun) {
        return BERTH_E_MEMORY;
    }
    begun->receptor = receptor;
    begun->log = log;
    begun->site = receptor->receptor.site;
    berth_dock_defaults(&mine, sizeof mine);
    enum berth_status status =
        berth_api_take(options, "berth_dock_defaults", &mine, sizeof mine, error);
    if (!status) {
        status = check(&mine, error);
    }
    if (!status) {
        status = berth_api_search(mine.search, "balanced", &search, error);
    }
    if (!status) {
        status = berth_api_need_site(receptor, error);
    }
    if (!status) {
        status = berth_api_copy_devices(devices, &begun->devices, error);
    }
    if (!status) {
        status = open_docking(begun, &mine, &search, error);
    }
    begun->options = mine;
    if (status) {
        berth_docking_free(begun);
        *docking = NULL;
    }
    return status;
}

static enum berth_status hand_modes(struct run *run, struct berth_stream_ligand *ligand,
                                    struct berth_error *error)
{
    const berth_docking *docking = run->docking;
    struct berth_mode_settings settings = {
        .count = docking->options.num_modes,
        .min_rmsd = docking->options.min_rmsd,
        .energy_range = docking->options.energy_range,
        .strains = ligand->strains,
        .strain_weight = ligand->strain_weight,
        .reference = docking->options.reference ? &docking->reference : NULL};
    memcpy(settings.center, docking->site.center, sizeof settings.center);
    struct berth_gathered_poses all;
    struct berth_modes modes = {0};
    enum berth_status status = berth_stream_ligand_gather(ligand, &all, error);
    if (!status) {
        status = berth_modes_find(&ligand->whole.ligand, &all.docked, &settings, &modes, error);
    }
    if (!status) {
        const struct berth_api_docked docked = {ligand->result.ordinal, &ligand->whole.ligand,
                                                &modes};
        status = berth_api_hand(run->calls, &docked, &run->stopped, error);
    }
    berth_modes_clear(&modes);
    berth_gathered_poses_clear(&all);
    return status;
}

/* The sink: a ligand to the caller. */
static enum berth_status take(void *context, struct berth_stream_ligand *ligand,
                              struct berth_error *error)
{
    struct run *run = context;
    const struct berth_result *result = &ligand->result;
    enum berth_status status = BERTH_OK;
    if (run->stopped) {
        return BERTH_OK;
    }
    run->progress.done++;
    run->progress.failed += result->failure != NULL;
    if (result->failure) {
        const struct berth_docked_ligand failed = {
            .ordinal = result->ordinal, .name = result->title, .failure = result->failure};
        run->stopped = run->calls->ligand(run->calls->context, &failed);
    } else {
        status = hand_modes(run, ligand, error);
    }
    if (run->stopped) {
        berth_window_stop(run->window);
    }
    return status;
}

static enum berth_status tend(void *context, bool last, struct berth_error *error)
{
    struct run *run = context;
    (void)error;
    run->progress.seconds = berth_now() - run->started;
    if (run->calls->progress && !last &&
        run->calls->progress(run->calls->context, &run->progress)) {
        berth_window_stop(run->window);
    }
    return BERTH_OK;
}

static enum berth_status dock_all(struct run *run, struct berth_source *source,
                                  const struct berth_log *log, struct berth_error *error)
{
    const berth_docking *docking = run->docking;
    const struct berth_refine_settings *refine = &berth_docking_settings(docking->docking)->refine;
    struct berth_molecule_source_state state = {
        .source = source,
        .separate = docking->options.separate,
        .settings = {.several = true,
                     .flexible = refine->poses && refine->torsions,
                     .strain_weight = docking->options.strain_weight,
                     .log = log}};
    struct berth_stream stream = {.docking = docking->docking,
                                  .devices = docking->devices.devices,
                                  .window = run->window,
                                  .source = berth_molecule_stream_source(&state),
                                  .sink = {run, take, tend},
                                  .log = docking->log};
    return berth_stream_run(&stream, error);
}

enum berth_status berth_docking_file(berth_docking *docking, const char *path,
                                     const struct berth_ligand_calls *calls,
                                     struct berth_error *error)
{
    struct berth_gatherer warnings = {.next = docking->log};
    const struct berth_log log = berth_gather(&warnings);
    struct run run = {.docking = docking,
                      .calls = calls,
                      .failures = {.log = docking->log},
                      .started = berth_now()};
    struct berth_source source = {.path = path,
                                  .forcefield = &docking->receptor->receptor.forcefield,
                                  .failures = &run.failures,
                                  .log = &log};
    enum berth_status status = berth_failures_create(NULL, &run.failures, error);
    if (!status) {
        status = berth_source_open(&source, error);
    }
    if (!status) {
        status = berth_window_create(&docking->devices, berth_docking_batch_sum(docking->docking),
                                     true, &run.window, error);
    }
    if (!status) {
        run.window->log = docking->log;
        status = dock_all(&run, &source, &log, error);
    }
    berth_gatherer_flush(&warnings);
    berth_window_destroy(run.window);
    berth_source_close(&source);
    return status;
}

bool berth_docking_is_stuck(const berth_docking *docking)
{
    return berth_docking_hangs(docking->docking);
}

void berth_docking_free(berth_docking *docking)
{
    if (docking) {
        berth_docking_destroy(docking->docking);
        berth_devices_clear(&docking->devices);
        berth_molecule_clear(&docking->reference);
        free(docking);
    }
}

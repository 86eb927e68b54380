#include "dock/file_docking.h"

#include <math.h>
#include <string.h>

#include "dock/open_devices.h"
#include "dock/stream/molecule_source.h"

enum berth_status berth_file_docking_open(const struct berth_file_docking_settings *settings,
                                          struct berth_file_docking *docking,
                                          struct berth_error *error)
{
    struct berth_docking_setup setup = {.search = settings->search,
                                        .variant = berth_variant_unset(),
                                        .check = settings->check,
                                        .check_every = settings->check_every,
                                        .patience = settings->patience};
    setup.search.distinct_modes =
        fminf(setup.search.distinct_modes, (float)settings->modes.min_rmsd);
    berth_ensemble_aim(settings->receptors, &settings->site, &setup);
    docking->settings = *settings;
    docking->settings.modes.scoring = setup.targets[0].scoring;
    memcpy(docking->settings.modes.center, settings->site.center, sizeof settings->site.center);
    enum berth_status status =
        berth_ensemble_check(settings->receptors, &settings->site, settings->log, error);
    if (!status && settings->variant) {
        status = berth_variant_parse(settings->variant, &setup.variant, error);
    }
    return status ? status
                  : berth_docking_open(&setup, settings->devices, settings->log, &docking->docking,
                                       error);
}

bool berth_file_docking_is_flexible(const struct berth_file_docking *docking)
{
    const struct berth_refine_settings *refine = &berth_docking_settings(docking->docking)->refine;
    return refine->poses && refine->torsions;
}

double berth_file_docking_pairs_per_atom(const struct berth_file_docking *docking)
{
    return berth_ensemble_pairs_per_atom(docking->settings.receptors, &docking->settings.search);
}

/* One structure of a ligand is what a search with torsions needs. */
static void warn_of_rigid(const struct berth_file_docking_settings *settings,
                          const struct berth_source *source)
{
    if (source->prepared && source->preparation->conformers == 1 &&
        !settings->search.mapped.poses) {
        berth_warn(settings->log, NULL,
                   "%s: a rigid search of one structure of each ligand finds little; make an "
                   "ensemble first, with `berth prep ligands --conformers 20`",
                   source->path);
    }
}

enum berth_status berth_file_docking_run(struct berth_file_docking *docking,
                                         struct berth_source *source,
                                         const struct berth_mode_sink *sink,
                                         struct berth_error *error)
{
    const struct berth_file_docking_settings *settings = &docking->settings;
    struct berth_mode_stream *stream = &docking->stream;
    struct berth_molecule_source_state state = {
        .source = source,
        .separate = settings->separate,
        .settings = {.receptors = settings->receptors->count,
                     .several = true,
                     .flexible = berth_file_docking_is_flexible(docking),
                     .scoring = settings->modes.scoring,
                     .strain_weight = settings->modes.strain_weight,
                     .log = source->log}};
    warn_of_rigid(settings, source);
    berth_mode_stream_clear(stream);
    *stream = (struct berth_mode_stream){.engine = berth_docking_engine(docking->docking),
                                         .devices = settings->devices,
                                         .batch = berth_docking_batch_sum(docking->docking),
                                         .source = berth_molecule_stream_source(&state),
                                         .kind = BERTH_MODES_DOCKED,
                                         .modes = settings->modes,
                                         .receptors = &settings->receptors->names,
                                         .max_clash = settings->max_clash,
                                         .sink = *sink,
                                         .log = settings->log};
    stream->modes.shapes = berth_docking_shapes(docking->docking);
    return berth_mode_stream_run(stream, error);
}

bool berth_file_docking_hangs(const struct berth_file_docking *docking)
{
    return docking->docking && berth_docking_hangs(docking->docking);
}

void berth_file_docking_close(struct berth_file_docking *docking)
{
    berth_docking_destroy(docking->docking);
    berth_mode_stream_clear(&docking->stream);
}

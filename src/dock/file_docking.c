#include "dock/file_docking.h"

#include <math.h>
#include <string.h>

#include "dock/open_devices.h"
#include "dock/stream/molecule_source.h"

/* Modes of a ligand on a surface, at most: of the populations of a good many conformers. */
enum { SURFACE_MODES = 65536 };

/* Aims the setup at the one site, or at a surface, whose box becomes the site. */
static enum berth_status aim(struct berth_file_docking *docking, struct berth_docking_setup *setup,
                             struct berth_error *error)
{
    struct berth_file_docking_settings *settings = &docking->settings;
    enum berth_status status = BERTH_OK;
    if (settings->surface) {
        const struct berth_typed_receptor *receptor = settings->receptors->receptors[0];
        status = berth_surface_create(&receptor->molecule, receptor->scoring.type_count,
                                      &docking->surface, error);
        settings->site = docking->surface.site;
    }
    if (!status) {
        berth_ensemble_aim(settings->receptors, &settings->site, setup);
    }
    if (!status && settings->surface) {
        berth_surface_aim(&docking->surface, 0, setup);
    }
    return status;
}

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
    docking->settings = *settings;
    enum berth_status status = aim(docking, &setup, error);
    const struct berth_site *site = &docking->settings.site;
    docking->settings.modes.scoring = setup.targets[0].scoring;
    memcpy(docking->settings.modes.center, site->center, sizeof site->center);
    BERTH_THEN(berth_ensemble_check(settings->receptors, site, settings->log, error));
    if (!status && settings->variant) {
        status = berth_variant_parse(settings->variant, &setup.variant, error);
    }
    if (!status) {
        status =
            berth_docking_on(&setup, settings->devices, settings->log, &docking->docking, error);
    }
    return status || !settings->surface
               ? status
               : berth_surface_scan_create(&docking->surface, &setup, docking->docking,
                                           &docking->scan, error);
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

/* What a search with torsions needs are structures that differ in what no torsion changes. */
static void warn_of_rigid(const struct berth_file_docking_settings *settings,
                          const struct berth_source *source)
{
    if (source->prepared && source->preparation->conformers == 1 &&
        !settings->search.mapped.poses) {
        berth_warn(settings->log, NULL,
                   "%s: a rigid search without an ensemble of each ligand finds little; make one "
                   "first, with `berth prep ligands --conformers 20`",
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
    if (docking->scan) {
        stream->engine = berth_surface_scan_engine(docking->scan);
        stream->modes.shapes = berth_surface_scan_shapes(docking->scan);
        stream->modes.count = SURFACE_MODES;
        stream->modes.min_rmsd = 0;
    }
    return berth_mode_stream_run(stream, error);
}

bool berth_file_docking_hangs(const struct berth_file_docking *docking)
{
    return docking->docking && berth_docking_hangs(docking->docking);
}

void berth_file_docking_close(struct berth_file_docking *docking)
{
    berth_surface_scan_destroy(docking->scan);
    berth_docking_destroy(docking->docking);
    berth_mode_stream_clear(&docking->stream);
    berth_surface_clear(&docking->surface);
}

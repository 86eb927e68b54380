#include "dock/file_runs.h"

#include <math.h>
#include <string.h>

#include "dock/relaxing.h"
#include "dock/standing.h"
#include "dock/open_devices.h"
#include "dock/stream/sources.h"

/* --- Docking --- */

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
                                        .stop = settings->stop,
                                        .check_every = settings->check_every,
                                        .patience = settings->patience};
    docking->settings = *settings;
    enum berth_status status = aim(docking, &setup, error);
    const struct berth_site *site = &docking->settings.site;
    BERTH_THEN(berth_ensemble_check(settings->receptors, site, settings->log, error));
    if (!status && settings->variant) {
        status = berth_variant_parse(settings->variant, &setup.variant, error);
    }
    BERTH_THEN(
        berth_docking_on(&setup, settings->devices, settings->log, &docking->docking, error));
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
                   "first, of some 20 conformers each, with `berth prep ligands`",
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
    struct berth_restraints *restraints = settings->receptors->restraints;
    struct berth_restraining restraining = {.restraints = restraints};
    struct berth_molecule_source_state state = {
        .source = source,
        .separate = settings->separate,
        .settings = {.receptors = settings->receptors->count,
                     .flexible = berth_file_docking_is_flexible(docking),
                     .scoring = &settings->receptors->receptors[0]->scoring,
                     .log = source->log,
                     .judges = settings->receptors->receptors[0]->judges,
                     .judge_count = settings->receptors->receptors[0]->judge_count,
                     .pool = settings->search.pool,
                     .restraining = restraints ? &restraining : NULL,
                     .side_chains = berth_ensemble_beside(settings->receptors),
                     .covalent = settings->receptors->covalent}};
    source->covalent = settings->receptors->covalent;
    if (source->covalent && source->library) {
        BERTH_TRY(
            berth_covalent_check_library(source->covalent, source->library, source->path, error));
    }
    if (settings->relaxing) {
        settings->relaxing->log = source->log;
    }
    memcpy(state.settings.center, settings->site.center, sizeof state.settings.center);
    warn_of_rigid(settings, source);
    memcpy(restraining.center, settings->site.center, sizeof restraining.center);
    berth_mode_stream_clear(stream);
    *stream = (struct berth_mode_stream){.engine = berth_docking_engine(docking->docking),
                                         .devices = settings->devices,
                                         .batch = berth_docking_batch_sum(docking->docking),
                                         .source = berth_molecule_stream_source(&state),
                                         .kind = BERTH_MODES_DOCKED,
                                         .modes = {.choice = settings->modes,
                                                   .scoring = state.settings.scoring,
                                                   .judging = settings->judging,
                                                   .relaxing = settings->relaxing,
                                                   .reference = settings->reference},
                                         .receptors = &settings->receptors->names,
                                         .sink = *sink,
                                         .log = settings->log};
    stream->modes.box = settings->site.atoms ? &settings->site : NULL;
    memcpy(stream->modes.center, settings->site.center, sizeof stream->modes.center);
    stream->modes.shapes = berth_docking_shapes(docking->docking);
    if (docking->scan) {
        stream->engine = berth_surface_scan_engine(docking->scan);
        stream->modes.shapes = berth_surface_scan_shapes(docking->scan);
        stream->modes.choice.num_modes = SURFACE_MODES;
        stream->modes.choice.min_rmsd = 0;
    }
    const enum berth_status status = berth_mode_stream_run(stream, error);
    if (!status && restraints) {
        berth_restraints_warn(restraints, settings->log);
    }
    return status;
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

/* --- Scoring --- */

/* Runs the source through an engine of the receptor, on the device. */
static enum berth_status score_source(const struct berth_file_scoring *scoring,
                                      struct berth_stream_engine engine,
                                      const struct berth_mode_settings *modes,
                                      struct berth_source *source,
                                      const struct berth_mode_sink *sink, struct berth_error *error)
{
    struct berth_device device = scoring->devices->devices[0];
    const struct berth_devices devices = {.devices = &device, .count = 1};
    struct berth_molecule_source_state state = {
        .source = source,
        .separate = true,
        .settings = {.nameless = true,
                     .receptors = 1,
                     .flexible = scoring->minimize && scoring->refine.torsions,
                     .scoring = &scoring->receptor->scoring,
                     .log = source->log,
                     .judges = scoring->receptor->judges,
                     .judge_count = scoring->receptor->judge_count}};
    struct berth_mode_stream stream = {.engine = engine,
                                       .devices = &devices,
                                       .batch = BERTH_BATCH,
                                       .source = berth_molecule_stream_source(&state),
                                       .kind = scoring->minimize ? BERTH_MODES_MINIMIZED
                                                                 : BERTH_MODES_STANDING,
                                       .modes = *modes,
                                       .sink = *sink,
                                       .log = scoring->log};
    const enum berth_status status = berth_mode_stream_run(&stream, error);
    berth_mode_stream_clear(&stream);
    return status;
}

enum berth_status berth_file_score(const struct berth_file_scoring *scoring,
                                   struct berth_source *source, const struct berth_mode_sink *sink,
                                   struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = scoring->receptor;
    struct berth_standing_setup setup = {
        .target = {&receptor->scoring, &receptor->heavy, {.atoms = false}, NULL},
        .judge_count = receptor->judge_count,
        .refine = scoring->minimize ? &scoring->refine : NULL,
        .log = scoring->log};
    struct berth_standing *standing = NULL;
    struct berth_receptor_shape *shape = NULL;
    struct berth_mode_settings modes = {.choice = {.num_modes = 1,
                                                   .energy_range = INFINITY,
                                                   .max_clash = INFINITY,
                                                   .any_stereo = scoring->any_stereo},
                                        .scoring = &receptor->scoring,
                                        .judging = scoring->judging,
                                        .reference = scoring->reference};
    struct berth_error why = {0};
    enum berth_status status;
    berth_heavy_centroid(&receptor->molecule, setup.target.site.center);
    for (size_t k = 0; k < setup.judge_count; k++) {
        const struct berth_judging_function *judge = &receptor->judges[k];
        setup.judges[k] = setup.target;
        setup.judges[k].scoring = &judge->scoring;
        setup.judges[k].receptor = &judge->heavy;
    }
    error = error ? error : &why;
    do {
        status = berth_standing_create(scoring->devices->devices, &setup, &standing, error);
    } while (berth_devices_fall_back(scoring->devices, status, scoring->log, error));
    BERTH_THEN(berth_receptor_shape_create(&setup.target, &shape, error));
    if (!status) {
        memcpy(modes.center, setup.target.site.center, sizeof modes.center);
        modes.shapes = (const struct berth_receptor_shape *const *)&shape;
        status =
            score_source(scoring, berth_standing_engine(standing), &modes, source, sink, error);
    }
    berth_standing_destroy(standing);
    berth_receptor_shape_destroy(shape);
    return status;
}

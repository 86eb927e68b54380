#include "run/file_docking.h"

#include <math.h>
#include <string.h>

#include "dock/in_place.h"
#include "dock/stream/sources.h"

/* --- Docking --- */

/* Modes of a ligand on a surface, at most: of the populations of a good many conformers. */
enum { SURFACE_MODES = 65536 };

enum berth_status berth_file_docking_open(struct berth_run *run, struct berth_file_docking *docking,
                                          struct berth_error *error)
{
    const bool surface = run->options.site;
    struct berth_docking_setup setup;
    docking->run = run;
    docking->site = run->site;
    if (surface) {
        BERTH_TRY(berth_surface_create(&run->typed->molecule, run->typed->scoring.type_count,
                                       &docking->surface, error));
        docking->site = docking->surface.site;
    }
    BERTH_TRY(berth_run_docking_setup(run, &docking->site, &setup, error));
    setup.stop = run->options.stop;
    if (surface) {
        berth_surface_aim(&docking->surface, 0, &setup);
    }
    BERTH_TRY(berth_docking_on(&setup, &run->devices, run->log, &docking->docking, error));
    return surface ? berth_surface_scan_create(&docking->surface, &setup, docking->docking,
                                               &docking->scan, error)
                   : BERTH_OK;
}

double berth_file_docking_pairs_per_atom(const struct berth_file_docking *docking)
{
    return berth_ensemble_pairs_per_atom(&docking->run->receptors, &docking->run->search);
}

/* What a search with torsions needs are structures that differ in what no torsion changes. */
static void warn_of_rigid(const struct berth_run *run, const struct berth_source *source)
{
    if (source->prepared && source->workers->preparation->conformers == 1 &&
        !run->search.mapped.poses) {
        berth_warn(run->log, NULL,
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
    struct berth_run *run = docking->run;
    const struct berth_ensemble *receptors = &run->receptors;
    const struct berth_site *site = &docking->site;
    struct berth_mode_stream *stream = &docking->stream;
    struct berth_molecule_source_state state = {.source = source,
                                                .separate = run->options.separate,
                                                .settings =
                                                    berth_run_ligands(run, site, source->log)};
    source->covalent = receptors->covalent;
    if (source->covalent && source->library) {
        BERTH_TRY(
            berth_covalent_check_library(source->covalent, source->library, source->path, error));
    }
    run->mode_relaxer.log = source->log;
    warn_of_rigid(run, source);
    berth_mode_stream_clear(stream);
    *stream = (struct berth_mode_stream){
        .engine = berth_docking_engine(docking->docking),
        .devices = &run->devices,
        .batch = berth_docking_batch_sum(docking->docking),
        .source = berth_molecule_stream_source(&state),
        .kind = BERTH_MODES_DOCKED,
        .modes = {.choice = run->modes,
                  .scoring = state.settings.scoring,
                  .ranker = &run->ranker,
                  .mode_relaxer = run->mode_relaxer.relaxer ? &run->mode_relaxer : NULL,
                  .reference = run->reference},
        .receptors = &receptors->names,
        .sink = *sink,
        .log = run->log};
    stream->modes.box = site->atoms ? site : NULL;
    memcpy(stream->modes.center, site->center, sizeof stream->modes.center);
    stream->modes.shapes = berth_docking_shapes(docking->docking);
    if (docking->scan) {
        stream->engine = berth_surface_scan_engine(docking->scan);
        stream->modes.shapes = berth_surface_scan_shapes(docking->scan);
        stream->modes.choice.num_modes = SURFACE_MODES;
        stream->modes.choice.min_rmsd = 0;
    }
    const enum berth_status status = berth_mode_stream_run(stream, error);
    if (!status && receptors->restraints) {
        berth_restraints_warn(receptors->restraints, run->log);
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

/* Runs the source through an engine of the receptor, on the first device. */
static enum berth_status score_source(const struct berth_run *run,
                                      struct berth_stream_engine engine,
                                      const struct berth_mode_settings *modes,
                                      struct berth_source *source,
                                      const struct berth_mode_sink *sink, struct berth_error *error)
{
    const bool minimize = run->options.minimize;
    struct berth_device device = run->devices.devices[0];
    const struct berth_devices devices = {.devices = &device, .count = 1};
    struct berth_molecule_source_state state = {
        .source = source,
        .separate = true,
        .settings = {.nameless = true,
                     .receptors = 1,
                     .flexible = minimize && run->options.refine_torsions,
                     .scoring = &run->typed->scoring,
                     .log = source->log,
                     .judges = run->typed->judges,
                     .judge_count = run->typed->judge_count}};
    struct berth_mode_stream stream = {.engine = engine,
                                       .devices = &devices,
                                       .batch = BERTH_BATCH,
                                       .source = berth_molecule_stream_source(&state),
                                       .kind =
                                           minimize ? BERTH_MODES_MINIMIZED : BERTH_MODES_STANDING,
                                       .modes = *modes,
                                       .sink = *sink,
                                       .log = run->log};
    const enum berth_status status = berth_mode_stream_run(&stream, error);
    berth_mode_stream_clear(&stream);
    return status;
}

enum berth_status berth_file_score(struct berth_run *run, struct berth_source *source,
                                   const struct berth_mode_sink *sink, struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = run->typed;
    const struct berth_options *options = &run->options;
    struct berth_site site = {.atoms = false};
    struct berth_docking_setup setup = {.log = run->log};
    struct berth_in_place *in_place = NULL;
    struct berth_receptor_shape *shape = NULL;
    struct berth_mode_settings modes = {.choice = {.num_modes = 1,
                                                   .energy_range = INFINITY,
                                                   .max_clash = INFINITY,
                                                   .any_stereo = options->any_stereo},
                                        .scoring = &receptor->scoring,
                                        .ranker = &run->ranker,
                                        .reference = run->reference};
    struct berth_error why = {0};
    enum berth_status status;
    if (options->minimize) {
        setup.search.refine = berth_refine_defaults();
        setup.search.refine.poses = 1;
        setup.search.refine.evaluations = (size_t)options->refine_evaluations;
        setup.search.refine.torsions = options->refine_torsions;
    }
    berth_heavy_centroid(&receptor->molecule, site.center);
    berth_ensemble_aim(&run->receptors, &site, &setup);
    error = error ? error : &why;
    do {
        status = berth_in_place_create(run->devices.devices, &setup, &in_place, error);
    } while (berth_devices_fall_back(&run->devices, status, run->log, error));
    BERTH_THEN(berth_receptor_shape_create(&setup.targets[0], &shape, error));
    if (!status) {
        memcpy(modes.center, site.center, sizeof modes.center);
        modes.shapes = (const struct berth_receptor_shape *const *)&shape;
        status = score_source(run, berth_in_place_engine(in_place), &modes, source, sink, error);
    }
    berth_in_place_destroy(in_place);
    berth_receptor_shape_destroy(shape);
    return status;
}

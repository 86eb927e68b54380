#include "dock/file_scoring.h"

#include <math.h>
#include <string.h>

#include "dock/batches.h"
#include "dock/minimize.h"
#include "dock/open_devices.h"
#include "dock/rescore.h"
#include "dock/stream/molecule_source.h"

/* Runs the source through an engine of the receptor, on the device. */
static enum berth_status run(const struct berth_file_scoring *scoring,
                             struct berth_stream_engine engine,
                             const struct berth_mode_settings *modes, struct berth_source *source,
                             const struct berth_mode_sink *sink, struct berth_error *error)
{
    struct berth_device device = scoring->devices->devices[0];
    const struct berth_devices devices = {.devices = &device, .count = 1};
    struct berth_molecule_source_state state = {
        .source = source,
        .separate = true,
        .settings = {.receptors = 1,
                     .several = true,
                     .flexible = scoring->minimize && scoring->refine.torsions,
                     .scoring = &scoring->receptor->scoring,
                     .log = source->log}};
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
    struct berth_target target = {&receptor->scoring, &receptor->heavy, {{0}, {0}}};
    struct berth_minimizer *minimizer = NULL;
    struct berth_rescore *rescore = NULL;
    struct berth_receptor_shape *shape = NULL;
    struct berth_mode_settings modes = {
        .choice = {.num_modes = 1, .energy_range = INFINITY, .max_clash = INFINITY},
        .scoring = &receptor->scoring};
    struct berth_stream_engine engine;
    struct berth_error why = {0};
    enum berth_status status;
    berth_heavy_centroid(&receptor->molecule, target.site.center);
    error = error ? error : &why;
    do {
        const struct berth_device *device = scoring->devices->devices;
        status = scoring->minimize
                     ? berth_minimizer_create(device, &target, &scoring->refine, &minimizer, error)
                     : berth_rescore_create(device, &target, &rescore, error);
    } while (berth_devices_fall_back(scoring->devices, status, scoring->log, error));
    engine = scoring->minimize ? berth_minimizer_engine(minimizer) : berth_rescore_engine(rescore);
    BERTH_THEN(berth_receptor_shape_create(&target, &shape, error));
    if (!status) {
        memcpy(modes.center, target.site.center, sizeof target.site.center);
        modes.shapes = (const struct berth_receptor_shape *const *)&shape;
        status = run(scoring, engine, &modes, source, sink, error);
    }
    berth_minimizer_destroy(minimizer);
    berth_rescore_destroy(rescore);
    berth_receptor_shape_destroy(shape);
    return status;
}

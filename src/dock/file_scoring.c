#include "dock/file_scoring.h"

#include <math.h>
#include <string.h>

#include "dock/batches.h"
#include "dock/minimize.h"
#include "dock/rescore.h"
#include "dock/stream/molecule_source.h"

/* Runs the source through an engine on the device. */
static enum berth_status run(const struct berth_file_scoring *scoring,
                             struct berth_mode_stream *stream, struct berth_source *source,
                             struct berth_error *error)
{
    struct berth_device device = *scoring->device;
    const struct berth_devices devices = {&device, 1};
    struct berth_molecule_source_state state = {
        .source = source,
        .separate = true,
        .settings = {.several = true,
                     .flexible = scoring->minimize && scoring->refine.torsions,
                     .log = source->log}};
    stream->devices = &devices;
    stream->source = berth_molecule_stream_source(&state);
    const enum berth_status status = berth_mode_stream_run(stream, error);
    berth_mode_stream_clear(stream);
    return status;
}

enum berth_status berth_file_score(const struct berth_file_scoring *scoring,
                                   struct berth_source *source, const struct berth_mode_sink *sink,
                                   struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = scoring->receptor;
    struct berth_target target = {&receptor->forcefield, &receptor->heavy, {{0}, {0}}};
    struct berth_mode_stream stream = {.batch = BERTH_BATCH,
                                       .modes = {.count = 1, .energy_range = INFINITY},
                                       .max_clash = INFINITY,
                                       .sink = *sink,
                                       .log = scoring->log};
    struct berth_minimizer *minimizer = NULL;
    struct berth_rescore *rescore = NULL;
    struct berth_receptor_shape *shape = NULL;
    enum berth_status status;
    berth_heavy_centroid(&receptor->molecule, target.site.center);
    memcpy(stream.modes.center, target.site.center, sizeof target.site.center);
    if (scoring->minimize) {
        status =
            berth_minimizer_create(scoring->device, &target, &scoring->refine, &minimizer, error);
        stream.kind = BERTH_MODES_MINIMIZED;
        stream.engine = berth_minimizer_engine(minimizer);
    } else {
        status = berth_rescore_create(scoring->device, &target, &rescore, error);
        stream.kind = BERTH_MODES_STANDING;
        stream.engine = berth_rescore_engine(rescore);
    }
    if (!status) {
        status = berth_receptor_shape_create(&target, &shape, error);
    }
    if (!status) {
        stream.modes.shape = shape;
        status = run(scoring, &stream, source, error);
    }
    berth_minimizer_destroy(minimizer);
    berth_rescore_destroy(rescore);
    berth_receptor_shape_destroy(shape);
    return status;
}

/* Scoring the molecules of a file where they stand in the receptor, or where they come to when they
 * are minimised. */
#ifndef BERTH_DOCK_FILE_SCORING_H
#define BERTH_DOCK_FILE_SCORING_H

#include "dock/source.h"
#include "dock/stream/mode_stream.h"
#include "dock/typed_receptor.h"

/* How to score; everything is borrowed for the call. */
struct berth_file_scoring {
    const struct berth_typed_receptor *receptor;
    struct berth_devices *devices; /* the first; where it fails, see berth_devices_fall_back */
    bool minimize;
    struct berth_refine_settings refine; /* with minimize; but for its poses */
    const struct berth_log *log;         /* or NULL */
};

/* Opens the device, and hands each molecule of the source, which is open, with its one mode to the
 * sink.  Errors: BERTH_E_DEVICE, BERTH_E_RESULT (an energy that is no number), those of
 * berth_stream_run. */
enum berth_status berth_file_score(const struct berth_file_scoring *scoring,
                                   struct berth_source *source, const struct berth_mode_sink *sink,
                                   struct berth_error *error);

#endif

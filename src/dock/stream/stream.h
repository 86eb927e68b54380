/* A docking is a stream: source -> ligand -> devices -> result -> sink.
 *
 * A thread reads ligands from the source into the window; the devices' threads take conformers from
 * it and give poses back (dock/docking.h); the caller's thread takes finished ligands out of it, in
 * the source's order, and hands them to the sink. */
#ifndef BERTH_DOCK_STREAM_STREAM_H
#define BERTH_DOCK_STREAM_STREAM_H

#include "dock/stream/window.h"
#include "format/receptor_names.h"

/* Where ligands come from. */
struct berth_stream_source {
    void *context;
    /* Called once, by a thread of its own: adds ligands to the window (berth_window_add) until
     * there are no more or that says that the run is being stopped. */
    enum berth_status (*read)(void *context, struct berth_window *window,
                              struct berth_error *error);
};

/* Where they go. */
struct berth_stream_sink {
    void *context;
    /* Takes a ligand whose conformers are all docked, or that failed (ligand->result.failure); it
     * stays the stream's. */
    enum berth_status (*take)(void *context, struct berth_stream_ligand *ligand,
                              struct berth_error *error);
    /* Called ten times a second, and with `last` behind the last ligand: for checkpoints, progress,
     * and stopping (berth_window_stop). */
    enum berth_status (*tend)(void *context, bool last, struct berth_error *error);
};

/* What a stream works with; everything is borrowed. */
struct berth_stream {
    struct berth_stream_engine engine;
    const struct berth_device *devices; /* of the engine */
    struct berth_window *window;
    struct berth_stream_source source;
    struct berth_stream_sink sink;
    const struct berth_receptor_names *receptors; /* NULL: there is one */
    const struct berth_scoring *scoring;
    const struct berth_log *log;
};

/* Docks all ligands of the source, or as many as come before the window is stopped.  Errors: those
 * of the sink, of reading, of docking, in this order. */
enum berth_status berth_stream_run(struct berth_stream *stream, struct berth_error *error);

#endif

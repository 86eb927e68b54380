/* A stream whose sink gets each ligand with its modes: what docking, minimising and scoring have in
 * common. */
#ifndef BERTH_DOCK_STREAM_MODE_STREAM_H
#define BERTH_DOCK_STREAM_MODE_STREAM_H

#include "dock/stream/stream.h"

/* Where ligands go. */
struct berth_mode_sink {
    void *context;
    /* Takes a ligand and its modes, which may be moved from; modes: NULL where it failed
     * (ligand->result.failure).  *stop: set where the run is to end; nothing is handed over any
     * more then. */
    enum berth_status (*take)(void *context, struct berth_stream_ligand *ligand,
                              struct berth_modes *modes, bool *stop, struct berth_error *error);
    /* NULL, or called ten times a second, and with `last` in the end; true: stop. */
    bool (*tend)(void *context, struct berth_window *window, bool last);
};

/* The caller sets all but the last two, and clears it; what it points to is borrowed. */
struct berth_mode_stream {
    struct berth_stream_engine engine;
    const struct berth_devices *devices; /* of the engine */
    size_t batch;                        /* conformers in a batch of each device, in all */
    struct berth_stream_source source;
    enum berth_mode_kind kind;
    struct berth_mode_settings modes;             /* strains are those of each ligand */
    const struct berth_receptor_names *receptors; /* NULL: there is one */
    struct berth_mode_sink sink;
    const struct berth_log *log; /* or NULL: told of lost devices and failed ligands */
    struct berth_window *window; /* owned; of the last run */
    size_t left_out;             /* modes of the last run */
};

/* Runs all ligands of the source through the engine, or as many as come before the sink stops it.
 * May be called again.  Errors: those of berth_stream_run. */
enum berth_status berth_mode_stream_run(struct berth_mode_stream *stream,
                                        struct berth_error *error);

/* A zeroed one is accepted. */
void berth_mode_stream_clear(struct berth_mode_stream *stream);

#endif

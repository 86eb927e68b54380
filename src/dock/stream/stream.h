/* A docking is a stream: source -> ligand -> devices -> result -> sink.
 *
 * A thread reads ligands from the source into the window; the devices' threads take conformers from
 * it and give poses back (dock/docking.h); the caller's thread takes finished ligands out of it, in
 * the source's order, and hands them to the sink. */
#ifndef BERTH_DOCK_STREAM_STREAM_H
#define BERTH_DOCK_STREAM_STREAM_H

#include <pthread.h>

#include "dock/docking.h"
#include "dock/stream/ligand.h"
#include "score/receptor_names.h"

struct berth_window {
    pthread_mutex_t lock; /* guards all that follows */
    pthread_cond_t room, work, results;
    struct berth_stream_ligand *first, *last;
    struct berth_stream_ligand *work_next; /* the first one with conformers to be taken */
    size_t ligands, held, waiting;         /* ligands; their conformers; those that nobody took */
    size_t held_max, waiting_max;          /* conformers */
    size_t device_count;
    const struct berth_device *devices; /* borrowed; [device_count] */
    const struct berth_log *log; /* borrowed, or NULL: is told of lost devices, by any thread */
    size_t *docked;              /* owned; [device_count]: conformers, to the last receptor */
    size_t *lost;                /* owned; [device_count]: 1 where the device failed */
    size_t losses;               /* how many did */
    double atoms;                /* of the conformers docked */
    size_t evaluations;          /* energies with gradients that were spent on them */
    bool blocked;                /* the reader waits for room */
    bool starving;               /* it waits for its source */
    bool read;                   /* the reader has ended */
    bool stopping;               /* the end was asked for */
    bool ended;                  /* the devices have ended */
};

/* A window for these devices (borrowed), of which a batch each is `batch` conformers in all.  The
 * caller destroys *window.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_window_create(const struct berth_devices *devices, size_t batch,
                                      struct berth_window **window, struct berth_error *error);

/* Adds a ligand behind the others, once there is room, and owns it; false where the run is being
 * stopped. */
bool berth_window_add(struct berth_window *window, struct berth_stream_ligand *ligand);

/* There are no more ligands. */
void berth_window_read(struct berth_window *window);

/* Nobody is to take any more. */
void berth_window_stop(struct berth_window *window);

/* The source has nothing to add for a while: a device that has nothing to do takes what there is.
 * True where the run is being stopped. */
bool berth_window_starve(struct berth_window *window);

/* What the window is to the devices. */
struct berth_docking_stream berth_window_stream(struct berth_window *window);

void berth_window_destroy(struct berth_window *window);

/* --- The stream. */

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

/* --- A stream whose sink gets each ligand with its modes: what docking, minimising and scoring
 * have in common. */

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

/* Ligands with fewer modes than num_modes, and why. */
struct berth_few_modes {
    uint64_t ligands;
    uint64_t near, beyond; /* their poses that are none (struct berth_modes) */
    uint64_t refined;      /* ligands that would have too few with all their poses */
};

/* The caller sets all but the last three, and clears it; what it points to is borrowed. */
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
    struct berth_few_modes few;  /* of the last run */
};

/* Runs all ligands of the source through the engine, or as many as come before the sink stops it.
 * May be called again.  Errors: those of berth_stream_run. */
enum berth_status berth_mode_stream_run(struct berth_mode_stream *stream,
                                        struct berth_error *error);

/* A zeroed one is accepted. */
void berth_mode_stream_clear(struct berth_mode_stream *stream);

#endif

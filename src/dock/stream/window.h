/* The window: ligands enter it in their source's order, are docked in any order, and leave it in
 * their order again. */
#ifndef BERTH_DOCK_STREAM_WINDOW_H
#define BERTH_DOCK_STREAM_WINDOW_H

#include <pthread.h>

#include "dock/docking.h"
#include "dock/stream/ligand.h"

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
    bool read;                   /* the reader has ended */
    bool stopping;               /* the end was asked for */
    bool ended;                  /* the devices have ended */
};

/* A window for these devices (borrowed), of which a batch each is `batch` conformers in all.
 * several: of each ligand several modes are to be chosen.  The caller destroys *window.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_window_create(const struct berth_devices *devices, size_t batch,
                                      bool several, struct berth_window **window,
                                      struct berth_error *error);

/* Adds a ligand behind the others, once there is room, and owns it; false where the run is being
 * stopped. */
bool berth_window_add(struct berth_window *window, struct berth_stream_ligand *ligand);

/* There are no more ligands. */
void berth_window_read(struct berth_window *window);

/* Nobody is to take any more. */
void berth_window_stop(struct berth_window *window);

/* The devices have ended: what is not finished will not be. */
void berth_window_end(struct berth_window *window);

/* The ligands at the front that are finished, a list that the caller owns; waits up to `seconds`
 * for one.  *end: there will be no more. */
struct berth_stream_ligand *berth_window_pop(struct berth_window *window, double seconds,
                                             bool *end);

/* Conformers that all devices have docked, once they have ended. */
size_t berth_window_docked(const struct berth_window *window);

/* What the window is to the devices. */
struct berth_docking_stream berth_window_stream(struct berth_window *window);

void berth_window_destroy(struct berth_window *window);

#endif

/* What the files of docking share: docking_stream.c opens and drives the devices, and holds what
 * they gave against the oracle; docking.c is what others call. */
#ifndef BERTH_DOCK_DOCKING_INTERNAL_H
#define BERTH_DOCK_DOCKING_INTERNAL_H

#include <pthread.h>

#include "dock/docking.h"
#include "engine/pool.h"

/* Batches that are on their way on a device: while the host looks at one, the device works on the
 * other. */
enum { BERTH_IN_FLIGHT = 2 };

/* A batch on its way. */
struct docking_slot {
    struct berth_pool *searches[BERTH_RECEPTORS_MAX]; /* owned; one for each receptor */
    size_t target;                                    /* number of the receptor that it is at */
    struct berth_packed_conformer *conformers;        /* owned, but not their atoms; [batch] */
    void **tags;                                      /* owned; [batch] */
    size_t count;                                     /* 0: nothing is on its way */
    double started;                                   /* s, by the monotonic clock */
};

/* One opened device. */
struct docking_worker {
    struct berth_docking *docking;
    size_t number; /* of the setup's devices */
    struct berth_context *context;
    /* One for each receptor, with its maps.  counters count what they meet; NULL: nobody asks. */
    struct berth_evaluator *evaluators[BERTH_RECEPTORS_MAX], *counters[BERTH_RECEPTORS_MAX];
    struct berth_search_judges judges[BERTH_RECEPTORS_MAX]; /* their evaluators are owned */
    struct docking_slot slots[BERTH_IN_FLIGHT];
    size_t batch;             /* conformers in a batch, at most */
    struct berth_found found; /* owned; [batch]: of the batch that was finished last */
    size_t batches;           /* finished so far */
    double rate;              /* conformers/s of late, to all receptors; 0: none yet */
    double met;               /* pairs that searches closed since have met */
    bool lost;                /* failed: not to be used any more */
    bool hangs;               /* it does, or was left at work: not even to be closed */
    pthread_t thread;
    bool threaded; /* it has a thread of its own in this run */
};

struct berth_docking {
    struct docking_worker *workers; /* owned; [worker_count] */
    size_t worker_count;
    struct berth_receptor_shape *shapes[BERTH_RECEPTORS_MAX]; /* owned */
    struct berth_docking_setup setup;                         /* what it points to is borrowed */
    pthread_mutex_t lock;                      /* guards what follows, and the workers' rates */
    pthread_cond_t changed;                    /* redo, busy, ended or status did */
    const struct berth_docking_stream *stream; /* borrowed; of the run that is on */
    /* Conformers of devices that failed, or of a size class that a batch has no place for, to be
     * docked by whoever comes next: to this receptor, and then to those that come behind it. */
    struct docking_redo {
        struct berth_packed_conformer *conformers; /* owned, but not their atoms; [count] */
        void **tags;                               /* owned; [count] */
        size_t count, capacity;
    } redo[BERTH_RECEPTORS_MAX];
    size_t busy;   /* batches on their way, or being made up */
    size_t alive;  /* workers that are not lost */
    size_t losses; /* devices that failed, whose conformers are in redo, or were */
    bool ended;    /* the stream gave its last conformer */
    enum berth_status status;
    struct berth_error error; /* the first one */
};

/* Opens the worker's device and its searches; the worker knows its docking and its number.  Closed
 * by docking_close_worker, also after an error.  Errors: as berth_docking_create. */
enum berth_status docking_open_worker(struct docking_worker *worker, struct berth_error *error);

void docking_close_worker(struct docking_worker *worker);

#endif

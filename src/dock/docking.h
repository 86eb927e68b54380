/* Docking conformers on one or several devices, and the modes of a ligand. */
#ifndef BERTH_DOCK_DOCKING_H
#define BERTH_DOCK_DOCKING_H

#include "device/device.h"
#include "dock/clash.h"
#include "engine/search.h"
#include "chem/ligand.h"
#include "chem/rmsd.h"
#include "score/score_ref.h"

/* Where and how to dock; everything is borrowed until the docking is destroyed. */
struct berth_docking_setup {
    /* Receptors of one site, by one scoring function: each conformer is docked to all of them. */
    struct berth_target targets[BERTH_RECEPTORS_MAX];
    size_t target_count;
    /* The same by the functions that judge what the search by the first one finds. */
    struct berth_target judges[BERTH_RECEPTORS_MAX][BERTH_FUNCTIONS_MAX - 1];
    size_t judge_count;
    struct berth_search_settings search;
    const struct berth_device *devices; /* [device_count]: those to use */
    size_t device_count;
    /* Borrowed; [device_count]: of each device one that nobody else uses meanwhile; NULL: they are
     * opened with the docking. */
    struct berth_context *const *contexts;
    size_t most; /* conformers that come at a time: batches have room for no more; 0: not known */
    struct berth_variant variant; /* tunables to set; those below 0 are left to the device */
    const char *build_options;    /* for the kernels, or NULL */
    const struct berth_log *log; /* told where kernels are compiled, which takes a while; or NULL */
    bool count_met;              /* count what neighbour lists leave; takes twice the time */
    /* NULL, or looked at while batches are waited for: see berth_check_stop.  Devices that are at
     * work then are left to it. */
    const atomic_bool *stop;
    /* Hold the energies of each device's first batch, and of every check_every-th after it, against
     * the oracle; 0: of none. */
    size_t check_every;
    /* s: a device that a batch takes longer on hangs, and is not used any more, not even to close
     * it; 0: devices are waited for. */
    double patience;
};

struct berth_docking; /* opaque */

/* Opens the devices and builds the kernels on each.  The caller destroys *docking.  Errors:
 * BERTH_E_USAGE (settings; no receptor atom near the site), BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_docking_create(const struct berth_docking_setup *setup,
                                       struct berth_docking **docking, struct berth_error *error);

/* The variant of the kernels that device number i of the setup runs. */
struct berth_variant berth_docking_variant(const struct berth_docking *docking, size_t i);

/* How it searches; borrowed from the docking. */
const struct berth_search_settings *berth_docking_settings(const struct berth_docking *docking);

/* The shapes of the receptors, for clashes, a receptor each; borrowed from the docking. */
const struct berth_receptor_shape *const *berth_docking_shapes(const struct berth_docking *docking);

/* Conformers in one batch of each device, in all. */
size_t berth_docking_batch_sum(const struct berth_docking *docking);

/* Docks count conformers, however many, to the one receptor, spread over the devices.  found has
 * room for as many.  The result does not depend on which of several equal devices did what. Errors:
 * as berth_search_start and berth_search_finish; BERTH_E_RESULT where a conformer got no pose. */
enum berth_status berth_docking_run(struct berth_docking *docking,
                                    const struct berth_packed_conformer *conformers, size_t count,
                                    struct berth_found *found, struct berth_error *error);

/* Where a device wants conformers. */
struct berth_docking_load {
    struct berth_packed_conformer *conformers; /* [room]; their atoms, and what is next, are
                                                  borrowed until the conformer is given back last */
    void **tags;                               /* [room]: the stream's own, given back with them */
    size_t room;
    double share;  /* 0 .. 1: the part of the last conformers that it should have of them, at most,
                      so that all devices end together, but at least ... */
    size_t least;  /* ... so many, 1 .. room: fewer take it hardly less time */
    size_t losses; /* failed devices that the asking one knows of: see take */
};

/* A conformer that was docked to a receptor; valid while it is given. */
struct berth_docked_conformer {
    const struct berth_packed_conformer *conformer;
    void *tag;
    const struct berth_pose *poses; /* [count], best first */
    size_t evaluations;             /* as struct berth_found has them */
    size_t count;                   /* 0: the device gave no finite energy */
    size_t device;                  /* number of the device in the setup */
    size_t target;                  /* number of the receptor, likewise */
};

/* Where conformers come from and where results go: each is given once for every receptor.  The
 * devices' threads call all of these, several at once. */
struct berth_docking_stream {
    void *context;
    /* Gives up to load->room conformers, and says how many; *end: there will be no more.  0 without
     * *end means none at the moment; one that was asked to wait gives that only where it was told
     * (see lose) of more failed devices than load->losses: there is their work to be done. */
    size_t (*take)(void *context, const struct berth_docking_load *load, bool wait, bool *end);
    void (*give)(void *context, const struct berth_docked_conformer *docked);
    /* A device failed and is not used any more; what it had goes to the others, and whoever waits
     * in take is to come back.  NULL: a device that fails ends the run, as the last one does in any
     * case. */
    void (*lose)(void *context, size_t device, const struct berth_error *why);
};

/* What computes poses of a stream's conformers: a docking, or what refines or scores them where
 * they stand. */
struct berth_stream_engine {
    void *context;
    /* Computes what the stream gives until it has no more. */
    enum berth_status (*run)(void *context, const struct berth_docking_stream *stream,
                             struct berth_error *error);
};

struct berth_stream_engine berth_docking_engine(struct berth_docking *docking);

/* Docks what the stream gives, on all devices at once, until it has no more.  The result of a
 * conformer does not depend on which of several equal devices docked it, nor on its company.
 * Errors: BERTH_E_DEVICE, BERTH_E_DEVICE_MEMORY, BERTH_E_RESULT (see check_every) where no device
 * is left; BERTH_E_MEMORY; BERTH_E_USAGE (stopped). */
enum berth_status berth_docking_run_stream(struct berth_docking *docking,
                                           const struct berth_docking_stream *stream,
                                           struct berth_error *error);

/* Summed over the devices. */
struct berth_traffic berth_docking_traffic(const struct berth_docking *docking);

/* Device time by kernel, summed over the devices; *busy: the part of the time between its first and
 * last kernel that the least busy device was at work.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_docking_times(struct berth_docking *docking, struct berth_profile *profile,
                                      double *busy, struct berth_error *error);

/* The same part alone; NAN where it is not known. */
double berth_docking_busy(struct berth_docking *docking);

/* With count_met: pairs of atoms, summed over all poses, that were not left out. */
double berth_docking_met(const struct berth_docking *docking);

/* True where a device hangs, or was left at work.  Its driver may wait for it when the process
 * exits. */
bool berth_docking_hangs(const struct berth_docking *docking);

void berth_docking_destroy(struct berth_docking *docking);

#endif

/* Docking conformers on one or several devices, and the modes of a ligand. */
#ifndef BERTH_ENGINE_DOCKING_H
#define BERTH_ENGINE_DOCKING_H

#include "cl/profile.h"
#include "engine/search.h"
#include "model/ligand.h"
#include "model/rmsd.h"
#include "model/score_ref.h"

/* Where and how to dock; everything is borrowed until the docking is destroyed. */
struct berth_docking_setup {
    struct berth_target target;
    struct berth_search_settings search;
    const struct berth_device *devices; /* [device_count]: those to use */
    size_t device_count;
    struct berth_variant variant; /* tunables to set; those below 0 are left to the device */
    const char *build_options;    /* for the kernels, or NULL */
    bool count_met;               /* count what neighbour lists leave; takes twice the time */
    /* NULL, or what is asked between batches, by any thread, whether to go on: an error ends the
     * run with it. */
    enum berth_status (*check)(struct berth_error *error);
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

/* Conformers that keep all devices busy in one call of berth_docking_run. */
size_t berth_docking_batch(const struct berth_docking *docking);

/* Docks count conformers, however many, spread over the devices.  found has room for as many.  The
 * result does not depend on which of several equal devices did what.  Errors: as
 * berth_search_run. */
enum berth_status berth_docking_run(struct berth_docking *docking,
                                    const struct berth_packed_conformer *conformers, size_t count,
                                    struct berth_found *found, struct berth_error *error);

/* Summed over the devices. */
struct berth_traffic berth_docking_traffic(const struct berth_docking *docking);

/* Device time by kernel, summed over the devices; *busy: the part of the time between its first and
 * last kernel that the least busy device was at work.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_docking_profile(struct berth_docking *docking,
                                        struct berth_profile *profile, double *busy,
                                        struct berth_error *error);

/* With count_met: pairs of atoms, summed over all poses, that were not left out. */
double berth_docking_met(const struct berth_docking *docking);

void berth_docking_destroy(struct berth_docking *docking);

#endif

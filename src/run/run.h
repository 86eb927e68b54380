/* A run that is ready: what docking, screening, scoring and redocking have in common, opened from
 * the one object of options.  What excludes what is in run/exclusions.h, how the options say to
 * search in run/search.h. */
#ifndef BERTH_RUN_RUN_H
#define BERTH_RUN_RUN_H

#include "dock/covalent/covalent.h"
#include "dock/ensemble.h"
#include "dock/flexible/side_chains.h"
#include "dock/open_devices.h"
#include "dock/ranker.h"
#include "dock/relax/relaxed_modes.h"
#include "dock/rescore.h"
#include "dock/restraints/restraints.h"
#include "dock/stream/ligand.h"
#include "run/receptor.h"
#include "run/search.h"

/* What a run is made of; everything is borrowed until it is closed, but for the options. */
struct berth_run_parts {
    const struct berth_loaded_receptor *receptors[BERTH_RECEPTORS_MAX]; /* the first has the site */
    size_t receptor_count; /* 0: the functions are known alone, and receptors come later */
    const struct berth_devices *devices; /* NULL: none is needed */
    const struct berth_options *options;
    const struct berth_log *log; /* or NULL; told by any thread */
};

struct berth_run {
    struct berth_options options; /* owned: a copy */
    const struct berth_log *log;
    struct berth_devices devices;             /* a copy: those of them that can be opened */
    struct berth_ensemble receptors;          /* borrows from the parts and the run */
    const struct berth_typed_receptor *typed; /* the first one, or without any: */
    struct berth_typed_receptor *owned;       /* the functions alone */
    const char *scoring;                      /* the functions as the caller named them; borrowed */
    struct berth_site site;                   /* of the first receptor, or about the bonded atom */
    struct berth_search_level level;          /* of a run that searches */
    struct berth_search_settings search;      /* likewise */
    struct berth_mode_choice modes;
    struct berth_ranker ranker;
    struct berth_rescorer *rescorer;        /* owned; NULL: none is asked for */
    struct berth_mode_relaxer mode_relaxer; /* its relaxer is owned; NULL: poses are not relaxed */
    struct berth_restraints restraints;
    struct berth_side_chains *side_chains; /* owned; [receptors]; NULL: none moves */
    struct berth_covalent covalent;
    struct berth_molecule read;             /* owned; a known pose of the run's own */
    const struct berth_molecule *reference; /* that RMSDs are to: `read`, or the ligand that was cut
                                               out; NULL: none */
};

/* Opens a run: checks what its options exclude, reads what they name, and finds it in the
 * receptors; opens no device.  The caller closes *run, zeroed by it before, also after an error.
 * Errors: BERTH_E_USAGE (options; no site), those of reading the files, BERTH_E_MEMORY. */
enum berth_status berth_run_open(const struct berth_run_parts *parts, struct berth_run *run,
                                 struct berth_error *error);

/* How to dock at this site, but for the devices: the run's search into its receptors.  Errors:
 * BERTH_E_USAGE (a receptor has no atoms near the site; variant). */
enum berth_status berth_run_docking_setup(const struct berth_run *run,
                                          const struct berth_site *site,
                                          struct berth_docking_setup *setup,
                                          struct berth_error *error);

/* What the ligands of a stream are docked with at this site; log (or NULL): told of ligands that
 * fail. */
struct berth_stream_settings berth_run_ligands(const struct berth_run *run,
                                               const struct berth_site *site,
                                               const struct berth_log *log);

void berth_run_close(struct berth_run *run);

#endif

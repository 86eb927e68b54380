/* A screen: all ligands of a library, or of a shard of it, docked into a journal, and the results
 * made of that.  A run that was interrupted goes on from its journal. */
#ifndef BERTH_DOCK_SCREEN_SCREEN_H
#define BERTH_DOCK_SCREEN_SCREEN_H

#include "dock/judging.h"
#include "base/shard.h"
#include "dock/screen/preparation.h"
#include "dock/screen/records.h"
#include "dock/screen/required.h"
#include "dock/stream/stream.h"
#include "format/run_card.h"
#include "dock/ensemble.h"

/* What to dock, how, and where to; everything is borrowed until the run is closed. */
struct berth_screen_settings {
    const struct berth_ensemble *receptors;
    struct berth_site site;
    const char *scoring;                         /* as the user named it */
    const char *library_path;                    /* or molecules: see berth_screen_prepares */
    const struct berth_ligands_request *prepare; /* of molecules */
    const char *forcefield;                      /* likewise: file; NULL: the built-in one */
    struct berth_shard shard;
    const char *folder; /* for the journal and the results; made where it is missing */
    bool resume;        /* go on with the run in the folder */
    bool overwrite;     /* or remove it */
    struct berth_search_settings search;
    const char *level;              /* its name: what the user calls the search */
    struct berth_mode_choice modes; /* energy_range is any */
    const struct berth_judging *judging;
    const char *rescore;           /* path of the judging's model; NULL: it has none */
    size_t rescore_top;            /* ligands that the model judges, at most */
    size_t top;                    /* ligands in hits.sdf, at most */
    const char *require;           /* interactions of poses: see dock/requirement.h; NULL: any */
    struct berth_devices *devices; /* those that cannot be opened are left out of it */
    const char *variant;           /* tunables to set, as text; NULL: none */
    size_t check_every;            /* see struct berth_docking_setup */
    double patience;               /* s, likewise */
    double checkpoint;             /* s that a crash may lose, at most */
    const struct berth_log *log;   /* or NULL; told by any thread */
};

struct berth_screen;

/* What a caller may do while it runs. */
struct berth_screen_hooks {
    void *context;
    /* A ligand has its result: in a run that is resumed, first those of earlier runs. */
    void (*note)(void *context, const struct berth_result *result);
    /* Called ten times a second, and with `last` in the end; true: the run is to be stopped. */
    bool (*tend)(void *context, const struct berth_screen *run, bool last);
};

struct berth_screen {
    struct berth_screen_settings settings;
    struct berth_screen_hooks hooks;
    struct berth_screen_preparation *preparation; /* owned; NULL where there was a library */
    struct berth_library_reader *library;         /* owned; NULL while it is prepared */
    struct berth_library_range range;             /* of the shard */
    struct berth_docking *docking;
    struct berth_journal *journal;
    struct berth_run_records records; /* over the journal */
    size_t *device_numbers;           /* owned; [devices]: in records.devices */
    struct berth_window *window;
    struct berth_run_card card;
    uint64_t total, before, done;   /* ligands in all (0 while the library is prepared), by
                                       earlier runs, by all runs */
    double pairs_per_atom;          /* see berth_search_pairs_per_atom */
    double started;                 /* s: when docking began */
    struct berth_run_work work;     /* since the last checkpoint; shares of the devices */
    struct berth_required required; /* poses that make what is asked for */
    double processor, preparing;    /* s of processor time: of all of it, of preparing */
    bool stopped;                   /* before all was done */
    size_t pending;                 /* ligands that are not on disk */
    double synced;                  /* s: when the last checkpoint was */
    uint64_t docked;                /* ligands with a result */
    uint64_t failed;                /* rows of failures.csv, but for what was dropped */
    uint64_t left_out;              /* poses that clash too much */
    uint64_t few;                   /* ligands of which fewer than num_modes were found */
};

/* Opens library, devices and journal, and reads what earlier runs have done.  The caller closes
 * *run, zeroed by it before, also after an error.  Errors: BERTH_E_USAGE (settings; a run that is
 * there, or another one), BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_screening_open(const struct berth_screen_settings *settings,
                                       const struct berth_screen_hooks *hooks,
                                       struct berth_screen *run, struct berth_error *error);

/* Docks what the journal lacks, and writes the results once nothing does; run->stopped says whether
 * it was stopped before.  Errors: as opening; the message says what is safe. */
enum berth_status berth_screening_run(struct berth_screen *run, struct berth_error *error);

/* BERTH_E_USAGE that says how to go on after `why` ("interrupted") ended the run. */
enum berth_status berth_screening_incomplete(const struct berth_screen *run, const char *why,
                                             struct berth_error *error);

void berth_screening_close(struct berth_screen *run);

/* Ligands in all, of a library that is being prepared by how far that is; 0: not known yet.
 * *estimated: it is. */
uint64_t berth_screening_total(const struct berth_screen *run, bool *estimated);

/* Fills the run's card.  Errors: BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_screening_describe(struct berth_screen *run, struct berth_error *error);

#endif

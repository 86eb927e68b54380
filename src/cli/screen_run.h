/* A run of `berth screen`: a pipeline.
 *
 * A thread reads the library into the window (screen_read.c); the devices' threads take conformers
 * from it and give poses back (screen_window.c, dock/docking.h); the main thread takes finished
 * ligands out of it in the library's order and writes them to the journal (screen_collect.c). */
#ifndef BERTH_CLI_SCREEN_RUN_H
#define BERTH_CLI_SCREEN_RUN_H

#include <pthread.h>

#include "cli/screen.h"

/* --- The window: ligands on their way, in the library's order (screen_window.c) --- */

struct screen_ligand {
    struct screen_ligand *next;
    struct screen_result result;           /* its texts are owned, too */
    char *title, *failure;                 /* owned: these */
    struct berth_packed_conformer *packed; /* owned; [conformer_count]; atoms until it is docked */
    struct berth_packed_flexible flexible; /* owned; what turns in all of them, if anything does */
    double *strains;                       /* owned; [conformer_count]: kJ/mol; NAN where unknown */
    double strain_weight;                  /* 0 where a strain is unknown */
    size_t torsions;                       /* in its tree, also such as move no heavy atom */
    size_t taken, finished;                /* conformers */
    size_t bad;                        /* number of the first conformer without energy; 0: none */
    size_t bad_device;                 /* which gave none; of the setup */
    struct screen_poses *found;        /* owned; [conformer_count] */
    bool several;                      /* modes: all poses are kept, and */
    struct berth_library_ligand whole; /* what symmetry and places need */
};

/* What modes are chosen among once all conformers are done: the poses of a conformer, or its best
 * one. */
struct screen_poses {
    struct berth_pose *poses; /* owned; [count] */
    float *angles;            /* owned; [count][BERTH_TORSIONS], rad; NULL without refinement */
    float given;              /* kJ/mol: as struct berth_found has it */
    size_t count;
    size_t device; /* of the setup */
};

/* How ligands are to be docked. */
struct screen_manner {
    bool several;                /* modes */
    bool turns;                  /* torsions turn */
    double strain_weight;        /* see struct berth_mode_settings */
    const struct berth_log *log; /* borrowed */
};

/* A ligand of the docking stream, packed; whole: moved from where several modes are wanted.  The
 * caller destroys *made or gives it away.  Errors: BERTH_E_MEMORY, BERTH_E_USAGE (see
 * berth_pack_conformer), BERTH_E_FORMAT (see berth_flexible_from_tree). */
enum berth_status screen_ligand_create(const struct berth_docking_ligand *ligand,
                                       const struct screen_manner *manner,
                                       struct berth_library_ligand *whole,
                                       struct screen_ligand **made, struct berth_error *error);

/* One that failed before it was docked; title: NULL where it is not known. */
enum berth_status screen_ligand_create_failed(uint64_t ordinal, const char *title,
                                              const char *reason, struct screen_ligand **made,
                                              struct berth_error *error);

/* NULL is accepted. */
void screen_ligand_destroy(struct screen_ligand *ligand);

struct screen_window {
    pthread_mutex_t lock; /* guards all that follows */
    pthread_cond_t room, work, results;
    struct screen_ligand *first, *last;
    struct screen_ligand *work_next; /* the first one with conformers to be taken */
    size_t ligands, held, waiting;   /* ligands; their conformers; those that nobody took */
    size_t held_max, waiting_max;    /* conformers */
    size_t device_count;
    const struct berth_device *devices; /* borrowed; [device_count] */
    size_t *docked;                     /* owned; [device_count]: conformers */
    size_t *lost;                       /* owned; [device_count]: 1 where the device failed */
    size_t losses;                      /* how many did */
    double atoms;                       /* of the conformers docked */
    bool blocked;                       /* the reader waits for room */
    bool read;                          /* the reader has ended */
    bool stopping;                      /* the end was asked for */
    bool ended;                         /* the devices have ended */
};

/* A window for these devices (borrowed), of which a batch each is `batch` conformers in all.
 * several: of each ligand several modes are to be chosen.  The caller destroys *window.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status screen_window_create(const struct berth_devices *devices, size_t batch,
                                       bool several, struct screen_window **window,
                                       struct berth_error *error);

/* Adds a ligand behind the others, once there is room, and owns it; false where the run is being
 * stopped. */
bool screen_window_add(struct screen_window *window, struct screen_ligand *ligand);

/* There are no more ligands. */
void screen_window_read(struct screen_window *window);

/* Nobody is to take any more. */
void screen_window_stop(struct screen_window *window);

/* The devices have ended: what is not finished will not be. */
void screen_window_end(struct screen_window *window);

/* The ligands at the front that are finished, a list that the caller owns; waits up to `seconds`
 * for one.  *end: there will be no more. */
struct screen_ligand *screen_window_pop(struct screen_window *window, double seconds, bool *end);

/* What the window is to the devices. */
struct berth_docking_stream screen_window_stream(struct screen_window *window);

void screen_window_destroy(struct screen_window *window);

/* --- The reader (screen_read.c) --- */

struct screen_reader {
    const struct berth_library_reader *library; /* borrowed */
    struct berth_library_range range;
    struct screen_manner manner;
    struct screen_window *window; /* borrowed */
    uint64_t unweighted;          /* out: ligands that strain_weight could not be applied to */
    enum berth_status status;     /* out */
    struct berth_error error;
};

/* A thread's function: reads a struct screen_reader's range into its window. */
void *screen_read(void *reader);

/* --- Progress (screen_progress.c) --- */

struct screen_progress {
    bool terminal;          /* stderr is one */
    uint64_t total, before; /* ligands in all; done by earlier runs */
    uint64_t done, failed;  /* by all runs */
    double start, next;     /* s: of the run; of the next line */
    double pairs_per_atom;  /* receptor atoms × poses × generations */
    double best;            /* in that unit: */
    const char *unit;
    char best_title[64]; /* "" while nothing was docked */
};

void screen_progress_start(struct screen_progress *progress);

void screen_progress_note(struct screen_progress *progress, const struct screen_result *result);

/* Shows how far the run is, if it is time to. */
void screen_progress_show(struct screen_progress *progress, struct screen_window *window,
                          bool last);

/* --- The run (cmd_screen.c, screen_setup.c, screen_collect.c, screen_json.c) --- */

struct screen_run {
    const struct screen_values *values;
    const struct berth_parsed *parsed;
    struct berth_site site;
    struct berth_typed_receptor receptor;
    struct berth_library_reader *library;
    struct screen_shard shard;
    struct berth_library_range range; /* of the shard */
    struct berth_devices devices;
    struct berth_docking *docking;
    struct berth_journal *journal;
    struct screen_records records; /* over the journal */
    size_t *device_numbers;        /* owned; [devices.count]: in records.devices */
    struct screen_window *window;
    struct screen_progress progress;
    struct berth_bytes identity, facts; /* texts */
    double seconds;                     /* that docking took */
    bool stopped;                       /* by a signal or the time limit */
    uint64_t failed;                    /* rows of failures.csv */
};

/* The identity and the facts of the run's journal.  Errors: BERTH_E_IO, BERTH_E_FORMAT,
 * BERTH_E_MEMORY. */
enum berth_status screen_describe(struct screen_run *run, struct berth_error *error);

/* Chooses the modes of a ligand whose conformers are all docked (screen_modes.c).  Errors:
 * BERTH_E_MEMORY. */
enum berth_status screen_choose_modes(const struct screen_run *run, struct screen_ligand *ligand,
                                      struct berth_error *error);

/* Docks what the journal lacks, into the journal.  Errors: those of reading, docking and writing.
 */
enum berth_status screen_collect(struct screen_run *run, struct berth_error *error);

/* What run.json says of runs and merges alike; everything is borrowed. */
struct screen_summary {
    const char *folder, *identity, *facts;
    uint64_t ligands, failed;
    const struct screen_devices *devices; /* that docked any of it */
};

/* Writes run.json; run: what this run did, NULL for a merge.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status screen_json_write(const struct screen_summary *summary,
                                    const struct screen_run *run, struct berth_error *error);

#endif

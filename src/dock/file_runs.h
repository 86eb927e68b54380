/* Docking and scoring the ligands of files: the devices, opened for a site, and each ligand with
 * its modes to a sink. */
#ifndef BERTH_DOCK_FILE_RUNS_H
#define BERTH_DOCK_FILE_RUNS_H

#include "dock/ensemble.h"
#include "dock/judging.h"
#include "dock/source.h"
#include "dock/stream/stream.h"
#include "dock/surface/surface_scan.h"
#include "dock/typed_receptor.h"

/* Where and how to dock; everything is borrowed until the docking is closed. */
struct berth_file_docking_settings {
    const struct berth_ensemble *receptors;
    struct berth_site site;
    /* The site is the one receptor's whole surface, and each mode the best pose of a population
     * there; else it is that box, and modes are as asked for. */
    bool surface;
    struct berth_search_settings search;
    const char *variant;           /* tunables to set, as text, for the opening; NULL: none */
    struct berth_devices *devices; /* those that cannot be opened are left out of it */
    const atomic_bool *stop;       /* see struct berth_docking_setup, as these */
    size_t check_every;
    double patience; /* s */
    bool separate;   /* every molecule is a ligand of its own */
    struct berth_mode_choice modes;
    const struct berth_judging *judging;
    struct berth_relaxing *relaxing;        /* NULL: see struct berth_mode_settings */
    const struct berth_molecule *reference; /* that RMSDs of modes are to; NULL: none */
    const struct berth_log *log;            /* or NULL; told by any thread */
};

struct berth_file_docking {
    struct berth_file_docking_settings settings; /* site: of a surface the box about it */
    struct berth_surface surface;
    struct berth_docking *docking;   /* of a surface: to its first part */
    struct berth_surface_scan *scan; /* NULL: to one site */
    struct berth_mode_stream stream; /* its window: of the last file */
};

/* Opens the devices.  The caller closes *docking, zeroed by it before, also after an error.
 * Errors: BERTH_E_USAGE (variant), those of berth_docking_on. */
enum berth_status berth_file_docking_open(const struct berth_file_docking_settings *settings,
                                          struct berth_file_docking *docking,
                                          struct berth_error *error);

/* True where torsions are refined. */
bool berth_file_docking_is_flexible(const struct berth_file_docking *docking);

/* What each atom of a docked conformer takes: receptor atoms × poses × generations. */
double berth_file_docking_pairs_per_atom(const struct berth_file_docking *docking);

/* Docks what the source, which is open, gives.  May be called again.  Errors: those of
 * berth_stream_run. */
enum berth_status berth_file_docking_run(struct berth_file_docking *docking,
                                         struct berth_source *source,
                                         const struct berth_mode_sink *sink,
                                         struct berth_error *error);

/* True where a device hangs: see berth_docking_hangs. */
bool berth_file_docking_hangs(const struct berth_file_docking *docking);

/* A zeroed one is accepted. */
void berth_file_docking_close(struct berth_file_docking *docking);

/* --- Scoring the molecules of a file where they stand in the receptor, or where they come to when
 * they are minimised. */

/* How to score; everything is borrowed for the call. */
struct berth_file_scoring {
    const struct berth_typed_receptor *receptor;
    struct berth_devices *devices; /* the first; where it fails, see berth_devices_fall_back */
    const struct berth_judging *judging; /* by the receptor's functions */
    bool minimize;
    struct berth_refine_settings refine;    /* with minimize; but for its poses */
    const struct berth_molecule *reference; /* that RMSDs are to; or NULL */
    bool any_stereo;                        /* see struct berth_mode_choice */
    const struct berth_log *log;            /* or NULL */
};

/* Opens the device, and hands each molecule of the source, which is open, with its one mode to the
 * sink.  Errors: BERTH_E_DEVICE, BERTH_E_RESULT (an energy that is no number), those of
 * berth_stream_run. */
enum berth_status berth_file_score(const struct berth_file_scoring *scoring,
                                   struct berth_source *source, const struct berth_mode_sink *sink,
                                   struct berth_error *error);

#endif

/* Docking and scoring the ligands of files: the devices, opened for a site, and each ligand with
 * its modes to a sink. */
#ifndef BERTH_RUN_FILE_DOCKING_H
#define BERTH_RUN_FILE_DOCKING_H

#include "dock/source.h"
#include "dock/stream/stream.h"
#include "dock/surface/surface_scan.h"
#include "run/run.h"

struct berth_file_docking {
    struct berth_run *run;  /* borrowed */
    struct berth_site site; /* the run's; of a surface the box about it */
    struct berth_surface surface;
    struct berth_docking *docking;   /* of a surface: to its first part */
    struct berth_surface_scan *scan; /* NULL: to one site */
    struct berth_mode_stream stream; /* its window: of the last file */
};

/* Opens the devices; of a run to a whole surface each mode is the best pose of a population there.
 * The run is borrowed until the docking is closed, and those of its devices that cannot be opened
 * are left out of it.  The caller closes *docking, zeroed by it before, also after an error.
 * Errors: BERTH_E_USAGE (variant), those of berth_docking_on. */
enum berth_status berth_file_docking_open(struct berth_run *run, struct berth_file_docking *docking,
                                          struct berth_error *error);

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

/* Opens the first device, and hands each molecule of the source, which is open, with its one mode
 * to the sink.  Errors: BERTH_E_DEVICE, BERTH_E_RESULT (an energy that is no number), those of
 * berth_stream_run. */
enum berth_status berth_file_score(struct berth_run *run, struct berth_source *source,
                                   const struct berth_mode_sink *sink, struct berth_error *error);

#endif

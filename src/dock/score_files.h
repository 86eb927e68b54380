/* What `berth score` writes: a table of energies, and the poses that minimised molecules come to.
 */
#ifndef BERTH_DOCK_SCORE_FILES_H
#define BERTH_DOCK_SCORE_FILES_H

#include "dock/stream/ligand.h"
#include "format/failures.h"
#include "format/poses.h"

struct berth_score_files {
    struct berth_output *rows, *poses; /* owned; poses NULL: not asked for */
    const struct berth_pose_format *format;
    const struct berth_scoring *scoring; /* borrowed */
    bool minimized;                      /* the table has strains */
};

/* Opens the files; poses may be NULL.  Errors: BERTH_E_IO, BERTH_E_MEMORY, BERTH_E_USAGE (see
 * berth_pose_format_of). */
enum berth_status berth_score_files_create(struct berth_score_files *files, const char *rows,
                                           const char *poses, struct berth_error *error);

/* Writes a molecule's one mode, or, where modes is NULL, its row of the failures.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_score_files_add(struct berth_score_files *files,
                                        struct berth_failures *failures,
                                        const struct berth_stream_ligand *ligand,
                                        const struct berth_modes *modes, struct berth_error *error);

/* Gives the files, and that of the failures, their names.  Errors: BERTH_E_IO. */
enum berth_status berth_score_files_commit(struct berth_score_files *files,
                                           struct berth_failures *failures,
                                           struct berth_error *error);

/* Removes what has no name. */
void berth_score_files_discard(struct berth_score_files *files);

#endif

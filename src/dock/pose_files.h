/* Where the modes of docked ligands go: a file of poses, and a table of their scores. */
#ifndef BERTH_DOCK_POSE_FILES_H
#define BERTH_DOCK_POSE_FILES_H

#include "dock/stream/ligand.h"
#include "format/poses.h"

/* The caller sets what is borrowed, and the seed. */
struct berth_pose_files {
    const struct berth_device *devices; /* borrowed; of the docking's setup */
    unsigned long long seed;
    struct berth_output *poses, *scores; /* owned; scores NULL: not asked for */
    const struct berth_pose_format *format;
};

/* What is said of a ligand's mode; number: from 1; ordinal and device are not known. */
struct berth_score_row berth_score_row_of(const struct berth_ligand *ligand,
                                          const struct berth_mode *mode, size_t number);

/* Opens the files; scores may be NULL.  Errors: BERTH_E_USAGE (no such format), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_pose_files_create(struct berth_pose_files *files, const char *poses,
                                          const char *scores, struct berth_error *error);

/* Writes the modes of a ligand that is docked.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_pose_files_add(struct berth_pose_files *files,
                                       const struct berth_stream_ligand *ligand,
                                       const struct berth_modes *modes, struct berth_error *error);

/* Gives the files their names.  Errors: BERTH_E_IO. */
enum berth_status berth_pose_files_commit(struct berth_pose_files *files,
                                          struct berth_error *error);

/* Removes what has no name. */
void berth_pose_files_discard(struct berth_pose_files *files);

#endif

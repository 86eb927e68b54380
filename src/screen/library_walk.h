/* A walk over what a library's write-out stream has of the ligands of a run. */
#ifndef BERTH_SCREEN_LIBRARY_WALK_H
#define BERTH_SCREEN_LIBRARY_WALK_H

#include "format/library/library.h"
#include "score/pose.h"

/* Forward; zeroed but for the first three. */
struct berth_library_walk {
    const struct berth_library_reader *reader; /* borrowed */
    struct berth_library_range range;          /* the ligands that it may come to */
    bool whole;                                /* not their properties alone */
    struct berth_docking_block block;          /* owned */
    struct berth_write_out_block rest;         /* owned */
    uint64_t begin, end;                       /* ordinals that were read last */
    enum berth_status status;                  /* of reading them: BERTH_OK or BERTH_E_FORMAT */
    struct berth_error error;
};

/* The ligand of this ordinal, no smaller than the last one's.  The caller clears *ligand.  Errors:
 * BERTH_E_FORMAT (its block is corrupt), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_library_walk_to(struct berth_library_walk *walk, uint64_t ordinal,
                                        struct berth_library_ligand *ligand,
                                        struct berth_error *error);

/* Where a pose of the ligand, which is read as a whole, puts all atoms of its conformer; center: of
 * the site.  The caller frees *positions.  Errors: BERTH_E_FORMAT (there is no such conformer),
 * BERTH_E_MEMORY. */
enum berth_status berth_library_place(const struct berth_library_ligand *ligand,
                                      const struct berth_pose *mode, const double center[3],
                                      double (**positions)[3], struct berth_error *error);

void berth_library_walk_clear(struct berth_library_walk *walk);

#endif

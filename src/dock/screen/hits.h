/* The best ligands of a screen: kept in a heap, and written with all atoms and bonds. */
#ifndef BERTH_DOCK_SCREEN_HITS_H
#define BERTH_DOCK_SCREEN_HITS_H

#include "dock/screen/outcome.h"
#include "format/output.h"

/* The best ligands so far: a heap of bounded size. */
struct berth_hit {
    double value; /* of its best mode, kJ/mol */
    uint64_t ordinal;
    struct berth_pose *modes; /* owned; [mode_count]; without positions */
    size_t mode_count;
};

struct berth_hits {
    struct berth_hit *hits; /* owned; a heap with the worst on top, until they are sorted */
    size_t count, capacity, most;
};

/* Adds the result, unless there are enough that are better.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_hits_add(struct berth_hits *hits, const struct berth_result *result,
                                 struct berth_error *error);

/* Best first; ties in the library's order. */
void berth_hits_sort(struct berth_hits *hits);

/* Writes the poses of the hits, which are sorted; a ligand that cannot be read is left out.  They
 * are made in the library's order, whose blocks are large, by a thread for each processor, in a
 * file beside the output's.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_hits_write(const struct berth_hits *hits,
                                   const struct berth_screen_outcome *outcome,
                                   struct berth_output *output, struct berth_error *error);

void berth_hits_clear(struct berth_hits *hits);

/* BERTH_E_IO where the results could not be written to the folder: see berth_folder_probe. */
enum berth_status berth_run_folder_check(const char *path, struct berth_error *error);

#endif

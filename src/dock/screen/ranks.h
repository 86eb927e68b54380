/* The ranks of all ligands of a screen, at 16 bytes a ligand. */
#ifndef BERTH_DOCK_SCREEN_RANKS_H
#define BERTH_DOCK_SCREEN_RANKS_H

#include "dock/modes.h"

struct berth_ranked {
    uint64_t ordinal;
    union {
        double value;  /* what the ligand is ranked by, until all are there; then */
        uint64_t rank; /* from 1 */
    };
};

/* Zeroed to begin with. */
struct berth_ranks {
    struct berth_ranked *ligands; /* owned; in the library's order */
    size_t count, capacity, next;
};

/* Adds a docked ligand, in the library's order.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_ranks_add(struct berth_ranks *ranks, const struct berth_result *result,
                                  struct berth_error *error);

/* Once all are there: ranks them, best first, ties in the library's order. */
void berth_ranks_close(struct berth_ranks *ranks);

/* The rank of the next ligand, in the order in which they were added. */
size_t berth_ranks_next(struct berth_ranks *ranks);

void berth_ranks_clear(struct berth_ranks *ranks);

#endif

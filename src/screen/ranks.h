/* The ranks of a screen's ligands, at 16 bytes a ligand, and 8 for each column that a ranking looks
 * at. */
#ifndef BERTH_SCREEN_RANKS_H
#define BERTH_SCREEN_RANKS_H

#include "dock/ranker.h"
#include "dock/modes.h"

struct berth_ranked_ligand {
    uint64_t ordinal;
    union {
        double value;  /* what the ligand is ranked by, until all are there; then */
        uint64_t rank; /* from 1 */
    };
};

/* Zeroed to begin with, but for the first three. */
struct berth_ranks {
    const struct berth_ranker *ranker;   /* borrowed */
    size_t judged_top;                   /* ligands that a model may have judged: the best ones by
                                            what the ranking makes of them with 0 for what it says */
    bool again;                          /* the modes are in another ranking's order */
    struct berth_ranked_ligand *ligands; /* owned; in the library's order */
    size_t count, capacity;
    double *values; /* owned; [count]: what the ranking makes of them; NULL: there is none */
    uint64_t last;  /* rank of the last ligand that counts as judged by the model */
    /* What the ranking looks at, until all are there, [ligands][columns]: of all of them, with 0
     * for what the model says; and of those that it has judged, with that. */
    struct berth_ranked_cells {
        double *cells; /* owned */
        size_t count, capacity;
    } plain, informed;
    uint64_t *judged; /* owned; [judged_count]: their ordinals */
    size_t judged_count, judged_capacity;
};

/* Adds a docked ligand, in the library's order, and leaves its modes as they count for it.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_ranks_add(struct berth_ranks *ranks, struct berth_result *result,
                                  struct berth_error *error);

/* Once all are there: ranks them, best first, ties in the library's order.  Where rankings look at
 * what a model says, those that it has judged come first, in the order that follows from that.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_ranks_close(struct berth_ranks *ranks, struct berth_error *error);

/* Then: leaves the modes of the ligand at this place as they count for it; what the model says of
 * others than the judged_top is left out.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_ranks_settle(const struct berth_ranks *ranks, size_t place,
                                     struct berth_result *result, struct berth_error *error);

/* Then: the ligand's rank; 0: it has none. */
uint64_t berth_ranks_find(const struct berth_ranks *ranks, uint64_t ordinal);

void berth_ranks_clear(struct berth_ranks *ranks);

#endif

/* Maximum matching in a small general graph, by Edmonds' blossom algorithm.
 *
 * Reference: J. Edmonds, Paths, trees, and flowers, Canad. J. Math. 17 (1965) 449.
 */
#ifndef BERTH_CHEM_MATCHING_H
#define BERTH_CHEM_MATCHING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct berth_matching {
    int count;    /* vertices */
    int *start;   /* owned; [count + 1]: neighbours of v are neighbour[start[v] .. start[v + 1]) */
    int *others;  /* owned; [start[count]] */
    int *level;   /* owned; [count]: vertices above the level of a search are not there for it */
    int *partner; /* owned; [count]: -1 where unmatched */
    int *scratch; /* owned; [5 * count] */
};

/* A graph of count vertices with the edges given as pairs [edge_count][2], all on level 0 and
 * unmatched.  The caller clears *graph.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_matching_create(int count, const int (*edges)[2], size_t edge_count,
                                        struct berth_matching *graph, struct berth_error *error);

/* Matches the unmatched vertex root, using vertices of at most `level`: by an augmenting path,
 * which keeps every matched vertex matched, or else by leaving out one vertex of a higher level
 * than root's.  So roots tried level by level are matched wherever lower levels can spare them.
 * False where neither is possible. */
bool berth_matching_augment(struct berth_matching *graph, int root, int level);

void berth_matching_clear(struct berth_matching *graph);

#endif

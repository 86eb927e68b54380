/* Symmetry-corrected heavy-atom RMSD.
 *
 * Atoms are matched by the bond graph of the heavy atoms (elements and connections; bond orders
 * are left out, so that resonance forms and perception differences match): the RMSD is the
 * smallest over all isomorphisms, without superposition.
 */
#ifndef BERTH_CHEM_RMSD_H
#define BERTH_CHEM_RMSD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chem/molecule.h"

/* colours: [heavy atoms]: equal for atoms that some isomorphism of the molecule to itself may
 * match, by elements and bonds alone.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_matches_colours(const struct berth_molecule *molecule, uint64_t *colours,
                                        struct berth_error *error);

/* The isomorphisms from the heavy atoms of one molecule to those of another. */
struct berth_matches {
    size_t heavy_count; /* heavy atoms of either molecule */
    size_t count;       /* isomorphisms found; 0: the molecules differ */
    size_t *atoms;      /* owned; [count][heavy_count]: row m, entry i is the index among the heavy
                           atoms of `to` that heavy atom i of `from` matches in isomorphism m */
    bool complete;      /* false where the bound on work cut the search short */
};

/* At most this many isomorphisms are kept, and this many search steps are made. */
enum { BERTH_MATCHES_MAX = 4096, BERTH_MATCH_STEPS_MAX = 4000000 };

/* Finds the isomorphisms between the heavy-atom graphs of from and to.  The caller clears
 * *matches.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_matches_find(const struct berth_molecule *from,
                                     const struct berth_molecule *to, struct berth_matches *matches,
                                     struct berth_error *error);

/* Says of an isomorphism while it grows whether it may stand. */
struct berth_match_rule {
    /* image: [heavy atoms of `from`], where each of them is placed, SIZE_MAX: nowhere yet; `atom`
     * is the one that was placed last. */
    bool (*allows)(const void *context, const size_t *image, size_t atom);
    const void *context; /* borrowed */
};

/* The same, but only the first isomorphism that the rule allows: *matches has one or none.  The
 * caller clears *matches.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_matches_find_first(const struct berth_molecule *from,
                                           const struct berth_molecule *to,
                                           const struct berth_match_rule *rule,
                                           struct berth_matches *matches,
                                           struct berth_error *error);

/* Smallest RMSD (Å) over the matches between positions a (heavy atoms of from) and b (heavy atoms
 * of to), shape [heavy_count][3] each; infinity where there is no match.  Where the matches are not
 * complete (thousands of symmetries) it may be too large, never too small. */
double berth_rmsd(const struct berth_matches *matches, const double (*a)[3], const double (*b)[3]);

void berth_matches_clear(struct berth_matches *matches);

#endif

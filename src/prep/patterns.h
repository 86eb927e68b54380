/* Patterns of atoms and bonds (SMARTS), which RDKit reads, and finds in molecules.
 *
 * Patterns may have all that RDKit's SMARTS have but stereo (docs/restraints.md).  Orders, charges
 * and aromatic atoms are as chem/facts.h has them.  Hydrogens are counted (H), and no atoms of a
 * match.
 */
#ifndef BERTH_PREP_PATTERNS_H
#define BERTH_PREP_PATTERNS_H

#include "chem/common_core.h"
#include "chem/facts.h"

struct berth_pattern {
    char *text;                        /* owned: SMARTS */
    size_t count;                      /* of its atoms, 1 to BERTH_CORE_ATOMS */
    uint16_t labels[BERTH_CORE_ATOMS]; /* of its atoms; 0: none */
};

/* A process with RDKit for the patterns of a run; may be asked by any thread.  NULL: not started.
 */
struct berth_matcher;

/* Reads a pattern; *matcher is started where it is NULL.  The caller destroys both, also after an
 * error.  Errors: BERTH_E_FORMAT (no pattern), BERTH_E_IO (no RDKit: says what to install),
 * BERTH_E_MEMORY. */
enum berth_status berth_pattern_read(struct berth_matcher **matcher, const char *text,
                                     struct berth_pattern **pattern, struct berth_error *error);

/* What patterns ask of a molecule. */
enum { BERTH_PATTERN_FACTS = BERTH_FACT_ORDERS | BERTH_FACT_RINGS | BERTH_FACT_AROMATIC };

/* Gives all matches in a molecule of which BERTH_PATTERN_FACTS are known, ways round the same atoms
 * as well, in order of their atoms: atoms[pattern->count], of the molecule.  Errors: BERTH_E_FORMAT
 * (too many ways, or too long), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_pattern_match(struct berth_matcher *matcher,
                                      const struct berth_pattern *pattern,
                                      const struct berth_facts *facts, berth_core_taker *take,
                                      void *context, struct berth_error *error);

/* NULL is accepted. */
void berth_pattern_destroy(struct berth_pattern *pattern);
void berth_matcher_destroy(struct berth_matcher *matcher);

#endif

/* SMARTS: patterns of atoms and bonds, and where a molecule has them.
 *
 * Known are atoms (B C N O P S F Cl Br I, b c n o p s, *, A, a), brackets with element symbols, #n,
 * A, a, D, X, H, v, charges, R, R0, r, rn, $(...) and a label (:1), joined by !, &, comma and
 * semicolon; bonds - = # : ~ @ and the same joints; branches and ring closures.  Stereo, isotopes,
 * counts of rings (R2) and dots are not.  What is aromatic is as chem/facts.h has it.  Hydrogens
 * are counted (H), and no atoms of a match, but inside $(...).
 */
#ifndef BERTH_CHEM_SMARTS_H
#define BERTH_CHEM_SMARTS_H

#include "chem/facts.h"

/* Atoms of a pattern, at most; conditions of all its atoms and bonds, which lie in each other; and
 * steps of matching a molecule: an atom that is tried, a condition, or a bond that one looks at. */
enum { BERTH_SMARTS_ATOMS = 96, BERTH_SMARTS_CONDITIONS = 4096, BERTH_SMARTS_STEPS = 20000000 };

struct berth_smarts; /* opaque */

/* Reads a pattern; the caller destroys *smarts.  Errors: BERTH_E_FORMAT (names the character),
 * BERTH_E_MEMORY. */
enum berth_status berth_smarts_parse(const char *text, struct berth_smarts **smarts,
                                     struct berth_error *error);

/* NULL is accepted. */
void berth_smarts_destroy(struct berth_smarts *smarts);

size_t berth_smarts_count(const struct berth_smarts *smarts);

/* The label of a pattern's atom; 0: it has none. */
int berth_smarts_label(const struct berth_smarts *smarts, size_t atom);

/* What patterns ask of a molecule. */
enum { BERTH_SMARTS_FACTS = BERTH_FACT_ORDERS | BERTH_FACT_RINGS | BERTH_FACT_AROMATIC };

/* Takes a match: atoms[berth_smarts_count], of the molecule.  false: that is enough. */
typedef bool berth_smarts_taker(void *context, const size_t *atoms);

/* Gives all matches in a molecule of which BERTH_SMARTS_FACTS are known, ways round the same atoms
 * as well, in order of their atoms.  Errors: BERTH_E_FORMAT (after BERTH_SMARTS_STEPS). */
enum berth_status berth_smarts_match(const struct berth_smarts *smarts,
                                     const struct berth_facts *facts, berth_smarts_taker *take,
                                     void *context, struct berth_error *error);

#endif

/* The largest connected part that two molecules have in common. */
#ifndef BERTH_CHEM_COMMON_CORE_H
#define BERTH_CHEM_COMMON_CORE_H

#include "chem/facts.h"

/* Heavy atoms of a core, at most. */
enum { BERTH_CORE_ATOMS = 96 };

/* Takes a way that a core or a pattern lies: its atoms.  false: that is enough. */
typedef bool berth_core_taker(void *context, const size_t *atoms);

/* What a reference and a ligand have in common: its heavy atoms, in both. */
struct berth_common_core {
    size_t count;
    size_t reference[BERTH_CORE_ATOMS], ligand[BERTH_CORE_ATOMS];
};

/* Finds it.  Atoms match by element and by whether they are in rings; bonds by whether they are in
 * rings, since their orders differ between forms of a molecule, and where files have none.  A ring
 * is in it as a whole, or no bond of it.  Equal molecules give equal cores on all machines: what
 * bounds the work is a number of steps, and in rare cases there is more in common than is found.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_common_core_find(const struct berth_facts *reference,
                                         const struct berth_facts *ligand,
                                         struct berth_common_core *core, struct berth_error *error);

/* Gives all ways that the ligand's atoms of a core can lie on the reference's: atoms[count], of the
 * reference, in order of core->ligand.  An end of the reference beside one of the core, such as the
 * other oxygen of its acid, may take that one's place.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_common_core_ways(const struct berth_facts *reference,
                                         const struct berth_facts *ligand,
                                         const struct berth_common_core *core,
                                         berth_core_taker *take, void *context,
                                         struct berth_error *error);

#endif

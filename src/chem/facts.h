/* What follows from a molecule's atoms and bonds, worked out in one place for all who ask: which
 * atoms are bonded, orders of bonds and formal charges in a Kekulé structure, aromatic atoms,
 * rings, and the traits that typing rules look at.
 *
 * Aromatic are atoms of an aromatic Mol2 type, and those of rings of five with conjugated types, a
 * lone pair among them, and no carbonyl: by the convention of BUDE's forcefields
 * (chem/type_rules.h) rings of five have localised types.  Rings of six with a carbonyl (pyridones)
 * are none, as to Sybyl, also where they were drawn so (chem/localise.h).  Where the molecule has
 * no bonds they follow from distances.
 */
#ifndef BERTH_CHEM_FACTS_H
#define BERTH_CHEM_FACTS_H

#include <stdbool.h>

#include "base/error.h"
#include "chem/bonds.h"

/* What there is to ask for beside who is bonded. */
enum {
    BERTH_FACT_ORDERS = 1, /* and charges */
    BERTH_FACT_AROMATIC = 2,
    BERTH_FACT_RINGS = 4,
    BERTH_FACT_TRAITS = 8
};

/* NULL is what was not asked for. */
struct berth_facts {
    const struct berth_molecule *molecule; /* borrowed */
    struct berth_adjacency adjacency;
    int *orders;  /* owned; [bond_count]: 1, 2, 3; 4 where no Kekulé structure exists (or the
                     aromatic system is above 2000 atoms); 0 for no bond ("nc") */
    int *charges; /* owned; [atom_count], elementary charges */
    int *rings;   /* owned; [bond_count]: atoms of the smallest ring that the bond is in; 0: none */
    bool *aromatic;              /* owned; [atom_count] */
    struct berth_traits *traits; /* owned; [atom_count] */
};

/* Finds what is asked for, BERTH_FACT_... joined by |.  The caller clears *facts, which is zeroed
 * after an error, before the molecule.  Errors: those of berth_adjacency_find. */
enum berth_status berth_facts_find(const struct berth_molecule *molecule, unsigned asked,
                                   struct berth_facts *facts, struct berth_error *error);

/* A zeroed one is accepted. */
void berth_facts_clear(struct berth_facts *facts);

#endif

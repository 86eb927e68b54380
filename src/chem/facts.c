#include "chem/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/kekule.h"
#include "chem/localise.h"
#include "chem/traits.h"

/* --- Aromatic atoms --- */

enum { RING = 5 };

/* A molecule whose rings of five are looked at. */
struct localised {
    struct berth_molecule molecule; /* owned; with bonds, those of other rings localised */
    struct berth_adjacency adjacency;
    bool *aromatic;
};

static const char *type_of(const struct localised *localised, size_t atom)
{
    return localised->molecule.atoms[atom].type;
}

static bool is_carbonyl(const struct localised *localised, size_t atom)
{
    const struct berth_adjacency *adjacency = &localised->adjacency;
    BERTH_EACH_BOND (k, adjacency, atom) {
        const size_t other = adjacency->neighbour[k];
        const int element = localised->molecule.atoms[other].element;
        if ((element == OXYGEN || element == SULFUR) && berth_degree(adjacency, other) == 1) {
            return localised->molecule.atoms[atom].element == CARBON;
        }
    }
    return false;
}

/* An atom that such a ring may have. */
static bool may_take_part(const void *context, size_t atom, size_t bond)
{
    static const char TYPES[] = "C.2 C.ar C.cat N.2 N.ar N.pl3 O.2 O.3 S.2 S.3";
    const struct localised *localised = context;
    (void)bond;
    return berth_is_of_ring_degree(&localised->adjacency, atom) &&
           berth_text_lists(TYPES, ' ', type_of(localised, atom)) && !is_carbonyl(localised, atom);
}

/* Marks the ring where the lone pair of one of its atoms belongs to it. */
static bool take_ring(const void *context, const struct berth_ring *ring)
{
    const struct localised *localised = context;
    bool pair = false;
    for (size_t i = 0; i < ring->count; i++) {
        pair = pair ||
               berth_text_lists("N.pl3 O.2 O.3 S.2 S.3", ' ', type_of(localised, ring->atoms[i]));
    }
    for (size_t i = 0; pair && i < ring->count; i++) {
        localised->aromatic[ring->atoms[i]] = true;
    }
    return true;
}

static enum berth_status find_aromatic(const struct berth_facts *facts, struct berth_error *error)
{
    char unnamed[] = "";
    struct berth_molecule named = *facts->molecule;
    named.title = named.title ? named.title : unnamed;
    struct localised localised = {.aromatic = facts->aromatic};
    const struct berth_ring_search search = {&localised.adjacency, RING,      RING,
                                             may_take_part,        take_ring, &localised};
    enum berth_status status = berth_molecule_copy(&named, &localised.molecule)
                                   ? BERTH_OK
                                   : berth_out_of_memory(error, NULL);
    BERTH_THEN(named.bond_count ? berth_localise_by(&localised.molecule, &facts->adjacency,
                                                    facts->orders, facts->charges, error)
                                : berth_bonds_by_distance(&localised.molecule, error));
    BERTH_THEN(berth_adjacency_find(&localised.molecule, &localised.adjacency, error));
    for (size_t i = 0; !status && i < named.atom_count; i++) {
        facts->aromatic[i] = berth_hybrid_of_type(type_of(&localised, i)) == BERTH_HYBRID_AROMATIC;
    }
    for (size_t i = 0; !status && i < named.atom_count; i++) {
        berth_rings_behind(&search, i);
    }
    berth_adjacency_clear(&localised.adjacency);
    berth_molecule_clear(&localised.molecule);
    return status;
}

/* --- All facts --- */

static enum berth_status find_rings(struct berth_facts *facts, struct berth_error *error)
{
    const struct berth_molecule *molecule = facts->molecule;
    BERTH_TRY(berth_make(&facts->rings, molecule->bond_count, sizeof *facts->rings, molecule->title,
                         error));
    for (size_t b = 0; b < molecule->bond_count; b++) {
        const struct berth_bond *bond = &molecule->bonds[b];
        facts->rings[b] = (int)berth_ring_size(&facts->adjacency, bond->first, bond->second);
    }
    return BERTH_OK;
}

static enum berth_status find_all(unsigned asked, struct berth_facts *facts,
                                  struct berth_error *error)
{
    const struct berth_molecule *molecule = facts->molecule;
    const size_t atoms = molecule->atom_count;
    BERTH_TRY(berth_adjacency_find(molecule, &facts->adjacency, error));
    if (asked & (BERTH_FACT_ORDERS | BERTH_FACT_AROMATIC)) { /* which follow from orders */
        BERTH_TRY(
            berth_kekule_find(molecule, &facts->adjacency, &facts->orders, &facts->charges, error));
    }
    if (asked & BERTH_FACT_RINGS) {
        BERTH_TRY(find_rings(facts, error));
    }
    if (asked & BERTH_FACT_AROMATIC) {
        BERTH_TRY(
            berth_make(&facts->aromatic, atoms, sizeof *facts->aromatic, molecule->title, error));
        BERTH_TRY(find_aromatic(facts, error));
    }
    if (asked & BERTH_FACT_TRAITS) {
        BERTH_TRY(berth_make(&facts->traits, atoms, sizeof *facts->traits, molecule->title, error));
        BERTH_TRY(berth_traits_find(molecule, &facts->adjacency, facts->traits, error));
    }
    return BERTH_OK;
}

enum berth_status berth_facts_find(const struct berth_molecule *molecule, unsigned asked,
                                   struct berth_facts *facts, struct berth_error *error)
{
    *facts = (struct berth_facts){.molecule = molecule};
    const enum berth_status status = find_all(asked, facts, error);
    if (status) {
        berth_facts_clear(facts);
    }
    return status;
}

void berth_facts_clear(struct berth_facts *facts)
{
    berth_adjacency_clear(&facts->adjacency);
    free(facts->orders);
    free(facts->charges);
    free(facts->rings);
    free(facts->aromatic);
    free(facts->traits);
    memset(facts, 0, sizeof *facts);
}

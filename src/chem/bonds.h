/* Which atoms of a molecule are bonded: listed by atom, and found from distances alone. */
#ifndef BERTH_CHEM_BONDS_H
#define BERTH_CHEM_BONDS_H

#include <stdint.h>

#include "base/error.h"
#include "chem/molecule.h"

/* Bonds of an atom, at most: what looks at pairs of them, or at ways over a few, would not end.
 * Uranocene's metal has 16. */
enum { BERTH_DEGREE_MAX = 20 };

/* Atoms with more bonds are in no aromatic or flat ring: ways round these do not lead over them,
 * whose number is bounded so. */
enum { BERTH_RING_DEGREE_MAX = 5 };

struct berth_adjacency {
    size_t atom_count;
    size_t *start; /* owned; [atom_count + 1]: those of atom a are [start[a], start[a + 1]) of */
    uint32_t *neighbour;     /* owned; [2 bond_count]: the atom at the other end, */
    uint32_t *bond;          /* owned; [2 bond_count]: and the bond between them */
    uint32_t *queue, *steps; /* owned; [atom_count]: room for looking for rings */
};

/* Lists the bonds of molecule, but for those of type "nc" (not connected).  The caller clears
 * *adjacency.  Errors: BERTH_E_FORMAT (an atom has more than BERTH_DEGREE_MAX), BERTH_E_MEMORY. */
enum berth_status berth_adjacency_find(const struct berth_molecule *molecule,
                                       struct berth_adjacency *adjacency,
                                       struct berth_error *error);

/* Goes over the places in the adjacency of an atom's bonds. */
#define BERTH_EACH_BOND(k, adjacency, atom)                                                        \
    for (size_t k = (adjacency)->start[atom]; k < (adjacency)->start[(atom) + 1]; k++)

/* How many bonds an atom has, and how many to heavy atoms. */
static inline size_t berth_degree(const struct berth_adjacency *adjacency, size_t atom)
{
    return adjacency->start[atom + 1] - adjacency->start[atom];
}
size_t berth_heavy_degree(const struct berth_molecule *molecule,
                          const struct berth_adjacency *adjacency, size_t atom);

/* The bond between two atoms; SIZE_MAX: there is none. */
size_t berth_bond_between(const struct berth_adjacency *adjacency, size_t a, size_t b);

/* Atoms of the smallest ring that the bond between two atoms is in; 0: it is in none. */
size_t berth_ring_size(const struct berth_adjacency *adjacency, size_t first, size_t second);

/* --- Rings of such atoms as one looks for --- */

enum { BERTH_RING_MOST = 10 };

/* A ring, from some atom of it on, in one of both directions. */
struct berth_ring {
    size_t atoms[BERTH_RING_MOST];
    size_t bonds[BERTH_RING_MOST]; /* from each atom to the next, from the last to the first */
    size_t count;
};

struct berth_ring_search {
    const struct berth_adjacency *adjacency; /* borrowed, as the context */
    size_t least, most;                      /* atoms of a ring; BERTH_RING_MOST at most */
    /* Whether the atom, which this bond leads to, may be in the ring: asked of the first one, too,
     * where a ring is closed. */
    bool (*may)(const void *context, size_t atom, size_t bond);
    /* false: that is enough.  NULL: any is. */
    bool (*take)(const void *context, const struct berth_ring *ring);
    const void *context;
};

/* Gives the rings that the atom is in, in both directions; true where one was enough. */
bool berth_rings_about(const struct berth_ring_search *search, size_t atom);

/* The same, without those that have an atom in front of this one: asked of all atoms, each ring
 * comes twice. */
bool berth_rings_behind(const struct berth_ring_search *search, size_t atom);

/* Whether the atom can be in an aromatic or flat ring, by the number of its bonds. */
bool berth_is_of_ring_degree(const struct berth_adjacency *adjacency, size_t atom);

void berth_adjacency_clear(struct berth_adjacency *adjacency);

/* Bonds on the shortest way from one atom to another, up to 3; 4 for all that is further. */
int berth_bonds_between(const struct berth_adjacency *adjacency, size_t from, size_t to);

/* --- By distance --- */

/* Å: atoms are bonded that are nearer, by whom asks.  Of a receptor's structure: heavy atoms,
 * hydrogens, and what holds a metal; heavy atoms of one residue, whose model may be poor; what Open
 * Babel takes for bonds. */
#define BERTH_BOND_HEAVY     1.9
#define BERTH_BOND_HYDROGEN  1.3
#define BERTH_BOND_METAL     2.8
#define BERTH_BOND_RESIDUE   2.1
#define BERTH_BOND_PERCEIVED 2.0

/* And by how many of two heavy atoms are of the third period or below, or whether one is a metal,
 * which may have no bonds. */
enum berth_bond_limits {
    BERTH_BOND_OF_MOLECULE, /* without bonds of its own */
    BERTH_BOND_OF_RESIDUES, /* two of them: contacts in crystals are below 2.4 Å, too */
    BERTH_BOND_OF_PARTS     /* of a molecule, which has bonds: some are missing */
};

/* Å; 0: such atoms are never bonded. */
double berth_bond_limit(enum berth_bond_limits limits, int first, int second);

/* How to search for bonds. */
struct berth_bond_rule {
    double (*limit)(const struct berth_atom *a, const struct berth_atom *b); /* Å; 0: never are */
    double longest; /* Å: no limit is above */
    double cell;    /* Å: edge of the cells in which they are searched for */
    const char *type;
};

/* The bonds between all pairs of the molecule's atoms that the rule finds: *bonds, [*count], which
 * the caller frees, also after an error.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_bonds_search(const struct berth_molecule *molecule,
                                     const struct berth_bond_rule *rule, struct berth_bond **bonds,
                                     size_t *count, struct berth_error *error);

/* Gives a molecule, whose array of bonds is owned and empty, single ones between heavy atoms that
 * are near enough.  Metals have none.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_bonds_by_distance(struct berth_molecule *molecule,
                                          struct berth_error *error);

/* Whether two atoms are heavy, of two residues, and bonded. */
bool berth_is_link(const struct berth_atom *a, const struct berth_atom *b);

#endif

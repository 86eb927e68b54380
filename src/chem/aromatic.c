#include "chem/aromatic.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/localise.h"
#include "chem/traits.h"

enum { RING = 5 };

struct rings {
    const struct berth_molecule *molecule; /* with bonds */
    struct berth_adjacency adjacency;
    size_t path[RING]; /* of atoms, bonded one to the next */
    bool *aromatic;
};

static bool is_carbonyl(const struct rings *rings, size_t atom)
{
    const struct berth_adjacency *adjacency = &rings->adjacency;
    BERTH_EACH_BOND (k, adjacency, atom) {
        const size_t other = adjacency->neighbour[k];
        const int element = rings->molecule->atoms[other].element;
        if ((element == OXYGEN || element == SULFUR) && berth_degree(adjacency, other) == 1) {
            return rings->molecule->atoms[atom].element == CARBON;
        }
    }
    return false;
}

/* An atom that such a ring may have. */
static bool may_take_part(const struct rings *rings, size_t atom)
{
    static const char TYPES[] = "C.2 C.ar C.cat N.2 N.ar N.pl3 O.2 O.3 S.2 S.3";
    return berth_is_of_ring_degree(&rings->adjacency, atom) &&
           berth_text_lists(TYPES, ' ', rings->molecule->atoms[atom].type) &&
           !is_carbonyl(rings, atom);
}

/* An atom whose lone pair belongs to the ring. */
static bool gives_pair(const struct rings *rings, size_t atom)
{
    return berth_text_lists("N.pl3 O.2 O.3 S.2 S.3", ' ', rings->molecule->atoms[atom].type);
}

/* Goes on from a path of `length` atoms; marks the ring where it closes. */
static void walk(struct rings *rings, size_t length)
{
    const struct berth_adjacency *adjacency = &rings->adjacency;
    const size_t last = rings->path[length - 1];
    BERTH_EACH_BOND (k, adjacency, last) {
        const size_t next = adjacency->neighbour[k];
        bool seen = false, pair = false;
        for (size_t i = 1; i < length; i++) {
            seen = seen || rings->path[i] == next;
            pair = pair || gives_pair(rings, rings->path[i]);
        }
        if (length == RING && next == rings->path[0] &&
            (pair || gives_pair(rings, rings->path[0]))) {
            for (size_t i = 0; i < RING; i++) {
                rings->aromatic[rings->path[i]] = true;
            }
        } else if (length < RING && !seen && next > rings->path[0] && may_take_part(rings, next)) {
            rings->path[length] = next;
            walk(rings, length + 1);
        }
    }
}

enum berth_status berth_aromatic_find(const struct berth_molecule *molecule, bool *aromatic,
                                      struct berth_error *error)
{
    char unnamed[] = "";
    struct berth_molecule bonded = {0}, named = *molecule;
    named.title = molecule->title ? molecule->title : unnamed;
    struct rings rings = {.molecule = &bonded, .aromatic = aromatic};
    enum berth_status status =
        berth_molecule_copy(&named, &bonded) ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(molecule->bond_count ? berth_localise_rings(&bonded, error)
                                    : berth_bonds_by_distance(&bonded, error));
    BERTH_THEN(berth_adjacency_find(rings.molecule, &rings.adjacency, error));
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        aromatic[i] = berth_hybrid_of_type(bonded.atoms[i].type) == BERTH_HYBRID_AROMATIC;
    }
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        rings.path[0] = i;
        if (may_take_part(&rings, i)) {
            walk(&rings, 1);
        }
    }
    berth_adjacency_clear(&rings.adjacency);
    berth_molecule_clear(&bonded);
    return status;
}

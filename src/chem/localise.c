#include "chem/localise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/kekule.h"

enum {
    SMALLEST = 5,
    LARGEST = 10,
    AROMATIC_MAX = 4, /* bonds of an atom */
    ORDER_MAX = 3
};

struct rings {
    struct berth_molecule *molecule;
    const struct berth_adjacency *adjacency;
    const int *orders, *charges;
    bool charged; /* rings with a charge are not aromatic */
    bool judged;  /* false: which rings there are; true: which are aromatic */
    bool *marks;  /* owned; what the three are in: */
    bool *ring;   /* [bond_count]: the bond is in a ring of "ar" bonds (of ten where the bond
                     amid two rings is single: flavins), */
    bool *now;    /* [bond_count]: in one that is still taken for aromatic, */
    bool *next;   /* [bond_count]: and after this pass over them */
};

static bool is_aromatic(const struct rings *rings, size_t bond)
{
    return strcmp(rings->molecule->bonds[bond].type, "ar") == 0;
}

/* Does no double bond of the atom lead out of aromatic rings?  Those of larger rings (porphyrins)
 * are left as they are. */
static bool is_closed(const struct rings *rings, size_t atom)
{
    for (size_t k = rings->adjacency->start[atom];
         rings->judged && k < rings->adjacency->start[atom + 1]; k++) {
        const size_t bond = rings->adjacency->bond[k];
        const bool in = rings->ring[bond] ? rings->now[bond] : is_aromatic(rings, bond);
        if (!in && rings->orders[bond] > 1) {
            return false;
        }
    }
    return true;
}

/* Whether the bond is aromatic now, and so few bonds of the atom are that it can be in an aromatic
 * ring, so that the ways round are not too many to walk. */
static bool is_of_ring(const void *context, size_t atom, size_t bond)
{
    const struct rings *rings = context;
    size_t count = 0;
    BERTH_EACH_BOND (k, rings->adjacency, atom) {
        count += rings->now[rings->adjacency->bond[k]];
    }
    return rings->now[bond] && count <= AROMATIC_MAX && is_closed(rings, atom);
}

/* Marks the bonds of a ring. */
static bool mark_ring(const void *context, const struct berth_ring *ring)
{
    const struct rings *rings = context;
    bool charged = false;
    for (size_t i = 0; i < ring->count; i++) {
        charged = charged || rings->charges[ring->atoms[i]];
    }
    for (size_t i = 0; i < ring->count; i++) {
        const bool aromatic = !(rings->judged && rings->charged && charged);
        rings->next[ring->bonds[i]] = rings->next[ring->bonds[i]] || aromatic;
    }
    return true;
}

/* One pass: leaves in `now` the bonds of rings that are aromatic by it; true where it has changed.
 */
static bool narrow(struct rings *rings)
{
    const struct berth_ring_search search = {rings->adjacency, SMALLEST,  LARGEST,
                                             is_of_ring,       mark_ring, rings};
    const size_t bonds = rings->molecule->bond_count;
    memset(rings->next, 0, bonds * sizeof *rings->next);
    for (size_t i = 0; i < rings->molecule->atom_count; i++) {
        berth_rings_behind(&search, i);
    }
    const bool changed = memcmp(rings->now, rings->next, bonds * sizeof *rings->now) != 0;
    memcpy(rings->now, rings->next, bonds * sizeof *rings->now);
    return changed;
}

/* Finds which bonds are in rings, and in aromatic ones; false where their orders are unknown. */
static bool find_rings(struct rings *rings)
{
    const size_t bonds = rings->molecule->bond_count;
    for (size_t b = 0; b < bonds; b++) {
        rings->now[b] = is_aromatic(rings, b);
        if (rings->now[b] && rings->orders[b] > ORDER_MAX) {
            return false;
        }
    }
    narrow(rings);
    memcpy(rings->ring, rings->now, bonds * sizeof *rings->ring);
    rings->judged = true;
    while (narrow(rings)) {
    }
    return true;
}

/* A bond of a ring that is not aromatic. */
static bool is_localised(const struct rings *rings, size_t bond)
{
    return rings->ring[bond] && !rings->now[bond];
}

/* An atom that is in such rings alone. */
static bool is_localised_atom(const struct rings *rings, size_t atom)
{
    bool localised = false, aromatic = false;
    BERTH_EACH_BOND (k, rings->adjacency, atom) {
        localised = localised || is_localised(rings, rings->adjacency->bond[k]);
        aromatic = aromatic || rings->now[rings->adjacency->bond[k]];
    }
    return localised && !aromatic;
}

/* Has the atom a double bond, or one to an oxygen or sulfur? */
static bool has_double(const struct rings *rings, size_t atom, bool oxo)
{
    BERTH_EACH_BOND (k, rings->adjacency, atom) {
        const int element = rings->molecule->atoms[rings->adjacency->neighbour[k]].element;
        if (rings->orders[rings->adjacency->bond[k]] == 2 &&
            (!oxo || element == OXYGEN || element == SULFUR)) {
            return true;
        }
    }
    return false;
}

/* A nitrogen and the carbon of a carbonyl that its lone pair is shared with. */
static bool is_amide(const struct rings *rings, size_t nitrogen, size_t carbon)
{
    const struct berth_atom *atoms = rings->molecule->atoms;
    const size_t *start = rings->adjacency->start;
    return atoms[nitrogen].element == NITROGEN && start[nitrogen + 1] - start[nitrogen] == 3 &&
           !has_double(rings, nitrogen, false) && atoms[carbon].element == CARBON &&
           has_double(rings, carbon, true);
}

const char *berth_localised_type(int element, size_t degree)
{
    switch (element) {
    case CARBON:
        return "C.2";
    case NITROGEN:
        return degree == 3 ? "N.pl3" : "N.2";
    case OXYGEN:
        return "O.3";
    case SULFUR:
        return "S.3";
    default:
        return NULL;
    }
}

/* NULL for elements that stay as they are. */
static const char *type_of(const struct rings *rings, size_t atom)
{
    const size_t first = rings->adjacency->start[atom], end = rings->adjacency->start[atom + 1];
    for (size_t k = first; k < end; k++) {
        if (is_amide(rings, atom, rings->adjacency->neighbour[k])) {
            return "N.am";
        }
    }
    return berth_localised_type(rings->molecule->atoms[atom].element, end - first);
}

/* Writes the orders of localised bonds; types: also those of atoms, and "am". */
static void settle(const struct rings *rings, bool types)
{
    static const char *const ORDERS[] = {"1", "1", "2", "3"};
    struct berth_molecule *molecule = rings->molecule;
    for (size_t b = 0; b < molecule->bond_count; b++) {
        struct berth_bond *bond = &molecule->bonds[b];
        if (is_localised(rings, b)) {
            snprintf(bond->type, sizeof bond->type, "%s", ORDERS[rings->orders[b]]);
        }
        const bool amide =
            (is_localised_atom(rings, bond->first) && is_amide(rings, bond->first, bond->second)) ||
            (is_localised_atom(rings, bond->second) && is_amide(rings, bond->second, bond->first));
        if (types && amide && strcmp(bond->type, "1") == 0) {
            snprintf(bond->type, sizeof bond->type, "am");
        }
    }
    for (size_t i = 0; types && i < molecule->atom_count; i++) {
        const char *type = is_localised_atom(rings, i) ? type_of(rings, i) : NULL;
        if (type) {
            snprintf(molecule->atoms[i].type, sizeof molecule->atoms[i].type, "%s", type);
        }
    }
}

static enum berth_status localise(struct berth_molecule *molecule,
                                  const struct berth_adjacency *adjacency, const int *orders,
                                  const int *charges, bool charged, struct berth_error *error)
{
    const size_t bonds = molecule->bond_count;
    struct rings rings = {.molecule = molecule,
                          .adjacency = adjacency,
                          .orders = orders,
                          .charges = charges,
                          .charged = charged};
    BERTH_TRY(berth_make(&rings.marks, 3 * bonds, sizeof *rings.marks, NULL, error));
    rings.ring = rings.marks;
    rings.now = rings.marks + bonds;
    rings.next = rings.marks + 2 * bonds;
    if (find_rings(&rings)) {
        settle(&rings, !charged);
    }
    free(rings.marks);
    return BERTH_OK;
}

enum berth_status berth_localise_by(struct berth_molecule *molecule,
                                    const struct berth_adjacency *adjacency, const int *orders,
                                    const int *charges, struct berth_error *error)
{
    return localise(molecule, adjacency, orders, charges, false, error);
}

static enum berth_status localise_alone(struct berth_molecule *molecule, bool charged,
                                        struct berth_error *error)
{
    struct berth_adjacency adjacency;
    int *orders = NULL, *charges = NULL;
    bool aromatic = false;
    for (size_t b = 0; b < molecule->bond_count; b++) {
        aromatic = aromatic || strcmp(molecule->bonds[b].type, "ar") == 0;
    }
    if (!aromatic) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_adjacency_find(molecule, &adjacency, error));
    enum berth_status status = berth_kekule_find(molecule, &adjacency, &orders, &charges, error);
    BERTH_THEN(localise(molecule, &adjacency, orders, charges, charged, error));
    berth_adjacency_clear(&adjacency);
    free(orders);
    free(charges);
    return status;
}

enum berth_status berth_localise_rings(struct berth_molecule *molecule, struct berth_error *error)
{
    return localise_alone(molecule, false, error);
}

enum berth_status berth_localise_charged(struct berth_molecule *molecule, struct berth_error *error)
{
    return localise_alone(molecule, true, error);
}

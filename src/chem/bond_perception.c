#include "chem/bond_perception.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/kekule.h"
#include "chem/ring_hydrogens.h"
#include "chem/vectors.h"

/* Degrees: an atom of two bonds is linear above; it has the angle of flat atoms above WIDE, which
 * those of rings of five have not, but no flat one has less than NARROW. */
#define LINEAR 155.0
#define WIDE   115.0
#define NARROW 95.0

/* Å from the plane of its three neighbours: 0 for sp2, 0.5 for sp3; a carbon that lies in it is
 * flat, however long a poor model has its bonds. */
#define FLAT  0.22
#define PLANE 0.12

/* How short a bond is, from 0 (single, between sp3 atoms) to 1 (double): aromatic bonds of carbon
 * have some 0.7, single ones between flat carbons 0.4. */
#define SHORT_ATOM  0.45 /* the shortest bond of a flat carbon of two bonds */
#define SHORT_WIDE  0.30 /* the same in a ring, where the angle is wide */
#define SHORT_FLAT  0.20 /* of any other atom that is taken for flat */
#define SHORT_END   0.70 /* the bond of a flat carbon at an end */
#define SHORT_OXO   0.50 /* C=O, C=S, N=O */
#define SHORT_CHAIN 0.52 /* C=C and N=N outside of rings */
#define SHORT_NITROGEN                                                                             \
    0.80 /* C=N outside of rings: in amides and on aromatic rings 0.4 to 0.75                      \
          */

/* Bonds of rings that double bonds run round. */
enum { RING = 7 };

struct perception {
    struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
    const bool *hydrogens; /* borrowed; [atom_count]: which are known to have one; or NULL */
    bool *flat;            /* owned; [atom_count]: may have a double bond */
    bool *linear;          /* owned; [atom_count] */
    bool cations;          /* nitrogens of three bonds in rings may have a double one */
};

static size_t degree(const struct perception *of, size_t atom)
{
    return berth_degree(&of->adjacency, atom);
}

static size_t neighbour(const struct perception *of, size_t atom, size_t k)
{
    return of->adjacency.neighbour[of->adjacency.start[atom] + k];
}

static const struct berth_atom *atom_of(const struct perception *of, size_t atom)
{
    return &of->molecule->atoms[atom];
}

/* Lengths of single and double bonds, Å (F. H. Allen et al., J. Chem. Soc. Perkin Trans. 2 (1987)
 * S1). */
static double shortness(const struct perception *of, size_t a, size_t b)
{
    static const struct {
        int first, second;
        double single, two;
    } LENGTHS[] = {{CARBON, CARBON, 1.53, 1.34},     {CARBON, NITROGEN, 1.47, 1.28},
                   {CARBON, OXYGEN, 1.43, 1.22},     {CARBON, SULFUR, 1.82, 1.62},
                   {NITROGEN, NITROGEN, 1.42, 1.25}, {NITROGEN, OXYGEN, 1.40, 1.22},
                   {NITROGEN, SULFUR, 1.70, 1.54}};
    const struct berth_atom *first = atom_of(of, a), *second = atom_of(of, b);
    const double length = berth_distance(first->position, second->position);
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
        if ((LENGTHS[i].first == first->element && LENGTHS[i].second == second->element) ||
            (LENGTHS[i].first == second->element && LENGTHS[i].second == first->element)) {
            return (LENGTHS[i].single - length) / (LENGTHS[i].single - LENGTHS[i].two);
        }
    }
    return 0;
}

static double shortest_bond(const struct perception *of, size_t atom)
{
    double most = 0;
    for (size_t k = 0; k < degree(of, atom); k++) {
        most = fmax(most, shortness(of, atom, neighbour(of, atom, k)));
    }
    return most;
}

/* Degrees between the two bonds of an atom. */
static double angle_at(const struct perception *of, size_t atom)
{
    return berth_angle_at(atom_of(of, neighbour(of, atom, 0))->position,
                          atom_of(of, atom)->position,
                          atom_of(of, neighbour(of, atom, 1))->position);
}

/* Å between an atom and the plane of its three neighbours. */
static double height(const struct perception *of, size_t atom)
{
    const double *origin = atom_of(of, neighbour(of, atom, 0))->position;
    double u[3], v[3], w[3], normal[3];
    berth_direction(origin, atom_of(of, neighbour(of, atom, 1))->position, u);
    berth_direction(origin, atom_of(of, neighbour(of, atom, 2))->position, v);
    berth_add_scaled(atom_of(of, atom)->position, -1, origin, w);
    berth_cross(u, v, normal);
    berth_normalise(normal);
    return fabs(berth_dot(w, normal));
}

static bool in_ring(const struct perception *of, size_t a, size_t b)
{
    const size_t size = berth_ring_size(&of->adjacency, a, b);
    return size && size <= RING;
}

/* A carbon or nitrogen of two bonds: hydrogens, which would tell, are unknown. */
static bool is_flat_middle(const struct perception *of, size_t atom)
{
    const double angle = angle_at(of, atom), is = shortest_bond(of, atom);
    const bool ring = in_ring(of, atom, neighbour(of, atom, 0));
    if (atom_of(of, atom)->element == NITROGEN) {
        return angle > NARROW && is > SHORT_FLAT;
    }
    return ring ? (angle > WIDE && is > SHORT_WIDE) || (angle > NARROW && is > SHORT_ATOM)
                : angle > WIDE && is > SHORT_ATOM;
}

static bool has_hydrogen(const struct perception *of, size_t atom)
{
    return of->hydrogens && of->hydrogens[atom];
}

static bool is_flat(const struct perception *of, size_t atom)
{
    const int element = atom_of(of, atom)->element;
    if (element != CARBON && element != NITROGEN) {
        return degree(of, atom) == 1 && (element == OXYGEN || element == SULFUR) &&
               !has_hydrogen(of, atom);
    }
    switch (degree(of, atom)) {
    case 1:
        return element == NITROGEN || shortest_bond(of, atom) > SHORT_END;
    case 2:
        return is_flat_middle(of, atom);
    case 3:
        return (element == CARBON && height(of, atom) < PLANE) ||
               (height(of, atom) < FLAT && shortest_bond(of, atom) > SHORT_FLAT);
    default:
        return false;
    }
}

/* A nitrogen of three bonds. */
static bool is_full_nitrogen(const struct perception *of, size_t atom)
{
    return atom_of(of, atom)->element == NITROGEN &&
           degree(of, atom) + (degree(of, atom) == 2 && has_hydrogen(of, atom)) == 3;
}

static size_t other_neighbour(const struct perception *of, size_t atom, size_t than)
{
    return neighbour(of, atom, neighbour(of, atom, 0) == than ? 1 : 0);
}

/* Two flat carbons of a ring N-CH=CH-N-CH2-CH2: a piperazine that a poor model has half flat, as no
 * ligand to speak of has that ring. */
static bool are_of_piperazine(const struct perception *of, size_t a, size_t b)
{
    if (degree(of, a) != 2 || degree(of, b) != 2 || atom_of(of, a)->element != CARBON ||
        atom_of(of, b)->element != CARBON) {
        return false;
    }
    const size_t first = other_neighbour(of, a, b), second = other_neighbour(of, b, a);
    bool closed = false;
    for (size_t i = 0; is_full_nitrogen(of, first) && i < degree(of, first); i++) {
        const size_t c = neighbour(of, first, i);
        for (size_t k = 0; is_full_nitrogen(of, second) && k < degree(of, second); k++) {
            const size_t d = neighbour(of, second, k);
            closed = closed || (c != a && d != b && !of->flat[c] && !of->flat[d] &&
                                atom_of(of, c)->element == CARBON &&
                                atom_of(of, d)->element == CARBON && degree(of, c) == 2 &&
                                degree(of, d) == 2 && other_neighbour(of, c, first) == d);
        }
    }
    return closed;
}

static void find_shapes(const struct perception *of)
{
    for (size_t i = 0; i < of->molecule->atom_count; i++) {
        const int element = atom_of(of, i)->element;
        of->linear[i] = (element == CARBON || element == NITROGEN) && degree(of, i) == 2 &&
                        angle_at(of, i) > LINEAR;
        of->flat[i] = !of->linear[i] && is_flat(of, i);
    }
    for (size_t i = 0; i < of->molecule->bond_count; i++) {
        const struct berth_bond *bond = &of->molecule->bonds[i];
        if (of->flat[bond->first] && of->flat[bond->second] &&
            are_of_piperazine(of, bond->first, bond->second)) {
            of->flat[bond->first] = of->flat[bond->second] = false;
        }
    }
}

/* Oxygens and sulfurs that hang on the atom alone. */
static size_t count_ends(const struct perception *of, size_t atom)
{
    size_t count = 0;
    for (size_t k = 0; k < degree(of, atom); k++) {
        const size_t other = neighbour(of, atom, k);
        count += degree(of, other) == 1 &&
                 (atom_of(of, other)->element == OXYGEN || atom_of(of, other)->element == SULFUR);
    }
    return count;
}

/* Whether the bond of an oxygen or sulfur at an end may be double. */
static bool opens_end(const struct perception *of, size_t end, size_t center)
{
    const int element = atom_of(of, center)->element;
    if (element == CARBON || element == NITROGEN) {
        /* acids: either of the two, which the file may have as equals */
        return of->flat[end] && of->flat[center] &&
               (count_ends(of, center) > 1 || shortness(of, end, center) > SHORT_OXO);
    }
    return atom_of(of, end)->element == OXYGEN && (element == SULFUR || element == PHOSPHORUS) &&
           !has_hydrogen(of, end);
}

/* Whether the bond may be double. */
static bool opens(const struct perception *of, size_t a, size_t b)
{
    const int first = atom_of(of, a)->element, second = atom_of(of, b)->element;
    if (degree(of, a) == 1 && (first == OXYGEN || first == SULFUR)) {
        return opens_end(of, a, b);
    }
    if (degree(of, b) == 1 && (second == OXYGEN || second == SULFUR)) {
        return opens_end(of, b, a);
    }
    if (!of->flat[a] || !of->flat[b] ||
        (!of->cations && (is_full_nitrogen(of, a) || is_full_nitrogen(of, b)))) {
        return false;
    }
    const double is = shortness(of, a, b);
    return in_ring(of, a, b)
               ? is > 0
               : is > (first + second == CARBON + NITROGEN ? SHORT_NITROGEN : SHORT_CHAIN);
}

static void set_type(struct berth_bond *bond, const char *type)
{
    snprintf(bond->type, sizeof bond->type, "%s", type);
}

/* Triple bonds, and double ones in a row, of linear carbons; false for what else is linear. */
static bool settle_linear(const struct perception *of)
{
    for (size_t i = 0; i < of->molecule->atom_count; i++) {
        if (!of->linear[i]) {
            continue;
        }
        if (atom_of(of, i)->element != CARBON) {
            return false;
        }
        const size_t first = of->adjacency.start[i];
        const size_t a = neighbour(of, i, 0), b = neighbour(of, i, 1);
        const bool row = atom_of(of, a)->element != CARBON && atom_of(of, b)->element != CARBON;
        const size_t nearer = shortness(of, i, a) > shortness(of, i, b) ? 0 : 1;
        for (size_t k = 0; k < 2; k++) {
            struct berth_bond *bond = &of->molecule->bonds[of->adjacency.bond[first + k]];
            if (row || k == nearer) {
                set_type(bond, row ? "2" : "3");
            }
        }
    }
    return true;
}

static bool has_type(const struct perception *of, size_t atom, const char *type)
{
    BERTH_EACH_BOND (k, &of->adjacency, atom) {
        if (strcmp(of->molecule->bonds[of->adjacency.bond[k]].type, type) == 0) {
            return true;
        }
    }
    return false;
}

/* A flat carbon with nothing else to share a double bond with has it with the nitrogen that is
 * nearest: amidines, guanidines. */
static void open_starved(const struct perception *of)
{
    for (size_t i = 0; i < of->molecule->atom_count; i++) {
        if (!of->flat[i] || atom_of(of, i)->element != CARBON || has_type(of, i, "ar")) {
            continue;
        }
        size_t best = SIZE_MAX;
        double most = 0;
        for (size_t k = 0; k < degree(of, i); k++) {
            const size_t other = neighbour(of, i, k);
            const double is = shortness(of, i, other) - 0.2 * (double)(degree(of, other) == 3);
            if (atom_of(of, other)->element == NITROGEN && is > most) {
                most = is;
                best = of->adjacency.bond[of->adjacency.start[i] + k];
            }
        }
        if (best != SIZE_MAX) {
            set_type(&of->molecule->bonds[best], "ar");
        }
    }
}

/* Marks the bonds that may be double "ar", anew. */
static bool open_bonds(const struct perception *of)
{
    for (size_t i = 0; i < of->molecule->bond_count; i++) {
        set_type(&of->molecule->bonds[i], "1");
    }
    if (!settle_linear(of)) {
        return false;
    }
    for (size_t i = 0; i < of->molecule->bond_count; i++) {
        struct berth_bond *bond = &of->molecule->bonds[i];
        if (strcmp(bond->type, "1") == 0 && opens(of, bond->first, bond->second)) {
            set_type(bond, "ar");
        }
    }
    open_starved(of);
    return true;
}

/* Whether the order of one of the atom's bonds is not decided. */
static bool is_open(const struct perception *of, const struct berth_kekule *kekule, size_t atom)
{
    BERTH_EACH_BOND (k, &of->adjacency, atom) {
        if (kekule->orders[of->adjacency.bond[k]] > 3) {
            return true;
        }
    }
    return false;
}

/* Where orders are not decided, some carbon is not flat, or an oxygen at one has a hydrogen: that
 * whose bonds are longest is.  False where there is none. */
static bool give_up_one(const struct perception *of, const struct berth_kekule *kekule)
{
    size_t worst = SIZE_MAX;
    double least = INFINITY;
    for (size_t i = 0; i < of->molecule->atom_count; i++) {
        const bool open = is_open(of, kekule, i) ||
                          (degree(of, i) == 1 && is_open(of, kekule, neighbour(of, i, 0)));
        const double is = shortest_bond(of, i);
        if (open && of->flat[i] && atom_of(of, i)->element != NITROGEN && is < least) {
            least = is;
            worst = i;
        }
    }
    if (worst != SIZE_MAX) {
        of->flat[worst] = false;
    }
    return worst != SIZE_MAX;
}

static bool is_decided(const struct berth_molecule *molecule, const struct berth_kekule *kekule)
{
    for (size_t i = 0; i < molecule->bond_count; i++) {
        if (kekule->orders[i] < 1 || kekule->orders[i] > 3) {
            return false;
        }
    }
    return true;
}

/* Takes the orders, or leaves single bonds. */
static void take_orders(struct berth_molecule *molecule, const struct berth_kekule *kekule,
                        bool found)
{
    static const char *const TYPES[] = {"1", "1", "2", "3"};
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const int order = found ? kekule->orders[i] : 1;
        set_type(&molecule->bonds[i], TYPES[order]);
        molecule->bonds[i].order = (uint8_t)order;
    }
    for (size_t i = 0; found && i < molecule->atom_count; i++) {
        molecule->atoms[i].charge = (int8_t)kekule->charges[i];
    }
    molecule->has_orders = found;
}

enum berth_status berth_bonds_perceive(struct berth_molecule *molecule, const bool *hydrogens,
                                       bool *found, struct berth_error *error)
{
    struct perception of = {.molecule = molecule, .hydrogens = hydrogens};
    struct berth_kekule kekule = {0};
    enum berth_status status = berth_adjacency_find(molecule, &of.adjacency, error);
    BERTH_THEN(berth_make(&of.flat, molecule->atom_count, sizeof *of.flat, NULL, error));
    BERTH_THEN(berth_make(&of.linear, molecule->atom_count, sizeof *of.linear, NULL, error));
    *found = false;
    if (!status) {
        find_shapes(&of);
    }
    for (bool again = true; !status && again && open_bonds(&of);) {
        berth_kekule_clear(&kekule);
        status = berth_kekule_find(molecule, &kekule, error);
        *found = !status && is_decided(molecule, &kekule);
        again = !status && !*found && (!of.cations || give_up_one(&of, &kekule));
        of.cations = true;
    }
    if (!status) {
        take_orders(molecule, &kekule, *found);
    }
    if (!status && *found) {
        status = berth_ring_hydrogens_add(molecule, hydrogens, error);
    }
    berth_kekule_clear(&kekule);
    free(of.flat);
    free(of.linear);
    berth_adjacency_clear(&of.adjacency);
    return status;
}

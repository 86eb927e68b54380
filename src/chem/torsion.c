#include "chem/torsion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/vectors.h"

enum { RING_MAX = 7 };

/* One side of a bond. */
struct side {
    bool *holds;     /* [atom_count] */
    uint32_t *atoms; /* [count], in the order found */
    size_t count, heavy;
};

/* What the search works on. */
struct work {
    const struct berth_molecule *molecule;
    const struct berth_adjacency *adjacency;
    struct side near, far; /* of the bond being looked at */
    struct berth_torsion_tree *tree;
    size_t root; /* the atom that stays; SIZE_MAX: that of the side with more heavy atoms */
    const struct berth_traits *traits; /* [atom_count]; for Vina's count; else NULL */
};

static size_t degree(const struct work *work, size_t atom)
{
    return berth_degree(work->adjacency, atom);
}

/* An atom that is asked about, and whose ring may have others that are flat. */
struct flat_ring {
    const struct work *work;
    size_t atom;
};

static bool may_be_flat(const void *context, size_t atom, size_t bond)
{
    static const char FLAT[] = "C.2 C.ar N.2 N.ar N.am N.pl3 O.2 O.3 S.2 S.3";
    const struct flat_ring *ring = context;
    (void)bond;
    return atom == ring->atom ||
           (berth_is_of_ring_degree(ring->work->adjacency, atom) &&
            berth_text_lists(FLAT, ' ', ring->work->molecule->atoms[atom].type));
}

/* An atom of a flat ring of `least` to seven atoms: amines at such as azoles and pyridones turn as
 * those of anilines do, though Mol2 types call these rings not aromatic (chem/localise.h). */
static bool is_in_flat_ring(const struct work *work, size_t atom, size_t least)
{
    const struct flat_ring ring = {work, atom};
    const struct berth_ring_search search = {work->adjacency, least, RING_MAX,
                                             may_be_flat,     NULL,  &ring};
    return berth_rings_about(&search, atom);
}

/* The lone pair of this nitrogen is shared with this carbon: amides and their like. */
static bool is_conjugated(const struct work *work, size_t carbon, size_t nitrogen)
{
    const struct berth_atom *atoms = work->molecule->atoms;
    return atoms[carbon].element == CARBON && atoms[nitrogen].element == NITROGEN &&
           berth_text_lists("C.2 C.cat", ' ', atoms[carbon].type) &&
           berth_text_lists("N.am N.pl3 N.pl N.plc N.2", ' ', atoms[nitrogen].type) &&
           !is_in_flat_ring(work, carbon, 5);
}

static bool is_linear(const struct work *work, size_t atom)
{
    return berth_text_lists("C.1 N.1", ' ', work->molecule->atoms[atom].type) &&
           degree(work, atom) == 2;
}

/* Beside linear atoms: does the bond turn what stands at their other end?  The single bonds at the
 * two ends of such a chain, as of -C#C-, turn about one axis; the one that comes first is taken. */
static bool turns_chain(const struct work *work, size_t number)
{
    const struct berth_bond *bond = &work->molecule->bonds[number];
    size_t atom = is_linear(work, bond->first) ? bond->first : bond->second, last = number;
    if (is_linear(work, bond->first) && is_linear(work, bond->second)) {
        return false; /* within the chain */
    }
    while (is_linear(work, atom)) {
        const size_t k = work->adjacency->start[atom];
        const size_t next = work->adjacency->bond[k] == last ? k + 1 : k;
        last = work->adjacency->bond[next];
        atom = work->adjacency->neighbour[next];
    }
    return strcmp(work->molecule->bonds[last].type, "1") == 0 &&
           berth_heavy_degree(work->molecule, work->adjacency, atom) > 1 && number < last;
}

/* Could the bond turn, if it is in no ring? */
static bool is_candidate(const struct work *work, size_t number)
{
    const struct berth_bond *bond = &work->molecule->bonds[number];
    const struct berth_atom *first = &work->molecule->atoms[bond->first];
    const struct berth_atom *second = &work->molecule->atoms[bond->second];
    if (strcmp(bond->type, "1") != 0 || !first->heavy || !second->heavy ||
        berth_heavy_degree(work->molecule, work->adjacency, bond->first) < 2 ||
        berth_heavy_degree(work->molecule, work->adjacency, bond->second) < 2) {
        return false;
    }
    if (is_linear(work, bond->first) || is_linear(work, bond->second)) {
        return turns_chain(work, number);
    }
    return !is_conjugated(work, bond->first, bond->second) &&
           !is_conjugated(work, bond->second, bond->first);
}

/* The k-th neighbour of the atom in its aromatic rings; SIZE_MAX: the bond is none of these. */
static size_t aromatic_neighbour(const struct work *work, size_t atom, size_t k)
{
    const size_t at = work->adjacency->start[atom] + k;
    const bool aromatic = strcmp(work->molecule->bonds[work->adjacency->bond[at]].type, "ar") == 0;
    return aromatic ? work->adjacency->neighbour[at] : SIZE_MAX;
}

/* An atom whose lone pair is of the aromatic ring. */
static bool gives_pair(const struct work *work, size_t atom)
{
    const int element = work->molecule->atoms[atom].element;
    const struct berth_traits *traits = &work->traits[atom];
    return element == OXYGEN || element == SULFUR ||
           (element == NITROGEN && traits->neighbours + traits->hydrogens == 3);
}

/* Whether two atoms have an aromatic neighbour in common, but this one: they close a ring of five
 * with the two between them. */
static bool close_five(const struct work *work, size_t first, size_t last, size_t but)
{
    for (size_t i = 0; i < degree(work, first); i++) {
        const size_t middle = aromatic_neighbour(work, first, i);
        for (size_t k = 0; middle != SIZE_MAX && middle != but && k < degree(work, last); k++) {
            if (aromatic_neighbour(work, last, k) == middle) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the carbon and nitrogen, neighbours in an aromatic ring of five, have a double bond: of
 * the four atoms beside the one that gives its lone pair the first two have, and the last two. */
static bool is_azole_imine(const struct work *work, size_t carbon, size_t nitrogen)
{
    for (size_t i = 0; i < degree(work, nitrogen); i++) {
        const size_t behind = aromatic_neighbour(work, nitrogen, i);
        for (size_t k = 0; behind != SIZE_MAX && behind != carbon && k < degree(work, carbon);
             k++) {
            const size_t before = aromatic_neighbour(work, carbon, k);
            if (before != SIZE_MAX && before != nitrogen &&
                gives_pair(work, before) != gives_pair(work, behind) &&
                close_five(work, behind, before, nitrogen)) {
                return true;
            }
        }
    }
    return false;
}

/* A carbon with a double bond to O or N, beside the bond `but`; or between two N of a flat ring,
 * one of which it has a double bond to. */
static bool is_acyl(const struct work *work, size_t carbon, size_t but)
{
    const bool flat = is_in_flat_ring(work, carbon, 6);
    size_t inside = 0;
    BERTH_EACH_BOND (k, work->adjacency, carbon) {
        const size_t bond = work->adjacency->bond[k];
        const int element = work->molecule->atoms[work->adjacency->neighbour[k]].element;
        const char *type = work->molecule->bonds[bond].type;
        if (bond != but && (element == OXYGEN || element == NITROGEN)) {
            const bool is_aromatic = strcmp(type, "ar") == 0;
            inside += flat || is_aromatic;
            if (!flat && (strcmp(type, "2") == 0 ||
                          (element == NITROGEN && is_aromatic &&
                           is_azole_imine(work, carbon, work->adjacency->neighbour[k])))) {
                return true;
            }
        }
    }
    return inside > 1;
}

/* A bond between the nitrogen, with three neighbours, and the carbon of an amide or amidine. */
static bool is_amide(const struct work *work, size_t carbon, size_t nitrogen, size_t bond)
{
    const struct berth_atom *atoms = work->molecule->atoms;
    const struct berth_traits *traits = &work->traits[nitrogen];
    return atoms[carbon].element == CARBON && atoms[nitrogen].element == NITROGEN &&
           traits->neighbours + traits->hydrogens == 3 && is_acyl(work, carbon, bond);
}

/* Neighbours but for hydrogens on carbon. */
static size_t degree_of(const struct work *work, size_t atom)
{
    const struct berth_traits *traits = &work->traits[atom];
    return (size_t)traits->neighbours +
           (work->molecule->atoms[atom].element == CARBON ? 0 : traits->hydrogens);
}

/* The same of Vina's bonds, which the traits are there for. */
static bool is_vina_candidate(const struct work *work, size_t number)
{
    const struct berth_bond *bond = &work->molecule->bonds[number];
    const struct berth_atom *atoms = work->molecule->atoms;
    return strcmp(bond->type, "1") == 0 && atoms[bond->first].heavy && atoms[bond->second].heavy &&
           degree_of(work, bond->first) > 1 && degree_of(work, bond->second) > 1 &&
           !is_amide(work, bond->first, bond->second, number) &&
           !is_amide(work, bond->second, bond->first, number);
}

/* Collects what hangs together with `from` when the bond is cut. */
static void flood(const struct work *work, size_t from, size_t cut, struct side *side)
{
    memset(side->holds, 0, work->molecule->atom_count * sizeof *side->holds);
    side->count = side->heavy = 0;
    side->holds[from] = true;
    side->atoms[side->count++] = (uint32_t)from;
    for (size_t done = 0; done < side->count; done++) {
        const size_t atom = side->atoms[done];
        side->heavy += work->molecule->atoms[atom].heavy;
        BERTH_EACH_BOND (k, work->adjacency, atom) {
            const uint32_t next = work->adjacency->neighbour[k];
            if (work->adjacency->bond[k] != cut && !side->holds[next]) {
                side->holds[next] = true;
                side->atoms[side->count++] = next;
            }
        }
    }
}

/* Adds the bond; it moves `side`, on which `second` lies and stays. */
static enum berth_status add_torsion(struct work *work, size_t first, size_t second,
                                     const struct side *side, struct berth_error *error)
{
    struct berth_torsion_tree *tree = work->tree;
    BERTH_TRY(berth_reserve(&tree->torsions, &tree->capacity, tree->count + 1,
                            sizeof *tree->torsions, error));
    BERTH_TRY(berth_reserve(&tree->moved, &tree->moved_capacity, tree->moved_count + side->count,
                            sizeof *tree->moved, error));
    tree->torsions[tree->count++] = (struct berth_torsion){(uint32_t)first, (uint32_t)second,
                                                           tree->moved_count, side->count - 1};
    for (size_t i = 0; i < work->molecule->atom_count; i++) {
        if (side->holds[i] && i != second) {
            tree->moved[tree->moved_count++] = (uint32_t)i;
        }
    }
    return BERTH_OK;
}

/* More atoms first: what a bond moves includes all that the bonds behind it move.  Bonds that move
 * as many lie apart; they are told apart by where their atoms begin. */
static int compare(const void *a, const void *b)
{
    const struct berth_torsion *p = a, *q = b;
    if (p->moved_count != q->moved_count) {
        return p->moved_count < q->moved_count ? 1 : -1;
    }
    return (p->moved_start > q->moved_start) - (p->moved_start < q->moved_start);
}

static enum berth_status find_torsions(struct work *work, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < work->molecule->bond_count; i++) {
        const struct berth_bond *bond = &work->molecule->bonds[i];
        if (!(work->traits ? is_vina_candidate(work, i) : is_candidate(work, i))) {
            continue;
        }
        flood(work, bond->second, i, &work->far);
        if (work->far.holds[bond->first]) {
            continue; /* a ring */
        }
        flood(work, bond->first, i, &work->near);
        const bool far_moves = work->root == SIZE_MAX ? work->far.heavy <= work->near.heavy
                                                      : !work->far.holds[work->root];
        status = far_moves ? add_torsion(work, bond->first, bond->second, &work->far, error)
                           : add_torsion(work, bond->second, bond->first, &work->near, error);
    }
    if (work->tree->count) {
        qsort(work->tree->torsions, work->tree->count, sizeof *work->tree->torsions, compare);
    }
    return status;
}

/* Finds the tree by facts: with traits Vina's, or that of the bonds that berth turns. */
static enum berth_status find_tree(const struct berth_facts *facts, bool vina, size_t root,
                                   struct berth_torsion_tree *tree, struct berth_error *error)
{
    const struct berth_molecule *molecule = facts->molecule;
    struct work work = {.molecule = molecule,
                        .adjacency = &facts->adjacency,
                        .tree = tree,
                        .root = root,
                        .traits = vina ? facts->traits : NULL};
    enum berth_status status = BERTH_OK;
    memset(tree, 0, sizeof *tree);
    for (int k = 0; !status && k < 2; k++) {
        struct side *side = k ? &work.far : &work.near;
        status = berth_make(&side->holds, molecule->atom_count, sizeof *side->holds,
                            molecule->title, error);
        BERTH_THEN(berth_make(&side->atoms, molecule->atom_count, sizeof *side->atoms,
                              molecule->title, error));
    }
    BERTH_THEN(find_torsions(&work, error));
    if (status) {
        berth_torsion_tree_clear(tree);
    }
    free(work.near.holds);
    free(work.near.atoms);
    free(work.far.holds);
    free(work.far.atoms);
    return status;
}

enum berth_status berth_torsion_tree_find(const struct berth_molecule *molecule,
                                          struct berth_torsion_tree *tree,
                                          struct berth_error *error)
{
    return berth_torsion_tree_find_from(molecule, SIZE_MAX, tree, error);
}

enum berth_status berth_torsion_tree_find_from(const struct berth_molecule *molecule, size_t root,
                                               struct berth_torsion_tree *tree,
                                               struct berth_error *error)
{
    struct berth_facts facts;
    memset(tree, 0, sizeof *tree);
    enum berth_status status = berth_facts_find(molecule, 0, &facts, error);
    BERTH_THEN(find_tree(&facts, false, root, tree, error));
    berth_facts_clear(&facts);
    return status;
}

enum berth_status berth_torsion_tree_find_vina(const struct berth_facts *facts,
                                               struct berth_torsion_tree *tree,
                                               struct berth_error *error)
{
    return find_tree(facts, true, SIZE_MAX, tree, error);
}

void berth_torsion_tree_clear(struct berth_torsion_tree *tree)
{
    if (!tree) {
        return;
    }
    free(tree->torsions);
    free(tree->moved);
    memset(tree, 0, sizeof *tree);
}

/* --- Turning --- */

/* The i-th of positions that lie `stride` bytes apart. */
static double *position_at(void *positions, size_t stride, size_t i)
{
    return (void *)((char *)positions + i * stride);
}

void berth_torsion_turn(const struct berth_torsion_tree *tree, size_t t, double angle,
                        void *positions, size_t stride)
{
    const struct berth_torsion *torsion = &tree->torsions[t];
    const uint32_t *moved = tree->moved + torsion->moved_start;
    const double *second = position_at(positions, stride, torsion->second);
    const double sine = sin(angle), cosine = cos(angle);
    double axis[3];
    berth_direction(position_at(positions, stride, torsion->first), second, axis);
    for (size_t i = 0; angle != 0 && i < torsion->moved_count; i++) {
        berth_turn(second, axis, sine, cosine, position_at(positions, stride, moved[i]));
    }
}

/* --- Vina's count --- */

enum berth_status berth_rotors_count(const struct berth_facts *facts, double *rotors,
                                     struct berth_error *error)
{
    struct berth_torsion_tree tree;
    *rotors = 0;
    BERTH_TRY(berth_torsion_tree_find_vina(facts, &tree, error));
    for (size_t t = 0; t < tree.count; t++) {
        *rotors += (facts->traits[tree.torsions[t].first].neighbours > 1 ? 0.5 : 0) +
                   (facts->traits[tree.torsions[t].second].neighbours > 1 ? 0.5 : 0);
    }
    berth_torsion_tree_clear(&tree);
    return BERTH_OK;
}

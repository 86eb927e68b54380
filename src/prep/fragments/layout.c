/* Which atom of a molecule is where in its fragments, and the molecule that follows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/elements.h"
#include "prep/fragments/joining.h"

enum { NEAR_BONDS = 3, ATOMS_MAX = 2000 };

static enum berth_status misfit(struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "its fragments do not fit each other");
}

static const struct berth_fragment *fragment_of(const struct berth_joining *joining, size_t i)
{
    return joining->parts->fragments[i];
}

/* Numbers the places, and says which heavy atom is where. */
static enum berth_status find_places(struct berth_joining *joining, struct berth_error *error)
{
    const struct berth_fragment_parts *parts = joining->parts;
    size_t places = 0, keys = 0, found = 0;
    for (size_t i = 0; i < parts->fragment_count; i++) {
        joining->starts[i] = (uint32_t)places;
        places += fragment_of(joining, i)->atom_count + fragment_of(joining, i)->hydrogen_count;
        keys += fragment_of(joining, i)->atom_count;
    }
    joining->starts[parts->fragment_count] = (uint32_t)places;
    joining->atoms = berth_alloc(places, sizeof *joining->atoms);
    joining->positions = berth_alloc(places, sizeof *joining->positions);
    joining->forces = berth_alloc(places, sizeof *joining->forces);
    joining->polar = berth_alloc(places, sizeof *joining->polar);
    joining->radii = berth_alloc(places, sizeof *joining->radii);
    joining->places = berth_alloc(parts->atom_count + places, sizeof *joining->places);
    if (!joining->atoms || !joining->positions || !joining->forces || !joining->polar ||
        !joining->radii || !joining->places) {
        return berth_out_of_memory(error, NULL);
    }
    memset(joining->atoms, 0xff, places * sizeof *joining->atoms);
    memset(joining->places, 0xff, (parts->atom_count + places) * sizeof *joining->places);
    if (keys != parts->order_count || parts->cap_count > places) {
        return misfit(error);
    }
    const uint32_t *order = parts->order;
    for (size_t i = 0; i < parts->fragment_count; i++) {
        for (uint32_t k = 0; k < fragment_of(joining, i)->atom_count; k++, order++) {
            const bool cap = *order >= parts->atom_count;
            if (cap != (fragment_of(joining, i)->atoms[k].element == 0) ||
                *order >= parts->atom_count + parts->cap_count ||
                joining->places[*order] != BERTH_NOWHERE) {
                return misfit(error);
            }
            /* caps' places stand behind the atoms' until the hydrogens' take theirs */
            joining->places[*order] = joining->starts[i] + k;
            joining->atoms[joining->starts[i] + k] = cap ? BERTH_NOWHERE : *order;
            found += !cap;
        }
    }
    return found == parts->atom_count ? BERTH_OK : misfit(error);
}

static uint32_t fragment_at(const struct berth_joining *joining, uint32_t place)
{
    uint32_t i = 0;
    while (joining->starts[i + 1] <= place) {
        i++;
    }
    return i;
}

/* The cap that stands for atom `beyond` at atom `at`; in an aromatic ring a hydrogen there that no
 * joint has. */
static uint32_t find_cap(const struct berth_joining *joining, uint32_t fragment, size_t beyond,
                         size_t at, const bool *taken)
{
    const struct berth_fragment_parts *parts = joining->parts;
    const struct berth_fragment *piece = fragment_of(joining, fragment);
    for (size_t i = 0; i < parts->cap_count; i++) {
        const uint32_t place = joining->places[parts->atom_count + i];
        if (parts->caps[i][0] == beyond && parts->caps[i][1] == at &&
            place >= joining->starts[fragment] && place < joining->starts[fragment + 1]) {
            return place - joining->starts[fragment];
        }
    }
    const char *type = piece->atoms[joining->places[at] - joining->starts[fragment]].type;
    const bool aromatic = strcmp(type, "C.ar") == 0 || strcmp(type, "N.ar") == 0;
    for (size_t i = 0; aromatic && i < piece->hydrogen_count; i++) {
        const uint32_t place = (uint32_t)(piece->atom_count + i);
        if (joining->starts[fragment] + piece->parents[i] == joining->places[at] &&
            !taken[joining->starts[fragment] + place]) {
            return place;
        }
    }
    return BERTH_NOWHERE;
}

/* Another neighbour: one with a double bond, another atom, a hydrogen. */
static uint32_t find_reference(const struct berth_fragment *fragment, uint32_t atom, uint32_t cap)
{
    uint32_t best = BERTH_NOWHERE;
    int best_order = 0;
    for (size_t i = 0; i < fragment->bond_count; i++) {
        const struct berth_worker_bond *bond = &fragment->bonds[i];
        const uint32_t other = bond->first == atom ? bond->second : bond->first;
        if ((bond->first == atom || bond->second == atom) && other != cap &&
            bond->order > best_order) {
            best = other;
            best_order = bond->order;
        }
    }
    for (size_t i = 0; best == BERTH_NOWHERE && i < fragment->hydrogen_count; i++) {
        if (fragment->parents[i] == atom && fragment->atom_count + i != cap) {
            best = (uint32_t)(fragment->atom_count + i);
        }
    }
    return best;
}

static bool find_side(const struct berth_joining *joining, size_t at, size_t beyond, bool *taken,
                      struct berth_joint_side *side)
{
    const uint32_t place = joining->places[at];
    side->fragment = fragment_at(joining, place);
    const uint32_t start = joining->starts[side->fragment];
    side->atom = place - start;
    side->cap = find_cap(joining, side->fragment, beyond, at, taken);
    if (side->cap == BERTH_NOWHERE || taken[start + side->cap]) {
        return false;
    }
    taken[start + side->cap] = true;
    side->reference =
        find_reference(joining->parts->fragments[side->fragment], side->atom, side->cap);
    return true;
}

/* Puts the joints into the order in which they place fragments, from the root on; false where they
 * do not lead to all of them. */
static bool order_joints(struct berth_joining *joining)
{
    const size_t count = joining->parts->fragment_count - 1;
    bool *placed = berth_alloc(count + 1, sizeof *placed);
    size_t done = 0;
    for (bool more = placed; more && done < count;) {
        placed[joining->root] = true;
        more = false;
        for (size_t i = done; i < count; i++) {
            struct berth_joint joint = joining->joints[i];
            if (placed[joint.sides[1].fragment]) {
                const struct berth_joint_side side = joint.sides[0];
                joint.sides[0] = joint.sides[1];
                joint.sides[1] = side;
            }
            if (placed[joint.sides[0].fragment] && !placed[joint.sides[1].fragment]) {
                placed[joint.sides[1].fragment] = more = true;
                joining->joints[i] = joining->joints[done];
                joining->joints[done++] = joint;
            }
        }
    }
    free(placed);
    return done == count;
}

static enum berth_status find_joints(struct berth_joining *joining, bool *taken,
                                     struct berth_error *error)
{
    const struct berth_fragment_parts *parts = joining->parts;
    if (parts->cut_count + 1 != parts->fragment_count) {
        return misfit(error);
    }
    for (size_t i = 0; i < parts->cut_count; i++) {
        const size_t a = parts->cuts[i][0], b = parts->cuts[i][1];
        struct berth_joint *joint = &joining->joints[i];
        if (a >= parts->atom_count || b >= parts->atom_count ||
            !find_side(joining, a, b, taken, &joint->sides[0]) ||
            !find_side(joining, b, a, taken, &joint->sides[1])) {
            return misfit(error);
        }
    }
    for (uint32_t i = 1; i < parts->fragment_count; i++) {
        if (fragment_of(joining, i)->atom_count > fragment_of(joining, joining->root)->atom_count) {
            joining->root = i;
        }
    }
    return order_joints(joining) ? BERTH_OK : misfit(error);
}

/* --- The molecule --- */

static void put_bond(struct berth_molecule *molecule, size_t a, size_t b, const char *type,
                     uint8_t order)
{
    struct berth_bond *bond = &molecule->bonds[molecule->bond_count++];
    bond->first = a < b ? a : b;
    bond->second = a < b ? b : a;
    bond->order = order;
    snprintf(bond->type, sizeof bond->type, "%s", type);
}

static int compare_bonds(const void *a, const void *b)
{
    const struct berth_bond *p = a, *q = b;
    return p->second != q->second ? (p->second > q->second) - (p->second < q->second)
                                  : (p->first > q->first) - (p->first < q->first);
}

static bool is_polar(int element)
{
    return element == NITROGEN || element == OXYGEN || element == SULFUR;
}

/* Numbers the hydrogens that are not taken for caps by the atoms that bear them. */
static void number_hydrogens(struct berth_joining *joining, const bool *taken)
{
    const struct berth_fragment_parts *parts = joining->parts;
    uint32_t next = (uint32_t)parts->atom_count;
    for (size_t atom = 0; atom < parts->atom_count; atom++) {
        const uint32_t i = fragment_at(joining, joining->places[atom]);
        const struct berth_fragment *fragment = fragment_of(joining, i);
        for (uint32_t k = 0; k < fragment->hydrogen_count; k++) {
            const uint32_t place = joining->starts[i] + (uint32_t)fragment->atom_count + k;
            if (joining->starts[i] + fragment->parents[k] == joining->places[atom] &&
                !taken[place]) {
                joining->atoms[place] = next;
                joining->places[next++] = place;
                joining->polar[place] = is_polar(fragment->atoms[fragment->parents[k]].element);
            }
        }
    }
    joining->molecule->atom_count = next;
}

/* Atoms and bonds of one fragment. */
static void put_fragment(const struct berth_joining *joining, size_t number)
{
    const struct berth_fragment *fragment = fragment_of(joining, number);
    const uint32_t *atoms = joining->atoms + joining->starts[number];
    const struct berth_worker_atom hydrogen = {.element = HYDROGEN, .type = "H"};
    for (size_t k = 0; k < fragment->atom_count; k++) {
        if (atoms[k] != BERTH_NOWHERE) {
            berth_worker_atom_put(&fragment->atoms[k], joining->molecule, atoms[k]);
        }
    }
    for (size_t k = 0; k < fragment->hydrogen_count; k++) {
        const uint32_t atom = atoms[fragment->atom_count + k];
        if (atom != BERTH_NOWHERE) {
            berth_worker_atom_put(&hydrogen, joining->molecule, atom);
            put_bond(joining->molecule, atoms[fragment->parents[k]], atom, "1", 1);
        }
    }
    for (size_t k = 0; k < fragment->bond_count; k++) {
        const struct berth_worker_bond *bond = &fragment->bonds[k];
        if (atoms[bond->first] != BERTH_NOWHERE && atoms[bond->second] != BERTH_NOWHERE) {
            put_bond(joining->molecule, atoms[bond->first], atoms[bond->second], bond->type,
                     bond->order);
        }
    }
}

static enum berth_status make_molecule(struct berth_joining *joining, struct berth_error *error)
{
    const struct berth_fragment_parts *parts = joining->parts;
    struct berth_molecule *molecule = joining->molecule;
    size_t bonds = parts->cut_count + molecule->atom_count;
    for (size_t i = 0; i < parts->fragment_count; i++) {
        bonds += fragment_of(joining, i)->bond_count;
    }
    molecule->title = berth_copy_text("x");
    molecule->atoms = berth_alloc(molecule->atom_count, sizeof *molecule->atoms);
    molecule->bonds = berth_alloc(bonds, sizeof *molecule->bonds);
    molecule->has_orders = true;
    if (!molecule->title || !molecule->atoms || !molecule->bonds) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < parts->fragment_count; i++) {
        put_fragment(joining, i);
    }
    for (size_t i = 0; i < parts->cut_count; i++) {
        put_bond(molecule, parts->cuts[i][0], parts->cuts[i][1], "1", 1);
    }
    qsort(molecule->bonds, molecule->bond_count, sizeof *molecule->bonds, compare_bonds);
    return BERTH_OK;
}

/* Marks the atoms that are NEAR_BONDS apart at most, and those of one fragment. */
static void mark_near(struct berth_joining *joining, const struct berth_adjacency *adjacency)
{
    const size_t count = joining->molecule->atom_count;
    for (size_t i = 0; i < count; i++) {
        bool *near = joining->near + i * count;
        uint32_t reached[4 + 4 * 8 + 4 * 8 * 8], first = 0, behind = 1;
        reached[0] = (uint32_t)i;
        near[i] = true;
        for (int round = 0; round < NEAR_BONDS; round++) {
            const uint32_t end = behind;
            for (; first < end; first++) {
                for (size_t k = adjacency->start[reached[first]];
                     k < adjacency->start[reached[first] + 1]; k++) {
                    const uint32_t atom = adjacency->neighbour[k];
                    if (!near[atom] && behind < sizeof reached / sizeof *reached) {
                        near[atom] = true;
                        reached[behind++] = atom;
                    }
                }
            }
        }
    }
    for (size_t f = 0; f < joining->parts->fragment_count; f++) {
        for (uint32_t p = joining->starts[f]; p < joining->starts[f + 1]; p++) {
            for (uint32_t q = joining->starts[f]; q < joining->starts[f + 1]; q++) {
                if (joining->atoms[p] != BERTH_NOWHERE && joining->atoms[q] != BERTH_NOWHERE) {
                    joining->near[joining->atoms[p] * count + joining->atoms[q]] = true;
                }
            }
        }
    }
}

static enum berth_status find_near(struct berth_joining *joining, struct berth_error *error)
{
    const size_t count = joining->molecule->atom_count;
    struct berth_adjacency adjacency = {0};
    joining->near = berth_alloc(count * count, sizeof *joining->near);
    enum berth_status status = joining->near
                                   ? berth_adjacency_find(joining->molecule, &adjacency, error)
                                   : berth_out_of_memory(error, NULL);
    if (!status) {
        mark_near(joining, &adjacency);
    }
    berth_adjacency_clear(&adjacency);
    return status;
}

enum berth_status berth_joining_begin(struct berth_joining *joining, struct berth_error *error)
{
    const size_t count = joining->parts->fragment_count;
    if (!count || joining->parts->atom_count > ATOMS_MAX / 2) {
        return berth_fail(error, BERTH_E_FORMAT, "it is too large");
    }
    joining->starts = berth_alloc(count + 1, sizeof *joining->starts);
    joining->joints = berth_alloc(count, sizeof *joining->joints);
    joining->shapes = berth_alloc(count, sizeof *joining->shapes);
    joining->loads = berth_alloc(count, sizeof *joining->loads);
    joining->balls = berth_alloc(count, sizeof *joining->balls);
    joining->beyond = berth_alloc(count, sizeof *joining->beyond);
    if (!joining->starts || !joining->joints || !joining->shapes || !joining->loads ||
        !joining->balls || !joining->beyond) {
        return berth_out_of_memory(error, NULL);
    }
    BERTH_TRY(find_places(joining, error));
    bool *taken = berth_alloc(joining->starts[count], sizeof *taken);
    enum berth_status status =
        taken ? find_joints(joining, taken, error) : berth_out_of_memory(error, NULL);
    if (!status) {
        number_hydrogens(joining, taken);
        status = make_molecule(joining, error);
    }
    free(taken);
    for (uint32_t p = 0; !status && p < joining->starts[count]; p++) {
        const uint32_t atom = joining->atoms[p];
        joining->radii[p] =
            atom == BERTH_NOWHERE ? 0 : berth_vdw_radius(joining->molecule->atoms[atom].element);
    }
    BERTH_THEN(find_near(joining, error));
    for (size_t i = 0; !status && i + 1 < count; i++) {
        berth_joint_choose_angles(joining, &joining->joints[i]);
    }
    return status;
}

void berth_joining_end(struct berth_joining *joining)
{
    free(joining->starts);
    free(joining->atoms);
    free(joining->places);
    free(joining->joints);
    free(joining->shapes);
    free(joining->positions);
    free(joining->forces);
    free(joining->polar);
    free(joining->radii);
    free(joining->balls);
    free(joining->beyond);
    free(joining->loads);
    free(joining->near);
}

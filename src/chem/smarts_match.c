/* Where a molecule has a pattern. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/aromatic.h"
#include "chem/smarts_internal.h"

/* The fewest bonds from one atom of a bond to the other, but for that bond; 0: there is no way. */
static int way_round(const struct berth_smarts_target *target, size_t bond)
{
    const struct berth_adjacency *adjacency = &target->adjacency;
    const size_t from = target->molecule->bonds[bond].first;
    const size_t to = target->molecule->bonds[bond].second;
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < target->molecule->atom_count; i++) {
        target->steps[i] = -1;
    }
    target->steps[from] = 0;
    target->queue[tail++] = from;
    while (head < tail) {
        const size_t at = target->queue[head++];
        BERTH_EACH_BOND (k, adjacency, at) {
            const size_t next = adjacency->neighbour[k];
            if (adjacency->bond[k] == bond || target->steps[next] >= 0) {
                continue;
            }
            target->steps[next] = target->steps[at] + 1;
            if (next == to) {
                return target->steps[next];
            }
            target->queue[tail++] = next;
        }
    }
    return 0;
}

enum berth_status berth_smarts_target_create(const struct berth_molecule *molecule,
                                             struct berth_smarts_target **target,
                                             struct berth_error *error)
{
    const size_t atoms = molecule->atom_count, bonds = molecule->bond_count;
    BERTH_TRY(berth_make(target, 1, sizeof **target, NULL, error));
    struct berth_smarts_target *made = *target;
    made->molecule = molecule;
    enum berth_status status = berth_adjacency_find(molecule, &made->adjacency, error);
    BERTH_THEN(berth_kekule_find(molecule, &made->kekule, error));
    BERTH_THEN(berth_make(&made->aromatic, atoms, sizeof *made->aromatic, NULL, error));
    BERTH_THEN(berth_make(&made->ring_sizes, bonds, sizeof *made->ring_sizes, NULL, error));
    BERTH_THEN(berth_make(&made->queue, atoms, sizeof *made->queue, NULL, error));
    BERTH_THEN(berth_make(&made->steps, atoms, sizeof *made->steps, NULL, error));
    BERTH_THEN(berth_aromatic_find(molecule, made->aromatic, error));
    for (size_t b = 0; !status && b < bonds; b++) {
        const int way = way_round(made, b);
        made->ring_sizes[b] = way ? way + 1 : 0;
    }
    if (status) {
        berth_smarts_target_destroy(made);
        *target = NULL;
    }
    return status;
}

void berth_smarts_target_destroy(struct berth_smarts_target *target)
{
    if (target) {
        berth_adjacency_clear(&target->adjacency);
        berth_kekule_clear(&target->kekule);
        free(target->aromatic);
        free(target->ring_sizes);
        free(target->queue);
        free(target->steps);
        free(target);
    }
}

/* What of an atom's bonds conditions ask for. */
struct bonds_of {
    int hydrogens, orders, smallest; /* smallest: ring; 0: it is in none */
};

static struct bonds_of look_at_bonds(const struct berth_smarts_target *target, size_t atom)
{
    const struct berth_adjacency *adjacency = &target->adjacency;
    struct bonds_of bonds = {0};
    BERTH_EACH_BOND (k, adjacency, atom) {
        const int size = target->ring_sizes[adjacency->bond[k]];
        bonds.hydrogens += target->molecule->atoms[adjacency->neighbour[k]].element == HYDROGEN;
        bonds.orders += target->kekule.orders[adjacency->bond[k]];
        if (size && (!bonds.smallest || size < bonds.smallest)) {
            bonds.smallest = size;
        }
    }
    return bonds;
}

/* What matching works on. */
struct matching {
    const struct berth_smarts *smarts;
    const struct smarts_pattern *pattern;
    const struct berth_smarts_target *target;
    berth_smarts_taker *take;
    void *context;
    size_t *steps; /* borrowed; left, also of the patterns inside */
    size_t atoms[BERTH_SMARTS_ATOMS];
    bool ended;
};

/* Whether more than so many steps are left, which are taken; else none is from then on. */
static bool spend(const struct matching *matching, size_t steps)
{
    const bool left = *matching->steps > steps;
    *matching->steps -= left ? steps : *matching->steps;
    return left;
}

static size_t degree(const struct berth_smarts_target *target, size_t atom)
{
    return berth_degree(&target->adjacency, atom);
}

static void match_from(struct matching *matching, size_t number, size_t atom);

static bool take_any(void *context, const size_t *atoms)
{
    (void)atoms;
    *(bool *)context = true;
    return false;
}

/* Whether the pattern can begin at the atom. */
static bool begins(const struct matching *matching, size_t pattern, size_t atom)
{
    bool found = false;
    struct matching inside = {.smarts = matching->smarts,
                              .pattern = &matching->smarts->patterns[pattern],
                              .target = matching->target,
                              .take = take_any,
                              .context = &found,
                              .steps = matching->steps};
    match_from(&inside, 0, atom);
    return found;
}

/* A condition on one atom alone; false where no steps are left. */
static bool has(const struct matching *matching, const struct smarts_node *node, size_t atom)
{
    const struct berth_smarts_target *target = matching->target;
    if (!spend(matching, 1 + degree(target, atom))) {
        return false;
    }
    const struct bonds_of bonds = look_at_bonds(target, atom);
    switch (node->what) {
    case SMARTS_TRUE:
        return true;
    case SMARTS_ELEMENT:
        return target->molecule->atoms[atom].element == node->value;
    case SMARTS_AROMATIC:
        return target->aromatic[atom] == (node->value != 0);
    case SMARTS_DEGREE: /* of heavy atoms, as where hydrogens are not written */
        return (int)degree(target, atom) - bonds.hydrogens == node->value;
    case SMARTS_CONNECTED:
        return (int)degree(target, atom) == node->value;
    case SMARTS_HYDROGENS:
        return bonds.hydrogens == node->value;
    case SMARTS_VALENCE:
        return bonds.orders == node->value;
    case SMARTS_CHARGE:
        return target->kekule.charges[atom] == node->value;
    case SMARTS_RING:
        return (bonds.smallest != 0) == (node->value != 0);
    case SMARTS_RING_SIZE:
        return bonds.smallest == node->value;
    default:
        return begins(matching, (size_t)node->value, atom);
    }
}

static bool atom_is(const struct matching *matching, size_t number, size_t atom)
{
    const struct smarts_node *node = &matching->smarts->nodes[number];
    switch (node->what) {
    case SMARTS_NOT:
        return !atom_is(matching, node->left, atom);
    case SMARTS_AND:
        return atom_is(matching, node->left, atom) && atom_is(matching, node->right, atom);
    case SMARTS_OR:
        return atom_is(matching, node->left, atom) || atom_is(matching, node->right, atom);
    default:
        return has(matching, node, atom);
    }
}

static bool bond_is(const struct matching *matching, size_t number, size_t bond)
{
    const struct berth_smarts_target *target = matching->target;
    const struct smarts_node *node = &matching->smarts->nodes[number];
    const struct berth_bond *ends = &target->molecule->bonds[bond];
    const bool ring = target->ring_sizes[bond] != 0;
    const bool aromatic = ring && target->aromatic[ends->first] && target->aromatic[ends->second];
    const int order = target->kekule.orders[bond];
    switch (node->what) {
    case SMARTS_NOT:
        return !bond_is(matching, node->left, bond);
    case SMARTS_AND:
        return bond_is(matching, node->left, bond) && bond_is(matching, node->right, bond);
    case SMARTS_OR:
        return bond_is(matching, node->left, bond) || bond_is(matching, node->right, bond);
    case SMARTS_ORDER:
        return !aromatic && order == node->value;
    case SMARTS_BOND_AROMATIC:
        return aromatic;
    case SMARTS_BOND_RING:
        return ring;
    case SMARTS_BOND_PLAIN:
        return aromatic || order == 1;
    default:
        return true;
    }
}

/* The bond between two atoms; false where there is none, or no steps are left. */
static bool find_bond(const struct matching *matching, size_t a, size_t b, size_t *bond)
{
    const struct berth_adjacency *adjacency = &matching->target->adjacency;
    const bool left = spend(matching, degree(matching->target, a));
    for (size_t k = adjacency->start[a]; left && k < adjacency->start[a + 1]; k++) {
        if (adjacency->neighbour[k] == b) {
            *bond = adjacency->bond[k];
            return true;
        }
    }
    return false;
}

/* Whether atom `number` of the pattern can be this one, with those before it where they are.  Of
 * the outermost pattern it is a heavy atom. */
static bool fits(const struct matching *matching, size_t number, size_t atom)
{
    const struct smarts_pattern *pattern = matching->pattern;
    if (pattern == matching->smarts->patterns && !matching->target->molecule->atoms[atom].heavy) {
        return false;
    }
    for (size_t i = 0; i < number; i++) {
        if (matching->atoms[i] == atom) {
            return false;
        }
    }
    if (!atom_is(matching, pattern->atom_nodes[number], atom)) {
        return false;
    }
    for (size_t i = 0; i < pattern->bond_count; i++) {
        const struct smarts_bond *bond = &pattern->bonds[i];
        size_t found;
        if (bond->second == number &&
            (!find_bond(matching, matching->atoms[bond->first], atom, &found) ||
             !bond_is(matching, bond->node, found))) {
            return false;
        }
    }
    return true;
}

/* Matches from atom `number` on, which is to be this one. */
static void match_from(struct matching *matching, size_t number, size_t atom)
{
    const struct smarts_pattern *pattern = matching->pattern;
    const struct berth_adjacency *adjacency = &matching->target->adjacency;
    if (!spend(matching, 1) || !fits(matching, number, atom)) {
        return;
    }
    matching->atoms[number] = atom;
    const size_t next = number + 1;
    if (next == pattern->atom_count) {
        matching->ended = !*matching->steps || !matching->take(matching->context, matching->atoms);
        return;
    }
    size_t first = 0;
    while (pattern->bonds[first].second != next) {
        first++;
    }
    const size_t from = matching->atoms[pattern->bonds[first].first];
    for (size_t k = adjacency->start[from];
         !matching->ended && *matching->steps && k < adjacency->start[from + 1]; k++) {
        match_from(matching, next, adjacency->neighbour[k]);
    }
}

enum berth_status berth_smarts_match(const struct berth_smarts *smarts,
                                     const struct berth_smarts_target *target,
                                     berth_smarts_taker *take, void *context,
                                     struct berth_error *error)
{
    size_t steps = BERTH_SMARTS_STEPS;
    struct matching matching = {.smarts = smarts,
                                .pattern = &smarts->patterns[0],
                                .target = target,
                                .take = take,
                                .context = context,
                                .steps = &steps};
    for (size_t atom = 0; !matching.ended && steps && atom < target->molecule->atom_count; atom++) {
        match_from(&matching, 0, atom);
    }
    return steps ? BERTH_OK
                 : berth_fail(
                       error, BERTH_E_FORMAT,
                       "SMARTS %.200s: matches the molecule in too many ways (%d steps); let it "
                       "say more of its atoms, or have fewer of them",
                       smarts->text, BERTH_SMARTS_STEPS);
}

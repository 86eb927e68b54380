#include "format/smiles/smiles_write.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/kekule.h"

enum { HEAVY_MAX = 1000, RINGS_MAX = 99 }; /* the depth of the walk; two digits behind '%' */

/* What a walk over the atoms has found of a bond. */
enum { UNSEEN = 0, IN_TREE = -1 }; /* above 0: the number of the ring that it closes */

struct walk {
    const struct berth_molecule *molecule;
    struct berth_adjacency adjacency;
    struct berth_kekule kekule;
    const bool *aromatic; /* [atom_count]; NULL: none */
    bool *met;            /* owned; [atom_count] */
    int *bonds;           /* owned; [bond_count] */
    int rings;
    struct berth_bytes *text;
    size_t *order, written;
};

/* True for a bond between heavy atoms, which SMILES have. */
static bool is_shown(const struct walk *walk, size_t place)
{
    const size_t other = walk->adjacency.neighbour[place];
    return walk->kekule.orders[walk->adjacency.bond[place]] && walk->molecule->atoms[other].heavy;
}

/* Sorts the bonds of the atom, and of all behind it, into those of a tree and those that close
 * rings. */
static void sort_bonds(struct walk *walk, size_t atom)
{
    const struct berth_adjacency *all = &walk->adjacency;
    walk->met[atom] = true;
    for (size_t i = all->start[atom]; i < all->start[atom + 1]; i++) {
        int *bond = &walk->bonds[all->bond[i]];
        if (!is_shown(walk, i) || *bond != UNSEEN) {
            continue;
        }
        if (walk->met[all->neighbour[i]]) {
            *bond = ++walk->rings;
        } else {
            *bond = IN_TREE;
            sort_bonds(walk, all->neighbour[i]);
        }
    }
}

static void put(struct walk *walk, const char *text)
{
    berth_bytes_put(walk->text, text, strlen(text));
}

/* True where an atom of this element, uncharged, with bonds of this sum has the hydrogens that
 * SMILES give it without brackets. */
static bool is_plain(int element, int bonds, int hydrogens)
{
    static const struct {
        int element, valences[3];
    } NORMAL[] = {{5, {3}},     {6, {4}},        {7, {3, 5}}, {8, {2}},  {9, {1}},
                  {15, {3, 5}}, {16, {2, 4, 6}}, {17, {1}},   {35, {1}}, {53, {1}}};
    for (size_t i = 0; i < sizeof NORMAL / sizeof *NORMAL; i++) {
        for (int k = 0; NORMAL[i].element == element && k < 3 && NORMAL[i].valences[k]; k++) {
            if (NORMAL[i].valences[k] >= bonds) {
                return NORMAL[i].valences[k] == bonds + hydrogens;
            }
        }
    }
    return false;
}

/* Small letters for an aromatic atom, whose hydrogens are said where it is no carbon. */
static void put_atom(struct walk *walk, size_t atom)
{
    const bool aromatic = walk->aromatic && walk->aromatic[atom];
    const struct berth_adjacency *all = &walk->adjacency;
    const int element = walk->molecule->atoms[atom].element, charge = walk->kekule.charges[atom];
    int bonds = 0, hydrogens = 0;
    for (size_t i = all->start[atom]; i < all->start[atom + 1]; i++) {
        bonds += is_shown(walk, i) ? walk->kekule.orders[all->bond[i]] : 0;
        hydrogens += walk->molecule->atoms[all->neighbour[i]].element == 1;
    }
    char text[48], symbol[8];
    snprintf(symbol, sizeof symbol, "%s", berth_element_symbol(element));
    symbol[0] = (char)(aromatic ? tolower((unsigned char)symbol[0]) : symbol[0]);
    if (!charge && is_plain(element, bonds, hydrogens) &&
        !(aromatic && element != 6 && hydrogens)) {
        snprintf(text, sizeof text, "%s", symbol);
    } else {
        char count[16] = "", sign[16] = "";
        if (hydrogens) {
            snprintf(count, sizeof count, hydrogens > 1 ? "H%d" : "H", hydrogens);
        }
        if (charge) {
            const bool several = abs(charge) > 1;
            snprintf(sign, sizeof sign, several ? "%+d" : charge > 0 ? "+" : "-", charge);
        }
        snprintf(text, sizeof text, "[%s%s%s]", symbol, count, sign);
    }
    put(walk, text);
}

static void put_bond(struct walk *walk, size_t bond)
{
    static const char *const SIGNS[] = {"", "", "=", "#"};
    const struct berth_bond *ends = &walk->molecule->bonds[bond];
    const bool aromatic =
        walk->aromatic && walk->aromatic[ends->first] && walk->aromatic[ends->second];
    put(walk, aromatic ? "" : SIGNS[walk->kekule.orders[bond]]);
}

/* Writes the atom and all behind it. */
static void put_branch(struct walk *walk, size_t atom)
{
    const struct berth_adjacency *all = &walk->adjacency;
    size_t left = 0;
    walk->met[atom] = true;
    walk->order[walk->written++] = atom;
    put_atom(walk, atom);
    for (size_t i = all->start[atom]; i < all->start[atom + 1]; i++) {
        const int ring = is_shown(walk, i) ? walk->bonds[all->bond[i]] : UNSEEN;
        left += ring == IN_TREE && !walk->met[all->neighbour[i]];
        if (ring > 0) {
            char number[16];
            snprintf(number, sizeof number, ring > 9 ? "%%%d" : "%d", ring);
            put_bond(walk, all->bond[i]);
            put(walk, number);
        }
    }
    for (size_t i = all->start[atom]; i < all->start[atom + 1]; i++) {
        if (is_shown(walk, i) && walk->bonds[all->bond[i]] == IN_TREE &&
            !walk->met[all->neighbour[i]]) {
            put(walk, --left ? "(" : "");
            put_bond(walk, all->bond[i]);
            put_branch(walk, all->neighbour[i]);
            put(walk, left ? ")" : "");
        }
    }
}

/* True where the walk can give SMILES; sorts the bonds. */
static bool prepare(struct walk *walk)
{
    const struct berth_molecule *molecule = walk->molecule;
    bool fits = berth_has_hydrogens(molecule) && berth_heavy_count(molecule) <= HEAVY_MAX;
    for (size_t i = 0; fits && i < molecule->bond_count; i++) {
        fits = walk->kekule.orders[i] <= 3;
    }
    for (size_t i = 0; fits && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy && !walk->met[i]) {
            sort_bonds(walk, i);
        }
    }
    memset(walk->met, 0, molecule->atom_count * sizeof *walk->met);
    return fits && walk->rings <= RINGS_MAX;
}

enum berth_status berth_smiles_write(const struct berth_molecule *molecule, const bool *aromatic,
                                     struct berth_bytes *text, size_t *order, bool *known,
                                     struct berth_error *error)
{
    struct walk walk = {.molecule = molecule, .aromatic = aromatic, .text = text, .order = order};
    enum berth_status status = berth_kekule_find(molecule, &walk.kekule, error);
    BERTH_THEN(berth_adjacency_find(molecule, &walk.adjacency, error));
    BERTH_THEN(berth_make(&walk.met, molecule->atom_count + 1, sizeof *walk.met, NULL, error));
    BERTH_THEN(berth_make(&walk.bonds, molecule->bond_count + 1, sizeof *walk.bonds, NULL, error));
    *known = !status && prepare(&walk);
    for (size_t i = 0; *known && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy && !walk.met[i]) {
            put(&walk, walk.written ? "." : "");
            put_branch(&walk, i);
        }
    }
    if (!status && text->failed) {
        status = berth_out_of_memory(error, NULL);
    }
    berth_kekule_clear(&walk.kekule);
    berth_adjacency_clear(&walk.adjacency);
    free(walk.met);
    free(walk.bonds);
    return status;
}

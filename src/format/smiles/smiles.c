#include "format/smiles/smiles.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "chem/stereo.h"

enum { RINGS = 100 };

struct scan {
    const char *text;
    size_t size, at;
    size_t depth;         /* of parentheses, */
    size_t outer;         /* of which the outermost stands here */
    bool atom;            /* one stands in front, to be bonded to */
    char pending;         /* the bond, dot or parenthesis in front that asks for an atom; 0: none */
    bool rings[RINGS];    /* those that are open, */
    size_t opened[RINGS]; /* and where */
};

static enum berth_status refuse(const struct scan *scan, const char *what,
                                struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "no valid SMILES: %s at character %zu", what,
                      scan->at + 1);
}

static bool is_bond(char c)
{
    return c && strchr("-=#$:/\\~", c);
}

/* Takes one atom without brackets, or none: the number of its characters. */
static size_t plain_symbol(const struct scan *scan)
{
    const char *at = scan->text + scan->at;
    const size_t left = scan->size - scan->at;
    if (left > 1 && (memcmp(at, "Cl", 2) == 0 || memcmp(at, "Br", 2) == 0)) {
        return 2;
    }
    return strchr("BCNOPSFIbcnops*", *at) ? 1 : 0;
}

static enum berth_status take_bracket(struct scan *scan, struct berth_error *error)
{
    const char *from = scan->text + scan->at;
    const char *end = memchr(from, ']', scan->size - scan->at);
    if (!end || end == from + 1) {
        return refuse(scan, end ? "an empty bracket" : "a bracket that is left open", error);
    }
    scan->at += (size_t)(end - from) + 1;
    scan->atom = true;
    scan->pending = 0;
    return BERTH_OK;
}

/* The number of a ring's bond: 1, %12 (%(123) counts as that many, too). */
static enum berth_status take_ring(struct scan *scan, struct berth_error *error)
{
    const char *at = scan->text + scan->at;
    const size_t left = scan->size - scan->at;
    const bool two = *at == '%';
    if (!scan->atom || scan->pending == '(' || scan->pending == '.' ||
        (two && (left < 3 || !isdigit((unsigned char)at[1]) || !isdigit((unsigned char)at[2])))) {
        return refuse(scan, "a ring's number that is out of place", error);
    }
    const int number = two ? 10 * (at[1] - '0') + at[2] - '0' : *at - '0';
    scan->rings[number] = !scan->rings[number];
    scan->opened[number] = scan->at;
    scan->pending = 0;
    scan->at += two ? 3 : 1;
    return BERTH_OK;
}

static enum berth_status take_mark(struct scan *scan, char c, struct berth_error *error)
{
    if (!scan->atom || (scan->pending && !(is_bond(c) && scan->pending == '('))) {
        return refuse(scan, "a bond, dot or parenthesis that is out of place", error);
    }
    if (c == ')') {
        if (!scan->depth) {
            return refuse(scan, "a parenthesis that was not opened", error);
        }
        scan->depth--;
    } else {
        scan->pending = c;
        scan->outer = c == '(' && !scan->depth ? scan->at : scan->outer;
        scan->depth += c == '(';
    }
    scan->at++;
    return BERTH_OK;
}

static enum berth_status take_symbol(struct scan *scan, struct berth_error *error)
{
    const char c = scan->text[scan->at];
    const size_t symbol = c ? plain_symbol(scan) : 0;
    if (symbol) {
        scan->at += symbol;
        scan->atom = true;
        scan->pending = 0;
        return BERTH_OK;
    }
    if (c == '[') {
        return take_bracket(scan, error);
    }
    if (isdigit((unsigned char)c) || c == '%') {
        return take_ring(scan, error);
    }
    return is_bond(c) || c == '(' || c == ')' || c == '.'
               ? take_mark(scan, c, error)
               : refuse(scan, "a symbol that SMILES do not have", error);
}

enum berth_status berth_smiles_check(const char *text, size_t size, struct berth_error *error)
{
    struct scan scan = {.text = text};
    while (scan.size < size && !strchr(" \t\r\n", text[scan.size])) {
        scan.size++;
    }
    enum berth_status status = BERTH_OK;
    if (scan.size == 2 && memcmp(text, "\"\"", 2) == 0) { /* as tables write an empty cell */
        return berth_fail(error, BERTH_E_FORMAT, "no SMILES: an empty cell");
    }
    while (!status && scan.at < scan.size) {
        status = take_symbol(&scan, error);
    }
    if (status || !scan.size) {
        return status;
    }
    if (scan.depth || scan.pending) {
        scan.at = scan.depth ? scan.outer : scan.size - 1;
        return refuse(&scan,
                      scan.depth ? "a parenthesis that is left open" : "a bond that is left open",
                      error);
    }
    for (int i = 0; i < RINGS; i++) {
        if (scan.rings[i]) {
            scan.at = scan.opened[i];
            return refuse(&scan, "a ring that is left open", error);
        }
    }
    return BERTH_OK;
}

const char *berth_smiles_hint(const char *path)
{
    return berth_smiles_check(path, strlen(path), NULL)
               ? ""
               : " (SMILES go into a file, a line each: echo 'SMILES NAME' >NAME.smi)";
}

/* --- A molecule as SMILES: its atoms, bonds, charges and stereo --- */

#define NONE SIZE_MAX

enum { HEAVY_MAX = 1000, RINGS_MAX = 99 }; /* the depth of the walk; two digits behind '%' */

/* What a walk over the atoms has found of a bond. */
enum { UNSEEN = 0, IN_TREE = -1 }; /* above 0: the number of the ring that it closes */

struct walk {
    const struct berth_facts *facts;
    const struct berth_molecule *molecule; /* that they are of */
    const bool *aromatic;                  /* [atom_count]; NULL: none */
    bool *met;                             /* owned; [atom_count] */
    int *bonds;                            /* owned; [bond_count] */
    int rings;
    const struct berth_stereo *stereo; /* NULL: none is written */
    size_t *center;                    /* owned; [atom_count]: its element in stereo; NONE */
    size_t *partner;                   /* owned; [atom_count]: behind its double bond that has
                                          stereo; NONE */
    int *rises;                        /* owned; [bond_count]: 1: / from its first atom to its
                                          second, -1: \\, 0: nothing is said */
    struct berth_bytes *text;
    size_t *order, written;
};

/* True for a bond between heavy atoms, which SMILES have. */
static bool is_shown(const struct walk *walk, size_t place)
{
    const size_t other = walk->facts->adjacency.neighbour[place];
    return walk->facts->orders[walk->facts->adjacency.bond[place]] &&
           walk->molecule->atoms[other].heavy;
}

/* Sorts the bonds of the atom, and of all behind it, into those of a tree and those that close
 * rings. */
static void sort_bonds(struct walk *walk, size_t atom)
{
    const struct berth_adjacency *all = &walk->facts->adjacency;
    walk->met[atom] = true;
    BERTH_EACH_BOND (i, all, atom) {
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

/* --- Double bonds --- */

/* Which way the bond rises from the atom; a sign for the other way round. */
static int *rise_from(struct walk *walk, size_t bond, size_t atom, int *sign)
{
    *sign = walk->molecule->bonds[bond].first == atom ? 1 : -1;
    return &walk->rises[bond];
}

/* Whether the neighbour at this place is one that lies cis or trans. */
static bool is_beside(const struct walk *walk, size_t place, size_t partner)
{
    const struct berth_adjacency *all = &walk->facts->adjacency;
    return is_shown(walk, place) && all->neighbour[place] != partner &&
           walk->facts->orders[all->bond[place]] == 1;
}

/* Says of the bonds beside a double bond's end that the one to `other` rises so, and its sibling
 * the other way; and the same of the double bonds that these are beside. */
static void mark_end(struct walk *walk, size_t end, size_t other, int rises)
{
    const struct berth_adjacency *all = &walk->facts->adjacency;
    BERTH_EACH_BOND (k, all, end) {
        const size_t next = all->neighbour[k];
        int sign;
        int *rise = rise_from(walk, all->bond[k], end, &sign);
        if (!is_beside(walk, k, walk->partner[end]) || *rise) {
            continue;
        }
        *rise = sign * (next == other ? rises : -rises);
        if (walk->partner[next] != NONE) {
            mark_end(walk, next, end, -sign * *rise);
        }
    }
}

/* How the bond to the element's neighbour at this end rises; 0: it is not said yet. */
static int rise_at(struct walk *walk, size_t end, size_t neighbour)
{
    const struct berth_adjacency *all = &walk->facts->adjacency;
    BERTH_EACH_BOND (k, all, end) {
        if (all->neighbour[k] == neighbour) {
            int sign;
            const int *rise = rise_from(walk, all->bond[k], end, &sign);
            return sign * *rise;
        }
    }
    return 0;
}

/* Marks an element of which one end, if any, is marked as yet. */
static void mark_element(struct walk *walk, const struct berth_stereo_element *element)
{
    const size_t *atoms = element->atoms;
    const int here = rise_at(walk, atoms[0], atoms[2]), there = rise_at(walk, atoms[1], atoms[3]);
    const int left = here ? here : there ? there * element->sign : 1;
    mark_end(walk, atoms[0], atoms[2], left);
    mark_end(walk, atoms[1], atoms[3], left * element->sign);
}

/* Those that share a bond with a marked one come first, so that no mark has to be taken back. */
static void mark_double_bonds(struct walk *walk)
{
    const struct berth_stereo *stereo = walk->stereo;
    for (size_t left = stereo->count; left; left--) {
        const struct berth_stereo_element *next = NULL;
        for (size_t i = 0; i < stereo->count; i++) {
            const struct berth_stereo_element *element = &stereo->elements[i];
            const size_t *atoms = element->atoms;
            const bool here = element->double_bond && rise_at(walk, atoms[0], atoms[2]);
            const bool there = element->double_bond && rise_at(walk, atoms[1], atoms[3]);
            if (element->double_bond && !(here && there) && (!next || here || there)) {
                next = element;
            }
        }
        if (next) {
            mark_element(walk, next);
        }
    }
}

/* --- Centres --- */

/* The atom's neighbours in the order of the text, the hydrogen or lone pair as NONE: how many. */
static size_t list_neighbours(const struct walk *walk, size_t atom, size_t parent, size_t list[5])
{
    const struct berth_adjacency *all = &walk->facts->adjacency;
    size_t count = 0, heavy = 0;
    BERTH_EACH_BOND (k, all, atom) {
        heavy += walk->molecule->atoms[all->neighbour[k]].heavy;
    }
    if (parent != NONE) {
        list[count++] = parent;
    }
    if (heavy == 3) {
        list[count++] = NONE;
    }
    for (int rings = 1; rings >= 0; rings--) {
        BERTH_EACH_BOND (k, all, atom) {
            const bool ring = walk->bonds[all->bond[k]] > 0;
            if (is_shown(walk, k) && all->neighbour[k] != parent && ring == rings && count < 4) {
                list[count++] = all->neighbour[k];
            }
        }
    }
    return count;
}

/* "@", "@@" or "": seen from its first neighbour the others turn to the left for @. */
static const char *turn_of(const struct walk *walk, size_t atom, size_t parent)
{
    size_t list[5];
    if (!walk->stereo || walk->center[atom] == NONE ||
        list_neighbours(walk, atom, parent, list) != 4) {
        return "";
    }
    const struct berth_stereo_element *element = &walk->stereo->elements[walk->center[atom]];
    const size_t *order = element->atoms + 1;
    const size_t turned[] = {list[1], list[2], list[3], list[0]};
    int sign = element->sign;
    size_t place[4];
    for (int i = 0; i < 4; i++) {
        for (place[i] = 0; place[i] < 4 && order[place[i]] != turned[i];) {
            place[i]++;
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            sign = place[j] > place[i] ? -sign : sign;
        }
    }
    return sign < 0 ? "@" : "@@";
}

/* Which atoms and bonds have stereo. */
static enum berth_status find_stereo(struct walk *walk, struct berth_error *error)
{
    const size_t atoms = walk->molecule->atom_count;
    const struct berth_stereo *stereo = walk->stereo;
    BERTH_TRY(berth_make(&walk->center, atoms + 1, sizeof *walk->center, NULL, error));
    BERTH_TRY(berth_make(&walk->partner, atoms + 1, sizeof *walk->partner, NULL, error));
    BERTH_TRY(
        berth_make(&walk->rises, walk->molecule->bond_count + 1, sizeof *walk->rises, NULL, error));
    memset(walk->center, 0xFF, atoms * sizeof *walk->center);   /* NONE */
    memset(walk->partner, 0xFF, atoms * sizeof *walk->partner); /* NONE */
    for (size_t i = 0; stereo && i < stereo->count; i++) {
        const size_t *of = stereo->elements[i].atoms;
        if (stereo->elements[i].double_bond) {
            walk->partner[of[0]] = of[1];
            walk->partner[of[1]] = of[0];
        } else {
            walk->center[of[0]] = i;
        }
    }
    if (stereo) {
        mark_double_bonds(walk);
    }
    return BERTH_OK;
}

/* --- Text --- */

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
static void put_atom(struct walk *walk, size_t atom, size_t parent)
{
    const char *turn = turn_of(walk, atom, parent);
    const bool aromatic = walk->aromatic && walk->aromatic[atom];
    const struct berth_adjacency *all = &walk->facts->adjacency;
    const int element = walk->molecule->atoms[atom].element, charge = walk->facts->charges[atom];
    int bonds = 0, hydrogens = 0;
    BERTH_EACH_BOND (i, all, atom) {
        bonds += is_shown(walk, i) ? walk->facts->orders[all->bond[i]] : 0;
        hydrogens += walk->molecule->atoms[all->neighbour[i]].element == HYDROGEN;
    }
    char text[48], symbol[8];
    snprintf(symbol, sizeof symbol, "%s", berth_element_symbol(element));
    symbol[0] = (char)(aromatic ? tolower((unsigned char)symbol[0]) : symbol[0]);
    if (!*turn && !charge && is_plain(element, bonds, hydrogens) &&
        !(aromatic && element != CARBON && hydrogens)) {
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
        snprintf(text, sizeof text, "[%s%s%s%s]", symbol, turn, count, sign);
    }
    put(walk, text);
}

/* from: the atom that it is written behind; NONE: where a ring is closed, which was said where it
 * was opened. */
static void put_bond(struct walk *walk, size_t bond, size_t from)
{
    static const char *const SIGNS[] = {"", "", "=", "#"};
    const struct berth_bond *ends = &walk->molecule->bonds[bond];
    const bool aromatic =
        walk->aromatic && walk->aromatic[ends->first] && walk->aromatic[ends->second];
    int sign = 0;
    const int *rises = rise_from(walk, bond, from, &sign);
    if (*rises && !aromatic) {
        put(walk, from == NONE ? "" : sign * *rises > 0 ? "/" : "\\");
    } else {
        put(walk, aromatic ? "" : SIGNS[walk->facts->orders[bond]]);
    }
}

/* Writes the atom and all behind it. */
static void put_branch(struct walk *walk, size_t atom, size_t parent)
{
    const struct berth_adjacency *all = &walk->facts->adjacency;
    size_t left = 0;
    walk->met[atom] = true;
    walk->order[walk->written++] = atom;
    put_atom(walk, atom, parent);
    BERTH_EACH_BOND (i, all, atom) {
        const int ring = is_shown(walk, i) ? walk->bonds[all->bond[i]] : UNSEEN;
        left += ring == IN_TREE && !walk->met[all->neighbour[i]];
        if (ring > 0) {
            char number[16];
            snprintf(number, sizeof number, ring > 9 ? "%%%d" : "%d", ring);
            put_bond(walk, all->bond[i], walk->met[all->neighbour[i]] ? NONE : atom);
            put(walk, number);
        }
    }
    BERTH_EACH_BOND (i, all, atom) {
        if (is_shown(walk, i) && walk->bonds[all->bond[i]] == IN_TREE &&
            !walk->met[all->neighbour[i]]) {
            put(walk, --left ? "(" : "");
            put_bond(walk, all->bond[i], atom);
            put_branch(walk, all->neighbour[i], atom);
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
        fits = walk->facts->orders[i] <= 3;
    }
    for (size_t i = 0; fits && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy && !walk->met[i]) {
            sort_bonds(walk, i);
        }
    }
    memset(walk->met, 0, molecule->atom_count * sizeof *walk->met);
    return fits && walk->rings <= RINGS_MAX;
}

enum berth_status berth_smiles_write(const struct berth_facts *facts, bool small,
                                     const struct berth_stereo *stereo, struct berth_bytes *text,
                                     size_t *order, bool *known, struct berth_error *error)
{
    const struct berth_molecule *molecule = facts->molecule;
    struct walk walk = {.facts = facts,
                        .molecule = molecule,
                        .aromatic = small ? facts->aromatic : NULL,
                        .stereo = stereo,
                        .text = text,
                        .order = order};
    enum berth_status status =
        berth_make(&walk.met, molecule->atom_count + 1, sizeof *walk.met, NULL, error);
    BERTH_THEN(berth_make(&walk.bonds, molecule->bond_count + 1, sizeof *walk.bonds, NULL, error));
    BERTH_THEN(find_stereo(&walk, error));
    *known = !status && prepare(&walk);
    for (size_t i = 0; *known && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy && !walk.met[i]) {
            put(&walk, walk.written ? "." : "");
            put_branch(&walk, i, NONE);
        }
    }
    if (!status && text->failed) {
        status = berth_out_of_memory(error, NULL);
    }
    free(walk.met);
    free(walk.bonds);
    free(walk.center);
    free(walk.partner);
    free(walk.rises);
    return status;
}

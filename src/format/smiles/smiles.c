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
#include "chem/bonds.h"
#include "chem/kekule.h"
#include "chem/molecule.h"
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

/* --- The stereo that SMILES say: their @, @@, / and \ --- */

#define NONE        SIZE_MAX
#define OF_HYDROGEN (SIZE_MAX - 1) /* in an atom's list of neighbours */
#define RING        (SIZE_MAX / 2) /* added to a ring's number, until the ring is closed */

enum { NEIGHBOURS = 4 };

/* An atom of the text. */
struct atom {
    size_t number;                 /* among those that are no hydrogens; OF_HYDROGEN */
    int turn;                      /* 1: @@, -1: @, 0: nothing is said */
    size_t neighbours[NEIGHBOURS]; /* places in the list of atoms, in the order of the text */
    size_t count;
};

struct bond {
    size_t first, second; /* places in the list of atoms */
    bool is_double;
    int rises; /* 1: / from the first to the second, -1: \, 0: nothing is said */
};

struct reading {
    const char *at;
    struct atom *atoms; /* owned, as the others; as many as there are characters, at most */
    struct bond *bonds;
    size_t *branches; /* the atoms that parentheses were opened behind */
    size_t atom_count, bond_count, branch_count, heavy;
    size_t last; /* the atom that the next one is bonded to; NONE */
    char sign;   /* the bond in front of what comes next; 0: none */
    struct {
        size_t atom;
        char sign;
    } rings[RINGS]; /* open ones; atom NONE: none of this number */
};

static void note_neighbour(struct atom *atom, size_t other)
{
    if (atom->count < NEIGHBOURS) {
        atom->neighbours[atom->count] = other;
    }
    atom->count++; /* more than there is room for: no tetrahedron */
}

static int rise_of(char sign)
{
    return sign == '/' ? 1 : sign == '\\' ? -1 : 0;
}

static void add_bond(struct reading *reading, size_t first, size_t second, char sign)
{
    reading->bonds[reading->bond_count++] =
        (struct bond){first, second, sign == '=', rise_of(sign)};
}

/* An atom whose symbol was read. */
static void add_atom(struct reading *reading, bool hydrogen, int turn, bool bears_hydrogen)
{
    const size_t place = reading->atom_count++;
    reading->atoms[place] =
        (struct atom){.number = hydrogen ? OF_HYDROGEN : reading->heavy, .turn = turn};
    reading->heavy += !hydrogen;
    if (reading->last != NONE) {
        note_neighbour(&reading->atoms[place], reading->last);
        note_neighbour(&reading->atoms[reading->last], place);
        add_bond(reading, reading->last, place, reading->sign);
    }
    if (bears_hydrogen) {
        note_neighbour(&reading->atoms[place], OF_HYDROGEN);
    }
    reading->last = place;
    reading->sign = 0;
}

/* [13C@@H+2:1]: its symbol, @ and whether it has one hydrogen. */
static void read_bracket(struct reading *reading)
{
    const char *at = reading->at + 1, *end = strchr(at, ']');
    at += strspn(at, "0123456789");
    const bool hydrogen = *at == 'H' && !islower((unsigned char)at[1]);
    at += 1 + (islower((unsigned char)at[1]) != 0);
    int turn = 0;
    if (*at == '@') {
        turn = at[1] == '@' ? 1 : -1;
        at += at[1] == '@' ? 2 : 1;
        if (isupper((unsigned char)*at) &&
            *at != 'H') { /* another class (@SP1): TH alone is ours */
            const bool tetrahedral = strncmp(at, "TH", 2) == 0;
            turn = !tetrahedral ? 0 : at[2] == '2' ? 1 : -1;
            at += 3;
        }
    }
    const bool bears =
        !hydrogen && at < end && *at == 'H' && !(isdigit((unsigned char)at[1]) && at[1] != '1');
    add_atom(reading, hydrogen, turn, bears);
    reading->at = end + 1;
}

/* The ring's other end takes the place that its first end kept. */
static void close_ring(struct reading *reading, size_t number)
{
    const size_t first = reading->rings[number].atom, last = reading->last;
    const char here = reading->sign, there = reading->rings[number].sign;
    struct atom *opened = &reading->atoms[first];
    for (size_t k = 0; k < opened->count && k < NEIGHBOURS; k++) {
        if (opened->neighbours[k] == RING + number) {
            opened->neighbours[k] = last;
        }
    }
    note_neighbour(&reading->atoms[last], first);
    if (there || !here) {
        add_bond(reading, first, last, there);
    } else {
        add_bond(reading, last, first, here);
    }
    reading->rings[number].atom = NONE;
}

static void read_ring(struct reading *reading)
{
    const char *at = reading->at;
    const bool two = *at == '%';
    const size_t number = (size_t)(two ? 10 * (at[1] - '0') + at[2] - '0' : *at - '0');
    if (reading->rings[number].atom != NONE) {
        close_ring(reading, number);
    } else {
        reading->rings[number].atom = reading->last;
        reading->rings[number].sign = reading->sign;
        note_neighbour(&reading->atoms[reading->last], RING + number);
    }
    reading->sign = 0;
    reading->at += two ? 3 : 1;
}

static void read_mark(struct reading *reading)
{
    const char c = *reading->at++;
    if (c == '(') {
        reading->branches[reading->branch_count++] = reading->last;
    } else if (c == ')') {
        reading->last = reading->branches[--reading->branch_count];
    } else if (c == '.') {
        reading->last = NONE;
    } else {
        reading->sign = c;
    }
}

static void read_text(struct reading *reading)
{
    while (*reading->at && !strchr(" \t\r\n", *reading->at)) {
        const char c = *reading->at;
        if (c == '[') {
            read_bracket(reading);
        } else if (isdigit((unsigned char)c) || c == '%') {
            read_ring(reading);
        } else if (isalpha((unsigned char)c) || c == '*') {
            reading->at += strncmp(reading->at, "Cl", 2) && strncmp(reading->at, "Br", 2) ? 1 : 2;
            add_atom(reading, false, 0, false);
        } else {
            read_mark(reading);
        }
    }
}

static enum berth_status keep(struct berth_stereo *stereo,
                              const struct berth_stereo_element *element, struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&stereo->elements, &stereo->capacity, stereo->count + 1,
                            sizeof *stereo->elements, error));
    stereo->elements[stereo->count++] = *element;
    return BERTH_OK;
}

/* Seen from the first neighbour the others turn to the left for @.  As an element has it, the first
 * is the fourth; a hydrogen has to be, which one exchange brings about. */
static enum berth_status keep_center(const struct reading *reading, const struct atom *atom,
                                     struct berth_stereo *stereo, struct berth_error *error)
{
    size_t order[NEIGHBOURS], hydrogens = 0;
    int sign = atom->turn;
    for (size_t k = 0; k < atom->count && k < NEIGHBOURS; k++) {
        const size_t place = atom->neighbours[k];
        const size_t number = place == OF_HYDROGEN ? OF_HYDROGEN : reading->atoms[place].number;
        order[(k + NEIGHBOURS - 1) % NEIGHBOURS] = number;
        hydrogens += number == OF_HYDROGEN;
    }
    if (!atom->turn || atom->number == OF_HYDROGEN || atom->count < 3 || atom->count > NEIGHBOURS ||
        hydrogens > 1 || (atom->count == 3 && hydrogens)) {
        return BERTH_OK;
    }
    if (atom->count == 3) { /* the lone pair stands where a hydrogen in the bracket would */
        const bool leads = atom->neighbours[0] > (size_t)(atom - reading->atoms);
        const size_t all[] = {order[3], order[0], order[1]};
        memcpy(order, leads ? all : (const size_t[]){OF_HYDROGEN, all[1], all[2]},
               3 * sizeof *order);
        order[3] = leads ? OF_HYDROGEN : all[0];
    }
    for (size_t k = 0; k < 3; k++) {
        if (order[k] == OF_HYDROGEN) {
            order[k] = order[3];
            order[3] = OF_HYDROGEN;
            sign = -sign;
        }
    }
    const struct berth_stereo_element element = {
        .atoms = {atom->number, order[0], order[1], order[2],
                  order[3] == OF_HYDROGEN ? NONE : order[3]},
        .sign = sign};
    return keep(stereo, &element, error);
}

/* A neighbour of the atom that is no hydrogen, at the end of a single bond of which it is said
 * whether it rises from the atom to it (*rises); NONE. */
static size_t find_marked(const struct reading *reading, size_t atom, size_t other, int *rises)
{
    for (size_t i = 0; i < reading->bond_count; i++) {
        const struct bond *bond = &reading->bonds[i];
        const size_t end = bond->first == atom ? bond->second : bond->first;
        if ((bond->first == atom || bond->second == atom) && end != other && bond->rises &&
            reading->atoms[end].number != OF_HYDROGEN) {
            *rises = bond->first == atom ? bond->rises : -bond->rises;
            return end;
        }
    }
    return NONE;
}

static enum berth_status keep_bond(const struct reading *reading, const struct bond *bond,
                                   struct berth_stereo *stereo, struct berth_error *error)
{
    int here, there;
    const struct atom *atoms = reading->atoms;
    const size_t left = find_marked(reading, bond->first, bond->second, &here);
    const size_t right = find_marked(reading, bond->second, bond->first, &there);
    if (!bond->is_double || left == NONE || right == NONE ||
        atoms[bond->first].number == OF_HYDROGEN || atoms[bond->second].number == OF_HYDROGEN) {
        return BERTH_OK;
    }
    const struct berth_stereo_element element = {
        .double_bond = true,
        .atoms = {atoms[bond->first].number, atoms[bond->second].number, atoms[left].number,
                  atoms[right].number, NONE},
        .sign = here == there ? 1 : -1};
    return keep(stereo, &element, error);
}

enum berth_status berth_smiles_stereo(const char *text, struct berth_stereo *stereo, size_t *atoms,
                                      struct berth_error *error)
{
    const size_t size = strlen(text) + 1;
    struct reading reading = {.at = text, .last = NONE};
    for (size_t i = 0; i < RINGS; i++) {
        reading.rings[i].atom = NONE;
    }
    memset(stereo, 0, sizeof *stereo);
    enum berth_status status = berth_make(&reading.atoms, size, sizeof *reading.atoms, NULL, error);
    BERTH_THEN(berth_make(&reading.bonds, size, sizeof *reading.bonds, NULL, error));
    BERTH_THEN(berth_make(&reading.branches, size, sizeof *reading.branches, NULL, error));
    if (!status) {
        read_text(&reading);
    }
    for (size_t i = 0; !status && i < reading.atom_count; i++) {
        status = keep_center(&reading, &reading.atoms[i], stereo, error);
    }
    for (size_t i = 0; !status && i < reading.bond_count; i++) {
        status = keep_bond(&reading, &reading.bonds[i], stereo, error);
    }
    *atoms = reading.heavy;
    free(reading.atoms);
    free(reading.bonds);
    free(reading.branches);
    return status;
}

/* --- A molecule as SMILES: its atoms, bonds, charges and stereo --- */

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
    const size_t other = walk->adjacency.neighbour[place];
    return walk->kekule.orders[walk->adjacency.bond[place]] && walk->molecule->atoms[other].heavy;
}

/* Sorts the bonds of the atom, and of all behind it, into those of a tree and those that close
 * rings. */
static void sort_bonds(struct walk *walk, size_t atom)
{
    const struct berth_adjacency *all = &walk->adjacency;
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
    const struct berth_adjacency *all = &walk->adjacency;
    return is_shown(walk, place) && all->neighbour[place] != partner &&
           walk->kekule.orders[all->bond[place]] == 1;
}

/* Says of the bonds beside a double bond's end that the one to `other` rises so, and its sibling
 * the other way; and the same of the double bonds that these are beside. */
static void mark_end(struct walk *walk, size_t end, size_t other, int rises)
{
    const struct berth_adjacency *all = &walk->adjacency;
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
    const struct berth_adjacency *all = &walk->adjacency;
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
    const struct berth_adjacency *all = &walk->adjacency;
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
    const struct berth_adjacency *all = &walk->adjacency;
    const int element = walk->molecule->atoms[atom].element, charge = walk->kekule.charges[atom];
    int bonds = 0, hydrogens = 0;
    BERTH_EACH_BOND (i, all, atom) {
        bonds += is_shown(walk, i) ? walk->kekule.orders[all->bond[i]] : 0;
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
        put(walk, aromatic ? "" : SIGNS[walk->kekule.orders[bond]]);
    }
}

/* Writes the atom and all behind it. */
static void put_branch(struct walk *walk, size_t atom, size_t parent)
{
    const struct berth_adjacency *all = &walk->adjacency;
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
                                     const struct berth_stereo *stereo, struct berth_bytes *text,
                                     size_t *order, bool *known, struct berth_error *error)
{
    struct walk walk = {
        .molecule = molecule, .aromatic = aromatic, .stereo = stereo, .text = text, .order = order};
    enum berth_status status = berth_kekule_find(molecule, &walk.kekule, error);
    BERTH_THEN(berth_adjacency_find(molecule, &walk.adjacency, error));
    BERTH_THEN(berth_make(&walk.met, molecule->atom_count + 1, sizeof *walk.met, NULL, error));
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
    berth_kekule_clear(&walk.kekule);
    berth_adjacency_clear(&walk.adjacency);
    free(walk.met);
    free(walk.bonds);
    free(walk.center);
    free(walk.partner);
    free(walk.rises);
    return status;
}

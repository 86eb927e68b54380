#include "format/smiles/smiles_stereo.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NONE     SIZE_MAX
#define HYDROGEN (SIZE_MAX - 1) /* in an atom's list of neighbours */
#define RING     (SIZE_MAX / 2) /* added to a ring's number, until the ring is closed */

enum { NEIGHBOURS = 4, RINGS = 100 };

/* An atom of the text. */
struct atom {
    size_t number;                 /* among those that are no hydrogens; HYDROGEN */
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
        (struct atom){.number = hydrogen ? HYDROGEN : reading->heavy, .turn = turn};
    reading->heavy += !hydrogen;
    if (reading->last != NONE) {
        note_neighbour(&reading->atoms[place], reading->last);
        note_neighbour(&reading->atoms[reading->last], place);
        add_bond(reading, reading->last, place, reading->sign);
    }
    if (bears_hydrogen) {
        note_neighbour(&reading->atoms[place], HYDROGEN);
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
        const size_t number = place == HYDROGEN ? HYDROGEN : reading->atoms[place].number;
        order[(k + NEIGHBOURS - 1) % NEIGHBOURS] = number;
        hydrogens += number == HYDROGEN;
    }
    if (!atom->turn || atom->number == HYDROGEN || atom->count < 3 || atom->count > NEIGHBOURS ||
        hydrogens > 1 || (atom->count == 3 && hydrogens)) {
        return BERTH_OK;
    }
    if (atom->count == 3) { /* the lone pair stands where a hydrogen in the bracket would */
        const bool leads = atom->neighbours[0] > (size_t)(atom - reading->atoms);
        const size_t all[] = {order[3], order[0], order[1]};
        memcpy(order, leads ? all : (const size_t[]){HYDROGEN, all[1], all[2]}, 3 * sizeof *order);
        order[3] = leads ? HYDROGEN : all[0];
    }
    for (size_t k = 0; k < 3; k++) {
        if (order[k] == HYDROGEN) {
            order[k] = order[3];
            order[3] = HYDROGEN;
            sign = -sign;
        }
    }
    const struct berth_stereo_element element = {.atoms = {atom->number, order[0], order[1],
                                                           order[2],
                                                           order[3] == HYDROGEN ? NONE : order[3]},
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
            reading->atoms[end].number != HYDROGEN) {
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
        atoms[bond->first].number == HYDROGEN || atoms[bond->second].number == HYDROGEN) {
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

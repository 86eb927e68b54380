#include "chem/smarts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum smarts_what {
    SMARTS_TRUE,
    SMARTS_NOT,
    SMARTS_AND,
    SMARTS_OR,
    /* of an atom: */
    SMARTS_ELEMENT,
    SMARTS_AROMATIC,  /* value 0 or 1 */
    SMARTS_DEGREE,    /* bonds to heavy atoms */
    SMARTS_CONNECTED, /* bonds, to hydrogens, too */
    SMARTS_HYDROGENS,
    SMARTS_VALENCE,
    SMARTS_CHARGE,
    SMARTS_RING,      /* value 0 or 1 */
    SMARTS_RING_SIZE, /* of the smallest ring that it is in */
    SMARTS_INSIDE,    /* is the first atom of pattern `value` */
    /* of a bond: */
    SMARTS_ORDER,         /* value 1, 2, 3; not aromatic */
    SMARTS_BOND_AROMATIC, /* it is */
    SMARTS_BOND_RING,
    SMARTS_BOND_PLAIN /* single or aromatic */
};

/* A condition; left and right are numbers of others. */
struct smarts_node {
    enum smarts_what what;
    size_t left, right;
    int value;
};

/* The first bond of an atom goes to one before it; others close rings. */
struct smarts_bond {
    size_t first, second; /* first < second */
    size_t node;
};

/* A pattern, or one inside $(...). */
struct smarts_pattern {
    size_t atom_nodes[BERTH_SMARTS_ATOMS];
    int labels[BERTH_SMARTS_ATOMS];
    struct smarts_bond bonds[2 * BERTH_SMARTS_ATOMS]; /* by second atom */
    size_t atom_count, bond_count;
};

struct berth_smarts {
    char *text;                      /* owned */
    struct smarts_pattern *patterns; /* owned; the first is the whole */
    size_t pattern_count, pattern_capacity;
    struct smarts_node *nodes; /* owned */
    size_t node_count, node_capacity;
};

/* SHOWN: bytes of a pattern in a message. */
enum { RINGS = 100, DEPTH = 8, SHOWN = 200 };

/* A ring that is not closed yet. */
struct open_ring {
    bool open, has_node;
    size_t atom, node;
};

struct parser {
    const char *text, *at;
    struct berth_smarts *smarts;
    struct berth_error *error;
    size_t depth; /* of $(...) */
};

static enum berth_status parse_pattern(struct parser *parser, bool inner, size_t *number);

static enum berth_status complain(const struct parser *parser, const char *what)
{
    const bool cut = strlen(parser->text) > SHOWN;
    return berth_fail(parser->error, BERTH_E_FORMAT, "SMARTS %.*s%s: character %zu: %s", SHOWN,
                      parser->text, cut ? "..." : "", (size_t)(parser->at - parser->text) + 1,
                      what);
}

static enum berth_status add_node(struct parser *parser, struct smarts_node node, size_t *number)
{
    struct berth_smarts *smarts = parser->smarts;
    if (smarts->node_count == BERTH_SMARTS_CONDITIONS) {
        return complain(parser, "too many conditions");
    }
    BERTH_TRY(berth_reserve(&smarts->nodes, &smarts->node_capacity, smarts->node_count + 1,
                            sizeof *smarts->nodes, parser->error));
    *number = smarts->node_count;
    smarts->nodes[smarts->node_count++] = node;
    return BERTH_OK;
}

static enum berth_status add_leaf(struct parser *parser, enum smarts_what what, int value,
                                  size_t *number)
{
    return add_node(parser, (struct smarts_node){.what = what, .value = value}, number);
}

static enum berth_status join(struct parser *parser, enum smarts_what what, size_t left,
                              size_t right, size_t *number)
{
    return add_node(parser, (struct smarts_node){.what = what, .left = left, .right = right},
                    number);
}

/* A number that may be missing. */
static int read_number(struct parser *parser, int otherwise)
{
    int number = 0;
    if (!isdigit((unsigned char)*parser->at)) {
        return otherwise;
    }
    while (isdigit((unsigned char)*parser->at) && number < 1000) {
        number = 10 * number + (*parser->at++ - '0');
    }
    return number;
}

/* An element, aromatic or not. */
static enum berth_status add_element(struct parser *parser, int element, bool aromatic,
                                     size_t *number)
{
    size_t left, right;
    BERTH_TRY(add_leaf(parser, SMARTS_ELEMENT, element, &left));
    BERTH_TRY(add_leaf(parser, SMARTS_AROMATIC, aromatic, &right));
    return join(parser, SMARTS_AND, left, right, number);
}

/* The element whose symbol stands there, and its length; 0: none does. */
static int find_symbol(const char *at, size_t *length)
{
    char symbol[3] = {at[0], at[0] && islower((unsigned char)at[1]) ? at[1] : '\0', '\0'};
    if (!isupper((unsigned char)*at)) {
        return 0;
    }
    for (*length = strlen(symbol); *length; symbol[--*length] = '\0') {
        const int element = berth_element_of_type(symbol);
        if (element && strcmp(berth_element_symbol(element), symbol) == 0) {
            return element;
        }
    }
    return 0;
}

/* The element of an aromatic symbol, and its length. */
static int find_aromatic(const char *at, size_t *length)
{
    static const struct {
        const char *symbol;
        int element;
    } AROMATIC[] = {{"se", 34}, {"as", 33}, {"te", 52}, {"b", 5}, {"c", 6},
                    {"n", 7},   {"o", 8},   {"p", 15},  {"s", 16}};
    for (size_t i = 0; i < sizeof AROMATIC / sizeof *AROMATIC; i++) {
        *length = strlen(AROMATIC[i].symbol);
        if (strncmp(at, AROMATIC[i].symbol, *length) == 0) {
            return AROMATIC[i].element;
        }
    }
    return 0;
}

static enum berth_status read_charge(struct parser *parser, size_t *number)
{
    const char sign = *parser->at;
    int charge = 0;
    while (*parser->at == sign) {
        parser->at++;
        charge++;
    }
    charge = charge == 1 ? read_number(parser, 1) : charge;
    return add_leaf(parser, SMARTS_CHARGE, sign == '+' ? charge : -charge, number);
}

static enum berth_status read_inside(struct parser *parser, size_t *number)
{
    size_t pattern;
    parser->at += 2;
    if (++parser->depth > DEPTH) {
        return complain(parser, "patterns lie too deep in each other");
    }
    BERTH_TRY(parse_pattern(parser, true, &pattern));
    parser->depth--;
    parser->at++; /* ')' */
    return add_leaf(parser, SMARTS_INSIDE, (int)pattern, number);
}

/* A letter and a number. */
static enum berth_status read_counted(struct parser *parser, bool *known, size_t *number)
{
    static const struct {
        char letter;
        enum smarts_what what;
    } COUNTED[] = {{'D', SMARTS_DEGREE},
                   {'X', SMARTS_CONNECTED},
                   {'H', SMARTS_HYDROGENS},
                   {'v', SMARTS_VALENCE}};
    const char letter = *parser->at;
    *known = true;
    if (letter == 'R' || letter == 'r') {
        parser->at++;
        const int size = read_number(parser, -1);
        if (size > 0 && letter == 'R') {
            return complain(parser, "counts of rings are not known; R, R0 and r with a size are");
        }
        return size > 0 ? add_leaf(parser, SMARTS_RING_SIZE, size, number)
                        : add_leaf(parser, SMARTS_RING, size != 0, number);
    }
    for (size_t i = 0; i < sizeof COUNTED / sizeof *COUNTED; i++) {
        if (letter == COUNTED[i].letter) {
            parser->at++;
            return add_leaf(parser, COUNTED[i].what, read_number(parser, 1), number);
        }
    }
    *known = false;
    return BERTH_OK;
}

/* One condition of a bracket; first: it stands at its beginning. */
static enum berth_status read_primitive(struct parser *parser, bool first, size_t *number)
{
    const char *at = parser->at;
    size_t length = 0;
    const bool hydrogen = first && *at == 'H' && (at[1] == ']' || at[1] == '+' || at[1] == '-');
    const int element = hydrogen ? (int)(length = 1) : find_symbol(at, &length);
    const bool counted = length == 1 && (*at == 'H' || *at == 'D' || *at == 'R' || *at == 'X');
    bool known = false;
    if (element && (hydrogen || !counted)) {
        parser->at += length;
        return add_element(parser, element, false, number);
    }
    if (*at == '*') {
        parser->at++;
        return add_leaf(parser, SMARTS_TRUE, 0, number);
    }
    if (*at == '#') {
        parser->at++;
        const int atomic = read_number(parser, 0);
        return atomic ? add_leaf(parser, SMARTS_ELEMENT, atomic, number)
                      : complain(parser, "an atomic number is missing");
    }
    if (*at == '+' || *at == '-') {
        return read_charge(parser, number);
    }
    if (strncmp(at, "$(", 2) == 0) {
        return read_inside(parser, number);
    }
    BERTH_TRY(read_counted(parser, &known, number));
    if (known) {
        return BERTH_OK;
    }
    const int aromatic = find_aromatic(at, &length);
    if (aromatic) {
        parser->at += length;
        return add_element(parser, aromatic, true, number);
    }
    if (*at == 'A' || *at == 'a') {
        parser->at++;
        return add_leaf(parser, SMARTS_AROMATIC, *at == 'a', number);
    }
    return complain(parser, "not known in an atom");
}

static enum berth_status read_bond_primitive(struct parser *parser, bool first, size_t *number)
{
    (void)first;
    switch (*parser->at++) {
    case '-':
        return add_leaf(parser, SMARTS_ORDER, 1, number);
    case '=':
        return add_leaf(parser, SMARTS_ORDER, 2, number);
    case '#':
        return add_leaf(parser, SMARTS_ORDER, 3, number);
    case ':':
        return add_leaf(parser, SMARTS_BOND_AROMATIC, 0, number);
    case '~':
        return add_leaf(parser, SMARTS_TRUE, 0, number);
    case '@':
        return add_leaf(parser, SMARTS_BOND_RING, 0, number);
    default:
        parser->at--;
        return complain(parser, "not known in a bond");
    }
}

typedef enum berth_status primitive_reader(struct parser *parser, bool first, size_t *number);

static bool is_end(char c, primitive_reader *read)
{
    return c == '\0' || (read == read_primitive ? c == ']' || c == ':' : !strchr("-=#:~@!&,;", c));
}

/* Conditions joined by what binds as tightly as `level` or tighter: 0 ';', 1 ',', 2 '&' or none. */
static enum berth_status read_joined(struct parser *parser, primitive_reader *read, int level,
                                     bool first, size_t *number)
{
    static const char JOINTS[] = ";,&";
    size_t right;
    if (level == 3) {
        const bool negated = *parser->at == '!';
        parser->at += negated;
        if (negated && *parser->at == '!') {
            return complain(parser, "! twice");
        }
        BERTH_TRY(read(parser, first && !negated, number));
        return negated ? join(parser, SMARTS_NOT, *number, *number, number) : BERTH_OK;
    }
    BERTH_TRY(read_joined(parser, read, level + 1, first, number));
    for (;;) {
        const char c = *parser->at;
        const bool joint = c == JOINTS[level];
        if (is_end(c, read) || (!joint && (level < 2 || strchr(JOINTS, c)))) {
            return BERTH_OK;
        }
        parser->at += joint;
        BERTH_TRY(read_joined(parser, read, level + 1, false, &right));
        BERTH_TRY(join(parser, level == 1 ? SMARTS_OR : SMARTS_AND, *number, right, number));
    }
}

/* An atom, in brackets or not. */
static enum berth_status read_atom(struct parser *parser, size_t *number, int *label)
{
    const char *at = parser->at;
    size_t length = 0;
    *label = 0;
    if (*at == '[') {
        parser->at++;
        BERTH_TRY(read_joined(parser, read_primitive, 0, true, number));
        if (*parser->at == ':') {
            parser->at++;
            *label = read_number(parser, 0);
        }
        if (*parser->at != ']') {
            return complain(parser, "a ] is missing");
        }
        parser->at++;
        return BERTH_OK;
    }
    const int element = find_symbol(at, &length);
    const bool organic = element && strchr("BCNOPSFI", *at) &&
                         (length == 1 || element == CHLORINE || element == BROMINE);
    if (element && !organic && length == 2 && strchr("BCNOPSFI", *at)) {
        parser->at++; /* Cn: a carbon, and a nitrogen behind it */
        return add_element(parser, berth_element_of_type((const char[]){*at, '\0'}), false, number);
    }
    if (organic) {
        parser->at += length;
        return add_element(parser, element, false, number);
    }
    const int aromatic = find_aromatic(at, &length);
    if (aromatic && length == 1) {
        parser->at++;
        return add_element(parser, aromatic, true, number);
    }
    if (*at == '*' || *at == 'A' || *at == 'a') {
        parser->at++;
        return *at == '*' ? add_leaf(parser, SMARTS_TRUE, 0, number)
                          : add_leaf(parser, SMARTS_AROMATIC, *at == 'a', number);
    }
    return complain(parser, "no atom begins so");
}

static enum berth_status add_bond(struct parser *parser, struct smarts_pattern *pattern,
                                  struct smarts_bond bond)
{
    if (bond.first > bond.second) {
        const size_t first = bond.first;
        bond.first = bond.second;
        bond.second = first;
    }
    if (pattern->bond_count == sizeof pattern->bonds / sizeof *pattern->bonds ||
        bond.first == bond.second) {
        return complain(parser, "a ring that closes nothing");
    }
    pattern->bonds[pattern->bond_count++] = bond;
    return BERTH_OK;
}

/* What a pattern is read with. */
struct reading {
    struct smarts_pattern pattern;
    struct open_ring rings[RINGS];
    size_t branches[BERTH_SMARTS_ATOMS], branch_count;
    size_t last;   /* atom that the next is bonded to */
    bool has_bond; /* a bond was read, */
    size_t bond;   /* and its node */
};

/* The bond that was read, or one that is single or aromatic. */
static enum berth_status take_bond(struct parser *parser, struct reading *reading, size_t *node)
{
    *node = reading->bond;
    const bool given = reading->has_bond;
    reading->has_bond = false;
    return given ? BERTH_OK : add_leaf(parser, SMARTS_BOND_PLAIN, 0, node);
}

static enum berth_status read_ring(struct parser *parser, struct reading *reading)
{
    size_t number, node;
    if (!reading->pattern.atom_count) {
        return complain(parser, "a ring without an atom");
    }
    if (*parser->at == '%') {
        const bool two =
            isdigit((unsigned char)parser->at[1]) && isdigit((unsigned char)parser->at[2]);
        if (!two) {
            return complain(parser, "two digits belong behind %");
        }
        number = (size_t)(10 * (parser->at[1] - '0') + parser->at[2] - '0');
        parser->at += 3;
    } else {
        number = (size_t)(*parser->at++ - '0');
    }
    struct open_ring *ring = &reading->rings[number];
    if (!ring->open) {
        *ring = (struct open_ring){true, reading->has_bond, reading->last, reading->bond};
        reading->has_bond = false;
        return BERTH_OK;
    }
    ring->open = false;
    if (ring->has_node && !reading->has_bond) {
        node = ring->node;
    } else {
        BERTH_TRY(take_bond(parser, reading, &node));
    }
    return add_bond(parser, &reading->pattern,
                    (struct smarts_bond){ring->atom, reading->last, node});
}

static enum berth_status read_branch(struct parser *parser, struct reading *reading)
{
    const bool opens = *parser->at++ == '(';
    if (opens ? !reading->pattern.atom_count || reading->branch_count == BERTH_SMARTS_ATOMS
              : !reading->branch_count) {
        return complain(parser, opens ? "a branch without an atom" : "a ) without its (");
    }
    if (opens) {
        reading->branches[reading->branch_count++] = reading->last;
    } else {
        reading->last = reading->branches[--reading->branch_count];
    }
    return BERTH_OK;
}

static enum berth_status read_next_atom(struct parser *parser, struct reading *reading)
{
    struct smarts_pattern *pattern = &reading->pattern;
    const size_t number = pattern->atom_count;
    size_t node;
    if (number == BERTH_SMARTS_ATOMS) {
        return complain(parser, "too many atoms");
    }
    BERTH_TRY(read_atom(parser, &pattern->atom_nodes[number], &pattern->labels[number]));
    pattern->atom_count++;
    if (number) {
        BERTH_TRY(take_bond(parser, reading, &node));
        BERTH_TRY(add_bond(parser, pattern, (struct smarts_bond){reading->last, number, node}));
    }
    reading->last = number;
    return BERTH_OK;
}

static enum berth_status read_all(struct parser *parser, struct reading *reading, bool inner)
{
    enum berth_status status = BERTH_OK;
    while (!status && *parser->at && !(inner && *parser->at == ')' && !reading->branch_count)) {
        const char c = *parser->at;
        if (c == '(' || c == ')') {
            status = read_branch(parser, reading);
        } else if (isdigit((unsigned char)c) || c == '%') {
            status = read_ring(parser, reading);
        } else if (strchr("-=#:~@!", c)) {
            if (!reading->pattern.atom_count || reading->has_bond) {
                return complain(parser, "a bond without an atom before it");
            }
            status = read_joined(parser, read_bond_primitive, 0, true, &reading->bond);
            reading->has_bond = true;
        } else {
            status = read_next_atom(parser, reading);
        }
    }
    bool open = reading->branch_count || reading->has_bond;
    for (size_t i = 0; i < RINGS; i++) {
        open = open || reading->rings[i].open;
    }
    if (!status && (open || !reading->pattern.atom_count)) {
        status = complain(parser, open ? "a branch, ring or bond is not ended" : "no atom");
    }
    return status ? status : inner && !*parser->at ? complain(parser, "a ) is missing") : BERTH_OK;
}

static int by_second(const void *left, const void *right)
{
    const struct smarts_bond *a = left, *b = right;
    return a->second != b->second ? (a->second < b->second ? -1 : 1)
                                  : (a->first > b->first) - (a->first < b->first);
}

static enum berth_status parse_pattern(struct parser *parser, bool inner, size_t *number)
{
    struct berth_smarts *smarts = parser->smarts;
    struct reading *reading;
    BERTH_TRY(berth_reserve(&smarts->patterns, &smarts->pattern_capacity, smarts->pattern_count + 1,
                            sizeof *smarts->patterns, parser->error));
    *number = smarts->pattern_count++;
    memset(&smarts->patterns[*number], 0, sizeof *smarts->patterns);
    BERTH_TRY(berth_make(&reading, 1, sizeof *reading, NULL, parser->error));
    const enum berth_status status = read_all(parser, reading, inner);
    qsort(reading->pattern.bonds, reading->pattern.bond_count, sizeof *reading->pattern.bonds,
          by_second);
    smarts->patterns[*number] = reading->pattern;
    free(reading);
    return status;
}

/* True for conditions that hydrogens alone meet. */
static bool asks_hydrogen(const struct berth_smarts *smarts, size_t number)
{
    const struct smarts_node *node = &smarts->nodes[number];
    switch (node->what) {
    case SMARTS_ELEMENT:
        return node->value == 1;
    case SMARTS_AND:
        return asks_hydrogen(smarts, node->left) || asks_hydrogen(smarts, node->right);
    case SMARTS_OR:
        return asks_hydrogen(smarts, node->left) && asks_hydrogen(smarts, node->right);
    default:
        return false;
    }
}

/* What no match can have. */
static enum berth_status check_atoms(const struct parser *parser)
{
    const struct smarts_pattern *pattern = &parser->smarts->patterns[0];
    for (size_t i = 0; i < pattern->atom_count; i++) {
        if (asks_hydrogen(parser->smarts, pattern->atom_nodes[i])) {
            return berth_fail(parser->error, BERTH_E_FORMAT,
                              "SMARTS %s: its atom %zu is a hydrogen, which is counted at the atom "
                              "that has it ([O;H1]), and is no atom of a match (but in $(...))",
                              parser->text, i + 1);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_smarts_parse(const char *text, struct berth_smarts **smarts,
                                     struct berth_error *error)
{
    struct parser parser = {.text = text, .at = text, .error = error};
    size_t number;
    BERTH_TRY(berth_make(smarts, 1, sizeof **smarts, NULL, error));
    parser.smarts = *smarts;
    (*smarts)->text = berth_copy_text(text);
    enum berth_status status =
        (*smarts)->text ? BERTH_OK : berth_out_of_memory(error, "a SMARTS pattern");
    BERTH_THEN(parse_pattern(&parser, false, &number));
    BERTH_THEN(check_atoms(&parser));
    if (status) {
        berth_smarts_destroy(*smarts);
        *smarts = NULL;
    }
    return status;
}

void berth_smarts_destroy(struct berth_smarts *smarts)
{
    if (smarts) {
        free(smarts->text);
        free(smarts->patterns);
        free(smarts->nodes);
        free(smarts);
    }
}

size_t berth_smarts_count(const struct berth_smarts *smarts)
{
    return smarts->patterns[0].atom_count;
}

int berth_smarts_label(const struct berth_smarts *smarts, size_t atom)
{
    return smarts->patterns[0].labels[atom];
}

/* --- Where a molecule has a pattern --- */

/* What of an atom's bonds conditions ask for. */
struct bonds_of {
    int hydrogens, orders, smallest; /* smallest: ring; 0: it is in none */
};

static struct bonds_of look_at_bonds(const struct berth_facts *facts, size_t atom)
{
    const struct berth_adjacency *adjacency = &facts->adjacency;
    struct bonds_of bonds = {0};
    BERTH_EACH_BOND (k, adjacency, atom) {
        const int size = facts->rings[adjacency->bond[k]];
        bonds.hydrogens += facts->molecule->atoms[adjacency->neighbour[k]].element == HYDROGEN;
        bonds.orders += facts->orders[adjacency->bond[k]];
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
    const struct berth_facts *facts;
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

static size_t degree(const struct berth_facts *facts, size_t atom)
{
    return berth_degree(&facts->adjacency, atom);
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
                              .facts = matching->facts,
                              .take = take_any,
                              .context = &found,
                              .steps = matching->steps};
    match_from(&inside, 0, atom);
    return found;
}

/* A condition on one atom alone; false where no steps are left. */
static bool has(const struct matching *matching, const struct smarts_node *node, size_t atom)
{
    const struct berth_facts *facts = matching->facts;
    if (!spend(matching, 1 + degree(facts, atom))) {
        return false;
    }
    const struct bonds_of bonds = look_at_bonds(facts, atom);
    switch (node->what) {
    case SMARTS_TRUE:
        return true;
    case SMARTS_ELEMENT:
        return facts->molecule->atoms[atom].element == node->value;
    case SMARTS_AROMATIC:
        return facts->aromatic[atom] == (node->value != 0);
    case SMARTS_DEGREE: /* of heavy atoms, as where hydrogens are not written */
        return (int)degree(facts, atom) - bonds.hydrogens == node->value;
    case SMARTS_CONNECTED:
        return (int)degree(facts, atom) == node->value;
    case SMARTS_HYDROGENS:
        return bonds.hydrogens == node->value;
    case SMARTS_VALENCE:
        return bonds.orders == node->value;
    case SMARTS_CHARGE:
        return facts->charges[atom] == node->value;
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
    const struct berth_facts *facts = matching->facts;
    const struct smarts_node *node = &matching->smarts->nodes[number];
    const struct berth_bond *ends = &facts->molecule->bonds[bond];
    const bool ring = facts->rings[bond] != 0;
    const bool aromatic = ring && facts->aromatic[ends->first] && facts->aromatic[ends->second];
    const int order = facts->orders[bond];
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

/* The bond between two atoms; SIZE_MAX where there is none, or no steps are left. */
static size_t find_bond(const struct matching *matching, size_t a, size_t b)
{
    const bool left = spend(matching, degree(matching->facts, a));
    return left ? berth_bond_between(&matching->facts->adjacency, a, b) : SIZE_MAX;
}

/* Whether atom `number` of the pattern can be this one, with those before it where they are.  Of
 * the outermost pattern it is a heavy atom. */
static bool fits(const struct matching *matching, size_t number, size_t atom)
{
    const struct smarts_pattern *pattern = matching->pattern;
    if (pattern == matching->smarts->patterns && !matching->facts->molecule->atoms[atom].heavy) {
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
        const size_t found = bond->second == number
                                 ? find_bond(matching, matching->atoms[bond->first], atom)
                                 : SIZE_MAX;
        if (bond->second == number &&
            (found == SIZE_MAX || !bond_is(matching, bond->node, found))) {
            return false;
        }
    }
    return true;
}

/* Matches from atom `number` on, which is to be this one. */
static void match_from(struct matching *matching, size_t number, size_t atom)
{
    const struct smarts_pattern *pattern = matching->pattern;
    const struct berth_adjacency *adjacency = &matching->facts->adjacency;
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
                                     const struct berth_facts *facts, berth_smarts_taker *take,
                                     void *context, struct berth_error *error)
{
    size_t steps = BERTH_SMARTS_STEPS;
    struct matching matching = {.smarts = smarts,
                                .pattern = &smarts->patterns[0],
                                .facts = facts,
                                .take = take,
                                .context = context,
                                .steps = &steps};
    for (size_t atom = 0; !matching.ended && steps && atom < facts->molecule->atom_count; atom++) {
        match_from(&matching, 0, atom);
    }
    return steps ? BERTH_OK
                 : berth_fail(
                       error, BERTH_E_FORMAT,
                       "SMARTS %.200s: matches the molecule in too many ways (%d steps); let it "
                       "say more of its atoms, or have fewer of them",
                       smarts->text, BERTH_SMARTS_STEPS);
}

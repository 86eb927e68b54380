#include "format/mol2/amber_types.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Types of GAFF and GAFF2. */
static const char GAFF[] =
    "c c1 c2 c3 c5 c6 ca cc cd ce cf cg ch cp cq cs cu cv cx cy cz h1 h2 h3 h4 h5 ha hc hn ho hp "
    "hs hw hx n n1 n2 n3 n4 n5 n6 n7 n8 n9 n+ na nb nc nd ne nf nh ni nj nk nl nm nn no np nq ns "
    "nt nu nv nx ny nz o oh op oq os ow p2 p3 p4 p5 pb pc pd pe pf px py s s2 s4 s6 sh sp sq ss "
    "sx sy f cl br i";

/* Types of Amber's force fields for proteins and nucleic acids that are of C, H, N, O, P or S. */
static const char AMBER[] =
    "C C* C4 C5 C8 2C 3C CA CB CC CD CI CK CM CN CO CP CQ CR CS CT CV CW CX CY CZ TC TP H H0 H1 H2 "
    "H3 H4 H5 HA HC HO HP HS HW HZ N N* N2 N3 NA NB NC ND NP NQ NT NY O O2 O3 OH OP OS OW P S SH";

/* Of both, the carbons that have a double bond, or an aromatic one, or a triple one. */
static const char UNSATURATED[] =
    "c c1 c2 ca cc cd ce cf cg ch cp cq cs cu cv cz C C* CA CB CC CK CM CN CO CP CQ CR CS CV CW";

static bool is_foreign(const char *type)
{
    return berth_text_lists(islower((unsigned char)*type) ? GAFF : AMBER, ' ', type);
}

/* True for types that no SYBYL type is called, whatever its case: no element. */
static bool is_telling(const char *type)
{
    return is_foreign(type) && (!berth_element_of_type(type) || islower((unsigned char)*type));
}

/* The element of a type of theirs: its first letter, but for chlorine and bromine. */
static int element_of(const char *type)
{
    const bool two = strcmp(type, "cl") == 0 || strcmp(type, "br") == 0;
    const char *letter = strcmp(type, "TC") == 0 || strcmp(type, "TP") == 0
                             ? "C"
                             : type + strspn(type, "0123456789");
    return berth_element_of_type(two ? type : (const char[]){*letter, '\0'});
}

/* Gives an atom the element of its type, if that is one of theirs. */
static void set_element(struct berth_atom *atom)
{
    if (is_foreign(atom->type)) {
        atom->element = element_of(atom->type);
    }
}

static bool has_foreign(const struct berth_molecule *molecule)
{
    bool telling = false;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (strchr(molecule->atoms[i].type, '.')) {
            return false; /* SYBYL's */
        }
        telling = telling || is_telling(molecule->atoms[i].type);
    }
    return telling;
}

/* True where all bonds are single, as programs write who know no orders, but the types are not. */
static bool lacks_orders(const struct berth_molecule *molecule)
{
    bool unsaturated = false;
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        if (strcmp(bond->type, "1") != 0) {
            return false;
        }
        unsaturated = unsaturated ||
                      berth_text_lists(UNSATURATED, ' ', molecule->atoms[bond->first].type) ||
                      berth_text_lists(UNSATURATED, ' ', molecule->atoms[bond->second].type);
    }
    return unsaturated;
}

void berth_amber_types_read(struct berth_molecule *molecule)
{
    molecule->foreign_types = has_foreign(molecule);
    if (!molecule->foreign_types) {
        return;
    }
    molecule->lacks_orders = lacks_orders(molecule);
    for (size_t i = 0; i < molecule->bond_count; i++) {
        set_element(&molecule->atoms[molecule->bonds[i].first]);
        set_element(&molecule->atoms[molecule->bonds[i].second]);
    }
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        if (!atom->element) { /* without bonds "CA" is an ion */
            set_element(atom);
        }
        if (atom->element) {
            atom->heavy = atom->element != HYDROGEN;
            snprintf(atom->type, sizeof atom->type, "%s", berth_element_symbol(atom->element));
        }
    }
}

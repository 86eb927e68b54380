/* What the names of atoms and residues say, for all readers of structures. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "chem/residue_types.h"
#include "format/pdb/pdb.h"

int berth_element_of_symbol(const char *symbol)
{
    const size_t length = strlen(symbol);
    if (length < 1 || length > 2 ||
        strspn(symbol, "abcdefghijklmnopqrstuvwxyz"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != length) {
        return 0;
    }
    return berth_element_of_type(symbol);
}

/* True for elements of two letters that stand in structures; "CA" of anything but calcium, and the
 * many names such as "HG11" and "CD", make the others useless as guesses. */
static bool is_two_letters(const char *symbol, const char *residue)
{
    if (berth_text_lists("CL BR SE FE ZN MG MN CU NI LI SI AL RU PT", ' ', symbol)) {
        return true;
    }
    /* An ion is called as its residue is: "CA" of CA, "NA" of NA, "CO" of CO. */
    return strncmp(residue, symbol, 2) == 0 && berth_element_of_symbol(symbol) > 0 &&
           (!residue[2] || isdigit((unsigned char)residue[2]));
}

/* Names are capitals, so that a small letter behind one ("Cl1") belongs to a symbol, wherever it
 * stands. */
static bool has_small_letter(const char *name)
{
    return isupper((unsigned char)name[0]) && islower((unsigned char)name[1]);
}

int berth_element_of_name(const char *name, const char *residue)
{
    const bool aligned = *name == ' ' || isdigit((unsigned char)*name);
    while (*name == ' ' || isdigit((unsigned char)*name)) {
        name++;
    }
    char symbol[3] = "";
    for (int i = 0; i < 2 && isalpha((unsigned char)name[i]); i++) {
        symbol[i] = (char)toupper((unsigned char)name[i]);
    }
    const struct berth_residue_type *standard = berth_residue_type_find(residue);
    const bool plain = (aligned && !has_small_letter(name)) ||
                       (standard && standard->kind != BERTH_RESIDUE_COFACTOR);
    if ((!plain || (standard && strcmp(standard->name, "MSE") == 0)) &&
        is_two_letters(symbol, residue)) {
        return berth_element_of_symbol(symbol);
    }
    symbol[1] = '\0';
    return berth_element_of_symbol(symbol);
}

void berth_canonical_name(char *name, const char *residue)
{
    const struct berth_residue_type *standard = berth_residue_type_find(residue);
    if (!standard) {
        return;
    }
    for (char *at = name; *at; at++) {
        *at = *at == '*' ? '\'' : *at;
    }
    static const char *const RENAMED[][3] = {{"ILE", "CD", "CD1"},
                                             {"", "O1P", "OP1"},
                                             {"", "O2P", "OP2"},
                                             {"", "O3P", "OP3"},
                                             {"T", "C5M", "C7"}};
    for (size_t i = 0; i < sizeof RENAMED / sizeof *RENAMED; i++) {
        const char *wanted = RENAMED[i][0];
        const bool fits = *wanted ? strcmp(standard->name, wanted) == 0
                                  : standard->kind == BERTH_RESIDUE_NUCLEOTIDE;
        if (fits && strcmp(name, RENAMED[i][1]) == 0) {
            snprintf(name, BERTH_LABEL_SIZE, "%s", RENAMED[i][2]);
            return;
        }
    }
}

/* --- Ions --- */

/* Ions of files that do not say what element an atom is: by their names in CHARMM, Amber, GROMACS
 * and the PDB. */

/* Names that are no symbol.  IP, IM, IB and CIO are those of Amber's old libraries. */
static const struct {
    const char *name, *symbol;
} IONS[] = {{"SOD", "Na"}, {"CIO", "Na"}, {"IP", "Na"},  {"POT", "K"},  {"CLA", "Cl"},
            {"IM", "Cl"},  {"CAL", "Ca"}, {"C0", "Ca"},  {"CES", "Cs"}, {"LIT", "Li"},
            {"RUB", "Rb"}, {"BAR", "Ba"}, {"CAD", "Cd"}, {"BRO", "Br"}, {"IOD", "I"},
            {"ZIN", "Zn"}, {"MAG", "Mg"}, {"FLU", "F"}};

static bool is_ion(int element)
{
    /* W is a bead of water */
    return berth_is_halogen(element) || (berth_is_metal(element) && element != TUNGSTEN);
}

static int element_of_ion(const char *name)
{
    char stem[BERTH_LABEL_SIZE];
    for (size_t i = 0; i < sizeof IONS / sizeof *IONS; i++) {
        if (strcmp(IONS[i].name, name) == 0) {
            return berth_element_of_symbol(IONS[i].symbol);
        }
    }
    /* The name without the digits about it and its charge, in capitals: "Na+", "ZN2" and "3CO". */
    size_t size = 0;
    name += strspn(name, "0123456789");
    while (isalpha((unsigned char)name[size]) && size + 1 < BERTH_LABEL_SIZE) {
        stem[size] = (char)toupper((unsigned char)name[size]);
        size++;
    }
    stem[size] = '\0';
    if (name[size + strspn(name + size, "0123456789+-")]) {
        *stem = '\0'; /* more than a charge */
    }
    const int element = berth_element_of_symbol(stem);
    return is_ion(element) ? element : 0;
}

/* True where the span is one atom, or several of one name, as ions without numbers of their own. */
static bool is_single(const struct berth_structure *structure, struct berth_span span)
{
    for (size_t i = span.begin + 1; i < span.end; i++) {
        if (strcmp(structure->atoms[i].name, structure->atoms[span.begin].name) != 0) {
            return false;
        }
    }
    return true;
}

void berth_structure_find_ions(struct berth_structure *structure)
{
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const struct berth_structure_atom *atom = &structure->atoms[span.begin];
        const int element = element_of_ion(atom->residue.name), own = element_of_ion(atom->name);
        if (!element || own != element || berth_is_standard_residue(atom->residue.name) ||
            !is_single(structure, span)) {
            continue;
        }
        for (size_t i = span.begin; i < span.end; i++) {
            struct berth_structure_atom *ion = &structure->atoms[i];
            ion->element = ion->guessed ? element : ion->element;
        }
    }
}

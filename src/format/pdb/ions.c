/* Ions of files that do not say what element an atom is: by their names in CHARMM, Amber, GROMACS
 * and the PDB. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "chem/residue_types.h"
#include "format/pdb/pdb.h"

/* Names that are no symbol.  IP, IM, IB and CIO are those of Amber's old libraries. */
static const struct {
    const char *name, *symbol;
} IONS[] = {{"SOD", "Na"}, {"CIO", "Na"}, {"IP", "Na"},  {"POT", "K"},  {"CLA", "Cl"},
            {"IM", "Cl"},  {"CAL", "Ca"}, {"C0", "Ca"},  {"CES", "Cs"}, {"LIT", "Li"},
            {"RUB", "Rb"}, {"BAR", "Ba"}, {"CAD", "Cd"}, {"BRO", "Br"}, {"IOD", "I"},
            {"ZIN", "Zn"}, {"MAG", "Mg"}, {"FLU", "F"}};

/* The name without the digits about it and its charge, in capitals: "Na+", "ZN2" and "3CO". */
static void stem_of(const char *name, char stem[BERTH_LABEL_SIZE])
{
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
}

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
    stem_of(name, stem);
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
